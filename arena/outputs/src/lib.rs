//! The files that are made from a journal, game by game: however many games a run has, few are in memory at once. Whole
//! games are parsed and become text on all cores.
//!
//! ```
//! # let directory = tempfile::tempdir()?;
//! # let directory = directory.path();
//! # record::write_whole(directory, [])?;
//! let run = record::summarize(directory)?;
//! let list = outputs::file(directory, &run, "games.csv")?.ok_or("it is made from a journal")?;
//! assert!(list.starts_with(b"number,pair,"));
//! // The others, all at once.
//! let names = outputs::write_all(directory, &report::RunReport::of(&run))?;
//! assert!(names.contains(&"report.html"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt::Display;
use std::fs::{self, DirEntry, File};
use std::io::{self, BufWriter, Write as _};
use std::panic::resume_unwind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use page::{PackedOverview, PagePart, PartReader, ReportPage};
use record::{GameReader, JournalError, LineGame, PgnForm, RunSummary};
use report::{GameList, GameLog, RunReport};
use tempfile::TempPath;
use thiserror::Error;

/// The game log.
const LOG: &str = "games.pgn";

/// The list of games.
const LIST: &str = "games.csv";

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

/// Has `work` done with the games of a run and their plies on several threads, and hands what it makes of them to `take`,
/// in the order of their numbers. Each thread has a state of its own, made by `begin`; all of them are returned.
///
/// # Errors
/// When the journal cannot be read, and those of `take`.
fn each_part<T: Send, S: Send, E: From<JournalError>>(
    directory: &Path,
    run: &RunSummary,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, &[LineGame<'_>]) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<Vec<S>, E> {
    if run.games.is_empty() {
        return Ok(Vec::new());
    }
    let mut reader = GameReader::open(directory)?;
    let mut games = run.by_number();
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
    each_part(directory, run, || GameLog::new(run, form), text, |text| take(&text)).map(drop)
}

/// Returns the report of a run as a page.
///
/// # Errors
/// When the journal cannot be read.
pub fn report_page(directory: &Path, run: &RunSummary) -> Result<String, JournalError> {
    let report = RunReport::of(run);
    let mut page = OpenPage::new(&report);
    let reader = page.reader();
    let readers = each_part(
        directory,
        run,
        || reader.clone(),
        PageReader::read,
        |part| {
            page.push(part);
            Ok::<_, JournalError>(())
        },
    )?;
    let overview = page.page.overview().pack();
    Ok(page.finish(readers, overview).to_string())
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
            run,
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
    let (mut files, writer) = GameFiles::begin(&RunReport::of(run), to)?;
    each_part(journal, run, || writer.part(), TextWriter::texts, |texts| files.write(&texts))?;
    files.finish()
}

/// Writes every file that is made from the journal into the run's directory, and returns their names. A file is replaced
/// whole or not at all.
///
/// # Errors
/// When the journal cannot be read, or a file cannot be written.
pub fn write_all(directory: &Path, report: &RunReport<'_>) -> Result<Vec<&'static str>, OutputError> {
    let mut page = OpenPage::new(report);
    let reader = page.reader();
    let (mut files, writer) = GameFiles::begin(report, directory)?;
    let mut names = vec![LOG, LIST];
    let overview = page.page.overview();
    let (overview, readers): (_, Vec<_>) = thread::scope(|scope| {
        // One thread makes the tables and then what the page says of all games together while the others read games. What one
        // of them no longer needs, the other takes.
        let tables = scope.spawn(|| (report::tables(report), overview.pack()));
        let states = each_part(
            directory,
            report.contents(),
            || (writer.part(), reader.clone()),
            |(writer, reader), games| (writer.texts(games), reader.read(games)),
            |(texts, replays)| {
                page.push(replays);
                files.write(&texts)
            },
        )?;
        files.finish()?;
        let (tables, overview) = tables.join().unwrap_or_else(|panic| resume_unwind(panic));
        for (name, bytes) in tables {
            write(directory, name, &bytes)?;
            names.push(name);
        }
        Ok::<_, OutputError>((overview, states.into_iter().map(|(_, reader)| reader).collect()))
    })?;
    let mut file = Draft::new(directory, PAGE)?;
    write!(file.file, "{}", page.finish(readers, overview)).map_err(fault(&file.path))?;
    file.finish()?;
    names.push(PAGE);
    Ok(names)
}

/// Makes the texts of games for log and list.
struct TextWriter<'a> {
    log: GameLog<'a>,
    list: GameList,
    /// The most bytes that the log of a part had. The next one is hardly longer, and a text that grows is moved several times.
    most: usize,
}

/// What log and list say of some games.
struct Texts {
    log: Vec<u8>,
    list: Vec<u8>,
}

impl TextWriter<'_> {
    /// Returns a writer of a part of the same files.
    fn part(&self) -> Self {
        Self { log: self.log.clone(), list: self.list.part(), most: self.most }
    }

    fn texts(&mut self, games: &[LineGame<'_>]) -> Texts {
        let mut log = Vec::with_capacity(self.most);
        for game in games {
            self.log.push(game, &mut log);
        }
        self.most = self.most.max(log.capacity());
        Texts { log, list: lines(&mut self.list, games) }
    }
}

/// The game log and the list while they are written.
struct GameFiles {
    log: Draft,
    list: Draft,
}

impl GameFiles {
    /// Begins both files, and returns what makes their texts.
    fn begin<'a>(report: &RunReport<'a>, to: &Path) -> Result<(Self, TextWriter<'a>), OutputError> {
        let log = GameLog::new(report.contents(), PgnForm::Native);
        let mut writer = TextWriter { log, list: GameList::new(report), most: 0 };
        let mut files = Self { log: Draft::new(to, LOG)?, list: Draft::new(to, LIST)? };
        files.list.write(&writer.list.take())?;
        Ok((files, writer))
    }

    fn write(&mut self, texts: &Texts) -> Result<(), OutputError> {
        self.log.write(&texts.log)?;
        self.list.write(&texts.list)
    }

    fn finish(self) -> Result<(), OutputError> {
        self.log.finish()?;
        self.list.finish()
    }
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
        self.reader.read(games, self.has_room.load(Ordering::Relaxed))
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

    /// Returns the page, with what the readers have counted.
    fn finish(mut self, readers: Vec<PageReader>, overview: PackedOverview) -> impl Display {
        readers.into_iter().for_each(|reader| self.page.absorb(reader.reader));
        self.page.finish(overview)
    }
}

fn write(directory: &Path, name: &str, bytes: &[u8]) -> Result<(), OutputError> {
    let mut file = Draft::new(directory, name)?;
    file.write(bytes)?;
    file.finish()
}

/// A file that is written under another name until it is whole, and goes away if it never is. The name is its own: a run that
/// ends and an `arena report` of the same directory may write at the same time, and each file is then whole and by one of them.
struct Draft {
    path: PathBuf,
    draft: TempPath,
    file: BufWriter<File>,
}

impl Draft {
    fn new(directory: &Path, name: &str) -> Result<Self, OutputError> {
        let path = directory.join(name);
        let prefix = format!("{name}.");
        sweep(directory, &prefix);
        let mut draft = tempfile::Builder::new();
        // Made like any other file: those who may read the directory may read it.
        let file = draft.prefix(&prefix).suffix(DRAFT).make_in(directory, |path| File::create_new(path));
        // Its own words name the draft, which says nothing to anybody.
        let (file, draft) = file.map_err(|error| fault(&path)(error.kind().into()))?.into_parts();
        Ok(Self { path, draft, file: BufWriter::new(file) })
    }

    fn write(&mut self, bytes: &[u8]) -> Result<(), OutputError> {
        self.file.write_all(bytes).map_err(fault(&self.path))
    }

    fn finish(self) -> Result<(), OutputError> {
        let Self { path, draft, mut file } = self;
        file.flush().map_err(fault(&path))?;
        draft.persist(&path).map_err(|error| fault(&path)(error.error))
    }
}

/// After how long a draft that nobody has written to is that of an arena that was killed.
const FORSAKEN: Duration = Duration::from_secs(3600);

/// The end of a draft's name.
const DRAFT: &str = ".new";

/// Removes drafts that will never be whole. What cannot be removed stays, and does no harm.
fn sweep(directory: &Path, prefix: &str) {
    let is_forsaken = |entry: &DirEntry| {
        let name = entry.file_name();
        let is_draft = name.to_str().is_some_and(|name| name.starts_with(prefix) && name.ends_with(DRAFT));
        let modified = || entry.metadata().ok()?.modified().ok()?.elapsed().ok();
        is_draft && modified().is_some_and(|age| age > FORSAKEN)
    };
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.filter(is_forsaken) {
        let _ = fs::remove_file(entry.path());
    }
}

fn fault(path: &Path) -> impl FnOnce(io::Error) -> OutputError {
    move |source| OutputError::Write { path: path.to_owned(), source }
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    #[test]
    fn two_that_write_the_same_file_at_once_leave_it_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        let mut drafts = ["one", "two"].map(|_| Draft::new(path, LOG).unwrap());
        // More than a buffer holds, so that both are written to while both are there.
        let texts = [vec![b'1'; 100_000], vec![b'2'; 50_000]];
        for (draft, text) in drafts.iter_mut().zip(&texts) {
            draft.write(text).unwrap();
        }
        for (draft, text) in drafts.into_iter().zip(&texts) {
            draft.finish().unwrap();
            assert!(fs::read(path.join(LOG)).unwrap() == *text);
        }
        assert_eq!(fs::read_dir(path).unwrap().count(), 1);
    }

    #[test]
    fn drafts_of_a_killed_arena_go_away_in_time() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path();
        for (name, age) in [("games.csv.a1.new", 7200), ("games.csv.b2.new", 60), ("games.csv.mine", 7200)] {
            let file = File::create(path.join(name)).unwrap();
            file.set_modified(SystemTime::now() - Duration::from_secs(age)).unwrap();
        }
        write(path, LIST, b"whole").unwrap();
        let mut names: Vec<_> = fs::read_dir(path)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort_unstable();
        assert_eq!(names, ["games.csv", "games.csv.b2.new", "games.csv.mine"]);
    }

    #[test]
    fn a_draft_that_is_never_whole_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let mut draft = Draft::new(folder.path(), LIST).unwrap();
        draft.write(b"1").unwrap();
        drop(draft);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
