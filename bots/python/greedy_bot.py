#!/usr/bin/env python3
"""Plays the ply that looks best at once, without a rules engine.

It asks the arena for the board and for the list of legal plies, and gives every ply a score: what it
captures, or how well the stone stands where it lands. Plies that look equally good are drawn by lot.
"""
import random
import re
import sys

CELL = re.compile(r"([a-z])(\d+)")
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]


def read_board(text):
    """Turns the rows of a position string into {(file, rank): letter}."""
    board, rows = {}, text.split()[0].split("/")
    for rank, row in zip(range(len(rows), 0, -1), rows):
        file = 1
        for run, letter in re.findall(r"(\d+)|([a-zA-Z])", row):
            if letter:
                board[file, rank] = letter
            file += int(run or 1)
    return board


def cells(ply):
    """Lists the cells that a ply names."""
    return [(ord(file) - ord("a") + 1, int(rank)) for file, rank in CELL.findall(ply)]


def near(board, cell, letters):
    """Counts the stones of these letters next to a cell."""
    return sum(board.get((cell[0] + x, cell[1] + y), " ") in letters for x, y in AROUND)


def fanorona(board, me, ply):
    """Counts the stones that a chain of captures removes."""
    board, foe = dict(board), "b" if me == "p1" else "w"
    points, taken = cells(ply), 0
    for here, there, sign in zip(points, points[1:], re.findall(r"[+-]", ply)):
        step = there[0] - here[0], there[1] - here[1]
        x, y = (there if sign == "+" else here)
        way = 1 if sign == "+" else -1
        while board.get((x := x + way * step[0], y := y + way * step[1])) == foe:
            del board[x, y]
            taken += 1
    return taken


def faust(board, me, ply):
    """Counts the discs that turn over; a new disc counts one."""
    if ply.startswith("B"):
        return 4
    (left, low), (right, high) = (cells(ply) * 2)[:2] if ply != "swap" else [(1, 1)] * 2
    return (right - left + 1) * (high - low + 1)


def frenzy(board, me, ply):
    """Sharks look for company, fish keep away from them."""
    here, there = (cells(ply) * 2)[:2]
    if me == "p1":
        return near(board, there, "f")
    return near(board, here, "s") - near(board, there, "s") + near(board, there, "f") / 10


def two_frenzy(board, me, ply):
    """Takes sharks first, then fish; sharks stay where there is something to eat."""
    own, foe = ("FS", "fs") if me == "p1" else ("fs", "FS")
    here, there = (cells(ply) * 2)[:2] if ply != "pass" else [(0, 0)] * 2
    prey = board.get(there, " ")
    value = 9 if prey == foe[1] else 3 if prey == foe[0] else 0
    return value - near(board, there, foe[1]) + near(board, there, foe[0] if board.get(here) == own[1] else own[0]) / 8


def lines(board, me, ply):
    """Stays next to friends (Farook, Sophia)."""
    friends = {"p1": "wxAB", "p2": "bxab"}[me]
    return near(board, cells(ply)[-1], friends) if ply not in ("pass", "swap") else 0


SCORES = {"fanorona": fanorona, "faust": faust, "frenzy": frenzy, "2-frenzy": two_frenzy}


def main():
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "ugi":
            print("id name PyGreedy\nprotocol 1\nplays *\nwant legal board\nugiok")
        elif word == "game":
            score = SCORES.get(rest[0], lines)
            pairs = dict(pair.split("=", 1) for pair in rest[1:])
            me = pairs["you"]
            random.seed(pairs.get("seed"))
        elif word == "isready":
            print("readyok")
        elif word == "board":
            board = read_board(line[len("board "):])
        elif word == "legal":
            legal = rest
        elif word == "go":
            scores = [score(board, me, ply) for ply in legal]
            best = max(scores)
            print("bestmove", random.choice([ply for ply, value in zip(legal, scores) if value == best]))
        elif word == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
