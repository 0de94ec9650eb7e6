//! The plies and options of both Frenzy and 2-Frenzy, and the reasons for refusing tokens and strings.

use std::fmt;

use crate::games::school::{largest_groups, name, named, only};
use crate::options::CAP;
use crate::{Board, Cell, Given, NotationError, OptionError, OptionSpec, Options, Position, Rejection};

/// A ply of Frenzy or 2-Frenzy, on a board with `FILES` files. Cells are numbered from 0 (a1), along each rank, upwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SchoolPly<const FILES: u8 = 8> {
    /// Replaces a fish by a shark: `Sd4`.
    Place(u8),
    /// Moves a fish, or a shark that captures: `c2c1`.
    Move {
        /// The cell of the animal.
        from: u8,
        /// The cell where it ends.
        to: u8,
    },
    /// Chooses the surviving group, named by this cell: `keep=a5`.
    Keep(u8),
    /// Does nothing, because no other ply is legal.
    Pass,
}

impl<const FILES: u8> SchoolPly<FILES> {
    const BOARD: Board = Board::new(FILES, 8);

    /// Reads a token, checking its spelling only.
    pub(crate) fn parse(token: &str) -> Option<Self> {
        let cell = |text| Self::BOARD.read_cell(text).map(|cell| cell as u8);
        if token == "pass" {
            return Some(Self::Pass);
        }
        if let Some(text) = token.strip_prefix('S') {
            return cell(text).map(Self::Place);
        }
        if let Some(text) = token.strip_prefix("keep=") {
            return cell(text).map(Self::Keep);
        }
        let (from, rest) = Self::BOARD.split_cell(token)?;
        cell(rest).map(|to| Self::Move { from: from as u8, to })
    }

    /// Rejects a token that is not spelled like a ply, naming the legal ply that it resembles.
    pub(crate) fn misspelt<P: Position<Ply = Self>>(position: &P, token: &str) -> Rejection {
        let mut meant = None;
        if token.len() <= MOST_RESEMBLING {
            let resemblances = resemblances(Self::BOARD, token);
            position.legal_plies(&mut |ply| {
                if resemblances.contains(&plain(&ply.to_string())) {
                    meant = Some(ply);
                }
            });
        }
        Rejection::NotAPly(match meant {
            Some(ply) => format!("did you mean {ply}?"),
            None => "a ply is two cells (c2c1), S and a cell (Sd4), keep= and a cell (keep=a5), or pass"
                .to_owned(),
        })
    }
}

/// Tokens of this length or more resemble nothing.
const MOST_RESEMBLING: usize = 64;

/// Returns the token in lower case, without the signs that other notations put between cells.
fn plain(token: &str) -> String {
    let is_sign = |letter: &char| !letter.is_ascii_alphanumeric() || matches!(letter, 'x' | 'X');
    token.chars().filter(|letter| !is_sign(letter)).map(|letter| letter.to_ascii_lowercase()).collect()
}

/// Returns plain tokens that the user may have meant.
fn resemblances(board: Board, token: &str) -> Vec<String> {
    let plain = plain(token);
    let mut all = vec![format!("s{plain}"), format!("keep{plain}")];
    // The cells of a whole chain of hops. Only its ends are written.
    if board.split_cell(&plain).is_some() {
        all.push(format!("{}{}", &plain[..2], &plain[plain.len() - 2..]));
    }
    all.push(plain);
    all
}

impl<const FILES: u8> fmt::Display for SchoolPly<FILES> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = |cell: u8| Self::BOARD.cell(usize::from(cell));
        match *self {
            Self::Place(cell) => write!(f, "S{}", named(cell)),
            Self::Move { from, to } => {
                named(from).fmt(f)?;
                named(to).fmt(f)
            }
            Self::Keep(cell) => write!(f, "keep={}", named(cell)),
            Self::Pass => f.write_str("pass"),
        }
    }
}

/// The options of Frenzy and 2-Frenzy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchoolOptions {
    max_turns: u32,
}

impl SchoolOptions {
    /// Returns the number of turns, counted over both seats, that draws the game.
    #[must_use]
    pub const fn max_turns(&self) -> u32 {
        self.max_turns
    }
}

impl Default for SchoolOptions {
    fn default() -> Self {
        Self { max_turns: 300 }
    }
}

impl Options for SchoolOptions {
    const SPECS: &'static [OptionSpec] = &[OptionSpec {
        name: "max-turns",
        default: "300",
        values: CAP,
        about: "the game is a draw after this many turns of both seats, placing not counted",
    }];

    fn take(given: &Given<'_>) -> Result<Self, OptionError> {
        let plain = Self::default();
        Ok(Self { max_turns: given.number("max-turns").unwrap_or(plain.max_turns) })
    }

    fn value(&self, _index: usize) -> String {
        self.max_turns.to_string()
    }
}

/// Why a `pass` is not legal.
pub(crate) const PASS_FAULT: &str = "a seat passes only when it has no other ply";

/// Returns why `keep=` may not name this cell; `None` if it may.
pub(crate) fn fault_of_keep(fish: u64, cell: u8) -> Option<String> {
    fault_of_choice(largest_groups(fish).map(|group| named(name(group))), named(cell))
}

/// Returns why `keep=` may not name this cell; `None` if it may. The groups have these names.
pub(crate) fn fault_of_choice(names: impl Iterator<Item = Cell>, cell: Cell) -> Option<String> {
    let names: Vec<_> = names.collect();
    if names.contains(&cell) {
        return None;
    }
    let mut names: Vec<_> = names.iter().map(Cell::to_string).collect();
    names.sort_unstable();
    let names = names.join(" or ");
    Some(format!("keep= names a group by its cell of the lowest file, then lowest rank: {names}"))
}

/// Returns why a fish on `from` with these targets may not move to `to`; `None` if it may.
pub(crate) fn fault_of_swim(targets: u64, empty: u64, from: u8, to: u8) -> Option<String> {
    fault_of_target(targets & only(to) != 0, empty & only(to) != 0, named(from), named(to))
}

/// Returns why a fish on `from` may not move to `to`; `None` if it may, which means that it can swim there.
pub(crate) fn fault_of_target(can_swim: bool, is_empty: bool, from: Cell, to: Cell) -> Option<String> {
    if can_swim {
        None
    } else if from == to {
        Some("a fish must end on another cell than it started from".to_owned())
    } else if !is_empty {
        Some(format!("{to} is not empty"))
    } else {
        Some(format!("no step and no chain of hops over fish leads from {from} to {to}"))
    }
}

/// The fault of turns completed before the sharks are placed.
pub(crate) const PLACING_FAULT: &str = "no turn is completed before all sharks are placed";
/// The fault of a choice without a tie.
pub(crate) const KEEP_FAULT: &str = "`keep` needs several groups of fish that are largest";

/// Returns the error about an unknown phase.
pub(crate) fn unknown_phase(phase: &str) -> NotationError {
    let fault = format!("`{}` is not `sharks`, `play` or `keep`", phase.escape_default());
    NotationError::new("phase", fault)
}
