//! One bot and the conversation with it: greeting, set-up, questions, farewell.
//!
//! A player never judges. It reports what the bot sent and when, or what went wrong and when.

mod flush;
pub(crate) mod line_log;
pub(crate) mod link;
mod ponder;
pub(crate) mod process;
mod start;
pub(crate) mod trace;
pub(crate) mod trouble;
mod whereabouts;

use std::future::poll_fn;
use std::num::NonZeroU8;
use std::task::{Context, Poll};
use std::time::Duration;

use processes::{Launcher, Process, ProcessEnd};
use protocol::{AnnouncedResult, Ask, Dialogue, Event, GameSetup, Moves, Pairs, State, Timeouts, Want};
use settings::Quota;
use tokio::time::{Instant, timeout_at};

use self::flush::Pulse;
use self::process::BotProcess;
use self::start::start;
use self::whereabouts::Whereabouts;
use crate::clock::timer::DeadlineTimer;
use crate::clock::watchdog::Watchdog;
use crate::player::line_log::{LineLog, Spoken};
use crate::player::link::{Break, Link, LinkSignal, Transport};
use crate::player::trouble::{Gone, TimedTrouble, Trouble};
use crate::{Direction, PlannedBot};

/// How long a process may take to end after it closed its output, so that its status can be reported.
const EXIT_GRACE: Duration = Duration::from_millis(200);

/// The same if the system reports that the process is about to end: on a busy machine its guard learns of it late.
const END_GRACE: Duration = Duration::from_secs(10);

/// One bot, ready for a conversation. Dropping it ends its process and its process group.
pub(crate) struct Player {
    link: Link,
    dialogue: Dialogue,
    /// The process; `None` only after it has been ended.
    process: Option<Box<dyn BotProcess>>,
    log: LineLog,
    /// While the bot ponders: the plies of the game with the one that it expects.
    foreseen: Option<Moves>,
    /// The last question, whose memory is reused.
    question: String,
    /// Messages that are held until the bot stops thinking.
    held: String,
    /// Whether the bot holds its output back.
    pulse: Pulse,
    /// The timer of a decision.
    timer: DeadlineTimer,
    /// The timer of all other waits. These are shorter, so neither timer has to be set to an earlier time.
    ready: DeadlineTimer,
    /// Notices pauses of the arena itself while it waits for the bot.
    watchdog: Watchdog,
    /// The limits of its processes.
    quota: Quota,
    /// Whether its processes are stopped.
    is_frozen: bool,
    /// Where its processes run.
    whereabouts: Whereabouts,
}

/// What arrives from a bot.
#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "one at a time, and nearly always the large one")]
pub(crate) enum Heard {
    /// A line, and its meaning.
    Said(Event),
    /// Nothing more will come.
    Broken(Break),
}

/// A bot that did not come to the board.
#[derive(Debug)]
pub(crate) struct LostBot {
    /// What went wrong.
    pub(crate) failure: TimedTrouble,
    /// The end of its standard error.
    pub(crate) stderr: Vec<u8>,
    /// The last lines exchanged.
    pub(crate) spoken: Spoken,
    /// How to flush its output, if it was found to be held back.
    pub(crate) flush: Option<String>,
}

impl Player {
    /// Starts a bot and greets it.
    pub(crate) async fn launch(
        launcher: &dyn Launcher,
        bot: &PlannedBot,
        timeouts: &Timeouts,
        log: LineLog,
    ) -> Result<Self, LostBot> {
        let (process, transport) = start(launcher, bot, timeouts.hello).await?;
        let dialogue = Dialogue::new(bot.dialect.clone());
        let mut player = Self::new(Box::new(process), transport, dialogue, timeouts);
        player.quota = bot.launch.quota;
        player.log = log;
        match player.greet(&bot.options, timeouts).await {
            Ok(()) => Ok(player),
            Err(failure) => {
                let spoken = player.spoken();
                let flush = player.flush_advice(&bot.launch);
                Err(LostBot { failure, stderr: player.kill().await.stderr, spoken, flush })
            }
        }
    }

    /// Returns the player of a process at the other end of a transport, before the greeting.
    pub(crate) fn new(
        process: Box<dyn BotProcess>,
        transport: Transport,
        dialogue: Dialogue,
        timeouts: &Timeouts,
    ) -> Self {
        let link = Link::new(transport, timeouts.write);
        let log = LineLog::new(Instant::now());
        let (held, pulse) = (String::new(), Pulse::new(timeouts.flush));
        let (quota, is_frozen) = (Quota::default(), false);
        Self {
            link,
            dialogue,
            process: Some(process),
            log,
            foreseen: None,
            question: String::new(),
            held,
            pulse,
            timer: DeadlineTimer::default(),
            ready: DeadlineTimer::default(),
            watchdog: Watchdog::default(),
            quota,
            is_frozen,
            whereabouts: Whereabouts::default(),
        }
    }

    /// Exchanges greetings and sets the bot's options.
    pub(crate) async fn greet(
        &mut self,
        options: &[(String, String)],
        timeouts: &Timeouts,
    ) -> Result<(), TimedTrouble> {
        let hello = self.dialogue.hello();
        self.tell(&hello);
        let hello_ok = self.dialogue.hello_ok().to_owned();
        self.wait(&hello_ok, timeouts.hello).await?;
        let greeting = self.dialogue.after_hello(options, "arena", env!("CARGO_PKG_VERSION"));
        let greeting =
            greeting.map_err(|fault| TimedTrouble { trouble: Trouble::Option(fault), at: Instant::now() })?;
        self.tell(&greeting);
        Ok(())
    }

    /// Sets up a game and waits until the bot is ready for it.
    pub(crate) async fn set_up(&mut self, game: &GameSetup, limit: Duration) -> Result<(), TimedTrouble> {
        self.link.start_ply();
        let text = self.dialogue.set_up(game);
        self.tell(&text);
        self.wait("readyok", limit).await
    }

    /// Resynchronizes with the bot, whatever it was doing.
    pub(crate) async fn resync(&mut self, limit: Duration) -> Result<(), TimedTrouble> {
        self.link.start_ply();
        let text = self.dialogue.ready_check();
        self.tell(&text);
        self.wait("readyok", limit).await
    }

    /// Asks for the answer now, if the bot can be stopped.
    pub(crate) fn stop(&mut self) {
        if let Some(text) = self.dialogue.stop() {
            self.tell(&text);
        }
    }

    /// Asks a question. Read what the bot has written before: see [`Player::settle`].
    pub(crate) fn ask(&mut self, ask: &Ask<'_>) {
        self.foreseen = None;
        self.release();
        self.question.clear();
        let go = self.dialogue.ask_into(ask, &mut self.question);
        self.log.note(Direction::ToBot, Instant::now(), &self.question);
        self.link.send_question(&self.question, go);
    }

    /// Starts counting the output for a ply of the bot or of the opponent.
    pub(crate) const fn start_ply(&mut self) {
        self.link.start_ply();
    }

    /// Returns when the clock of the last question started, if the question has been written.
    pub(crate) const fn started(&self) -> Option<Instant> {
        self.link.started()
    }

    /// Announces an accepted ply, if the bot wants that.
    pub(crate) fn tell_played(&mut self, seat: rules::Seat, ply: &str, spent: Option<Duration>) {
        if !self.identity().wants(Want::Played) {
            return;
        }
        let mut pairs = Pairs::new();
        if let Some(spent) = spent {
            pairs = pairs.with("ms", spent.as_millis());
        }
        if let Some(text) = self.dialogue.played(number(seat), ply, &pairs) {
            // SPEC 6.4: only a few control messages may come between `go` and `bestmove`.
            if self.dialogue.state() == State::Thinking {
                self.held.push_str(&text);
            } else {
                self.tell(&text);
            }
        }
    }

    /// Announces that a seat is out. If its own bot is still thinking, it is asked to stop, if it can be, and is not asked
    /// again.
    pub(crate) fn tell_out(&mut self, seat: rules::Seat, code: &str, is_own: bool) {
        if is_own {
            self.held.clear();
            self.foreseen = None;
            self.stop();
        }
        let text = self.dialogue.out(number(seat), code, is_own);
        // SPEC 6.4: only a few control messages may come between `go` and `bestmove`.
        if self.dialogue.state() == State::Thinking {
            self.held.push_str(&text);
        } else {
            self.tell(&text);
        }
    }

    /// Reports an error in an answer to the bot.
    pub(crate) fn tell_error(&mut self, code: &str, pairs: &Pairs, words: &str) {
        let text = self.dialogue.error(code, pairs, words);
        self.tell(&text);
    }

    /// Announces the end of the game. A bot that is still thinking is asked to stop, if it can be.
    pub(crate) fn tell_end(&mut self, outcome: &AnnouncedResult, code: &str, plies: usize) {
        self.held.clear();
        self.foreseen = None;
        self.stop();
        let text = self.dialogue.game_over(outcome, code, &Pairs::new().with("plies", plies));
        self.tell(&text);
    }

    /// Returns the bot's next message.
    pub(crate) async fn next(&mut self) -> (Heard, Instant) {
        poll_fn(|cx| self.poll_next(cx)).await
    }

    /// Returns the bot's next message, or `None` after a deadline. A pause of the arena itself postpones the deadline.
    async fn next_until(&mut self, deadline: &mut Instant) -> Option<(Heard, Instant)> {
        self.watchdog.reset();
        self.watchdog.begin(Instant::now());
        let due = *deadline;
        poll_fn(|cx| match self.poll_next(cx) {
            Poll::Ready((heard, at)) => {
                *deadline = due + self.watchdog.look(at);
                Poll::Ready(Some((heard, at)))
            }
            Poll::Pending => {
                self.watchdog.poll(cx);
                *deadline = due + self.watchdog.paused();
                self.ready.poll(*deadline, cx).map(|()| None)
            }
        })
        .await
    }

    /// Works as [`Player::next_until`], with or without a deadline. Adds the arena's own pauses to `paused`.
    pub(crate) async fn next_in_time(
        &mut self,
        deadline: &mut Option<Instant>,
        paused: &mut Duration,
    ) -> Option<(Heard, Instant)> {
        let Some(deadline) = deadline else { return Some(self.next().await) };
        let heard = self.next_until(deadline).await;
        *paused += self.watchdog.paused();
        heard
    }

    /// Returns the watchdog, for the wait for its decision.
    pub(crate) const fn watchdog(&mut self) -> &mut Watchdog {
        &mut self.watchdog
    }

    /// Completes after a deadline for a decision.
    pub(crate) fn poll_timer(&mut self, deadline: Instant, cx: &mut Context<'_>) -> Poll<()> {
        self.timer.poll(deadline, cx)
    }

    /// Returns the link, for waiting without the runtime.
    pub(crate) const fn link(&self) -> &Link {
        &self.link
    }

    /// Returns the link, for passing on news from the system.
    pub(crate) const fn link_mut(&mut self) -> &mut Link {
        &mut self.link
    }

    /// Writes what can be written and returns the bot's next message.
    pub(crate) fn poll_next(&mut self, cx: &mut Context<'_>) -> Poll<(Heard, Instant)> {
        loop {
            let Poll::Ready((signal, at)) = self.link.poll(cx) else { return Poll::Pending };
            let line = match signal {
                LinkSignal::Line(line) => line,
                LinkSignal::Broken(why) => return Poll::Ready((Heard::Broken(why), at)),
            };
            self.log.note(Direction::FromBot, at, &line);
            // SPEC 6.5: bytes received before `go` are not an answer.
            let is_early = self.dialogue.state() == State::Thinking && self.link.started().is_none();
            if !is_early {
                let event = self.dialogue.receive(&line);
                self.pulse.note(&event);
                return Poll::Ready((Heard::Said(event), at));
            }
        }
    }

    /// Writes what can be written, and logs, line by line, what came from a bot that was not asked. Returns why the link is
    /// broken, if that turns out.
    pub(crate) fn poll_aside(&mut self, cx: &mut Context<'_>) -> Poll<Option<(Break, Instant)>> {
        loop {
            let Poll::Ready((signal, at)) = self.link.poll(cx) else { return Poll::Pending };
            match signal {
                LinkSignal::Line(line) => {
                    self.log.note(Direction::FromBot, at, &line);
                    // An answer that comes too early ends pondering, and is dropped.
                    if self.is_pondering() {
                        self.dialogue.receive(&line);
                    }
                }
                LinkSignal::Broken(why) => return Poll::Ready(Some((why, at))),
            }
            if !self.link.has_line() {
                return Poll::Ready(None);
            }
        }
    }

    /// Reads what the bot has written so far, after asking the system once for news. Returns why the link is broken, if that
    /// turns out.
    pub(crate) async fn settle(&mut self) -> Option<(Break, Instant)> {
        tokio::task::yield_now().await;
        self.drain().await
    }

    /// Reads what the system has reported of the bot's output. Returns why the link is broken, if that turns out.
    pub(crate) async fn drain(&mut self) -> Option<(Break, Instant)> {
        poll_fn(|cx| {
            while let Poll::Ready((heard, at)) = self.poll_next(cx) {
                if let Heard::Broken(why) = heard {
                    return Poll::Ready(Some((why, at)));
                }
            }
            Poll::Ready(None)
        })
        .await
    }

    /// Returns the meaning of a broken link.
    pub(crate) async fn trouble(&mut self, why: Break) -> Trouble {
        let is_greeted = self.dialogue.state() != State::Handshake;
        match why {
            Break::Overlong | Break::Flood | Break::Lines => Trouble::Flood(why),
            Break::Unread(limit) => Trouble::Unread(limit),
            Break::Output | Break::Input | Break::Process => {
                let gone = Gone { how: why, exit: self.exit().await };
                if let Some(words) = self.excess() {
                    return Trouble::Resource(words);
                }
                if gone.exit.is_none() && self.process().is_some_and(Process::has_lost_guard) {
                    return Trouble::Unguarded;
                }
                if is_greeted {
                    Trouble::Gone(gone)
                } else {
                    Trouble::Stillborn { gone, awaited: self.dialogue.hello_ok().to_owned() }
                }
            }
        }
    }

    /// Returns whether nothing more will come, or no question is possible because its input was closed.
    pub(crate) const fn is_broken(&self) -> bool {
        self.link.is_broken() || self.pulse.is_closed()
    }

    /// Returns why nothing more will come and since when, if so.
    pub(crate) const fn broken(&self) -> Option<(Break, Instant)> {
        self.link.broken()
    }

    /// Returns whether the bot owes an answer, even to an abandoned question.
    pub(crate) const fn is_owing(&self) -> bool {
        self.dialogue.is_waiting()
    }

    /// Returns whether the bot has refused a game. It may be out of step from then on: see [`Dialogue::has_refused`].
    pub(crate) const fn has_refused(&self) -> bool {
        self.dialogue.has_refused()
    }

    /// Returns what the bot declared.
    pub(crate) fn identity(&self) -> &protocol::Identity {
        self.dialogue.identity()
    }

    /// Returns the end of the standard error so far.
    pub(crate) fn stderr(&self) -> Vec<u8> {
        self.process().map(Process::stderr).unwrap_or_default()
    }

    /// Continues with another log of its lines.
    pub(crate) fn set_log(&mut self, log: LineLog) {
        let before = self.take_log();
        self.log = log.with_room_of(before);
    }

    /// Returns the last lines of its log.
    pub(crate) fn spoken(&self) -> Spoken {
        self.log.spoken()
    }

    /// Returns the log of its lines and starts a new one.
    pub(crate) fn take_log(&mut self) -> LineLog {
        std::mem::replace(&mut self.log, LineLog::new(Instant::now()))
    }

    /// Ends the process, politely first.
    pub(crate) async fn end(mut self, timeouts: &Timeouts) {
        let deadline = Instant::now() + timeouts.quit;
        self.link.start_ply();
        let quit = self.dialogue.quit();
        self.tell(&quit);
        self.link.close();
        while !self.is_broken() && Instant::now() < deadline {
            // Its output no longer matters but must be read, otherwise the bot might not be able to end.
            if timeout_at(deadline, self.next()).await.is_err() {
                break;
            }
        }
        if let Some(process) = self.take_process() {
            process.end(deadline, timeouts.terminate).await;
        }
    }

    /// Ends the process at once.
    pub(crate) async fn kill(mut self) -> ProcessEnd {
        let ended = match self.take_process() {
            Some(process) => process.kill().await,
            None => ProcessEnd { status: None, stderr: Vec::new() },
        };
        match self.pulse.take_stderr() {
            // It ended because its input was closed, so its status and later output do not matter.
            Some(stderr) => ProcessEnd { status: None, stderr },
            None => ended,
        }
    }

    async fn exit(&mut self) -> Option<String> {
        let process = self.process()?;
        let end = Instant::now() + END_GRACE;
        while timeout_at(Instant::now() + EXIT_GRACE, process.ended()).await.is_err()
            && process.is_ending()
            && Instant::now() < end
        {}
        process.status()
    }

    /// Waits for the end of the greeting or the set-up. The limit is one deadline, which no message extends.
    async fn wait(&mut self, awaited: &str, limit: Duration) -> Result<(), TimedTrouble> {
        let mut deadline = Instant::now() + limit;
        let silent = |is_unflushed, at| {
            let trouble = Trouble::Silent { awaited: awaited.to_owned(), limit, is_unflushed };
            Err(TimedTrouble { trouble, at })
        };
        loop {
            let Some((heard, at)) = self.next_until(&mut deadline).await else {
                return silent(self.holds_back(awaited).await, deadline);
            };
            match heard {
                _ if at > deadline => return silent(false, deadline),
                Heard::Said(Event::HelloDone | Event::Ready) => return Ok(()),
                Heard::Said(Event::Rejected(reject)) => {
                    return Err(TimedTrouble { trouble: Trouble::Rejected(reject), at });
                }
                Heard::Said(_) => {}
                Heard::Broken(why) => return Err(TimedTrouble { trouble: self.trouble(why).await, at }),
            }
        }
    }

    fn tell(&mut self, text: &str) {
        self.release();
        if !text.is_empty() {
            self.note_sent(text);
            self.link.send(text);
        }
    }

    /// Sends held messages, unless the bot is still thinking.
    fn release(&mut self) {
        if !self.held.is_empty() && self.dialogue.state() != State::Thinking {
            let text = std::mem::take(&mut self.held);
            self.note_sent(&text);
            self.link.send(&text);
        }
    }

    fn note_sent(&mut self, text: &str) {
        self.log.note(Direction::ToBot, Instant::now(), text);
    }
}

/// Returns the seat as the protocol numbers it.
pub(crate) fn number(seat: rules::Seat) -> protocol::SeatNumber {
    protocol::SeatNumber::new(seat.index() as u8 + 1).expect("seats are counted from 1")
}

/// Returns a result of the rules in the protocol's form.
pub(crate) fn announced(outcome: rules::Outcome) -> AnnouncedResult {
    match outcome {
        rules::Outcome::Win(seat) => AnnouncedResult::Win(number(seat)),
        rules::Outcome::Draw => AnnouncedResult::Draw,
        rules::Outcome::Places(places) => {
            AnnouncedResult::Places(places.iter().filter_map(|(_, place)| NonZeroU8::new(place)).collect())
        }
    }
}

/// Returns the result of a game in the protocol's form.
pub(crate) fn announced_result(result: record::GameResult) -> AnnouncedResult {
    match result {
        record::GameResult::P1Win => announced(rules::Outcome::Win(rules::Seat::P1)),
        record::GameResult::P2Win => announced(rules::Outcome::Win(rules::Seat::P2)),
        record::GameResult::Draw => AnnouncedResult::Draw,
        record::GameResult::None => AnnouncedResult::None,
        record::GameResult::Places(places) => announced(rules::Outcome::Places(places)),
    }
}
