//! Clocks on machines of another speed.

use std::collections::BTreeSet;

use fleet::broker::MemoryBroker;
use measure::MachineSpeed;
use tournament_file::Plan;

use crate::worker::Manner;
use crate::{Outcome, plan_by, play_plan, tasks};

fn play(plan: &Plan, workers: &[(&'static str, Manner)]) -> Outcome {
    let outcome = play_plan(plan, &MemoryBroker::new(), workers, 0.0, Some(MachineSpeed::default()));
    assert_eq!((outcome.error.as_ref(), outcome.doubled), (None, 0), "{:?}", outcome.notes);
    assert_eq!(outcome.games.len(), tasks(plan).len(), "{:?}", outcome.notes);
    outcome
}

const TWICE: Manner = Manner::Scaled { said: 200, played: 200 };

#[test]
fn a_slow_worker_has_longer_clocks_and_every_record_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let outcome = play(&plan_by(directory.path(), "60+1"), &[("slow", TWICE)]);
    for game in outcome.games.values() {
        assert_eq!(game.seats[0].tc.as_str(), "60+1");
        let factor = game.worker.as_ref().and_then(|worker| worker.factor);
        assert_eq!(factor.map(|factor| factor.to_string()).as_deref(), Some("2.00"));
        // 120 seconds, of which it has used 70, and 2 for the turn.
        assert_eq!(game.plies.last().and_then(|ply| ply.clock), Some(52_000));
    }
    let told = "worker slow: its bots are slower than here: times are 2.00 times as long there";
    assert!(outcome.notes.iter().any(|text| text == told), "{:?}", outcome.notes);
}

#[test]
fn clocks_are_checked_by_the_factor_that_a_worker_says() {
    for (said, played) in [(100, 200), (200, 100), (200, 300)] {
        let directory = tempfile::tempdir().unwrap();
        let liar = Manner::Scaled { said, played };
        let outcome = play(&plan_by(directory.path(), "60+1"), &[("a", TWICE), ("liar", liar)]);
        let names: BTreeSet<_> =
            outcome.games.values().filter_map(|game| Some(&game.worker.as_ref()?.name)).collect();
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a"], "{said} {played}");
        let is_told = |text: &String| {
            text.starts_with("worker liar: what it reports") && text.contains("does not hold")
        };
        assert!(outcome.notes.iter().any(is_told), "{said} {played}: {:?}", outcome.notes);
    }
}

#[test]
fn a_worker_that_is_unfit_for_clocks_plays_the_games_without_one() {
    let directory = tempfile::tempdir().unwrap();
    let timed = play(&plan_by(directory.path(), "60+1"), &[("a", TWICE), ("noisy", Manner::WithoutClocks)]);
    assert!(timed.games.values().all(|game| game.worker.as_ref().is_some_and(|worker| worker.name == "a")));
    let told = "worker noisy: plays no games with a clock: it is too noisy";
    assert!(timed.notes.iter().any(|text| text == told), "{:?}", timed.notes);
    let directory = tempfile::tempdir().unwrap();
    play(&plan_by(directory.path(), "nodes 10"), &[("noisy", Manner::WithoutClocks)]);
}

#[test]
fn times_are_scaled_only_where_the_run_asks_for_it() {
    let directory = tempfile::tempdir().unwrap();
    let plan = plan_by(directory.path(), "60+1");
    let workers = [("a", Manner::Slow), ("liar", TWICE)];
    let outcome = play_plan(&plan, &MemoryBroker::new(), &workers, 0.0, None);
    assert_eq!(outcome.games.len(), tasks(&plan).len(), "{:?}", outcome.notes);
    assert!(
        outcome.games.values().all(|game| game.worker.as_ref().is_some_and(|worker| worker.factor.is_none()))
    );
    let is_told = |text: &String| text.contains("times were scaled, which the run does not ask for");
    assert!(outcome.notes.iter().any(is_told), "{:?}", outcome.notes);
}
