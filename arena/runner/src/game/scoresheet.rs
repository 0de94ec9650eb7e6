//! The scoresheet of a game: the referee, the clocks, whose turn it is, and every ply.
//!
//! It does no I/O and reads no clock.

use std::time::Duration;

use protocol::{After, GameEnd, Moves, Pairs, Start};
use record::{InfoRecord, PlyRecord, ProcessTimes};
use rules::{PerSeat, Referee, Rejection, RulesFault, Seat, SeatOut, Verdict};
use settings::Adjudication;

use crate::clock::{Charge, Clock};
use crate::game::adjudication::{Count, adjudicate};
use crate::game::conclusion::Conclusion;
use crate::player::announced;

/// The state of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Situation {
    /// The number of the ply that comes next, from 1.
    pub ply: usize,
    /// The position string.
    pub position: String,
    /// Every legal ply, in byte order.
    pub legal: Vec<String>,
}

/// The scoresheet of a game.
pub(crate) struct Scoresheet {
    referee: Box<dyn Referee>,
    /// The start, as bots receive it.
    start: Start,
    clocks: PerSeat<Clock>,
    plies: Vec<PlyRecord>,
    /// The plies, as bots receive them.
    moves: Moves,
    opening: u32,
    /// The number of the turn of the last ply, from 1.
    turn: u32,
    /// How many turns each seat has begun.
    own_turns: PerSeat<u64>,
    /// Whether the owner of the current turn was asked in it.
    is_asked: bool,
    /// The turn in which each seat was asked last.
    asked: PerSeat<Option<u32>>,
    /// The seats that are out, at a table of more than two seats.
    out: Vec<Seat>,
    /// The time spent on the current ply, over all tries.
    spent: Option<Duration>,
    /// The processor and waiting time of the decider's process in that time, if measured.
    used: Option<ProcessTimes>,
}

impl Scoresheet {
    /// Begins a game with an opening, which no bot decides. `start` is the position string of the referee's position if that is
    /// not the game's own start.
    ///
    /// # Errors
    /// When a ply of the opening is not legal.
    pub(crate) fn new(
        referee: Box<dyn Referee>,
        start: Option<&str>,
        clocks: PerSeat<Clock>,
        opening: &[String],
    ) -> Result<Self, Rejection> {
        let seats = clocks.len();
        let mut scoresheet = Self {
            out: referee.out().iter().map(|out| out.seat).collect(),
            referee,
            start: start.map_or(Start::StartPosition, |start| Start::Fen(start.to_owned())),
            clocks,
            plies: Vec::new(),
            moves: Moves::new(),
            opening: 0,
            turn: 0,
            own_turns: PerSeat::new(seats, |_| 0),
            is_asked: false,
            asked: PerSeat::new(seats, |_| None),
            spent: None,
            used: None,
        };
        for ply in opening {
            scoresheet.record(ply, None)?;
            scoresheet.opening += 1;
        }
        Ok(scoresheet)
    }

    /// Returns an independent copy.
    pub(crate) fn fork(&self) -> Self {
        Self {
            referee: self.referee.fork(),
            start: self.start.clone(),
            clocks: self.clocks.clone(),
            plies: self.plies.clone(),
            moves: self.moves.clone(),
            own_turns: self.own_turns.clone(),
            asked: self.asked.clone(),
            out: self.out.clone(),
            ..*self
        }
    }

    /// Returns the rules' view of the game.
    pub(crate) fn referee(&self) -> &dyn Referee {
        self.referee.as_ref()
    }

    /// Returns how the game ended by its rules, if it did.
    pub(crate) fn outcome(&self) -> Option<Verdict> {
        self.referee.outcome()
    }

    /// Returns the state of the game.
    pub(crate) fn scene(&self) -> Situation {
        Situation { ply: self.next_number(), position: self.referee.position(), legal: self.referee.legal() }
    }

    /// Returns the game after the opponent of `seat`, which does not decide now, has played this ply; `None` unless `seat` then
    /// decides.
    pub(crate) fn foresee(&self, seat: Seat, ply: &str) -> Option<Box<dyn Referee>> {
        if self.outcome().is_some() || self.referee.must_pass() || self.referee.seat() == seat {
            return None;
        }
        let mut next = self.referee.fork();
        next.submit(ply).ok()?;
        (next.outcome().is_none() && next.seat() == seat && !next.must_pass()).then_some(next)
    }

    /// Returns the start as bots receive it.
    pub(crate) const fn start(&self) -> &Start {
        &self.start
    }

    /// Returns the plies as bots receive them.
    pub(crate) const fn moves(&self) -> &Moves {
        &self.moves
    }

    /// Returns every ply so far, as recorded.
    pub(crate) fn plies(&self) -> &[PlyRecord] {
        &self.plies
    }

    /// Returns how many plies are the opening.
    pub(crate) const fn opening(&self) -> u32 {
        self.opening
    }

    /// Returns the number of the ply that comes next, from 1.
    pub(crate) fn next_number(&self) -> usize {
        self.plies.len() + 1
    }

    /// Returns whether no bot has decided anything yet.
    pub(crate) fn is_untouched(&self) -> bool {
        self.plies.iter().skip(self.opening as usize).all(|ply| ply.us.is_none())
    }

    /// Returns the number, from 1, of a seat's current own turn, or of its last one if it has none now.
    pub(crate) fn own_turn(&self, seat: Seat) -> u64 {
        let turn = self.referee.turn();
        self.own_turns[seat.index()] + u64::from(turn.seat == seat && self.begins_turn())
    }

    /// Returns how the game ends here, if its turn is over and the arena must end it.
    pub(crate) fn adjudicate(&self, rules: &Adjudication) -> Option<Conclusion> {
        if rules.is_off() || !self.referee.turn().is_fresh {
            return None;
        }
        adjudicate(rules, &self.plies, self.opening as usize, &Count::of(self.referee()))
    }

    /// Returns the clock of a seat.
    pub(crate) fn clock(&self, seat: Seat) -> &Clock {
        &self.clocks[seat]
    }

    /// Returns the seats of the table, in order.
    pub(crate) fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone + use<> {
        self.clocks.seats()
    }

    /// Returns whether the others play on when a seat goes out.
    pub(crate) fn is_table(&self) -> bool {
        self.clocks.len() > 2
    }

    /// Returns whether a seat is out.
    pub(crate) fn is_out(&self, seat: Seat) -> bool {
        self.out.contains(&seat)
    }

    /// Removes a seat from the game at a table of more than two seats, because it has committed a fault or resigned.
    ///
    /// # Errors
    /// When it is out already, or the game is over.
    pub(crate) fn put_out(&mut self, seat: Seat) -> Result<(), Rejection> {
        self.referee.fault(seat)?;
        self.out.push(seat);
        // SPEC 6.4.20: the plies do not show it, so bots receive the game from the resulting position.
        (self.start, self.moves) = (Start::Fen(self.referee.position()), Moves::new());
        // The interrupted turn is over, even if another seat decided in it.
        (self.spent, self.used) = (None, None);
        if self.referee.turn().is_fresh {
            self.is_asked = false;
        }
        Ok(())
    }

    /// Returns the seats that have gone out by the rules since the last call, at a table of more than two seats.
    pub(crate) fn newly_out(&mut self) -> Vec<SeatOut> {
        if !self.is_table() {
            return Vec::new();
        }
        let mut out = self.referee.out();
        out.retain(|out| !self.out.contains(&out.seat));
        self.out.extend(out.iter().map(|out| out.seat));
        out
    }

    /// Plays the forced pass of the seat that decides.
    ///
    /// # Errors
    /// When the rules do not accept it.
    pub(crate) fn pass(&mut self) -> Result<(), Rejection> {
        self.record("pass", None)
    }

    /// Records that the seat that decides is asked, and returns it.
    pub(crate) fn ask(&mut self) -> Seat {
        let (seat, turn) = (self.referee.seat(), self.referee.turn());
        let number = self.next_turn();
        if turn.is_fresh {
            self.is_asked = false;
        }
        self.is_asked |= turn.seat == seat;
        // SPEC 6.5: the time for a turn covers all of it, even if other seats decide in between.
        if self.asked[seat.index()].replace(number) != Some(number) {
            self.clocks[seat.index()].begin(turn.seat == seat);
        }
        seat
    }

    /// Records the processor and waiting time of the decider's process.
    pub(crate) fn note_used(&mut self, times: ProcessTimes) {
        let used = self.used.get_or_insert_default();
        used.cpu_us = used.cpu_us.saturating_add(times.cpu_us);
        used.wait_us = used.wait_us.saturating_add(times.wait_us);
    }

    /// Returns how long the decider's process waited for a processor, if measured.
    pub(crate) fn waited(&self) -> Option<Duration> {
        self.used.map(|used| Duration::from_micros(used.wait_us))
    }

    /// Charges the seat that decides for the time of an answer, in time or not.
    pub(crate) fn charge(&mut self, spent: Duration) -> Charge {
        self.charge_by(|clock| (spent, clock.charge(spent)))
    }

    /// Charges the seat that decides for the whole time of a wait without an answer.
    pub(crate) fn charge_silence(&mut self) {
        self.charge_by(|clock| (clock.charge_silence(), ()));
    }

    /// Charges the decider's clock through `charge`, which returns the time and its effect.
    fn charge_by<T>(&mut self, charge: impl FnOnce(&mut Clock) -> (Duration, T)) -> T {
        let seat = self.referee.seat();
        let before = self.clocks[seat.index()].remaining();
        let (spent, charge) = charge(&mut self.clocks[seat.index()]);
        *self.spent.get_or_insert_default() += spent;
        // An hourglass has two sides.
        if !self.is_table()
            && self.clocks.iter().all(Clock::is_hourglass)
            && let (Some(before), Some(after)) = (before, self.clocks[seat].remaining())
        {
            self.clocks[seat.other()].gain(before.saturating_sub(after));
        }
        charge
    }

    /// Plays a ply that a bot has decided.
    ///
    /// # Errors
    /// When it is not legal. Then nothing changes.
    pub(crate) fn play(&mut self, ply: &str, info: Option<InfoRecord>) -> Result<(), Rejection> {
        self.record(ply, info)
    }

    /// Plays a legal ply for a bot that failed to decide. `choose` picks a number below the count of legal plies.
    ///
    /// # Errors
    /// When the rules contradict themselves.
    pub(crate) fn play_for(&mut self, choose: impl FnOnce(usize) -> usize) -> Result<String, Rejection> {
        let mut legal = self.referee.legal();
        let ply = legal.swap_remove(choose(legal.len()));
        self.record(&ply, None)?;
        if let Some(last) = self.plies.last_mut() {
            last.fallback = true;
        }
        Ok(ply)
    }

    /// Returns whether the seat may decide again, because the turn in which it was asked is not over.
    pub(crate) fn goes_on_for(&self, seat: Seat) -> bool {
        self.outcome().is_none()
            && self.referee.seat() == seat
            && !self.referee.turn().is_fresh
            && !self.referee.must_pass()
    }

    /// Returns the plies and how many of them are the opening.
    pub(crate) fn into_plies(self) -> (Vec<PlyRecord>, u32) {
        (self.plies, self.opening)
    }

    /// Returns the number of the turn to which the next ply belongs.
    fn next_turn(&self) -> u32 {
        self.turn + u32::from(self.begins_turn())
    }

    /// Returns whether the next ply begins a turn.
    fn begins_turn(&self) -> bool {
        self.turn == 0 || self.referee.turn().is_fresh
    }

    fn record(&mut self, ply: &str, info: Option<InfoRecord>) -> Result<(), Rejection> {
        let (seat, turn) = (self.referee.seat(), self.referee.turn());
        let number = self.next_turn();
        let begins = self.begins_turn();
        let san = self.referee.san(ply).map(str::to_owned);
        self.referee.submit(ply)?;
        self.turn = number;
        self.own_turns[turn.seat.index()] += u64::from(begins);
        let is_over = self.referee.outcome().is_some() || self.referee.turn().is_fresh;
        // SPEC 6.5: once per turn, at its end, and only if the bot was asked in it.
        if is_over && std::mem::take(&mut self.is_asked) {
            self.clocks[turn.seat.index()].end_turn();
        }
        let is_decided = self.asked[seat.index()] == Some(self.turn);
        let clock = self.clocks[seat.index()].remaining().filter(|_| is_decided);
        self.plies.push(PlyRecord {
            ply: ply.to_owned(),
            san,
            seat: seat.index() as u8 + 1,
            turn: self.turn,
            of: (turn.seat != seat).then_some(turn.seat.index() as u8 + 1),
            us: self.spent.take().map(micros),
            used: self.used.take(),
            clock: clock.map(|clock| clock.as_millis().try_into().unwrap_or(u64::MAX)),
            info,
            fallback: false,
        });
        self.moves.push(ply);
        Ok(())
    }
}

/// Returns the position after every legal ply, in the order of the list of legal plies, including repetition.
///
/// It costs a copy of the game and a ply for each of them.
pub(crate) fn after(referee: &dyn Referee) -> Result<Vec<After>, RulesFault> {
    let follow = |ply: String| {
        let mut next = referee.fork();
        next.submit(&ply).map_err(|rejection| rejection.into_fault(&ply))?;
        let end = next.outcome().map(|verdict| GameEnd {
            outcome: announced(verdict.outcome),
            code: verdict.reason.code().to_owned(),
            pairs: Pairs::new(),
        });
        let ply = ply.parse().expect("every legal ply has the form of a ply");
        Ok(After { ply, board: next.position(), end })
    };
    referee.legal().into_iter().map(follow).collect()
}

fn micros(time: Duration) -> u64 {
    time.as_micros().try_into().unwrap_or(u64::MAX)
}
