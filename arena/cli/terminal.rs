//! How text is laid out for the terminal of this process.

use std::time::{Duration, Instant};

use diagnostic::harmless::{Stream, is_terminal};
use diagnostic::output::{PLAIN_WIDTH, is_unicode, may_colour, width, wrap};
use diagnostic::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use report::Look;

/// How often a plain line tells how far something is.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// Returns how text is laid out, for a terminal or for something else.
pub(crate) fn look(is_terminal: bool) -> Look {
    Look {
        width: if is_terminal { width() } else { PLAIN_WIDTH },
        color: is_terminal && may_colour(),
        ascii: !is_unicode(),
    }
}

/// Returns how text on standard output is laid out.
pub(crate) fn look_at_output() -> Look {
    look(is_terminal(Stream::Out))
}

/// Returns texts as paragraphs, each after an empty line.
pub(crate) fn paragraphs(texts: &[String], look: &Look) -> String {
    texts.iter().map(|text| format!("\n{}\n", wrap(text.split(' '), 0, look.width))).collect()
}

/// The progress of a task on standard error: a bar on a terminal, elsewhere a line now and then.
pub(crate) struct CountProgress {
    things: &'static str,
    bar: Option<ProgressBar>,
    shown: Instant,
}

impl CountProgress {
    /// Begins to count these things, as `openings`.
    pub(crate) fn new(count: u64, things: &'static str) -> Self {
        let bar = is_terminal(Stream::Err).then(|| {
            let bar = ProgressBar::with_draw_target(Some(count), ProgressDrawTarget::stderr_with_hz(5));
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} {prefix}, {elapsed}{msg}");
            bar.set_style(style.expect("the template is valid").progress_chars("=> "));
            bar.with_prefix(things)
        });
        Self { things, bar, shown: Instant::now() }
    }

    /// Shows how many of `count` are done, followed by a note.
    pub(crate) fn show(&mut self, done: u64, count: u64, note: &str) {
        let note = if note.is_empty() { String::new() } else { format!(", {note}") };
        match &self.bar {
            Some(bar) => {
                bar.set_length(count);
                bar.set_position(done);
                bar.set_message(note);
            }
            None if self.shown.elapsed() >= LINE_EVERY => {
                self.shown = Instant::now();
                say(&format!("{done} of {count} {}{note}", self.things));
            }
            None => {}
        }
    }

    /// Takes the bar away.
    pub(crate) fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
