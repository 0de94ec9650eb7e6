//! The runs that are shown, and what is worked out of their journals: once for each state of a journal, one at a time.

use std::collections::BTreeMap;
use std::fs;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use record::{JournalError, RunSummary};
use report::{Row, Tally};
use rules::{Catalogue, GameRef};

use super::upcoming::UpcomingGames;
use crate::http::cached::CachedText;

/// How many reports are kept.
const MOST_REPORTS: usize = 4;

/// A report of a run in progress is shown again for this many times the time that it took to make, so that games keep most of the
/// machine.
const REST: u32 = 10;

/// The files that can be had, the journal first; the others are made from it.
pub(crate) const FILES: [&str; 6] =
    [record::JOURNAL, "games.pgn", "games.csv", "standings.csv", "crosstable.csv", report::REPORT];

/// The runs below a directory, or the one that it is.
#[derive(Debug)]
pub(crate) struct RunIndex {
    root: PathBuf,
    /// The name of the run, where the directory is one.
    only: Option<String>,
    /// Games of one's own whose rules no run's directory holds: programs.
    known: Catalogue,
    summaries: Mutex<BTreeMap<String, Arc<RunDigest>>>,
    reports: Mutex<BTreeMap<String, MadeReport>>,
    /// Held while a whole journal is read.
    work: Mutex<()>,
}

/// What is to be known of a run at some length of its journal.
#[derive(Debug)]
pub(crate) struct RunDigest {
    length: u64,
    made: Instant,
    took: Duration,
    /// The name of the tournament.
    pub name: String,
    /// Its format.
    pub format: String,
    /// The labels of its games, in an order that more games do not change.
    pub labels: Vec<String>,
    /// The games that the labels name.
    pub catalogue: Catalogue,
    /// How many games were recorded.
    pub games: usize,
    /// Whether more were asked for.
    pub is_short: bool,
    /// The standings of all games.
    pub rows: Vec<Row>,
    /// What is to be played.
    pub upcoming: UpcomingGames,
}

#[derive(Debug)]
struct MadeReport {
    length: u64,
    made: Instant,
    took: Duration,
    page: Arc<CachedText>,
}

impl RunIndex {
    /// Opens a directory. Where games can be played by hand, there need not be a run in it yet. `known` has the games of one's
    /// own whose rules are programs: they are started only where somebody names them.
    ///
    /// # Errors
    /// When it is none, and when there is no run in it.
    pub(crate) fn open(root: &Path, may_be_empty: bool, known: Catalogue) -> Result<Self, Failure> {
        let shown = output::path(root);
        if !root.is_dir() && !may_be_empty {
            return Err(Failure::usage(format!("there is no directory `{shown}`")).hint(
                "DIR is the directory of a run, or one with several of them: `results` where nothing is said",
            ));
        }
        let is_run = root.join(record::JOURNAL).is_file();
        let name = || {
            let whole = root.canonicalize().ok()?;
            Some(whole.file_name()?.to_str()?.to_owned())
        };
        let only = is_run.then(|| name().unwrap_or_else(|| "run".to_owned()));
        let run_index = Self {
            root: root.to_owned(),
            only,
            known,
            summaries: Mutex::default(),
            reports: Mutex::default(),
            work: Mutex::default(),
        };
        if may_be_empty && !root.is_dir() {
            say(&format!("there is no directory `{shown}`: no run is shown before it is there"));
            return Ok(run_index);
        }
        let names =
            run_index.names().map_err(|error| Failure::io(format!("failed to read `{shown}`"), &error))?;
        if names.is_empty() && !may_be_empty {
            return Err(Failure::usage(format!("there is no run in `{shown}`"))
                .hint("the directory of a run holds the file `journal.jsonl`: `arena run` writes it with the first game"));
        }
        Ok(run_index)
    }

    /// Returns the directory as the user wrote it.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the name of the run, where there is no list of several.
    pub(crate) fn only(&self) -> Option<&str> {
        self.only.as_deref()
    }

    /// Returns the names of the runs that are there now, sorted. Names that are no text are left out.
    ///
    /// # Errors
    /// When the directory cannot be read.
    pub(crate) fn names(&self) -> io::Result<Vec<String>> {
        if let Some(only) = &self.only {
            return Ok(vec![only.clone()]);
        }
        let mut names = Vec::new();
        for entry in fs::read_dir(&self.root)? {
            let entry = entry?;
            if let Ok(name) = entry.file_name().into_string()
                && entry.path().join(record::JOURNAL).is_file()
            {
                names.push(name);
            }
        }
        names.sort();
        Ok(names)
    }

    /// Returns the directory of a run; `None` for a name that is not in the listing, whatever else it may lead to.
    pub(crate) fn directory(&self, name: &str) -> Option<PathBuf> {
        let is_listed = self.names().is_ok_and(|names| names.iter().any(|listed| listed == name));
        let directory = || if self.only.is_some() { self.root.clone() } else { self.root.join(name) };
        is_listed.then(directory)
    }

    /// Returns what is to be known of a run. While it is in progress, that may be a little old.
    ///
    /// # Errors
    /// When the journal cannot be read, in words for people.
    pub(crate) fn summary(
        &self,
        name: &str,
        directory: &Path,
        is_on: bool,
    ) -> Result<Arc<RunDigest>, String> {
        let known = |length: u64| {
            let found = held(&self.summaries).get(name).cloned();
            found.filter(|known| is_fresh(known.length, known.made, known.took, length, is_on))
        };
        if let Some(known) = known(length(directory)?) {
            return Ok(known);
        }
        let _work = held(&self.work);
        // Somebody else may have worked it out meanwhile.
        let length = length(directory)?;
        if let Some(known) = known(length) {
            return Ok(known);
        }
        let begun = Instant::now();
        // Rules that were loaded once are not loaded again as the run grows.
        let mut games = self.known.clone();
        if let Some(before) = held(&self.summaries).get(name) {
            for game in before.catalogue.own() {
                if let GameRef::Own(game) = game {
                    // One that is named is there already.
                    let _ = games.add(game);
                }
            }
        }
        let contents = read(directory, length, &games)?;
        let mut summary = RunDigest::of(&contents, length);
        (summary.made, summary.took) = (Instant::now(), begun.elapsed());
        let summary = Arc::new(summary);
        held(&self.summaries).insert(name.to_owned(), Arc::clone(&summary));
        Ok(summary)
    }

    /// Returns the games that the labels of a run name.
    pub(crate) fn catalogue(&self, name: &str, directory: &Path) -> Catalogue {
        self.summary(name, directory, true).map(|summary| summary.catalogue.clone()).unwrap_or_default()
    }

    /// Returns the report of a run. While it is in progress, that may be a little old.
    ///
    /// # Errors
    /// When the journal cannot be read, in words for people.
    pub(crate) fn report(
        &self,
        name: &str,
        directory: &Path,
        is_on: bool,
    ) -> Result<Arc<CachedText>, String> {
        let known = |length: u64| {
            let reports = held(&self.reports);
            let known = reports.get(name)?;
            is_fresh(known.length, known.made, known.took, length, is_on).then(|| Arc::clone(&known.page))
        };
        if let Some(page) = known(length(directory)?) {
            return Ok(page);
        }
        let _work = held(&self.work);
        let length = length(directory)?;
        if let Some(page) = known(length) {
            return Ok(page);
        }
        let begun = Instant::now();
        let page = Arc::new(CachedText::new(self.report_at(directory, length)?));
        let report =
            MadeReport { length, made: Instant::now(), took: begun.elapsed(), page: Arc::clone(&page) };
        let mut reports = held(&self.reports);
        reports.insert(name.to_owned(), report);
        while reports.len() > MOST_REPORTS {
            let oldest = reports.iter().min_by_key(|(_, report)| report.made).map(|(name, _)| name.clone());
            oldest.and_then(|name| reports.remove(&name));
        }
        Ok(page)
    }

    /// Returns a file that is made from the journal; `None` where there is none of this name.
    ///
    /// # Errors
    /// When the journal cannot be read, in words for people.
    pub(crate) fn file(&self, directory: &Path, name: &str) -> Result<Option<Vec<u8>>, String> {
        let _work = held(&self.work);
        outputs::file(directory, &read(directory, u64::MAX, &self.known)?, name)
            .map_err(|error| words(&error))
    }

    /// Returns the report of a run as it was when its journal had this length, in bytes.
    ///
    /// # Errors
    /// When the journal cannot be read, in words for people.
    pub(crate) fn report_at(&self, directory: &Path, length: u64) -> Result<String, String> {
        outputs::report_page(directory, &read(directory, length, &self.known)?).map_err(|error| words(&error))
    }
}

impl RunDigest {
    fn of(contents: &RunSummary, length: u64) -> Self {
        let tally = Tally::of(contents);
        let standings = tally.standings(None);
        let mut labels: Vec<String> = Vec::new();
        let configured = contents.runs.iter().flat_map(|run| &run.config.games).map(|game| &game.label);
        for label in configured {
            if !labels.contains(label) {
                labels.push(label.clone());
            }
        }
        let config = contents.runs.last().map(|run| &run.config);
        Self {
            length,
            made: Instant::now(),
            took: Duration::ZERO,
            name: config.map(|config| config.name.clone()).unwrap_or_default(),
            format: config.map(|config| config.format.to_string()).unwrap_or_default(),
            labels,
            catalogue: contents.catalogue.clone(),
            games: contents.games.len(),
            is_short: standings.is_live,
            rows: standings.rows.clone(),
            upcoming: UpcomingGames::of(contents),
        }
    }
}

/// Returns whether what was worked out at some length of the journal is still to be shown.
fn is_fresh(then: u64, made: Instant, took: Duration, now: u64, is_on: bool) -> bool {
    then == now || (is_on && made.elapsed() < took * REST)
}

/// Reads a run up to a length of its journal; games that are in the catalogue need not be loaded.
fn read(directory: &Path, length: u64, known: &Catalogue) -> Result<RunSummary, String> {
    let contents = record::summarize_start(directory, length).map_err(|error| words(&error))?;
    Ok(own_games::with_rules(contents, directory, known).0)
}

fn words(error: &JournalError) -> String {
    tournament::failure(error).first()
}

fn length(directory: &Path) -> Result<u64, String> {
    match fs::metadata(directory.join(record::JOURNAL)) {
        Ok(metadata) => Ok(metadata.len()),
        Err(error) if error.kind() == ErrorKind::NotFound => Err("the journal is gone".to_owned()),
        Err(error) => Err(format!("the journal cannot be read: {error}")),
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
