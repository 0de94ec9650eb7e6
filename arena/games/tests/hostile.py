#!/usr/bin/env python3
"""Asks rules that run as a program what nobody should ask: `hostile.py PROGRAM [ARGUMENT …]`.

Every line has to be answered by one line of JSON, wrong ones by an error with the right code, and the program has to go on.
"""
from __future__ import annotations

import json
import random
import subprocess
import sys
import threading
from typing import Any

MEBIBYTE = 1 << 20
LINES = 3000  # of random bytes and of damaged requests
CODES = {"bad-request", "unknown-game", "bad-option", "bad-position", "illegal-ply"}


def answers(command: list[str], lines: list[bytes]) -> list[Any]:
    """Returns what a fresh program answers to lines; it has to end well with its input, silent on standard error."""
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    watchdog = threading.Timer(300, process.kill)
    watchdog.start()
    output, errors = process.communicate(b"".join(line + b"\n" for line in lines))
    watchdog.cancel()
    assert process.returncode == 0, (process.returncode, errors[-2000:])
    assert errors == b"", errors[-2000:]
    return [json.loads(line) for line in output.decode().splitlines()]


def wrong_options(name: bytes, option: dict[str, Any]) -> list[bytes]:
    """Returns values, as `KEY=VALUE`, that an option cannot have."""
    values = ["", "x", "\N{ARABIC-INDIC DIGIT FIVE}", option["default"] + " " + option["name"] + "=" + option["default"]]
    if "min" in option:
        values += [str(option["min"] - 1), str(option["max"] + 1), "0" + option["default"], "+" + option["default"]]
        values += [option["default"] + ".0", "1e1", "9" * 5000, "-0"]
    else:
        values += ["x" + option["default"], option["default"] + "x"]
    return [f"{option['name']}={value}".encode() for value in values]


def wrong_lines(game: bytes, options: list[dict[str, Any]], start: bytes, legal: list[bytes]) -> list[tuple[bytes, str]]:
    """Returns lines with the code of their error."""
    bad_request = [b"x", b"positions " + game, b"position", b"legal", b"POSITION " + game + b" startpos", b"\xff\xfe", b"\0"]
    bad_request += [b"position " + game, b"legal " + game + b" fens " + start, b"legal " + game + b" startpos " + legal[0]]
    bad_request += [b"x" * (MEBIBYTE - 1), b"x" * MEBIBYTE, b"x" * (3 * MEBIBYTE), b"about" + b" " * MEBIBYTE]
    unknown = [b"position nosuchgame startpos", b"position " + game + b"\xff startpos", b"legal " + game.upper() + b" startpos"]
    bad_option = [b"legal " + game + b" nosuch=1 startpos", b"legal " + game + b" =1 startpos", b"legal " + game + b" __proto__=1 startpos"]
    for option in options:
        bad_option += [b"legal " + game + b" " + pair + b" startpos" for pair in wrong_options(game, option)]
    words = start.split(b" ")
    texts = [b"", b"\xff", b"x", b"startpos", start + b" x", b"x " + start, b" ".join(words[:-1]), b" ".join(words[::-1]), start * 2]
    texts += [start.swapcase(), b"9" * 5000, b"/" * 5000, b"y" * 100000, start.replace(b"p1", b"p3").replace(b" w ", b" v ")]
    bad_position = [b"position " + game + b" fen " + text for text in texts]
    plies = [b"x", b"\xff", b"a0", b"z99", legal[0].upper(), legal[0] + b"x", b"pass", b"y" * 100000, "a１".encode()]
    illegal = [b"legal " + game + b" startpos moves " + ply for ply in plies]
    illegal += [b"legal " + game + b" fen " + start + b" moves " + legal[0] + b" " + ply for ply in plies]
    return [
        (line, code)
        for code, lines in [
            ("bad-request", bad_request),
            ("unknown-game", unknown),
            ("bad-option", bad_option),
            ("bad-position", bad_position),
            ("illegal-ply", illegal),
        ]
        for line in lines
    ]


def damaged(line: bytes, dice: random.Random) -> bytes:
    """Returns a line with some bytes changed, lost or doubled."""
    data = bytearray(line)
    for _ in range(dice.randint(1, 4)):
        place = dice.randrange(len(data) + 1)
        data[place : place + dice.randint(0, 2)] = dice.choice([b"", bytes([dice.randrange(256)]), bytes(data[:place][-9:]), b" ", b"="])
    return b" ".join(bytes(data).split(b"\n"))


def is_no_request(line: bytes) -> bool:
    """Returns whether a line may go unanswered: blank, a comment or the end, whatever counts as white space."""
    text = line.decode(errors="replace").strip().strip("\ufeff").strip()
    return text in ("", "quit") or text.startswith("#")


def main(command: list[str]) -> None:
    about, games = answers(command, [b"about", b"games"])
    assert about["format"] == 2, about
    game, options = games[0]["game"].encode(), games[0]["options"]
    (first,) = answers(command, [b"position " + game + b" startpos"])
    start, legal = first["position"].encode(), [ply.encode() for ply in first["legal"]]

    wrong = wrong_lines(game, options, start, legal)
    said = answers(command, [line for line, _ in wrong])
    assert len(said) == len(wrong), (len(said), len(wrong))
    for (line, code), answer in zip(wrong, said):
        assert answer.get("error") == code, (line[:200], code, answer)
        assert 0 < len(answer["message"]) < 2000, (line[:200], answer)

    # Blank lines and comments are no requests; all else on a line with `;` is.
    lines = [b"", b" \t ", b"# about", b"about\r", b";", b"about;" * 9 + b"x", b"quit", b"about"]
    said = answers(command, lines)
    assert [said[0], len(said)] == [about, 3], said
    assert [answer["error"] for answer in said[1]] == ["bad-request"] * 2, said
    assert said[2][:9] == [about] * 9 and said[2][9]["error"] == "bad-request", said

    dice = random.Random(1)
    requests = [b"legal " + game + b" startpos moves " + legal[0], b"position " + game + b" fen " + start, b"about", b"games"]
    requests += [b"legal " + game + b" fen " + text.encode() for text in first["next"][:20]]
    lines = [damaged(dice.choice(requests), dice) for _ in range(LINES)]
    lines += [bytes(dice.choices(range(256), k=dice.randrange(60))).replace(b"\n", b"") for _ in range(LINES)]
    lines = [b"?" + line if is_no_request(line) else line for line in lines]
    said = answers(command, lines)
    assert len(said) == len(lines), (len(said), len(lines))
    for answer in said:
        for one in answer if isinstance(answer, list) else [answer]:
            assert one.get("error", "bad-request") in CODES, one

    # The same question has the same answer, after all that and from a fresh program.
    question = b"position " + game + b" startpos"
    again = answers(command, [*lines[:500], question])[-1]
    assert again == first, again
    print(f"{game.decode()}: {len(wrong)} wrong lines and {len(lines)} damaged ones are answered")


main(sys.argv[1:])
