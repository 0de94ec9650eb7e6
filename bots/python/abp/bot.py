"""The bot to derive from."""
from __future__ import annotations

import random
import sys
from typing import IO, ClassVar, Iterable, Mapping, Optional, Sequence

from abp.game import Game, Position
from abp.limits import Limits
from abp.options import Option, Value


class Bot:
    """A bot. Derive from it, write `choose`, and call `run`.

    The class variables say what the arena is told; change those that do not fit.
    """

    name: ClassVar[str] = "unnamed"
    author: ClassVar[Optional[str]] = None
    version: ClassVar[Optional[str]] = None
    plays: ClassVar[Sequence[str]] = ("*",)
    """The games it plays, such as "farook"; "*" is any game."""
    wants: ClassVar[Sequence[str]] = ("legal", "board")
    """What the arena is to send with every question: "legal", "board", "after"."""
    can: ClassVar[Sequence[str]] = ("stop", "depth", "nodes", "infinite")
    """What the arena may send. Leave out "depth" and "nodes" if `choose` does not keep to them."""
    offers: ClassVar[Mapping[str, Option]] = {}
    """The options, by name; names are one word."""

    def __init__(self) -> None:
        """Starts with the defaults of all options."""
        self.settings: dict[str, Value] = {name: option.default for name, option in self.offers.items()}
        """What the options are set to, by name."""
        self.random = random.Random()
        """Made anew for every game from its seed: use no other, and the same seed plays the same plies."""
        self._say = _nowhere

    def choose(self, position: Position, limits: Limits) -> str:
        """Returns the ply to play: one of `position.legal`, or "resign".

        Called on a thread of its own, once per question. Look at `limits.must_stop()` now and then. An exception
        ends the process, and with it the game.
        """
        raise NotImplementedError

    def new_game(self, game: Game) -> None:
        """Prepares for a game and forgets the last one; no clock runs. Raise `Reject` if it cannot be played."""

    def setting_changed(self, name: str) -> None:
        """Called when an option has been set; `settings` has the value."""

    def press(self, name: str) -> None:
        """Called when a button has been pressed."""

    def info(
        self,
        *,
        depth: int | None = None,
        score: float | None = None,
        mate: int | None = None,
        nodes: int | None = None,
        seconds: float | None = None,
        pv: Sequence[str] = (),
        **pairs: object,
    ) -> None:
        """Tells how a search goes, while `choose` runs.

        `score` is from the bot's own point of view, in the unit of its evaluation (a stone, say); `mate` the own turns
        until a win, negative until a loss. Nodes per second follow from `nodes` and `seconds`. Further pairs are sent
        as they are: `winrate=0.61`.
        """
        words = [] if depth is None else [f"depth {depth}"]
        if mate is not None:
            words.append(f"score mate {mate}")
        elif score is not None:
            words.append(f"score cp {round(100 * score)}")
        if nodes is not None:
            words.append(f"nodes {nodes}")
        if seconds is not None:
            words.append(f"time {int(1000 * seconds)}")
            if nodes is not None and seconds > 0:
                words.append(f"nps {int(nodes / seconds)}")
        words += [f"{key}={value}" for key, value in pairs.items()]
        if pv:
            words.append("pv " + " ".join(pv))
        if words:
            self._say("info " + " ".join(words))

    def log(self, text: str) -> None:
        """Tells a line that means nothing to the arena."""
        self._say("# " + " ".join(text.splitlines()))

    def run(self, lines: Iterable[str] | None = None, output: IO[str] | None = None) -> None:
        """Plays until `quit` or the end of the lines: those of standard input, answers to standard output."""
        from abp.serve import Session

        Session(self, output or sys.stdout).serve(lines or sys.stdin)


def _nowhere(line: str) -> None:
    """Stands for the output until the bot runs."""
