//! A short text that stands for the rules of all games.

use std::sync::LazyLock;

use crate::tree::digest::Digest;
use crate::{GAMES, Game, OptionSpec, Setup, Values};

/// How many games are walked through for each set of options.
const WALKS: u64 = 3;

/// How many plies of a walk count at most.
const PLIES: usize = 40;

/// Returns a text that changes when the rules of any game change.
///
/// It is a digest of the names and options of all games and of what happens in a few walks through each of them,
/// with the defaults and with each value that a single option can take (the ends of a range): the legal plies,
/// the position strings and the results. A change that shows in none of these is not seen.
#[must_use]
pub fn signature() -> String {
    // It belongs to every built-in bot of a tournament, and there may be a thousand of them.
    static SIGNATURE: LazyLock<String> = LazyLock::new(walk_through_all_games);
    SIGNATURE.clone()
}

fn walk_through_all_games() -> String {
    let mut digest = Digest::default();
    for game in GAMES {
        digest.feed(game.id);
        for spec in game.options {
            digest.feed(spec.name);
            digest.feed(spec.default);
            digest.feed(&spec.values.to_string());
        }
        for setup in variants(game) {
            for walk in 0..WALKS {
                follow(&setup, walk, &mut digest);
            }
        }
    }
    format!("{:016x}", digest.value())
}

/// Returns the game with its defaults and with every value of a single option that goes with them.
fn variants(game: &'static Game) -> Vec<Setup> {
    let values = |spec: &OptionSpec| match spec.values {
        Values::Words(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        Values::Range(low, high) => vec![low.to_string(), high.to_string()],
    };
    let changed = game.options.iter().flat_map(|spec| {
        values(spec).into_iter().filter_map(|value| game.setup(&[(spec.name, value.as_str())]).ok())
    });
    game.setup(&[]).into_iter().chain(changed).collect()
}

/// Plays the game with this number and feeds what happens into the digest.
fn follow(setup: &Setup, walk: u64, digest: &mut Digest) {
    let mut table = setup.referee(None).expect("a game starts where it starts");
    // Any fixed sequence will do: this is the generator of Knuth's MMIX.
    let mut state = walk;
    for _ in 0..PLIES {
        let legal = table.legal();
        for ply in &legal {
            digest.feed(ply);
        }
        if legal.is_empty() {
            break;
        }
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let choice = (state >> 33) as usize % legal.len();
        table.submit(&legal[choice]).expect("a legal ply plays");
        digest.feed(&table.position());
    }
    if let Some(verdict) = table.outcome() {
        digest.feed(&verdict.outcome.to_string());
        digest.feed(verdict.reason.code());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The signature is written into every journal: runs of another signature are not continued. When the rules
    /// are corrected on purpose, this constant changes with them, and the changelog says so.
    #[test]
    fn the_rules_are_those_that_journals_were_written_under() {
        assert_eq!(signature(), "fed3b22f7d990d17");
    }
}
