//! Bounds from one-sided results: see [`RatingBound`].

use std::collections::BTreeMap;

use crate::fit::model::{UNITS_PER_ELO, log_sigmoid, sigmoid};
use crate::tally::Tally;
use crate::tally::components::Components;
use crate::{GameScore, RatingBound};

/// One minus the confidence of a bound.
const DISBELIEF: f64 = 0.05;

/// Up to which difference of their offsets two results are equally likely: ratings are found by approximation.
const EQUAL: f64 = 1e-6;

/// The ratings and advantages, in Elo.
pub(crate) struct Standing<'a> {
    /// Each player's rating, if it has one.
    pub(crate) players: &'a [Option<f64>],
    /// By group the advantages of its seats, if the data determine them.
    pub(crate) seats: &'a [Option<Vec<f64>>],
}

/// A group, and two seats at its tables.
type SeatPair = (usize, [usize; 2]);

/// Games with the same expected score, `σ(offset + shift ± advantage)`, for the side that won them all.
#[derive(Clone, Copy)]
struct Wins {
    count: f64,
    offset: f64,
    /// Whether the winners had the first seat.
    first: bool,
}

/// Returns the shift in Elo after which the results of `component` against the main component become credible.
///
/// One side won every game between the two components; otherwise they would be one. For a table with several of these results
/// the chance is bounded by that of the least likely one; where several are equally unlikely, by the geometric mean of theirs, so that
/// no order of seats or names decides between them.
pub(crate) fn shift(
    component: usize,
    main: usize,
    components: &Components,
    tally: &Tally,
    standing: &Standing<'_>,
) -> Option<RatingBound> {
    let mut won = None;
    // Games with known advantages, and by group and seats those with unknown ones.
    let mut known: Vec<Wins> = Vec::new();
    let mut open: BTreeMap<SeatPair, Vec<Wins>> = BTreeMap::new();
    for (leg, count) in tally.games() {
        let mut results: Vec<(Wins, Option<SeatPair>)> = Vec::new();
        for &(cell, score) in leg {
            let cell = &tally.cells[cell as usize];
            let sides = (components.of[cell.first]?, components.of[cell.second]?);
            let is_first = sides == (component, main);
            if !is_first && sides != (main, component) {
                continue;
            }
            let won = *won.get_or_insert(is_first == (score == GameScore::Win));
            let difference = standing.players[cell.first]? - standing.players[cell.second]?;
            // The first seat won if and only if it belongs to the winning side.
            let first = is_first == won;
            let sign = if first { UNITS_PER_ELO } else { -UNITS_PER_ELO };
            let [one, two] = cell.seats;
            let count = count as f64;
            results.push(match &standing.seats[cell.group] {
                Some(seats) => {
                    (Wins { count, offset: sign * (difference + (seats[one] - seats[two])), first }, None)
                }
                None => (Wins { count, offset: sign * difference, first }, Some((cell.group, cell.seats))),
            });
        }
        let least = results.iter().map(|(wins, _)| wins.offset).fold(f64::INFINITY, f64::min);
        results.retain(|(wins, _)| wins.offset <= least + EQUAL);
        let share = 1.0 / results.len() as f64;
        for (wins, seats) in results {
            let wins = Wins { count: wins.count * share, ..wins };
            match seats {
                None => known.push(wins),
                Some(seats) => open.entry(seats).or_default().push(wins),
            }
        }
    }
    // If only one seat won, an unknown advantage explains any number of wins.
    open.retain(|_, wins| wins.iter().any(|win| win.first) && wins.iter().any(|win| !win.first));
    if known.is_empty() && open.is_empty() {
        return None;
    }
    let chance = |shift: f64| {
        log_chance(&known, shift, 0.0)
            + open.values().map(|wins| log_chance(wins, shift, best_advantage(wins, shift))).sum::<f64>()
    };
    let shift = root(|shift| chance(shift) - DISBELIEF.ln()) / UNITS_PER_ELO;
    Some(if won? { RatingBound::Above(shift) } else { RatingBound::Below(-shift) })
}

/// Returns the logarithm of the chance of all these wins.
fn log_chance(wins: &[Wins], shift: f64, advantage: f64) -> f64 {
    wins.iter()
        .map(|win| {
            let advantage = if win.first { advantage } else { -advantage };
            win.count * log_sigmoid(win.offset + shift + advantage)
        })
        .sum()
}

/// Returns the advantage that explains the wins best: where the slope of their chance changes sign.
fn best_advantage(wins: &[Wins], shift: f64) -> f64 {
    root(|advantage| {
        wins.iter()
            .map(|win| {
                let (sign, advantage) = if win.first { (-1.0, advantage) } else { (1.0, -advantage) };
                sign * win.count * sigmoid(-(win.offset + shift + advantage))
            })
            .sum()
    })
}

/// Returns the root of an increasing function, by bisection.
fn root(f: impl Fn(f64) -> f64) -> f64 {
    let (mut low, mut high) = (-1.0f64, 1.0f64);
    while f(low) > 0.0 && low > -1e9 {
        low *= 2.0;
    }
    while f(high) < 0.0 && high < 1e9 {
        high *= 2.0;
    }
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        if f(middle) < 0.0 { low = middle } else { high = middle }
    }
    f64::midpoint(low, high)
}
