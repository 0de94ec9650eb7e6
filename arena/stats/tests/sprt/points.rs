//! The operating points of `data/sprt_operating_points.tsv`: players, tests, and what became of them.

use stats::sprt::{BlockLaw, Draws, Hypotheses, Players, Walk};

const POINTS: &str = include_str!("../data/sprt_operating_points.tsv");

/// The rows of a table, its headings left out.
pub(crate) fn rows(text: &'static str) -> impl Iterator<Item = Vec<&'static str>> {
    text.lines().skip(1).map(|line| line.split('\t').collect())
}

/// One test between players of known strength, simulated elsewhere.
#[derive(Debug)]
pub(crate) struct Point {
    /// The test, the players and their difference, for people.
    pub(crate) name: String,
    pub(crate) hypotheses: Hypotheses,
    pub(crate) players: Players,
    pub(crate) is_corrected: bool,
    pub(crate) elo: f64,
    pub(crate) probabilities: [f64; 5],
    pub(crate) pass: f64,
    pub(crate) runs: f64,
    pub(crate) mean_pairs: f64,
    pub(crate) mean_pairs_error: f64,
    pub(crate) brownian_pass: f64,
    pub(crate) brownian_pairs: f64,
}

impl Point {
    pub(crate) fn all() -> Vec<Self> {
        rows(POINTS).map(|row| Self::read(&row)).collect()
    }

    fn read(row: &[&str]) -> Self {
        let number = |i: usize| row[i].parse::<f64>().expect("valid test data");
        let model = row[3].parse().expect("valid test data");
        let corrected = if row[8] == "siegmund" { ", corrected" } else { "" };
        Self {
            name: format!("{} {}..{}{corrected}, {} at {} Elo", row[3], row[4], row[5], row[0], row[9]),
            hypotheses: Hypotheses::new(number(4), number(5), number(6), number(7), model)
                .expect("valid test data"),
            players: Players { draws: Draws::Elo(number(1)), first_seat: number(2) },
            is_corrected: row[8] == "siegmund",
            elo: number(9),
            probabilities: [12, 13, 14, 15, 16].map(number),
            pass: number(18),
            runs: number(17),
            mean_pairs: number(21),
            mean_pairs_error: number(22),
            brownian_pass: number(26),
            brownian_pairs: number(27),
        }
    }

    /// The law of the pairs.
    pub(crate) fn law(&self) -> BlockLaw {
        BlockLaw::new(&self.players, self.hypotheses.model(), self.elo).expect("valid test data")
    }

    /// The test before its first pair.
    pub(crate) fn walk(&self) -> Walk {
        let walk = Walk::new(self.hypotheses);
        if self.is_corrected { walk.with_overshoot() } else { walk }
    }
}
