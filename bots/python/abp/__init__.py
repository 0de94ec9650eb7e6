"""What an engine in Python needs to play in the arena: the main loop of its protocol, ABP/1.

    import abp

    class MyBot(abp.Bot):
        name = "mine"
        wants = ("legal",)

        def choose(self, position: abp.Position, limits: abp.Limits) -> str:
            return self.random.choice(position.legal)

    if __name__ == "__main__":
        MyBot().run()

The loop reads on one thread and calls `choose` on another, so that `stop` and `isready` are heard while the bot
thinks. `abp.rules` asks the arena for the rules of any game. Standard library only, Python 3.9 or newer.
"""
from abp.bot import Bot
from abp.game import Follower, Game, Position, Reject
from abp.limits import Clock, Limits
from abp.options import Button, Check, Combo, Option, Spin, String

__all__ = [
    "Bot",
    "Button",
    "Check",
    "Clock",
    "Combo",
    "Follower",
    "Game",
    "Limits",
    "Option",
    "Position",
    "Reject",
    "Spin",
    "String",
]
