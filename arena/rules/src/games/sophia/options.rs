//! The options of Sophia.

use crate::options::CAP;
use crate::{Board, Given, OptionError, OptionSpec, Options, Values};

use super::geometry::Directions;

/// Which side up a stone may be dropped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DropSide {
    /// Either side.
    #[default]
    Any,
    /// Only the side of the seat's own goal.
    Goal,
}

/// The winner when one jump meets both goals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BothLines {
    /// The seat that jumped.
    #[default]
    Jumper,
    /// The other seat.
    Opponent,
}

/// The options of Sophia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SophiaOptions {
    size: u8,
    stones: u8,
    line: u8,
    /// Which side up a stone may be dropped.
    pub drop: DropSide,
    /// The winner when one jump meets both goals.
    pub both: BothLines,
    /// The directions of steps and jumps.
    pub moves: Directions,
    /// The directions of lines.
    pub lines: Directions,
    /// Whether the second ply of the game may be a swap.
    pub swap: bool,
    /// The number of plies after which the game is a draw.
    pub max_moves: u32,
}

impl SophiaOptions {
    /// Returns the number of files, which equals that of ranks: 4 to 9.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// Returns the number of stones of each seat.
    #[must_use]
    pub const fn stones(&self) -> u8 {
        self.stones
    }

    /// Returns how many stones in a row form a line.
    #[must_use]
    pub const fn line(&self) -> u8 {
        self.line
    }

    /// Returns the board.
    #[must_use]
    pub const fn board(&self) -> Board {
        Board::new(self.size, self.size)
    }
}

/// Returns the most stones per seat that leave two cells empty.
const fn most_stones(size: u8) -> u8 {
    (size * size - 2) / 2
}

impl Default for SophiaOptions {
    fn default() -> Self {
        Self {
            size: 4,
            stones: most_stones(4),
            line: 4,
            drop: DropSide::Any,
            both: BothLines::Jumper,
            moves: Directions::All,
            lines: Directions::All,
            swap: false,
            max_moves: 200,
        }
    }
}

impl Options for SophiaOptions {
    const SPECS: &'static [OptionSpec] = &[
        OptionSpec { name: "size", default: "4", values: Values::Range(4, 9), about: "files and ranks" },
        OptionSpec {
            name: "stones",
            default: "as many as leave two cells empty",
            values: Values::Range(1, most_stones(9) as u32),
            about: "stones of each seat, at most the default",
        },
        OptionSpec {
            name: "line",
            default: "4",
            values: Values::Range(3, 9),
            about: "stones in a row that make a line, at most the size",
        },
        OptionSpec {
            name: "drop",
            default: "any",
            values: Values::Words(&["any", "goal"]),
            about: "which side up stones are dropped: any, or that of the own goal",
        },
        OptionSpec {
            name: "both",
            default: "jumper",
            values: Values::Words(&["jumper", "opponent"]),
            about: "who wins when one jump meets both goals",
        },
        OptionSpec {
            name: "moves",
            default: "all",
            values: DIRECTIONS,
            about: "the directions of steps and jumps",
        },
        OptionSpec { name: "lines", default: "all", values: DIRECTIONS, about: "the directions of lines" },
        OptionSpec {
            name: "swap",
            default: "off",
            values: Values::Words(&["on", "off"]),
            about: "whether the second ply may exchange the seats' sets and goals",
        },
        OptionSpec {
            name: "max-moves",
            default: "200",
            values: CAP,
            about: "plies after which it is a draw",
        },
    ];

    fn take(given: &Given<'_>) -> Result<Self, OptionError> {
        let plain = Self::default();
        let size = small(given, "size").unwrap_or(plain.size);
        let stones = small(given, "stones").unwrap_or(most_stones(size));
        let line = small(given, "line").unwrap_or(plain.line);
        fit("stones", stones, 1, most_stones(size))?;
        fit("line", line, 3, size)?;
        Ok(Self {
            size,
            stones,
            line,
            drop: if given.text("drop") == Some("goal") { DropSide::Goal } else { DropSide::Any },
            both: match given.text("both") {
                Some("opponent") => BothLines::Opponent,
                _ => BothLines::Jumper,
            },
            moves: directions(given, "moves"),
            lines: directions(given, "lines"),
            swap: given.text("swap") == Some("on"),
            max_moves: given.number("max-moves").unwrap_or(plain.max_moves),
        })
    }

    fn value(&self, index: usize) -> String {
        let word = match Self::SPECS[index].name {
            "size" => return self.size.to_string(),
            "stones" => return self.stones.to_string(),
            "line" => return self.line.to_string(),
            "drop" => match self.drop {
                DropSide::Any => "any",
                DropSide::Goal => "goal",
            },
            "both" => match self.both {
                BothLines::Jumper => "jumper",
                BothLines::Opponent => "opponent",
            },
            "moves" => self.moves.word(),
            "lines" => self.lines.word(),
            "swap" if self.swap => "on",
            "swap" => "off",
            _ => return self.max_moves.to_string(),
        };
        word.to_owned()
    }
}

const DIRECTIONS: Values = Values::Words(&["all", "orthogonal"]);

fn directions(given: &Given<'_>, key: &str) -> Directions {
    if given.text(key) == Some("orthogonal") { Directions::Orthogonal } else { Directions::All }
}

fn small(given: &Given<'_>, key: &str) -> Option<u8> {
    given.number(key).and_then(|number| u8::try_from(number).ok())
}

fn fit(key: &str, value: u8, low: u8, high: u8) -> Result<(), OptionError> {
    if (low..=high).contains(&value) {
        return Ok(());
    }
    let allowed = Values::Range(low.into(), high.into()).to_string();
    Err(OptionError::Value { key: key.to_owned(), value: value.to_string(), allowed })
}
