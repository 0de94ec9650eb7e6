//! A short text that identifies the rules of all games.

use std::sync::LazyLock;

use crate::tree::digest::Digest;
use crate::{GAMES, Game, OptionSpec, PLAYERS_OPTION, Setup, Values};

/// The number of games that are walked through for each set of options.
const WALKS: u64 = 3;

/// The most plies of a walk that count.
const PLIES: usize = 40;

/// Returns a text that changes when the rules of any game for two seats change.
///
/// It is a digest of the names and options of all games and of a few walks through each of them, with the defaults and with
/// each value of a single option (the ends of a range): the legal plies, the position strings and the results. It does not
/// notice a change that affects none of these.
#[must_use]
pub fn signature() -> String {
    // Every built-in bot of a tournament has it, and there may be a thousand of them.
    static SIGNATURE: LazyLock<String> = LazyLock::new(walk_through_all_games);
    SIGNATURE.clone()
}

/// Returns the same text for tables of more than two seats. A run with such tables records it in addition to the other one,
/// which did not change when they were introduced.
#[must_use]
pub fn table_signature() -> String {
    static SIGNATURE: LazyLock<String> = LazyLock::new(walk_through_all_tables);
    SIGNATURE.clone()
}

fn walk_through_all_tables() -> String {
    let mut digest = Digest::default();
    for game in GAMES {
        let Some(spec) = game.options.iter().find(|spec| spec.name == PLAYERS_OPTION) else { continue };
        for players in values(spec) {
            let setups = variants(game, &[(PLAYERS_OPTION, players.as_str())]);
            for setup in setups.iter().filter(|setup| setup.seats() > 2) {
                digest.feed(&setup.label());
                (0..WALKS).for_each(|walk| follow(setup, walk, &mut digest));
            }
        }
    }
    format!("{:016x}", digest.value())
}

fn walk_through_all_games() -> String {
    let mut digest = Digest::default();
    for game in GAMES {
        digest.feed(game.id);
        for spec in game.options.iter().filter(|spec| spec.name != PLAYERS_OPTION) {
            digest.feed(spec.name);
            digest.feed(spec.default);
            digest.feed(&spec.values.to_string());
        }
        for setup in variants(game, &[]) {
            (0..WALKS).for_each(|walk| follow(&setup, walk, &mut digest));
        }
    }
    format!("{:016x}", digest.value())
}

/// Returns all words of an option, all numbers of players, or the ends of another range.
fn values(spec: &OptionSpec) -> Vec<String> {
    match spec.values {
        Values::Words(words) => words.iter().map(|word| (*word).to_owned()).collect(),
        Values::Range(low, high) if spec.name == PLAYERS_OPTION => {
            (low..=high).map(|players| players.to_string()).collect()
        }
        Values::Range(low, high) => vec![low.to_string(), high.to_string()],
    }
}

/// Returns the game with the given options, and with every value of one more option that fits them.
fn variants(game: &'static Game, given: &[(&str, &str)]) -> Vec<Setup> {
    let mut setups: Vec<_> = game.setup(given).into_iter().collect();
    for spec in game.options.iter().filter(|spec| spec.name != PLAYERS_OPTION) {
        let setup = |value: String| game.setup(&[given, &[(spec.name, value.as_str())]].concat()).ok();
        setups.extend(values(spec).into_iter().filter_map(setup));
    }
    setups
}

/// Plays the game with this number and adds its events to the digest.
fn follow(setup: &Setup, walk: u64, digest: &mut Digest) {
    let mut table = setup.referee(None).expect("a game starts where it starts");
    // Any fixed sequence works: this is the generator of Knuth's MMIX.
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

    /// The signature is written into every journal, and runs with another signature are not continued. When the rules are
    /// corrected on purpose, this constant changes with them, and the changelog says so.
    #[test]
    fn the_rules_are_those_that_journals_were_written_under() {
        assert_eq!(signature(), "fed3b22f7d990d17");
        assert_eq!(table_signature(), "8989bff66fd9978c");
    }
}
