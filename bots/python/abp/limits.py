"""How long a bot may think: what `go` says, and what to make of it."""
from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Mapping, Sequence

# What the way between bot and arena may cost, in seconds; it is kept back.
_OVERHEAD = 0.02

# How long to think when nothing limits a decision, in seconds.
_UNLIMITED = 1.0


@dataclass(frozen=True)
class Clock:
    """A seat's clock, in seconds."""

    remaining: float
    increment: float = 0.0


@dataclass(frozen=True)
class Limits:
    """What limits one decision. Times are in seconds, instants those of `time.monotonic`."""

    seat: str = "p1"  # the bot's
    clocks: Mapping[str, Clock] = field(default_factory=dict)  # by seat; empty without clocks
    moves_to_go: int | None = None  # turns until the next period of the clock
    move_time: float | None = None  # for this turn alone
    depth: int | None = None
    nodes: int | None = None
    is_infinite: bool = False  # until `stop`
    budget: float | None = None  # the arena's advice: within this no game is lost on time
    since: float = field(default_factory=time.monotonic)  # when the question came
    stopped: threading.Event = field(default_factory=threading.Event, compare=False)  # set by `stop` and `quit`

    @property
    def clock(self) -> Clock | None:
        """The bot's own clock."""
        return self.clocks.get(self.seat)

    def elapsed(self) -> float:
        """Returns the seconds since the question came."""
        return time.monotonic() - self.since

    def target(self) -> float | None:
        """Returns after how many seconds no new iteration should begin: about half of what may be spent.

        None when time does not limit the decision.
        """
        hard = self.maximum()
        return None if hard is None else hard / 2

    def maximum(self) -> float | None:
        """Returns after how many seconds the answer should be given; None when time does not limit the decision.

        Of a clock it is a twentieth of what remains (fewer turns to go: that share) and nine tenths of the
        increment, half as much again for a search that is under way, and never more than four fifths of what remains.
        """
        times = []
        if self.clock is not None:
            usable = max(self.clock.remaining - _OVERHEAD, 0.0)
            turns = min(max(self.moves_to_go or 20, 1), 20)
            times.append(min(1.5 * (usable / turns + 0.9 * self.clock.increment), 0.8 * usable))
        if self.move_time is not None:
            times.append(max(self.move_time - _OVERHEAD, self.move_time / 2))
        if not times and self.depth is None and self.nodes is None and not self.is_infinite:
            times.append(_UNLIMITED)
        return min(times) if times else None

    def must_stop(self, nodes: int = 0) -> bool:
        """Returns whether to answer now: told to, out of time, or out of nodes. Cheap enough for every node."""
        if self.stopped.is_set() or (self.nodes is not None and nodes >= self.nodes):
            return True
        maximum = self.maximum()
        return maximum is not None and self.elapsed() >= maximum

    def may_deepen(self, depth: int, nodes: int = 0) -> bool:
        """Returns whether a search may begin an iteration of this depth. The first is always allowed."""
        if depth <= 1:
            return True
        if (self.depth is not None and depth > self.depth) or self.must_stop(nodes):
            return False
        target = self.target()
        return target is None or self.elapsed() < target


def read_limits(words: Sequence[str], seat: str) -> Limits:
    """Reads what follows `go`. What is not known is skipped, as the protocol wants."""
    numbers: dict[str, int] = {}
    for word, following in zip(words, [*words[1:], ""]):
        key, is_pair, value = word.partition("=")
        value = value if is_pair else following
        if value.isdecimal():
            numbers[key] = int(value)
    clocks = {}
    for key, milliseconds in numbers.items():
        if key.endswith("time") and key.startswith("p") and key[1:-4].isdecimal():
            owner = key[:-4]
            clocks[owner] = Clock(milliseconds / 1000, numbers.get(owner + "inc", 0) / 1000)
    seconds = {key: milliseconds / 1000 for key, milliseconds in numbers.items()}
    return Limits(
        seat=seat,
        clocks=clocks,
        moves_to_go=numbers.get("movestogo"),
        move_time=seconds.get("movetime"),
        depth=numbers.get("depth"),
        nodes=numbers.get("nodes"),
        is_infinite="infinite" in words,
        budget=seconds.get("budget"),
    )
