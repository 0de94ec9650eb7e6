//! A thousand workers in virtual time: unequal, coming and going, with messages that are lost, doubled and late, and the
//! coordinator's own bookkeeping.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::path::Path;
use std::time::Duration;

use fleet::leases::{Leases, Need, Terms};
use record::{GameRecord, GameResult, PlyRecord, Summarizer, Termination};
use report::SequentialTest;
use runner::{GamePlan, Job, Opening, schedule};
use stats::sprt::SprtVerdict;
use tournament_file::{Overrides, Plan};

/// How often a coordinator and its workers look, in milliseconds.
const STEP: u64 = 500;

/// Numbers that look random: SplitMix64.
struct Lots(u64);

impl Lots {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        value ^ (value >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }
}

/// A worker with one slot.
struct Worker {
    /// How long it takes for a pair of mean length, in thousandths of the usual time.
    pace: u64,
    is_there: bool,
    /// The attempts that wait, and the one that is played with its end.
    waiting: Vec<(String, u64)>,
    playing: Option<(String, u64, u64)>,
}

/// What came of a run.
struct Outcome {
    /// When every pair had its result, in milliseconds.
    took: u64,
    /// How often each pair counted.
    counted: BTreeMap<u64, u32>,
    /// The most pairs that were open at once.
    most_open: usize,
    /// How long the slots that were there could have played, in milliseconds.
    available: u64,
    /// How long the pairs that counted took on them.
    used: u64,
    /// How many results came for pairs that had one.
    doubled: u64,
}

/// Plays so many pairs, of about twenty seconds each.
fn simulate(workers: usize, pairs: u64, has_faults: bool) -> Outcome {
    let mut lots = Lots(7);
    let mut leases = Leases::new(Terms::default(), "c");
    let mut fleet: Vec<Worker> = (0..workers)
        .map(|_| Worker { pace: 500 + lots.below(1500), is_there: true, waiting: Vec::new(), playing: None })
        .collect();
    let names: Vec<_> = (0..workers).map(|index| format!("w{index}")).collect();
    let index: BTreeMap<_, _> = names.iter().enumerate().map(|(index, name)| (name.clone(), index)).collect();
    for name in &names {
        leases.join(Duration::ZERO, name, 1, BTreeSet::new());
    }
    let mut next_pair = 1;
    // Results on their way: when they arrive, by whom, of which pair, and how long it took.
    let mut results: BinaryHeap<Reverse<(u64, usize, u64, u64)>> = BinaryHeap::new();
    let mut outcome =
        Outcome { took: 0, counted: BTreeMap::new(), most_open: 0, available: 0, used: 0, doubled: 0 };
    let mut now = 0;
    while (outcome.counted.len() as u64) < pairs {
        now += STEP;
        assert!(now < 24 * 3600 * 1000, "the run does not end");
        let time = Duration::from_millis(now);
        while leases.room() > 0 && next_pair <= pairs {
            leases.offer(next_pair, vec![Need::Bot(0), Need::Bot(1)]);
            next_pair += 1;
        }
        outcome.most_open = outcome.most_open.max(leases.open());
        for assigned in leases.assign(time) {
            // One order in a hundred is lost.
            if !(has_faults && lots.one_in(100)) {
                fleet[index[&assigned.worker]].waiting.push((assigned.attempt, assigned.pair));
            }
        }
        for (worker, attempts) in leases.balance() {
            fleet[index[&worker]].waiting.retain(|(attempt, _)| !attempts.contains(attempt));
        }
        for (number, worker) in fleet.iter_mut().enumerate() {
            if has_faults && lots.one_in(20_000) {
                // It is killed, or comes back with nothing.
                worker.is_there = !worker.is_there;
                worker.waiting.clear();
                worker.playing = None;
                if worker.is_there {
                    leases.join(time, &names[number], 1, BTreeSet::new());
                }
            }
            if !worker.is_there {
                continue;
            }
            outcome.available += STEP;
            if let Some((_, pair, end)) = worker.playing.clone().filter(|(_, _, end)| *end <= now) {
                worker.playing = None;
                let took = 20 * worker.pace;
                let late = if has_faults && lots.one_in(50) { 1000 * lots.below(60) } else { 0 };
                results.push(Reverse((end + late, number, pair, took)));
                if has_faults && lots.one_in(50) {
                    results.push(Reverse((end + late + 2000, number, pair, took)));
                }
            }
            if worker.playing.is_none() && !worker.waiting.is_empty() {
                let (attempt, pair) = worker.waiting.remove(0);
                let length = 20 * worker.pace / 2 + lots.below(20 * worker.pace);
                worker.playing = Some((attempt, pair, now + length));
            }
            if now % 2000 == 0 && !(has_faults && lots.one_in(10)) {
                let playing = worker.playing.iter().map(|(attempt, pair, _)| (attempt.as_str(), *pair, now));
                let waiting = worker.waiting.iter().map(|(attempt, pair)| (attempt.as_str(), *pair, 0));
                leases.heard(time, &names[number], playing.chain(waiting).collect::<Vec<_>>());
            }
        }
        while let Some(Reverse((_, number, pair, took))) =
            results.peek().copied().filter(|Reverse((at, ..))| *at <= now)
        {
            results.pop();
            if leases.settle(time, &names[number], pair, Duration::from_millis(took)) {
                *outcome.counted.entry(pair).or_default() += 1;
                outcome.used += took;
            } else {
                outcome.doubled += 1;
            }
        }
        leases.lapse(time);
    }
    outcome.took = now;
    outcome
}

#[test]
fn a_thousand_workers_with_faults_count_every_pair_once() {
    let outcome = simulate(1000, 20_000, true);
    assert_eq!(outcome.counted.len(), 20_000);
    assert!(outcome.counted.values().all(|count| *count == 1));
    assert!(outcome.most_open <= 4000, "{} pairs were open", outcome.most_open);
    assert!(outcome.doubled > 100, "the faults have done something: {}", outcome.doubled);
}

#[test]
fn a_thousand_workers_are_busy_nine_tenths_of_the_time() {
    let outcome = simulate(1000, 20_000, false);
    assert_eq!(outcome.doubled, 0);
    let busy = outcome.used as f64 / outcome.available as f64;
    // A pair takes twenty seconds, and orders and results wait for half a second in all.
    assert!(busy > 0.9, "busy for {busy:.3} of {} ms", outcome.took);
}

/// A pair that a worker has: its attempt, its number, and when it ends once it has begun.
type HeldPair = (String, u64, Option<u64>);

/// Returns a test of whether a bot has gained.
fn test_of_strength() -> Plan {
    let text = "name: gain\nformat: sprt\nsprt: {elo0: 0, elo1: 50}\ngames: [farook]\nrounds: 20000\ntc: nodes 10\n\
                bots: [{name: new, builtin: greedy}, {name: base, builtin: random}]\n";
    let (directory, overrides) = (Path::new("."), Overrides::default());
    tournament_file::parse(text, "gain.yaml", directory, &overrides).expect("a tournament file")
}

/// Returns the games of a pair that the new bot has won, or lost; no two pairs have the same plies.
fn played(plan: &GamePlan, jobs: &[Job], is_won: bool) -> Vec<GameRecord> {
    let game = |job: &Job| {
        let mut record = plan.unplayed(job);
        let winner = rules::Seat::new(usize::from((job.task.leg == 1) != is_won)).expect("a seat");
        (record.result, record.reason, record.failed) = (GameResult::win(winner), Termination::Resign, None);
        let ply =
            serde_json::json!({ "ply": format!("ply of game {}", record.number), "seat": 1, "turn": 1 });
        record.plies = vec![serde_json::from_value::<PlyRecord>(ply).expect("a ply")];
        record
    };
    jobs.iter().map(game).collect()
}

/// Adds games to a test.
fn weigh(test: &mut SequentialTest, games: &[GameRecord]) {
    games.iter().for_each(|game| test.push(&Summarizer::default().push(game, 0)));
}

#[test]
fn a_verdict_is_that_of_one_machine_although_what_is_won_is_won_fast() {
    let plan = test_of_strength();
    let new_test = || SequentialTest::new(&plan.config).expect("a test").expect("its hypotheses hold");
    let game_plan = plan.play();
    let opening = Opening { start: None, plies: Vec::new() };
    let mut jobs: BTreeMap<u64, Vec<Job>> = BTreeMap::new();
    for task in game_plan.tasks(schedule(&[&plan.config])).take(20_000) {
        let opening = opening.clone();
        jobs.entry(task.pair).or_default().push(Job { task, opening });
    }
    // Four pairs in ten are won, within two seconds; the others are lost, in a minute.
    let is_won = |pair: u64| Lots(pair).below(10) < 4;
    let mut alone = new_test();
    let mut pairs_alone = 0;
    while alone.stop().is_none() {
        pairs_alone += 1;
        weigh(&mut alone, &played(&game_plan, &jobs[&pairs_alone], is_won(pairs_alone)));
    }
    assert_eq!(alone.decision(), SprtVerdict::H0, "the new bot is weaker");

    let (mut test, mut by_arrival) = (new_test(), new_test());
    let mut leases = Leases::new(Terms::default(), "c");
    let names: Vec<_> = (0..64).map(|index| format!("w{index}")).collect();
    names.iter().for_each(|name| leases.join(Duration::ZERO, name, 1, BTreeSet::new()));
    let mut fleet: BTreeMap<&str, Vec<HeldPair>> = BTreeMap::new();
    let (mut now, mut next_pair, mut arrived) = (0, 1, 0);
    while test.stop().is_none() {
        now += STEP;
        assert!(now < 24 * 3600 * 1000, "there is no verdict");
        let time = Duration::from_millis(now);
        while leases.room() > 0 {
            leases.offer(next_pair, vec![Need::Bot(0), Need::Bot(1)]);
            next_pair += 1;
        }
        for assigned in leases.assign(time) {
            let name = names.iter().find(|name| **name == assigned.worker).expect("a worker");
            fleet.entry(name).or_default().push((assigned.attempt, assigned.pair, None));
        }
        for (worker, attempts) in leases.balance() {
            fleet
                .entry(names.iter().find(|name| **name == worker).expect("a worker"))
                .or_default()
                .retain(|(attempt, ..)| !attempts.contains(attempt));
        }
        for (name, held) in &mut fleet {
            if let Some((_, pair, end)) = held.first_mut() {
                end.get_or_insert(now + if is_won(*pair) { 2_000 } else { 60_000 });
            }
            let told = held.iter().map(|(attempt, pair, end)| (&**attempt, *pair, end.map_or(0, |_| now)));
            leases.heard(time, name, told.collect::<Vec<_>>());
            if held.first().is_none_or(|(.., end)| end.is_none_or(|end| now < end)) {
                continue;
            }
            let (_, pair, _) = held.remove(0);
            let took = Duration::from_secs(if is_won(pair) { 2 } else { 60 });
            assert!(leases.settle(time, name, pair, took), "pair {pair} counts once");
            let games = played(&game_plan, &jobs[&pair], is_won(pair));
            weigh(&mut test, &games);
            arrived += 1;
            let renumbered: Vec<_> =
                games.into_iter().map(|game| GameRecord { round: arrived, ..game }).collect();
            weigh(&mut by_arrival, &renumbered);
        }
        leases.lapse(time);
    }
    assert_eq!(test.decision(), alone.decision());
    assert_eq!(test.walk().pairs(), alone.walk().pairs(), "the same pairs decide");
    assert!(u64::from(arrived) > pairs_alone, "results have come out of their order");
    // In the order in which they came, the same results would say the contrary.
    assert_eq!(by_arrival.decision(), SprtVerdict::H1);
}
