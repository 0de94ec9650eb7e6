//! What bots choose plies of: positions of built-in games, and of games of one's own.

use std::cell::RefCell;
use std::collections::hash_map::DefaultHasher;
use std::fmt::Display;
use std::hash::{Hash as _, Hasher as _};
use std::rc::Rc;

use rules::{Position, Referee, RulesFault, Seat, Turn, Verdict};

use crate::evaluation;
use crate::stop_flag::StopFlag;

/// A position that a bot can choose a ply of. Every [`Position`] is one; a position of a game of one's own is another, which asks
/// the rules.
///
/// Methods that [`Position`] has, too, mean the same.
pub trait GamePosition: Clone + 'static {
    /// One decision of one seat; `Display` writes its only spelling.
    type Ply: Clone + PartialEq + Display + 'static;

    /// After how many positions a search looks at the clock again: fewer where a position takes long.
    const LOOK_EVERY: u64;

    /// Returns the seat that decides next.
    fn seat(&self) -> Seat;

    /// Returns whose turn it is and whether it is about to begin.
    fn turn(&self) -> Turn;

    /// Returns how the game ended.
    fn outcome(&self) -> Option<Verdict>;

    /// Visits every legal ply, in a fixed order.
    fn legal_plies(&self, visit: &mut impl FnMut(Self::Ply));

    /// Visits every legal ply, in the same order, with the position after it.
    fn children(&self, visit: &mut impl FnMut(Self::Ply, Self));

    /// Plays a legal ply.
    fn play_legal(&mut self, ply: &Self::Ply);

    /// Returns a hash of the position, the same in every run.
    fn key(&self) -> u64;

    /// Returns whether a search counts this position for repetition. It need not where [`GamePosition::outcome`] does.
    fn counts_for_repetition(&self) -> bool;

    /// Scores a position that is not over for `seat`: see [`evaluate()`](crate::evaluate).
    fn evaluate(&self, seat: Seat) -> i32;

    /// Returns whether `seat` wins with one ply of this position. Where the evaluation sees threats, nobody looks: `false`.
    fn wins_at_once(&self, seat: Seat) -> bool {
        let _ = seat;
        false
    }
}

impl<P: Position> GamePosition for P {
    type Ply = P::Ply;

    const LOOK_EVERY: u64 = 512;

    fn seat(&self) -> Seat {
        Position::seat(self)
    }

    fn turn(&self) -> Turn {
        Position::turn(self)
    }

    fn outcome(&self) -> Option<Verdict> {
        Position::outcome(self)
    }

    fn legal_plies(&self, visit: &mut impl FnMut(P::Ply)) {
        Position::legal_plies(self, visit);
    }

    fn children(&self, visit: &mut impl FnMut(P::Ply, Self)) {
        Position::legal_plies(self, &mut |ply| {
            let mut next = self.clone();
            next.play_unchecked(ply);
            visit(ply, next);
        });
    }

    fn play_legal(&mut self, ply: &P::Ply) {
        self.play_unchecked(*ply);
    }

    fn key(&self) -> u64 {
        Position::key(self)
    }

    fn counts_for_repetition(&self) -> bool {
        Position::counts_for_repetition(self)
    }

    fn evaluate(&self, seat: Seat) -> i32 {
        evaluation::evaluate(self, seat)
    }
}

/// Returns some legal ply of a position whose game is not over.
pub(crate) fn any_ply<P: GamePosition>(position: &P) -> P::Ply {
    let mut first = None;
    position.legal_plies(&mut |ply| {
        first.get_or_insert(ply);
    });
    first.expect("a game that is not over has a legal ply")
}

/// What a difference of one is worth in what seats have on the board.
const COUNTED: i64 = 100;

/// The best evaluation of a position that is not won.
const MOST: i64 = 500_000;

/// A position of a game of one's own. Where its rules fail, the search is told to stop, and nothing more is asked of them: the
/// position then has no plies, or stays as it is.
#[derive(Clone)]
pub(crate) struct OwnPosition {
    referee: Rc<dyn Referee>,
    key: u64,
    failure: Rc<Failure>,
}

/// Whether the rules have failed in a search, and what is then to be done.
#[derive(Debug, Default)]
struct Failure {
    fault: RefCell<Option<RulesFault>>,
    stop: StopFlag,
}

impl OwnPosition {
    /// Returns the root of a search, which `stop` ends.
    pub(crate) fn new(referee: Box<dyn Referee>, stop: StopFlag) -> Self {
        Self::of(referee, Rc::new(Failure { fault: RefCell::default(), stop }))
    }

    fn of(referee: Box<dyn Referee>, failure: Rc<Failure>) -> Self {
        let mut hasher = DefaultHasher::new();
        referee.position().hash(&mut hasher);
        Self { key: hasher.finish(), referee: referee.into(), failure }
    }

    /// Returns how the rules have failed since the search began.
    pub(crate) fn fault(&self) -> Option<RulesFault> {
        self.failure.fault.borrow().clone()
    }

    /// Asks the rules, if they have not failed before.
    fn ask<T>(&self, question: impl FnOnce(&dyn Referee) -> Result<T, RulesFault>) -> Option<T> {
        let mut fault = self.failure.fault.borrow_mut();
        if fault.is_some() {
            return None;
        }
        match question(&*self.referee) {
            Ok(answer) => Some(answer),
            Err(error) => {
                *fault = Some(error);
                self.failure.stop.raise();
                None
            }
        }
    }
}

impl GamePosition for OwnPosition {
    type Ply = Rc<str>;

    const LOOK_EVERY: u64 = 1;

    fn seat(&self) -> Seat {
        self.referee.seat()
    }

    fn turn(&self) -> Turn {
        self.referee.turn()
    }

    fn outcome(&self) -> Option<Verdict> {
        self.referee.outcome()
    }

    fn legal_plies(&self, visit: &mut impl FnMut(Rc<str>)) {
        self.referee.legal().into_iter().for_each(|ply| visit(ply.into()));
    }

    fn children(&self, visit: &mut impl FnMut(Rc<str>, Self)) {
        for (ply, next) in self.ask(|referee| referee.successors()).into_iter().flatten() {
            visit(ply.into(), Self::of(next, Rc::clone(&self.failure)));
        }
    }

    fn play_legal(&mut self, ply: &Rc<str>) {
        let next = self.ask(|referee| {
            let mut next = referee.fork();
            next.submit(ply).map_err(|rejection| rejection.into_fault(ply))?;
            Ok(next)
        });
        if let Some(next) = next {
            *self = Self::of(next, Rc::clone(&self.failure));
        }
    }

    fn key(&self) -> u64 {
        self.key
    }

    // The referee has the history of the game.
    fn counts_for_repetition(&self) -> bool {
        false
    }

    fn evaluate(&self, seat: Seat) -> i32 {
        let Some([p1, p2]) = self.referee.count().and_then(|count| <[u32; 2]>::try_from(count).ok()) else {
            return 0;
        };
        let score = (COUNTED * (i64::from(p1) - i64::from(p2))).clamp(-MOST, MOST) as i32;
        match seat {
            Seat::P1 => score,
            _ => -score,
        }
    }

    fn wins_at_once(&self, seat: Seat) -> bool {
        let mut wins = false;
        if self.outcome().is_none() && self.seat() == seat {
            self.children(&mut |_, next| {
                wins |= next.outcome().is_some_and(|verdict| verdict.outcome.winner() == Some(seat));
            });
        }
        wins
    }
}
