//! What is shown while games are played: a live table and a bar on a terminal, plain lines elsewhere, or the dashboard.

use std::time::{Duration, Instant};

use diagnostic::harmless::{Harmless, Stream, Styles, is_terminal};
use diagnostic::output;
use diagnostic::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use record::{GameSummary, RunSummary};
use report::Asked;

use crate::dashboard::Dashboard;
use crate::look;

/// How often the live table is made anew.
const TABLE_EVERY: Duration = Duration::from_millis(500);

/// A table that took so long is made anew only after this many times as long: while it is made, no game begins.
const TABLE_SHARE: u32 = 50;

/// How often a plain line is written.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// The progress of a run, on standard error.
pub(crate) struct Progress {
    display: Display,
    asked: Asked,
    total: u64,
    done: u64,
    began: Instant,
    shown: Instant,
    /// How long the table stays at least.
    rest: Duration,
    is_stale: bool,
    /// What a sequential test says, in a line.
    test: Option<String>,
}

/// Where the progress is shown.
enum Display {
    /// In a bar with a table above it, on standard error.
    Bar(ProgressBar),
    /// In plain lines, where standard error is no terminal.
    Lines,
    /// Full-screen.
    Dashboard(Dashboard),
}

impl Progress {
    /// Begins to show the progress of `total` games, after those of a run, which were played before: on a dashboard
    /// if there is one.
    pub(crate) fn new(total: u64, run: &RunSummary, dashboard: Option<Dashboard>) -> Self {
        let bar = || {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr_with_hz(5));
            let style =
                ProgressStyle::with_template("{msg}\n{bar:30} {pos}/{len} games, {elapsed}, {prefix}");
            bar.set_style(style.expect("the template is valid").progress_chars("=> "));
            bar
        };
        let display = match dashboard {
            Some(dashboard) => Display::Dashboard(dashboard),
            None if is_terminal(Stream::Err) => Display::Bar(bar()),
            None => Display::Lines,
        };
        let now = Instant::now();
        let mut progress = Self {
            display,
            asked: Asked::of(run),
            total,
            done: 0,
            began: now,
            shown: now,
            rest: TABLE_EVERY,
            is_stale: true,
            test: None,
        };
        progress.show_table(&run.games);
        progress
    }

    /// Returns what the run is asked to play.
    pub(crate) const fn asked(&self) -> &Asked {
        &self.asked
    }

    /// Returns the dashboard, if there is one.
    pub(crate) const fn dashboard(&self) -> Option<&Dashboard> {
        match &self.display {
            Display::Dashboard(dashboard) => Some(dashboard),
            Display::Bar(_) | Display::Lines => None,
        }
    }

    /// Counts a finished game, the last of these.
    pub(crate) fn game_finished(&mut self, games: &[GameSummary]) {
        self.done += 1;
        self.is_stale = true;
        if let Display::Bar(bar) = &self.display {
            bar.set_prefix(self.pace());
            bar.inc(1);
        }
        self.tick(games);
    }

    /// Takes what a sequential test says now.
    pub(crate) fn test(&mut self, line: String) {
        self.test = Some(line);
    }

    /// Shows what is due of a run with these games.
    pub(crate) fn tick(&mut self, games: &[GameSummary]) {
        match &self.display {
            Display::Bar(bar) => {
                bar.tick();
                if self.is_stale && self.shown.elapsed() >= self.rest {
                    self.show_table(games);
                }
            }
            Display::Lines if self.shown.elapsed() >= LINE_EVERY && self.done < self.total => {
                self.show_line();
            }
            Display::Lines | Display::Dashboard(_) => {}
        }
    }

    /// Writes a line above the progress. Its text is fit to be shown.
    pub(crate) fn say(&self, line: &str) {
        match &self.display {
            Display::Bar(bar) => {
                bar.println(Harmless::of(&output::shortened(line), Styles::Escaped).as_str());
            }
            Display::Lines => say(line),
            Display::Dashboard(dashboard) => dashboard.say(line),
        }
    }

    /// Ends the display.
    pub(crate) fn finish(mut self) {
        match std::mem::replace(&mut self.display, Display::Lines) {
            Display::Bar(bar) => bar.finish_and_clear(),
            Display::Lines => self.show_line(),
            // What was told on the screen is told once more where it stays.
            Display::Dashboard(dashboard) => {
                dashboard.close().iter().for_each(|line| say(line));
                self.show_line();
            }
        }
    }

    fn show_table(&mut self, games: &[GameSummary]) {
        let before = Instant::now();
        if let Display::Bar(bar) = &self.display {
            let look = look::look(is_terminal(Stream::Err));
            let mut message = report::live_table(&self.asked.tally(games), &look);
            if let Some(test) = &self.test {
                message = format!("{message}\n{test}");
            }
            bar.set_message(Harmless::of(&message, Styles::Kept).as_str().to_owned());
        }
        self.shown = Instant::now();
        self.rest = TABLE_EVERY.max((self.shown - before) * TABLE_SHARE);
        self.is_stale = false;
    }

    fn show_line(&mut self) {
        match &self.test {
            Some(test) => say(&format!("{test}, {}", self.pace())),
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
        let at_most = if self.test.is_some() { "at most " } else { "" };
        format!("{rate:.1} games/s, {at_most}{} left", output::span(left))
    }
}
