//! The files that are made from a journal, game by game: however many games a run has, few are in memory at once.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use page::ReportPage;
use record::{GameReader, GameRecord, JournalError, PgnForm, RunSummary};
use report::{GameList, GameLog};
use thiserror::Error;

/// The game log.
pub(crate) const LOG: &str = "games.pgn";

/// The list of games.
pub(crate) const LIST: &str = "games.csv";

/// The report as a page.
const PAGE: &str = "report.html";

/// Why a file could not be made.
#[derive(Debug, Error)]
pub(crate) enum DerivedError {
    /// The journal cannot be read.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The file cannot be written.
    #[error("failed to write `{}`", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        #[source]
        source: io::Error,
    },
}

/// Hands the games of a run with their plies to `take`, in the order of their numbers.
///
/// # Errors
/// When the journal cannot be read, and those of `take`.
pub(crate) fn each_game<E: From<JournalError>>(
    directory: &Path,
    run: &RunSummary,
    mut take: impl FnMut(GameRecord) -> Result<(), E>,
) -> Result<(), E> {
    if run.games.is_empty() {
        return Ok(());
    }
    let mut reader = GameReader::open(directory)?;
    report::by_number(run).into_iter().try_for_each(|game| take(reader.read(game)?))
}

/// Returns the report of a run as a page.
///
/// # Errors
/// When the journal cannot be read.
pub(crate) fn report_page(directory: &Path, run: &RunSummary) -> Result<String, JournalError> {
    let mut page = ReportPage::new(run);
    each_game(directory, run, |game| {
        page.push(&game);
        Ok::<_, JournalError>(())
    })?;
    Ok(page.finish())
}

/// Returns a file of this name; `None` where none is made from a journal.
///
/// # Errors
/// When the journal cannot be read.
pub(crate) fn file(directory: &Path, run: &RunSummary, name: &str) -> Result<Option<Vec<u8>>, JournalError> {
    if name != LOG && name != LIST {
        return Ok(report::tables(run).into_iter().find(|(known, _)| *known == name).map(|(_, bytes)| bytes));
    }
    let (log, mut list) = (GameLog::new(run, PgnForm::Native), GameList::new(run));
    let mut bytes = Vec::new();
    each_game(directory, run, |game| {
        if name == LOG {
            bytes.extend(log.entry(&game).into_bytes());
        } else {
            list.push(&game);
        }
        Ok::<_, JournalError>(())
    })?;
    Ok(Some(if name == LOG { bytes } else { list.take() }))
}

/// Writes the game log and the list of a run into a directory; the journal is that of another one.
///
/// # Errors
/// When the journal cannot be read, or a file cannot be written.
pub(crate) fn write_games(journal: &Path, run: &RunSummary, to: &Path) -> Result<(), DerivedError> {
    let (log, mut list) = (GameLog::new(run, PgnForm::Native), GameList::new(run));
    let (mut log_file, mut list_file) = (Draft::new(to, LOG)?, Draft::new(to, LIST)?);
    each_game(journal, run, |game| {
        log_file.write(log.entry(&game).as_bytes())?;
        list.push(&game);
        list_file.write(&list.take())
    })?;
    list_file.write(&list.take())?;
    log_file.finish()?;
    list_file.finish()
}

/// Writes every file that is made from the journal into the run's directory, and returns their names. A file is replaced
/// whole or not at all.
///
/// # Errors
/// When the journal cannot be read, or a file cannot be written.
pub(crate) fn write_all(directory: &Path, run: &RunSummary) -> Result<Vec<&'static str>, DerivedError> {
    let (log, mut list, mut page) =
        (GameLog::new(run, PgnForm::Native), GameList::new(run), ReportPage::new(run));
    let (mut log_file, mut list_file) = (Draft::new(directory, LOG)?, Draft::new(directory, LIST)?);
    each_game(directory, run, |game| {
        log_file.write(log.entry(&game).as_bytes())?;
        list.push(&game);
        page.push(&game);
        list_file.write(&list.take())
    })?;
    list_file.write(&list.take())?;
    log_file.finish()?;
    list_file.finish()?;
    let mut names = vec![LOG, LIST];
    for (name, bytes) in report::tables(run) {
        write(directory, name, &bytes)?;
        names.push(name);
    }
    write(directory, PAGE, page.finish().as_bytes())?;
    names.push(PAGE);
    Ok(names)
}

fn write(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), DerivedError> {
    let mut file = Draft::new(directory, name)?;
    file.write(bytes)?;
    file.finish()
}

/// A file that is written under another name until it is whole.
struct Draft {
    path: PathBuf,
    draft: PathBuf,
    file: BufWriter<File>,
}

impl Draft {
    fn new(directory: &Path, name: &str) -> Result<Self, DerivedError> {
        let (path, draft) = (directory.join(name), directory.join(format!("{name}.new")));
        let file = BufWriter::new(File::create(&draft).map_err(fault(&path))?);
        Ok(Self { path, draft, file })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), DerivedError> {
        self.file.write_all(bytes).map_err(fault(&self.path))
    }

    fn finish(self) -> Result<(), DerivedError> {
        let Self { path, draft, mut file } = self;
        file.flush().and_then(|()| fs::rename(&draft, &path)).map_err(fault(&path))
    }
}

fn fault(path: &Path) -> impl FnOnce(io::Error) -> DerivedError {
    let path = path.to_owned();
    move |source| DerivedError::Write { path, source }
}
