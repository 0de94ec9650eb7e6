//! One journal from those of a run's shards.
//!
//! What a merged run holds is decided in [`combine`]; this file reads and writes. Nothing is written where anything does not
//! fit.

mod combine;
mod difference;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use diagnostic::output;
use diagnostic::{Diagnostic, Exit, Failure};
use record::{JOURNAL, Journal, JournalError, JournalLine, RunSummary};
use report::RunReport;
use rules::Catalogue;

use self::combine::{Combined, Source};
use crate::{evidence, failure, run_directory, write_files};

/// What came of a merge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Merged {
    /// How many games the result holds.
    pub games: u64,
    /// How many games stood in several journals, with the same content to the byte.
    pub duplicates: u64,
    /// How many games are asked for and stand in no journal.
    pub missing: u64,
    /// The numbers of the pairs that those belong to.
    pub missing_pairs: BTreeSet<u64>,
    /// The names of the files that were written.
    pub files: Vec<String>,
}

/// Where the result goes.
enum Target {
    /// Into a directory without a journal.
    New,
    /// Into a journal that is there, after what it holds.
    Grown(Box<Journal>),
}

/// Merges the journals of a run's shards into the directory `out`, writes its tables, and copies the files that explain games.
/// What `out` holds already stays there, so that shards which end later can be merged into it. Games of one's own are drawn by the
/// rules that `known` has, or by those that the shards have kept.
///
/// # Errors
/// When the shards do not play the same, when two games have one number, when results decided what was played, and when a file
/// cannot be read or written. In all cases but the last nothing is written.
pub fn merge(directories: &[PathBuf], out: &Path, known: &Catalogue) -> Result<Merged, Failure> {
    let mut sources = Vec::new();
    for directory in directories {
        sources.push(source(directory, run_directory::summarize(directory)?)?);
    }
    let mut target = Target::New;
    if out.join(JOURNAL).exists() {
        let (journal, run) = Journal::open(out).map_err(|error| failed(&error))?;
        sources.push(source(out, run)?);
        target = Target::Grown(Box::new(journal));
    }
    let kept = match &target {
        Target::New => None,
        Target::Grown(..) => sources.last(),
    };
    let combined = combine::combine(&sources)?;
    match target {
        Target::New => record::write_whole(out, lines(&combined, kept)),
        Target::Grown(mut journal) => lines(&combined, kept)
            .try_for_each(|line| journal.append(&line?).map(drop))
            .and_then(|()| journal.sync()),
    }
    .map_err(|error| failed(&error))?;
    for directory in directories {
        copy_evidence(directory, out)?;
    }
    let (run, early) = run_directory::read_for_files(out, known)?;
    let files = write_files(out, &RunReport::of(&run), early)?;
    Ok(Merged {
        games: combined.games.len() as u64,
        duplicates: combined.duplicates,
        missing: combined.missing.len() as u64,
        missing_pairs: combined.missing.iter().map(|fixture| fixture.pair).collect(),
        files: [JOURNAL].into_iter().chain(files).map(str::to_owned).collect(),
    })
}

fn source(directory: &Path, run: RunSummary) -> Result<Source, Failure> {
    let name = output::path(directory);
    Source::new(name, directory, run).map_err(|error| failed(&error))
}

/// Returns what a journal lacks that holds what `kept` does.
fn lines<'a>(
    combined: &'a Combined<'_>,
    kept: Option<&'a Source>,
) -> impl Iterator<Item = Result<JournalLine, JournalError>> + 'a {
    let numbers: BTreeSet<_> =
        kept.into_iter().flat_map(|kept| &kept.run.games).map(|game| game.number).collect();
    let before = kept.map_or(0, |kept| kept.run.runs.len());
    let runs = combined.runs.iter().skip(before).map(|run| Ok(JournalLine::Run(Box::new(run.clone()))));
    let void = combined.void.iter().filter(move |game| kept.is_none_or(|kept| !kept.void.contains(game)));
    let games = combined.games.iter().filter(move |(number, ..)| !numbers.contains(number));
    runs.chain(void.map(|game| Ok(JournalLine::Void(Box::new(game.clone()))))).chain(
        games.map(|(_, place, source)| source.read(*place).map(|game| JournalLine::Game(Box::new(game)))),
    )
}

/// Copies the files that explain games, and the rules of games of one's own, where the result does not have them.
fn copy_evidence(from: &Path, to: &Path) -> Result<(), Failure> {
    for name in [evidence::FAULTS, evidence::TRANSCRIPTS, own_games::RULES] {
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

/// Turns an error of the result's journal into one for the user.
fn failed(error: &JournalError) -> Failure {
    match error {
        JournalError::InUse { .. } => Failure::new(Exit::Io, vec![Diagnostic::new(error.to_string())])
            .hint("wait until it has ended, or merge into another directory with `-o DIR`"),
        _ => failure(error),
    }
}
