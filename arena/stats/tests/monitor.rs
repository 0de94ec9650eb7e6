//! Simulated matches watched after every pair: how often the monitor is wrong, and how soon it is right.

mod law;

use rand::{SeedableRng, rngs::ChaCha8Rng};

use stats::{GameScore, Monitor};

const PAIRS: u32 = 2000;
const MATCHES: u32 = 300;
const ADVANTAGE: f64 = 80.0;

/// A match of colour-swapped pairs.
#[derive(Clone, Copy)]
struct Match {
    /// How much stronger the watched player is, in Elo.
    elo: f64,
    /// The share of the possible draws, 0 to 1.
    draws: f64,
}

/// What came of the matches that were watched.
#[derive(Default)]
struct Watched {
    different: u32,
    covered: u32,
    naive: u32,
    /// After how many pairs a difference was found, in increasing order.
    found_after: Vec<u32>,
}

/// The sums that the interval of a fixed sample needs.
#[derive(Default)]
struct Naive {
    n: f64,
    sum: f64,
    squares: f64,
    has_excluded: bool,
}

impl Naive {
    fn observe(&mut self, score: f64) {
        self.n += 1.0;
        self.sum += score;
        self.squares += score * score;
        let mean = self.sum / self.n;
        let error = ((self.squares / self.n - mean * mean) / self.n).sqrt();
        self.has_excluded |= self.n >= 20.0 && (mean - 0.5).abs() > 1.96 * error;
    }
}

impl Match {
    fn expected(self, advantage: f64) -> f64 {
        law::expected(self.elo + advantage)
    }

    fn mean(self) -> f64 {
        f64::midpoint(self.expected(ADVANTAGE), self.expected(-ADVANTAGE))
    }

    fn play(self, random: &mut ChaCha8Rng, advantage: f64) -> GameScore {
        law::score(random, self.elo + advantage, self.draws)
    }

    fn watch(self, seed: u64) -> Watched {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut watched = Watched::default();
        for _ in 0..MATCHES {
            let (mut monitor, mut naive) = (Monitor::new(0.05), Naive::default());
            let mut found = None;
            for pair in 1..=PAIRS {
                let (one, two) = (self.play(&mut random, ADVANTAGE), self.play(&mut random, -ADVANTAGE));
                monitor.observe_pair(one, two);
                naive.observe(f64::midpoint(one.points(), two.points()));
                if monitor.is_different() {
                    found = found.or(Some(pair));
                }
            }
            // Both remember: what was ever refuted stays so.
            watched.different += u32::from(monitor.is_different());
            watched.covered +=
                u32::from(monitor.interval().is_some_and(|interval| interval.contains(self.mean())));
            watched.naive += u32::from(naive.has_excluded);
            watched.found_after.extend(found);
        }
        watched.found_after.sort_unstable();
        watched
    }
}

/// Checks that a share is at most 5 %, as far as so many matches can tell: three standard errors.
fn assert_at_most_5_percent(wrong: u32, what: &str) {
    let share = f64::from(wrong) / f64::from(MATCHES);
    let error = (0.05f64 * 0.95 / f64::from(MATCHES)).sqrt();
    println!("{what}: {share:.4}");
    assert!(share <= 0.05 + 3.0 * error, "{what}: {share:.4}");
}

fn check_equal(draws: f64, seed: u64) {
    let watched = Match { elo: 0.0, draws }.watch(seed);
    assert_at_most_5_percent(watched.different, "found different though equal");
    assert_at_most_5_percent(MATCHES - watched.covered, "interval ever missed");
    // What the monitor is for: the same matches, judged after every pair as if it were the last.
    let naive = f64::from(watched.naive) / f64::from(MATCHES);
    println!("naive: {naive:.4}");
    assert!(naive > 0.35, "naive peeking was wrong in {naive:.4} only");
}

/// Checks coverage away from equality, and that half the matches have found the difference `after` pairs.
fn check_different(elo: f64, draws: f64, after: u32, seed: u64) {
    let watched = Match { elo, draws }.watch(seed);
    assert_at_most_5_percent(MATCHES - watched.covered, "interval ever missed");
    let median = watched.found_after.get(MATCHES as usize / 2).copied();
    println!("{elo} Elo found after {median:?} pairs, in {} of {MATCHES}", watched.different);
    assert!(median.is_some_and(|median| median <= after), "{elo} Elo found after {median:?} pairs");
}

#[test]
fn equals_without_draws_are_left_alone() {
    check_equal(0.0, 1);
}

#[test]
fn equals_with_many_draws_are_left_alone() {
    check_equal(0.8, 2);
}

#[test]
fn a_large_difference_is_found_soon() {
    check_different(100.0, 0.3, 70, 3);
}

#[test]
fn a_small_difference_is_found_in_the_end() {
    check_different(20.0, 0.3, 1500, 4);
}
