"""Tests of the kit in Python, and of Telo: `python3 -m unittest discover arena/games/tests`."""
from __future__ import annotations

import contextlib
import csv
import io
import json
import sys
import unittest
from functools import lru_cache
from pathlib import Path
from typing import Any, Mapping, Tuple

GAMES = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(GAMES / "python"), str(GAMES / "telo")]

import arena_rules  # noqa: E402
import telo  # noqa: E402


class Heap(arena_rules.Game):
    """Take one or two stones of a heap; who takes the last one wins. A seat may be made to fail by its state."""

    id = "heap"
    title = "Heap"
    about = "the last stone wins"
    options = (
        arena_rules.Option("stones", "3", "stones at the start", min=1, max=12),
        arena_rules.Option("most", "two", "how many may be taken", ("one", "two")),
    )
    passes = True
    max_plies = 20

    def start(self, options: Mapping[str, Any]) -> tuple[int, str, int]:
        return options["stones"], "p1", 2 if options["most"] == "two" else 1

    def legal(self, state: tuple[int, str, int]) -> list[str]:
        return [] if state[0] == 7 else [f"take{n}" for n in range(min(state[2], state[0]), 0, -1)]

    def play(self, state: tuple[int, str, int], ply: str) -> tuple[int, str, int]:
        if state[0] == 9:
            raise KeyError("a mistake of the author")
        return state[0] - (0 if ply == "pass" else int(ply[4:])), "p2" if state[1] == "p1" else "p1", state[2]

    def result(self, state: tuple[int, str, int]) -> tuple[str, ...] | None:
        return None if state[0] else ("p2win" if state[1] == "p1" else "p1win", "last-stone", "took the last stone")

    def show(self, state: tuple[int, str, int]) -> str:
        return f"{state[0]} {state[1]}"

    def read(self, text: str, options: Mapping[str, Any]) -> tuple[int, str, int]:
        print("a forgotten line")
        count, seat = text.split()
        if seat not in ("p1", "p2") or int(count) > options["stones"]:
            raise ValueError("no such heap")
        return int(count), seat, self.start(options)[2]

    def count(self, state: tuple[int, str, int]) -> list[int]:
        return [state[0], state[0]]


def ask(*lines: str | bytes, game: arena_rules.Game = Heap()) -> list[Any]:
    """Returns what a game answers to lines."""
    output = io.BytesIO()
    data = b"".join((line if isinstance(line, bytes) else line.encode()) + b"\n" for line in lines)
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        arena_rules.serve(game, lines=io.BytesIO(data), output=output)
    return [json.loads(line) for line in output.getvalue().decode().splitlines()]


class Kit(unittest.TestCase):
    def test_a_position_is_answered_with_what_follows(self) -> None:
        (answer,) = ask("position heap startpos moves take1")
        self.assertEqual(
            answer,
            {
                "game": "heap", "position": "2 p2", "seat": "p2", "turn": "p2", "fresh": True, "legal": ["take1", "take2"],
                "next": ["1 p1", "0 p1"], "ends": {"take2": {"result": "p2win", "reason": "last-stone", "words": "took the last stone"}},
                "count": [2, 2], "result": None, "reason": None,
            },
        )  # fmt: skip
        (answer,) = ask("legal heap most=one stones=5 fen 1 p1 moves take1")
        self.assertEqual((answer["game"], answer["legal"]), ("heap stones=5 most=one", []))
        self.assertEqual((answer["result"], answer["reason"]), ("p1win", "last-stone"))
        self.assertNotIn("next", answer)

    def test_the_options_that_differ_from_their_defaults_are_named(self) -> None:
        labels = [answer["game"] for answer in ask("legal heap stones=3 most=one startpos", "legal heap stones=4 startpos")]
        self.assertEqual(labels, ["heap most=one", "heap stones=4"])

    def test_a_seat_without_a_ply_passes_where_the_game_says_so(self) -> None:
        (answer,) = ask("position heap stones=7 startpos")
        self.assertEqual((answer["legal"], answer["next"]), (["pass"], ["7 p2"]))

    def test_the_game_is_described(self) -> None:
        about, (game,) = ask("about", "games")
        self.assertEqual(about, {"format": 2, "name": "heap", "version": "1.0", "deterministic": True})
        self.assertEqual(game["options"][0], {"name": "stones", "default": "3", "min": 1, "max": 12, "about": "stones at the start"})
        self.assertEqual(game["options"][1]["values"], ["one", "two"])
        self.assertEqual((game["game"], game["seats"], game["pass"], game["max-plies"]), ("heap", [2, 2], True, 20))
        self.assertNotIn("look", game)

    def test_what_is_wrong_has_its_code(self) -> None:
        cases: list[tuple[str | bytes, str]] = [
            ("nonsense", "bad-request"),
            ("position", "bad-request"),
            ("position heap", "bad-request"),
            ("position heap here", "bad-request"),
            ("position heap startpos take1", "bad-request"),
            ("position heaps startpos", "unknown-game"),
            ("position heap stones=0 startpos", "bad-option"),
            ("position heap stones=13 startpos", "bad-option"),
            ("position heap stones=03 startpos", "bad-option"),
            ("position heap stones=\N{ARABIC-INDIC DIGIT FIVE} startpos", "bad-option"),
            ("position heap stones=" + "9" * 5000 + " startpos", "bad-option"),
            ("position heap stones=3 stones=3 startpos", "bad-option"),
            ("position heap most=three startpos", "bad-option"),
            ("position heap least=1 startpos", "bad-option"),
            ("position heap fen", "bad-position"),
            ("position heap fen 4 p1", "bad-position"),
            ("position heap fen 03 p1", "bad-position"),
            (b"position heap fen \xff p1", "bad-position"),
            ("position heap startpos moves take3", "illegal-ply"),
            ("position heap startpos moves take2 take2", "illegal-ply"),
            ("position heap startpos moves take2 take1 take1", "illegal-ply"),
            ("x" * (2 << 20), "bad-request"),
        ]
        for line, code in cases:
            wrong, right = ask(line, "about")
            self.assertEqual((wrong.get("error"), right["format"]), (code, 2), line[:100])

    def test_a_mistake_in_the_rules_is_an_answer_and_no_end(self) -> None:
        broken, whole = ask("position heap stones=9 startpos", "about")
        self.assertEqual((broken["error"], broken["message"]), ("internal", "KeyError: `'a mistake of the author'`"))
        self.assertEqual(whole["name"], "heap")

    def test_several_requests_on_a_line_are_one_array_and_a_comment_is_none(self) -> None:
        first, second = ask("", "# about", "about; legal heap startpos;", "about", "quit", "about")
        self.assertEqual([answer.get("error") for answer in first], [None, None, "bad-request"])
        self.assertEqual(second["format"], 2)


# Telo once more, from its rules alone: points are bits from a1 on, a state is both seats' points and who moves.
LINES = [0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100]
State = Tuple[int, int, int]


def is_won(points: int) -> bool:
    return any(points & line == line for line in LINES)


def plies_of(state: State, centre: bool) -> dict[str, State]:
    """Returns what each ply leads to."""
    own, taken, plies = state[state[2]], state[0] | state[1], {}
    if is_won(state[0]) or is_won(state[1]):
        return {}
    names = [f"{'abc'[point % 3]}{point // 3 + 1}" for point in range(9)]
    for to in (point for point in range(9) if not taken >> point & 1):
        if bin(own).count("1") < 3:
            if taken or centre or to != 4:
                plies[names[to]] = own | 1 << to
            continue
        for point in range(9):
            files, ranks = abs(point % 3 - to % 3), abs(point // 3 - to // 3)
            if own >> point & 1 and (files + ranks == 1 or (files == ranks == 1 and 4 in (point, to))):
                plies[names[point] + names[to]] = own ^ 1 << point | 1 << to
    return {ply: (state[0], after, 0) if state[2] else (after, state[1], 1) for ply, after in plies.items()}


def text_of(state: State) -> str:
    rows = ["".join("w" if state[0] >> p & 1 else "b" if state[1] >> p & 1 else "." for p in range(r, r + 3)) for r in (6, 3, 0)]
    runs = "/".join(rows).replace("...", "3").replace("..", "2").replace(".", "1")
    return f"{runs} p{state[2] + 1}"


def tree(centre: bool) -> dict[State, dict[str, State]]:
    """Returns every state of a game with what its plies lead to."""
    states: dict[State, dict[str, State]] = {}
    todo = [(0, 0, 0)]
    while todo:
        state = todo.pop()
        if state not in states:
            states[state] = plies_of(state, centre)
            todo += states[state].values()
    return states


def distances(states: Mapping[State, Mapping[str, State]]) -> dict[State, int]:
    """Returns after how many plies of best play a game ends: odd numbers are won, even ones lost, the others are draws."""
    known = {state: 0 for state, plies in states.items() if not plies}
    for distance in range(1, 60):
        for state in [state for state in states if state not in known]:
            after = [known.get(other) for other in states[state].values()]
            is_even = [value is not None and value < distance and value % 2 == 0 for value in after]
            is_odd = [value is not None and value < distance and value % 2 == 1 for value in after]
            if any(is_even) if distance % 2 else all(is_odd):
                known[state] = distance
    return known


class Telo(unittest.TestCase):
    def test_every_position_is_as_a_second_implementation_has_it(self) -> None:
        game = telo.Telo()
        for centre, count in (("off", 5381), ("on", 5390)):
            states = tree(centre == "on")
            self.assertEqual(len(states), count)
            for state, plies in states.items():
                words = [f"centre={centre}", "fen", *text_of(state).split()]
                answer = game.position(words, follows=True)
                self.assertEqual(dict(zip(answer["legal"], answer["next"])), {ply: text_of(plies[ply]) for ply in sorted(plies)})
                won = [ply for ply, after in plies.items() if is_won(after[state[2]])]
                self.assertEqual(sorted(answer["ends"]), sorted(won))
                self.assertEqual(answer["result"] is not None, not plies)
                if not plies:
                    self.assertEqual((answer["result"], len(answer["proofs"][0]["cells"])), (f"p{2 - state[2]}win", 3))

    def test_best_play_draws_and_the_centre_wins(self) -> None:
        for centre in (False, True):
            states = tree(centre)
            known = distances(states)
            after = {ply: known.get(state) for ply, state in states[0, 0, 0].items()}
            drawn, lost = dict.fromkeys(["a1", "a3", "c1", "c3"]), dict.fromkeys(["a2", "b1", "b3", "c2"], 7)
            self.assertEqual(after, {**drawn, **lost, **({"b2": 8} if centre else {})})
            self.assertEqual(known.get((0, 0, 0)), 9 if centre else None)

    def test_a_seat_can_always_move_and_no_other_string_is_a_position(self) -> None:
        game, reached = telo.Telo(), {text_of(state) for state in tree(True)}
        read = 0
        for number in range(3**9):
            digits = [number // 3**place % 3 for place in range(9)]
            white, black = (sum(1 << place for place in range(9) if digits[place] == men) for men in (1, 2))
            for turn in (0, 1):
                text = text_of((white, black, turn))
                try:
                    state = game.read(text, {"centre": "on"})
                except ValueError:
                    self.assertNotIn(text, reached)
                    continue
                read += 1
                self.assertTrue(game.result(state) or game.legal(state), text)
                self.assertEqual(game.show(state), text)
        self.assertGreaterEqual(read, len(reached))

    def test_the_tree_has_as_many_leaves_as_is_written_down(self) -> None:
        game = telo.Telo()

        @lru_cache(maxsize=None)
        def leaves(state: telo.State, depth: int) -> int:
            return sum(leaves(game.play(state, ply), depth - 1) for ply in game.plies(state)) if depth else 1

        with open(GAMES / "tests" / "perft.csv", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["game"] == "telo"]
        self.assertGreater(len(rows), 10)
        for row in rows:
            options = dict(pair.split("=") for pair in row["options"].split())
            start = game.start({"centre": "off", **options})
            self.assertEqual(leaves(start, int(row["depth"])), int(row["count"]), row)

    def test_the_page_has_the_rules(self) -> None:
        self.assertIn(telo.RULES, (GAMES / "telo" / "README.md").read_text(encoding="utf-8"))


if __name__ == "__main__":
    unittest.main()
