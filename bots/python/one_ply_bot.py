#!/usr/bin/env python3
"""Looks one ply ahead in every game, without a rules engine.

It asks the arena what every legal ply leads to. With each question comes a line for each ply:

    after c2b2+ bbb/1w1/www p2 quiet=0
    after b3c3 3/1b1/3 p1 quiet=0 gameover p2win no-stones

A ply that wins at once is played. Otherwise the ply whose position looks best is: the one that leaves the
opponent the fewest pieces. Plies that look equally good are drawn by lot.
"""
import random
import sys

# What the pieces of p1 and of p2 are called. In the games that are not here nothing is counted.
LETTERS = {"fanorona": ("w", "b"), "2-frenzy": ("FS", "fs")}


def value(board, game, me):
    """Says how good a position is for me: the more of the opponent's pieces are gone, the better."""
    letters = LETTERS.get(game, ("", ""))
    foe = letters[1] if me == "p1" else letters[0]
    rows = board.split()[0]
    return -sum(rows.count(letter) for letter in foe)


def best(followers, game, me):
    """Chooses a ply from {ply: what follows it}."""
    values = {}
    for ply, text in followers.items():
        board, is_end, end = text.partition(" gameover ")
        if not is_end:
            values[ply] = value(board, game, me)
        elif end.startswith("draw"):
            values[ply] = -500
        else:
            values[ply] = 1000 if end.startswith(me + "win") else -1000
    highest = max(values.values())
    return random.choice([ply for ply in values if values[ply] == highest])


def main():
    game, me, followers = "", "p1", {}
    for line in sys.stdin:
        word, _, rest = line.strip().partition(" ")
        if word == "ugi":
            print("id name PyOnePly\nprotocol 1\nplays *\nwant after\nugiok")
        elif word == "game":  # game fanorona size=9x5 players=2 you=p1 seed=42
            game, *words = rest.split()
            pairs = dict(pair.split("=", 1) for pair in words)
            me = pairs["you"]
            random.seed(pairs.get("seed"))
        elif word == "isready":
            print("readyok")
        elif word == "position":  # what was said of the last position is void
            followers = {}
        elif word == "after":
            ply, _, text = rest.partition(" ")
            followers[ply] = text
        elif word == "go":  # resigns only in a position with too many plies to be told
            print("bestmove", best(followers, game, me) if followers else "resign")
        elif word == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
