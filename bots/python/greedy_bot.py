#!/usr/bin/env python3
"""Takes what it can and keeps company, in any game: it asks the arena for the board and the legal plies.

A ply is worth ten for each capture that can be read from it (`+`, `-`, `x`, or a piece where it ends), one for each
piece of its own kind next to where it ends, and minus one for each other piece there. Ties are drawn by lot.
"""
import random
import re
import sys


def read_board(rows):
    """Turns `bbb/1w1/www` into {(file, rank): letter}; the top rank comes first."""
    board = {}
    for rank, row in enumerate(reversed(rows.split("/")), 1):
        file = 1
        for empty, letter in re.findall(r"(\d+)|([A-Za-z])", row):
            if letter:
                board[file, rank] = letter
            file += int(empty or 1)
    return board


def score(board, ply):
    cells = [(ord(file) - ord("a") + 1, int(rank)) for file, rank in re.findall(r"([a-z])(\d+)", ply)]
    if not cells:  # pass, swap
        return 0
    file, rank = cells[-1]
    captures = len(re.findall(r"[-+x]", ply)) + ((file, rank) in board)
    around = [board.get((file + x, rank + y)) for x in (-1, 0, 1) for y in (-1, 0, 1) if x or y]
    kind = board.get(cells[0])  # None: the ply places a new piece, and every piece is company
    return 10 * captures + sum(1 if kind in (None, letter) else -1 for letter in around if letter)


for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        print("id name PyGreedy\nprotocol 1\nplays *\nwant legal board\nugiok")
    elif word == "game":  # game fanorona size=9x5 … seed=42: the same seed, the same plies
        random.seed(next((pair for pair in rest if pair.startswith("seed=")), None))
    elif word == "isready":
        print("readyok")
    elif word == "board":
        board = read_board(rest[0])
    elif word == "legal":
        legal = rest
    elif word == "go":
        print("bestmove", max(legal, key=lambda ply: (score(board, ply), random.random())))
    elif word == "quit":
        break
    sys.stdout.flush()
