//! A game that a person plays or follows ply by ply: the board, the decider, the plies that were taken back.
//!
//! It does no I/O and reads no clock. The caller supplies instants, as the time since any moment that is fixed for the session.
//! The user interface (a terminal, a page) and the bots use the same rules, clocks and records as a tournament.

mod keep;
mod kept;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use record::{GameResult, InfoRecord, Termination};
use rules::{Click, PerSeat, Reason, Referee, Rejection, Seat, Setup, StartError};
use settings::TimeControl;
use thiserror::Error;

use crate::PlaySettings;
use crate::clock::{Charge, Clock};
use crate::game::scoresheet::Scoresheet;

pub use kept::{Kept, KeptError, KeptPly};

/// The player in one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatedPlayer {
    /// The name, for records.
    pub name: String,
    /// The version of a bot; empty if unknown.
    pub version: String,
    /// The digest of a bot; empty for a person.
    pub digest: String,
    /// Whether a person decides.
    pub is_person: bool,
    /// The limits of its decisions: `None` for a person without a limit; [`InteractiveGame::usual_control`] for a bot.
    pub tc: Option<TimeControl>,
}

/// How a game ended, or that the user left it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub result: GameResult,
    /// The reason.
    pub reason: Termination,
}

/// A comment of a player on a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The name of its author.
    pub by: String,
    /// The seat whose point of view it takes.
    pub seat: Seat,
    /// The evaluation.
    pub info: InfoRecord,
    /// The principal variation, as far as it is known.
    pub line: Vec<String>,
}

/// Why an action is not possible now. Nothing has changed then, except if the time turned out to be over.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The rules do not allow the ply.
    #[error("{0}")]
    Rules(Rejection),
    /// The seat to decide had no time left, and has lost.
    #[error("{0} has run out of time")]
    Late(Seat),
}

/// A game in progress.
///
/// ```
/// use std::time::Duration;
///
/// use runner::{InteractiveGame, PlaySettings, SeatedPlayer};
///
/// let setup = rules::find("farook")?.setup(&[])?;
/// let person = |name: &str| SeatedPlayer {
///     name: name.to_owned(),
///     version: String::new(),
///     digest: String::new(),
///     is_person: true,
///     tc: None,
/// };
/// let sitters = [person("one"), person("two")].into();
/// let mut game = InteractiveGame::new(&setup, None, sitters, &PlaySettings::new(1), 1, Duration::ZERO)?;
/// let ply = game.legal().remove(0);
/// game.play(&ply, Duration::from_secs(3))?;
/// assert_eq!((game.len(), game.decider()), (1, Some(rules::Seat::P2)));
/// assert_eq!(game.undo(Duration::from_secs(5)), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct InteractiveGame {
    setup: Setup,
    start: Option<String>,
    sitters: PerSeat<SeatedPlayer>,
    settings: PlaySettings,
    number: u64,
    /// The plies, including those at the end that were taken back.
    line: Vec<Step>,
    /// The number of them that are on the board.
    at: usize,
    /// The game as it is now.
    scoresheet: Scoresheet,
    /// How it ended, if not by its rules.
    ending: Option<Ending>,
    /// When the decider began to decide.
    since: Duration,
    /// The comments on the positions, by the number of plies before them.
    notes: BTreeMap<usize, Vec<Note>>,
}

/// A ply of the line.
#[derive(Clone, Debug)]
struct Step {
    ply: String,
    seat: Seat,
    /// Whether it was a forced pass, which no player decides.
    is_forced: bool,
    /// Why its seat went out instead of playing a ply, at a table of more than two. The ply is the code of that reason.
    exit: Option<Termination>,
    /// The time of the decision, in whole microseconds; `None` for a forced pass and the later plies of one answer.
    spent: Option<Duration>,
    info: Option<InfoRecord>,
    /// The position after it.
    position: String,
}

impl InteractiveGame {
    /// Begins a game at `now`, from the start of the game or from a position string. `number` distinguishes the games of a
    /// session.
    ///
    /// # Errors
    /// When the position string is wrong.
    ///
    /// # Panics
    /// When the number of players differs from that of the seats.
    pub fn new(
        setup: &Setup,
        start: Option<&str>,
        sitters: PerSeat<SeatedPlayer>,
        settings: &PlaySettings,
        number: u64,
        now: Duration,
    ) -> Result<Self, StartError> {
        assert_eq!(sitters.len(), setup.seats(), "one player per seat");
        let mut sitters = sitters;
        for sitter in sitters.iter_mut().filter(|sitter| !sitter.is_person) {
            sitter.tc.get_or_insert_with(Self::usual_control);
        }
        let mut session = Self {
            scoresheet: scoresheet(setup, start, &sitters, settings)?,
            setup: setup.clone(),
            start: start.map(str::to_owned),
            sitters,
            settings: settings.clone(),
            number,
            line: Vec::new(),
            at: 0,
            ending: None,
            since: now,
            notes: BTreeMap::new(),
        };
        session.open(now);
        Ok(session)
    }

    /// Returns the time control of a bot without one: a second per turn.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn usual_control() -> TimeControl {
        "movetime 1s".parse().expect("it is a valid time control")
    }

    /// Returns the game and its options.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the position string of the start, if it is not the game's own.
    #[must_use]
    pub fn start(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// Returns the players.
    #[must_use]
    pub const fn sitters(&self) -> &PerSeat<SeatedPlayer> {
        &self.sitters
    }

    /// Returns the player in a seat.
    #[must_use]
    pub fn sitter(&self, seat: Seat) -> &SeatedPlayer {
        &self.sitters[seat]
    }

    /// Returns the string of the position.
    #[must_use]
    pub fn position(&self) -> String {
        self.scoresheet.referee().position()
    }

    /// Returns the plies that were not taken back, each with the position after it. At a table of more than two, the code `resign` or
    /// `timeout` is the ply of a seat that went out by it.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> + ExactSizeIterator {
        self.line[..self.len()].iter().map(|step| (step.ply.as_str(), step.position.as_str()))
    }

    /// Returns the number of plies that were not taken back.
    #[must_use]
    pub fn len(&self) -> usize {
        self.at
    }

    /// Returns whether no ply was played, or all were taken back.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the seat that decides; `None` once the game is over.
    #[must_use]
    pub fn decider(&self) -> Option<Seat> {
        self.ending().is_none().then(|| self.scoresheet.referee().seat())
    }

    /// Returns the legal plies, in byte order; none once the game is over.
    #[must_use]
    pub fn legal(&self) -> Vec<String> {
        if self.ending.is_some() { Vec::new() } else { self.scoresheet.referee().legal() }
    }

    /// Returns the clicks with which the next ply can begin; none once the game is over.
    #[must_use]
    pub fn clicks(&self) -> Vec<Click> {
        rules::clicks(&self.setup, &self.position(), &self.legal())
    }

    /// Returns how the game ended, if it did.
    #[must_use]
    pub fn ending(&self) -> Option<Ending> {
        let by_rules = || {
            let verdict = self.scoresheet.outcome()?;
            let exit = self.line[..self.at].iter().rev().find_map(|step| step.exit);
            // Which fault it was is no matter of the rules.
            let reason = exit.filter(|_| verdict.reason == Reason::Fault);
            let reason = reason.unwrap_or(Termination::Rules(verdict.reason));
            Some(Ending { result: verdict.outcome.into(), reason })
        };
        self.ending.clone().or_else(by_rules)
    }

    /// Returns the time left for a seat's decision, or for its next one; `None` if no time limits it.
    #[must_use]
    pub fn time_left(&self, seat: Seat, now: Duration) -> Option<Duration> {
        let tc = self.sitter(seat).tc.as_ref()?;
        if !tc.has_clock() && tc.movetime().is_none() {
            return None;
        }
        let spent = if self.decider() == Some(seat) { self.thought(now) } else { Duration::ZERO };
        Some(self.scoresheet.clock(seat).limit().saturating_sub(spent))
    }

    /// Ends the game if the time of the person who decides is over; at a table of more than two, for this seat. Returns whether that
    /// happened now.
    pub fn flag(&mut self, now: Duration) -> bool {
        let Some(seat) = self.decider().filter(|seat| self.sitter(*seat).is_person) else { return false };
        let is_over =
            self.scoresheet.clock(seat).patience().is_some_and(|patience| self.thought(now) > patience);
        if is_over {
            self.lose(seat, Termination::Timeout, now);
        }
        is_over
    }

    /// Plays a ply for the person who decides, or for the bot that decides.
    ///
    /// # Errors
    /// When the game is over, the ply is not legal, or no time was left.
    pub fn play(&mut self, ply: &str, now: Duration) -> Result<(), Refusal> {
        self.decide(&[ply.to_owned()], None, self.thought(now), now)
    }

    /// Plays the answer of the bot that decides, which took `spent`: plies of one turn. Plies beyond the turn are dropped.
    ///
    /// # Errors
    /// When the game is over, one of the plies is not legal, or no time was left.
    pub fn answer(
        &mut self,
        plies: &[String],
        info: Option<InfoRecord>,
        spent: Duration,
        now: Duration,
    ) -> Result<(), Refusal> {
        self.decide(plies, info, spent, now)
    }

    /// Resigns for the seat that decides. At a table of more than two it goes out, and the others play on.
    ///
    /// # Errors
    /// When the game is over.
    pub fn resign(&mut self, now: Duration) -> Result<(), Refusal> {
        let seat = self.decider().ok_or(Refusal::Over)?;
        self.lose(seat, Termination::Resign, now);
        Ok(())
    }

    /// Ends the game because the bot that decides did not answer before its clock ran out; at a table of more than two, only its seat
    /// goes out. Without a clock this does nothing. Returns whether the game or the seat was lost.
    pub fn lose_on_time(&mut self, now: Duration) -> bool {
        let Some(seat) = self.decider() else { return false };
        let has_clock = self.sitter(seat).tc.as_ref().is_some_and(TimeControl::has_clock);
        if has_clock {
            self.lose(seat, Termination::Timeout, now);
        }
        has_clock
    }

    /// Stores a comment on the position.
    pub fn note(&mut self, note: Note) {
        self.notes.entry(self.len()).or_default().push(note);
    }

    /// Returns the comments on the position after `plies` plies.
    #[must_use]
    pub fn notes(&self, plies: usize) -> &[Note] {
        self.notes.get(&plies).map_or(&[], Vec::as_slice)
    }

    fn decide(
        &mut self,
        plies: &[String],
        info: Option<InfoRecord>,
        spent: Duration,
        now: Duration,
    ) -> Result<(), Refusal> {
        let seat = self.decider().ok_or(Refusal::Over)?;
        let plies = self.within_turn(seat, plies).map_err(Refusal::Rules)?;
        let spent = Duration::from_micros(spent.as_micros().try_into().unwrap_or(u64::MAX));
        let is_late = matches!(self.scoresheet.charge(spent), Charge::Flagged(_));
        let sitter = self.sitter(seat);
        // Without a clock, a late answer of a bot is accepted.
        if is_late && (sitter.is_person || sitter.tc.as_ref().is_some_and(TimeControl::has_clock)) {
            self.lose(seat, Termination::Timeout, now);
            return Err(Refusal::Late(seat));
        }
        self.forget();
        let (mut spent, mut info) = (Some(spent), info);
        for ply in plies {
            let step = Step {
                ply: ply.clone(),
                seat,
                is_forced: false,
                exit: None,
                spent: spent.take(),
                info: info.take(),
                position: String::new(),
            };
            self.scoresheet.play(&ply, step.info.clone()).map_err(Refusal::Rules)?;
            self.put(Step { position: self.position(), ..step });
        }
        self.open(now);
        Ok(())
    }

    /// Returns the plies of an answer that belong to the turn, if all of them are legal.
    fn within_turn(&self, seat: Seat, plies: &[String]) -> Result<Vec<String>, Rejection> {
        let mut referee = self.scoresheet.referee().fork();
        let mut played = Vec::new();
        for ply in plies {
            let goes_on = referee.outcome().is_none()
                && referee.seat() == seat
                && !referee.turn().is_fresh
                && !referee.must_pass();
            if !played.is_empty() && !goes_on {
                break;
            }
            referee.submit(ply)?;
            played.push(ply.clone());
        }
        if played.is_empty() {
            return Err(Rejection::NotAPly("the answer contains no ply".to_owned()));
        }
        Ok(played)
    }

    /// Plays forced passes and lets the next decision begin.
    fn open(&mut self, now: Duration) {
        while self.scoresheet.outcome().is_none() && self.scoresheet.referee().must_pass() {
            let seat = self.scoresheet.referee().seat();
            self.scoresheet.pass().expect("a forced pass is legal");
            let (ply, position) = ("pass".to_owned(), self.position());
            self.put(Step { ply, seat, is_forced: true, exit: None, spent: None, info: None, position });
        }
        if self.scoresheet.outcome().is_none() {
            self.scoresheet.ask();
        }
        self.since = now;
    }

    /// Adds a ply, or a seat that went out.
    fn put(&mut self, step: Step) {
        self.line.push(step);
        self.at += 1;
    }

    /// Forgets the plies that were taken back, and the comments on the positions after them.
    fn forget(&mut self) {
        let count = self.len();
        self.line.truncate(count);
        self.notes.retain(|plies, _| *plies <= count);
    }

    fn thought(&self, now: Duration) -> Duration {
        now.saturating_sub(self.since)
    }

    fn lose(&mut self, seat: Seat, reason: Termination, now: Duration) {
        if !self.scoresheet.is_table() {
            self.ending = Some(Ending { result: GameResult::win(seat.other()), reason });
            return;
        }
        self.scoresheet.put_out(seat).expect("it decides, so it is in");
        self.forget();
        let (ply, position) = (reason.code().to_owned(), self.position());
        self.put(Step { ply, seat, is_forced: false, exit: Some(reason), spent: None, info: None, position });
        self.open(now);
    }
}

/// Returns the scoresheet of a game without plies.
fn scoresheet(
    setup: &Setup,
    start: Option<&str>,
    sitters: &PerSeat<SeatedPlayer>,
    settings: &PlaySettings,
) -> Result<Scoresheet, StartError> {
    let clock = |sitter: &SeatedPlayer| match &sitter.tc {
        Some(tc) => Clock::new(tc, settings),
        // No time limits it, and its overruns are not reported.
        None => Clock::new(
            &InteractiveGame::usual_control(),
            &PlaySettings { no_timeout: true, ..settings.clone() },
        ),
    };
    let clocks = sitters.each_ref().map(clock);
    let referee: Box<dyn Referee> = setup.referee(start)?;
    Ok(Scoresheet::new(referee, start, clocks, &[]).expect("an empty opening is always legal"))
}
