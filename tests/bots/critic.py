#!/usr/bin/env python3
"""A bot that plays the first legal ply and says a line about its search before each answer.

    critic.py LINE...

The lines are said in turn, again from the first after the last. `{ply}` stands for the ply that it is about to play.
"""
import sys

LINES = sys.argv[1:]


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main():
    legal = []
    questions = 0
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "ugi":
            say("id name Critic\nprotocol 1\ncan nodes\nwant legal\nugiok")
        elif word == "isready":
            say("readyok")
        elif word == "legal":
            legal = rest
        elif word == "go":
            if LINES:
                say(LINES[questions % len(LINES)].replace("{ply}", legal[0]))
            questions += 1
            say("bestmove " + legal[0])
        elif word == "quit":
            break


main()
