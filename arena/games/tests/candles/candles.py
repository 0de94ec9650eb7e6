"""Candles, for two to eight: a game that shows what the kit does at tables.

Every seat has two candles. A ply puts one out, of any seat that is in: `b1` is one of p2. Whose last candle is out, is out.
"""
from typing import Any

import arena_rules


class Candles(arena_rules.Game):
    id = "candles"
    title = "Candles"
    about = "whose light lasts"
    seats = (2, 8)
    options = (arena_rules.Option("players", "2", "seats at the table", min=2, max=8),)

    look = {
        "board": {"kind": "cells", "width": 8, "height": 1},
        "from": "cells",
        "pieces": {
            "i": {"shape": "stone", "colour": "yellow", "name": "candle"},
            "u": {"shape": "coin", "colour": "yellow", "name": "two candles"},
        },
        "enter": "to",
    }

    # A state is the candles by seat, the seats that are out with their places and reasons, and the number of the seat that decides.
    def start(self, options: Any) -> Any:
        return (2,) * options["players"], {}, 0

    def cells(self, state: Any) -> Any:
        return [[f"{'abcdefgh'[seat]}1", "iu"[lit - 1]] for seat, lit in enumerate(state[0]) if lit]

    def legal(self, state: Any) -> Any:
        return [f"{'abcdefgh'[seat]}1" for seat, lit in enumerate(state[0]) if lit]

    def without(self, state: Any, seat: Any, count: Any, reason: Any, is_turn: Any) -> Any:
        candles, out, decider = state
        left = sum(map(bool, candles))
        candles = (*candles[:seat], candles[seat] - count, *candles[seat + 1 :])
        if not candles[seat]:
            out = dict(sorted({**out, f"p{seat + 1}": (left, reason)}.items()))
        while is_turn or not candles[decider]:
            decider, is_turn = (decider + 1) % len(candles), False
        return candles, out, decider

    def play(self, state: Any, ply: Any) -> Any:
        return self.without(state, "abcdefgh".index(ply[0]), 1, "dark", True)

    def fault(self, state: Any, seat: Any) -> Any:
        number = int(seat[1]) - 1
        return self.without(state, number, state[0][number], "fault", number == state[2])

    def out(self, state: Any) -> Any:
        return state[1]

    def result(self, state: Any) -> Any:
        candles, out, _ = state
        if sum(map(bool, candles)) > 1:
            return None
        return [out.get(f"p{seat + 1}", (1, None))[0] for seat in range(len(candles))], "dark"

    def show(self, state: Any) -> Any:
        candles, out, decider = state
        places = (str(out.get(f"p{seat + 1}", (0, None))[0]) for seat in range(len(candles)))
        return f"{''.join(map(str, candles))} {''.join(places)} p{decider + 1}"

    def read(self, text: Any, options: Any) -> Any:
        candles, places, seat = text.split(" ")
        lit, places = tuple(map(int, candles)), list(map(int, places))
        decider, left, seats = int(seat[1:]) - 1, sum(map(bool, lit)), options["players"]
        sound = len(lit) == len(places) == seats and max(lit) <= 2 and decider >= 0 and lit[decider] > 0
        dark = sorted(place for place in places if place)
        if not sound or dark != list(range(left + 1, seats + 1)) or any(map(lambda n, p: bool(n) == bool(p), lit, places)):
            raise ValueError("no position")
        return lit, {f"p{i + 1}": (place, None) for i, place in enumerate(places) if place}, decider


if __name__ == "__main__":
    arena_rules.serve(Candles())
