#!/usr/bin/env python3
"""Plays a random legal ply of any game: it asks the arena for the list of legal plies."""
import random
import sys

for line in sys.stdin:
    word, *rest = line.split() or [""]
    if word == "ugi":
        print("id name PyRandom\nprotocol 1\nplays *\nwant legal\nugiok")
    elif word == "game":  # game fanorona size=9x5 … seed=42: the same seed, the same plies
        random.seed(next((pair for pair in rest if pair.startswith("seed=")), None))
    elif word == "isready":
        print("readyok")
    elif word == "legal":
        legal = rest
    elif word == "go":
        print("bestmove", random.choice(legal))
    elif word == "quit":
        break
    sys.stdout.flush()
