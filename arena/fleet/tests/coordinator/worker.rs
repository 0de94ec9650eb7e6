//! Workers that are threads of a test: honest ones, and all others. No bot is started: every game ends by a resignation after its
//! opening.

use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use fleet::broker::Broker;
use fleet::names::{results, run_key, signals, to_worker};
use fleet::wire::{
    AttemptOutcome, Beat, HeldAttempt, Hello, Order, PairOrder, PlayedGame, Report, RunNotice, Signal,
    WorkerPace,
};
use record::{GameRecord, GameResult, PlyRecord, Termination, WorkerRecord};
use rules::Seat;
use runner::{GamePlan, Job, Opening, PairPlace, Task};
use settings::TimeFactor;

/// What a worker does with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    Honest,
    /// Takes its time.
    Slow,
    /// Reports everything twice.
    Twice,
    /// Reports everything twice, the last one first.
    Reordered,
    /// Forgets every order until it comes again, and reports it under both names.
    Forgetful,
    /// Reports nothing until it has two pairs to report.
    Together,
    /// Plays games whose clocks have `played` hundredths of the time, and says that they have `said`.
    Scaled {
        said: u16,
        played: u16,
    },
    /// Plays no games that have a clock.
    WithoutClocks,
    /// Plays nothing.
    Declining,
    /// Says that the other one has won.
    WrongResult,
    /// Plays a ply that the rules do not know.
    InventedPly,
    /// Says that another version of a bot has played.
    OtherBot,
    /// Begins games from another opening.
    OtherOpening,
    /// Plays a legal ply that nobody else plays.
    OtherPlies,
    /// Had to begin every game again: a bot lost on time while the machine kept it waiting.
    Again,
    /// Reports one game of two.
    Half,
    /// Reports in the name of another worker.
    OtherName,
    /// Fails every pair.
    Failing,
    /// Sends what is no message.
    Garbage,
    /// Plays one pair, then says nothing any more.
    Dying,
}

/// Returns the record of a game in which the seat to decide resigns after the opening.
fn resigned(plan: &GamePlan, job: &Job) -> GameRecord {
    let mut record = plan.unplayed(job);
    let setup = &plan.contests[job.task.contest].setup;
    let mut referee = setup.referee(job.opening.start.as_deref()).expect("the start");
    let number = |seat: Seat| seat.index() as u8 + 1;
    let mut turn = 0;
    for ply in &job.opening.plies {
        let (seat, now) = (referee.seat(), referee.turn());
        turn += u32::from(turn == 0 || now.is_fresh);
        referee.submit(ply).expect("a ply of the opening");
        let of = (now.seat != seat).then(|| number(now.seat));
        record.plies.push(PlyRecord {
            ply: ply.clone(),
            san: None,
            seat: number(seat),
            turn,
            of,
            us: None,
            used: None,
            clock: None,
            info: None,
            fallback: false,
        });
    }
    record.opening = record.plies.len() as u32;
    record.result = GameResult::win(referee.seat().other());
    (record.reason, record.failed, record.detail) = (Termination::Resign, None, None);
    record
}

/// A worker.
pub(crate) struct Worker<'b> {
    pub(crate) name: &'static str,
    pub(crate) manner: Manner,
    pub(crate) broker: &'b dyn Broker,
    pub(crate) plan: GamePlan,
}

impl Worker<'_> {
    /// Plays until the run is over.
    pub(crate) fn work(self) {
        let notice = loop {
            let keys = self.broker.keys().expect("the broker answers");
            let run = keys.iter().find(|key| key.starts_with(&run_key("")));
            let entry = run.and_then(|key| self.broker.read(key).expect("the broker answers"));
            match entry.and_then(|entry| serde_json::from_slice::<RunNotice>(&entry.value).ok()) {
                // It has come too late.
                Some(notice) if notice.is_stopped => return,
                Some(notice) => break notice,
                _ => thread::sleep(Duration::from_millis(5)),
            }
        };
        let (to, orders) = channel();
        self.broker.listen(&to_worker(&notice.run, self.name), to).expect("the broker answers");
        let signal = |signal: Signal| {
            let body = serde_json::to_vec(&signal).expect("JSON");
            self.broker.publish(&signals(&notice.run, self.name), &body).expect("the broker answers");
        };
        signal(Signal::Hello(self.hello()));
        let mut beaten = Instant::now();
        let mut answered = 0;
        // What it has not stored yet.
        let mut late: Vec<Vec<u8>> = Vec::new();
        // What it has not answered yet.
        let mut kept: Vec<PairOrder> = Vec::new();
        loop {
            let order = orders.recv_timeout(Duration::from_millis(20)).ok();
            let order = order.map(|order| serde_json::from_slice::<Order>(&order.body).expect("an order"));
            let is_dead = self.manner == Manner::Dying && answered > 0;
            if order.is_none() || self.manner != Manner::Reordered {
                // The last one first.
                for body in late.drain(..).rev() {
                    self.broker.store(&results(&notice.run, self.name), &body).expect("the broker takes it");
                }
            }
            match order {
                Some(Order::Play(order)) if matches!(self.manner, Manner::Forgetful | Manner::Together) => {
                    kept.push(order.clone());
                    let held = |order: &PairOrder| HeldAttempt {
                        attempt: order.attempt.clone(),
                        pair: order.pair,
                        progress: 1,
                    };
                    let held = match self.manner {
                        Manner::Together => kept.iter().map(held).collect(),
                        _ => Vec::new(),
                    };
                    signal(Signal::Beat(Beat { worker: self.name.to_owned(), held }));
                    let is_told =
                        |other: &PairOrder| self.manner == Manner::Together || other.pair == order.pair;
                    if kept.iter().filter(|other| is_told(other)).count() == 2 {
                        late.extend(
                            kept.extract_if(.., |other| is_told(other)).flat_map(|order| self.answer(&order)),
                        );
                    }
                }
                Some(Order::Play(order)) if !is_dead => {
                    answered += 1;
                    if matches!(self.manner, Manner::Slow | Manner::Scaled { .. }) {
                        thread::sleep(Duration::from_millis(60));
                    }
                    late.extend(self.answer(&order));
                }
                Some(Order::Introduce) => {
                    signal(Signal::Hello(self.hello()));
                }
                _ => {}
            }
            if beaten.elapsed() > Duration::from_millis(200) && !is_dead {
                beaten = Instant::now();
                let held: Vec<HeldAttempt> = Vec::new();
                signal(Signal::Beat(Beat { worker: self.name.to_owned(), held }));
            }
            let entry = self.broker.read(&run_key(&notice.run)).expect("the broker answers");
            let now = entry.and_then(|entry| serde_json::from_slice::<RunNotice>(&entry.value).ok());
            if now.is_some_and(|notice| notice.is_stopped) {
                return;
            }
        }
    }

    fn hello(&self) -> Hello {
        let pace = match self.manner {
            Manner::Scaled { said, .. } => Some(WorkerPace::Times(f64::from(said) / 100.0)),
            Manner::WithoutClocks => Some(WorkerPace::NoClocks("it is too noisy".to_owned())),
            _ => None,
        };
        let declined = (self.manner == Manner::Declining).then(|| "its rules are others".to_owned());
        Hello {
            worker: self.name.to_owned(),
            slots: 1,
            unfit: Vec::new(),
            unfit_games: Vec::new(),
            clock: None,
            pace,
            declined,
            for_now: false,
        }
    }

    /// Returns what it stores for an order.
    fn answer(&self, order: &PairOrder) -> Vec<Vec<u8>> {
        let mut games: Vec<_> = order.games.iter().map(|game| self.play(order.pair, game)).collect();
        let outcome = match self.manner {
            Manner::Failing => AttemptOutcome::Failed("its disk is full".to_owned()),
            Manner::Half => {
                games.truncate(1);
                AttemptOutcome::Played(games)
            }
            _ => AttemptOutcome::Played(games),
        };
        let report = Report {
            worker: if self.manner == Manner::OtherName { "a" } else { self.name }.to_owned(),
            attempt: order.attempt.clone(),
            pair: order.pair,
            identity: order.identity.clone(),
            outcome,
        };
        let body = serde_json::to_vec(&report).expect("JSON");
        match self.manner {
            Manner::Twice | Manner::Reordered => vec![body.clone(), body],
            Manner::Garbage => vec![b"{\"worker\":".to_vec()],
            _ => vec![body],
        }
    }

    fn play(&self, pair: u64, game: &fleet::wire::GameOrder) -> PlayedGame {
        let bot = |seat: usize| {
            self.plan.bots.iter().position(|bot| bot.name == game.bots[seat]).expect("a bot of the plan")
        };
        let contest = self.plan.contests.iter().position(|contest| contest.label == game.label);
        let task = Task {
            number: game.number,
            pair,
            leg: game.leg,
            round: game.round,
            place: PairPlace::default(),
            contest: contest.expect("a game of the plan"),
            seats: [bot(0), bot(1)].into(),
        };
        let opening = Opening { start: game.start.clone(), plies: game.opening.clone() };
        let contest = task.contest;
        let mut record = resigned(&self.plan, &Job { task, opening });
        match self.manner {
            Manner::WrongResult => {
                let loser = record.result.loser().expect("somebody resigned");
                record.result = GameResult::win(loser);
            }
            Manner::InventedPly => {
                let invented = PlyRecord { ply: "z99".to_owned(), us: Some(5), ..record.plies[0].clone() };
                record.plies.push(invented);
            }
            Manner::OtherPlies | Manner::Scaled { .. } => {
                let setup = &self.plan.contests[contest].setup;
                let mut referee = setup.referee(game.start.as_deref()).expect("the start");
                game.opening.iter().for_each(|ply| referee.submit(ply).expect("a ply of the opening"));
                let (seat, now) = (referee.seat(), referee.turn());
                let before = record.plies.last().expect("an opening");
                let turn = before.turn + u32::from(now.is_fresh);
                let ply = referee.legal().first().expect("a ply").to_string();
                let of = (now.seat != seat).then(|| now.seat.index() as u8 + 1);
                let seat = seat.index() as u8 + 1;
                referee.submit(&ply).expect("a legal ply");
                record.plies.push(PlyRecord { ply, seat, turn, of, us: Some(5), ..before.clone() });
                record.result = GameResult::win(referee.seat().other());
                if let Manner::Scaled { said, played } = self.manner {
                    // By the clock of the run, 60+1, it thinks for longer than there is.
                    let ply = record.plies.last_mut().expect("it was played");
                    let (spent, time, increment) = (70_000, 600 * u64::from(played), 10 * u64::from(played));
                    (ply.us, ply.clock) =
                        (Some(spent * 1000), Some((time + increment).saturating_sub(spent)));
                    let factor = TimeFactor::new(f64::from(said) / 100.0);
                    record.worker = Some(WorkerRecord { factor, ..WorkerRecord::named(self.name) });
                }
            }
            Manner::OtherBot => record.seats[0].digest = "0123456789abcdef".to_owned(),
            Manner::OtherOpening => {
                record.plies.pop();
                record.opening -= 1;
            }
            _ => {}
        }
        let void = (self.manner == Manner::Again)
            .then(|| GameRecord { reason: Termination::Timeout, ..record.clone() });
        let void = Vec::from_iter(void);
        serde_json::from_value(serde_json::json!({ "record": record, "void": void })).expect("a played game")
    }
}
