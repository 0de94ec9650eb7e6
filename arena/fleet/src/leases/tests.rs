use super::*;

const START: Duration = Duration::ZERO;

fn seconds(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

/// Returns leases with workers of one slot each, and these pairs.
fn leases(workers: &[&str], pairs: impl IntoIterator<Item = u64>) -> Leases {
    let mut leases = Leases::new(Terms::default(), "c");
    for worker in workers {
        leases.join(START, worker, 1, BTreeSet::new());
    }
    pairs.into_iter().for_each(|pair| leases.offer(pair, vec![Need::Bot(0), Need::Bot(1)]));
    leases
}

fn pairs(assigned: &[Assigned], worker: &str) -> Vec<u64> {
    assigned.iter().filter(|assigned| assigned.worker == worker).map(|assigned| assigned.pair).collect()
}

#[test]
fn pairs_go_out_in_the_order_of_their_numbers_and_evenly() {
    let mut leases = leases(&["a", "b"], 1..=8);
    let assigned = leases.assign(START);
    // One for each slot and one that waits, until the workers have shown how fast they are.
    assert_eq!((pairs(&assigned, "a"), pairs(&assigned, "b")), (vec![1, 3], vec![2, 4]));
    assert_eq!(leases.assign(START), []);
    assert!(leases.settle(seconds(1), "a", 1, Duration::from_millis(1)));
    // A fast worker has as many ahead as the window allows.
    assert_eq!(pairs(&leases.assign(seconds(1)), "a"), [5, 6, 7]);
}

#[test]
fn only_the_first_result_of_a_pair_counts() {
    let mut leases = leases(&["a", "b"], [1]);
    leases.assign(START);
    assert!(leases.settle(seconds(1), "b", 1, seconds(1)));
    assert!(!leases.settle(seconds(2), "a", 1, seconds(2)));
    leases.uncounted(seconds(2), "a", "c-1", Uncounted::Duplicate);
    leases.uncounted(seconds(3), "b", "", Uncounted::Late);
    let tallies = leases.workers().map(|(name, worker)| (name, worker.pairs, worker.late, worker.duplicates));
    assert_eq!(tallies.collect::<Vec<_>>(), [("a", 0, 0, 1), ("b", 1, 1, 0)]);
    assert_eq!(leases.open(), 0);
}

#[test]
fn the_pairs_of_a_silent_worker_are_given_to_others() {
    let mut leases = leases(&["a"], [1]);
    leases.assign(START);
    leases.join(seconds(29), "b", 1, BTreeSet::new());
    assert_eq!(leases.lapse(seconds(29)), []);
    assert_eq!(leases.lapse(seconds(30)), [Lapse::Silent { worker: "a".to_owned(), attempts: 1 }]);
    assert_eq!(pairs(&leases.assign(seconds(30)), "b"), [1]);
    // It is told once, and known again when it speaks.
    assert_eq!(leases.lapse(seconds(31)), []);
    assert!(leases.heard(seconds(40), "a", []));
    leases.offer(2, vec![Need::Bot(0), Need::Bot(1)]);
    assert_eq!(pairs(&leases.assign(seconds(40)), "a"), [2]);
}

#[test]
fn a_worker_that_beats_without_progress_loses_the_pair() {
    let mut leases = leases(&["a", "b"], [1]);
    let attempt = leases.assign(START)[0].attempt.clone();
    for second in (2..=118).step_by(2) {
        leases.heard(seconds(second), "a", [(attempt.as_str(), 1, 7)]);
        leases.heard(seconds(second), "b", []);
        assert_eq!(leases.lapse(seconds(second)), [], "{second}");
    }
    leases.heard(seconds(122), "a", [(attempt.as_str(), 1, 7)]);
    assert_eq!(leases.lapse(seconds(122)), [Lapse::Standstill { worker: "a".to_owned(), pair: 1 }]);
    leases.heard(seconds(122), "b", []);
    assert_eq!(pairs(&leases.assign(seconds(122)), "b"), [1]);
}

#[test]
fn an_order_that_never_arrived_is_sent_again() {
    let mut leases = leases(&["a"], [1]);
    leases.assign(START);
    leases.heard(seconds(14), "a", []);
    assert_eq!(leases.assign(seconds(14)), []);
    leases.heard(seconds(16), "a", []);
    assert_eq!(pairs(&leases.assign(seconds(16)), "a"), [1]);
}

#[test]
fn attempts_of_an_earlier_coordinator_are_taken_over() {
    let mut leases = leases(&[], [1, 2]);
    // It is asked to introduce itself first.
    assert!(!leases.heard(START, "a", [("earlier-7", 1, 3)]));
    leases.join(START, "a", 2, BTreeSet::new());
    assert!(leases.heard(START, "a", [("earlier-7", 1, 3)]));
    assert_eq!(pairs(&leases.assign(START), "a"), [2]);
}

#[test]
fn a_pair_that_fails_on_three_workers_is_poison() {
    let mut leases = leases(&["a", "b", "c"], [1]);
    let mut on = BTreeSet::new();
    for (time, end) in [(1, Failed::Again), (2, Failed::Again), (3, Failed::Poison)] {
        let assigned = leases.assign(seconds(time)).remove(0);
        assert!(on.insert(assigned.worker.clone()), "it failed there before: {}", assigned.worker);
        assert_eq!(leases.fail(seconds(time), &assigned.worker, &assigned.attempt, 1), end);
    }
    assert_eq!((leases.open(), leases.assign(seconds(4)).len()), (0, 0));
}

#[test]
fn a_pair_that_alone_fails_on_the_only_worker_is_given_up() {
    let mut leases = leases(&["a"], 1..=40);
    let mut ends = Vec::new();
    for time in 0..40 {
        let now = seconds(time);
        for assigned in leases.assign(now) {
            match assigned.pair {
                7 => ends.push(leases.fail(now, "a", &assigned.attempt, 7)),
                pair => drop(leases.settle(now, "a", pair, seconds(1))),
            }
        }
    }
    assert_eq!((ends.len(), ends.last()), (9, Some(&Failed::Poison)));
    // The worker is not to blame: others went well in between.
    assert!(leases.workers().all(|(_, worker)| worker.set_aside.is_none()));
}

#[test]
fn a_worker_alone_on_which_everything_fails_gives_up_no_pair() {
    let mut leases = leases(&["liar"], 1..=4);
    for time in 0..10 {
        for assigned in leases.assign(seconds(time)) {
            assert_eq!(leases.fail(seconds(time), "liar", &assigned.attempt, assigned.pair), Failed::Again);
        }
    }
    assert!(!leases.has_workers());
    assert_eq!(leases.open(), 4);
}

#[test]
fn a_worker_on_which_everything_fails_is_set_aside() {
    let mut leases = leases(&["a", "b"], 1..=40);
    for time in 0..5 {
        let now = seconds(time);
        for assigned in leases.assign(now) {
            match assigned.worker.as_str() {
                "a" => drop(leases.fail(now, "a", &assigned.attempt, assigned.pair)),
                _ => drop(leases.settle(now, "b", assigned.pair, seconds(1))),
            }
        }
    }
    let aside: Vec<_> = leases.workers().filter(|(_, worker)| worker.set_aside.is_some()).collect();
    assert_eq!(aside.iter().map(|(name, _)| *name).collect::<Vec<_>>(), ["a"]);
    assert_eq!(pairs(&leases.assign(seconds(6)), "a"), [0; 0]);
}

#[test]
fn bots_that_do_not_start_on_a_worker_are_played_by_others() {
    let mut leases = leases(&["b"], [1]);
    leases.join(START, "a", 1, BTreeSet::from([Need::Bot(1)]));
    assert_eq!(pairs(&leases.assign(START), "b"), [1]);
    leases.join(START, "b", 1, BTreeSet::from([Need::Bot(0)]));
    leases.offer(2, vec![Need::Bot(0), Need::Bot(1)]);
    assert_eq!((leases.assign(START), leases.unplayable()), (Vec::new(), vec![2]));
}

#[test]
fn what_no_worker_can_play_keeps_nothing_else_from_being_played_and_alone_is_no_reason_to_go_on() {
    let mut leases = leases(&[], []);
    leases.join(START, "a", 1, BTreeSet::from([Need::Game(0)]));
    let window = leases.room();
    for pair in 1..=20 {
        leases.offer(pair, vec![Need::Bot(0), Need::Game(0)]);
        assert_eq!(leases.room(), window, "after {pair} pairs that nobody can play");
    }
    leases.offer(21, vec![Need::Bot(0), Need::Game(1)]);
    assert!(!leases.is_stuck(), "one pair can be played");
    assert_eq!(pairs(&leases.assign(START), "a"), [21]);
    assert!(!leases.is_stuck(), "one pair is played");
    leases.settle(START, "a", 21, seconds(1));
    assert!(leases.is_stuck());
    // Who declines the run can play nothing, who is silent may come back.
    leases.decline(START, "b", 1);
    assert!(leases.is_stuck() && leases.room() > 0);
    leases.join(START, "c", 1, BTreeSet::new());
    assert!(!leases.is_stuck());
    leases.lapse(seconds(100));
    assert!(!leases.is_stuck());
    leases.leave(seconds(100), "c");
    assert!(leases.is_stuck());
}

#[test]
fn what_waits_at_a_busy_worker_moves_to_an_idle_one() {
    let mut leases = leases(&["a"], [1, 2]);
    let assigned = leases.assign(START);
    assert_eq!(pairs(&assigned, "a"), [1, 2]);
    leases.heard(
        seconds(1),
        "a",
        [(assigned[0].attempt.as_str(), 1, 1), (assigned[1].attempt.as_str(), 2, 0)],
    );
    leases.join(seconds(1), "b", 1, BTreeSet::new());
    let taken = leases.balance();
    assert_eq!(taken, BTreeMap::from([("a".to_owned(), vec![assigned[1].attempt.clone()])]));
    assert_eq!(pairs(&leases.assign(seconds(1)), "b"), [2]);
    assert_eq!(leases.balance(), BTreeMap::new());
}

#[test]
fn the_window_is_four_pairs_a_slot() {
    let mut leases = leases(&[], []);
    leases.join(START, "a", 3, BTreeSet::new());
    leases.join(START, "b", 1, BTreeSet::new());
    assert_eq!(leases.room(), 16);
    (1..=16).for_each(|pair| leases.offer(pair, vec![Need::Bot(0), Need::Bot(1)]));
    assert_eq!(leases.room(), 0);
    leases.settle(START, "a", 3, seconds(1));
    assert_eq!(leases.room(), 1);
}

#[test]
fn a_worker_that_leaves_gives_back_what_it_has_not_begun() {
    let mut leases = leases(&["a"], [1, 2]);
    let assigned = leases.assign(START);
    leases.heard(
        seconds(1),
        "a",
        [(assigned[0].attempt.as_str(), 1, 1), (assigned[1].attempt.as_str(), 2, 0)],
    );
    leases.leave(seconds(1), "a");
    leases.join(seconds(1), "b", 2, BTreeSet::new());
    assert_eq!(pairs(&leases.assign(seconds(1)), "b"), [2]);
    // What it has begun still counts.
    assert!(leases.settle(seconds(2), "a", 1, seconds(1)));
}

#[test]
fn a_paused_worker_gives_back_what_waits_and_begins_nothing_until_it_is_resumed() {
    let mut leases = leases(&["a", "b"], [1, 2, 3, 4]);
    let assigned = leases.assign(START);
    let held: Vec<_> = assigned.iter().filter(|assigned| assigned.worker == "a").collect();
    let progress = |begun: u64| {
        [(held[0].attempt.as_str(), held[0].pair, 1), (held[1].attempt.as_str(), held[1].pair, begun)]
    };
    leases.heard(seconds(1), "a", progress(0));
    assert_eq!(leases.load("a"), (1, 1));
    assert_eq!(leases.pause("a", true), [held[1].attempt.clone()]);
    assert!(leases.has_workers());
    leases.heard(seconds(2), "a", [(held[0].attempt.as_str(), held[0].pair, 2)]);
    assert_eq!(leases.load("a"), (1, 0));
    leases.settle(seconds(3), "b", 2, seconds(1));
    leases.settle(seconds(3), "b", 4, seconds(1));
    assert_eq!(pairs(&leases.assign(seconds(3)), "a"), [0; 0]);
    leases.settle(seconds(4), "a", held[0].pair, seconds(1));
    leases.pause("a", false);
    leases.offer(5, vec![Need::Bot(0), Need::Bot(1)]);
    leases.offer(6, vec![Need::Bot(0), Need::Bot(1)]);
    assert!(!pairs(&leases.assign(seconds(4)), "a").is_empty());
}

#[test]
fn a_worker_that_was_set_aside_gets_another_chance_when_it_is_resumed() {
    let mut leases = leases(&["a"], [1, 2]);
    leases.set_aside("a", "it lies");
    assert_eq!(leases.assign(START), []);
    leases.pause("a", false);
    assert_eq!(pairs(&leases.assign(START), "a"), [1, 2]);
}

#[test]
fn a_worker_without_room_gives_back_what_it_has_not_begun_and_the_run_waits_for_it() {
    let mut leases = leases(&["a"], [1, 2]);
    let assigned = leases.assign(START);
    let (first, second) = (assigned[0].attempt.as_str(), assigned[1].attempt.as_str());
    leases.heard(seconds(1), "a", [(first, 1, 5), (second, 2, 0)]);
    leases.hold(seconds(2), "a", 1, "there is no room");
    assert_eq!((leases.load("a"), leases.assign(seconds(2))), ((1, 0), Vec::new()));
    let state = leases.worker("a").expect("it is there");
    assert_eq!((state.stage(), state.waits_for.as_deref()), (WorkerStage::Paused, Some("there is no room")));
    assert!(leases.has_workers() && !leases.is_stuck() && leases.unplayable().is_empty());
    // Another one plays what waits; that nobody speaks of the other pair ends that attempt too, without a fault.
    leases.join(seconds(3), "b", 2, BTreeSet::new());
    assert_eq!(pairs(&leases.assign(seconds(3)), "b"), [2]);
    leases.heard(seconds(17), "b", [("c-3", 2, 1)]);
    leases.heard(seconds(17), "a", []);
    assert_eq!(pairs(&leases.assign(seconds(17)), "b"), [1]);
    assert_eq!(leases.worker("a").expect("it is there").faults, 0);
    // It is back when it introduces itself.
    leases.offer(3, vec![Need::Bot(0), Need::Bot(1)]);
    leases.join(seconds(18), "a", 1, BTreeSet::new());
    assert_eq!(pairs(&leases.assign(seconds(18)), "a"), [3]);
}

#[test]
fn somebody_plays_until_everybody_has_reported_or_left() {
    let mut leases = leases(&["a", "b"], [1, 2]);
    let assigned = leases.assign(START);
    assert!(!leases.is_playing(), "nobody has begun");
    let attempt = |worker: &str| {
        let found = assigned.iter().find(|assigned| assigned.worker == worker);
        found.map(|assigned| (assigned.attempt.as_str(), assigned.pair, 1)).expect("it has one")
    };
    leases.heard(seconds(1), "a", [attempt("a")]);
    leases.heard(seconds(1), "b", [attempt("b")]);
    assert!(leases.is_playing());
    let (name, pair, _) = attempt("a");
    assert!(leases.has_attempt("a", name) && !leases.has_attempt("b", name) && !leases.is_shared(pair));
    leases.uncounted(seconds(2), "a", name, Uncounted::Late);
    assert!(leases.is_playing());
    leases.leave(seconds(2), "b");
    assert!(!leases.is_playing());
    // What was given out again may come twice.
    leases.assign(seconds(2));
    assert!(leases.is_shared(pair));
}
