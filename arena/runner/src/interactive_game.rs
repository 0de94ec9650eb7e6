//! A game that a person plays, or watches ply by ply: what is on the board, whose decision it is, what was taken back.
//!
//! It does no I/O and reads no clock: instants come from outside, as the time since any moment that stays the same
//! for the whole session. What shows it (a terminal, a page) and the bots that play in it see the same rules, clocks
//! and records as a tournament.

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

/// Who sits in one seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatedPlayer {
    /// The name, for records.
    pub name: String,
    /// The version of a bot; empty where it is unknown.
    pub version: String,
    /// The digest of a bot; empty for a person.
    pub digest: String,
    /// Whether it is a person, who decides by hand.
    pub is_person: bool,
    /// What limits its decisions: nothing, where a person has none; [`InteractiveGame::usual_control`] for a bot.
    pub tc: Option<TimeControl>,
}

/// How a game ended, or that it was left.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ending {
    /// Who won.
    pub result: GameResult,
    /// Why.
    pub reason: Termination,
}

/// What somebody said of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// Who said it.
    pub by: String,
    /// The seat from whose point of view it is.
    pub seat: Seat,
    /// What it is worth.
    pub info: InfoRecord,
    /// The best line, as far as it was told.
    pub line: Vec<String>,
}

/// Why something cannot be done now. Nothing has changed then, but where the time turned out to be over.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum Refusal {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The rules do not allow the ply.
    #[error("{0}")]
    Rules(Rejection),
    /// The time of the seat to decide was over before: it has lost.
    #[error("the time of {0} was over")]
    Late(Seat),
}

/// A game in the making.
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
    /// The plies, with those behind them that were taken back.
    line: Vec<Step>,
    /// How many of them are on the board.
    at: usize,
    /// The game as it stands.
    scoresheet: Scoresheet,
    /// How it ended, unless by its rules.
    ending: Option<Ending>,
    /// Since when the seat to decide has been deciding.
    since: Duration,
    /// What was said of the positions after this many plies.
    notes: BTreeMap<usize, Vec<Note>>,
}

/// A ply of the line.
#[derive(Clone, Debug)]
struct Step {
    ply: String,
    seat: Seat,
    /// Whether nobody decided it: a forced pass.
    is_forced: bool,
    /// Why its seat has gone out instead of playing a ply, at a table of more than two. Its code stands for the ply.
    exit: Option<Termination>,
    /// What the decision took, in whole microseconds; `None` for a forced pass and the later plies of one answer.
    spent: Option<Duration>,
    info: Option<InfoRecord>,
    /// The position after it.
    position: String,
}

impl InteractiveGame {
    /// Begins a game at `now`, from the start of the game or from a position string. `number` tells the games of a
    /// session apart.
    ///
    /// # Errors
    /// Says what is wrong with the position string.
    ///
    /// # Panics
    /// When there are not as many who sit down as the table has seats.
    pub fn new(
        setup: &Setup,
        start: Option<&str>,
        sitters: PerSeat<SeatedPlayer>,
        settings: &PlaySettings,
        number: u64,
        now: Duration,
    ) -> Result<Self, StartError> {
        assert_eq!(sitters.len(), setup.seats(), "everybody has a seat, and every seat somebody");
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

    /// Returns what limits a bot that nobody limits: a second for every turn.
    ///
    /// # Panics
    /// Never.
    #[must_use]
    pub fn usual_control() -> TimeControl {
        "movetime 1s".parse().expect("it is a time control")
    }

    /// Returns the game and its options.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns the position string of the start where it is not the game's own.
    #[must_use]
    pub fn start(&self) -> Option<&str> {
        self.start.as_deref()
    }

    /// Returns who sits where.
    #[must_use]
    pub const fn sitters(&self) -> &PerSeat<SeatedPlayer> {
        &self.sitters
    }

    /// Returns who sits at a seat.
    #[must_use]
    pub fn sitter(&self, seat: Seat) -> &SeatedPlayer {
        &self.sitters[seat]
    }

    /// Returns the string of the position.
    #[must_use]
    pub fn position(&self) -> String {
        self.scoresheet.referee().position()
    }

    /// Returns the plies that were played and not taken back, each with the position after it. At a table of more than two the code
    /// `resign` or `timeout` stands where a seat has gone out by that.
    pub fn plies(&self) -> impl DoubleEndedIterator<Item = (&str, &str)> + ExactSizeIterator {
        self.line[..self.len()].iter().map(|step| (step.ply.as_str(), step.position.as_str()))
    }

    /// Returns how many plies were played and not taken back.
    #[must_use]
    pub fn len(&self) -> usize {
        self.at
    }

    /// Returns whether no ply was played, or all were taken back.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns who decides; nobody once the game is over.
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

    /// Returns what a seat may still spend on its decision, or on its next one; `None` where no time limits it.
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

    /// Plays a ply of the person who decides, or of a person for the bot that does.
    ///
    /// # Errors
    /// When the game is over, the ply is not legal, or the time was over.
    pub fn play(&mut self, ply: &str, now: Duration) -> Result<(), Refusal> {
        self.decide(&[ply.to_owned()], None, self.thought(now), now)
    }

    /// Plays the answer of the bot that decides, which took it `spent`: plies of one turn. What goes beyond the turn is
    /// dropped.
    ///
    /// # Errors
    /// When the game is over, one of the plies is not legal, or its clock had run out.
    pub fn answer(
        &mut self,
        plies: &[String],
        info: Option<InfoRecord>,
        spent: Duration,
        now: Duration,
    ) -> Result<(), Refusal> {
        self.decide(plies, info, spent, now)
    }

    /// Gives the game up for the seat that decides. At a table of more than two it goes out, and the others play on.
    ///
    /// # Errors
    /// When the game is over.
    pub fn resign(&mut self, now: Duration) -> Result<(), Refusal> {
        let seat = self.decider().ok_or(Refusal::Over)?;
        self.lose(seat, Termination::Resign, now);
        Ok(())
    }

    /// Ends the game since the bot that decides did not answer before its clock had run out; at a table of more than two, for its
    /// seat. Where no clock ran, nothing is lost, and nothing happens: returns whether something was lost.
    pub fn lose_on_time(&mut self, now: Duration) -> bool {
        let Some(seat) = self.decider() else { return false };
        let has_clock = self.sitter(seat).tc.as_ref().is_some_and(TimeControl::has_clock);
        if has_clock {
            self.lose(seat, Termination::Timeout, now);
        }
        has_clock
    }

    /// Takes note of what was said of the position.
    pub fn note(&mut self, note: Note) {
        self.notes.entry(self.len()).or_default().push(note);
    }

    /// Returns what was said of the position after this many plies.
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
        // Where a bot has no clock, its late answer is as good as any.
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
            return Err(Rejection::NotAPly("there is no ply in it".to_owned()));
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

    /// Adds what has happened on the board.
    fn put(&mut self, step: Step) {
        self.line.push(step);
        self.at += 1;
    }

    /// Forgets the plies that were taken back, and what was said of the positions after them.
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

/// Returns the scoresheet of a game in which nothing was played.
fn scoresheet(
    setup: &Setup,
    start: Option<&str>,
    sitters: &PerSeat<SeatedPlayer>,
    settings: &PlaySettings,
) -> Result<Scoresheet, StartError> {
    let clock = |sitter: &SeatedPlayer| match &sitter.tc {
        Some(tc) => Clock::new(tc, settings),
        // No time limits it, and nothing reports its overruns.
        None => Clock::new(
            &InteractiveGame::usual_control(),
            &PlaySettings { no_timeout: true, ..settings.clone() },
        ),
    };
    let clocks = sitters.each_ref().map(clock);
    let referee: Box<dyn Referee> = setup.referee(start)?;
    Ok(Scoresheet::new(referee, start, clocks, &[]).expect("no ply is legal always"))
}
