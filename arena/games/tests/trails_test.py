#!/usr/bin/env python3
"""Holds Trails to a second implementation of its rules, which is slow and simple: `trails_test.py MODULE [GAMES]`.

Random games with two to eight seats, some with faults, and counts of lines. Here a seat is the list of the cells that it has been on.
"""
from __future__ import annotations

import csv
import json
import random
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any, Callable

HERE = Path(__file__).parent


class Trails:
    def __init__(self, players: int, size: int, vanish: bool) -> None:
        self.size, self.vanish, self.turn = size, vanish, 0
        self.places: dict[int, int] = {}
        self.reasons: dict[int, str] = {}
        low, high = 1, size - 2
        ring = [(low, y) for y in range(low, high)] + [(x, high) for x in range(low, high)]
        ring += [(high, y) for y in range(high, low, -1)] + [(x, low) for x in range(high, low, -1)]
        self.paths = [[ring[seat * len(ring) // players]] for seat in range(players)]

    def copy(self) -> Trails:
        other = Trails.__new__(Trails)
        other.size, other.vanish, other.turn = self.size, self.vanish, self.turn
        other.places, other.reasons, other.paths = dict(self.places), dict(self.reasons), [list(path) for path in self.paths]
        return other

    def inside(self) -> list[int]:
        return [seat for seat in range(len(self.paths)) if seat not in self.places]

    def free(self, seat: int) -> set[tuple[int, int]]:
        x, y = self.paths[seat][-1]
        near = {(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)} - {cell for path in self.paths for cell in path}
        return {(x, y) for x, y in near if 0 <= x < self.size and 0 <= y < self.size}

    def leave(self, seat: int, reason: str) -> None:
        self.places[seat] = len(self.inside())
        self.reasons[seat] = reason
        if self.vanish:
            self.paths[seat] = []

    def pass_on(self) -> None:
        while True:
            self.turn = (self.turn + 1) % len(self.paths)
            if self.turn in self.places:
                continue
            if len(self.inside()) == 1 or self.free(self.turn):
                return
            self.leave(self.turn, "stuck")

    def legal(self) -> list[str]:
        return [] if self.is_over() else sorted(f"{chr(97 + x)}{y + 1}" for x, y in self.free(self.turn))

    def play(self, ply: str) -> Trails:
        after = self.copy()
        after.paths[self.turn].append((ord(ply[0]) - 97, int(ply[1:]) - 1))
        after.pass_on()
        return after

    def fault(self, seat: int) -> Trails:
        after = self.copy()
        after.leave(seat, "fault")
        if seat == self.turn or after.is_over():
            after.pass_on()
        return after

    def is_over(self) -> bool:
        return len(self.inside()) == 1

    def show(self) -> str:
        board: dict[Any, Any] = {}
        for seat, path in enumerate(self.paths):
            board |= {cell: "abcdefgh"[seat] for cell in path}
            if seat not in self.places:
                board[path[-1]] = "ABCDEFGH"[seat]
        rows = []
        for y in reversed(range(self.size)):
            row = "".join(board.get((x, y), " ") for x in range(self.size))
            for run in range(self.size, 0, -1):
                row = row.replace(" " * run, str(run))
            rows.append(row)
        out = ",".join(f"p{seat + 1}:{self.places[seat]}" for seat in sorted(self.places))
        return f"{'/'.join(rows)} p{self.turn + 1} out={out or '-'}"

    def end(self) -> dict[str, str] | None:
        if not self.is_over():
            return None
        places = [self.places.get(seat, 1) for seat in range(len(self.paths))]
        last = next(seat for seat, place in self.places.items() if place == 2)
        result = ["p1win", "p2win"][places.index(1)] if len(places) == 2 else ",".join(map(str, places))
        return {"result": result, "reason": self.reasons[last]}

    def perft(self, depth: int) -> int:
        plies = self.legal()
        return len(plies) if depth == 1 else sum(self.play(ply).perft(depth - 1) for ply in plies)


class Module:
    """Questions to the module, which are asked all at once, and what is to be done with the answers."""

    def __init__(self) -> None:
        self.questions: list[tuple[str, Callable[[dict[str, Any]], None]]] = []

    def ask(self, question: str, check: Callable[[dict[str, Any]], None]) -> None:
        self.questions.append((question, check))

    def check(self, file: str) -> None:
        lines = "".join(question + "\n" for question, _ in self.questions)
        command = ["node", str(HERE / "module.mjs"), file]
        said = subprocess.run(command, text=True, input=lines, capture_output=True, check=True, timeout=120).stdout
        for (_, check), line in zip(self.questions, said.splitlines(), strict=True):
            check(json.loads(line))


def compare(state: Trails, label: str, told: dict[str, Any]) -> None:
    players, where = len(state.paths), (label, state.show())
    assert told["position"] == state.show(), (where, told)
    assert told["legal"] == state.legal(), (where, told)
    end: dict[str, Any] = state.end() or {"result": None, "reason": None}
    assert (told["result"], told["reason"]) == (end["result"], end["reason"]), (where, told)
    if not state.is_over():
        assert told["seat"] == f"p{state.turn + 1}", (where, told)
    if players > 2:
        out = {f"p{seat + 1}": place for seat, place in state.places.items()}
        assert told["out"] == out, (where, told)
    if "next" in told:
        after = {ply: state.play(ply) for ply in state.legal()}
        assert told["next"] == [after[ply].show() for ply in told["legal"]], (where, told)
        ends = {ply: next.end() for ply, next in after.items() if next.end()}
        assert {ply: {key: end[key] for key in ("result", "reason")} for ply, end in told["ends"].items()} == ends, (where, told)


def compare_exits(gone: dict[str, str] | None, told: dict[str, Any]) -> None:
    assert told.get("exits") == gone, (gone, told)


def play(module: Module, dice: random.Random, players: int, size: int, vanish: bool, has_faults: bool) -> int:
    label = f"trails players={players} size={size} out={'vanish' if vanish else 'stay'}"
    state, plies = Trails(players, size, vanish), 0
    module.ask(f"position {label} startpos", partial(compare, state, label))
    while not state.is_over():
        before = state
        if has_faults and players > 2 and dice.random() < 0.05:
            seat = dice.choice(state.inside())
            word, state = f"fault.p{seat + 1}", state.fault(seat)
        else:
            word = dice.choice(state.legal())
            state = state.play(word)
        gone = {f"p{seat + 1}": reason for seat, reason in state.reasons.items() if seat not in before.reasons}
        question = f"position {label} fen {before.show()} moves {word}"
        module.ask(question, partial(compare, state, label))
        module.ask(question.replace("position", "legal"), partial(compare_exits, gone if players > 2 else None))
        if not state.is_over():
            module.ask(f"position {label} fen {state.show()}", partial(compare, state, label))
        plies += 1
    return plies


def main(file: str, games: int) -> None:
    module, dice, plies = Module(), random.Random(1), 0
    for number in range(games):
        plies += play(module, dice, 2 + number % 7, dice.choice([5, 6, 7, 9, 12]), number % 2 == 1, number % 3 == 0)
    module.check(file)
    print(f"{games} games with {plies} plies are the same")
    counts = 0
    with open(HERE / "perft.csv", newline="", encoding="utf-8") as table:
        for row in csv.DictReader(table):
            if row["game"] == "trails" and int(row["count"]) < 50_000:
                given = dict(pair.split("=") for pair in row["options"].split())
                state = Trails(int(given.get("players", 2)), int(given.get("size", 9)), given.get("out") == "vanish")
                assert state.perft(int(row["depth"])) == int(row["count"]), row
                counts += 1
    assert counts >= 25, counts
    print(f"{counts} counts of lines are the same")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 120)
