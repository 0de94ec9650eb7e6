//! Sending a bot the lines of a recorded game again, to compare its answers.
//!
//! The position before every question is the recorded one, whatever the bot answers now, and its clock has the recorded value.
//! Three things differ: the opponent does not think, so questions follow each other at once; refused answers are not in a
//! record; and nobody ponders.

use std::time::Duration;

use processes::{Launcher, reap_dropped};
use protocol::{BestMove, Choice, last_lines};
use record::{GameRecord, Termination};
use rules::{PerSeat, Rejection, Seat};
use tokio::time::Instant;

use crate::clock::Clock;
use crate::game::assignment::Assignment;
use crate::game::question::put;
use crate::game::scoresheet::Scoresheet;
use crate::player::line_log::LineLog;
use crate::player::{Heard, LostBot, Player, announced_result};
use crate::{Control, GamePlan, Spoken, Task};

/// A recorded game with its plan.
#[derive(Clone, Copy, Debug)]
pub struct ReproGame<'a> {
    /// The bots, games and settings.
    pub plan: &'a GamePlan,
    /// The game's task.
    pub task: &'a Task,
    /// The record.
    pub record: &'a GameRecord,
}

/// One question, with the recorded and the new answer.
#[derive(Clone, Debug)]
pub struct Repeated {
    /// The number of the ply asked for, from 1.
    pub ply: usize,
    /// The plies of the recorded answer; empty if the game ended instead, or by resignation.
    pub then: Vec<String>,
    /// The time of the recorded answer.
    pub then_spent: Option<Duration>,
    /// The plies of the new answer.
    pub now: Vec<String>,
    /// The time of the new answer.
    pub spent: Duration,
    /// The comparison.
    pub verdict: ReproVerdict,
    /// The last lines since the previous question.
    pub spoken: Spoken,
}

/// The comparison of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReproVerdict {
    /// The same as recorded.
    Same,
    /// Valid now, while the recorded answer, or its absence, cost the game.
    Mended,
    /// Another valid answer.
    Different,
    /// It costs the game, or the bot failed. Holds what happened, in words without a subject.
    Fault(String),
}

/// The end of a repetition.
#[derive(Debug)]
pub enum ReproEnd {
    /// The last line of the game was reached.
    Done,
    /// The bot could not be prepared. Holds the reason, in words without a subject, and the end of its standard error, escaped.
    Lost(String, Vec<String>),
    /// The user interrupted it.
    Interrupted,
}

/// Sends the bot in a seat every line of a recorded game, or those up to one question, and reports every answer. With `only`,
/// the number of a ply, no other question is asked.
///
/// # Errors
/// When the record contradicts the rules.
///
/// # Panics
/// When the system does not even provide the resources to wait for a process, and when the task points outside the plan.
pub fn repro(
    launcher: &dyn Launcher,
    game: ReproGame<'_>,
    seat: Seat,
    only: Option<usize>,
    control: &Control,
    tell: &mut dyn FnMut(Repeated),
) -> Result<ReproEnd, Rejection> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.expect("the system has room for a few descriptors");
    let end = runtime.block_on(async {
        tokio::select! {
            biased;
            () = control.finishing() => Ok(ReproEnd::Interrupted),
            end = repeat(launcher, game, seat, only, tell) => end,
        }
    });
    runtime.block_on(reap_dropped());
    end
}

async fn repeat(
    launcher: &dyn Launcher,
    game: ReproGame<'_>,
    seat: Seat,
    only: Option<usize>,
    tell: &mut dyn FnMut(Repeated),
) -> Result<ReproEnd, Rejection> {
    let ReproGame { plan, task, record } = game;
    let assignment = Assignment { plan, task };
    let settings = plan.settings.effective();
    let opening: Vec<_> =
        record.plies.iter().take(record.opening as usize).map(|ply| ply.ply.clone()).collect();
    let referee = assignment.contest().setup.referee(record.start.as_deref());
    // The record was checked with the journal, so an invalid start is a fault of the record.
    let referee = referee.map_err(|error| Rejection::NotAPly(error.to_string()))?;
    let clocks = PerSeat::new(record.seats.len(), |seat| Clock::new(assignment.control(seat), &settings));
    let scoresheet = Scoresheet::new(referee, record.start.as_deref(), clocks, &opening)?;
    let began = Instant::now();
    let lost = |LostBot { failure, stderr, .. }: LostBot| {
        ReproEnd::Lost(failure.trouble.words(), last_lines(&stderr))
    };
    let launched =
        Player::launch(launcher, assignment.bot(seat), &settings.timeouts, LineLog::new(began)).await;
    let mut player = match launched {
        Ok(player) => player,
        Err(failed) => return Ok(lost(failed)),
    };
    let mut setup = assignment.setup(seat);
    setup.seed = Some(record.seats[seat].seed);
    if let Err(failure) = player.set_up(&setup, settings.timeouts.set_up).await {
        let spoken = player.spoken();
        return Ok(lost(LostBot { failure, stderr: player.kill().await.stderr, spoken, flush: None }));
    }
    let mut repeat = Repeat { record, seat, only, scoresheet, player, began };
    repeat.run(tell).await?;
    repeat.player.end(&settings.timeouts).await;
    Ok(ReproEnd::Done)
}

/// The state of a repetition.
struct Repeat<'a> {
    record: &'a GameRecord,
    seat: Seat,
    only: Option<usize>,
    scoresheet: Scoresheet,
    player: Player,
    began: Instant,
}

impl Repeat<'_> {
    async fn run(&mut self, tell: &mut dyn FnMut(Repeated)) -> Result<(), Rejection> {
        loop {
            self.put_out()?;
            while self.scoresheet.outcome().is_none() && self.scoresheet.referee().must_pass() {
                let seat = self.scoresheet.referee().seat();
                self.scoresheet.pass()?;
                self.player.tell_played(seat, "pass", None);
            }
            let at = self.scoresheet.plies().len();
            let is_last = at >= self.record.plies.len();
            let decider = self.scoresheet.referee().seat();
            let is_over = is_last && !self.was_asked_last() && !self.is_out_at(decider, at);
            if self.scoresheet.outcome().is_some() || is_over {
                break;
            }
            let decider = self.scoresheet.ask();
            let plies = self.answer_at(at);
            let spent = self.record.plies.get(at).and_then(|ply| ply.us).map(Duration::from_micros);
            if decider == self.seat && self.only.is_none_or(|only| only == at + 1) {
                let is_own = self.record.plies.get(at).is_none_or(|ply| !ply.fallback);
                let repeated = self.question(if is_own { &plies } else { &[] }, spent).await;
                let is_over = matches!(repeated.verdict, ReproVerdict::Fault(_))
                    && (self.player.is_broken() || self.player.is_owing());
                tell(repeated);
                if is_over {
                    return Ok(());
                }
            }
            if self.is_out_at(decider, at) {
                self.put_out_at(decider)?;
                continue;
            }
            if is_last || self.only.is_some_and(|only| only <= at + 1) {
                break;
            }
            self.scoresheet.charge(spent.unwrap_or_default());
            for (i, ply) in plies.iter().enumerate() {
                self.scoresheet.play(ply, None)?;
                self.player.tell_played(decider, ply, spent.filter(|_| i == 0));
            }
        }
        let outcome = announced_result(self.record.result);
        self.player.tell_end(&outcome, self.record.reason.code(), self.record.plies.len());
        Ok(())
    }

    /// Returns whether the game ended during a question to the bot, or by its answer.
    fn was_asked_last(&self) -> bool {
        let is_own = self.scoresheet.referee().seat() == self.seat;
        is_own && self.exit_reason().is_some()
    }

    /// Returns the fault or resignation by which the bot lost, or its seat went out.
    fn exit_reason(&self) -> Option<Termination> {
        let reason = match self.record.seats.len() {
            2 => Some(self.record.reason),
            _ => self.record.seats[self.seat].out.as_ref().map(|out| out.reason),
        };
        reason.filter(|reason| reason.is_fault() || *reason == Termination::Resign)
    }

    /// Returns whether a seat went out by a fault or by resigning while it was asked for this ply.
    fn is_out_at(&self, seat: Seat, at: usize) -> bool {
        let out = self.record.seats[seat].out.as_ref();
        out.is_some_and(|out| out.ply as usize == at + 1 && !matches!(out.reason, Termination::Rules(_)))
            && !self.scoresheet.is_out(seat)
    }

    fn put_out_at(&mut self, seat: Seat) -> Result<(), Rejection> {
        let reason = self.record.seats[seat].out.as_ref().map_or(Termination::Resign, |out| out.reason);
        self.player.tell_out(seat, reason.code(), seat == self.seat);
        self.scoresheet.put_out(seat)
    }

    /// Removes the seats that went out before the next ply without being asked for it, and announces those that the rules have
    /// removed.
    fn put_out(&mut self) -> Result<(), Rejection> {
        for out in self.scoresheet.newly_out() {
            if let Some(reason) = out.reason {
                self.player.tell_out(out.seat, reason.code(), out.seat == self.seat);
            }
        }
        Ok(())
    }

    /// Returns whether the arena decided for the bot.
    fn has_failed_here(&self) -> bool {
        self.record.plies.get(self.scoresheet.plies().len()).is_some_and(|ply| ply.fallback)
    }

    /// Returns the plies of the recorded answer that begins at this ply.
    fn answer_at(&self, at: usize) -> Vec<String> {
        let plies = &self.record.plies;
        let Some(first) = plies.get(at) else { return Vec::new() };
        // Forced passes have no time either, but their own token.
        let rest = plies[at + 1..].iter().take_while(|ply| {
            let is_same_turn = ply.seat == first.seat && ply.turn == first.turn;
            ply.us.is_none() && is_same_turn && ply.ply != "pass" && !ply.fallback
        });
        std::iter::once(first).chain(rest).map(|ply| ply.ply.clone()).collect()
    }

    /// Asks the recorded question and judges the answer.
    async fn question(&mut self, then: &[String], then_spent: Option<Duration>) -> Repeated {
        let ply = self.scoresheet.next_number();
        let (now, spent, verdict) = self.exchange(then).await;
        let spoken = self.player.spoken();
        self.player.set_log(LineLog::new(self.began));
        Repeated { ply, then: then.to_vec(), then_spent, now, spent, verdict, spoken }
    }

    async fn exchange(&mut self, then: &[String]) -> (Vec<String>, Duration, ReproVerdict) {
        self.player.start_ply();
        if let Some((why, _)) = self.player.settle().await {
            let trouble = self.player.trouble(why).await;
            return (Vec::new(), Duration::ZERO, ReproVerdict::Fault(trouble.words()));
        }
        if let Err(words) = put(&mut self.player, &self.scoresheet, self.seat) {
            return (Vec::new(), Duration::ZERO, ReproVerdict::Fault(words));
        }
        let began = Instant::now();
        let clock = self.scoresheet.clock(self.seat);
        let mut deadline = clock.patience().and_then(|patience| began.checked_add(patience));
        let late = format!(
            "overran {} of {} ms by more than the margin of {} ms",
            clock.limit_words(),
            clock.limit().as_millis(),
            clock.margin().as_millis()
        );
        let mut paused = Duration::ZERO;
        loop {
            let heard = self.player.next_in_time(&mut deadline, &mut paused).await;
            let Some((heard, at)) = heard else {
                return (Vec::new(), began.elapsed(), ReproVerdict::Fault(late));
            };
            let spent = at.saturating_duration_since(self.player.started().unwrap_or(began));
            let spent = spent.saturating_sub(paused);
            match heard {
                Heard::Said(protocol::Event::Answer(answer)) => {
                    let (plies, verdict) = self.judge(&answer, then);
                    return (plies, spent, verdict);
                }
                Heard::Said(protocol::Event::BadAnswer(fault)) => {
                    return (Vec::new(), spent, ReproVerdict::Fault(fault.to_string()));
                }
                Heard::Said(_) => {}
                Heard::Broken(why) => {
                    let trouble = self.player.trouble(why).await;
                    return (Vec::new(), spent, ReproVerdict::Fault(trouble.words()));
                }
            }
        }
    }

    fn judge(&self, answer: &BestMove, then: &[String]) -> (Vec<String>, ReproVerdict) {
        let plies = match &answer.choice {
            Choice::Resign => {
                let is_same = self.exit_reason() == Some(Termination::Resign) && then.is_empty();
                let verdict = if is_same { ReproVerdict::Same } else { ReproVerdict::Different };
                return (vec!["resign".to_owned()], verdict);
            }
            Choice::Plies(plies) => plies.iter().map(ToString::to_string).collect::<Vec<_>>(),
        };
        let mut referee = self.scoresheet.referee().fork();
        for (i, ply) in plies.iter().enumerate() {
            let goes_on =
                referee.outcome().is_none() && referee.seat() == self.seat && !referee.turn().is_fresh;
            // Plies beyond the end of the turn are dropped.
            if i > 0 && !goes_on {
                break;
            }
            if let Err(rejection) = referee.submit(ply) {
                let what = if matches!(rejection, Rejection::Illegal(_)) { "illegal" } else { "bad" };
                let ply = protocol::printable(ply).into_owned();
                let words = format!("{what} ply `{ply}`: {rejection}");
                return (plies, ReproVerdict::Fault(words));
            }
        }
        let verdict = match then {
            [] if self.exit_reason().is_some_and(Termination::is_fault) || self.has_failed_here() => {
                ReproVerdict::Mended
            }
            [_, ..] if plies.starts_with(then) => ReproVerdict::Same,
            _ => ReproVerdict::Different,
        };
        (plies, verdict)
    }
}
