//! The ladder ratings of all players, which depend on the order of the games.

use stats::{Glicko, WengLin};

use crate::results::Results;
use crate::results::entry::Entry;

/// The ladder ratings of all players, by their numbers.
#[derive(Clone, Debug)]
pub(crate) struct Ladders {
    /// The Elo ladder.
    pub(crate) elo: Vec<f64>,
    /// The Glicko-2 ladder, with one period per round.
    pub(crate) glicko2: Vec<Glicko>,
    /// The ladder of Weng and Lin, which rates tables of any size; empty if no table of the run has more than two seats.
    pub(crate) weng_lin: Vec<WengLin>,
}

impl Ladders {
    /// Runs the ladders over the games of a label, or all games, in the order of their numbers.
    pub(crate) fn of(results: &Results<'_>, label: Option<usize>) -> Self {
        let players = results.players.len();
        let games = || results.of(label).filter_map(|entry: Entry<'_>| entry.rated());
        let rounds = results.rounds(label, |entry| entry.rated()).map(|(_, games)| games);
        Self {
            elo: stats::elo_ladder(players, games()),
            glicko2: stats::glicko2_ladder(players, rounds),
            weng_lin: match results.most_seats(None) {
                ..=2 => Vec::new(),
                _ => stats::weng_lin_ladder(players, games()),
            },
        }
    }
}
