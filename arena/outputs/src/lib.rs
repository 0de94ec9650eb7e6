//! The files that are made from a journal, game by game: however many games a run has, few are in memory at once. Whole
//! games are parsed and become text on all cores.
//!
//! ```
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! # record::write_whole(directory, [])?;
//! let (run, early) = outputs::read(directory)?;
//! let list = outputs::file(directory, &run, "games.csv")?.ok_or("it is made from a journal")?;
//! assert!(list.starts_with(b"number,pair,"));
//! // The others, all at once.
//! let names = outputs::write_all(directory, &report::RunReport::of(&run), early)?;
//! assert!(names.contains(&"report.html"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod draft;
mod early;
mod game_files;

use std::io;
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use page::{GameDecisions, PagePart, PartReader, ReportPage};
use record::{GameReader, GameSummary, JournalError, LineGame, PgnForm, RunSummary};
use report::{GameList, GameLog, RunReport};
use thiserror::Error;

use self::draft::{Draft, write};
use self::game_files::{GameFiles, GameWriter, LIST, LOG};

pub use self::early::{EarlyFiles, read};

/// The report as a page.
const PAGE: &str = "report.html";

/// Why a file could not be made.
#[derive(Debug, Error)]
pub enum OutputError {
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file cannot be written.
    #[error("failed to write `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// Has `work` done with games of a run and their plies on several threads, and hands what it makes of them to `take`, in their
/// order. Each thread has a state of its own, made by `begin`; all of them are returned.
///
/// # Errors
/// When the journal cannot be read, and those of `take`.
fn each_part<'g, T: Send, S: Send, E: From<JournalError>>(
    directory: &Path,
    games: impl Iterator<Item = GameSummary<'g>>,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &[LineGame<'_>]) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<Vec<S>, E> {
    let mut games = games.peekable();
    if games.peek().is_none() {
        return Ok(Vec::new());
    }
    let mut reader = GameReader::open(directory)?;
    let mut part =
        || Some(games.by_ref().take(PartReader::GAMES).collect()).filter(|part: &Vec<_>| !part.is_empty());
    record::in_order(
        || part().map(|games| reader.lines(games)).transpose().map_err(E::from),
        begin,
        |state, lines| lines.parse().map(|games| work(state, &games)),
        |made| take(made?),
    )
}

/// Hands the game log of a run to `take`, piece by piece.
///
/// # Errors
/// When the journal cannot be read, and those of `take`.
pub fn game_log<E: From<JournalError>>(
    directory: &Path,
    run: &RunSummary,
    form: PgnForm,
    mut take: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), E> {
    let text = |log: &mut GameLog<'_>, games: &[LineGame<'_>]| {
        let mut text = Vec::new();
        for game in games {
            log.push(game, &mut text);
        }
        text
    };
    each_part(directory, run.by_number(), || GameLog::new(run, form), text, |text| take(&text)).map(drop)
}

/// Returns the report of a run as a page.
///
/// # Errors
/// When the journal cannot be read.
pub fn report_page(directory: &Path, run: &RunSummary) -> Result<String, JournalError> {
    let report = RunReport::of(run);
    let mut page = OpenPage::new(&report);
    let reader = page.reader();
    let states = each_part(
        directory,
        run.by_number(),
        || (GameDecisions::default(), reader.clone()),
        |(decisions, reader), games| {
            games.iter().for_each(|game| decisions.push(game));
            reader.read(games)
        },
        |replays| {
            page.push(replays);
            Ok::<_, JournalError>(())
        },
    )?;
    states.into_iter().for_each(|(decisions, _)| page.page.absorb(decisions));
    let overview = page.page.overview().pack();
    Ok(page.page.finish(overview).to_string())
}

/// Returns a file of this name; `None` where none is made from a journal.
///
/// # Errors
/// When the journal cannot be read.
pub fn file(directory: &Path, run: &RunSummary, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
    let mut bytes = Vec::new();
    if name == LOG {
        game_log(directory, run, PgnForm::Native, |text| {
            bytes.extend_from_slice(text);
            Ok::<_, JournalError>(())
        })?;
    } else if name == LIST {
        let mut list = GameList::new(&RunReport::of(run));
        bytes = list.take();
        each_part(
            directory,
            run.by_number(),
            || list.part(),
            lines,
            |lines| {
                bytes.extend(lines);
                Ok::<_, JournalError>(())
            },
        )?;
    } else {
        return Ok(report::tables(&RunReport::of(run))
            .into_iter()
            .find(|(known, _)| *known == name)
            .map(|(_, bytes)| bytes));
    }
    Ok(Some(bytes))
}

/// Returns the lines of games in the list.
fn lines(list: &mut GameList, games: &[LineGame<'_>]) -> Vec<u8> {
    games.iter().for_each(|game| list.push(game));
    list.take()
}

/// Writes the game log and the list of a run into a directory; the journal is that of another one.
///
/// # Errors
/// When the journal cannot be read, or a file cannot be written.
pub fn write_games(journal: &Path, run: &RunSummary, to: &Path) -> Result<(), OutputError> {
    write_log_and_list(journal, &RunReport::of(run), to).map(drop)
}

/// Does the same, and returns what bots decided.
fn write_log_and_list(
    journal: &Path,
    report: &RunReport<'_>,
    to: &Path,
) -> Result<GameDecisions, OutputError> {
    let (mut files, writer) = GameFiles::begin(report, to)?;
    let writers = each_part(
        journal,
        report.contents().by_number(),
        || writer.part(),
        GameWriter::texts,
        |texts| files.write(texts.all()),
    )?;
    files.finish()?;
    Ok(game_files::together(writers))
}

/// Writes every file that is made from the journal into the run's directory, and returns their names. A file is replaced
/// whole or not at all. `early` is what the [first reading](read) of this journal has made of them; without it, or where it turns
/// out to be of no use, all games are read for log and list. Replays are read apart: a page has room for some 50 000.
///
/// # Errors
/// When the journal cannot be read, or a file cannot be written.
pub fn write_all(
    directory: &Path,
    report: &RunReport<'_>,
    early: Option<EarlyFiles>,
) -> Result<Vec<&'static str>, OutputError> {
    let mut page = OpenPage::new(report);
    let mut names = vec![LOG, LIST];
    let overview = page.page.overview();
    let (overview, decisions) = thread::scope(|scope| {
        // What one of them no longer needs, the others take.
        let tables = scope.spawn(|| report::tables(report));
        let overview = scope.spawn(|| overview.pack());
        page.read_replays(directory, report.contents())?;
        let decisions = match early.filter(|early| early.are_of(report)) {
            Some(early) => early.finish()?,
            None => write_log_and_list(directory, report, directory)?,
        };
        let tables = tables.join().unwrap_or_else(|panic| resume_unwind(panic));
        let overview = overview.join().unwrap_or_else(|panic| resume_unwind(panic));
        for (name, bytes) in tables {
            write(directory, name, &bytes)?;
            names.push(name);
        }
        Ok::<_, OutputError>((overview, decisions))
    })?;
    let mut file = Draft::new(directory, PAGE)?;
    page.page.absorb(decisions);
    file.write_display(&page.page.finish(overview))?;
    file.finish()?;
    names.push(PAGE);
    Ok(names)
}

/// The page while its games are read.
struct OpenPage<'r, 'a> {
    page: ReportPage<'r, 'a>,
    /// Whether more replays fit.
    has_room: Arc<AtomicBool>,
}

/// Reads games for a page.
#[derive(Clone)]
struct PageReader {
    reader: PartReader,
    has_room: Arc<AtomicBool>,
}

impl PageReader {
    fn read(&mut self, games: &[LineGame<'_>]) -> Option<PagePart> {
        // Parts are taken in their order: when the page is full, nobody asks for any that is not yet made.
        self.has_room.load(Ordering::Relaxed).then(|| self.reader.read(games))
    }
}

impl<'r, 'a> OpenPage<'r, 'a> {
    fn new(report: &'r RunReport<'a>) -> Self {
        Self { page: ReportPage::new(report), has_room: Arc::new(AtomicBool::new(true)) }
    }

    fn reader(&self) -> PageReader {
        PageReader { reader: self.page.reader(), has_room: Arc::clone(&self.has_room) }
    }

    fn push(&mut self, part: Option<PagePart>) {
        if let Some(part) = part {
            self.has_room.store(self.page.push(part), Ordering::Relaxed);
        }
    }

    /// Reads games until the page has no more room for replays.
    fn read_replays(&mut self, directory: &Path, run: &RunSummary) -> Result<(), JournalError> {
        let (reader, has_room) = (self.reader(), Arc::clone(&self.has_room));
        let replays = |part| {
            self.push(part);
            Ok(())
        };
        let games = run.by_number().take_while(|_| has_room.load(Ordering::Relaxed));
        each_part(directory, games, || reader.clone(), PageReader::read, replays).map(drop)
    }
}
