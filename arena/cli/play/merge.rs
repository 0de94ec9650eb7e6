//! `arena merge DIR… -o DIR`: one journal from those of a run's shards.
//!
//! What a merged run holds is decided in [`combine`]; this file reads and writes. Nothing is written where anything
//! does not fit.

mod combine;
mod difference;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use diagnostic::Exit;
use diagnostic::output;
use diagnostic::say;
use diagnostic::{Diagnostic, Failure};
use record::{JOURNAL, Journal, JournalError, Line, RunSummary};
use report::RunReport;
use tournament::evidence;

use self::combine::{Merged, Source};

/// How many ranges of missing pairs are shown.
const MOST_RANGES: usize = 20;

/// What `arena merge` is told.
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
}

/// Where the result goes.
enum Target {
    /// Into a directory without a journal.
    New,
    /// Into a journal that is there, after what it holds.
    Grown(Box<Journal>),
}

impl Arguments {
    /// Merges.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let mut sources = Vec::new();
        for directory in &self.directories {
            let run = tournament::read(directory)?;
            sources.push(source(directory, run)?);
        }
        let mut target = Target::New;
        if self.out.join(JOURNAL).exists() {
            let (journal, run) = Journal::open(&self.out).map_err(|error| failed(&error))?;
            sources.push(source(&self.out, run)?);
            target = Target::Grown(Box::new(journal));
        }
        let kept = match &target {
            Target::New => None,
            Target::Grown(..) => sources.last(),
        };
        let merged = combine::combine(&sources)?;
        match target {
            Target::New => record::write_whole(&self.out, lines(&merged, kept)),
            Target::Grown(mut journal) => lines(&merged, kept)
                .try_for_each(|line| journal.append(&line?).map(drop))
                .and_then(|()| journal.sync()),
        }
        .map_err(|error| failed(&error))?;
        for directory in &self.directories {
            copy_evidence(directory, &self.out)?;
        }
        let run = record::summarize(&self.out).map_err(|error| failed(&error))?;
        let files = tournament::write_files(&self.out, &RunReport::of(&run))?;
        let names: Vec<_> = [JOURNAL].into_iter().chain(files).collect();
        say(&format!("written to {}: {}", output::path(&self.out), names.join(", ")));
        self.tell(&merged);
        Ok(if merged.missing.is_empty() { Exit::Done } else { Exit::No })
    }

    /// Tells what came of it, and how missing pairs come to be played.
    fn tell(&self, merged: &Merged<'_>) {
        let games = merged.games.len() as u64;
        let mut text = output::count(games, "game");
        if merged.duplicates > 0 {
            text = format!("{text}; {} dropped", output::count(merged.duplicates, "exact duplicate"));
        }
        say(&text);
        if merged.missing.is_empty() {
            return;
        }
        let pairs: BTreeSet<_> = merged.missing.iter().map(|fixture| fixture.pair).collect();
        say(&format!(
            "missing: {} of {}: {}",
            output::count(merged.missing.len() as u64, "game"),
            output::count(pairs.len() as u64, "pair"),
            ranges(&pairs)
        ));
        let out = output::quoted(&self.out.to_string_lossy());
        say(&format!(
            "to play them here, with the tournament file of the shards: arena run FILE --out {out}\n\
             or merge again when the shards that lack them have ended"
        ));
    }
}

fn source(directory: &Path, run: RunSummary) -> Result<Source, Failure> {
    let name = output::path(directory);
    Source::new(name, directory, run).map_err(|error| failed(&error))
}

/// Returns what a journal lacks that holds what `kept` does.
fn lines<'a>(
    merged: &'a Merged<'_>,
    kept: Option<&'a Source>,
) -> impl Iterator<Item = Result<Line, JournalError>> + 'a {
    let numbers: BTreeSet<_> =
        kept.into_iter().flat_map(|kept| &kept.run.games).map(|game| game.number).collect();
    let before = kept.map_or(0, |kept| kept.run.runs.len());
    let runs = merged.runs.iter().skip(before).map(|run| Ok(Line::Run(Box::new(run.clone()))));
    let void = merged.void.iter().filter(move |game| kept.is_none_or(|kept| !kept.void.contains(game)));
    let games = merged.games.iter().filter(move |(game, _)| !numbers.contains(&game.number));
    runs.chain(void.map(|game| Ok(Line::Void(Box::new(game.clone())))))
        .chain(games.map(|(game, source)| source.read(game).map(|game| Line::Game(Box::new(game)))))
}

/// Copies the files that explain games, where the result does not have them.
fn copy_evidence(from: &Path, to: &Path) -> Result<(), Failure> {
    for name in [evidence::FAULTS, evidence::TRANSCRIPTS] {
        let (from, to) = (from.join(name), to.join(name));
        for entry in fs::read_dir(&from).into_iter().flatten().flatten() {
            let target = to.join(entry.file_name());
            if !entry.file_type().is_ok_and(|kind| kind.is_file()) || target.exists() {
                continue;
            }
            fs::create_dir_all(&to).and_then(|()| fs::copy(entry.path(), &target)).map_err(|error| {
                Failure::io(format!("failed to write `{}`", output::path(&target)), &error)
            })?;
        }
    }
    Ok(())
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

/// Turns a fault of the result's journal into one for the user.
fn failed(error: &JournalError) -> Failure {
    match error {
        JournalError::InUse { .. } => Failure::new(Exit::Io, vec![Diagnostic::new(error.to_string())])
            .hint("wait until it has ended, or merge into another directory with `-o DIR`"),
        _ => tournament::failure(error),
    }
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
