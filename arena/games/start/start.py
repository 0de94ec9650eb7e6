#!/usr/bin/env python3
"""Tic-tac-toe on square boards: a game to start from. Change the rules below; `arena_rules.py` answers the arena's questions."""
from __future__ import annotations

import re
from itertools import groupby
from typing import Any, Mapping, NamedTuple

import arena_rules

RULES = """\
The board is a square of `size` files and ranks, and is empty at the start. p1 has the crosses, p2 the rings. p1 plays first.

A ply puts an own piece on an empty cell. A seat whose pieces fill a rank, a file or a long diagonal wins (`line`). A full board
without such a line is a draw (`full`).
"""


class State(NamedTuple):
    """A position: the cells from a1, along the ranks, each `x`, `o` or `.`; and who is to play."""

    size: int
    cells: str
    seat: str


class TicTacToe(arena_rules.Game):
    """The rules."""

    id = "tic-tac-toe"
    title = "Tic-tac-toe"
    about = "a line of own pieces from edge to edge"
    notation = "the cell of the new piece: `b2`"
    rules = RULES
    options = (arena_rules.Option("size", "3", "files and ranks", min=3, max=9),)
    look = {
        "board": {"kind": "cells", "width": "size", "height": "size"},
        "from": "rows",
        "pieces": {
            "x": {"shape": "cross", "colour": "blue", "name": "cross", "seat": "p1"},
            "o": {"shape": "ring", "colour": "red", "name": "ring", "seat": "p2"},
        },
        "enter": "to",
        "coordinates": True,
    }

    def start(self, options: Mapping[str, Any]) -> State:
        return State(options["size"], "." * options["size"] ** 2, "p1")

    def legal(self, state: State) -> list[str]:
        return [name(state, cell) for cell, piece in enumerate(state.cells) if piece == "."]

    def play(self, state: State, ply: str) -> State:
        cell = (int(ply[1:]) - 1) * state.size + ord(ply[0]) - ord("a")
        piece, other = ("x", "p2") if state.seat == "p1" else ("o", "p1")
        return State(state.size, state.cells[:cell] + piece + state.cells[cell + 1 :], other)

    def result(self, state: State) -> tuple[str, str] | None:
        for piece, seat in (("x", "p1"), ("o", "p2")):
            if line_of(state, piece):
                return seat + "win", "line"
        return None if "." in state.cells else ("draw", "full")

    def show(self, state: State) -> str:
        size = state.size
        ranks = [state.cells[rank * size : (rank + 1) * size] for rank in reversed(range(size))]
        runs = [[str(len(list(run))) if piece == "." else "".join(run) for piece, run in groupby(rank)] for rank in ranks]
        return "/".join("".join(rank) for rank in runs) + " " + state.seat

    def read(self, text: str, options: Mapping[str, Any]) -> State:
        # What `show` would write otherwise is refused without our doing.
        rows, seat = text.split(" ")
        size = options["size"]
        ranks = re.sub("[1-9]", lambda run: "." * int(run[0]), rows).split("/")
        if len(ranks) != size or not all(re.fullmatch(f"[xo.]{{{size}}}", rank) for rank in ranks):
            raise ValueError(f"the rows are not {size} of {size} cells")
        state = State(size, "".join(reversed(ranks)), seat)
        more = state.cells.count("x") - state.cells.count("o")
        if (more, seat) not in ((0, "p1"), (1, "p2")):
            raise ValueError("the pieces do not fit the seat")
        return state

    def proofs(self, state: State) -> list[dict[str, Any]]:
        """Returns the lines that have won: the pages frame them."""
        lines = [(seat, line_of(state, piece)) for piece, seat in (("x", "p1"), ("o", "p2"))]
        return [{"cells": [name(state, cell) for cell in line], "seat": seat, "shape": "row"} for seat, line in lines if line]


def name(state: State, cell: int) -> str:
    """Returns the name of a cell."""
    return "abcdefghi"[cell % state.size] + str(cell // state.size + 1)


def line_of(state: State, piece: str) -> list[int] | None:
    """Returns the cells of a line that is full of a piece."""
    size = state.size
    files = [list(range(file, size * size, size)) for file in range(size)]
    ranks = [list(range(rank * size, (rank + 1) * size)) for rank in range(size)]
    diagonals = [list(range(0, size * size, size + 1)), list(range(size - 1, size * size - 1, size - 1))]
    return next((line for line in files + ranks + diagonals if all(state.cells[cell] == piece for cell in line)), None)


if __name__ == "__main__":
    arena_rules.serve(TicTacToe())
