"""What the arena tells: the game that begins, and the position to decide in."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Mapping, Sequence


class Reject(Exception):
    """Raised by `Bot.new_game` when the bot cannot play the game: it is then no contest instead of a lost game.

    `code` is one word in lower case, such as `unsupported-size`.
    """

    def __init__(self, code: str, message: str = "") -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Game:
    """A game that begins, as its `game` line says."""

    id: str  # such as "fanorona"
    pairs: Mapping[str, str]  # all pairs of the line: options such as size=9x5, players, tc, opponent, id
    seat: str = "p1"  # where the bot sits
    seed: int | None = None  # the same seed: the same plies, please


@dataclass(frozen=True)
class Follower:
    """What one legal ply leads to, as its `after` line says."""

    board: str  # the position string
    result: str | None = None  # "p1win", "p2win" or "draw" if the ply ends the game
    reason: str | None = None  # as the rules of the game call it


@dataclass(frozen=True)
class Position:
    """The position in which the bot has to decide."""

    game: Game
    start: str | None = None  # the position string that the game started from; None: the game's own start
    moves: Sequence[str] = ()  # all plies since then, of both seats
    board: str | None = None  # the current position string, if "board" is among `Bot.wants`
    legal: Sequence[str] = ()  # the legal plies, if "legal" or "after" is among `Bot.wants`
    after: Mapping[str, Follower] = field(default_factory=dict)  # what each leads to, if "after" is

    @property
    def seat(self) -> str:
        """Where the bot sits: "p1" or "p2"."""
        return self.game.seat


def read_game(words: Sequence[str]) -> Game:
    """Reads what follows `game`."""
    pairs = dict(word.split("=", 1) for word in words[1:] if "=" in word)
    seed = pairs.get("seed", "")
    return Game(words[0] if words else "", pairs, pairs.get("you", "p1"), int(seed) if seed.isdecimal() else None)


def read_follower(text: str) -> tuple[str, Follower]:
    """Reads what follows `after`: a ply and what it leads to."""
    ply, _, rest = text.partition(" ")
    board, is_end, end = rest.partition(" gameover ")
    words = end.split()
    if is_end and len(words) > 1:
        return ply, Follower(board, words[0], words[1])
    return ply, Follower(board)
