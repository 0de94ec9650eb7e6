//! 2-Frenzy for three and four: what an independent implementation computed, a second opinion in plain code, and laws.

mod truth;

use rules::{Referee, Setup, find};

/// Returns the set-up of a table.
fn table(players: usize, max_turns: u32) -> Setup {
    let options = [("players", players.to_string()), ("max-turns", max_turns.to_string())];
    let pairs: Vec<_> = options.iter().map(|(key, value)| (*key, value.as_str())).collect();
    find("2-frenzy").expect("a game").setup(&pairs).expect("options")
}

/// Starts a game from a position.
fn start(setup: &Setup, from: &str) -> Box<dyn Referee> {
    setup.referee(Some(from)).unwrap_or_else(|error| panic!("{from}: {error}"))
}
