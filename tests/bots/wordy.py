#!/usr/bin/env python3
"""A bot that uses one part of the protocol and plays legal plies otherwise.

    wordy.py PART

The parts: `options`, `played`, `extra` (answers with more plies than a turn has), `wrong` (every second answer
is illegal), `stop` (answers its first question only when it is stopped), `ponder` (expects a ply of its own list),
`status` (ends with a status that is not 0), `info` (says words that a page might take for markup), `slow` (sleeps before
it answers, which leaves the processors to others), `plain`.
"""
import sys
import time

PART = sys.argv[1]
DECLARED = {
    "options": "option name Hash type spin default 16 min 1 max 1024\n"
    "option name Style type combo default calm var calm var wild\n"
    "option name Book type string\noption name Own type check default true\noption name Clear type button\n",
    "played": "want played\n",
    "stop": "can stop\n",
    "ponder": "can stop ponder\n",
    "slow": "can nodes\n",
}


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def wait_for(*words):
    for line in sys.stdin:
        if line.split()[0] in words:
            return
    sys.exit()


def main():
    legal = []
    questions = 0
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "ugi":
            say("id name Wordy\nprotocol 1\nwant legal\n" + DECLARED.get(PART, "") + "ugiok")
        elif word == "isready":
            say("readyok")
        elif word == "legal":
            legal = rest
        elif word == "go":
            questions += 1
            if PART == "info":
                say(f"info string </script><img src=x> ply {questions}")
            drops = [ply for ply in legal if len(ply) == 2]
            if rest[:1] == ["ponder"]:
                wait_for("ponderhit", "stop")
            if PART == "slow":
                time.sleep(0.1)
            if PART == "stop" and questions == 1:
                wait_for("stop")
            if PART == "wrong" and questions % 2 == 1:
                # Spelled well, but not legal.
                say("bestmove " + next(ply for ply in ("Wa1", "a1", "b1") if ply not in legal))
            elif PART == "extra":
                say(f"bestmove {legal[0]} {legal[-1]} {legal[-1]}")
            elif PART == "ponder" and len(drops) > 1:
                say(f"bestmove {drops[0]} ponder {drops[1]}")
            else:
                say("bestmove " + legal[0])
        elif word == "quit":
            sys.exit(7 if PART == "status" else 0)


main()
