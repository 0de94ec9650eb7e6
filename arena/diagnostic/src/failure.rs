//! What the user is told when something is wrong: what failed, where, and a hint. All such text is made here.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io;
use std::iter;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::exit::Exit;
use crate::harmless::{Harmless, Stream, Styles};
use crate::{terminal, words};

/// How many bytes of a line are shown, and how far from its begin a place may be to be shown with it.
const MOST_OF_LINE: usize = 1000;

/// Why a command could not do its work.
#[derive(Debug)]
pub struct Failure {
    exit: Exit,
    diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// Returns a failure with everything that is wrong.
    pub const fn new(exit: Exit, diagnostics: Vec<Diagnostic>) -> Self {
        Self { exit, diagnostics }
    }

    /// Returns a fault of the command line or the configuration.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, vec![Diagnostic::new(message)])
    }

    /// Returns a failure to read or write.
    pub fn io(message: impl fmt::Display, error: &io::Error) -> Self {
        Self::new(Exit::Io, vec![Diagnostic::new(format!("{message}: {error}"))])
    }

    /// Returns the end of a command whose reader has gone away: there is nobody to tell, and nothing failed.
    pub const fn quiet() -> Self {
        Self::new(Exit::Done, Vec::new())
    }

    /// Adds a hint to the last thing that is wrong.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Some(last) = self.diagnostics.pop() {
            self.diagnostics.push(last.hint(hint));
        }
        self
    }

    /// Returns the first thing that is wrong, without its place; empty where nothing is said.
    pub fn first(&self) -> String {
        self.diagnostics.first().map(|diagnostic| diagnostic.message.clone()).unwrap_or_default()
    }

    /// Returns the exit code.
    pub const fn exit(&self) -> Exit {
        self.exit
    }

    /// Writes everything that is wrong to standard error.
    pub fn print(&self) {
        let renderer = if terminal::is_coloured() { Renderer::styled() } else { Renderer::plain() };
        let text = self.render(&renderer.term_width(terminal::width()));
        let styles = if terminal::is_coloured() { Styles::Kept } else { Styles::Escaped };
        // Where standard error itself fails, only the exit code is left to tell.
        let _ = Harmless::of(&text, styles).write(Stream::Err);
    }

    fn render(&self, renderer: &Renderer) -> String {
        let blocks: Vec<_> = self.diagnostics.iter().map(|diagnostic| diagnostic.render(renderer)).collect();
        blocks.join("\n")
    }
}

impl From<Diagnostic> for Failure {
    fn from(diagnostic: Diagnostic) -> Self {
        Self::new(Exit::Usage, vec![diagnostic])
    }
}

/// The plain text of what is printed.
impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(&Renderer::plain().term_width(100)))
    }
}

impl Error for Failure {}

/// One thing that is wrong.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    message: String,
    place: Option<Place>,
    hints: Vec<String>,
}

/// A place in a text of the user.
#[derive(Clone, Debug)]
pub struct Place {
    /// The name of the text in messages: the path of its file.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// The bytes that are wrong.
    pub bytes: Range<usize>,
}

impl Place {
    /// Returns where the line of the place begins.
    fn line_start(&self) -> usize {
        let start = self.bytes.start.min(self.text.len());
        // The end of a text belongs to its last line.
        let start = if start == self.text.len() { self.text.trim_end_matches('\n').len() } else { start };
        self.text.as_bytes()[..start].iter().rposition(|byte| *byte == b'\n').map_or(0, |feed| feed + 1)
    }

    /// Returns the number of the line, from 1.
    fn line_number(&self) -> usize {
        1 + self.text.as_bytes()[..self.line_start()].iter().filter(|byte| **byte == b'\n').count()
    }

    /// Returns whether the place is near enough to the begin of its line to be shown with it.
    fn is_shown(&self) -> bool {
        self.bytes.start.saturating_sub(self.line_start()) < MOST_OF_LINE
    }

    /// Returns the line, as much of it as is shown, and the bytes of it that are wrong.
    fn line(&self) -> (&str, Range<usize>) {
        let start = self.line_start();
        let rest = self.text.get(start..).unwrap_or_default();
        let line = rest.split('\n').next().unwrap_or_default();
        let within = |byte: usize| {
            let byte = byte.min(line.len());
            (0..=byte).rev().find(|byte| line.is_char_boundary(*byte)).unwrap_or(0)
        };
        let end = within(2 * MOST_OF_LINE);
        let place = |byte: usize| within(byte.saturating_sub(start)).min(end);
        (&line[..end], place(self.bytes.start)..place(self.bytes.end))
    }

    /// Returns the place in words.
    fn in_words(&self) -> String {
        let before = self.text.get(self.line_start()..self.bytes.start).unwrap_or_default();
        format!("`{}`, line {}, column {}", self.name, self.line_number(), 1 + before.chars().count())
    }
}

impl Diagnostic {
    /// Returns a diagnostic: a fragment in lower case without a full stop.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None, hints: Vec::new() }
    }

    /// Adds the place, which is then shown with carets.
    pub fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Returns the first byte of its place, if it has one.
    pub fn start(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.bytes.start)
    }

    /// Says first where it is, in words.
    pub fn within(mut self, place: &str) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }

    /// Adds a hint: what is allowed, or what to do.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    fn render(&self, renderer: &Renderer) -> String {
        // The renderer escapes control characters of messages and of the shown lines, but not all that is not seen.
        let message = match &self.place {
            Some(place) if !place.is_shown() => format!("{}: {}", place.in_words(), self.message),
            _ => self.message.clone(),
        };
        let title = Level::ERROR.primary_title(visible(&words::shortened(&message)).into_owned());
        let error = match self.place.as_ref().filter(|place| place.is_shown()) {
            None => Group::with_title(title),
            Some(place) => {
                let (line, bytes) = place.line();
                let at = |byte: usize| visible(line.get(..byte).unwrap_or(line)).len();
                let bytes = at(bytes.start)..at(bytes.end);
                let name = words::shortened(&place.name).into_owned();
                let snippet = Snippet::source(visible(line))
                    .line_start(place.line_number())
                    .path(visible(&name).into_owned());
                title.element(snippet.annotation(AnnotationKind::Primary.span(bytes)))
            }
        };
        let hint = Level::HELP.with_name("hint");
        let hints = self.hints.iter().map(|text| {
            let text = visible(&words::shortened(text)).into_owned();
            Group::with_title(hint.clone().secondary_title(text))
        });
        let groups: Vec<_> = iter::once(error).chain(hints).collect();
        if self.place.as_ref().is_some_and(Place::is_shown) {
            return renderer.render(&groups) + "\n";
        }
        // Groups of one report are joined by the gutter of the shown lines: here there are none.
        groups.chunks(1).map(|group| renderer.render(group) + "\n").collect()
    }
}

/// Returns a text with a mark in the place of every character beyond ASCII that is not seen or turns the direction of others.
fn visible(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || matches!(protocol::printable(text), Cow::Borrowed(_)) {
        return Cow::Borrowed(text);
    }
    let shown = |letter: char| {
        let is_seen = letter.is_ascii()
            || matches!(protocol::printable(letter.encode_utf8(&mut [0; 4])), Cow::Borrowed(_));
        if is_seen { letter } else { char::REPLACEMENT_CHARACTER }
    };
    Cow::Owned(text.chars().map(shown).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_what_where_and_a_hint() {
        let place = Place { name: "cup.yaml".into(), text: "name: cup\nrounds: ten\n".into(), bytes: 18..21 };
        let diagnostics = vec![
            Diagnostic::new("`rounds` is not a whole number").at(place).hint("for example `rounds: 10`"),
            Diagnostic::new("something else is wrong").hint("fix it").hint("or leave it"),
        ];
        insta::assert_snapshot!(Failure::new(Exit::Usage, diagnostics), @r"
        error: `rounds` is not a whole number
         --> cup.yaml:2:9
          |
        2 | rounds: ten
          |         ^^^
          |
        hint: for example `rounds: 10`

        error: something else is wrong
        hint: fix it
        hint: or leave it
        ");
    }

    #[test]
    fn control_characters_of_the_user_do_not_reach_the_terminal() {
        let text = Failure::usage("unknown game `\u{1b}[31mred`").to_string();
        assert!(!text.contains('\u{1b}'), "{text:?}");
        let text = "x\u{ad}\u{200b}: \u{e0001}y\n";
        let place = Place { name: "a\u{202e}".into(), text: text.into(), bytes: 8..13 };
        let failure =
            Failure::new(Exit::Usage, vec![Diagnostic::new("no\u{200b}").at(place).hint("\u{feff}")]);
        let shown = failure.to_string();
        assert!(shown.contains("x\u{fffd}\u{fffd}: \u{fffd}y\n  |      ^^\n"), "{shown:?}");
        assert!(!shown.contains(['\u{ad}', '\u{200b}', '\u{202e}', '\u{feff}', '\u{e0001}']), "{shown:?}");
    }
}
