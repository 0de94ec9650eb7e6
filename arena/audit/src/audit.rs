//! Refereeing a recorded game: the first thing that does not hold.

use std::time::Duration;

use protocol::printable_capped;
use record::{GameResult, SeatControl, Termination};
use rules::{Catalogue, Reason, Referee, Rejection, Seat, Setup, Verdict};
use serde::Serialize;

use crate::adjudication::{AdjudicationCheck, Due, by_count, comes_before, is_adjudicated};
use crate::clock::ClockBounds;
use crate::recorded_game::{RecordedGame, RecordedPly, number};

/// The longest piece of a record that is shown.
const SHOWN: usize = 300;

/// Something in a record that does not hold.
#[derive(Debug, Serialize)]
pub struct GameProblem {
    /// What it is.
    pub what: ProblemKind,
    /// The number of the ply, from 1, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ply: Option<usize>,
    /// What stands there.
    pub recorded: String,
    /// What the rules say.
    pub rules: String,
}

/// The longest text that is shown of what is recorded, and of what the rules say.
const LONGEST: usize = 1000;

impl GameProblem {
    /// Makes what stands there, and is quoted, harmless and short.
    pub fn bounded(mut self) -> Self {
        for text in [&mut self.recorded, &mut self.rules] {
            *text = printable_capped(text.as_str(), LONGEST);
        }
        self
    }
}

/// What does not hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ProblemKind {
    /// The game, its options or its label.
    Game,
    /// The position that it starts from.
    Start,
    /// A ply.
    Ply,
    /// Who decided it.
    Seat,
    /// The turn that it belongs to.
    Turn,
    /// A thinking time.
    Time,
    /// What a clock shows.
    Clock,
    /// How many plies there are.
    Count,
    /// Who won.
    Result,
    /// Why the game ended.
    Reason,
}

/// A game in which everything holds that can be checked.
#[derive(Clone, Copy, Debug)]
pub struct Audited {
    /// Why the game ended, where no rule of the game can tell whether that is so.
    pub on_trust: Option<Termination>,
    /// Whether times were checked, if there are any to check.
    pub are_times_checked: bool,
}

/// Referees a game, whose rules are in the catalogue.
///
/// # Errors
/// Returns the first thing that does not hold.
pub fn audit(game: &RecordedGame, catalogue: &Catalogue) -> Result<Audited, GameProblem> {
    let (_, referee) = begin(game, catalogue)?;
    if game.opening > game.plies.len() {
        let rules = format!("the game has {} plies", game.plies.len());
        let recorded = format!("an opening of {} plies", game.opening);
        return Err(problem(ProblemKind::Count, recorded, rules));
    }
    if game.names.len() != referee.seats() {
        let rules = format!("a table of {}", referee.seats());
        return Err(problem(ProblemKind::Seat, format!("{} seats", game.names.len()), rules));
    }
    let are_times_checked = game.has_times() && game.controls.iter().all(Option::is_some);
    let clocks = if are_times_checked { Some(clocks(game)?) } else { None };
    let judge = game.adjudication.as_ref().map(|rules| AdjudicationCheck::new(rules, game.names.len()));
    let out = referee.out().iter().map(|out| out.seat).collect();
    let mut replay = Replay {
        game,
        referee,
        turn: 0,
        clocks,
        is_asked: false,
        stint: None,
        judge,
        due: None,
        out,
        last_exit: None,
    };
    for (index, ply) in game.plies.iter().enumerate() {
        replay.put_out(index)?;
        replay.play(index, ply)?;
    }
    replay.put_out(game.plies.len())?;
    let on_trust = replay.end()?;
    Ok(Audited { on_trust, are_times_checked: are_times_checked || replay.has_no_times_due() })
}

/// Returns the rules of a game with its options, and a referee at the recorded start.
///
/// # Errors
/// With what does not hold: no such game, option or position.
pub fn begin(game: &RecordedGame, catalogue: &Catalogue) -> Result<(Setup, Box<dyn Referee>), GameProblem> {
    let setup = setup(game, catalogue)?;
    let referee = setup.referee(game.start.as_deref()).map_err(|error| {
        let recorded = quoted(game.start.as_deref().unwrap_or_default());
        problem(ProblemKind::Start, recorded, format!("not a position of `{}`: {error}", setup.label()))
    })?;
    Ok((setup, referee))
}

fn setup(game: &RecordedGame, catalogue: &Catalogue) -> Result<Setup, GameProblem> {
    let problem = |recorded: String, rules: String| problem(ProblemKind::Game, recorded, rules);
    let named = catalogue.find(&game.game).map_err(|error| {
        let rules = game.rules.as_ref().filter(|rules| rules.module.is_none());
        let words = rules.map_or_else(
            || error.to_string(),
            |rules| {
                format!(
                    "a program, which is started only for those who name it: `{}`",
                    rules.flags(&game.game)
                )
            },
        );
        problem(quoted(&game.game), words)
    })?;
    let options: Vec<_> = game.options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let setup = named.setup(&options).map_err(|error| {
        let pairs: Vec<_> = options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        problem(quoted(&format!("{} {}", game.game, pairs.join(" "))), error.to_string())
    })?;
    match &game.label {
        Some(label) if *label != setup.label() => {
            Err(problem(quoted(label), format!("these options make it `{}`", setup.label())))
        }
        _ => Ok(setup),
    }
}

fn clocks(game: &RecordedGame) -> Result<Vec<ClockBounds>, GameProblem> {
    let clock = |control: &Option<SeatControl>| {
        let Some(control) = control else { return Ok(ClockBounds::new(None)) };
        let known = control.read();
        known
            .map(|known| ClockBounds::new(known.cloned()))
            .map_err(|error| problem(ProblemKind::Clock, quoted(control.as_str()), error.to_string()))
    };
    game.controls.iter().map(clock).collect()
}

/// A game that is being replayed.
struct Replay<'a> {
    game: &'a RecordedGame,
    referee: Box<dyn Referee>,
    /// The number of the turn of the last ply.
    turn: u32,
    /// The clocks, where times are checked.
    clocks: Option<Vec<ClockBounds>>,
    /// Whether the seat whose turn it is made a decision in it.
    is_asked: bool,
    /// The turn and the seat of the last decision.
    stint: Option<(u32, u8)>,
    /// The adjudication, where it is told.
    judge: Option<AdjudicationCheck<'a>>,
    /// How the arena must have ended the game after its last ply.
    due: Option<Due>,
    /// The seats that are out, at a table of more than two.
    out: Vec<Seat>,
    /// The last one that went out by a fault or by resigning.
    last_exit: Option<Termination>,
}

impl Replay<'_> {
    /// Takes out the seats that went out by faults or by resigning before the ply that comes after this many, and checks those that the
    /// rules have put out.
    fn put_out(&mut self, plies: usize) -> Result<(), GameProblem> {
        if self.referee.seats() == 2 {
            return Ok(());
        }
        self.check_out(plies)?;
        loop {
            let exits = self.game.exits.by_seat().filter_map(|(seat, exit)| Some((seat, (*exit)?)));
            let due = exits.filter(|(seat, exit)| {
                exit.ply == plies + 1
                    && !self.out.contains(seat)
                    && !matches!(exit.reason, Termination::Rules(_))
            });
            let due: Vec<_> = due.collect();
            if due.is_empty() || self.referee.outcome().is_some() {
                return Ok(());
            }
            let decider = self.referee.seat();
            // Before the first decision a bot may be missing; after it only the one that is asked goes out.
            let may_miss = plies <= self.game.opening;
            let worst = |seat: Seat| self.game.result.place(seat);
            let next = due.iter().find(|(seat, _)| *seat == decider && !may_miss);
            let next = next.or_else(|| due.iter().filter(|_| may_miss).max_by_key(|(seat, _)| worst(*seat)));
            let Some((seat, exit)) = next else {
                let recorded = format!("{} is out", due[0].0);
                return Err(at_ply(ProblemKind::Seat, plies + 1, recorded, format!("{decider} decides")));
            };
            self.referee.fault(*seat).map_err(|rejection| {
                at_ply(ProblemKind::Seat, plies + 1, format!("{seat} is out"), rejection.to_string())
            })?;
            self.out.push(*seat);
            self.last_exit = Some(exit.reason);
            self.is_asked = false;
            self.check_out(plies)?;
        }
    }

    /// Checks that the seats which the rules have put out are those of the record.
    fn check_out(&mut self, plies: usize) -> Result<(), GameProblem> {
        let is_told = self.game.exits.iter().any(Option::is_some);
        for out in self.referee.out() {
            if self.out.contains(&out.seat) {
                continue;
            }
            self.out.push(out.seat);
            let told = self.game.exits[out.seat].map(|exit| (exit.reason, exit.ply));
            let due = out.reason.map(|reason| (Termination::Rules(reason), plies + 1));
            if is_told && told != due {
                let words = |exit: Option<(Termination, usize)>| match exit {
                    Some((reason, ply)) => format!("{} is out at ply {ply} ({reason})", out.seat),
                    None => format!("{} is not out", out.seat),
                };
                return Err(at_ply(ProblemKind::Reason, plies + 1, words(told), words(due)));
            }
        }
        Ok(())
    }

    /// Plays a ply after checking everything that stands with it.
    fn play(&mut self, index: usize, ply: &RecordedPly) -> Result<(), GameProblem> {
        let at = |what: ProblemKind, recorded: String, rules: String| GameProblem {
            what,
            ply: Some(index + 1),
            recorded,
            rules,
        };
        if let Some(verdict) = self.referee.outcome() {
            return Err(at(
                ProblemKind::Ply,
                quoted(&ply.token),
                format!("the game is over: {}", words(verdict)),
            ));
        }
        let (seat, turn) = (self.referee.seat(), self.referee.turn());
        let number_of_turn = self.turn + u32::from(self.turn == 0 || turn.is_fresh);
        let is_forced = self.referee.must_pass();
        if ply.seat != number(seat) {
            return Err(at(ProblemKind::Seat, format!("p{} decides", ply.seat), format!("{seat} decides")));
        }
        self.referee.submit(&ply.token).map_err(|rejection| {
            at(ProblemKind::Ply, quoted(&ply.token), refusal(&*self.referee, &ply.token, &rejection))
        })?;
        if ply.owner != number(turn.seat) {
            let recorded = format!("the turn of p{}", ply.owner);
            return Err(at(ProblemKind::Turn, recorded, format!("the turn of {}", turn.seat)));
        }
        if ply.turn != number_of_turn {
            return Err(at(
                ProblemKind::Turn,
                format!("turn {}", ply.turn),
                format!("turn {number_of_turn}"),
            ));
        }
        self.turn = number_of_turn;
        let is_decided = index >= self.game.opening && !is_forced;
        self.check_times(ply, turn.is_fresh, is_decided)
            .map_err(|(what, recorded, rules)| at(what, recorded, rules))?;
        self.judge(index, ply);
        match self.due {
            Some(due) if index + 1 < self.game.plies.len() => {
                Err(at(ProblemKind::Result, "the game continues".to_owned(), format!("adjudicated: {due}")))
            }
            _ => Ok(()),
        }
    }

    /// Keeps the adjudication.
    fn judge(&mut self, index: usize, ply: &RecordedPly) {
        let Some(judge) = &mut self.judge else { return };
        if index >= self.game.opening {
            judge.hear(ply);
        }
        if self.referee.outcome().is_none() && self.referee.turn().is_fresh {
            self.due = judge.end_turn(ply.owner, self.turn, index + 1, &*self.referee);
        }
    }

    /// Keeps the clocks and checks what stands with a ply that was just played.
    fn check_times(
        &mut self,
        ply: &RecordedPly,
        is_fresh: bool,
        is_decided: bool,
    ) -> Result<(), (ProblemKind, String, String)> {
        let Some(clocks) = &mut self.clocks else { return Ok(()) };
        let seat = usize::from(ply.seat - 1);
        if is_fresh {
            self.is_asked = false;
        }
        match ply.spent {
            Some(spent) if !is_decided => {
                let recorded = format!("{} ms of thinking", spent.least.as_millis());
                return Err((ProblemKind::Time, recorded, "nobody decided this ply".to_owned()));
            }
            // The later plies of one answer have no time of their own; the first ply of a turn has.
            None if is_decided && (is_fresh || self.stint != Some((self.turn, ply.seat))) => {
                return Err((
                    ProblemKind::Time,
                    "no thinking time".to_owned(),
                    format!("p{} decided", ply.seat),
                ));
            }
            None => {}
            Some(spent) => {
                self.is_asked |= ply.owner == ply.seat;
                if self.stint.replace((self.turn, ply.seat)) != Some((self.turn, ply.seat)) {
                    clocks[seat].begin(ply.owner == ply.seat);
                }
                // The arena decides for a bot whose time is over, where the file says so.
                if let Some(leniency) = self.game.leniency.as_ref().filter(|_| !ply.is_fallback) {
                    let limit = clocks[seat].limit().unwrap_or(leniency.think_limit);
                    let lateness = leniency.margin.saturating_mul(1 + leniency.retries[seat]);
                    let overrun = spent.least.saturating_sub(limit.saturating_add(lateness));
                    if !overrun.is_zero() && !clocks[seat].forgives(overrun) {
                        let recorded = format!("{} ms of thinking", spent.least.as_millis());
                        let rules =
                            format!("lost on time after {} ms", (limit + leniency.margin).as_millis());
                        return Err((ProblemKind::Time, recorded, rules));
                    }
                }
                let lost = clocks[seat].charge(spent);
                if clocks[seat].is_hourglass() && clocks.len() == 2 {
                    clocks[1 - seat].gain(lost);
                }
            }
        }
        let is_turn_over = self.referee.outcome().is_some() || self.referee.turn().is_fresh;
        if is_turn_over && std::mem::take(&mut self.is_asked) {
            clocks[usize::from(ply.owner - 1)].end_turn();
        }
        let is_due = self.stint == Some((self.turn, ply.seat)) && clocks[seat].is_shown();
        match ply.clock {
            None if is_due => {
                Err((ProblemKind::Clock, "no clock".to_owned(), "the clock is shown".to_owned()))
            }
            Some(shown) if !is_due => {
                Err((ProblemKind::Clock, millis(shown), "no clock is shown after this ply".to_owned()))
            }
            Some(shown) => {
                clocks[seat].show(shown).map_err(|rules| (ProblemKind::Clock, millis(shown), rules))
            }
            None => Ok(()),
        }
    }

    /// Checks the result and the reason. Returns the reason where the rules cannot tell whether it is true.
    fn end(&self) -> Result<Option<Termination>, GameProblem> {
        let count = self.game.plies.len().to_string();
        if let Some(told) = self.game.count.as_ref().filter(|told| **told != count) {
            return Err(problem(ProblemKind::Count, quoted(told), count));
        }
        let Some(reason) = self.game.ending() else {
            let known = "no reason for which a game can end".to_owned();
            return Err(problem(
                ProblemKind::Reason,
                quoted(self.game.reason.as_deref().unwrap_or("")),
                known,
            ));
        };
        if let Some(word) = self.game.termination.as_ref().filter(|word| **word != reason.pgn()) {
            let rules = format!("`{}` goes with the reason `{reason}`", reason.pgn());
            return Err(problem(ProblemKind::Reason, quoted(word), rules));
        }
        let recorded = format!("{} ({reason})", self.game.result);
        let verdict = self.referee.outcome();
        if let Some(verdict) = verdict {
            let is_result = self.game.result == verdict.outcome.into();
            let what = if is_result { ProblemKind::Reason } else { ProblemKind::Result };
            // Which fault it was is no matter of the rules.
            if is_result && verdict.reason == Reason::Fault && self.last_exit == Some(reason) {
                return Ok(Some(reason));
            }
            return match is_result && reason == Termination::Rules(verdict.reason) {
                true => Ok(None),
                false => Err(problem(what, recorded, words(verdict))),
            };
        }
        if let Termination::Rules(_) = reason {
            let rules = format!("the game is not over: {} decides", self.referee.seat());
            return Err(problem(ProblemKind::Result, recorded, rules));
        }
        match self.due {
            Some(due) if due == (Due { result: self.game.result, reason }) => return Ok(None),
            Some(due) if !comes_before(reason) => {
                return Err(problem(ProblemKind::Result, recorded, format!("adjudicated: {due}")));
            }
            None if self.judge.is_some() && is_adjudicated(reason) => {
                let rules = "the adjudication of this run does not end the game here";
                return Err(problem(ProblemKind::Reason, recorded, rules.to_owned()));
            }
            _ => {}
        }
        match self.expected(reason) {
            Some(rules) => Err(problem(ProblemKind::Result, recorded, rules)),
            None => Ok(Some(reason)),
        }
    }

    /// Returns what a game that ended for a reason outside its rules must end with, where it does not.
    fn expected(&self, reason: Termination) -> Option<String> {
        let result = self.game.result;
        let decider = self.referee.seat();
        let is_won = matches!(result, GameResult::P1Win | GameResult::P2Win);
        let is_table = self.referee.seats() > 2;
        match reason {
            // There it puts a seat out, and the others play on.
            Termination::Resign
            | Termination::Timeout
            | Termination::IllegalMove
            | Termination::BadMove
            | Termination::Crash
            | Termination::Flood
            | Termination::Resource
                if is_table =>
            {
                Some(format!("the game is not over: {decider} decides"))
            }
            // What the seat to decide did, or did not do in time.
            Termination::Resign | Termination::Timeout | Termination::IllegalMove | Termination::BadMove => {
                (result != GameResult::win(decider.other()))
                    .then(|| format!("{decider} was to decide, so it is {} that wins", decider.other()))
            }
            // Either bot may fail at any time.
            Termination::Crash | Termination::Flood | Termination::Resource | Termination::AdjudicatedWin => {
                (!is_won).then(|| "one of the two has won".to_owned())
            }
            // A silence before the first decision is forgiven once.
            Termination::Stall => {
                let is_untouched = self.game.plies.iter().all(|ply| ply.spent.is_none());
                let is_void = result == GameResult::None && is_untouched;
                (!is_void && (is_table || !is_won)).then(|| "one of the two has won".to_owned())
            }
            Termination::AdjudicatedDraw => {
                (result != GameResult::Draw).then(|| "the game is a draw".to_owned())
            }
            Termination::Withdrawn
            | Termination::Rejected
            | Termination::SpawnFailed
            | Termination::ArenaError
            | Termination::Aborted => {
                (result != GameResult::None).then(|| "the game does not count".to_owned())
            }
            Termination::PlyLimit => {
                let due = by_count(&*self.referee);
                (result != due).then(|| format!("by what is on the board it is {due}"))
            }
            Termination::Rules(_) => None,
        }
    }

    /// Returns whether no bot decided anything, so that there is no time to check.
    fn has_no_times_due(&self) -> bool {
        self.game.plies.len() <= self.game.opening
    }
}

/// Returns a problem before a ply, by its number.
const fn at_ply(what: ProblemKind, ply: usize, recorded: String, rules: String) -> GameProblem {
    GameProblem { what, ply: Some(ply), recorded, rules }
}

/// Returns a problem that is no ply's.
const fn problem(what: ProblemKind, recorded: String, rules: String) -> GameProblem {
    GameProblem { what, ply: None, recorded, rules }
}

fn refusal(referee: &dyn Referee, token: &str, rejection: &Rejection) -> String {
    let legal = referee.legal();
    let count = if legal.len() == 1 { "1 ply is".to_owned() } else { format!("{} plies are", legal.len()) };
    let near = rules::nearest(token, legal.iter().map(String::as_str));
    let such_as = near.or_else(|| legal.first().map(String::as_str)).unwrap_or_default();
    let why = printable_capped(&rejection.to_string(), SHOWN);
    format!("{why}; {count} legal at `{}`, such as `{such_as}`", referee.position())
}

fn words(verdict: Verdict) -> String {
    format!("{} ({})", verdict.outcome, verdict.reason)
}

fn quoted(text: &str) -> String {
    format!("`{}`", printable_capped(text, SHOWN))
}

fn millis(time: Duration) -> String {
    format!("the clock shows {} ms", time.as_millis())
}
