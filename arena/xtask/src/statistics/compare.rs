//! How often two runs of the same bots are said to differ.

use rand::{SeedableRng as _, rngs::ChaCha8Rng};
use record::JournalLine;
use report::{Comparer, Which};

use super::lots::{Design, Openings};
use super::share::{Band, Share};
use super::{Table, journal, parallel};

/// Tests are adjusted for each other by Holm's method, which is conservative where they depend on each other.
const BAND: Band = Band { low: 0.0, high: 0.05 };

/// A kind of tournament and how many games it is played in.
fn designs() -> Vec<(Design, usize)> {
    let mut designs = Vec::new();
    for (bots, rounds, games) in [(2, 40, 1), (4, 20, 1), (8, 12, 1), (4, 12, 3)] {
        for (openings, name) in [
            (Openings::PerPair, "an opening a pair"),
            (Openings::PerRound, "an opening a round"),
            (Openings::Book(40), "a book of 40"),
        ] {
            if bots == 2 && openings == Openings::PerRound {
                // A round is one pair.
                continue;
            }
            let base = Design::new(bots, rounds, 0.2);
            let name = match games {
                1 => format!("{}, skills by opening, {name}", base.name),
                _ => format!("{}, skills by opening, {name}, {games} games", base.name),
            };
            let design = Design { name, openings, skill_swing: 100.0, seat_swing: 100.0, ..base };
            designs.push((design, games));
        }
    }
    designs
}

/// Prints the table: comparisons of equals that find anything.
pub(super) fn measure(table: &mut Table<'_>, tournaments: u64) {
    table.head("comparisons of two runs of the same bots that find a change", &["found"]);
    for (design, games) in designs() {
        if !table.is_asked(&design.name) {
            continue;
        }
        let found: Share = parallel::sum(tournaments, |seed| Share::of([is_changed(&design, games, seed)]));
        table.row(&design.name, &[(found, BAND)], &[]);
    }
}

fn is_changed(design: &Design, games: usize, seed: u64) -> bool {
    let mut comparer = Comparer::default();
    for (which, seed) in [(Which::Before, 2 * seed), (Which::After, 2 * seed + 1)] {
        comparer.take(which, &JournalLine::Run(Box::new(journal::run(design, games, design.rounds))));
        journal::play(design, games, &mut ChaCha8Rng::seed_from_u64(seed), |game| {
            comparer.take(which, &JournalLine::Game(Box::new(game)));
        });
    }
    !comparer.comparison().findings().is_empty()
}
