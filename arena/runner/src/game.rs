//! One game between bots that have been greeted: set-up, questions, verdict.
//!
//! The arena is the only referee, and everything that a bot does is a value: a game always has an end with a winner and a
//! reason. The earlier event has precedence: an answer that was complete in time counts before anything that the bot did
//! afterwards, and the first of two faults counts. At a table of more than two seats a fault ends the game only for its bot,
//! and the others play on.

mod adjudication;
mod announcements;
pub(crate) mod assignment;
mod background;
pub(crate) mod conclusion;
mod judgement;
pub(crate) mod live;
pub(crate) mod polling;
pub(crate) mod question;
pub(crate) mod reply;
pub(crate) mod scoresheet;
pub(crate) mod usage;
mod wait;

use std::time::Duration;

use processes::processors;
use protocol::GameSetup;
use record::{PlyRecord, SeatExit, Termination, Warning};
use rules::{PerSeat, Reason, Referee, Rejection, Seat};
use settings::{OnFail, Ponder, Restart};
use tokio::time::Instant;

use crate::clock::Clock;
use crate::game::announcements::Announcements;
use crate::game::background::BackgroundUse;
use crate::game::conclusion::Conclusion;
use crate::game::live::LiveFeed;
use crate::game::polling::{BotSpeed, DIRECT_WAIT, Polling};
use crate::game::question::{Beside, question};
use crate::game::reply::Reply;
use crate::game::scoresheet::Scoresheet;
use crate::game::usage::DecisionUsage;
use crate::player::link::Break;
use crate::player::trouble::{TimedTrouble, unflushed};
use crate::player::{Player, announced_result};
use crate::random::RandomStream;
use crate::run::join_all::join_all;
use crate::{PlaySettings, Situation};

/// The parts of a game.
pub(crate) struct GameParts<'a> {
    /// The rules, at the start of the game.
    pub(crate) referee: Box<dyn Referee>,
    /// The `game` line of each bot.
    pub(crate) setups: PerSeat<GameSetup>,
    /// The plies of the opening.
    pub(crate) opening: &'a [String],
    /// The position string of the start, if it is not the game's own.
    pub(crate) start: Option<&'a str>,
    /// The clocks.
    pub(crate) clocks: PerSeat<Clock>,
    /// The settings of play.
    pub(crate) settings: &'a PlaySettings,
    /// Whether a bot is forgiven if it does not answer before its first ply. The game then does not count.
    pub(crate) is_forgiven: PerSeat<bool>,
    /// The failures of bots that did not come to a table of more than two seats.
    pub(crate) absent: Vec<(Seat, TimedTrouble)>,
    /// Where viewers see the game in progress, if there are any.
    pub(crate) feed: Option<&'a mut LiveFeed>,
}

/// The course of a game.
#[derive(Debug)]
pub(crate) struct GameCourse {
    /// The end.
    pub(crate) end: Conclusion,
    /// The faults of its bots, in order of time. With two seats, only the one that ended the game.
    pub(crate) faults: Vec<Fault>,
    /// How seats went out before the others, at a table of more than two seats.
    pub(crate) out: PerSeat<Option<SeatExit>>,
    /// The plies.
    pub(crate) plies: Vec<PlyRecord>,
    /// How many of them are the opening.
    pub(crate) opening: u32,
    /// How often each bot overran within the margin.
    pub(crate) overruns: PerSeat<u32>,
    /// How many answers of each bot were refused before one was accepted.
    pub(crate) retries: PerSeat<u32>,
    /// The false claims of each bot.
    pub(crate) warnings: PerSeat<Vec<Warning>>,
}

/// The fault of a bot.
#[derive(Clone, Debug)]
pub(crate) struct Fault {
    /// Its seat.
    pub(crate) seat: Seat,
    /// How the game ended for this bot.
    pub(crate) reason: Termination,
    /// What happened, in words without a subject.
    pub(crate) detail: String,
    /// How its process ended, if it did.
    pub(crate) exit: Option<String>,
    /// The situation of the game, if it had begun.
    pub(crate) scene: Option<Situation>,
}

impl GameCourse {
    /// Returns the course of a game without plies at a table of `seats` seats. `end` gives the reason.
    pub(crate) fn unplayed(end: Conclusion, seats: usize) -> Self {
        Self {
            faults: Fault::of(&end, None).into_iter().collect(),
            end,
            out: PerSeat::new(seats, |_| None),
            plies: Vec::new(),
            opening: 0,
            overruns: PerSeat::new(seats, |_| 0),
            retries: PerSeat::new(seats, |_| 0),
            warnings: PerSeat::new(seats, |_| Vec::new()),
        }
    }
}

impl Fault {
    /// Returns the fault that ended a game, or the game of a seat, if there was one.
    fn of(end: &Conclusion, scene: Option<Situation>) -> Option<Self> {
        let detail = end.detail.clone().unwrap_or_default();
        Some(Self { seat: end.fault?, reason: end.reason, detail, exit: end.exit.clone(), scene })
    }
}

/// Plays a game to its end, for any behaviour of the bots.
///
/// # Errors
/// When the opening is not legal, or the rules fail. No bot is to blame.
pub(crate) async fn play(players: &mut [Player], game: GameParts<'_>) -> Result<GameCourse, Rejection> {
    let seats = game.clocks.len();
    let scoresheet = Scoresheet::new(game.referee, game.start, game.clocks, game.opening)?;
    players.iter().for_each(Player::begin_game);
    let limit = game.settings.timeouts.set_up;
    let is_absent = |seat: Seat| game.absent.iter().any(|(absent, _)| *absent == seat);
    let set_ups = players.iter_mut().zip(game.setups.by_seat()).map(|(player, (seat, setup))| async move {
        if is_absent(seat) { Ok(()) } else { player.set_up(setup, limit).await }
    });
    let mut failures = join_all(set_ups).await.into_iter().map(Result::err);
    let mut failures = PerSeat::new(seats, |_| failures.next().flatten());
    for (seat, trouble) in game.absent {
        failures[seat] = Some(trouble);
    }
    let streams =
        game.setups.each_ref().map(|setup| RandomStream::new(setup.seed.unwrap_or_default(), &["fallback"]));
    let mut game_loop = GameLoop {
        players,
        scoresheet,
        settings: game.settings,
        is_forgiven: game.is_forgiven,
        retries: PerSeat::new(seats, |_| 0),
        tries: 0,
        streams,
        announcements: Announcements::new(seats),
        background: PerSeat::new(seats, |_| BackgroundUse::new(processors())),
        speeds: PerSeat::new(seats, |_| BotSpeed::default()),
        faults: Vec::new(),
        out: PerSeat::new(seats, |_| None),
        is_doubtful: false,
        feed: game.feed,
    };
    game_loop.show();
    let mut end = match game_loop.begin(&failures)? {
        Some(end) => end,
        None => game_loop.run().await?,
    };
    end.is_doubtful |= game_loop.is_doubtful;
    game_loop.show();
    if game.settings.conditions.ponder != Ponder::Yes {
        game_loop.close_idle();
    }
    game_loop.players.iter_mut().for_each(|player| player.freeze(false));
    game_loop.announce(&end).await;
    let overruns = PerSeat::new(seats, |seat| game_loop.scoresheet.clock(seat).overruns());
    let (retries, out, mut faults) = (game_loop.retries, game_loop.out, game_loop.faults);
    // At a table of more than two seats the last fault is already in the list.
    if !faults.iter().any(|fault| Some(fault.seat) == end.fault) {
        faults.extend(Fault::of(&end, end.fault.map(|_| game_loop.scoresheet.scene())));
    }
    if let (Termination::Rules(_), Some(verdict)) = (end.reason, game_loop.scoresheet.outcome()) {
        game_loop.announcements.end(verdict.outcome);
    }
    let mut warnings = game_loop.announcements.into_warnings();
    // Pondering bots get no warning for using the processor.
    if game.settings.conditions.ponder != Ponder::Yes {
        let number = game_loop.scoresheet.next_number().saturating_sub(1);
        for (warnings, background) in warnings.iter_mut().zip(&game_loop.background) {
            warnings.extend(background.warning(number));
        }
    }
    let (plies, opening) = game_loop.scoresheet.into_plies();
    Ok(GameCourse { end, faults, out, plies, opening, overruns, retries, warnings })
}

/// A game in progress.
struct GameLoop<'a> {
    players: &'a mut [Player],
    scoresheet: Scoresheet,
    settings: &'a PlaySettings,
    is_forgiven: PerSeat<bool>,
    retries: PerSeat<u32>,
    /// The number of answers refused during this decision.
    tries: u32,
    /// The random choices of plies for each bot that fails to decide.
    streams: PerSeat<RandomStream>,
    announcements: Announcements,
    /// The work of each bot during the others' decisions.
    background: PerSeat<BackgroundUse>,
    /// How fast the last decision of each bot was.
    speeds: PerSeat<BotSpeed>,
    /// The faults so far, at a table of more than two seats.
    faults: Vec<Fault>,
    /// How seats went out before the others, at a table of more than two seats.
    out: PerSeat<Option<SeatExit>>,
    /// Whether the machine may be to blame for one of the faults.
    is_doubtful: bool,
    feed: Option<&'a mut LiveFeed>,
}

impl GameLoop<'_> {
    /// Shows the game to viewers while no bot is asked.
    fn show(&mut self) {
        if let Some(feed) = &mut self.feed {
            feed.show(&self.scoresheet);
        }
    }

    /// Begins the game after its set-up, and returns how it ends if it cannot.
    fn begin(&mut self, failures: &PerSeat<Option<TimedTrouble>>) -> Result<Option<Conclusion>, Rejection> {
        let end = Conclusion::before_start(failures, &self.is_forgiven);
        if !self.scoresheet.is_table() || end.as_ref().is_none_or(|end| !end.is_exit()) {
            return Ok(end);
        }
        let mut failures: Vec<_> =
            failures.by_seat().filter_map(|(seat, failure)| Some((seat, failure.as_ref()?))).collect();
        failures.sort_by_key(|(_, failure)| failure.at);
        for (seat, failure) in failures {
            if let Some(end) = self.settle(Conclusion::failed(seat, failure, false))? {
                return Ok(Some(end));
            }
        }
        Ok(None)
    }

    /// Handles the end of a game. At a table of more than two seats a fault or a resignation ends the game only for its seat,
    /// and the others play on if two or more of them are left.
    fn settle(&mut self, end: Conclusion) -> Result<Option<Conclusion>, Rejection> {
        let Some(seat) = end.loser.filter(|_| self.scoresheet.is_table() && end.is_exit()) else {
            return Ok(Some(end));
        };
        if let Some(verdict) = self.scoresheet.outcome() {
            return Ok(Some(Conclusion::by_rules(verdict)));
        }
        let scene = end.fault.map(|_| self.scoresheet.scene());
        self.faults.extend(Fault::of(&end, scene));
        self.is_doubtful |= end.is_doubtful;
        self.tries = 0;
        self.note_exit(seat, end.reason, end.detail.clone());
        self.scoresheet.put_out(seat)?;
        // If the bot is still thinking, it must not take processor time from the players.
        let player = &mut self.players[seat.index()];
        if player.is_owing() && !player.is_broken() {
            player.freeze(true);
        }
        self.tell_newly_out();
        Ok(self.scoresheet.outcome().map(|verdict| match verdict.reason {
            // The rules do not know which fault it was.
            Reason::Fault => Conclusion { result: verdict.outcome.into(), ..end },
            _ => Conclusion::by_rules(verdict),
        }))
    }

    /// Records and announces that a seat is out.
    fn note_exit(&mut self, seat: Seat, reason: Termination, detail: Option<String>) {
        let ply = u32::try_from(self.scoresheet.next_number()).unwrap_or(u32::MAX);
        let exit = SeatExit { reason, detail, ply };
        self.feed.iter_mut().for_each(|feed| feed.put_out(seat, &exit));
        self.out[seat] = Some(exit);
        for (other, player) in (0..).zip(self.players.iter_mut()) {
            player.tell_out(seat, reason.code(), other == seat.index());
        }
    }

    /// Records and announces the seats that went out by the rules.
    fn tell_newly_out(&mut self) {
        for out in self.scoresheet.newly_out() {
            if let Some(reason) = out.reason {
                self.note_exit(out.seat, Termination::Rules(reason), None);
            }
        }
    }

    async fn run(&mut self) -> Result<Conclusion, Rejection> {
        let mut polling = Polling::new();
        // An opening may have put seats out already.
        self.tell_newly_out();
        loop {
            if let Some(verdict) = self.scoresheet.outcome() {
                return Ok(Conclusion::by_rules(verdict));
            }
            if let Some(end) = self.scoresheet.adjudicate(&self.settings.adjudicate) {
                return Ok(end);
            }
            if self.scoresheet.referee().must_pass() {
                let seat = self.scoresheet.referee().seat();
                self.scoresheet.pass()?;
                self.tell_played(seat, "pass", None);
                continue;
            }
            let seat = self.scoresheet.ask();
            self.announcements.ask(seat, self.scoresheet.own_turn(seat));
            let stop_limit = self.settings.timeouts.stop;
            // Before the question is written, because no clock is running yet.
            if let Some(feed) = &mut self.feed {
                feed.ask(&self.scoresheet, seat);
            }
            if self.settings.conditions.ponder == Ponder::Freeze {
                let others = self.players.iter_mut().enumerate().filter(|(other, _)| *other != seat.index());
                others.for_each(|(_, player)| player.freeze(true));
                // Before its clock starts.
                self.players[seat.index()].freeze(false);
            }
            let mut account = self.open_account(seat);
            let asked = Instant::now();
            let speed = self.speeds[seat];
            let feed = self.feed.as_deref_mut();
            let info_string = self.settings.conditions.info_string;
            let beside = Beside { polling: &mut polling, account: &mut account, speed, feed, info_string };
            let reply = question(self.players, &self.scoresheet, seat, stop_limit, beside).await;
            self.close_account(seat, account, asked, &reply);
            let paused = self.players[seat.index()].watchdog().paused();
            let end = match reply {
                reply if self.is_spoilt(seat, paused, &reply) => {
                    Some(Conclusion::paused(paused, self.scoresheet.next_number()))
                }
                Reply::Answer(answer) => self.judge(seat, answer)?,
                Reply::Late => {
                    let limit = self.scoresheet.clock(seat).limit_words();
                    self.scoresheet.charge_silence();
                    let mut end = self.flagged(seat, limit, None);
                    if self.is_unflushed(seat).await {
                        end.detail = end.detail.map(|detail| format!("{detail}, {}", unflushed("bestmove")));
                    }
                    Some(end)
                }
                Reply::Idle { limit, spent } => {
                    let end = self.idle(seat, limit);
                    self.scoresheet.charge(spent);
                    Some(end)
                }
                Reply::Failed(failure) => Some(self.failed(seat, &failure)),
                Reply::Rules(fault) => return Err(Rejection::Rules(fault)),
                Reply::Broken { seat: gone, why, at, answer } => {
                    let trouble = self.players[gone.index()].trouble(why).await;
                    let end = self.failed(gone, &TimedTrouble { trouble, at });
                    // The bot loses at once, unless the current ply ends the game.
                    if let Some(answer) = answer {
                        self.judge(seat, answer)?;
                    }
                    Some(self.scoresheet.outcome().map_or(end, Conclusion::by_rules))
                }
            };
            match end {
                Some(end) if !self.is_forgiven(seat, &end) => {
                    if let Some(end) = self.settle(end)? {
                        return Ok(end);
                    }
                }
                Some(_) => self.decide_for(seat)?,
                None => {}
            }
        }
    }

    /// Returns whether a decision is void because the arena itself did not run for `paused` meanwhile: longer than the margin,
    /// while time counted.
    fn is_spoilt(&self, seat: Seat, paused: Duration, reply: &Reply) -> bool {
        let clock = self.scoresheet.clock(seat);
        if paused <= clock.margin() {
            return false;
        }
        match reply {
            Reply::Late | Reply::Idle { .. } | Reply::Broken { why: Break::Unread(_), .. } => true,
            // Processor time does not pass while the bot is stopped.
            Reply::Answer(_) if clock.control().is_cpu() => false,
            Reply::Answer(answer) => {
                let is_timed = clock.allowance().is_some() || clock.turn_time().is_some();
                clock.patience().is_some_and(|patience| is_timed || answer.spent > patience)
            }
            Reply::Failed(_) | Reply::Broken { .. } | Reply::Rules(_) => false,
        }
    }

    /// Begins to measure the processor and waiting time of a seat's process, if time limits its decision. Readers of the record
    /// can then see whether the bot or the machine was late.
    fn open_account(&mut self, seat: Seat) -> DecisionUsage {
        let background = &mut self.background[seat];
        // Without an earlier reading in this game, its work in the opponent's time would be unknown.
        let was_fast = self.speeds[seat] == BotSpeed::Fast && background.last().is_some();
        let account =
            DecisionUsage::open(&mut self.players[seat.index()], self.scoresheet.clock(seat), was_fast);
        if let DecisionUsage::Open(at, times) = account {
            background.end(at, times);
        }
        account
    }

    /// Ends the measurement, and records the result.
    fn close_account(&mut self, seat: Seat, account: DecisionUsage, asked: Instant, reply: &Reply) {
        let (player, background) = (&mut self.players[seat.index()], &mut self.background[seat]);
        let took = asked.elapsed();
        let is_answer = matches!(reply, Reply::Answer(_));
        self.speeds[seat] = if is_answer { BotSpeed::of(took) } else { BotSpeed::Slow };
        if account == DecisionUsage::Closed || (account == DecisionUsage::PutOff && took <= DIRECT_WAIT) {
            return background.skip(took);
        }
        let Some(after) = player.times() else { return };
        let now = Instant::now();
        if let Some(used) = account.used(background.last(), after, asked, now) {
            self.scoresheet.note_used(used);
        }
        match account {
            DecisionUsage::Late(at, times) => {
                background.skip(at.saturating_duration_since(asked));
                background.end(at, times);
            }
            DecisionUsage::PutOff => {
                background.skip(took);
                background.end(now, after);
            }
            DecisionUsage::Open(..) | DecisionUsage::Closed => {}
        }
        background.begin(now, after);
    }

    /// Makes the postponed readings of what bots did in their opponents' time.
    fn close_idle(&mut self) {
        for (player, background) in self.players.iter_mut().zip(&mut self.background) {
            if background.has_unread()
                && let Some(times) = player.times()
            {
                background.end(Instant::now(), times);
            }
        }
    }

    /// Returns whether the game continues anyway: the bot only failed to decide, and is still running.
    fn is_forgiven(&self, seat: Seat, end: &Conclusion) -> bool {
        let is_failure =
            matches!(end.reason, Termination::Timeout | Termination::IllegalMove | Termination::BadMove);
        self.settings.conditions.on_fail == OnFail::Random
            && is_failure
            && end.fault == Some(seat)
            && match self.scoresheet.is_table() {
                true => !self.players[seat.index()].is_broken(),
                false => self.players.iter().all(|player| !player.is_broken()),
            }
    }

    /// Returns whether a bot that let its time pass holds its output back. This closes its input, so it is not tried with a bot
    /// that plays on in this game or in this process.
    async fn is_unflushed(&mut self, seat: Seat) -> bool {
        let plays_on = self.settings.conditions.on_fail == OnFail::Random
            || self.settings.conditions.restart == Restart::Never;
        !plays_on && self.players[seat.index()].holds_back("bestmove").await
    }

    /// Plays a legal ply for the bot that has failed to decide.
    fn decide_for(&mut self, seat: Seat) -> Result<(), Rejection> {
        let stream = &mut self.streams[seat];
        let ply = self.scoresheet.play_for(|count| stream.below(count))?;
        self.tries = 0;
        self.tell_played(seat, &ply, None);
        Ok(())
    }

    fn tell_played(&mut self, seat: Seat, ply: &str, spent: Option<Duration>) {
        for player in self.players.iter_mut() {
            player.tell_played(seat, ply, spent);
        }
        self.tell_newly_out();
    }

    /// Announces the end of the game to every bot that is still running.
    async fn announce(&mut self, end: &Conclusion) {
        let outcome = announced_result(end.result);
        for player in self.players.iter_mut() {
            player.tell_end(&outcome, end.reason.code(), self.scoresheet.plies().len());
        }
        tokio::task::yield_now().await;
        for player in self.players.iter_mut() {
            player.drain().await;
        }
    }
}
