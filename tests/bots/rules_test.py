#!/usr/bin/env python3
"""Replays the playthroughs through `abp.rules`.

    rules_test.py ARENA
"""
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "bots" / "python"))
from abp.rules import End, Rules, RulesError  # noqa: E402

COMMAND = [sys.argv[1]]


def fnv(text):
    number = 0xCBF29CE484222325
    for byte in text.encode():
        number = (number ^ byte) * 0x100000001B3 % 2**64
    return f"{number:016x}"


def playthrough(path):
    game, options, start, *lines, result = path.read_text().splitlines()
    pairs = dict(pair.split("=", 1) for pair in options.split()[1:])
    plies = [line.split(" ", 5) for line in lines]
    tokens = [fields[4] for fields in plies]
    with Rules(game.split()[1], pairs, COMMAND) as rules:
        positions = rules.positions((None, tokens[:n]) for n in range(len(tokens) + 1))
        assert positions[0].text == start.split(" ", 1)[1], path
        for position, (seat, turn, count, digest, ply, text) in zip(positions, plies):
            assert (position.seat, position.turn, position.is_fresh) == (seat, turn[:2], len(turn) == 2), path
            assert (len(position.legal), fnv(" ".join(position.legal))) == (int(count), digest), path
            assert position.next[ply] == text and position.result is None, path
            one = rules.position(position.text)
            assert one.legal == position.legal and one.next == position.next, path
        end = End(*result.split()[1:])
        assert positions[-2].ends[tokens[-1]] == end, path
        assert End(positions[-1].result, positions[-1].reason) == end and not positions[-1].legal, path


def errors():
    def check(code, action):
        try:
            action()
        except RulesError as error:
            assert error.code == code, (error.code, code)
        else:
            raise AssertionError(code)

    check("unknown-game", lambda: Rules("chess", command=COMMAND))
    check("bad-option", lambda: Rules("faust", {"size": 1}, COMMAND))
    with Rules("farook", command=COMMAND) as rules:
        check("bad-position", lambda: rules.position("4/4/4/4 p1"))
        check("bad-request", lambda: rules.position("4/4/4/4;p1"))
        check("illegal-ply", lambda: rules.position(moves=["a1", "a1"]))
        good, bad = rules.positions([(None, []), (None, ["z9"])])
        assert good.seat == "p1" and bad.code == "bad-ply"
        example = rules.position("bb1w/bwxb/wwbw/1bxw p1 stock=0,0,0 last=-,- ko=- n=14")
        assert example.wins() == ["a2a1"]
        # More than a line of the server holds.
        assert len(rules.positions([(None, ["a1", "b2"])] * 20_000)) == 20_000


paths = sorted((ROOT / "protocol-spec" / "vectors" / "playthroughs").glob("*.txt"))
assert paths
for path in paths:
    playthrough(path)
errors()
print(f"{len(paths)} playthroughs hold")
