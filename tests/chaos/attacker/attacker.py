#!/usr/bin/env python3
"""A bot that plays random legal plies and misbehaves in one way.

    attacker.py ATTACK FOLDER PORT

FOLDER is that of the tournament, where its results are under `out`; at PORT of this machine somebody listens, for TCP and
UDP. Each attack is a function in one of the files `lines`, `ends`, `crowds`, `others` and `names`, with the stage at which it
breaks out, in every game:

    start   before anything is read       hello   instead of the greeting    greeted  after `ugiok`
    ready   instead of `readyok`          go      at its second decision     over     at `gameover`
    quit    at `quit`                     every   at every decision

At `go`, a function that returns nothing has done everything itself. What it returns otherwise is told in the place of an
answer: `HONEST` is a random legal ply, `SUCCESS` is `bestmove resign`, by which an attack on somebody else says that it was not
prevented.
"""
from common import *  # noqa: F403

import crowds  # noqa: F401
import ends  # noqa: F401
import lines  # noqa: F401
import names  # noqa: F401
import others  # noqa: F401


def play(name):
    stage, vice = ATTACKS.get(name, (None, None))
    answers = 0

    def breaks_out(place):
        if stage == place:
            outcome = vice()
            return True if outcome is None else outcome
        return False

    if os.getuid() == 0 and os.path.exists("/proc/self/uid_map"):
        with open("/proc/self/uid_map") as file:
            if file.read().split() == ["0", "0", "4294967295"]:
                sys.exit("attacker: not as root")
    breaks_out("start")
    with open(0, "rb", buffering=0, closefd=False) as stream:
        lines = io_lines(stream)
        for line in lines:
            word, *rest = line.split() or [""]
            if word == "ugi":
                if not breaks_out("hello"):
                    ability = ["can stop"] if name == "answer_with_old_id" else []
                    say("id name Attacker", "protocol 1", "plays *", "want legal", *ability, "ugiok")
            elif word == "uginewgame":
                answers = 0
                BOT.is_new = True
            elif word == "isready":
                if not (BOT.is_new and breaks_out("ready")):
                    say("readyok")
                BOT.is_new = False
            elif word == "legal":
                BOT.legal = rest
            elif word == "go":
                answers += 1
                identifier = next((" " + pair for pair in rest if pair.startswith("id=")), "")
                outcome = breaks_out("every") or (breaks_out("go") if answers == AT else HONEST)
                if outcome is SUCCESS:
                    say("bestmove resign")
                elif outcome is HONEST or outcome is False:
                    BOT.last = ply()
                    say("bestmove " + BOT.last + identifier)
            elif word == "gameover":
                breaks_out("over")
            elif word == "quit":
                breaks_out("quit")
                break


def io_lines(stream):
    rest = b""
    while chunk := stream.read(65536):
        *lines, rest = (rest + chunk).split(b"\n")
        yield from (line.decode() for line in lines)


if sys.argv[1:] == ["--list"]:
    print(json.dumps(sorted(ATTACKS)))
else:
    BOT.folder, BOT.port = sys.argv[2], int(sys.argv[3])
    play(sys.argv[1])
