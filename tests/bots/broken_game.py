#!/usr/bin/env python3
"""The game that `arena new game --lang python` writes, with one fault, which is named on the command line.

    broken_game.py [FAULT]

Beside it lie `start.py` and `arena_rules.py`, from `arena/games/start` and `arena/games/python`.
"""
import os
import sys

import arena_rules
import start

FAULT = sys.argv[1] if len(sys.argv) > 1 else ""


class Broken(start.TicTacToe):
    """The rules, but for the fault."""

    asked = 0

    def position(self, words, follows):
        Broken.asked += 1
        try:
            return super().position(words, follows)
        except arena_rules.Refused:
            if FAULT == "dies":
                print("cannot cope with this", file=sys.stderr, flush=True)
                os._exit(3)
            raise

    def load(self, text, options):
        if FAULT == "loose":
            return self.read(text, options)
        return super().load(text, options)

    def plies(self, state):
        plies = super().plies(state)
        return plies[::-1] if FAULT == "unsorted" else plies

    def answer(self, label, state, follows, table):
        line = super().answer(label, state, follows, table)
        if FAULT == "remembers":
            line["count"] = [Broken.asked, 0]
        if FAULT == "ends" and follows:
            line["ends"] = {}
        if FAULT == "talks":
            os.write(1, b"# thinking\n")
        return line

    def show(self, state):
        # Whose turn it is can be counted, but not by those who do not know the game.
        text = super().show(state)
        return text.replace("p2", "p1") if FAULT == "seat" else text


if __name__ == "__main__":
    arena_rules.serve(Broken())
