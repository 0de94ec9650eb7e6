//! The pages of a server as files, kept while a run is in progress.
//!
//! Everything is read from the runs' directories, as the server does it: a run neither knows nor waits. What is seen may
//! wait for as long as is asked before it is written anywhere. A report that is shown late is made of the journal's first
//! bytes, those that were there at that time.

mod delayed;
mod page_directory;
mod run_pages;

use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use page::{ListedRun, PICTURE, as_file, list_page};
use protocol::printable;
use rules::Catalogue;
use serde_json::Value;

use self::page_directory::{INDEX, PageDirectory};
use self::run_pages::{PULSE, ReportOrder, RunPages, picture};
use crate::interruption::{on_interruption, spawn};
use crate::runs::RunIndex;

/// How often runs are looked at.
const EVERY: Duration = Duration::from_secs(1);

/// How many pictures of a run wait at most: with a long delay they are taken more seldom.
const MOST_WAITING: u32 = 600;

/// What happens between two looks.
enum WatchEvent {
    Interrupted,
    Report { name: String, length: u64, made: Result<String, String>, took: Duration },
}

/// Keeps the pages of a run, or of all runs in a directory, up to date until the run ends or the user interrupts. `known` has
/// the games of one's own whose rules are programs.
///
/// # Errors
/// When there is no run, when the target cannot be used, and when what a run has left at its end cannot be written.
pub fn keep_pages(runs: &Path, target: &Path, delay: Duration, known: &Catalogue) -> Result<Exit, Failure> {
    let run_index = Arc::new(RunIndex::open(runs, false, known.clone())?);
    let (events, inbox) = mpsc::channel();
    let interrupted = events.clone();
    // Nobody is left to be told when the pages are written.
    on_interruption(move || drop(interrupted.send(WatchEvent::Interrupted)))?;
    let mut site = PageSite::open(run_index, PageDirectory::open(target)?, delay)?;
    let end = if site.run_index.only().is_some() { "it ends with the run" } else { "Ctrl-C ends it" };
    say(&format!("writing the pages of `{}` to `{}`: {end}", output::path(runs), output::path(target)));
    let mut is_reporting = false;
    loop {
        site.look()?;
        if site.is_over() {
            say("the run has ended, and its pages show it");
            return Ok(Exit::Done);
        }
        if !is_reporting && let Some(order) = site.order() {
            is_reporting = true;
            make(Arc::clone(&site.run_index), order, events.clone())?;
        }
        match inbox.recv_timeout(EVERY.max(delay / MOST_WAITING)) {
            Ok(WatchEvent::Report { name, length, made, took }) => {
                is_reporting = false;
                site.report(&name, length, made, took)?;
            }
            Ok(WatchEvent::Interrupted) | Err(RecvTimeoutError::Disconnected) => {
                site.close()?;
                say("interrupted: the pages stay as they are");
                return Ok(Exit::Interrupted);
            }
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// Makes a report beside the pictures, which continue meanwhile.
fn make(run_index: Arc<RunIndex>, order: ReportOrder, events: Sender<WatchEvent>) -> Result<(), Failure> {
    spawn("report", move || {
        let begun = Instant::now();
        let made = run_index.report_at(&order.directory, order.length);
        let (name, length) = (order.name, order.length);
        // After an interruption nobody waits for it.
        let _ = events.send(WatchEvent::Report { name, length, made, took: begun.elapsed() });
    })
}

fn now() -> i64 {
    jiff::Timestamp::now().as_millisecond()
}

/// Everything that is kept.
struct PageSite {
    run_index: Arc<RunIndex>,
    target: PageDirectory,
    delay: Duration,
    runs: Vec<RunPages>,
    /// The rows of the list that is written, and when it was.
    list: Option<(Vec<ListedRun>, Instant)>,
    /// Whether the last attempt to write has failed, which was said.
    has_failed: bool,
}

impl PageSite {
    /// Begins: writes the parts of the pages, and removes the pages of other runs.
    fn open(run_index: Arc<RunIndex>, target: PageDirectory, delay: Duration) -> Result<Self, Failure> {
        let mut site = Self { run_index, target, delay, runs: Vec::new(), list: None, has_failed: false };
        site.find();
        let now = now();
        site.advance(now);
        match site.run_index.only() {
            Some(_) => {
                for run in &mut site.runs {
                    run.announce(&site.target, now)?;
                    run.write(&site.target, now)?;
                }
            }
            None => site.write_list(now, false)?,
        }
        for (name, text) in page::parts() {
            site.target.write(Path::new("assets"), &name, &text)?;
        }
        site.tidy()?;
        Ok(site)
    }

    /// Takes up the runs that are new, and drops those that are gone; whether there were any of these.
    fn find(&mut self) -> bool {
        // A directory that cannot be read now is read in a second.
        let Ok(names) = self.run_index.names() else { return false };
        let before = self.runs.len();
        self.runs.retain(|run| names.iter().any(|name| name == run.name()));
        let has_lost = self.runs.len() < before;
        for name in names {
            if !self.runs.iter().any(|run| run.name() == name) {
                self.runs.push(RunPages::new(&self.run_index, name, self.delay));
            }
        }
        self.runs.sort_by(|one, two| one.name().cmp(two.name()));
        has_lost
    }

    fn advance(&mut self, now: i64) {
        for run in &mut self.runs {
            run.look(now);
            run.turn(now);
        }
    }

    fn tidy(&self) -> Result<(), Failure> {
        let names = self.runs.iter().map(|run| run.name().to_owned());
        let kept: Vec<_> = if self.run_index.only().is_some() { Vec::new() } else { names.collect() };
        self.target.keep_only(&kept)
    }

    /// Looks at all runs and writes what is to be shown.
    ///
    /// # Errors
    /// When a run has ended and cannot be shown. While it is in progress, what cannot be written is said once and tried again.
    fn look(&mut self) -> Result<(), Failure> {
        let has_lost = self.find();
        let now = now();
        self.advance(now);
        let written = self.write(now, has_lost);
        self.forgive(written)
    }

    fn write(&mut self, now: i64, has_lost: bool) -> Result<(), Failure> {
        for run in &mut self.runs {
            run.write(&self.target, now)?;
        }
        if self.run_index.only().is_none() {
            self.write_list(now, false)?;
        }
        if has_lost { self.tidy() } else { Ok(()) }
    }

    fn forgive(&mut self, written: Result<(), Failure>) -> Result<(), Failure> {
        let Err(failure) = written else {
            self.has_failed = false;
            return Ok(());
        };
        let is_last = self.run_index.only().is_some() && self.runs.iter().all(RunPages::is_at_rest);
        if is_last {
            return Err(failure);
        }
        if !std::mem::replace(&mut self.has_failed, true) {
            say(&format!("{}; trying again", failure.first()));
        }
        Ok(())
    }

    fn write_list(&mut self, now: i64, has_ended: bool) -> Result<(), Failure> {
        let rows: Vec<_> = self.runs.iter().filter_map(RunPages::row).cloned().collect();
        let is_same = self.list.as_ref().is_some_and(|(written, _)| *written == rows);
        let is_fresh = self.list.as_ref().is_some_and(|(_, at)| at.elapsed() < PULSE);
        if is_same && is_fresh && !has_ended {
            return Ok(());
        }
        let title = self.run_index.root().canonicalize().ok();
        let title = title.as_deref().and_then(Path::file_name).unwrap_or_default().to_string_lossy();
        if !is_same {
            self.target.write(Path::new(""), INDEX, &as_file(&list_page(&title, &rows, false), ""))?;
        }
        let values = Value::Array(rows.iter().map(ListedRun::value).collect()).to_string();
        let text = picture(now, self.delay, has_ended, &values);
        self.target.write(Path::new(""), PICTURE, &text)?;
        self.list = Some((rows, Instant::now()));
        Ok(())
    }

    fn order(&self) -> Option<ReportOrder> {
        self.runs.iter().find_map(RunPages::order)
    }

    fn report(
        &mut self,
        name: &str,
        length: u64,
        made: Result<String, String>,
        took: Duration,
    ) -> Result<(), Failure> {
        // It may be gone meanwhile.
        let Some(run) = self.runs.iter_mut().find(|run| run.name() == name) else { return Ok(()) };
        match made {
            Ok(report) => {
                let written = run.report(&self.target, length, &report, took);
                self.forgive(written)
            }
            Err(words) => {
                run.give_up_report(length);
                let (name, words) = (printable(&name), printable(&words));
                say(&format!("no report of `{name}`: {words}"));
                Ok(())
            }
        }
    }

    /// Returns whether nothing is to be expected any more.
    fn is_over(&self) -> bool {
        self.run_index.only().is_some() && self.runs.iter().all(RunPages::is_over)
    }

    /// Writes on every page that it is not kept any more.
    fn close(&mut self) -> Result<(), Failure> {
        let now = now();
        for run in &self.runs {
            run.close(&self.target, now)?;
        }
        if self.run_index.only().is_none() {
            self.write_list(now, true)?;
        }
        Ok(())
    }
}
