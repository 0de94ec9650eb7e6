//! A coordinator and workers that are threads of this test, with a broker in memory: honest ones, and all others. No bot is started:
//! every game ends by a resignation after its opening.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::mpsc::channel;
use std::thread;
use std::time::{Duration, Instant};

use fleet::Coordinator;
use fleet::broker::{Broker, MemoryBroker};
use fleet::leases::Terms;
use fleet::names::{results, run_key, signals, to_worker};
use fleet::wire::{
    AttemptOutcome, Beat, HeldAttempt, Hello, Order, PairOrder, PlayedGame, Report, RunNotice, Signal,
};
use record::{GameRecord, GameResult, PlyRecord, RunConfig, Termination};
use rules::Seat;
use runner::{
    Control, EventError, Executor as _, GamePlan, Job, Opening, PairPlace, RunEvent, Task, schedule,
};
use tournament_file::{Overrides, Plan};

/// What a worker does with an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Manner {
    Honest,
    /// Takes its time.
    Slow,
    /// Reports everything twice.
    Twice,
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

fn plan(directory: &Path) -> Plan {
    let text = "name: cup\ngames: [farook, fanorona]\nbots: [{builtin: random}, {builtin: greedy}, {builtin: mcts}]\n\
                rounds: 4\ntc: nodes 10\n";
    let out = directory.join("out").to_string_lossy().into_owned();
    let overrides = Overrides::default().with("out", &out);
    tournament_file::parse(text, "cup.yaml", directory, &overrides).expect("a tournament file")
}

fn tasks(plan: &Plan) -> Vec<Task> {
    let config: &RunConfig = &plan.config;
    plan.play().tasks(schedule(&[config])).collect()
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
struct Worker {
    name: &'static str,
    manner: Manner,
    broker: MemoryBroker,
    plan: GamePlan,
}

impl Worker {
    /// Plays until the run is over.
    fn work(self) {
        let notice = loop {
            let keys = self.broker.keys().expect("memory");
            let run = keys.iter().find(|key| key.starts_with(&run_key("")));
            let entry = run.and_then(|key| self.broker.read(key).expect("memory"));
            match entry.and_then(|entry| serde_json::from_slice::<RunNotice>(&entry.value).ok()) {
                // It has come too late.
                Some(notice) if notice.is_stopped => return,
                Some(notice) => break notice,
                _ => thread::sleep(Duration::from_millis(5)),
            }
        };
        let (to, orders) = channel();
        self.broker.listen(&to_worker(&notice.run, self.name), to).expect("memory");
        let signal = |signal: Signal| {
            let body = serde_json::to_vec(&signal).expect("JSON");
            self.broker.publish(&signals(&notice.run, self.name), &body).expect("memory");
        };
        signal(Signal::Hello(Hello {
            worker: self.name.to_owned(),
            slots: 1,
            unfit: Vec::new(),
            clock: None,
        }));
        let mut beaten = Instant::now();
        let mut answered = 0;
        loop {
            let order = orders.recv_timeout(Duration::from_millis(20)).ok();
            let order = order.map(|order| serde_json::from_slice::<Order>(&order.body).expect("an order"));
            let is_dead = self.manner == Manner::Dying && answered > 0;
            match order {
                Some(Order::Play(order)) if !is_dead => {
                    answered += 1;
                    if self.manner == Manner::Slow {
                        thread::sleep(Duration::from_millis(60));
                    }
                    for body in self.answer(&order) {
                        self.broker.store(&results(&notice.run, self.name), &body).expect("memory");
                    }
                }
                Some(Order::Introduce) => {
                    signal(Signal::Hello(Hello {
                        worker: self.name.to_owned(),
                        slots: 1,
                        unfit: Vec::new(),
                        clock: None,
                    }));
                }
                _ => {}
            }
            if beaten.elapsed() > Duration::from_millis(200) && !is_dead {
                beaten = Instant::now();
                let held: Vec<HeldAttempt> = Vec::new();
                signal(Signal::Beat(Beat { worker: self.name.to_owned(), held }));
            }
            let entry = self.broker.read(&run_key(&notice.run)).expect("memory");
            let now = entry.and_then(|entry| serde_json::from_slice::<RunNotice>(&entry.value).ok());
            if now.is_some_and(|notice| notice.is_stopped) {
                return;
            }
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
            Manner::Twice => vec![body.clone(), body],
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
            Manner::OtherPlies => {
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
            }
            Manner::OtherBot => record.seats[0].digest = "0123456789abcdef".to_owned(),
            Manner::OtherOpening => {
                record.plies.pop();
                record.opening -= 1;
            }
            _ => {}
        }
        serde_json::from_value(serde_json::json!({ "record": record })).expect("a played game")
    }
}

/// What a run has left.
struct Outcome {
    games: BTreeMap<u64, GameRecord>,
    doubled: u64,
    notes: Vec<String>,
    error: Option<String>,
}

/// Plays the whole plan with these workers.
fn play(directory: &Path, broker: &MemoryBroker, workers: &[(&'static str, Manner)]) -> Outcome {
    play_again(directory, broker, workers, 0.0)
}

/// Plays the whole plan with these workers, and this share of it again.
fn play_again(
    directory: &Path,
    broker: &MemoryBroker,
    workers: &[(&'static str, Manner)],
    replays: f64,
) -> Outcome {
    let plan = plan(directory);
    let control = Control::new();
    let mut outcome = Outcome { games: BTreeMap::new(), doubled: 0, notes: Vec::new(), error: None };
    thread::scope(|scope| {
        for (name, manner) in workers {
            let worker = Worker { name, manner: *manner, broker: broker.clone(), plan: plan.play() };
            scope.spawn(|| worker.work());
        }
        let terms = Terms { silence: Duration::from_secs(3), replays: [replays; 2], ..Terms::default() };
        let coordinator = Coordinator::new(broker, &plan).expect("a plan").with_terms(terms);
        let mut host = |event: RunEvent<'_>| -> Result<(), EventError> {
            match event {
                RunEvent::GameFinished(game) => {
                    outcome.doubled += u64::from(outcome.games.insert(game.number, *game).is_some());
                }
                RunEvent::Note(text) => outcome.notes.push(text),
                _ => {}
            }
            Ok(())
        };
        let played = coordinator.play(&plan.play(), tasks(&plan).into(), &control, &mut host);
        outcome.error = played.err().map(|error| error.to_string());
    });
    outcome
}

/// Says what every game of a run must look like, and asserts that it does.
fn assert_complete(directory: &Path, outcome: &Outcome) {
    assert_eq!(outcome.error, None, "{:?}", outcome.notes);
    assert_eq!(outcome.doubled, 0);
    let plan = plan(directory);
    let game_plan = plan.play();
    let expected = tasks(&plan);
    assert_eq!(outcome.games.len(), expected.len(), "{:?}", outcome.notes);
    for task in expected {
        let game = &outcome.games[&task.number];
        assert_eq!(game.reason, Termination::Resign);
        let seats = task.seats.map(|bot| game_plan.bots[bot].digest.clone());
        assert_eq!(game.seats.each_ref().map(|seat| seat.digest.clone()), seats);
    }
}

#[test]
fn the_games_are_those_of_one_machine_whatever_the_number_of_workers() {
    let directory = tempfile::tempdir().unwrap();
    let alone = play(directory.path(), &MemoryBroker::new(), &[("a", Manner::Honest)]);
    assert_complete(directory.path(), &alone);
    let workers = [("a", Manner::Honest), ("b", Manner::Honest), ("c", Manner::Honest)];
    let many = play(directory.path(), &MemoryBroker::new(), &workers);
    assert_complete(directory.path(), &many);
    let mut differing = alone.games.iter().filter(|(number, game)| {
        let GameRecord { started, .. } = &many.games[number];
        let worker = many.games[number].worker.clone();
        GameRecord { started: started.clone(), worker, ..(*game).clone() } != many.games[number]
    });
    assert_eq!(differing.next(), None);
}

#[test]
fn records_say_who_played_them() {
    let directory = tempfile::tempdir().unwrap();
    let outcome = play(directory.path(), &MemoryBroker::new(), &[("a", Manner::Slow), ("b", Manner::Slow)]);
    let names: BTreeSet<_> =
        outcome.games.values().map(|game| game.worker.as_ref().map(|worker| worker.name.as_str())).collect();
    assert_eq!(names, BTreeSet::from([Some("a"), Some("b")]));
}

#[test]
fn nobody_reports_in_the_name_of_another() {
    let directory = tempfile::tempdir().unwrap();
    let outcome =
        play(directory.path(), &MemoryBroker::new(), &[("a", Manner::Slow), ("liar", Manner::OtherName)]);
    assert_complete(directory.path(), &outcome);
    let is_told = |text: &String| text == "worker liar: reports in the name of others; they were dropped";
    assert!(outcome.notes.iter().any(is_told), "{:?}", outcome.notes);
    assert!(outcome.games.values().all(|game| game.worker.as_ref().is_some_and(|worker| worker.name == "a")));
}

#[test]
fn results_that_come_twice_count_once() {
    let directory = tempfile::tempdir().unwrap();
    let broker = MemoryBroker::new();
    let outcome = play(directory.path(), &broker, &[("a", Manner::Twice), ("b", Manner::Twice)]);
    assert_complete(directory.path(), &outcome);
}

#[test]
fn nothing_that_does_not_hold_is_recorded() {
    for (manner, told) in [
        (Manner::WrongResult, "by the rules"),
        (Manner::InventedPly, "at ply"),
        (Manner::OtherBot, "a bot, its version, its time control or its seed is not the one"),
        (Manner::OtherOpening, "the opening is not the one"),
        (Manner::Half, "1 of 2 games"),
    ] {
        let directory = tempfile::tempdir().unwrap();
        let outcome = play(directory.path(), &MemoryBroker::new(), &[("a", Manner::Slow), ("liar", manner)]);
        assert_complete(directory.path(), &outcome);
        let is_told = |text: &String| text.starts_with("worker liar: what it reports") && text.contains(told);
        assert!(outcome.notes.iter().any(is_told), "{manner:?}: {:?}", outcome.notes);
        let is_aside = |text: &String| text.starts_with("worker liar: gets no further pairs");
        assert!(outcome.notes.iter().any(is_aside), "{manner:?}: {:?}", outcome.notes);
    }
}

#[test]
fn a_worker_whose_games_go_other_ways_than_on_two_others_is_named_and_set_aside() {
    let directory = tempfile::tempdir().unwrap();
    let workers = [("a", Manner::Slow), ("b", Manner::Slow), ("liar", Manner::OtherPlies)];
    let outcome = play_again(directory.path(), &MemoryBroker::new(), &workers, 1.0);
    assert_complete(directory.path(), &outcome);
    let told: Vec<_> =
        outcome.notes.iter().filter(|text| text.contains("went another way from ply")).collect();
    assert!(told.len() >= 3, "{:?}", outcome.notes);
    assert!(told.iter().all(|text| text.starts_with("worker liar: game ")), "{told:?}");
    let is_aside =
        |text: &String| text.starts_with("worker liar: gets no further pairs: its games went other ways");
    assert!(outcome.notes.iter().any(is_aside), "{:?}", outcome.notes);
}

#[test]
fn pairs_that_are_played_again_by_honest_workers_leave_no_trace() {
    let directory = tempfile::tempdir().unwrap();
    let workers = [("a", Manner::Slow), ("b", Manner::Honest)];
    let outcome = play_again(directory.path(), &MemoryBroker::new(), &workers, 1.0);
    assert_complete(directory.path(), &outcome);
    assert!(outcome.notes.iter().all(|text| text.ends_with("joins, 1 game at once")), "{:?}", outcome.notes);
}

#[test]
fn where_two_workers_differ_and_no_third_one_can_tell_both_are_named() {
    let directory = tempfile::tempdir().unwrap();
    let workers = [("a", Manner::Slow), ("b", Manner::OtherPlies)];
    let outcome = play_again(directory.path(), &MemoryBroker::new(), &workers, 1.0);
    assert_complete(directory.path(), &outcome);
    assert!(
        outcome.notes.iter().any(|text| text.contains("and no third worker can tell")),
        "{:?}",
        outcome.notes
    );
}

#[test]
fn pairs_that_fail_on_one_worker_are_played_by_another() {
    let directory = tempfile::tempdir().unwrap();
    let workers = [("a", Manner::Slow), ("broken", Manner::Failing)];
    let outcome = play(directory.path(), &MemoryBroker::new(), &workers);
    assert_complete(directory.path(), &outcome);
    assert!(outcome.notes.iter().any(|text| text.contains("its disk is full")), "{:?}", outcome.notes);
}

#[test]
fn the_pairs_of_a_worker_that_dies_are_played_by_another() {
    let directory = tempfile::tempdir().unwrap();
    let workers = [("a", Manner::Slow), ("b", Manner::Dying)];
    let outcome = play(directory.path(), &MemoryBroker::new(), &workers);
    assert_complete(directory.path(), &outcome);
}

#[test]
fn messages_that_are_none_are_dropped() {
    let directory = tempfile::tempdir().unwrap();
    let workers = [("a", Manner::Slow), ("b", Manner::Garbage)];
    let outcome = play(directory.path(), &MemoryBroker::new(), &workers);
    assert_complete(directory.path(), &outcome);
}

#[test]
fn games_that_fail_everywhere_do_not_count_and_nobody_has_lost_them() {
    let directory = tempfile::tempdir().unwrap();
    let workers =
        [("a", Manner::Failing), ("b", Manner::Failing), ("c", Manner::Failing), ("d", Manner::Failing)];
    let broker = MemoryBroker::new();
    let plan = plan(directory.path());
    let control = Control::new();
    let mut aborted = 0;
    thread::scope(|scope| {
        for (name, manner) in workers {
            let worker = Worker { name, manner, broker: broker.clone(), plan: plan.play() };
            scope.spawn(|| worker.work());
        }
        // Else all workers are set aside by and by, and the pairs wait for others.
        let terms = Terms { failures: 1000, ..Terms::default() };
        let coordinator = Coordinator::new(&broker, &plan).expect("a plan").with_terms(terms);
        let mut host = |event: RunEvent<'_>| -> Result<(), EventError> {
            if let RunEvent::GameFinished(game) = event {
                assert_eq!((game.result, game.reason), (GameResult::None, Termination::Aborted));
                aborted += 1;
                control.finish();
            }
            Ok(())
        };
        coordinator.play(&plan.play(), tasks(&plan).into(), &control, &mut host).expect("no fault of ours");
    });
    assert!(aborted >= 2, "{aborted} games");
}

#[test]
fn a_second_coordinator_of_a_run_is_refused() {
    let directory = tempfile::tempdir().unwrap();
    let broker = MemoryBroker::new();
    let plan = plan(directory.path());
    let first = Control::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            let coordinator = Coordinator::new(&broker, &plan).expect("a plan");
            let mut host = |_: RunEvent<'_>| -> Result<(), EventError> { Ok(()) };
            // Nobody plays: it waits for workers.
            coordinator
                .play(&plan.play(), tasks(&plan).into(), &first, &mut host)
                .expect("it is interrupted");
        });
        while !broker.keys().expect("memory").iter().any(|key| key.starts_with(&run_key(""))) {
            thread::sleep(Duration::from_millis(5));
        }
        let coordinator = Coordinator::new(&broker, &plan).expect("a plan");
        let mut host = |_: RunEvent<'_>| -> Result<(), EventError> { Ok(()) };
        let second = coordinator.play(&plan.play(), tasks(&plan).into(), &Control::new(), &mut host);
        first.finish();
        let told = second.expect_err("the run is taken").to_string();
        assert!(told.contains("another coordinator plays this run"), "{told}");
    });
}

#[test]
fn a_broker_that_has_forgotten_everything_is_told_again() {
    let directory = tempfile::tempdir().unwrap();
    let broker = MemoryBroker::new();
    let plan = plan(directory.path());
    let control = Control::new();
    let mut games = BTreeMap::new();
    thread::scope(|scope| {
        let coordinator = Coordinator::new(&broker, &plan).expect("a plan");
        let forgetting = broker.clone();
        scope.spawn(move || {
            while !forgetting.keys().expect("memory").iter().any(|key| key.starts_with(&run_key(""))) {
                thread::sleep(Duration::from_millis(5));
            }
            forgetting.forget();
        });
        scope.spawn(|| {
            // It comes when the run was forgotten, and finds it once it is told again.
            thread::sleep(Duration::from_millis(200));
            Worker { name: "a", manner: Manner::Honest, broker: broker.clone(), plan: plan.play() }.work();
        });
        let mut host = |event: RunEvent<'_>| -> Result<(), EventError> {
            if let RunEvent::GameFinished(game) = event {
                games.insert(game.number, game.reason);
            }
            Ok(())
        };
        coordinator.play(&plan.play(), tasks(&plan).into(), &control, &mut host).expect("it goes on");
    });
    assert_eq!(games.len(), tasks(&plan).len());
}
