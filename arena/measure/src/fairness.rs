//! The same bot on both seats of many games, and whether it is charged alike.
//!
//! The unit is a pair of games with the seats swapped. In each game the charges of one side are put together as their
//! median and as their mean; the difference of the sides is averaged over the pair, so that a difference of seats cancels
//! where bots are compared, and one of bots where seats are. The median of the first over all pairs has the interval of the
//! sign test, for which no distribution is assumed; the mean of the second that of a mean of many equal differences.

use std::env;
use std::io;
use std::time::Duration;

use diagnostic::output;
use rules::Setup;
use runner::Control;
use serde::Serialize;

use crate::bench_run::{BenchRun, Charged};

/// How many standard errors to each side hold 99 % of a normal distribution.
const Z99: f64 = 2.575_829;

/// Up to which difference nobody is favoured: no clock of any game shows it, in microseconds.
const NOBODY: f64 = 5.0;

/// A run of two equal bots, and what is changed to see whether it is found.
pub struct FairnessBench<'a> {
    /// The game, with its default options.
    pub setup: &'a Setup,
    /// How many pairs of games are played, seats swapped within each.
    pub pairs: u64,
    /// How many games are played at once.
    pub concurrency: u64,
    /// What is kept to cores of its own, in the words of `--pin`.
    pub pin: &'a str,
    /// By how much longer the second bot takes for every answer.
    pub bias: Duration,
    /// Is told what is being measured.
    pub tell: &'a dyn Fn(&str),
    /// Ends the measurement.
    pub control: &'a Control,
}

impl FairnessBench<'_> {
    /// Plays and compares.
    ///
    /// # Errors
    /// When the arena's own executable cannot be started or fails, its journal cannot be read, or `control` ends the measurement.
    pub fn measure(&self) -> io::Result<Fairness> {
        (self.tell)(&format!("{} of two equal bots", output::count(2 * self.pairs, "game")));
        let run = BenchRun {
            arena: &env::current_exe()?,
            setup: self.setup,
            line: &rules::longest_line(self.setup),
            pairs: self.pairs,
            concurrency: usize::try_from(self.concurrency).unwrap_or(usize::MAX),
            is_timed: true,
            wants_legal: false,
            think: [Duration::ZERO, self.bias],
            pin: Some(self.pin),
            workers: None,
            control: self.control,
        };
        let played = run.play()?;
        let mut differences = Differences::default();
        played.each_pair(|games| differences.push(games))?;
        Ok(Fairness::of(&differences))
    }
}

/// By how much sides are charged unlike; scripts rely on these keys.
#[derive(Debug, Serialize)]
pub struct Fairness {
    /// How many pairs of games were played.
    pub pairs: usize,
    /// The differences between sides.
    pub differences: Vec<ChargeDifference>,
    /// Whether no difference is certain to be more than anybody should notice.
    pub is_fair: bool,
}

/// By how much one side is charged more than the other, in microseconds a decision.
#[derive(Debug, Serialize)]
pub struct ChargeDifference {
    /// Which sides.
    pub sides: &'static str,
    /// Which value of a side's charges in a game.
    pub of: &'static str,
    /// The estimate.
    pub difference: f64,
    /// The lower end of its 99 % interval.
    pub low: f64,
    /// The upper end of its 99 % interval.
    pub high: f64,
}

/// How the differences of pairs are found: between which sides, of which values of a side's charges, and whether sides are
/// bots.
type SideComparison = (&'static str, &'static str, fn(&[f64]) -> f64, bool);

/// All of them, in the order in which they are told.
const COMPARISONS: [SideComparison; 4] = [
    ("first seat - second seat", "medians", median, false),
    ("first seat - second seat", "means", mean, false),
    ("first bot - second bot", "medians", median, true),
    ("first bot - second bot", "means", mean, true),
];

/// The differences of pairs of games, for each of [`COMPARISONS`]: all that is kept of the games.
#[derive(Debug, Default)]
struct Differences([Vec<f64>; COMPARISONS.len()]);

impl Differences {
    /// Takes a whole pair.
    fn push(&mut self, games: &[Charged; 2]) {
        for ((.., center, is_bots), differences) in COMPARISONS.iter().zip(&mut self.0) {
            let of_game = games.each_ref().map(|game| {
                let [first, second] = [0, 1].map(|seat| center(&game.seats[seat]));
                if *is_bots && game.is_swapped { second - first } else { first - second }
            });
            differences.push(of_game.iter().sum::<f64>() / of_game.len() as f64);
        }
    }
}

impl Fairness {
    fn of(Differences(all): &Differences) -> Self {
        let compare = |((sides, of, ..), differences): (&SideComparison, &Vec<f64>)| {
            let [difference, low, high] = if *of == "medians" {
                median_and_interval(differences)
            } else {
                mean_and_interval(differences)
            };
            ChargeDifference { sides, of, difference, low, high }
        };
        let differences: Vec<_> = COMPARISONS.iter().zip(all).map(compare).collect();
        let is_fair = differences.iter().all(|it| it.low <= NOBODY && it.high >= -NOBODY);
        Self { pairs: all[0].len(), differences, is_fair }
    }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    match sorted.len() {
        0 => 0.0,
        n if n.is_multiple_of(2) => f64::midpoint(sorted[n / 2 - 1], sorted[n / 2]),
        n => sorted[n / 2],
    }
}

/// Returns the mean of values, and the ends of its interval.
fn mean_and_interval(values: &[f64]) -> [f64; 3] {
    let (n, mean) = (values.len() as f64, mean(values));
    let squares = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>();
    let error = (squares / (n - 1.0).max(1.0) / n.max(1.0)).sqrt();
    [mean, mean - Z99 * error, mean + Z99 * error]
}

/// Returns the median of values, and the ends of its interval: the values between which it lies unless this many more fall
/// on one side of it than chance allows (sign test, the binomial distribution taken as normal).
fn median_and_interval(values: &[f64]) -> [f64; 3] {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len() as f64;
    let below = (n / 2.0 - Z99 * n.sqrt() / 2.0 - 0.5).floor().max(0.0) as usize;
    let end = |index: usize| sorted.get(index).copied().unwrap_or_default();
    [median(values), end(below), end(sorted.len().saturating_sub(below + 1))]
}

#[cfg(test)]
mod tests {
    use rules::Dice;

    use super::*;

    /// Returns pairs of games with charges around 20 us that scatter by up to 30 us, with a rare great one; the bot or the
    /// seat that comes second is charged this much more.
    fn invented(bot: f64, seat: f64) -> Vec<[Charged; 2]> {
        let mut dice = Dice::new(7);
        let mut charge = |more: f64| {
            let rare = if dice.below(1000) == 0 { 5000.0 } else { 0.0 };
            20.0 + dice.below(30) as f64 + rare + more
        };
        let mut game = |is_swapped: bool| {
            let mores = if is_swapped { [bot, seat] } else { [0.0, bot + seat] };
            Charged { seats: mores.map(|more| (0..20).map(|_| charge(more)).collect()).into(), is_swapped }
        };
        (0..1000).map(|_| [game(false), game(true)]).collect()
    }

    fn fairness(bot: f64, seat: f64) -> Fairness {
        let mut differences = Differences::default();
        invented(bot, seat).iter().for_each(|games| differences.push(games));
        Fairness::of(&differences)
    }

    fn holds(difference: &ChargeDifference, value: f64) -> bool {
        difference.low <= value && value <= difference.high
    }

    #[test]
    fn the_interval_of_a_median_counts_on_both_sides() {
        let values: Vec<_> = (1..=100).map(f64::from).collect();
        // 50 - 2.576 * 5 - 0.5 is 36.6: 36 values lie below the one end, and as many above the other.
        assert_eq!(median_and_interval(&values), [50.5, 37.0, 64.0]);
        assert_eq!(median_and_interval(&[]), [0.0; 3]);
    }

    #[test]
    fn equal_bots_are_charged_alike() {
        let fairness = fairness(0.0, 0.0);
        assert!(fairness.is_fair && fairness.pairs == 1000);
        assert!(fairness.differences.iter().all(|it| holds(it, 0.0)), "{fairness:?}");
    }

    #[test]
    fn a_bias_of_20_microseconds_is_found_and_told_from_one_of_seats() {
        let of_bots = fairness(20.0, 0.0);
        assert!(!of_bots.is_fair);
        let [seats, _, bots, _] = &of_bots.differences[..] else { panic!("{of_bots:?}") };
        assert!(holds(seats, 0.0), "{of_bots:?}");
        assert!(bots.high < -NOBODY && holds(bots, -20.0), "{of_bots:?}");
        let of_seats = fairness(0.0, 20.0);
        let [seats, _, bots, _] = &of_seats.differences[..] else { panic!("{of_seats:?}") };
        assert!(!of_seats.is_fair && seats.high < -NOBODY, "{of_seats:?}");
        assert!(holds(bots, 0.0), "{of_seats:?}");
    }
}
