#!/usr/bin/env python3
"""A bot that plays random legal plies until its vice breaks out.

    chaos.py VICE [again]

The vice breaks out at the second decision, and once in a run: the file `vice-was-here` in the working
directory tells later processes of the same bot to behave. With `again` it breaks out at the same ply of the
same game as well, where that is played again since the machine stood still. The vices are the functions below;
`honest` has none.
"""
import os
import random
import signal
import subprocess
import sys
import time

VICE = sys.argv[1]
COMES_AGAIN = sys.argv[2:] == ["again"]
AT = 2
MARK = "vice-was-here"


def say(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def crash(legal):
    os._exit(3)


def kill(legal):
    os.kill(os.getpid(), signal.SIGKILL)


def hang(legal):
    time.sleep(3600)


def illegal(legal):
    say("bestmove z99")


def impossible(legal):
    """A ply of Farook that is spelled well, but is not legal."""
    say("bestmove " + next(ply for ply in ("Wa1", "a1", "b1") if ply not in legal))


def garbage(legal):
    say("bestmove !?")


def nothing(legal):
    say("bestmove")


def resign(legal):
    say("bestmove resign")


def long_line(legal):
    say("x" * 200_000)


def torrent(legal):
    line = "x" * 60_000
    while True:
        say(line)


def chatty(legal):
    """Talks for ever without an answer: the deadline must not move."""
    while True:
        say("info string still thinking")
        time.sleep(0.01)


def late(legal):
    time.sleep(4.5)
    say("bestmove " + legal[0])


def last_words(legal):
    """Answers and is gone: the answer counts."""
    say("bestmove " + legal[0])
    os._exit(0)


def half_a_line(legal):
    sys.stdout.write("bestmove " + legal[0])
    sys.stdout.flush()
    os._exit(0)


def deaf(legal):
    """Closes its input and goes on answering what it was asked."""
    os.close(0)
    say("bestmove " + legal[0])
    time.sleep(3600)


def mute(legal):
    """Closes its output and lives on."""
    os.close(1)
    time.sleep(3600)


def twice(legal):
    """Answers twice at once: the second answer comes before any other question."""
    say(f"bestmove {legal[0]}\nbestmove {legal[0]}")


def child(legal):
    """Leaves a grandchild behind that holds the pipes."""
    subprocess.Popen(["sleep", "3600"])
    os._exit(3)


def stubborn(legal):
    """Ignores every polite signal."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    while True:
        time.sleep(3600)


def escapes(legal):
    print("\x1b[31mred\x1b[0m \x07 on stderr", file=sys.stderr, flush=True)
    os._exit(3)


def honest(legal):
    say("bestmove " + random.choice(legal))


def breaks_out(place):
    """Returns whether the vice breaks out at this place, and leaves the mark."""
    if os.path.exists(MARK):
        with open(MARK) as mark:
            return COMES_AGAIN and mark.read() == place
    with open(MARK, "w") as mark:
        mark.write(place)
    return True


def main():
    if VICE == "no-start":
        sys.exit("chaos: I do not start")
    answers = 0
    game = ""
    plies = 0
    legal = []
    is_set_up = False
    for line in sys.stdin:
        word, *rest = line.split() or [""]
        if word == "ugi":
            name = "\x1b[31m<b>Chaos</b>" if VICE == "hostile_name" else "Chaos"
            say(f"id name {name}\nprotocol 1\nplays *\nwant legal\nugiok")
        elif word == "game":
            random.seed(next((pair for pair in rest if pair.startswith("seed=")), None))
            game = next((pair for pair in rest if pair.startswith("id=")), "")
            is_set_up = True
        elif word == "isready":
            if VICE == "reject" and is_set_up:
                say("reject too-hard : I play something else")
            else:
                say("readyok")
            is_set_up = False
        elif word == "position":
            plies = len(rest)
        elif word == "legal":
            legal = rest
        elif word == "go":
            answers += 1
            if answers == AT and VICE in globals() and breaks_out(f"{game} {plies}"):
                globals()[VICE](legal)
            else:
                honest(legal)
        elif word == "quit":
            break


main()
