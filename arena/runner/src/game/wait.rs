//! The wait for the answer to one question: the output of all bots meanwhile, and all times that may run out.
//!
//! It begins without the runtime ([`crate::game::polling`]) and continues in it. There is one absolute deadline, which no
//! message extends.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use protocol::{Ability, Event};
use record::InfoRecord;
use rules::Seat;
use tokio::task::yield_now;
use tokio::time::{Instant, Sleep, sleep};

use crate::clock::processor_time::{Meter, Reading};
use crate::game::announcements::Announcement;
use crate::game::live::LiveFeed;
use crate::game::polling;
use crate::game::reply::{Answer, Reply, keep};
use crate::game::scoresheet::Scoresheet;
use crate::game::usage::DecisionUsage;
use crate::player::link::Break;
use crate::player::{Heard, Player};

/// An event while a question is open.
enum WaitNews {
    /// A message of the asked bot.
    Said(Box<Event>, Instant),
    /// The link to one of the bots broke.
    Broken(Seat, Break, Instant),
    /// A message of another bot, which does not matter now.
    Noise,
    /// Only the margin is left.
    Nudge,
    /// The processor time must be read.
    Look,
    /// No time is left.
    Deadline,
}

/// An open question.
pub(crate) struct Wait<'a> {
    players: &'a mut [Player],
    scoresheet: &'a Scoresheet,
    seat: Seat,
    /// How long the answer may take without being late.
    limit: Duration,
    /// How long the answer may take in real time; `None` means no limit.
    patience: Option<Duration>,
    /// The meter, if the clock does not count real time.
    meter: Option<Meter>,
    /// The timer of the next reading of the meter.
    look: Option<Pin<Box<Sleep>>>,
    /// Whether the bot can be stopped.
    can_stop: bool,
    /// Whether `go` has been written, from which the next two times count.
    is_timed: bool,
    /// When the game is lost on time.
    deadline: Option<Instant>,
    /// When to ask the bot for its answer; `None` after that.
    nudge: Option<Instant>,
    info: Option<InfoRecord>,
    /// The most characters kept of its last `info string`.
    info_string: u32,
    announcement: Announcement,
    feed: Option<&'a mut LiveFeed>,
    account: &'a mut DecisionUsage,
    /// Whether the bots can be awaited without the runtime.
    is_direct: bool,
    /// Whether they still are.
    waits_directly: bool,
    /// For how long they are.
    direct_wait: Duration,
}

impl<'a> Wait<'a> {
    /// Begins the wait for the answer of a seat whose question is being sent, without the runtime for `direct_wait`.
    pub(crate) fn new(
        players: &'a mut [Player],
        scoresheet: &'a Scoresheet,
        seat: Seat,
        direct_wait: Duration,
        account: &'a mut DecisionUsage,
        feed: Option<&'a mut LiveFeed>,
    ) -> Self {
        let clock = scoresheet.clock(seat);
        let player = &mut players[seat.index()];
        player.watchdog().reset();
        let before = if clock.control().is_cpu() { player.processor_time() } else { None };
        let meter = before.map(|before| Meter::new(before, clock.limit(), clock.patience()));
        let can_stop = player.identity().can(Ability::Stop);
        let is_direct = players.iter().all(|player| player.link().has_pipe());
        Self {
            players,
            scoresheet,
            seat,
            limit: clock.limit(),
            patience: if meter.is_some() { clock.real_limit() } else { clock.patience() },
            look: meter.map(|meter| Box::pin(sleep(meter.pause(Duration::ZERO)))),
            meter,
            can_stop,
            is_timed: false,
            deadline: None,
            nudge: None,
            info: None,
            info_string: 0,
            announcement: Announcement::default(),
            feed,
            account,
            is_direct,
            waits_directly: is_direct && !direct_wait.is_zero(),
            direct_wait,
        }
    }

    /// Sets how many characters of the last text are kept.
    pub(crate) fn keeping(self, info_string: u32) -> Self {
        Self { info_string, ..self }
    }

    /// Returns when the system had just reported the output of all bots, if that was right before a reply.
    pub(crate) fn looked(&self, reply: &Reply) -> Option<Instant> {
        match reply {
            // In the runtime, news about a pipe goes to the runtime.
            Reply::Answer(answer) if self.waits_directly || !self.is_direct => Some(answer.at),
            _ => None,
        }
    }

    /// Waits until there is a reply.
    pub(crate) async fn run(&mut self) -> Reply {
        loop {
            match self.hear().await {
                // The earlier event counts, which is the flag here.
                WaitNews::Broken(_, _, at) if self.is_late(at) => return self.late(),
                WaitNews::Broken(from, why, at) => {
                    let answer = if from == self.seat { None } else { self.last_word().await };
                    return Reply::Broken { seat: from, why, at, answer };
                }
                WaitNews::Said(event, at) => match self.answer(*event, at) {
                    Some(answer) => return Reply::Answer(answer),
                    None if self.is_late(at) => return self.late(),
                    None => {}
                },
                // SPEC 6.2: only a bot that declares it can be stopped.
                WaitNews::Nudge => self.players[self.seat.index()].stop(),
                WaitNews::Look => {
                    if self.look() == Some(Reading::Over) {
                        return self.last_word().await.map_or(Reply::Late, Reply::Answer);
                    }
                }
                // The messages of the other bot must not delay the answer, so the system is asked for it after each piece.
                WaitNews::Noise if !self.is_late(Instant::now()) => yield_now().await,
                // What came in the last instant is judged by its own time.
                WaitNews::Noise | WaitNews::Deadline => {
                    let answer = self.last_word().await;
                    return answer.map_or_else(|| self.late(), Reply::Answer);
                }
            }
        }
    }

    /// Returns the reply when the real time is over.
    fn late(&self) -> Reply {
        match self.patience.filter(|_| self.meter.is_some()) {
            Some(limit) => Reply::Idle { limit, spent: self.used().unwrap_or_default() },
            None => Reply::Late,
        }
    }

    /// Returns the processor time used since the question, if it counts.
    fn used(&self) -> Option<Duration> {
        let meter = self.meter?;
        self.players[self.seat.index()].processor_time().map(|now| meter.spent(now))
    }

    /// Reads the processor time. A process that is gone uses no more of it, and its end will be noticed.
    fn look(&mut self) -> Option<Reading> {
        self.look = None;
        let player = &mut self.players[self.seat.index()];
        let (meter, now) = (self.meter.as_mut()?, player.processor_time()?);
        let reading = meter.read(now);
        let pause = match reading {
            Reading::Over => return Some(reading),
            Reading::Nudge => {
                player.stop();
                meter.pause(meter.spent(now))
            }
            Reading::Runs(pause) => pause,
        };
        self.look = Some(Box::pin(sleep(pause)));
        Some(reading)
    }

    /// Returns the next event, with the asked bot first.
    async fn hear(&mut self) -> WaitNews {
        poll_fn(|cx| {
            let news = self.poll_news(cx);
            if news.is_pending() {
                self.account.catch_up(&mut self.players[self.seat.index()]);
                if let Some(feed) = &mut self.feed {
                    feed.catch_up(self.scoresheet);
                }
            }
            news
        })
        .await
    }

    /// Waits without the runtime for as long as allowed, then in it.
    fn poll_news(&mut self, cx: &mut Context<'_>) -> Poll<WaitNews> {
        while self.waits_directly {
            self.players.iter_mut().for_each(|player| player.link_mut().write(cx));
            let Some(left) = self.direct_wait_left() else { break };
            self.waits_directly = !left.is_zero();
            if !self.waits_directly || self.players.iter().any(|player| player.link().has_news()) {
                break;
            }
            let is_written = self.players.iter().all(|player| player.link().is_written());
            self.waits_directly = is_written && polling::wait(self.players, left);
            for player in self.in_turn() {
                if self.players[player.index()].link().has_news()
                    && let Poll::Ready(news) = self.poll_bot(player, cx)
                {
                    return Poll::Ready(news);
                }
            }
        }
        for player in self.in_turn() {
            if let Poll::Ready(news) = self.poll_bot(player, cx) {
                return Poll::Ready(news);
            }
        }
        // A thinking bot may use any processor.
        self.players.iter_mut().for_each(Player::let_go);
        self.poll_times(cx)
    }

    /// Returns the seats, the asked one first.
    fn in_turn(&self) -> impl Iterator<Item = Seat> + use<> {
        let asked = self.seat;
        std::iter::once(asked).chain(self.scoresheet.seats().filter(move |seat| *seat != asked))
    }

    /// Returns how long to wait for the bots without the runtime; `None` before the question is written.
    fn direct_wait_left(&mut self) -> Option<Duration> {
        let started = self.note_start()?;
        let times = [Some(started + self.direct_wait), self.deadline, self.nudge];
        let end = times.into_iter().flatten().min()?;
        Some(end.saturating_duration_since(Instant::now()))
    }

    /// Returns when `go` was written, and sets the times that count from there.
    fn note_start(&mut self) -> Option<Instant> {
        let started = self.players[self.seat.index()].started()?;
        if !self.is_timed {
            self.is_timed = true;
            self.players[self.seat.index()].watchdog().begin(started);
            self.deadline = self.deadline();
            let is_nudged = self.can_stop && self.meter.is_none() && self.deadline.is_some();
            self.nudge = started.checked_add(self.limit).filter(|_| is_nudged);
        }
        Some(started)
    }

    /// Polls a bot: the asked one, or another one whose output is dropped.
    fn poll_bot(&mut self, seat: Seat, cx: &mut Context<'_>) -> Poll<WaitNews> {
        let player = &mut self.players[seat.index()];
        if seat == self.seat {
            player.poll_next(cx).map(|(heard, at)| match heard {
                Heard::Said(event) => WaitNews::Said(Box::new(event), at),
                Heard::Broken(why) => WaitNews::Broken(seat, why, at),
            })
        } else {
            let is_table = self.scoresheet.is_table();
            player.poll_aside(cx).map(|broken| match broken {
                // At a table of more than two seats it goes out when it is asked next, because its link remembers.
                Some(_) if is_table => WaitNews::Noise,
                Some((why, at)) => WaitNews::Broken(seat, why, at),
                None => WaitNews::Noise,
            })
        }
    }

    /// Polls the time that runs out next.
    fn poll_times(&mut self, cx: &mut Context<'_>) -> Poll<WaitNews> {
        self.note_start();
        let player = &mut self.players[self.seat.index()];
        player.watchdog().poll(cx);
        if let Some(nudge) = self.nudge
            && player.poll_timer(nudge, cx).is_ready()
        {
            self.nudge = None;
            return Poll::Ready(WaitNews::Nudge);
        }
        if let Some(look) = &mut self.look
            && look.as_mut().poll(cx).is_ready()
        {
            return Poll::Ready(WaitNews::Look);
        }
        // The nudge comes first and already has a timer.
        match self.deadline.filter(|_| self.nudge.is_none()) {
            Some(deadline) => player.poll_timer(deadline, cx).map(|()| WaitNews::Deadline),
            None => Poll::Pending,
        }
    }

    /// Returns the answer of the asked bot if it has already come.
    async fn last_word(&mut self) -> Option<Answer> {
        yield_now().await;
        poll_fn(|cx| {
            while let Poll::Ready((heard, at)) = self.players[self.seat.index()].poll_next(cx) {
                let answer = match heard {
                    Heard::Said(event) => self.answer(event, at),
                    Heard::Broken(_) => return Poll::Ready(None),
                };
                if answer.is_some() {
                    return Poll::Ready(answer);
                }
            }
            Poll::Ready(None)
        })
        .await
    }

    /// Handles a message of the asked bot and returns its answer, if it is one.
    fn answer(&mut self, event: Event, at: Instant) -> Option<Answer> {
        let said = match event {
            Event::Answer(answer) => Ok(answer),
            Event::BadAnswer(fault) => Err(fault),
            Event::Info(mut line) => {
                // SPEC 6.6: the first of several best lines counts.
                if line.multi_pv.is_none_or(|n| n <= 1) {
                    keep(&mut self.info, &line, self.info_string);
                    if let Some(feed) = &self.feed {
                        feed.hear(self.seat, &line);
                    }
                    self.announcement.hear(&mut line);
                }
                return None;
            }
            _ => return None,
        };
        let started = self.players[self.seat.index()].started().unwrap_or(at);
        // In whole microseconds, as recorded, so that a record reproduces every clock.
        let spent = self.used().unwrap_or_else(|| at.saturating_duration_since(started));
        let spent = spent.as_micros().try_into().unwrap_or(u64::MAX);
        Some(Answer {
            said,
            info: self.info.take(),
            announcement: std::mem::take(&mut self.announcement),
            spent: Duration::from_micros(spent),
            at,
        })
    }

    /// Returns when the game is lost on time, once the question has been written.
    fn deadline(&self) -> Option<Instant> {
        self.players[self.seat.index()].started()?.checked_add(self.patience?)
    }

    fn is_late(&self, at: Instant) -> bool {
        self.deadline().is_some_and(|deadline| at > deadline)
    }
}
