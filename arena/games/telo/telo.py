#!/usr/bin/env python3
"""Telo: three men each on the nine points of the smallest Fanorona board; three in a row win. A game of one's own."""
from __future__ import annotations

import re
import sys
from itertools import groupby
from pathlib import Path
from typing import Any, Mapping, NamedTuple

# The kit lies beside this file, or in the folder of the kits.
sys.path.append(str(Path(__file__).resolve().parent.parent / "python"))

try:
    import arena_rules
except ModuleNotFoundError:
    sys.exit("telo.py needs the kit `arena_rules.py`: copy it beside telo.py, from arena/games/python")

RULES = """\
The board has nine points, `a1` to `c3`. Lines join orthogonal neighbours, and the centre to the four corners.

* White is `p1` and starts. Each seat has three men, off the board at the start.
* **Drop**: while a seat has men in hand, it drops one on an empty point. With `centre=off` (default), the first man of \
the game may not be dropped on the centre.
* **Slide**: afterwards it moves one of its men along a line to an adjacent empty point. There always is one.
* **Three in a row**: a seat whose three men stand in a row, a column or a diagonal wins.
* The third occurrence of a position, with the same seat to move, is a draw.

With best play the game is a draw. With `centre=on`, the centre as the first point wins by force.
"""
POINTS = [file + rank for rank in "123" for file in "abc"]
ROWS = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]
CENTRE = 4
# Orthogonal neighbours, and the centre with all: its corners lie on the diagonals.
ADJACENT = [[1, 3, 4], [0, 2, 4], [1, 4, 5], [0, 4, 6], [0, 1, 2, 3, 5, 6, 7, 8], [2, 4, 8], [3, 4, 7], [4, 6, 8], [4, 5, 7]]
SEATS = {"w": "p1", "b": "p2"}
MEN = 3


class State(NamedTuple):
    """A position: nine points from `a1` to `c3`, each `w`, `b` or `.`; the men to move; the option `centre`."""

    points: str
    mover: str
    centre: str


def row_of(points: str, men: str) -> list[int] | None:
    """Returns three points in a row that these men hold."""
    return next((row for row in ROWS if all(points[point] == men for point in row)), None)


class Telo(arena_rules.Game):
    """The rules of Telo."""

    id = "telo"
    title = "Telo"
    about = "three men each, dropped and then moved along the lines of nine points, until three are in a row"
    notation = "`b2` drops a man on b2; `b2c3` moves one from b2 to c3"
    rules = RULES
    options = (arena_rules.Option("centre", "off", "whether the first man may be dropped on the centre", ("off", "on")),)
    repetition = 3
    look = {
        "board": {"kind": "points", "width": 3, "height": 3, "lines": "alternate"},
        "from": "rows",
        "pieces": {
            "w": {"shape": "stone", "colour": "white", "name": "white man", "seat": "p1"},
            "b": {"shape": "stone", "colour": "black", "name": "black man", "seat": "p2"},
        },
        "hand": MEN,
        "enter": "from-to",
        "coordinates": True,
    }

    def start(self, options: Mapping[str, Any]) -> State:
        return State("." * 9, "w", options["centre"])

    def legal(self, state: State) -> list[str]:
        empty = [point for point in range(9) if state.points[point] == "."]
        if state.points.count(state.mover) < MEN:
            is_barred = state.centre == "off" and len(empty) == 9
            return [POINTS[point] for point in empty if not (is_barred and point == CENTRE)]
        own = [point for point in range(9) if state.points[point] == state.mover]
        return [POINTS[point] + POINTS[to] for point in own for to in ADJACENT[point] if to in empty]

    def play(self, state: State, ply: str) -> State:
        points = list(state.points)
        if len(ply) == 4:
            points[POINTS.index(ply[:2])] = "."
        points[POINTS.index(ply[-2:])] = state.mover
        return State("".join(points), "b" if state.mover == "w" else "w", state.centre)

    def result(self, state: State) -> tuple[str, str] | None:
        winner = next((men for men in "wb" if row_of(state.points, men)), None)
        return (SEATS[winner] + "win", "three-in-a-row") if winner else None

    def show(self, state: State) -> str:
        rows = [state.points[rank : rank + 3] for rank in (6, 3, 0)]
        runs = [[str(len(list(run))) if men == "." else "".join(run) for men, run in groupby(row)] for row in rows]
        return "/".join("".join(row) for row in runs) + " " + SEATS[state.mover]

    def read(self, text: str, options: Mapping[str, Any]) -> State:
        rows, seat = text.split(" ")
        ranks = re.sub("[123]", lambda run: "." * int(run[0]), rows).split("/")
        if [len(rank) for rank in ranks] != [3, 3, 3] or not set(rows) <= set("123/wb"):
            raise ValueError("the rows are not three of three points")
        state = State("".join(reversed(ranks)), {"p1": "w", "p2": "b"}[seat], options["centre"])
        white, black = state.points.count("w"), state.points.count("b")
        if max(white, black) > MEN or (white + black < 2 * MEN and white - black != (state.mover == "b")):
            raise ValueError("the men do not fit the seat")
        if row_of(state.points, state.mover):
            raise ValueError("the seat to move has three in a row already")
        if state.centre == "off" and white == 1 and state.points[CENTRE] == "w":
            raise ValueError("the first man stands on the centre")
        return state

    def count(self, state: State) -> list[int]:
        """Returns the men on the board: there is no other material."""
        return [state.points.count("w"), state.points.count("b")]

    def hand(self, state: State) -> list[list[Any]]:
        """Returns the men not yet dropped."""
        return [[SEATS[men], men, MEN - state.points.count(men)] for men in "wb"]

    def proofs(self, state: State) -> list[dict[str, Any]]:
        """Returns the row that has won."""
        rows = [(men, row_of(state.points, men)) for men in "wb"]
        return [
            {"cells": [POINTS[point] for point in row], "seat": SEATS[men], "shape": "row", "words": "three in a row"}
            for men, row in rows
            if row
        ]


if __name__ == "__main__":
    arena_rules.serve(Telo())
