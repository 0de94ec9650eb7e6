//! A thousand workers in virtual time: unequal, coming and going, with messages that are lost, doubled and late, and the
//! coordinator's own bookkeeping.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::time::Duration;

use fleet::leases::{Leases, Need, Terms};

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
