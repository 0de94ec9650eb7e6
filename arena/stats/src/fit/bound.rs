//! What one-sided results bound: see [`RatingBound`].

use std::collections::BTreeMap;

use crate::fit::model::{UNITS_PER_ELO, log_sigmoid, sigmoid};
use crate::tally::Tally;
use crate::tally::components::Components;
use crate::{GameScore, RatingBound};

/// The chance that is too small to believe in: one minus the confidence of a bound.
const DISBELIEF: f64 = 0.05;

/// Where the players and advantages stand, in Elo.
pub(crate) struct Standing<'a> {
    /// Each player's place, if it has one.
    pub(crate) players: &'a [Option<f64>],
    /// By group the advantages of its seats, if the data determine them.
    pub(crate) seats: &'a [Option<Vec<f64>>],
}

/// Games with the same expected score, `σ(offset + shift ± advantage)` for the side that won them all.
#[derive(Clone, Copy)]
struct Wins {
    count: u64,
    offset: f64,
    /// Whether the winners had the first seat.
    first: bool,
}

/// How far the players of `component` must be shifted from where they stand, in Elo, before their results
/// against the main component become credible.
///
/// Every game between two components was won by the same side, or they would be one. At a table of several of them the chance
/// is at most that of the least likely of these results alone, which counts.
pub(crate) fn shift(
    component: usize,
    main: usize,
    components: &Components,
    tally: &Tally,
    standing: &Standing<'_>,
) -> Option<RatingBound> {
    let mut won = None;
    // Games whose advantages are known, and by group and seats those whose advantages are not.
    let mut known: Vec<Wins> = Vec::new();
    let mut open: BTreeMap<(usize, [usize; 2]), Vec<Wins>> = BTreeMap::new();
    for (leg, count) in tally.games() {
        let mut least: Option<(Wins, Option<(usize, [usize; 2])>)> = None;
        for &(cell, score) in leg {
            let cell = &tally.cells[cell as usize];
            let sides = (components.of[cell.first]?, components.of[cell.second]?);
            let is_first = sides == (component, main);
            if !is_first && sides != (main, component) {
                continue;
            }
            let won = *won.get_or_insert(is_first == (score == GameScore::Win));
            let difference = standing.players[cell.first]? - standing.players[cell.second]?;
            // The first seat won exactly when it belongs to the winning side.
            let first = is_first == won;
            let sign = if first { UNITS_PER_ELO } else { -UNITS_PER_ELO };
            let [one, two] = cell.seats;
            let wins = match &standing.seats[cell.group] {
                Some(seats) => {
                    (Wins { count, offset: sign * (difference + (seats[one] - seats[two])), first }, None)
                }
                None => (Wins { count, offset: sign * difference, first }, Some((cell.group, cell.seats))),
            };
            if least.as_ref().is_none_or(|(other, _)| wins.0.offset < other.offset) {
                least = Some(wins);
            }
        }
        match least {
            Some((wins, None)) => known.push(wins),
            Some((wins, Some(seats))) => open.entry(seats).or_default().push(wins),
            None => {}
        }
    }
    // With one seat only, an unknown advantage explains any number of wins.
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

/// The logarithm of the chance of all these wins, in natural units.
fn log_chance(wins: &[Wins], shift: f64, advantage: f64) -> f64 {
    wins.iter()
        .map(|win| {
            let advantage = if win.first { advantage } else { -advantage };
            win.count as f64 * log_sigmoid(win.offset + shift + advantage)
        })
        .sum()
}

/// The advantage that explains the wins best: where the slope of their chance changes sign.
fn best_advantage(wins: &[Wins], shift: f64) -> f64 {
    root(|advantage| {
        wins.iter()
            .map(|win| {
                let (sign, advantage) = if win.first { (-1.0, advantage) } else { (1.0, -advantage) };
                sign * win.count as f64 * sigmoid(-(win.offset + shift + advantage))
            })
            .sum()
    })
}

/// The root of an increasing function, by bisection.
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
