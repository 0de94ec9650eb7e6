//! The object-safe interface of the rules: text in, text out, with the history that repetition needs.

use std::collections::HashMap;
use std::fmt::Write as _;

use rustc_hash::FxBuildHasher;

use crate::{End, Position, PositionView, Reason, Rejection, RulesFault, Seat, SeatOut, Turn, Verdict};

/// The legal plies of a game, in the order of [`Referee::legal`], each with the game after it.
pub type Successors = Vec<(String, Box<dyn Referee>)>;

/// A game in progress, with text as its interface.
pub trait Referee: Send {
    /// Returns how many seats the table has: 2 to [`Seat::MOST`].
    fn seats(&self) -> usize {
        2
    }

    /// Returns the seats that are out while the others play on, in order ([`Position::out`]). Seats that went out at the end of
    /// the game are not among them; the outcome has their places.
    fn out(&self) -> Vec<SeatOut> {
        Vec::new()
    }

    /// Removes a seat from the game because it committed a fault. Its turn, if any, is broken off, and the others play on if
    /// two or more of them are left. At a table of two seats the other seat wins.
    ///
    /// # Errors
    /// If the table does not have the seat, it is out already, or the game is over ([`Rejection::Illegal`]). Then nothing
    /// changes.
    fn fault(&mut self, seat: Seat) -> Result<(), Rejection>;

    /// Returns the seat that decides next.
    fn seat(&self) -> Seat;

    /// Returns whose turn it is and whether it is about to begin.
    fn turn(&self) -> Turn;

    /// Returns the canonical string of the current position.
    fn position(&self) -> String;

    /// Returns the legal plies, sorted by byte value; empty when the game is over.
    fn legal(&self) -> Vec<String>;

    /// Returns whether the only legal ply is a forced `pass`.
    fn must_pass(&self) -> bool;

    /// Returns how game logs spell a legal ply, if differently.
    fn san(&self, _ply: &str) -> Option<&str> {
        None
    }

    /// Plays a ply.
    ///
    /// # Errors
    /// If the token is not accepted; the error gives the reason. Then nothing changes.
    fn submit(&mut self, ply: &str) -> Result<(), Rejection>;

    /// Returns each legal ply with a copy of the game after it, for searches; empty when the game is over.
    ///
    /// # Errors
    /// If the rules of a game of one's own fail.
    fn successors(&self) -> Result<Successors, RulesFault> {
        let after = |ply: String| {
            let mut next = self.fork();
            next.submit(&ply).map_err(|rejection| rejection.into_fault(&ply))?;
            Ok((ply, next))
        };
        self.legal().into_iter().map(after).collect()
    }

    /// Returns how the game ended, if it did: by its rules, by repetition or by a cap.
    fn outcome(&self) -> Option<Verdict>;

    /// Returns the same with the proofs on the board ([`Position::proofs`]).
    fn end(&self) -> Option<End> {
        self.outcome().map(End::plain)
    }

    /// Returns the count of each seat, `p1` first ([`Position::count`]); `None` if the game has no count.
    fn count(&self) -> Option<Vec<u32>>;

    /// Returns what code that draws the position needs besides its string; empty if the string suffices.
    fn view(&self) -> PositionView {
        PositionView::default()
    }

    /// Returns an independent copy.
    fn fork(&self) -> Box<dyn Referee>;
}

/// Returns an error if a seat cannot commit a fault.
///
/// # Errors
/// As [`Referee::fault`].
pub fn refuse_fault(referee: &dyn Referee, seat: Seat) -> Result<(), Rejection> {
    let refuse = |why: String| Err(Rejection::Illegal(why));
    if let Some(verdict) = referee.outcome() {
        refuse(format!("the game is over ({})", verdict.reason))
    } else if seat.index() >= referee.seats() {
        refuse(format!("there is no {seat} at a table of {}", referee.seats()))
    } else if referee.out().iter().any(|out| out.seat == seat) {
        refuse(format!("{seat} is out already"))
    } else {
        Ok(())
    }
}

/// A position with the history of its game.
#[derive(Clone, Debug)]
pub struct RefereedPosition<P: Position> {
    position: P,
    /// How often each position that counts for repetition was reached.
    seen: HashMap<P, u32, FxBuildHasher>,
    /// How the game ended with the last ply, if it did.
    outcome: Option<Verdict>,
}

impl<P: Position> RefereedPosition<P> {
    /// The occurrence of a position that draws the game.
    const OCCURRENCES: u32 = 3;

    /// Starts a game from `position`, which counts as its own first occurrence.
    pub fn new(position: P) -> Self {
        let mut table = Self { position, seen: HashMap::default(), outcome: None };
        table.note();
        table
    }

    /// Returns the current position.
    pub const fn current(&self) -> &P {
        &self.position
    }

    /// Counts the current position, and determines the outcome.
    fn note(&mut self) {
        let is_repeated = self.position.counts_for_repetition() && {
            let count = self.seen.entry(self.position.clone()).or_insert(0);
            *count += 1;
            *count >= Self::OCCURRENCES
        };
        // A result by the rules has precedence, then repetition, then a cap.
        self.outcome = match self.position.outcome() {
            Some(verdict) if !verdict.reason.is_cap() => Some(verdict),
            _ if is_repeated => Some(self.position.undecided(Reason::Repetition)),
            other => other,
        };
    }
}

impl<P: Position> Referee for RefereedPosition<P> {
    fn seats(&self) -> usize {
        self.position.seats()
    }

    fn out(&self) -> Vec<SeatOut> {
        self.position.out()
    }

    fn fault(&mut self, seat: Seat) -> Result<(), Rejection> {
        refuse_fault(self, seat)?;
        match self.position.fault(seat) {
            Some(verdict) => self.outcome = Some(verdict),
            None => self.note(),
        }
        Ok(())
    }

    fn seat(&self) -> Seat {
        self.position.seat()
    }

    fn turn(&self) -> Turn {
        self.position.turn()
    }

    fn position(&self) -> String {
        // Longer than most: a growing string is moved several times.
        let mut text = String::with_capacity(128);
        let _ = write!(text, "{}", self.position);
        text
    }

    fn legal(&self) -> Vec<String> {
        let mut plies = Vec::new();
        if self.outcome().is_none() {
            // A growing string is moved several times: only this one is.
            let mut text = String::new();
            self.position.legal_plies(&mut |ply| {
                text.clear();
                let _ = write!(text, "{ply}");
                plies.push(text.as_str().to_owned());
            });
            plies.sort_unstable();
        }
        plies
    }

    fn must_pass(&self) -> bool {
        self.outcome.is_none() && self.position.must_pass()
    }

    fn submit(&mut self, ply: &str) -> Result<(), Rejection> {
        if let Some(verdict) = self.outcome() {
            return Err(Rejection::Illegal(format!("the game is over ({})", verdict.reason)));
        }
        self.position.play(ply)?;
        self.note();
        Ok(())
    }

    fn outcome(&self) -> Option<Verdict> {
        self.outcome
    }

    fn end(&self) -> Option<End> {
        self.outcome().map(|verdict| End { proofs: self.position.proofs(), ..End::plain(verdict) })
    }

    fn count(&self) -> Option<Vec<u32>> {
        self.position.count()
    }

    fn fork(&self) -> Box<dyn Referee> {
        Box::new(self.clone())
    }
}
