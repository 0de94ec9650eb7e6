//! A coordinator and workers that are threads of this test, with a broker in memory: honest ones, and all others. No bot is started:
//! every game ends by a resignation after its opening.

mod clocks;
mod worker;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use fleet::Coordinator;
use fleet::broker::{Broker, ExpectedEntry, MemoryBroker};
use fleet::leases::Terms;
use fleet::names::{REMOVALS, run_key};
use measure::MachineSpeed;
use record::{GameRecord, GameResult, RunConfig, Termination, Uncounted};
use runner::{Control, EventError, Executor as _, RunEvent, Task, schedule};
use tournament_file::{Overrides, Plan};

use self::worker::{Manner, Worker};

fn plan(directory: &Path) -> Plan {
    plan_by(directory, "nodes 10")
}

/// Returns the plan with a time control.
fn plan_by(directory: &Path, tc: &str) -> Plan {
    let text = format!(
        "name: cup\ngames: [farook, fanorona]\nbots: [{{builtin: random}}, {{builtin: greedy}}, {{builtin: mcts}}]\n\
         rounds: 4\ntc: {tc}\n"
    );
    let out = directory.join("out").to_string_lossy().into_owned();
    let overrides = Overrides::default().with("out", &out);
    tournament_file::parse(&text, "cup.yaml", directory, &overrides).expect("a tournament file")
}

fn tasks(plan: &Plan) -> Vec<Task> {
    let config: &RunConfig = &plan.config;
    plan.play().tasks(schedule(&[config])).collect()
}

/// What a run has left.
struct Outcome {
    games: BTreeMap<u64, GameRecord>,
    /// The numbers of the games that were void.
    void: Vec<u64>,
    /// What counts nowhere.
    uncounted: Vec<GameRecord>,
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
    play_plan(&plan(directory), broker, workers, replays, None)
}

/// Plays a plan with these workers, and this share of it again; `speed` is that of the coordinator's machine where it counts.
fn play_plan(
    plan: &Plan,
    broker: &MemoryBroker,
    workers: &[(&'static str, Manner)],
    replays: f64,
    speed: Option<MachineSpeed>,
) -> Outcome {
    play_by(plan, broker, workers, Terms { replays: [replays; 2], ..TERMS }, speed)
}

/// The usual terms, but that nobody waits for long.
const TERMS: Terms = Terms { silence: Duration::from_secs(3), ..Terms::DEFAULT };

/// Plays a plan with these workers by these terms.
fn play_by(
    plan: &Plan,
    broker: &MemoryBroker,
    workers: &[(&'static str, Manner)],
    terms: Terms,
    speed: Option<MachineSpeed>,
) -> Outcome {
    let control = Control::new();
    let mut outcome = Outcome {
        games: BTreeMap::new(),
        void: Vec::new(),
        uncounted: Vec::new(),
        doubled: 0,
        notes: Vec::new(),
        error: None,
    };
    thread::scope(|scope| {
        for (name, manner) in workers {
            let worker = Worker { name, manner: *manner, broker, plan: plan.play() };
            scope.spawn(move || worker.work());
        }
        let coordinator = Coordinator::new(broker, plan).expect("a plan").with_terms(terms);
        let coordinator = match speed {
            Some(speed) => coordinator.with_scaled_clocks(speed),
            None => coordinator,
        };
        let mut running = BTreeSet::new();
        let mut host = |event: RunEvent<'_>| -> Result<(), EventError> {
            match event {
                RunEvent::GameStarted { task, .. } => assert!(running.insert(task.number)),
                RunEvent::GameVoid(game) => {
                    assert!(running.remove(&game.number));
                    outcome.void.push(game.number);
                }
                RunEvent::GameFinished(game) => {
                    assert!(running.remove(&game.number));
                    outcome.doubled += u64::from(outcome.games.insert(game.number, *game).is_some());
                }
                RunEvent::GameUncounted(game) => outcome.uncounted.push(*game),
                RunEvent::Note(text) => outcome.notes.push(text),
                _ => {}
            }
            Ok(())
        };
        let played = coordinator.play(&plan.play(), tasks(plan).into(), &control, &mut host);
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
fn a_game_that_was_void_where_it_was_played_begins_again() {
    let directory = tempfile::tempdir().unwrap();
    let outcome = play(directory.path(), &MemoryBroker::new(), &[("a", Manner::Again)]);
    assert_complete(directory.path(), &outcome);
    assert_eq!(outcome.void.len(), outcome.games.len());
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
fn results_that_come_twice_or_in_another_order_count_once() {
    for manner in [Manner::Twice, Manner::Reordered] {
        let directory = tempfile::tempdir().unwrap();
        let broker = MemoryBroker::new();
        let outcome = play(directory.path(), &broker, &[("a", manner), ("b", manner)]);
        assert_complete(directory.path(), &outcome);
        // The same attempt once more is nothing new.
        assert_eq!(outcome.uncounted, [], "{manner:?}");
    }
}

/// Returns who played what counts nowhere, why it does not, and of which games.
fn uncounted(games: &[GameRecord]) -> BTreeSet<(&str, Option<Uncounted>, u64)> {
    let told = games.iter().map(|game| {
        let worker = game.worker.as_ref().expect("a worker");
        (worker.name.as_str(), Uncounted::named(worker.uncounted.as_deref().expect("why")), game.number)
    });
    told.collect()
}

#[test]
fn another_attempt_of_a_pair_that_counts_is_written_down_as_a_duplicate() {
    let directory = tempfile::tempdir().unwrap();
    let broker = MemoryBroker::new();
    // What a worker does not speak of was lost on the way to it.
    let terms = Terms { delivery: Duration::ZERO, ..TERMS };
    let outcome = play_by(&plan(directory.path()), &broker, &[("a", Manner::Forgetful)], terms, None);
    assert_complete(directory.path(), &outcome);
    let duplicates = uncounted(&outcome.uncounted);
    assert!(duplicates.len() > outcome.games.len() / 2, "{} of {}", duplicates.len(), outcome.games.len());
    assert_eq!(duplicates.len(), outcome.uncounted.len(), "each once");
    assert!(duplicates.iter().all(|(name, cause, _)| (*name, *cause) == ("a", Some(Uncounted::Duplicate))));
    // It is what was played.
    for game in &outcome.uncounted {
        let counted = &outcome.games[&game.number];
        assert_eq!((&game.plies, game.result, game.reason), (&counted.plies, counted.result, counted.reason));
    }
    let told =
        format!("worker a: {} results of pairs that were played already did not count", duplicates.len() / 2);
    assert!(outcome.notes.contains(&told), "{:?}", outcome.notes);
}

#[test]
fn results_that_come_after_the_end_are_written_down_and_do_not_count() {
    let directory = tempfile::tempdir().unwrap();
    let (broker, plan, control) = (MemoryBroker::new(), plan(directory.path()), Control::new());
    let (mut counted, mut late, mut notes) = (BTreeSet::new(), Vec::new(), Vec::new());
    thread::scope(|scope| {
        let worker = Worker { name: "a", manner: Manner::Together, broker: &broker, plan: plan.play() };
        scope.spawn(move || worker.work());
        let coordinator = Coordinator::new(&broker, &plan).expect("a plan");
        let mut host = |event: RunEvent<'_>| -> Result<(), EventError> {
            match event {
                RunEvent::GameFinished(game) => {
                    counted.insert(game.pair);
                    // As the verdict of a test does.
                    control.abort();
                }
                RunEvent::GameUncounted(game) => late.push(*game),
                RunEvent::Note(text) => notes.push(text),
                _ => {}
            }
            Ok(())
        };
        coordinator.play(&plan.play(), tasks(&plan).into(), &control, &mut host).expect("it is stopped");
    });
    assert_eq!(counted.len(), 1);
    let told: Vec<_> = uncounted(&late).into_iter().collect();
    assert_eq!(late.len(), 2, "{notes:?}");
    assert!(told.iter().all(|(name, cause, _)| (*name, *cause) == ("a", Some(Uncounted::Late))), "{told:?}");
    assert!(late.iter().all(|game| !counted.contains(&game.pair) && game.reason == Termination::Resign));
    assert!(
        notes.contains(&"worker a: 1 result came after the end and did not count".to_owned()),
        "{notes:?}"
    );
}

#[test]
fn what_keeps_a_worker_from_playing_is_told_where_the_run_is() {
    let directory = tempfile::tempdir().unwrap();
    let workers = [("a", Manner::Slow), ("b", Manner::Declining)];
    let outcome = play(directory.path(), &MemoryBroker::new(), &workers);
    assert_complete(directory.path(), &outcome);
    let told = "worker b: cannot play this run: its rules are others";
    assert!(outcome.notes.iter().any(|text| text == told), "{:?}", outcome.notes);
    assert!(!outcome.notes.iter().any(|text| text.starts_with("worker b: joins")), "{:?}", outcome.notes);
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
    // Its games count, and that they went other ways stands beside them.
    let failed = uncounted(&outcome.uncounted);
    assert!(failed.len() >= 3 && failed.iter().all(|(name, ..)| *name == "liar"), "{failed:?}");
    assert!(failed.iter().all(|(_, cause, number)| {
        *cause == Some(Uncounted::Failed) && outcome.games.contains_key(number)
    }));
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
    // Each failure is written down, the last one with what came of it.
    let failed = uncounted(&outcome.uncounted);
    assert!(failed.iter().all(|(name, cause, _)| (*name, *cause) == ("broken", Some(Uncounted::Failed))));
    assert!(outcome.uncounted.iter().all(|game| game.plies.is_empty() && game.result == GameResult::None));
    assert!(outcome.uncounted.iter().all(|game| game.detail.as_deref() == Some("its disk is full")));
    // What it was playing when it was set aside fails too.
    let aside =
        outcome.uncounted.iter().map(|game| game.worker.as_ref().expect("a worker").set_aside.as_deref());
    let aside: Vec<_> = aside.collect();
    assert_eq!(aside[..5], [None, None, None, None, Some("its last pairs have all failed")]);
    assert!(aside[5..].iter().all(Option::is_none), "{aside:?}");
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
            let worker = Worker { name, manner, broker: &broker, plan: plan.play() };
            scope.spawn(move || worker.work());
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
            Worker { name: "a", manner: Manner::Honest, broker: &broker, plan: plan.play() }.work();
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

#[test]
fn files_that_were_removed_beside_a_run_are_sent_again() {
    let directory = tempfile::tempdir().unwrap();
    let broker = MemoryBroker::new();
    let plan = plan(directory.path());
    let control = Control::new();
    thread::scope(|scope| {
        scope.spawn(|| {
            while !broker.keys().expect("memory").iter().any(|key| key.starts_with(&run_key(""))) {
                thread::sleep(Duration::from_millis(5));
            }
            let sent = broker.objects().expect("memory");
            assert!(!sent.is_empty());
            sent.iter().for_each(|object| broker.remove(object).expect("memory"));
            broker.write(REMOVALS, b"another run", ExpectedEntry::Any).expect("memory");
            let since = Instant::now();
            while broker.objects().expect("memory") != sent && since.elapsed() < Duration::from_secs(60) {
                thread::sleep(Duration::from_millis(5));
            }
            let again = broker.objects().expect("memory");
            control.finish();
            assert_eq!(again, sent);
        });
        let coordinator = Coordinator::new(&broker, &plan).expect("a plan");
        let mut host = |_: RunEvent<'_>| -> Result<(), EventError> { Ok(()) };
        // Nobody plays: it waits for workers.
        coordinator.play(&plan.play(), tasks(&plan).into(), &control, &mut host).expect("it is interrupted");
    });
    assert!(broker.objects().expect("memory").is_empty(), "nobody needs them any more");
}
