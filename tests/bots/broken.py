#!/usr/bin/env python3
"""A bot that keeps to the whole protocol but for one fault, which is named on the command line.

    broken.py [FAULT]
    broken.py --list

It plays random legal plies, from the `legal` line. What it is asked by `query` it asks `arena rules`; the variable
ARENA names the executable.
"""
import json
import os
import random
import subprocess
import sys
import threading
import time

# Each fault: the test that finds it, what the bot does, and the games it plays if not Farook alone.
FAULTS = {
    "no-start": ("T01", "ends at the start with a message on standard error"),
    "mute": ("T01", "never writes `ugiok`"),
    "uciok": ("T01", "writes `uciok` instead of `ugiok`"),
    "no-newline": ("T01", "writes `ugiok` without a line feed"),
    "no-flush": ("T01", "flushes nothing"),
    "early-id": ("T02", "introduces itself before it is asked"),
    "protocol": ("T03", "writes `protocol one`"),
    "no-protocol": ("T03", "writes no `protocol` line, but `want legal`"),
    "unknown-game": ("T04", "plays `chess`"),
    "crlf": ("T05", "does not know a line that ends in CRLF"),
    "blanks": ("T06", "does not know a line with blanks around it"),
    "unknown-line": ("T07", "ends at a line it does not know"),
    "no-flush-moves": ("T37", "flushes everything but `bestmove`"),
    "wrong-word": ("T18", "answers `move` instead of `bestmove`"),
    "resign": ("T18", "always resigns"),
    "blank-line": ("T08", "crashes at an empty line"),
    "impatient": ("T09", "answers no third `isready` in a row"),
    "option-max": ("T10", "crashes when `Hash` takes its greatest value"),
    "option-syntax": ("T10", "declares a `spin` with a word for a default"),
    "refuse": ("T11", "rejects a game that it says it plays", "farook faust"),
    "one-game": ("T11", "ends at the second `uginewgame`"),
    "crash-unknown": ("T12", "crashes at a game that it does not know"),
    "omnivore": ("T12", "says `readyok` to any game"),
    "same-seat": ("T13", "takes its seat from the first game for good"),
    "twice": ("T14", "answers each `go` twice"),
    "forward-only": ("T15", "ignores a `position` with fewer plies than the last", "farook faust frenzy"),
    "no-fen": ("T16", "crashes at `position fen`"),
    "pairs": ("T17", "takes the value of every pair for a whole number"),
    "illegal": ("T18", "plays an illegal ply late in a game", "faust"),
    "crash-single": ("T19", "crashes where there is but one ply", "2-frenzy"),
    "no-swap": ("T20", "cannot read `swap`", "faust"),
    "no-keep": ("T20", "leaves `keep=` out of its plies", "frenzy"),
    "short-turn": ("T21", "repeats the first ply of a turn as the second", "frenzy"),
    "movetime": ("T22", "takes 400 ms for `movetime 100`"),
    "clock": ("T23", "takes 200 ms a turn whatever the clock shows"),
    "budget": ("T24", "takes four times its budget"),
    "increment": ("T25", "divides by the increment"),
    "slow-stop": ("T26", "takes 1.5 s to stop"),
    "early": ("T26", "answers `go infinite` before `stop`"),
    "busy": ("T27", "answers `isready` only after the search"),
    "depth": ("T28", "does not end a search that only `depth` limits"),
    "no-ponder": ("T29", "answers `go ponder` at once"),
    "query-legal": ("T30", "leaves a ply out of its list of legal plies"),
    "query-perft": ("T30", "counts a line too many"),
    "id": ("T31", "echoes `id=1` whatever was sent"),
    "quit": ("T32", "ignores `quit`"),
    "eof": ("T33", "lives on when its input ends"),
    "gameover": ("T34", "ends at `gameover`"),
    "bye": ("T35", "says goodbye after `quit`"),
    "seedless": ("T36", "ignores every seed"),
    "on-legal": ("T39", "answers `legal` instead of `go`"),
    "want-word": ("T40", "writes `want leagl`"),
    "leak": ("T38", "does not seed its random numbers anew for a new game"),
}
FAULT = sys.argv[1] if len(sys.argv) > 1 else ""
GAMES = "".join(FAULTS.get(FAULT, ())[2:] or ["farook"]).split()

out = sys.stdout
if FAULT.startswith("no-flush"):
    # As Python does it without PYTHONUNBUFFERED.
    out = open(os.dup(1), "w", buffering=1 << 16)


def fault(name):
    assert name in FAULTS
    return FAULT == name


def say(line):
    out.write(line + "\n")
    if not (fault("no-flush") or fault("no-flush-moves") and line.startswith("bestmove")):
        out.flush()


class Search(threading.Thread):
    """A search that goes on until it is told to stop, or to answer."""

    def __init__(self, answer):
        super().__init__(daemon=True)
        self.answer, self.told = answer, threading.Event()
        self.start()

    def run(self):
        self.told.wait()
        if fault("slow-stop"):
            time.sleep(1.5)
        say(self.answer)


class Bot:
    def __init__(self):
        self.options = {"Hash": "16", "Seed": "1"}
        self.game, self.setting = "", []
        self.position, self.legal, self.plies = "", [], 0
        self.last_position, self.last_answer = 0, ""
        self.games, self.readies = 0, 0
        self.seat = ""
        self.is_new = False
        self.search = None
        self.server = None
        self.random = random.Random(1)

    def hello(self):
        games = list(GAMES)
        if fault("unknown-game"):
            games.append("chess")
        say("id name Broken\nid lang Python 3")
        if not fault("no-protocol"):
            say("protocol one" if fault("protocol") else "protocol 1")
        say("plays " + " ".join(games))
        say("want legal leagl" if fault("want-word") else "want legal")
        say("can stop depth nodes infinite ponder query")
        say("option name Hash type spin default 16 min 1 max 64")
        say("option name Seed type spin default 1 min 0 max 1000")
        if fault("option-syntax"):
            say("option name Level type spin default high")
        if fault("uciok"):
            say("uciok")
        elif fault("no-newline"):
            sys.stdout.write("ugiok")
            sys.stdout.flush()
        elif not fault("mute"):
            say("ugiok")

    def set_option(self, words):
        name, value = words[1], words[3]
        if fault("option-max") and value == "64":
            raise MemoryError("no room for 64 MiB")
        self.options[name] = value

    def new_game(self):
        self.games += 1
        self.is_new = True
        self.last_position, self.last_answer = 0, ""
        if fault("one-game") and self.games > 1:
            sys.exit("one game is enough")
        if not (fault("leak") and self.games > 1) and not fault("seedless"):
            seed = next((pair[5:] for pair in self.setting if pair.startswith("seed=")), "1")
            self.random = random.Random(f"{self.options['Seed']} {seed}")
        if fault("seedless"):
            self.random = random.Random()

    def ready(self):
        self.readies += 1
        if fault("impatient") and self.readies > 2:
            return
        if fault("busy") and self.search and not self.search.told.is_set():
            self.search.late = True
            return
        if self.is_new and self.game not in GAMES:
            if fault("crash-unknown"):
                raise KeyError(self.game)
            if not fault("omnivore"):
                say("reject unknown-game : I know other games")
                self.is_new = False
                return
        if fault("refuse") and self.is_new and self.game == "faust":
            say("reject too-hard : I always lose this one")
            return
        self.is_new = False
        say("readyok")

    def choose(self):
        plies, count = self.legal, self.plies
        if fault("forward-only") and count < self.last_position:
            return self.last_answer
        self.last_position = count
        if fault("crash-single") and len(plies) == 1:
            raise IndexError("randrange(0)")
        if fault("no-swap") and "swap" in plies:
            return "a"
        if fault("no-keep") and plies[0].startswith("keep="):
            return plies[0].removeprefix("keep=")
        if fault("illegal") and count > 12:
            return "z26"
        if fault("short-turn") and self.game == "frenzy" and count == 1:
            return self.position.split()[-1]
        self.last_answer = self.random.choice(plies)
        return self.last_answer

    def go(self, words):
        numbers = {name: int(value) for name, value in zip(words, words[1:]) if value.isdigit()}
        pairs = dict(word.split("=", 1) for word in words if "=" in word)
        if fault("pairs"):
            pairs = {key: int(value) for key, value in pairs.items()}
        if fault("increment") and numbers.get("p1inc") == 0:
            1000 / numbers["p1inc"]
        if fault("movetime") and numbers.get("movetime") == 100:
            time.sleep(0.4)
        if fault("clock") and numbers.get("p1inc") == 10:
            time.sleep(0.2)
        if fault("budget") and numbers.get("p1time") == 2000 and "ponder" not in words:
            time.sleep(0.4)
        if fault("same-seat") and self.seat != ("p2" if self.plies % 2 else "p1"):
            return None  # not my turn
        if fault("resign"):
            return say("bestmove resign")
        answer = "bestmove " + self.choose()
        if fault("wrong-word"):
            answer = answer.replace("bestmove", "move")
        if "id" in pairs:
            answer += " id=1" if fault("id") else f" id={pairs['id']}"
        if fault("depth") and "depth" in words and "movetime" not in words:
            return None
        is_long = "infinite" in words and not fault("early") or "ponder" in words and not fault("no-ponder")
        if is_long:
            self.search = Search(answer)
        else:
            say(f"{answer}\n{answer}" if fault("twice") else answer)
        return None

    def answer_search(self):
        if self.search:
            self.search.told.set()
            self.search.join()
            if getattr(self.search, "late", False):
                say("readyok")
            self.search = None

    def query(self, words):
        options = [word for word in self.setting if not word.startswith(("players=", "you=", "tc=", "opponent=", "seed=", "id="))]
        if words[0] == "legal":
            if not self.server:
                command = [os.environ["ABP_ARENA"], "rules"]
                self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
            self.server.stdin.write(" ".join(["legal", self.game, *options, self.position]) + "\n")
            self.server.stdin.flush()
            plies = json.loads(self.server.stdout.readline())["legal"]
            say("response legal " + " ".join(plies[1:] if fault("query-legal") else plies))
        elif words[0] == "perft":
            options = [word for option in options for word in ("--opt", option)]
            command = [os.environ["ABP_ARENA"], "perft", self.game, words[1], "--json", *options]
            count = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["nodes"]
            say(f"response perft {count + 1 if fault('query-perft') else count}")
        else:
            say("response unknown")

    def read(self, line):
        if fault("crlf") and line.endswith("\r\n"):
            line = line.replace("\r\n", "\\r\n")
        if fault("blanks") and line.strip() != line.rstrip("\r\n"):
            return
        if fault("blank-line") and not line.strip():
            raise IndexError("list index out of range")
        word, *words = line.split() or [""]
        if word != "isready":
            self.readies = 0
        if word == "ugi":
            self.hello()
        elif word == "isready":
            self.ready()
        elif word == "setoption":
            self.set_option(words)
        elif word == "game":
            self.game, self.setting = words[0], words[1:]
            seat = next((pair[4:] for pair in self.setting if pair.startswith("you=")), "p1")
            self.seat = self.seat if self.seat and fault("same-seat") else seat
        elif word == "uginewgame":
            self.new_game()
        elif word == "position":
            if fault("no-fen") and words[0] == "fen":
                raise ValueError("position: startpos expected")
            self.position = " ".join(words)
            self.plies = len(words) - words.index("moves") - 1 if "moves" in words else 0
        elif word == "legal":
            self.legal = words
            if fault("on-legal"):
                say("bestmove " + self.choose())
        elif word == "go":
            if not fault("on-legal"):
                self.go(words)
        elif word in ("stop", "ponderhit"):
            self.answer_search()
        elif word == "query":
            self.query(words)
        elif word == "gameover":
            if fault("gameover"):
                sys.exit(0)
        elif word == "quit":
            if fault("bye"):
                say("bye")
            if not fault("quit"):
                sys.exit(0)
        elif fault("unknown-line") and word.startswith("x-"):
            sys.exit(f"unknown command {word}")


def main():
    if FAULT == "--list":
        print(json.dumps([{"fault": name, "test": row[0], "does": row[1]} for name, row in FAULTS.items()]))
        return
    if fault("no-start"):
        sys.exit("cannot find the weights")
    if fault("early-id"):
        say("id name Broken")
    bot = Bot()
    while line := sys.stdin.buffer.readline():
        bot.read(line.decode())
    if fault("eof"):
        time.sleep(3600)


main()
