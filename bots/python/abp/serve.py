"""The main loop: lines of the arena in, answers out."""
from __future__ import annotations

import os
import random
import sys
import threading
import traceback
from typing import IO, Iterable

from abp.bot import Bot
from abp.game import Follower, Game, Position, Reject, read_follower, read_game
from abp.limits import Limits, read_limits
from abp.options import Button


class Session:
    """A bot at work. Lines are read on the thread that calls `serve`; the bot decides on another."""

    def __init__(self, bot: Bot, output: IO[str]) -> None:
        """Takes the bot and where its lines go."""
        self._bot = bot
        self._output = output
        self._lock = threading.Lock()
        self._game = Game("", {})
        self._refusal: Reject | None = None
        self._start: str | None = None
        self._moves: list[str] = []
        self._board: str | None = None
        self._legal: list[str] = []
        self._after: dict[str, Follower] = {}
        self._thinking: threading.Thread | None = None
        self._limits = Limits()
        bot._say = self._say

    def serve(self, lines: Iterable[str]) -> None:
        """Answers until `quit` or the end of the lines. Lines that are not known are skipped."""
        for line in lines:
            words = line.split()
            if words[:1] == ["quit"]:
                break
            if words:
                self._receive(words)
        self._limits.stopped.set()
        self._wait()

    def _receive(self, words: list[str]) -> None:
        word, rest = words[0], words[1:]
        if word == "stop":
            self._limits.stopped.set()
        elif word == "isready":
            self._ready()
        elif word == "ugi":
            self._introduce()
        else:
            # The arena sends none of these while the bot thinks; another sender has to wait.
            self._wait()
            self._set_up(word, rest)

    def _set_up(self, word: str, rest: list[str]) -> None:
        if word == "setoption":
            self._set_option(rest)
        elif word == "game":
            self._game = read_game(rest)
        elif word == "uginewgame":
            self._begin()
        elif word == "position":
            self._place(rest)
        elif word == "board":
            self._board = " ".join(rest)
        elif word == "legal":
            self._legal = rest
        elif word == "after":
            ply, follower = read_follower(" ".join(rest))
            self._after[ply] = follower
        elif word == "go":
            self._go(rest)

    def _introduce(self) -> None:
        bot = self._bot
        lines = [f"id name {bot.name}"]
        lines += [f"id {key} {text}" for key, text in (("author", bot.author), ("version", bot.version)) if text]
        lines += ["id lang Python", "protocol 1"]
        for key, values in (("plays", bot.plays), ("want", bot.wants), ("can", bot.can)):
            if values:
                lines.append(f"{key} {' '.join(values)}")
        lines += [f"option name {name} type {option.declaration()}" for name, option in bot.offers.items()]
        for line in [*lines, "ugiok"]:
            self._say(line)

    def _ready(self) -> None:
        if self._refusal is None:
            self._say("readyok")
        else:
            text = " ".join(str(self._refusal).split())
            self._say(f"reject {self._refusal.code}" + (f" : {text}" if text else ""))

    def _set_option(self, words: list[str]) -> None:
        # setoption name Hash value 64
        if words[:1] != ["name"] or len(words) < 2:
            return
        name, text = words[1], " ".join(words[3:])
        option = self._bot.offers.get(name)
        if option is None:
            self._say(f"error unknown-option name={name}")
        elif isinstance(option, Button):
            self._bot.press(name)
        else:
            try:
                self._bot.settings[name] = option.read(text)
            except ValueError as error:
                self._say(f"error bad-value name={name} : {error}")
            else:
                self._bot.setting_changed(name)

    def _begin(self) -> None:
        bot = self._bot
        bot.random = random.Random(self._game.seed)
        self._refusal = None
        try:
            if "*" not in bot.plays and self._game.id not in [spec.partition(":")[0] for spec in bot.plays]:
                raise Reject("unknown-game", f"this bot plays {' '.join(bot.plays)}")
            bot.new_game(self._game)
        except Reject as refusal:
            self._refusal = refusal

    def _place(self, words: list[str]) -> None:
        # position startpos moves c2b2+ … | position fen bbb/1w1/www p2 quiet=0 moves …
        split = words.index("moves") if "moves" in words else len(words)
        self._start = " ".join(words[1:split]) if words[:1] == ["fen"] else None
        self._moves = words[split + 1 :]
        # What was told of the last position is void.
        self._board, self._legal, self._after = None, [], {}

    def _go(self, words: list[str]) -> None:
        self._limits = read_limits(words, self._game.seat)
        legal = self._legal or list(self._after)
        position = Position(self._game, self._start, self._moves, self._board, legal, self._after)
        numbers = "".join(" " + word for word in words if word.startswith("id="))
        arguments = (position, self._limits, numbers)
        self._thinking = threading.Thread(target=self._decide, args=arguments)
        self._thinking.start()
        if not set(self._bot.can) & {"stop", "ponder"}:
            self._wait()

    def _decide(self, position: Position, limits: Limits, number: str) -> None:
        try:
            ply = self._bot.choose(position, limits)
            if limits.is_infinite:  # then the answer is not due before `stop`
                limits.stopped.wait()
            self._say(f"bestmove {ply}{number}")
        except BaseException:
            # Without an answer nobody would wait for the main thread, which reads: the process has to end.
            traceback.print_exc()
            sys.stderr.flush()
            os._exit(1)

    def _wait(self) -> None:
        if self._thinking is not None:
            self._thinking.join()
            self._thinking = None

    def _say(self, line: str) -> None:
        with self._lock:
            self._output.write(line + "\n")
            self._output.flush()
