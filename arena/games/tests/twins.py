#!/usr/bin/env python3
"""Asks two programs the same questions in random games: `twins.py GAMES LABEL[,LABEL…] COMMAND OTHER`.

A command is a line for the shell. Every answer of the one is that of the other, byte for byte. The other one is asked all at once.
"""
from __future__ import annotations

import json
import random
import subprocess
import sys


def main(games: int, labels: list[str], command: str, other: str) -> None:
    process = subprocess.Popen(command, shell=True, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    assert process.stdin and process.stdout
    questions: list[str] = []
    answers: list[str] = []

    def ask(question: str) -> str:
        assert process.stdin and process.stdout
        process.stdin.write(question + "\n")
        process.stdin.flush()
        questions.append(question)
        answers.append(process.stdout.readline())
        return answers[-1]

    dice = random.Random(1)
    ask("about")
    ask("games")
    for number in range(games):
        label = labels[number % len(labels)]
        now = json.loads(ask(f"position {label} startpos"))
        while now["legal"]:
            ply = dice.choice(now["legal"])
            ask(f"legal {label} fen {now['position']} moves {ply.upper()} {ply}")
            now = json.loads(ask(f"position {label} fen {now['position']} moves {ply}"))
        ask(f"legal {label} fen {now['position']} moves a1;about")
    process.stdin.close()
    assert process.wait(60) == 0
    lines = "".join(question + "\n" for question in questions)
    said = subprocess.run(other, shell=True, text=True, input=lines, capture_output=True, check=True).stdout
    for question, one, two in zip(questions, answers, said.splitlines(keepends=True), strict=True):
        assert one == two, (question, one, two)
    print(f"{len(questions)} questions have equal answers")


main(int(sys.argv[1]), sys.argv[2].split(","), sys.argv[3], sys.argv[4])
