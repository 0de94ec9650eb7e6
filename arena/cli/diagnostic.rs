//! What the user is told when something is wrong: what failed, where, and a hint. All such text is made here.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::io::{self, Write as _};
use std::iter;
use std::ops::Range;
use std::sync::Arc;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use crate::exit::Exit;
use crate::output;

/// Why a command could not do its work.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    diagnostics: Vec<Diagnostic>,
}

impl Failure {
    /// Returns a failure with everything that is wrong.
    pub(crate) const fn new(exit: Exit, diagnostics: Vec<Diagnostic>) -> Self {
        Self { exit, diagnostics }
    }

    /// Returns a fault of the command line or the configuration.
    pub(crate) fn usage(message: impl Into<String>) -> Self {
        Self::new(Exit::Usage, vec![Diagnostic::new(message)])
    }

    /// Returns a failure to read or write.
    pub(crate) fn io(message: impl fmt::Display, error: &io::Error) -> Self {
        Self::new(Exit::Io, vec![Diagnostic::new(format!("{message}: {error}"))])
    }

    /// Returns the end of a command whose reader has gone away: there is nobody to tell, and nothing failed.
    pub(crate) const fn quiet() -> Self {
        Self::new(Exit::Done, Vec::new())
    }

    /// Adds a hint to the last thing that is wrong.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        if let Some(last) = self.diagnostics.pop() {
            self.diagnostics.push(last.hint(hint));
        }
        self
    }

    /// Returns the first thing that is wrong, without its place; empty where nothing is said.
    pub(crate) fn first(&self) -> String {
        self.diagnostics.first().map(|diagnostic| diagnostic.message.clone()).unwrap_or_default()
    }

    /// Returns the exit code.
    pub(crate) const fn exit(&self) -> Exit {
        self.exit
    }

    /// Writes everything that is wrong to standard error.
    pub(crate) fn print(&self) {
        let renderer = if output::is_coloured() { Renderer::styled() } else { Renderer::plain() };
        let text = self.render(&renderer.term_width(output::width()));
        // Where standard error itself fails, only the exit code is left to tell.
        let _ = io::stderr().lock().write_all(text.as_bytes());
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
pub(crate) struct Diagnostic {
    message: String,
    place: Option<Place>,
    hints: Vec<String>,
}

/// A place in a text of the user.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// The name of the text in messages: the path of its file.
    pub(crate) name: Arc<str>,
    /// The whole text.
    pub(crate) text: Arc<str>,
    /// The bytes that are wrong.
    pub(crate) bytes: Range<usize>,
}

impl Diagnostic {
    /// Returns a diagnostic: a fragment in lower case without a full stop.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), place: None, hints: Vec::new() }
    }

    /// Adds the place, which is then shown with carets.
    pub(crate) fn at(mut self, place: Place) -> Self {
        self.place = Some(place);
        self
    }

    /// Returns the first byte of its place, if it has one.
    pub(crate) fn start(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.bytes.start)
    }

    /// Says first where it is, in words.
    pub(crate) fn within(mut self, place: &str) -> Self {
        self.message = format!("{place}: {}", self.message);
        self
    }

    /// Adds a hint: what is allowed, or what to do.
    pub(crate) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hints.push(hint.into());
        self
    }

    fn render(&self, renderer: &Renderer) -> String {
        // The renderer escapes control characters of messages and of the shown lines, but not all that is not seen.
        let title = Level::ERROR.primary_title(visible(&self.message));
        let error = match &self.place {
            None => Group::with_title(title),
            Some(place) => {
                let at = |byte: usize| visible(place.text.get(..byte).unwrap_or(&place.text)).len();
                let bytes = at(place.bytes.start)..at(place.bytes.end);
                let snippet = Snippet::source(visible(&place.text)).path(visible(&place.name));
                title.element(snippet.annotation(AnnotationKind::Primary.span(bytes)))
            }
        };
        let hint = Level::HELP.with_name("hint");
        let hints =
            self.hints.iter().map(|text| Group::with_title(hint.clone().secondary_title(visible(text))));
        let groups: Vec<_> = iter::once(error).chain(hints).collect();
        if self.place.is_some() {
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
            Diagnostic::new("something else is wrong").hint("mend it").hint("or leave it"),
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
        hint: mend it
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
