//! What is shown while games are played: a live table and a bar on a terminal, plain lines elsewhere, or the dashboard.

use std::time::{Duration, Instant};

use dashboard::{Dashboard, check_terminal, restore_terminal};
use diagnostic::harmless::{Harmless, Stream, Styles, is_terminal};
use diagnostic::{Failure, output, say};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use live::LiveState;
use record::PackedGames;
use report::Asked;
use tournament::{Display, Presentation, RunStart};

use crate::terminal;

/// How often the live table is rebuilt.
const TABLE_EVERY: Duration = Duration::from_millis(500);

/// A table is rebuilt only after this many times as long as it took: while it is made, no game begins.
const TABLE_SHARE: u32 = 50;

/// How often a plain line is written.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// The flags that say what is shown of a run while it is played and at its end.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Watching {
    /// Show the run full-screen: boards, clocks, standings, log, and keys to steer it (`?` lists them)
    #[arg(long)]
    pub(crate) tui: bool,
    /// Explain at the end what each column means and which model made it
    #[arg(long)]
    pub(crate) explain: bool,
    /// Write the standings as JSON at the end, as `arena report DIR --json` does
    #[arg(long, conflicts_with = "explain")]
    pub(crate) json: bool,
    /// Say at the end what playing has cost the arena itself: processor time, system calls, bytes, wake-ups
    #[arg(long)]
    pub(crate) verbose: bool,
}

/// How a run in progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Show {
    /// As lines, or a bar and a table on a terminal.
    Progress,
    /// Full-screen.
    Dashboard,
}

impl Show {
    /// Returns what `--tui`, given or not, asks for.
    ///
    /// # Errors
    /// When there is no terminal to be taken over.
    pub(crate) fn asked(is_dashboard: bool) -> Result<Self, Failure> {
        if !is_dashboard {
            return Ok(Self::Progress);
        }
        check_terminal().map(|()| Self::Dashboard)
    }
}

impl Presentation for Show {
    fn open(&self, opening: RunStart<'_>) -> Result<Box<dyn Display>, Failure> {
        let medium = match self {
            Self::Dashboard => {
                let dashboard = Dashboard::open(opening.steering.clone(), opening.catalogue.clone());
                let failed = |error| Failure::io("failed to take the terminal over", &error);
                Medium::Dashboard(dashboard.map_err(failed)?)
            }
            Self::Progress if is_terminal(Stream::Err) => Medium::Bar(bar(opening.total)),
            Self::Progress => Medium::Lines,
        };
        Ok(Box::new(Progress::new(medium, &opening)))
    }

    fn restorer(&self) -> fn() {
        restore_terminal
    }
}

/// The progress of a run, on standard error.
struct Progress {
    medium: Medium,
    asked: Asked,
    total: u64,
    done: u64,
    began: Instant,
    shown: Instant,
    /// How long the table stays at least.
    rest: Duration,
    is_stale: bool,
    /// The status line of a run whose schedule follows results.
    status: Option<String>,
}

/// Where the progress is shown.
enum Medium {
    /// In a bar with a table above it, on standard error.
    Bar(ProgressBar),
    /// In plain lines, where standard error is no terminal.
    Lines,
    /// Full-screen.
    Dashboard(Dashboard),
}

impl Progress {
    /// Begins to show the progress of a run.
    fn new(medium: Medium, opening: &RunStart<'_>) -> Self {
        let now = Instant::now();
        let mut progress = Self {
            medium,
            asked: opening.asked.clone(),
            total: opening.total,
            done: 0,
            began: now,
            shown: now,
            rest: TABLE_EVERY,
            is_stale: true,
            status: None,
        };
        progress.show_table(opening.games);
        progress
    }

    fn show_table(&mut self, games: &PackedGames) {
        let before = Instant::now();
        if let Medium::Bar(bar) = &self.medium {
            let look = terminal::look(is_terminal(Stream::Err));
            let mut message = report::live_table(&self.asked.tally(games), &look);
            if let Some(status) = &self.status {
                message = format!("{message}\n{status}");
            }
            bar.set_message(Harmless::of(&message, Styles::Kept).as_str().to_owned());
        }
        self.shown = Instant::now();
        self.rest = TABLE_EVERY.max((self.shown - before) * TABLE_SHARE);
        self.is_stale = false;
    }

    fn show_line(&mut self) {
        match &self.status {
            Some(status) => say(&format!("{status}, {}", self.pace())),
            None => say(&format!("{}/{} games, {}", self.done, self.total, self.pace())),
        }
        self.shown = Instant::now();
    }

    /// Returns how fast games end and how long the rest will take.
    fn pace(&self) -> String {
        let seconds = self.began.elapsed().as_secs_f64();
        if self.done == 0 || seconds <= 0.0 {
            return "no game finished yet".to_owned();
        }
        let rate = self.done as f64 / seconds;
        let left = (self.total - self.done.min(self.total)) as f64 / rate;
        // A test ends as soon as it knows.
        let at_most = if self.status.is_some() { "at most " } else { "" };
        format!("{rate:.1} games/s, {at_most}{} left", output::span(left))
    }
}

/// Returns a bar on standard error.
fn bar(total: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
    let style = ProgressStyle::with_template("{msg}\n{bar:30} {pos}/{len} games, {elapsed}, {prefix}");
    bar.set_style(style.expect("the template is valid").progress_chars("=> "));
    bar
}

impl Display for Progress {
    fn game_finished(&mut self, games: &PackedGames) {
        self.done += 1;
        self.is_stale = true;
        if let Medium::Bar(bar) = &self.medium {
            bar.set_prefix(self.pace());
            bar.inc(1);
        }
        self.tick(games);
    }

    fn set_status(&mut self, line: String) {
        self.status = Some(line);
    }

    fn tick(&mut self, games: &PackedGames) {
        match &self.medium {
            Medium::Bar(bar) => {
                bar.tick();
                if self.is_stale && self.shown.elapsed() >= self.rest {
                    self.show_table(games);
                }
            }
            Medium::Lines if self.shown.elapsed() >= LINE_EVERY && self.done < self.total => {
                self.show_line();
            }
            Medium::Lines | Medium::Dashboard(_) => {}
        }
    }

    fn say(&self, line: &str) {
        match &self.medium {
            // Lines end with a line break of their own: how many columns a terminal gives to what a bot wrote, only the
            // terminal knows.
            Medium::Bar(bar) => bar.suspend(|| say(line)),
            Medium::Lines => say(line),
            Medium::Dashboard(dashboard) => dashboard.say(line),
        }
    }

    fn finish(mut self: Box<Self>) {
        match std::mem::replace(&mut self.medium, Medium::Lines) {
            Medium::Bar(bar) => bar.finish_and_clear(),
            Medium::Lines => self.show_line(),
            // What the screen said is repeated where it stays.
            Medium::Dashboard(dashboard) => {
                dashboard.close().iter().for_each(|line| say(line));
                self.show_line();
            }
        }
    }

    fn wants_state(&self) -> bool {
        matches!(self.medium, Medium::Dashboard(_))
    }

    fn show_state(&self, state: LiveState) {
        if let Medium::Dashboard(dashboard) = &self.medium {
            dashboard.show(state);
        }
    }
}
