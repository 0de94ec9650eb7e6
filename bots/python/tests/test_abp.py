"""Tests of the package `abp`: `python3 -m unittest discover tests`, in the folder `bots/python`."""
from __future__ import annotations

import io
import subprocess
import sys
import threading
import time
import unittest
from pathlib import Path
from queue import Queue
from typing import Iterator

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

import abp  # noqa: E402
from abp.game import read_follower, read_game  # noqa: E402
from abp.limits import read_limits  # noqa: E402

# No test waits as long as this if what it tests holds.
PATIENCE = 20


class Recorder(abp.Bot):
    """Keeps what it is told, and plays a random legal ply."""

    name = "recorder"
    author = "Ada"
    plays = ("farook", "fanorona:size=5x5")
    wants = ("legal", "board", "after")
    offers = {
        "Hash": abp.Spin(16, 1, 64),
        "Style": abp.Combo("calm", ("calm", "wild")),
        "Book": abp.String(),
        "Own": abp.Check(True),
        "Clear": abp.Button(),
    }

    def __init__(self) -> None:
        super().__init__()
        self.positions: list[abp.Position] = []
        self.limits: list[abp.Limits] = []
        self.events: list[str] = []

    def new_game(self, game: abp.Game) -> None:
        if game.pairs.get("size") == "3x3":
            raise abp.Reject("unsupported-size", "only 5x5")

    def setting_changed(self, name: str) -> None:
        self.events.append(f"{name} {self.settings[name]}")

    def press(self, name: str) -> None:
        self.events.append(name)

    def choose(self, position: abp.Position, limits: abp.Limits) -> str:
        self.positions.append(position)
        self.limits.append(limits)
        self.info(depth=2, score=-1.25, nodes=500, seconds=0.5, pv=position.legal[:1], winrate=0.25)
        return self.random.choice(position.legal)


def play(bot: abp.Bot, *lines: str) -> list[str]:
    """Returns what a bot says to lines."""
    output = io.StringIO()
    bot.run(iter(line + "\n" for line in lines), output)
    return output.getvalue().splitlines()


class Handshake(unittest.TestCase):
    def test_it_says_who_it_is_and_what_it_offers(self) -> None:
        said = play(Recorder(), "ugi")
        self.assertEqual(said[0], "id name recorder")
        self.assertEqual(said[-1], "ugiok")
        for line in (
            "id author Ada",
            "protocol 1",
            "plays farook fanorona:size=5x5",
            "want legal board after",
            "can stop depth nodes infinite",
            "option name Hash type spin default 16 min 1 max 64",
            "option name Style type combo default calm var calm var wild",
            "option name Book type string default <empty>",
            "option name Own type check default true",
            "option name Clear type button",
        ):
            self.assertIn(line, said)

    def test_blanks_and_line_ends_do_not_matter_and_unknown_lines_are_skipped(self) -> None:
        self.assertEqual(play(Recorder(), "", "# x", "x-foo bar=1", "  isready \t\r"), ["readyok"])

    def test_nothing_is_read_after_quit(self) -> None:
        self.assertEqual(play(Recorder(), "quit", "isready"), [])


class Options(unittest.TestCase):
    def test_options_of_all_types_are_set(self) -> None:
        bot = Recorder()
        said = play(
            bot,
            "setoption name Hash value 64",
            "setoption name Style value wild",
            "setoption name Book value a  b.txt",
            "setoption name Own value false",
            "setoption name Clear",
            "setoption name Book value <empty>",
        )
        self.assertEqual(said, [])
        self.assertEqual(bot.settings, {"Hash": 64, "Style": "wild", "Book": "", "Own": False, "Clear": None})
        self.assertEqual(bot.events, ["Hash 64", "Style wild", "Book a b.txt", "Own False", "Clear", "Book "])

    def test_what_cannot_be_set_is_said_and_changes_nothing(self) -> None:
        bot = Recorder()
        wrong = ("Hash value 65", "Hash value x", "Style value mild", "Own value yes", "Nope value 1")
        said = play(bot, *(f"setoption name {text}" for text in wrong))
        self.assertEqual([line.split()[:2] for line in said[:4]], [["error", "bad-value"]] * 4)
        self.assertEqual(said[4], "error unknown-option name=Nope")
        self.assertEqual(bot.settings, Recorder().settings)


class Games(unittest.TestCase):
    def test_a_game_that_cannot_be_played_is_rejected(self) -> None:
        said = play(Recorder(), "game fanorona size=3x3 you=p1", "uginewgame", "isready")
        self.assertEqual(said, ["reject unsupported-size : only 5x5"])
        said = play(Recorder(), "game chess you=p1", "uginewgame", "isready")
        self.assertEqual(said, ["reject unknown-game : this bot plays farook fanorona:size=5x5"])
        again = play(Recorder(), "game chess", "uginewgame", "isready", "game farook", "uginewgame", "isready")
        self.assertEqual(again[-1], "readyok")

    def test_the_same_seed_plays_the_same_plies_whatever_came_before(self) -> None:
        game = ("game farook you=p1 seed=18446744073709551615", "uginewgame")
        ask = ("position startpos", "legal a1 a2 a3 a4 b1 b2 b3 b4", "go", "go", "go", "go")
        other = ("game farook you=p1 seed=7", "uginewgame")
        fresh = play(Recorder(), *game, *ask)
        later = play(Recorder(), *other, *ask, *game, *ask)
        self.assertEqual(later[len(fresh) :], fresh)
        self.assertGreater(len({line for line in fresh if line.startswith("bestmove")}), 1)

    def test_a_position_is_told_whole_and_what_was_told_of_the_last_one_is_void(self) -> None:
        bot = Recorder()
        said = play(
            bot,
            "game farook max-moves=9 you=p2 seed=1",
            "uginewgame",
            "position fen 4/4/4/4 p1 n=0 moves c4",
            "board 2w1/4/4/4 p2 n=1",
            "after d4 2wb/4/4/4 p1 n=2 gameover p2win pattern",
            "after a1 2w1/4/4/b3 p1 n=2",
            "go id=17",
            "position startpos",
            "legal c4",
            "go",
        )
        first, second = bot.positions
        self.assertEqual((first.game.id, first.seat, first.game.pairs["max-moves"]), ("farook", "p2", "9"))
        self.assertEqual((first.start, first.moves, first.board), ("4/4/4/4 p1 n=0", ["c4"], "2w1/4/4/4 p2 n=1"))
        self.assertEqual(first.legal, ["d4", "a1"])
        self.assertEqual(first.after["d4"], abp.Follower("2wb/4/4/4 p1 n=2", "p2win", "pattern"))
        self.assertEqual(first.after["a1"], abp.Follower("2w1/4/4/b3 p1 n=2"))
        self.assertEqual((second.start, second.moves, second.board, second.after), (None, [], None, {}))
        self.assertEqual(said[0], "info depth 2 score cp -125 nodes 500 time 500 nps 1000 winrate=0.25 pv d4")
        self.assertRegex(said[1], "^bestmove (d4|a1) id=17$")
        self.assertEqual(said[-1], "bestmove c4")

    def test_lines_are_read_as_the_protocol_has_them(self) -> None:
        game = read_game("fanorona size=9x5 players=2 you=p1 tc=60+0.5 seed=42".split())
        self.assertEqual((game.id, game.seat, game.seed, game.pairs["tc"]), ("fanorona", "p1", 42, "60+0.5"))
        self.assertEqual(read_follower("a2 b2/2 p1"), ("a2", abp.Follower("b2/2 p1")))


class Time(unittest.TestCase):
    def test_all_limits_are_read(self) -> None:
        words = "p1time 60000 p2time 500 p1inc 250 movestogo 7 movetime 900 depth 3 nodes 5000 budget=450 x=1".split()
        limits = read_limits(words, "p2")
        self.assertEqual(limits.clocks, {"p1": abp.Clock(60, 0.25), "p2": abp.Clock(0.5)})
        self.assertEqual(limits.clock, abp.Clock(0.5))
        self.assertEqual((limits.moves_to_go, limits.move_time, limits.budget), (7, 0.9, 0.45))
        self.assertEqual((limits.depth, limits.nodes, limits.is_infinite), (3, 5000, False))
        self.assertTrue(read_limits(["infinite"], "p1").is_infinite)

    def test_no_decision_may_take_more_than_the_clock_shows(self) -> None:
        for remaining in (0, 1, 20, 50, 1000, 60_000):
            for increment in (0, 10, 5000):
                for turns in ("", " movestogo 1", " movestogo 40"):
                    words = f"p1time {remaining} p1inc {increment}{turns}".split()
                    maximum = read_limits(words, "p1").maximum()
                    assert maximum is not None
                    self.assertLessEqual(maximum, 0.8 * remaining / 1000, words)

    def test_what_is_not_limited_by_time_is_limited_by_what_was_said(self) -> None:
        self.assertIsNone(read_limits(["infinite"], "p1").maximum())
        self.assertIsNone(read_limits(["depth", "4"], "p1").maximum())
        self.assertEqual(read_limits([], "p1").maximum(), 1.0)
        limits = read_limits("nodes 100 depth 2".split(), "p1")
        self.assertEqual((limits.must_stop(99), limits.must_stop(100)), (False, True))
        self.assertEqual([limits.may_deepen(depth) for depth in (1, 2, 3)], [True, True, False])
        self.assertTrue(limits.may_deepen(1, 100))

    def test_time_that_has_passed_stops_a_search(self) -> None:
        limits = read_limits("p1time 1000".split(), "p1")
        late = abp.Limits(clocks=limits.clocks, since=time.monotonic() - 1)
        self.assertTrue(late.must_stop() and not late.may_deepen(2) and late.may_deepen(1))


class Thinker(abp.Bot):
    """Thinks until it is told to stop."""

    name = "thinker"

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()

    def choose(self, position: abp.Position, limits: abp.Limits) -> str:
        self.begun.set()
        limits.stopped.wait(PATIENCE)
        return position.legal[0] if limits.must_stop() else "never"


class Lines(io.TextIOBase):
    """An output that hands on every line as soon as it is flushed."""

    def __init__(self) -> None:
        self.queue: Queue[str] = Queue()
        self.text = ""

    def write(self, text: str) -> int:
        self.text += text
        return len(text)

    def flush(self) -> None:
        *lines, self.text = self.text.split("\n")
        for line in lines:
            self.queue.put(line)


class Thinking(unittest.TestCase):
    def setUp(self) -> None:
        self.bot = Thinker()
        self.said = Lines()
        self.told: Queue[str] = Queue()
        self.thread = threading.Thread(target=self.bot.run, args=(self.lines(), self.said))
        self.thread.start()
        for line in ("game farook", "uginewgame", "position startpos", "legal a1", "go infinite"):
            self.told.put(line)
        self.assertTrue(self.bot.begun.wait(PATIENCE))

    def lines(self) -> Iterator[str]:
        while (line := self.told.get()) != "end":
            yield line

    def test_isready_is_answered_and_stop_is_heard_while_it_thinks(self) -> None:
        self.told.put("isready")
        self.assertEqual(self.said.queue.get(timeout=PATIENCE), "readyok")
        self.told.put("stop")
        self.assertEqual(self.said.queue.get(timeout=PATIENCE), "bestmove a1")
        self.told.put("end")
        self.thread.join(PATIENCE)
        self.assertFalse(self.thread.is_alive())

    def test_it_ends_with_its_input_while_it_thinks(self) -> None:
        self.told.put("end")
        self.thread.join(PATIENCE)
        self.assertFalse(self.thread.is_alive())
        self.assertEqual(self.said.queue.get(timeout=PATIENCE), "bestmove a1")


class Faults(unittest.TestCase):
    def test_an_exception_ends_the_process_and_is_shown(self) -> None:
        program = (
            "import abp\nclass Broken(abp.Bot):\n    def choose(self, position, limits):\n        return position.lgeal\n"
            "Broken().run()\n"
        )
        lines = "game farook\nuginewgame\nisready\nposition startpos\nlegal a1\ngo\n"
        # The pipe stays open: the process must end by itself.
        with subprocess.Popen(
            [sys.executable, "-c", program],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            encoding="utf-8",
        ) as process:
            assert process.stdin and process.stdout and process.stderr
            process.stdin.write(lines)
            process.stdin.flush()
            self.assertEqual(process.wait(PATIENCE), 1)
            self.assertEqual(process.stdout.read(), "readyok\n")
            self.assertIn("AttributeError", process.stderr.read())


if __name__ == "__main__":
    unittest.main()
