//! The static face of the rules: typed positions and plies.

use std::fmt::{Debug, Display};
use std::hash::{Hash, Hasher};

use rustc_hash::FxHasher;
use thiserror::Error;

use crate::{Dice, NotationError, Options, Proof, Reason, RulesFault, Seat, SeatOut, Verdict};

/// Where a position stands in the sequence of turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Whose turn it is; the seat that decides may be the other one (Frenzy's `keep`).
    pub seat: Seat,
    /// Whether the turn is about to begin: no ply of it has been played.
    pub is_fresh: bool,
}

/// Why a token was not accepted as a ply.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Rejection {
    /// The token is not a ply of this game in any position. The field says why, as a fragment.
    #[error("{0}")]
    NotAPly(String),
    /// The token is spelled like a ply of this game but is not legal here. The field says why.
    #[error("{0}")]
    Illegal(String),
    /// The rules of a game of one's own failed: nobody at the board is to blame.
    #[error("{0}")]
    Rules(Box<RulesFault>),
}

impl Rejection {
    /// Returns the fault of the rules that the rejection of a legal ply is.
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

/// A position of a game, with everything that play needs but the history of repetition.
///
/// `Eq` and `Hash` mean "the same for repetition": they leave out the counters that `games.md` calls `n` and
/// `quiet`, and options. `Display` writes the canonical position string and [`Position::read`] takes exactly
/// these strings.
///
/// A position whose [`Position::outcome`] is `Some` has no legal plies; playing on from it is not allowed.
pub trait Position: Clone + Eq + Hash + Debug + Display + Send + Sync + 'static {
    /// The options of the game.
    type Options: Options;
    /// One decision of one seat; `Display` writes its only spelling.
    type Ply: Copy + Eq + Debug + Display + Send + 'static;

    /// Whether the third occurrence of a position is a draw in this game.
    const HAS_REPETITION: bool;
    /// Whether a seat may have to pass.
    const HAS_PASSES: bool = true;
    /// How plies are written, in a line for people.
    const NOTATION: &'static str;

    /// Returns the start of the game.
    fn start(options: &Self::Options) -> Self;

    /// Reads a position string. Strict: only the canonical string of a position that does not contradict
    /// itself is taken.
    ///
    /// # Errors
    /// Says which part of the string is wrong, and why.
    fn read(options: &Self::Options, text: &str) -> Result<Self, NotationError>;

    /// Returns how many seats the table has: 2 to [`Seat::MOST`].
    fn seats(&self) -> usize {
        2
    }

    /// Returns the seats that are out while the others play on, in order; of two, none ever is.
    fn out(&self) -> Vec<SeatOut> {
        Vec::new()
    }

    /// Takes a seat out of the game because it commits a fault: the others play on, if there are two or more of them. A turn of
    /// its own is broken off. Anything may happen to the position if the seat is out already or the game is over, except
    /// undefined behaviour.
    ///
    /// Returns how the game ends, if that is its end, which no position string shows.
    fn fault(&mut self, seat: Seat) -> Option<Verdict> {
        Some(Verdict::win(seat.other(), Reason::Fault))
    }

    /// Returns the end of a game that stops undecided, by repetition for example: a draw, or the first place for all seats that
    /// are left.
    fn undecided(&self, reason: Reason) -> Verdict {
        Verdict::draw(reason)
    }

    /// Returns the seat that decides next (also after the end, where nobody decides: the string shows it).
    fn seat(&self) -> Seat;

    /// Returns whose turn it is and whether it is about to begin.
    fn turn(&self) -> Turn {
        Turn { seat: self.seat(), is_fresh: true }
    }

    /// Visits every legal ply, in a fixed order, without allocating. A forced `pass` is visited; a position
    /// whose game is over has no plies.
    fn legal_plies(&self, visit: &mut impl FnMut(Self::Ply));

    /// Returns a random legal ply, or nothing when the game is over: of `n` plies in the order of
    /// [`Position::legal_plies`] the one whose place `dice` choose below `n`. They are listed in `plies`, if at all.
    fn random_ply(&self, dice: &mut Dice, plies: &mut Vec<Self::Ply>) -> Option<Self::Ply> {
        random_listed(self, dice, plies)
    }

    /// Plays a legal ply. Anything may happen to the position if `ply` is not legal, except undefined
    /// behaviour.
    fn play_unchecked(&mut self, ply: Self::Ply);

    /// Returns how the game ended, judged by this position alone: rules and caps, not repetition.
    fn outcome(&self) -> Option<Verdict>;

    /// Returns what shows on the board that the game is over ([`Position::outcome`]), the winner's first; nothing while it
    /// goes on, and where only the absence of something shows it.
    fn proofs(&self) -> Vec<Proof> {
        Vec::new()
    }

    /// Returns what each seat has on the board, `p1` first, where the game has a count that tells who is ahead; `None`
    /// where it has none. It decides games at the arena's own limit on plies: the greater count wins.
    ///
    /// Fanorona counts stones, Faust the discs of the colour that a seat has now, 2-Frenzy fish and sharks. In Frenzy
    /// `p2` has the fish that live and `p1` those that are missing from a full school ([`Frenzy::FULL_SCHOOL`]).
    ///
    /// [`Frenzy::FULL_SCHOOL`]: crate::Frenzy::FULL_SCHOOL
    fn count(&self) -> Option<Vec<u32>> {
        None
    }

    /// Returns what the lines of the next `plies` plies depend on, but `Eq` leaves out: positions that are equal
    /// and return the same number have the same lines, if their options are equal too.
    fn horizon(&self, plies: u32) -> u32;

    /// Reads a ply that is legal here.
    ///
    /// # Errors
    /// Says why the token is not a ply of the game ([`Rejection::NotAPly`]) or not legal here.
    fn read_ply(&self, token: &str) -> Result<Self::Ply, Rejection>;

    /// Returns whether the only legal ply of this position, where its game is not over, is a forced `pass`.
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

    /// Returns a hash of what counts for repetition, the same on every platform and in every run.
    fn key(&self) -> u64 {
        let mut hasher = FxHasher::default();
        self.hash(&mut hasher);
        hasher.finish()
    }
}

/// Lists the legal plies and returns one of them, or nothing when there are none.
pub(crate) fn random_listed<P: Position>(
    position: &P,
    dice: &mut Dice,
    plies: &mut Vec<P::Ply>,
) -> Option<P::Ply> {
    plies.clear();
    position.legal_plies(&mut |ply| plies.push(ply));
    (!plies.is_empty()).then(|| plies[dice.below(plies.len())])
}
