//! `arena merge DIR… -o DIR`: one journal from those of a run's shards.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use diagnostic::{Exit, Failure, output, say};
use tournament::Merged;

use crate::own_games_arguments::OwnGamesArguments;

/// How many ranges of missing pairs are shown.
const MOST_RANGES: usize = 20;

/// The arguments of `arena merge`.
#[derive(Debug, Args)]
#[command(
    after_help = "Directories come from `arena run FILE --shard I/N`, see arena/docs/sharding.md. What the directory of \
                  the result holds already stays there, so the same command can be run again when more shards have \
                  ended. Exit code 0: every pair is there; 1: pairs are missing, or two games have one number and \
                  nothing was written."
)]
pub(crate) struct Arguments {
    /// The directories of the shards
    #[arg(value_name = "DIR", required = true)]
    directories: Vec<PathBuf>,
    /// The directory of the result
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    #[command(flatten)]
    own_games: OwnGamesArguments,
}

impl Arguments {
    /// Merges.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let merged = tournament::merge(&self.directories, &self.out, &self.own_games.catalogue()?)?;
        say(&format!("written to {}: {}", output::path(&self.out), merged.files.join(", ")));
        self.tell(&merged);
        Ok(if merged.missing == 0 { Exit::Done } else { Exit::No })
    }

    /// Tells what came of it, and how missing pairs come to be played.
    fn tell(&self, merged: &Merged) {
        let mut text = output::count(merged.games, "game");
        if merged.duplicates > 0 {
            text = format!("{text}; {} dropped", output::count(merged.duplicates, "exact duplicate"));
        }
        say(&text);
        if merged.missing == 0 {
            return;
        }
        let pairs = &merged.missing_pairs;
        say(&format!(
            "missing: {} of {}: {}",
            output::count(merged.missing, "game"),
            output::count(pairs.len() as u64, "pair"),
            ranges(pairs)
        ));
        let out = output::quoted(&self.out.to_string_lossy());
        say(&format!(
            "to play them here, with the tournament file of the shards: arena run FILE --out {out}\n\
             or merge again when the shards that lack them have ended"
        ));
    }
}

/// Returns numbers as ranges: `1-3, 7`.
fn ranges(numbers: &BTreeSet<u64>) -> String {
    let mut ranges: Vec<(u64, u64)> = Vec::new();
    for &number in numbers {
        match ranges.last_mut() {
            Some((_, last)) if *last + 1 == number => *last = number,
            _ => ranges.push((number, number)),
        }
    }
    let rest = ranges.len().saturating_sub(MOST_RANGES);
    ranges.truncate(MOST_RANGES);
    let text = |&(first, last): &(u64, u64)| match first == last {
        true => first.to_string(),
        false => format!("{first}-{last}"),
    };
    let mut words: Vec<_> = ranges.iter().map(text).collect();
    if rest > 0 {
        words.push("and so on".to_owned());
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_shown_as_ranges() {
        let shown = |numbers: &[u64]| ranges(&numbers.iter().copied().collect());
        assert_eq!(shown(&[7, 1, 2, 3]), "1-3, 7");
        assert_eq!(shown(&[]), "");
        let many: Vec<_> = (0..100).map(|number| 2 * number).collect();
        assert!(shown(&many).ends_with("36, 38, and so on"), "{}", shown(&many));
    }
}
