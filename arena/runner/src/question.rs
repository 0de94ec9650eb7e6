//! One question to one bot: everything between `go` and what comes of it.
//!
//! Both bots are served while one of them thinks. There is one absolute deadline, whatever the bot says
//! before it, and nothing is judged here but the order of events.

use std::future::poll_fn;
use std::pin::Pin;
use std::task::Poll;
use std::time::Duration;

use protocol::{
    Ability, After, AnswerFault, Ask, BestMove, Event, Info, Limits, MAX_ARENA_LINE, MAX_MOVE, Pair, Pairs,
    ScoreValue, SeatClock, Want,
};
use record::InfoRecord;
use rules::{Referee, Seat};
use tokio::task::yield_now;
use tokio::time::{Instant, Sleep, sleep};

use crate::claims::Claim;
use crate::link::Break;
use crate::live::Feed;
use crate::meter::{Meter, Reading};
use crate::player::{Heard, Player, number};
use crate::sheet::{self, Sheet};
use crate::trouble::Failure;

/// What a question came to.
#[derive(Debug)]
pub(crate) enum Reply {
    /// An answer.
    Answer(Answer),
    /// None before the clock had run out, margin included.
    Late,
    /// None within this limit of real time, though the clock, which counts processor time, has not run out.
    Idle {
        /// The limit.
        limit: Duration,
        /// The processor time that was used.
        spent: Duration,
    },
    /// The asked bot did not come to rest before.
    Failed(Failure),
    /// The link to one of the bots broke before that.
    Broken {
        /// Whose.
        seat: Seat,
        /// Why.
        why: Break,
        /// When.
        at: Instant,
        /// The answer that had come by then from the other one, which was asked.
        answer: Option<Answer>,
    },
}

/// What a bot answered.
#[derive(Debug)]
pub(crate) struct Answer {
    /// What it decided.
    pub(crate) said: Result<BestMove, AnswerFault>,
    /// What it said last before that.
    pub(crate) info: Option<InfoRecord>,
    /// What it claimed last before that.
    pub(crate) claim: Claim,
    /// How long it took.
    pub(crate) spent: Duration,
    /// When it was read.
    pub(crate) at: Instant,
}

/// For how long nothing new is looked for after the last look at what both bots have written: about as long as it takes to
/// judge an answer and to put the next question.
const FRESH: Duration = Duration::from_micros(50);

/// Asks the bot of a seat for its decision. One that thinks about something else in its opponent's time may take
/// `stop_limit` to come to its end first. What the bot says meanwhile goes to `feed`. `looked` is when the system was last
/// asked what the bots have written, where that was while this bot waited.
pub(crate) async fn question(
    players: &mut [Player; 2],
    sheet: &Sheet,
    seat: Seat,
    stop_limit: Duration,
    looked: Option<Instant>,
    feed: Option<&Feed>,
) -> Reply {
    let player = &mut players[seat.index()];
    if !player.has_foreseen(sheet.moves())
        && let Err(failure) = player.stop_pondering(stop_limit).await
    {
        return Reply::Failed(failure);
    }
    // Before anybody's clock starts, and before the last look at what the bots have written.
    let after = after(player, sheet.referee());
    players.iter_mut().for_each(Player::start_ply);
    // SPEC 6.5: bytes that were waiting before `go` are no answer.
    if looked.is_none_or(|looked| looked.elapsed() >= FRESH) {
        yield_now().await;
    }
    let mut broken: Option<(Instant, Seat, Break)> = None;
    for seat in Seat::BOTH {
        if let Some((why, at)) = players[seat.index()].drain().await
            && broken.is_none_or(|(first, ..)| at < first)
        {
            broken = Some((at, seat, why));
        }
    }
    if let Some((at, seat, why)) = broken {
        return Reply::Broken { seat, why, at, answer: None };
    }
    let player = &mut players[seat.index()];
    if player.is_pondering() {
        player.hit();
    } else {
        ask(player, sheet, seat, &after);
    }
    let clock = sheet.clock(seat);
    let before = if clock.control().is_cpu() { player.processor_time() } else { None };
    let meter = before.map(|before| Meter::new(before, clock.limit(), clock.patience()));
    let can_stop = players[seat.index()].identity().can(Ability::Stop);
    Wait {
        players,
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
        claim: Claim::default(),
        feed,
    }
    .run()
    .await
}

/// Puts the question of a sheet to the bot of a seat, without waiting for anything.
pub(crate) fn put(player: &mut Player, sheet: &Sheet, seat: Seat) {
    let after = after(player, sheet.referee());
    ask(player, sheet, seat, &after);
}

/// Has the bot of a seat think about the position after the ply that it expects, where it decides then.
pub(crate) fn ponder(player: &mut Player, sheet: &Sheet, seat: Seat, expected: &str) {
    let can_ponder = [Ability::Ponder, Ability::Stop].iter().all(|ability| player.identity().can(*ability));
    let Some(referee) = sheet.foresee(seat, expected).filter(|_| can_ponder) else { return };
    let after = after(player, referee.as_ref());
    let mut moves = sheet.moves().to_vec();
    moves.push(expected.to_owned());
    let move_time = sheet.clock(seat).control().movetime();
    let (board, legal) = surroundings(player, referee.as_ref(), moves.len());
    player.ponder(&Ask {
        start: sheet.start(),
        moves: &moves,
        board: &board,
        legal: &legal,
        after: &after,
        limits: &Limits { ponder: true, move_time, ..limits(sheet, seat) },
        pairs: &Pairs::new(),
        id: None,
    });
}

/// Returns what every legal ply leads to, where the bot wants to know.
fn after(player: &Player, referee: &dyn Referee) -> Vec<After> {
    if player.identity().wants(Want::After) { sheet::after(referee) } else { Vec::new() }
}

/// Returns the position string and the legal plies, as far as the question after so many plies may need them.
fn surroundings(player: &Player, referee: &dyn Referee, plies: usize) -> (String, Vec<String>) {
    let wants = |want| player.identity().wants(want);
    // It takes the place of a history that is too long for a line.
    let may_be_long = plies >= MAX_ARENA_LINE / (MAX_MOVE + 1) / 2;
    let board = if may_be_long || wants(Want::Board) { referee.position() } else { String::new() };
    let legal = if wants(Want::Legal) { referee.legal() } else { Vec::new() };
    (board, legal)
}

fn ask(player: &mut Player, sheet: &Sheet, seat: Seat, after: &[After]) {
    let (board, legal) = surroundings(player, sheet.referee(), sheet.moves().len());
    player.ask(&Ask {
        start: sheet.start(),
        moves: sheet.moves(),
        board: &board,
        legal: &legal,
        after,
        limits: &limits(sheet, seat),
        pairs: &pairs(sheet, seat),
        id: None,
    });
}

/// Returns what limits the next decision of a seat, as it is told.
fn limits(sheet: &Sheet, seat: Seat) -> Limits {
    let own = sheet.clock(seat);
    let clock = |seat: Seat| {
        let clock = sheet.clock(seat);
        let increment = Some(clock.increment()).filter(|increment| !increment.is_zero());
        clock.allowance().map(|time| SeatClock { seat: number(seat), remaining: Some(time), increment })
    };
    Limits {
        clocks: Seat::BOTH.into_iter().filter_map(clock).collect(),
        moves_to_go: own.turns_left().map(u64::from),
        // No time at all would be taken for no limit.
        move_time: own.turn_time().map(|time| time.max(Duration::from_millis(1))),
        depth: own.control().depth().map(u64::from),
        nodes: own.control().nodes(),
        ..Limits::default()
    }
}

/// Returns what a seat is told about its next decision beyond the limits.
fn pairs(sheet: &Sheet, seat: Seat) -> Pairs {
    let own = sheet.clock(seat);
    let mut pairs = Pairs::new();
    if let Some(advice) = own.advice() {
        pairs.push(Pair::new("budget", advice.as_millis()));
    }
    for pair in &own.pairs() {
        pairs.push(pair.clone());
    }
    for seat in Seat::BOTH {
        if let Some(bank) = sheet.clock(seat).bank() {
            pairs.push(Pair::new(&format!("{}bank", number(seat)), bank.as_millis()));
        }
    }
    pairs
}

/// What happens while a question is open.
enum News {
    /// The asked bot said something.
    Said(Box<Event>, Instant),
    /// The link to one of the bots broke.
    Broken(Seat, Break, Instant),
    /// The other bot said something, which is of no interest now.
    Noise,
    /// The time is over but for the margin.
    Nudge,
    /// The processor time that was used is to be looked at.
    Look,
    /// The time is over.
    Deadline,
}

/// An open question.
struct Wait<'a> {
    players: &'a mut [Player; 2],
    seat: Seat,
    /// How long it may take without being late.
    limit: Duration,
    /// How long the answer may take in real time; `None` is for ever.
    patience: Option<Duration>,
    /// What the clock counts, where that is not real time.
    meter: Option<Meter>,
    /// Runs to the next look at the meter.
    look: Option<Pin<Box<Sleep>>>,
    /// Whether the bot can be asked to answer at once.
    can_stop: bool,
    /// Whether the write that carried `go` was made, from which the next two are counted.
    is_timed: bool,
    /// When the game is lost on time.
    deadline: Option<Instant>,
    /// When the bot is asked to answer at once; gone once it has been.
    nudge: Option<Instant>,
    info: Option<InfoRecord>,
    claim: Claim,
    feed: Option<&'a Feed>,
}

impl Wait<'_> {
    async fn run(mut self) -> Reply {
        loop {
            match self.hear().await {
                // What came first counts: the flag, here.
                News::Broken(_, _, at) if self.is_late(at) => return self.late(),
                News::Broken(from, why, at) => {
                    let answer = if from == self.seat { None } else { self.last_word().await };
                    return Reply::Broken { seat: from, why, at, answer };
                }
                News::Said(event, at) => match self.answer(*event, at) {
                    Some(answer) => return Reply::Answer(answer),
                    None if self.is_late(at) => return self.late(),
                    None => {}
                },
                // SPEC 6.2: only a bot that says so can be stopped.
                News::Nudge => self.players[self.seat.index()].stop(),
                News::Look => {
                    if self.look() == Some(Reading::Over) {
                        return self.last_word().await.map_or(Reply::Late, Reply::Answer);
                    }
                }
                // The chatter of the other one must not keep the answer waiting: the system is asked for it
                // again after each piece.
                News::Noise if !self.is_late(Instant::now()) => yield_now().await,
                // What came in the last instant is judged by its own time.
                News::Noise | News::Deadline => {
                    let answer = self.last_word().await;
                    return answer.map_or_else(|| self.late(), Reply::Answer);
                }
            }
        }
    }

    /// Returns what it means that the real time is over.
    fn late(&self) -> Reply {
        match self.patience.filter(|_| self.meter.is_some()) {
            Some(limit) => Reply::Idle { limit, spent: self.used().unwrap_or_default() },
            None => Reply::Late,
        }
    }

    /// Returns the processor time that was used since the question, where it counts.
    fn used(&self) -> Option<Duration> {
        let meter = self.meter?;
        self.players[self.seat.index()].processor_time().map(|now| meter.spent(now))
    }

    /// Looks at the processor time that was used. A process that is gone uses no more of it: its end will be noticed.
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

    /// Returns what is heard next, of the asked bot first.
    async fn hear(&mut self) -> News {
        poll_fn(|cx| {
            let (seat, other) = (self.seat, self.seat.other());
            match self.players[seat.index()].poll_next(cx) {
                Poll::Ready((Heard::Said(event), at)) => return Poll::Ready(News::Said(Box::new(event), at)),
                Poll::Ready((Heard::Broken(why), at)) => return Poll::Ready(News::Broken(seat, why, at)),
                Poll::Pending => {}
            }
            match self.players[other.index()].poll_aside(cx) {
                Poll::Ready(Some((why, at))) => return Poll::Ready(News::Broken(other, why, at)),
                Poll::Ready(None) => return Poll::Ready(News::Noise),
                Poll::Pending => {}
            }
            if !self.is_timed
                && let Some(started) = self.players[seat.index()].started()
            {
                self.is_timed = true;
                self.deadline = self.deadline();
                let is_nudged = self.can_stop && self.meter.is_none() && self.deadline.is_some();
                self.nudge = started.checked_add(self.limit).filter(|_| is_nudged);
            }
            if let Some(nudge) = self.nudge
                && self.players[seat.index()].poll_alarm(nudge, cx).is_ready()
            {
                self.nudge = None;
                return Poll::Ready(News::Nudge);
            }
            if let Some(look) = &mut self.look
                && look.as_mut().poll(cx).is_ready()
            {
                return Poll::Ready(News::Look);
            }
            // The nudge comes first, and is waited for already.
            match self.deadline.filter(|_| self.nudge.is_none()) {
                Some(deadline) => {
                    self.players[seat.index()].poll_alarm(deadline, cx).map(|()| News::Deadline)
                }
                None => Poll::Pending,
            }
        })
        .await
    }

    /// Returns the answer of the asked bot if it has come already.
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

    /// Takes what the asked bot said and returns its answer, if that is what it was.
    fn answer(&mut self, event: Event, at: Instant) -> Option<Answer> {
        let said = match event {
            Event::Answer(answer) => Ok(answer),
            Event::BadAnswer(fault) => Err(fault),
            Event::Info(mut line) => {
                // SPEC 6.6: the first of several best lines is the one that counts.
                if line.multi_pv.is_none_or(|n| n <= 1) {
                    keep(&mut self.info, &line);
                    if let Some(feed) = self.feed {
                        feed.hear(self.seat, &line);
                    }
                    self.claim.hear(&mut line);
                }
                return None;
            }
            _ => return None,
        };
        let started = self.players[self.seat.index()].started().unwrap_or(at);
        // In whole microseconds, as it is recorded: so a record gives every clock again.
        let spent = self.used().unwrap_or_else(|| at.saturating_duration_since(started));
        let spent = spent.as_micros().try_into().unwrap_or(u64::MAX);
        Some(Answer {
            said,
            info: self.info.take(),
            claim: std::mem::take(&mut self.claim),
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

/// Keeps the last line that says what the position is worth, and the last count of nodes.
pub(crate) fn keep(kept: &mut Option<InfoRecord>, line: &Info) {
    if line.depth.is_some() || line.score.is_some() {
        let value = line.score.map(|score| score.value);
        *kept = Some(InfoRecord {
            depth: line.depth,
            cp: value.and_then(|value| match value {
                ScoreValue::Centipawns(cp) => Some(cp),
                ScoreValue::Mate(_) => None,
            }),
            mate: value.and_then(|value| match value {
                ScoreValue::Mate(turns) => Some(turns),
                ScoreValue::Centipawns(_) => None,
            }),
            nodes: line.nodes,
        });
    } else if line.nodes.is_some() {
        kept.get_or_insert_default().nodes = line.nodes;
    }
}
