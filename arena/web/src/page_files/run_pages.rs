//! One run and its pages: what was seen of it and waits, what is shown, and what has been written.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use diagnostic::Failure;
use page::{ListedRun, LivePage, PICTURE, Stage, as_file};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::delayed::Delayed;
use super::page_directory::{INDEX, PageDirectory, REPORT};
use crate::runs::{self, RunDigest, RunIndex, RunSnapshot, RunWatcher};

/// How often the picture of a run in progress is written even if nothing has changed: pages take one that stays as it is for
/// half a minute for forsaken.
pub(super) const PULSE: Duration = Duration::from_secs(5);

/// How long the report of a run in progress stands at least.
const REPORT_REST: Duration = Duration::from_secs(10);

/// And how many times as long as it took to make: games keep most of the machine.
const REST: u32 = 10;

/// What pages show of a run at some instant.
#[derive(Debug)]
struct PageFrame {
    page: Arc<str>,
    picture: String,
    length: u64,
    is_on: bool,
    row: ListedRun,
}

/// A report that is to be made, and of what.
#[derive(Debug)]
pub(super) struct ReportOrder {
    /// The run.
    pub name: String,
    /// Its directory.
    pub directory: PathBuf,
    /// How long its journal was when it stood as the report is to show it.
    pub length: u64,
}

/// A run and its pages.
#[derive(Debug)]
pub(super) struct RunPages {
    name: String,
    run_index: Arc<RunIndex>,
    watcher: RunWatcher,
    delay: Duration,
    /// Where the pages lie in the target, and the way back from there to its first page.
    folder: PathBuf,
    back: &'static str,
    /// What was seen last.
    mark: Option<String>,
    page: Option<(Arc<RunDigest>, Arc<str>)>,
    waiting: Delayed<PageFrame>,
    frame: Option<PageFrame>,
    written_page: Option<Arc<str>>,
    /// When the picture was written; none if it has changed since.
    written_picture: Option<Instant>,
    report: Option<u64>,
    report_until: Option<Instant>,
}

impl RunPages {
    /// Returns a run among those of the index; `is_only` if it is the only one there may be.
    pub(super) fn new(run_index: &Arc<RunIndex>, name: String, delay: Duration) -> Self {
        let is_only = run_index.only().is_some();
        Self {
            watcher: RunWatcher::new(Arc::clone(run_index), name.clone()),
            run_index: Arc::clone(run_index),
            delay,
            folder: if is_only { PathBuf::new() } else { PageDirectory::folder(&name) },
            back: if is_only { "" } else { "../../" },
            name,
            mark: None,
            page: None,
            waiting: Delayed::new(delay),
            frame: None,
            written_page: None,
            written_picture: None,
            report: None,
            report_until: None,
        }
    }

    /// Returns the name of the run.
    pub(super) fn name(&self) -> &str {
        &self.name
    }

    /// Looks at the run.
    pub(super) fn look(&mut self, now: i64) {
        let Some(snapshot) = self.watcher.snapshot(self.mark.as_deref()) else { return };
        // A run that nobody plays when it is first seen has stood so since its last line.
        let is_old = self.mark.is_none() && !snapshot.is_on;
        let at = if is_old { self.last_line().unwrap_or(now).min(now) } else { now };
        let frame = self.frame(snapshot);
        self.waiting.push(at, frame);
    }

    fn last_line(&self) -> Option<i64> {
        let journal = self.run_index.directory(&self.name)?.join(record::JOURNAL);
        let modified = journal.metadata().ok()?.modified().ok()?;
        let since = modified.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        i64::try_from(since.as_millis()).ok()
    }

    fn frame(&mut self, snapshot: RunSnapshot) -> PageFrame {
        let RunSnapshot { seen, length, is_on, summary, mut row } = snapshot;
        self.mark = Some(seen.mark);
        row.link = format!("runs/{}/{INDEX}", utf8_percent_encode(&row.name, NON_ALPHANUMERIC));
        PageFrame { page: self.page_of(summary), picture: seen.text, length, is_on, row }
    }

    fn page_of(&mut self, summary: Option<Arc<RunDigest>>) -> Arc<str> {
        let Some(summary) = summary else { return self.empty_page() };
        if let Some((known, page)) = &self.page
            && (&known.name, &known.labels) == (&summary.name, &summary.labels)
        {
            return Arc::clone(page);
        }
        let stages: Vec<_> =
            summary.labels.iter().map(|label| Stage::named(label, &summary.catalogue)).collect();
        let title = if summary.name.is_empty() { &self.name } else { &summary.name };
        let page = self.render(title, &stages);
        self.page = Some((summary, Arc::clone(&page)));
        page
    }

    fn empty_page(&self) -> Arc<str> {
        self.render(&self.name, &[])
    }

    fn render(&self, name: &str, stages: &[Option<Stage>]) -> Arc<str> {
        let has_list = !self.back.is_empty();
        let page =
            LivePage { name, stages, files: &[], takes_orders: false, is_continuable: false, has_list };
        as_file(&page.render(), self.back).into()
    }

    /// Returns the row of a list of runs; none before anything is shown of this one.
    pub(super) fn row(&self) -> Option<&ListedRun> {
        self.frame.as_ref().map(|frame| &frame.row)
    }

    /// Writes a page that says that nothing is shown yet, unless something is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn announce(&mut self, target: &PageDirectory, now: i64) -> Result<(), Failure> {
        if self.frame.is_some() {
            return Ok(());
        }
        let words =
            format!("what happens is shown {} later", diagnostic::output::span(self.delay.as_secs_f64()));
        target.write(&self.folder, INDEX, &self.empty_page())?;
        let picture = picture(now, self.delay, false, &runs::waiting(&words));
        target.write(&self.folder, PICTURE, &picture)
    }

    /// Takes what is due from what waits.
    pub(super) fn turn(&mut self, now: i64) {
        if let Some(frame) = self.waiting.pop_due(now) {
            self.frame = Some(frame);
            self.written_picture = None;
        }
    }

    /// Writes what has changed of the page and its picture: the page first, since it has the boards of the picture.
    ///
    /// # Errors
    /// When something cannot be written.
    pub(super) fn write(&mut self, target: &PageDirectory, now: i64) -> Result<(), Failure> {
        let Some(frame) = &self.frame else { return Ok(()) };
        if !self.written_page.as_ref().is_some_and(|page| Arc::ptr_eq(page, &frame.page)) {
            target.write(&self.folder, INDEX, &frame.page)?;
            self.written_page = Some(Arc::clone(&frame.page));
        }
        let is_due = self.written_picture.is_none_or(|written| frame.is_on && written.elapsed() >= PULSE);
        if is_due {
            let text = picture(now, self.delay, !frame.is_on, &frame.picture);
            target.write(&self.folder, PICTURE, &text)?;
            self.written_picture = Some(Instant::now());
        }
        Ok(())
    }

    /// Writes that nothing will change any more.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn close(&self, target: &PageDirectory, now: i64) -> Result<(), Failure> {
        match &self.frame {
            Some(frame) => {
                let text = picture(now, self.delay, true, &frame.picture);
                target.write(&self.folder, PICTURE, &text)
            }
            None => Ok(()),
        }
    }

    /// Returns the report that is to be made, if one is.
    pub(super) fn order(&self) -> Option<ReportOrder> {
        let frame = self.frame.as_ref()?;
        let may_rest = frame.is_on && self.report_until.is_some_and(|until| Instant::now() < until);
        if self.report == Some(frame.length) || may_rest {
            return None;
        }
        let directory = self.run_index.directory(&self.name)?;
        Some(ReportOrder { name: self.name.clone(), directory, length: frame.length })
    }

    /// Writes a report that was ordered, which took so long to make.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn report(
        &mut self,
        target: &PageDirectory,
        length: u64,
        report: &str,
        took: Duration,
    ) -> Result<(), Failure> {
        self.report_until = Some(Instant::now() + REPORT_REST.max(took * REST));
        target.write(&self.folder, REPORT, report)?;
        self.report = Some(length);
        Ok(())
    }

    /// Takes that no report can be made of a journal so long.
    pub(super) fn give_up_report(&mut self, length: u64) {
        self.report = Some(length);
    }

    /// Returns whether the run has ended, and its pages show that.
    pub(super) fn is_over(&self) -> bool {
        let is_written = |frame: &PageFrame| {
            !frame.is_on && self.written_picture.is_some() && self.report == Some(frame.length)
        };
        self.waiting.is_empty() && self.frame.as_ref().is_some_and(is_written)
    }

    /// Returns whether the run has ended, whatever its pages show.
    pub(super) fn is_at_rest(&self) -> bool {
        self.waiting.is_empty() && self.frame.as_ref().is_some_and(|frame| !frame.is_on)
    }
}

/// Returns the file from which a page reads its picture, which stands as it did `delay` before now.
pub(super) fn picture(now: i64, delay: Duration, has_ended: bool, picture: &str) -> String {
    let late = delay.as_secs();
    let then = now.saturating_sub(i64::try_from(delay.as_millis()).unwrap_or(i64::MAX));
    format!("{{\"now\":{then},\"late\":{late},\"ended\":{has_ended},\"picture\":{picture}}}\n")
}
