"""The rules of a game of one's own as a program: you write the rules, `serve` answers the arena's questions.

A game is a subclass of `Game`. It sets `id`, `title`, `about` and any other attribute of `Game`, and has
    start(options)       the state at the start; options is a dict, with whole numbers for ranges
    legal(state)         the legal plies, in any order; not asked when the game is over
    play(state, ply)     the state after a legal ply, as a new object
    result(state)        None, or (result, reason) or (result, reason, words); result is "p1win", "p2win" or "draw"
    show(state)          the position string: all that matters for what follows, repetitions and plies played aside
    read(text, options)  the state of a position string, or ValueError; nothing but what `show` writes is accepted
and perhaps seat(state), who decides, and any of KEYS, such as key(state), what counts for repetition. The arena counts
repetitions and plies. A game for more than two sets `seats`, the fewest and the most; where they differ, an option `players` chooses,
whose default is the fewest. Its result is a list of places, 1 being the best, and it also has
    out(state)           the seats that are out, as {"p2": (3, "stuck")}: place, and why, or None where the string does not tell
    fault(state, seat)   the state after a seat that is in has committed a fault: it is out, behind all that are in
At a table of two neither is asked. The file ends with `if __name__ == "__main__": arena_rules.serve(MyGame())`.
"""
from __future__ import annotations

import json
import os
import re
import sys
import traceback
from dataclasses import dataclass
from typing import Any, BinaryIO, Mapping, Sequence

MOST_BYTES = 1 << 20  # of a line, with its end
KEYS = ("turn", "fresh", "key", "count", "proofs", "cells", "hand", "label", "san")
"""Keys of an answer that a game gives by a method of the same name, which takes the state."""


class Refused(Exception):
    """A request is answered by an error: a code, words for people, and perhaps why a ply is refused."""


def shown(text: object) -> str:
    """Returns text of a request as it stands in a message: escaped, and not too much of it."""
    return "`" + str(text)[:200].encode("unicode_escape").decode() + "`"


@dataclass(frozen=True)
class Option:
    """An option: one of `values`, or a whole number from `min` to `max`."""

    name: str
    default: str
    about: str
    values: Sequence[str] = ()
    min: int = 0
    max: int = 0

    def describe(self) -> dict[str, Any]:
        """Returns what `games` says of it."""
        allowed = {"values": list(self.values)} if self.values else {"min": self.min, "max": self.max}
        return {"name": self.name, "default": self.default, **allowed, "about": self.about}

    def value(self, text: str) -> str | int:
        """Reads a value."""
        if text in self.values:
            return text
        if not self.values and re.fullmatch("0|[1-9][0-9]{0,8}", text) and self.min <= int(text) <= self.max:
            return int(text)
        allowed = ", ".join(self.values) or f"{self.min}..{self.max}"
        raise Refused("bad-option", f"option `{self.name}` cannot be {shown(text)}; allowed: {allowed}")


class Game:
    """A game; see the top of this file."""

    id = title = about = notation = rules = ""  # notation: plies in one line; rules: Markdown
    version = "1.0"
    options: Sequence[Option] = ()
    seats: Sequence[int] = (2, 2)  # how few and how many
    repetition = 0  # at which occurrence a position is a draw; 0: never
    passes = False  # whether a seat without another legal ply passes; `legal` need not say so, `play` gets `pass`
    max_plies: int | None = None  # plies after which a game is a draw
    caps: Sequence[str] = ()  # reasons that are caps: a repetition goes before them
    look: Mapping[str, Any] | None = None
    start: Any
    legal: Any
    play: Any
    result: Any
    show: Any
    read: Any
    out: Any
    fault: Any

    def seat(self, state: Any) -> str:
        """Returns who decides: unless a game says otherwise, the first word `p1`, `p2` and so on of the position string."""
        words: list[str] = self.show(state).split()
        return next(word for word in words if re.fullmatch("p[1-8]", word))

    def describe(self) -> dict[str, Any]:
        """Returns what `games` says of it."""
        named = {name: getattr(self, name) for name in ("title", "about", "notation", "rules", "repetition")}
        options = [option.describe() for option in self.options]
        line = {"game": self.id, **named, "seats": list(self.seats), "pass": self.passes, "options": options}
        perhaps = {"max-plies": self.max_plies, "caps": list(self.caps), "look": self.look}
        return {**line, **{key: value for key, value in perhaps.items() if value}}

    def plies(self, state: Any) -> list[str]:
        """Returns the legal plies in order: none when the game is over."""
        return [] if self.result(state) else sorted(self.legal(state)) or ["pass"] * self.passes

    def position(self, words: list[str], follows: bool) -> dict[str, Any]:
        """Answers `[KEY=VALUE …] startpos|fen STRING [moves PLY …]`, with what follows each ply if wanted."""
        given: dict[str, str] = {}
        while words and "=" in words[0]:
            name, _, text = words.pop(0).partition("=")
            if name in given or all(name != option.name for option in self.options):
                raise Refused("bad-option", f"option {shown(name)} is unknown, or given twice")
            given[name] = text
        options = {option.name: option.value(given.get(option.name, option.default)) for option in self.options}
        end = words.index("moves") if "moves" in words else len(words)
        if words[:end] == ["startpos"]:
            state = self.start(options)
        elif words[:1] == ["fen"]:
            state = self.load(" ".join(words[1:end]), options)
        else:
            raise Refused("bad-request", "after the game come `startpos` or `fen STRING`, and then perhaps `moves`")
        table = int(options.get("players", self.seats[0])) if self.seats[1] > 2 else 2
        for number, ply in enumerate(words[end + 1 :], 1):
            if (faulty := self.faulty(state, ply, table)) is not None:
                state = self.fault(state, faulty)
                continue
            if ply not in self.plies(state):
                where = f"ply {number}, {shown(ply)}, is not legal in {shown(self.show(state))}"
                raise Refused("illegal-ply", where, "it is none of the legal plies")
            state = self.play(state, ply)
        others = [o.name for o in self.options if given.get(o.name, o.default) != o.default]
        return self.answer(" ".join([self.id, *(f"{name}={given[name]}" for name in others)]), state, follows, table)

    def faulty(self, state: Any, ply: str, table: int) -> str | None:
        """Returns the seat of `fault.pN`, if it can commit one: it is in at a table of more than two, and the game goes on."""
        seat = ply.removeprefix("fault.")
        is_seat = seat != ply and seat in [f"p{number + 1}" for number in range(table)]
        return seat if is_seat and table > 2 and not self.result(state) and seat not in self.out(state) else None

    def load(self, text: str, options: Mapping[str, Any]) -> Any:
        """Reads a position string, which has to be what `show` writes."""
        try:
            state = self.read(text, options)
            canonical = self.show(state)
        except Exception as error:  # whatever the reader raises, the text is no position
            raise Refused("bad-position", f"not a position of `{self.id}`: {shown(error)}") from error
        if canonical != text:
            raise Refused("bad-position", f"not a position of `{self.id}`: it is written {shown(canonical)}")
        return state

    def ended(self, state: Any) -> dict[str, str]:
        """Returns how the game has ended, if it has; of two seats with places, the better one has won."""
        end = dict(zip(("result", "reason", "words"), self.result(state) or ()))
        if end and not isinstance(places := end["result"], str):
            p1, p2 = places[0], places[1]
            won = "draw" if p1 == p2 else "p1win" if p1 < p2 else "p2win"
            end["result"] = won if len(places) == 2 else ",".join(map(str, places))
        return end

    def answer(self, label: str, state: Any, follows: bool, table: int) -> dict[str, Any]:
        """Returns what is to be said about a state."""
        end, legal, seat = self.ended(state), self.plies(state), self.seat(state)
        if not legal and not end:
            raise RuntimeError(f"neither a legal ply nor a result: {self.show(state)}")
        line = {"game": label, "position": self.show(state), "seat": seat, "turn": seat, "fresh": True, "legal": legal}
        if follows:
            states = [self.play(state, ply) for ply in legal]
            ends = [(ply, self.ended(after)) for ply, after in zip(legal, states)]
            line["next"] = [self.show(after) for after in states]
            line["ends"] = {ply: end for ply, end in ends if end}
        if table > 2:
            out = self.out(state)
            line["out"] = {seat: place for seat, (place, _) in out.items()}
            line["exits"] = {seat: reason for seat, (_, reason) in out.items() if reason}
        line.update({key: getattr(self, key)(state) for key in KEYS if hasattr(self, key)})
        return {**line, "result": None, "reason": None, **end}


def to_json(value: Any) -> str:
    """Returns a value as one line."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def answer(games: Sequence[Game], request: str) -> str:
    """Answers one request, whatever it is, as JSON."""
    verb, *words = request.split() or [""]
    said: Any
    try:
        if verb == "about":
            said = {"format": 2, "name": games[0].id, "version": games[0].version, "deterministic": True}
        elif verb == "games":
            said = [game.describe() for game in games]
        elif verb not in ("position", "legal") or not words:
            raise Refused("bad-request", f"{shown(request.strip())} is no request")
        elif not (known := [game for game in games if game.id == words[0]]):
            raise Refused("unknown-game", f"no game is called {shown(words[0])}")
        else:
            said = known[0].position(words[1:], verb == "position")
        return to_json(said)
    except Refused as refusal:
        return to_json(dict(zip(("error", "message", "why"), refusal.args)))
    except Exception as error:  # a mistake in the rules
        traceback.print_exc()
        return to_json({"error": "internal", "message": f"{type(error).__name__}: {shown(error)}"})


def serve(*games: Game, lines: BinaryIO | None = None, output: BinaryIO | None = None) -> None:
    """Answers every line by one line of JSON, until `quit` or the end of the input."""
    lines, output = lines or sys.stdin.buffer, output or sys.stdout.buffer
    sys.stdout = sys.stderr  # a forgotten `print` is no answer
    try:
        while line := lines.readline(MOST_BYTES):
            text = line.decode("utf-8", "replace").strip()
            if len(line) == MOST_BYTES and line[-1:] != b"\n":
                while line and line[-1:] != b"\n":
                    line = lines.readline(MOST_BYTES)
                text = f"a line longer than {MOST_BYTES} bytes"
            if text == "quit":
                break
            if text and text[0] != "#":
                requests = text.split(";")
                for number, request in enumerate(requests):
                    mark = "," if number else "[" if len(requests) > 1 else ""
                    output.write((mark + answer(games, request)).encode("utf-8", "replace"))
                output.write(b"]\n" if len(requests) > 1 else b"\n")
                output.flush()
    except BrokenPipeError:  # nobody listens any more: say nothing about it at the end either
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
