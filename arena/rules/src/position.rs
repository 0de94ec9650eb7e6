//! The static interface of the rules: typed positions and plies.

use std::fmt::{Debug, Display};
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use thiserror::Error;

use crate::{Dice, NotationError, Options, Proof, Reason, RulesFault, Seat, SeatOut, Verdict};

/// The state of a position within the sequence of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The owner of the turn. The other seat may decide (Frenzy's `keep`).
    pub seat: Seat,
    /// Whether the turn is about to begin, before its first ply.
    pub is_fresh: bool,
}

/// Why a token is not accepted as a ply.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejection {
    /// The token is not a ply of this game in any position. The field gives the reason, as a fragment.
    #[error("{0}")]
    NotAPly(String),
    /// The token is spelled like a ply of this game but is not legal here. The field gives the reason.
    #[error("{0}")]
    Illegal(String),
    /// The rules of a game of one's own failed. No bot is to blame.
    #[error("{0}")]
    Rules(Box<RulesFault>),
}

impl Rejection {
    /// Returns the fault of the rules if they refuse a legal ply.
    #[must_use]
    pub fn into_fault(self, ply: &str) -> RulesFault {
        match self {
            Self::Rules(fault) => *fault,
            Self::NotAPly(why) | Self::Illegal(why) => RulesFault {
                game: String::new(),
                what: format!("a legal ply is refused: {why}"),
                question: ply.to_owned(),
                answer: None,
                stderr: Vec::new(),
            },
        }
    }
}

/// A position of a game: everything that play needs except the history for repetition.
///
/// `Eq` and `Hash` mean "the same for repetition": they ignore the options and the counters that `games.md` calls `n` and
/// `quiet`. `Display` writes the canonical position string, and [`Position::read`] accepts exactly these strings.
///
/// A position whose [`Position::outcome`] is `Some` has no legal plies, and must not be played on.
pub trait Position: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// The options of the game.
    type Options: Options;
    /// One decision of one seat. `Display` writes its only spelling.
    type Ply: Copy + Eq + Debug + Display + Send + 'static;

    /// Whether the third occurrence of a position is a draw in this game.
    const HAS_REPETITION: bool;
    /// Whether a seat may have to pass.
    const HAS_PASSES: bool = true;
    /// A line that explains how plies are written.
    const NOTATION: &'static str;

    /// Returns the start of the game.
    fn start(options: &Self::Options) -> Self;

    /// Reads a position string. It accepts only the canonical string of a position that does not contradict itself.
    ///
    /// # Errors
    /// If the string is wrong. The error says which part, and why.
    fn read(options: &Self::Options, text: &str) -> Result<Self, NotationError>;

    /// Returns how many seats the table has: 2 to [`Seat::MOST`].
    fn seats(&self) -> usize {
        2
    }

    /// Returns the seats that are out while the others play on, in order; empty at a table of two seats.
    fn out(&self) -> Vec<SeatOut> {
        Vec::new()
    }

    /// Removes a seat from the game because it committed a fault. The others play on, if two or more of them are left. It
    /// breaks off the seat's turn. If the seat is out already or the game is over, the position becomes unspecified, but there
    /// is no undefined behaviour.
    ///
    /// Returns the end of the game if the fault ends it, which no position string shows.
    fn fault(&mut self, seat: Seat) -> Option<Verdict> {
        Some(Verdict::win(seat.other(), Reason::Fault))
    }

    /// Returns the end of a game that stops undecided, for example by repetition: a draw, or the first place for all seats that
    /// are left.
    fn undecided(&self, reason: Reason) -> Verdict {
        Verdict::draw(reason)
    }

    /// Returns the seat that decides next. After the end no seat decides, but the position string still shows one.
    fn seat(&self) -> Seat;

    /// Returns whose turn it is and whether it is about to begin.
    fn turn(&self) -> Turn {
        Turn { seat: self.seat(), is_fresh: true }
    }

    /// Visits every legal ply, in a fixed order, without allocating. A forced `pass` is visited; a position
    /// whose game is over has no plies.
    fn legal_plies(&self, visit: &mut impl FnMut(Self::Ply));

    /// Returns a random legal ply; `None` when the game is over. Of `n` plies in the order of [`Position::legal_plies`], it is
    /// the one with the index that `dice` choose below `n`. `plies` is scratch space for a list.
    fn random_ply(&self, dice: &mut Dice, plies: &mut Vec<Self::Ply>) -> Option<Self::Ply> {
        random_listed(self, dice, plies)
    }

    /// Plays a legal ply. If `ply` is not legal, the position becomes unspecified, but there is no undefined behaviour.
    fn play_unchecked(&mut self, ply: Self::Ply);

    /// Returns how the game ended, from this position alone: by rules and caps, not by repetition.
    fn outcome(&self) -> Option<Verdict>;

    /// Returns what shows on the board that the game is over ([`Position::outcome`]), the winner's first. It is empty while the
    /// game continues, and if only the absence of something shows the end.
    fn proofs(&self) -> Vec<Proof> {
        Vec::new()
    }

    /// Returns a count for each seat, `p1` first, if the game has one that shows who is ahead, otherwise `None`. At the arena's
    /// own limit on plies, the greater count wins.
    ///
    /// Fanorona counts stones, Faust the discs of the seat's current colour, 2-Frenzy fish and sharks. In Frenzy `p2` has the
    /// living fish and `p1` those missing from a full school ([`Frenzy::FULL_SCHOOL`]).
    ///
    /// [`Frenzy::FULL_SCHOOL`]: crate::Frenzy::FULL_SCHOOL
    fn count(&self) -> Option<Vec<u32>> {
        None
    }

    /// Returns a number for what the next `plies` plies depend on but `Eq` ignores. Equal positions with the same number and
    /// equal options have the same lines.
    fn horizon(&self, plies: u32) -> u32;

    /// Reads a ply that is legal here.
    ///
    /// # Errors
    /// If the token is not a ply of the game ([`Rejection::NotAPly`]) or not legal here.
    fn read_ply(&self, token: &str) -> Result<Self::Ply, Rejection>;

    /// Returns whether the game is not over and the only legal ply is a forced `pass`.
    fn must_pass(&self) -> bool {
        self.read_ply("pass").is_ok()
    }

    /// Returns whether this position counts for repetition.
    fn counts_for_repetition(&self) -> bool {
        Self::HAS_REPETITION
    }

    /// Plays a ply if it is legal.
    ///
    /// # Errors
    /// As [`Position::read_ply`]; the position is then unchanged.
    fn play(&mut self, token: &str) -> Result<(), Rejection> {
        let ply = self.read_ply(token)?;
        self.play_unchecked(ply);
        Ok(())
    }

    /// Returns whether some ply of this position is `ply`.
    fn is_legal(&self, ply: Self::Ply) -> bool {
        let mut found = false;
        self.legal_plies(&mut |other| found |= other == ply);
        found
    }

    /// Returns a hash of the parts that count for repetition, the same on every platform and in every run.
    fn key(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

/// Lists the legal plies and returns one of them; `None` if there are none.
pub(crate) fn random_listed<P: Position>(
    position: &P,
    dice: &mut Dice,
    plies: &mut Vec<P::Ply>,
) -> Option<P::Ply> {
    plies.clear();
    position.legal_plies(&mut |ply| plies.push(ply));
    (!plies.is_empty()).then(|| plies[dice.below(plies.len())])
}
