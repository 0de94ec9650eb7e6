#!/usr/bin/env python3
"""The rules of every game, asked of `arena rules`: legal plies, positions after them, results.

    from abp.rules import Rules

    with Rules("fanorona", {"size": "5x5"}) as rules:
        position = rules.start()
        while position.result is None:
            ply = random.choice(position.legal)
            position = rules.position(position.next[ply])
        print(position.result, position.reason)

Standard library only. Run as a program, it plays random games and tells its speed:

    rules.py [--arena PATH] [GAME [KEY=VALUE...]]
"""
from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any, Iterable, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

# A line of the server holds a mebibyte; a batch stays well below it.
_MOST_CHARACTERS = 1 << 19

Line = Tuple[Optional[str], Sequence[str]]
"""Where a game starts (None: at its start) and the plies played from there."""


class RulesError(ValueError):
    """The server refused a request. `code` is one of its error codes, such as `illegal-ply`."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class End(NamedTuple):
    """How a game ended."""

    result: str  # "p1win", "p2win" or "draw"
    reason: str  # as the rules of the game call it


@dataclass(frozen=True)
class Position:
    """A position and what follows from it."""

    text: str  # the position string
    seat: str  # "p1" or "p2": who decides
    turn: str  # whose turn it is: in Frenzy not always who decides
    is_fresh: bool  # whether no ply of that turn has been played
    legal: list[str]  # in byte order; empty when the game is over
    next: dict[str, str]  # from each legal ply to the position string after it
    ends: dict[str, End]  # from each ply that ends the game to how
    result: str | None  # None while the game goes on
    reason: str | None

    def wins(self) -> list[str]:
        """Lists the plies that win at once for the seat to decide."""
        return [ply for ply, end in self.ends.items() if end.result == self.seat + "win"]


class Rules:
    """The rules of one game with its options, kept by a process of the arena."""

    def __init__(
        self,
        game: str,
        options: Mapping[str, Any] | None = None,
        command: Sequence[str] = ("arena",),
    ) -> None:
        """Starts the server. `command` is how the arena is called.

        Raises RulesError when there is no such game or option.
        """
        pairs = "".join(f" {key}={value}" for key, value in (options or {}).items())
        self._head = game + pairs
        self._process = subprocess.Popen(
            [*command, "rules"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
            bufsize=1 << 16,
        )
        try:
            self.start()
        except BaseException:
            self.close()
            raise

    def start(self) -> Position:
        """Returns the start of the game."""
        return self.position()

    def position(self, text: str | None = None, moves: Sequence[str] = ()) -> Position:
        """Returns the position after `moves`, played from a position string or from the start.

        Only positions that `moves` went through count for repetition. Raises RulesError when the string is no
        position of the game or a ply is not legal.
        """
        answer = self.positions([(text, moves)])[0]
        if isinstance(answer, RulesError):
            raise answer
        return answer

    def positions(self, lines: Iterable[Line]) -> list[Union[Position, RulesError]]:
        """Returns many positions, or what is wrong with them, in order: faster than one by one."""
        answers: list[Union[Position, RulesError]] = []
        batch: list[str] = []
        length = 0
        for text, moves in lines:
            request = self._request(text, moves)
            if batch and length + len(request) > _MOST_CHARACTERS:
                answers.extend(self._ask(batch))
                batch, length = [], 0
            batch.append(request)
            length += len(request) + 1
        if batch:
            answers.extend(self._ask(batch))
        return answers

    def close(self) -> None:
        """Ends the server."""
        process = self._process
        if process.stdin:
            try:
                process.stdin.close()
            except OSError:
                pass
        if process.stdout:
            process.stdout.close()
        process.wait()

    def __enter__(self) -> Rules:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _request(self, text: str | None, moves: Sequence[str]) -> str:
        words = f"position {self._head} " + ("startpos" if text is None else f"fen {text}")
        if moves:
            words += " moves " + " ".join(moves)
        if any(c in words for c in ";\n\r"):
            raise RulesError("bad-request", "`;` and line ends stand in no position or ply")
        return words

    def _ask(self, requests: list[str]) -> list[Union[Position, RulesError]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin and stdout
        stdin.write(";".join(requests) + "\n")
        stdin.flush()
        line = stdout.readline()
        if not line:
            raise RuntimeError(f"`arena rules` ended with status {self._process.wait()}")
        answer = json.loads(line)
        return [_read(one) for one in (answer if isinstance(answer, list) else [answer])]


def _read(answer: dict[str, Any]) -> Union[Position, RulesError]:
    if "error" in answer:
        return RulesError(answer["error"], answer["message"])
    return Position(
        text=answer["position"],
        seat=answer["seat"],
        turn=answer["turn"],
        is_fresh=answer["fresh"],
        legal=answer["legal"],
        next=dict(zip(answer["legal"], answer["next"])),
        ends={ply: End(end["result"], end["reason"]) for ply, end in answer["ends"].items()},
        result=answer["result"],
        reason=answer["reason"],
    )


def _measure(rules: Rules, seconds: float, games: int) -> tuple[float, float]:
    """Plays `games` random games side by side; returns questions and positions (each with all that follow)
    per second."""
    asked = seen = 0
    current: list[Line] = [(None, ())] * games
    begin = time.perf_counter()
    while (elapsed := time.perf_counter() - begin) < seconds:
        following: list[Line] = []
        for position in rules.positions(current):
            if isinstance(position, RulesError):
                raise position
            asked += 1
            seen += 1 + len(position.legal)
            following.append((position.next[random.choice(position.legal)] if position.legal else None, ()))
        current = following
    return asked / elapsed, seen / elapsed


def main(words: list[str]) -> None:
    """Tells the speed, one question at a time and in batches."""
    command = ["arena"]
    if words[:1] == ["--arena"]:
        command, words = words[1:2], words[2:]
    game, *pairs = words or ["fanorona"]
    random.seed(1)
    with Rules(game, dict(pair.split("=", 1) for pair in pairs), command) as rules:
        for games in (1, 100):
            asked, seen = _measure(rules, 2, games)
            print(f"{game}: {games} a line: {asked:.0f} questions/s, {seen:.0f} positions/s")


if __name__ == "__main__":
    main(sys.argv[1:])
