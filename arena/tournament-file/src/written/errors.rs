//! What is wrong with a tournament: collected while it is read, shown together.

use std::iter;
use std::sync::Arc;

use diagnostic::Exit;
use diagnostic::{Diagnostic, Failure, Place};
use settings::{Complaint, Form, Reading};

use crate::written::argument::Argument;
use crate::written::path::{Path, Step};
use crate::written::source::Source;
use crate::written::unknown_key::{Advice, advice};

/// The most errors that are shown at once.
pub(crate) const MOST_SHOWN: usize = 20;

/// The most errors that are kept: what is checked later asks for those before it.
const MOST_KEPT: usize = 1000;

/// Where a value was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// At this path of the file.
    File(Path),
    /// At this path of another file, one of [`InputErrors::open`].
    Document(usize, Path),
    /// With this flag of the command line.
    Flag(&'static str),
    /// In this argument of the command line, which holds a map: at this key, or the whole of it.
    Argument(Arc<Argument>, Option<String>),
}

impl Spot {
    /// Returns the tournament file as a whole.
    pub fn top() -> Self {
        Self::File(Path::default())
    }

    /// Returns the place of the value of `key` below.
    pub fn key(&self, key: &str) -> Self {
        self.step(Step::Key(key.to_owned()))
    }

    /// Returns the place of an item below.
    pub fn item(&self, index: usize) -> Self {
        self.step(Step::Item(index))
    }

    fn step(&self, step: Step) -> Self {
        match self {
            Self::File(path) => Self::File(path.with(step)),
            Self::Document(number, path) => Self::Document(*number, path.with(step)),
            Self::Flag(flag) => Self::Flag(flag),
            Self::Argument(argument, None) => match step {
                Step::Key(key) => Self::Argument(Arc::clone(argument), Some(key)),
                Step::Item(_) => self.clone(),
            },
            Self::Argument(_, Some(_)) => self.clone(),
        }
    }

    /// Returns the place one step up and the last step; `None` where there is nothing above.
    fn split(&self) -> Option<(Self, &Step)> {
        match self {
            Self::File(path) => path.split().map(|(above, last)| (Self::File(above), last)),
            Self::Document(number, path) => {
                path.split().map(|(above, last)| (Self::Document(*number, above), last))
            }
            Self::Flag(_) | Self::Argument(..) => None,
        }
    }

    /// Returns whether this is the value at `above`, or stands below it.
    fn is_within(&self, above: &Self) -> bool {
        match (self, above) {
            (Self::File(path), Self::File(above)) => path.steps().starts_with(above.steps()),
            (Self::Document(one, path), Self::Document(other, above)) => {
                one == other && path.steps().starts_with(above.steps())
            }
            (Self::Argument(argument, _), Self::Argument(above, None)) => argument == above,
            _ => self == above,
        }
    }

    /// Returns what the user calls the value: a key or a flag.
    fn subject(&self) -> String {
        match self {
            Self::Flag(flag) => format!("`{flag}`"),
            Self::Argument(_, Some(key)) => format!("`{key}`"),
            Self::Argument(argument, None) => format!("`{}`", argument.flag),
            Self::File(path) | Self::Document(_, path) => {
                let key = path.steps().iter().rev().find_map(|step| match step {
                    Step::Key(key) => Some(key.as_str()),
                    Step::Item(_) => None,
                });
                format!("`{}`", key.unwrap_or("the file"))
            }
        }
    }
}

/// An error: where, and what is shown.
#[derive(Debug)]
struct InputError {
    spot: Spot,
    /// Whether the key is meant and not its value.
    is_key: bool,
    /// The key that was meant, if this one is unknown.
    meant: Option<&'static str>,
    diagnostic: Diagnostic,
}

/// The errors of one tournament.
#[derive(Debug, Default)]
pub struct InputErrors {
    errors: Vec<InputError>,
    /// How many more there are than are kept.
    others: usize,
    /// Whether there may be still more, which nobody looked for.
    is_cut_off: bool,
    /// What is to be said though it is no error.
    notes: Vec<String>,
    /// The files beside the tournament file.
    documents: Vec<(Arc<str>, Arc<str>)>,
}

impl InputErrors {
    /// Adds what is to be said though it is no error.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Returns what is to be said though it is no error.
    pub fn into_notes(self) -> Vec<String> {
        self.notes
    }

    /// Adds a file beside the tournament file, with what messages call it and its text, and returns its number.
    pub fn open(&mut self, name: &str, text: &str) -> usize {
        self.documents.push((name.into(), text.into()));
        self.documents.len() - 1
    }

    /// Returns what messages call the file beside the tournament file in which a place is.
    pub fn document(&self, spot: &Spot) -> Option<&str> {
        let Spot::Document(number, _) = spot else { return None };
        self.documents.get(*number).map(|(name, _)| &**name)
    }

    /// Adds an error of the value at `spot`, in the words of the diagnostic.
    pub fn add(&mut self, spot: &Spot, diagnostic: Diagnostic) {
        self.push(spot, false, diagnostic);
    }

    /// Adds an error of the key at `spot`, in the words of the diagnostic.
    pub fn add_key(&mut self, spot: &Spot, diagnostic: Diagnostic) {
        self.push(spot, true, diagnostic);
    }

    fn push(&mut self, spot: &Spot, is_key: bool, diagnostic: Diagnostic) {
        let diagnostic = match spot {
            Spot::Flag(flag) => diagnostic.within(&format!("`{flag}`")),
            Spot::File(_) | Spot::Document(..) | Spot::Argument(..) => diagnostic,
        };
        self.keep(InputError { spot: spot.clone(), is_key, meant: None, diagnostic });
    }

    fn keep(&mut self, error: InputError) {
        if self.errors.len() < MOST_KEPT {
            self.errors.push(error);
        } else {
            self.others += 1;
        }
    }

    /// Notes that there may be errors which nobody looked for.
    pub const fn cut_off(&mut self) {
        self.is_cut_off = true;
    }

    /// Adds an error of the value at `spot`, named by its key or flag.
    pub fn complain(&mut self, spot: &Spot, complaint: &Complaint) {
        let message = format!("{} {}", spot.subject(), complaint.predicate);
        let diagnostic = Diagnostic::new(message).hint(complaint.hint.as_str());
        self.keep(InputError { spot: spot.clone(), is_key: false, meant: None, diagnostic });
    }

    /// Reads the value that was given at `spot`, if there is one; what is wrong with it is added.
    pub fn read<T>(
        &mut self,
        spot: &Spot,
        text: Option<&str>,
        read: impl FnOnce(&str) -> Reading<T>,
    ) -> Option<T> {
        read(text?).map_err(|complaint| self.complain(spot, &complaint)).ok()
    }

    /// Adds an error of the key at `spot` in a file of this form: there is no such key.
    pub fn unknown_key(&mut self, spot: &Spot, form: &Form) {
        let (Spot::File(path) | Spot::Document(_, path)) = spot else { return };
        let Some((parent, Step::Key(name))) = path.split() else { return };
        let Advice { hint, meant } = advice(name, &parent, form);
        let diagnostic = Diagnostic::new(format!("unknown key `{name}`")).hint(hint);
        self.keep(InputError { spot: spot.clone(), is_key: true, meant, diagnostic });
    }

    /// Adds an error of the map at `spot` that lacks all of `keys`, unless one of them is there but wrong, or is
    /// likely to be there under a wrong name.
    pub fn lack(&mut self, spot: &Spot, keys: &[&str], diagnostic: Diagnostic) {
        let is_wrong = keys.iter().any(|key| self.has_error_at(&spot.key(key)));
        let is_misnamed = self.errors.iter().any(|error| {
            let parent = error.meant.filter(|meant| keys.contains(meant)).and(error.spot.split());
            parent.is_some_and(|(parent, _)| parent == *spot)
        });
        let is_no_map = self.errors.iter().any(|error| error.spot == *spot);
        if !is_wrong && !is_misnamed && !is_no_map {
            self.add(spot, diagnostic);
        }
    }

    /// Returns whether nothing is wrong.
    pub const fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// Returns whether the value at `spot` itself is wrong, whatever is below it.
    pub fn is_wrong(&self, spot: &Spot) -> bool {
        self.errors.iter().any(|error| error.spot == *spot)
    }

    /// Returns whether the value at `spot` or anything below it is wrong.
    pub fn has_error_at(&self, spot: &Spot) -> bool {
        self.errors.iter().any(|error| error.spot.is_within(spot))
    }

    /// Returns the failure that shows everything, up to [`MOST_SHOWN`] errors: those of the command line first, then those
    /// of the file in its order, then those of other files.
    pub fn into_failure(self, name: &str, text: &str) -> Failure {
        let mut placed: Vec<Diagnostic> = self.errors.iter().filter_map(of_command_line).collect();
        let mut count = placed.len() + self.others;
        let main = (name.into(), text.into());
        for (number, document) in iter::once(&main).chain(&self.documents).enumerate() {
            let errors: Vec<_> = self.errors.iter().filter_map(|error| error.within(number)).collect();
            count += errors.len();
            if !errors.is_empty() && placed.len() < MOST_SHOWN {
                let before = placed.len();
                placed.extend(place(document, &errors));
                // Where the places in a file are unknown one error stands for all.
                count -= errors.len() - (placed.len() - before);
            }
        }
        placed.truncate(MOST_SHOWN);
        let rest = count.saturating_sub(MOST_SHOWN);
        if rest > 0 {
            let at_least = if self.is_cut_off { "at least " } else { "" };
            placed.push(Diagnostic::new(format!("{at_least}{rest} more of `{name}` are not shown")));
        }
        Failure::new(Exit::Usage, placed)
    }
}

impl InputError {
    /// Returns the path and the error, if it is one of a document: 0 is the tournament file.
    fn within(&self, document: usize) -> Option<(&Path, &Self)> {
        match &self.spot {
            Spot::File(path) if document == 0 => Some((path, self)),
            Spot::Document(number, path) if number + 1 == document => Some((path, self)),
            Spot::Flag(_) | Spot::Argument(..) | Spot::File(_) | Spot::Document(..) => None,
        }
    }
}

/// Returns what is shown of an error of the command line; `None` of others.
fn of_command_line(error: &InputError) -> Option<Diagnostic> {
    let diagnostic = error.diagnostic.clone();
    match &error.spot {
        Spot::Flag(_) => Some(diagnostic),
        Spot::Argument(argument, key) => {
            let (name, text) = (argument.flag.into(), Arc::clone(&argument.text));
            let bytes = argument.place(key.as_deref());
            Some(diagnostic.at(Place { name, text, bytes }))
        }
        Spot::File(_) | Spot::Document(..) => None,
    }
}

/// Returns what is shown of the errors of a document, in the order of their places.
fn place((name, text): &(Arc<str>, Arc<str>), errors: &[(&Path, &InputError)]) -> Vec<Diagnostic> {
    let place = |bytes| Place { name: Arc::clone(name), text: Arc::clone(text), bytes };
    let mut shortened = String::new();
    let source = match Source::without_duplicates(text, &mut shortened) {
        Ok((source, _)) => source,
        // Where values stand is unknown until this is right.
        Err(error) => return vec![error.into_diagnostic(place)],
    };
    let placed = |(path, error): &(&Path, &InputError)| {
        let diagnostic = error.diagnostic.clone();
        match (diagnostic.start(), source.find(path, error.is_key)) {
            (Some(start), _) => (start, diagnostic),
            (None, Some(bytes)) => (bytes.start, diagnostic.at(place(bytes))),
            (None, None) => (usize::MAX, diagnostic.within(&format!("`{name}`"))),
        }
    };
    let mut placed: Vec<_> = errors.iter().map(placed).collect();
    placed.sort_by_key(|(start, _)| *start);
    placed.into_iter().map(|(_, diagnostic)| diagnostic).collect()
}
