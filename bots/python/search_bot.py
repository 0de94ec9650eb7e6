#!/usr/bin/env python3
"""An engine on the package `abp`: alpha-beta with iterative deepening in any game.

The rules come from the arena itself: `arena rules` says what every ply leads to. The option `Arena` is the path of
its executable.
"""
from __future__ import annotations

import abp
from abp.rules import Position, Rules, RulesError

WIN = 10_000.0


class Stopped(Exception):
    """The time is up in the middle of an iteration."""


class SearchBot(abp.Bot):
    """Looks for the position that leaves itself many plies and the opponent few."""

    name = "PySearch"
    wants = ("legal", "board")
    offers = {
        "Arena": abp.String("arena"),
        "MaxDepth": abp.Spin(3, 1, 20),
        "Evaluate": abp.Combo("mobility", ("mobility", "nothing")),
        "Shuffle": abp.Check(True),
        "Clear": abp.Button(),
    }

    def __init__(self) -> None:
        super().__init__()
        self.rules: Rules | None = None
        self.known: dict[str, Position] = {}  # by position string: what the rules said
        self.nodes = 0

    def new_game(self, game: abp.Game) -> None:
        self.known.clear()
        if self.rules is not None:
            self.rules.close()
        skip = ("players", "you", "tc", "movetime", "opponent", "seed", "id")
        options = {key: value for key, value in game.pairs.items() if key not in skip}
        try:
            self.rules = Rules(game.id, options, [str(self.settings["Arena"])])
        except RulesError as error:
            raise abp.Reject(error.code, str(error)) from error

    def press(self, name: str) -> None:
        self.known.clear()

    def choose(self, position: abp.Position, limits: abp.Limits) -> str:
        assert self.rules is not None and position.board is not None
        self.nodes = 0
        root = self.ask([position.board])[0]
        plies = list(position.legal)
        if self.settings["Shuffle"]:
            self.random.shuffle(plies)
        deepest = self.settings["MaxDepth"]
        assert isinstance(deepest, int)
        for depth in range(1, deepest + 1):
            if not limits.may_deepen(depth, self.nodes):
                break
            try:
                scores = self.iterate(root, plies, depth, limits)
            except Stopped:
                break
            plies.sort(key=lambda ply: -scores[ply])  # the best first; the order among equals stays
            self.info(
                depth=depth, score=scores[plies[0]], nodes=self.nodes, seconds=limits.elapsed(), pv=plies[:1]
            )
            if abs(scores[plies[0]]) >= WIN:
                break
        return plies[0]

    def iterate(self, root: Position, plies: list[str], depth: int, limits: abp.Limits) -> dict[str, float]:
        """Scores every ply of the root; those that are no better than the best one get at most its score."""
        scores: dict[str, float] = {}
        best = -2 * WIN
        self.ask([root.next[ply] for ply in plies])
        for ply in plies:
            # An equal ply must not look better than it is: the window is open by a little.
            scores[ply] = self.search(root.next[ply], root.seat, depth - 1, best - 0.001, 2 * WIN, limits)
            best = max(best, scores[ply])
        return scores

    def search(
        self, text: str, seat: str, depth: int, low: float, high: float, limits: abp.Limits
    ) -> float:
        """Returns the score of a position for `seat`, who need not be the one to decide."""
        if depth > 0 and limits.must_stop(self.nodes):
            raise Stopped
        position = self.ask([text])[0]
        if position.result is not None:
            return 0.0 if position.result == "draw" else WIN if position.result == seat + "win" else -WIN
        if depth == 0:
            return self.evaluate(position, seat)
        following = [position.next[ply] for ply in position.legal]
        self.ask(following)
        is_mine = position.seat == seat
        value = -2 * WIN if is_mine else 2 * WIN
        for text in following:
            score = self.search(text, seat, depth - 1, low, high, limits)
            if is_mine:
                value = max(value, score)
                low = max(low, value)
            else:
                value = min(value, score)
                high = min(high, value)
            if low >= high:
                break
        return value

    def evaluate(self, position: Position, seat: str) -> float:
        """Counts the plies of the seat to decide, and ten for each one that wins at once."""
        if self.settings["Evaluate"] == "nothing":
            return 0.0
        value = len(position.legal) / 10 + 10 * len(position.wins())
        return value if position.seat == seat else -value

    def ask(self, texts: list[str]) -> list[Position]:
        """Returns what the rules say of positions; those that are not known yet are asked for in one line."""
        assert self.rules is not None
        unknown = [text for text in dict.fromkeys(texts) if text not in self.known]
        for text, answer in zip(unknown, self.rules.positions((text, ()) for text in unknown)):
            if isinstance(answer, RulesError):
                raise answer
            self.known[text] = answer
            self.nodes += 1
        return [self.known[text] for text in texts]


if __name__ == "__main__":
    SearchBot().run()
