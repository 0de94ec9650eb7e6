//! How often the intervals of a table that is watched while it grows ever miss the truth.

use std::ops::AddAssign;

use rand::{SeedableRng as _, rngs::ChaCha8Rng};
use record::{RunSummary, Summarizer};
use report::Tally;

use super::journal;
use super::lots::{Design, Openings};
use super::share::{Band, Share};
use super::{Table, parallel};

/// The share of cases in which they may ever miss: at all times together, which makes them conservative.
const BAND: Band = Band { low: 0.0, high: 0.05 };

/// What came of the tournaments of a design.
#[derive(Clone, Copy, Debug, Default)]
struct Watched {
    missed: Share,
    /// The sum of the widths of the last intervals, in points of 100.
    width: f64,
}

fn designs() -> Vec<Design> {
    let mut designs = Vec::new();
    for (bots, rounds) in [(2, 150), (4, 60), (8, 40)] {
        for (openings, name) in [
            (Openings::PerPair, "an opening a pair"),
            (Openings::PerRound, "an opening a round"),
            (Openings::Book(25), "a book of 25"),
        ] {
            if bots == 2 && openings == Openings::PerRound {
                // A round is one pair.
                continue;
            }
            let base = Design::new(bots, rounds, 0.2);
            let name = format!("{}, skills by opening, {name}", base.name);
            designs.push(Design { name, openings, skill_swing: 150.0, seat_swing: 150.0, ..base });
        }
    }
    designs
}

/// Prints the table. What is refuted once is left out for good: the interval after the last round tells whether the truth
/// was ever missed.
pub(super) fn measure(table: &mut Table<'_>, tournaments: u64) {
    table.head("any-time 95 % intervals that ever miss the truth", &["missed", "width"]);
    for design in designs() {
        if !table.is_asked(&design.name) {
            continue;
        }
        let truth: Vec<f64> = (0..design.bots).map(|bot| design.mean_score(bot)).collect();
        let watched: Watched = parallel::sum(tournaments, |seed| watch(&design, &truth, seed));
        let width = format!("{:7.1} ", watched.width / watched.missed.all());
        table.row(&design.name, &[(watched.missed, BAND)], &[width]);
    }
}

fn watch(design: &Design, truth: &[f64], seed: u64) -> Watched {
    let mut summarizer = Summarizer::default();
    // One round more than is played: the run continues.
    summarizer.configure(journal::run(design, 1, design.rounds + 1));
    journal::play(design, 1, &mut ChaCha8Rng::seed_from_u64(seed), |game| {
        summarizer.push(&game, game.number);
    });
    let run: &RunSummary = summarizer.run();
    let standings = Tally::of(run).live_standings();
    let mut width = 0.0;
    let missed = Share::of(truth.iter().enumerate().map(|(bot, truth)| {
        let row = standings.rows.iter().find(|row| row.player.name == journal::name(bot));
        let interval = row.and_then(|row| row.any_time);
        width += interval.as_ref().map_or(0.0, |interval| 100.0 * (interval.high - interval.low));
        interval.is_none_or(|interval| !interval.contains(*truth))
    }));
    Watched { missed, width }
}

impl AddAssign for Watched {
    fn add_assign(&mut self, other: Self) {
        self.missed += other.missed;
        self.width += other.width;
    }
}
