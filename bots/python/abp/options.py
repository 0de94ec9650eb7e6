"""The options that a bot offers: the five types of UCI."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Sequence, Union

Value = Union[bool, int, str, None]
"""What an option is set to: None for a button."""


@dataclass(frozen=True)
class Check:
    """Yes or no."""

    default: bool = False

    def declaration(self) -> str:
        """Returns what follows `type`."""
        return f"check default {str(self.default).lower()}"

    def read(self, text: str) -> bool:
        """Reads a value. Raises ValueError."""
        if text not in ("true", "false"):
            raise ValueError("neither `true` nor `false`")
        return text == "true"


@dataclass(frozen=True)
class Spin:
    """A whole number of a range, both ends included."""

    default: int
    min: int
    max: int

    def declaration(self) -> str:
        """Returns what follows `type`."""
        return f"spin default {self.default} min {self.min} max {self.max}"

    def read(self, text: str) -> int:
        """Reads a value. Raises ValueError."""
        value = int(text)
        if not self.min <= value <= self.max:
            raise ValueError(f"not between {self.min} and {self.max}")
        return value


@dataclass(frozen=True)
class Combo:
    """One of several words."""

    default: str
    choices: Sequence[str]

    def declaration(self) -> str:
        """Returns what follows `type`."""
        return f"combo default {self.default}" + "".join(f" var {choice}" for choice in self.choices)

    def read(self, text: str) -> str:
        """Reads a value. Raises ValueError."""
        if text not in self.choices:
            raise ValueError("not one of " + ", ".join(self.choices))
        return text


@dataclass(frozen=True)
class String:
    """A text; an empty one is told as `<empty>`, as UCI has it."""

    default: str = ""

    def declaration(self) -> str:
        """Returns what follows `type`."""
        return f"string default {self.default or '<empty>'}"

    def read(self, text: str) -> str:
        """Reads a value."""
        return "" if text == "<empty>" else text


@dataclass(frozen=True)
class Button:
    """Something to be done: `Bot.press` is called with its name."""

    @property
    def default(self) -> None:
        """It has no value."""
        return None

    def declaration(self) -> str:
        """Returns what follows `type`."""
        return "button"

    def read(self, text: str) -> None:
        """It takes no value, and skips one."""
        return None


Option = Union[Check, Spin, Combo, String, Button]
"""An option of any type."""
