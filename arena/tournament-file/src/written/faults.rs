//! What is wrong with a tournament: collected while it is read, shown together.

use std::iter;
use std::sync::Arc;

use diagnostic::Exit;
use diagnostic::{Diagnostic, Failure, Place};
use settings::{Complaint, Form};

use crate::written::compact::Argument;
use crate::written::schema::KeysByPath as _;
use crate::written::source::Source;

/// The most faults that are shown at once.
pub(crate) const MOST_SHOWN: usize = 20;

/// The most faults that are kept: what is checked later asks for those before it.
const MOST_KEPT: usize = 1000;

/// The way from the top of a file to one of its nodes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Path(Vec<Step>);

/// A step of a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// To the value of a key.
    Key(String),
    /// To an item of a list, from 0.
    Item(usize),
}

impl Path {
    /// Returns the path of a key within keys.
    pub fn of(keys: &[&str]) -> Self {
        Self(keys.iter().map(|key| Step::Key((*key).to_owned())).collect())
    }

    /// Returns the path of these steps.
    pub const fn new(steps: Vec<Step>) -> Self {
        Self(steps)
    }

    /// Returns the steps.
    pub fn steps(&self) -> &[Step] {
        &self.0
    }

    /// Returns the path one step up and the last step; `None` at the top.
    pub fn split(&self) -> Option<(Self, &Step)> {
        self.0.split_last().map(|(last, rest)| (Self(rest.to_vec()), last))
    }

    fn with(&self, step: Step) -> Self {
        Self(self.0.iter().cloned().chain([step]).collect())
    }
}

/// Where a value was given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Spot {
    /// At this path of the file.
    File(Path),
    /// At this path of another file, one of [`Faults::open`].
    Document(usize, Path),
    /// With this flag of the command line.
    Flag(&'static str),
    /// In this argument of the command line, which holds a map: at this key, or the whole of it.
    Argument(Arc<Argument>, Option<String>),
}

impl Spot {
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

/// A fault: where, and what is shown.
#[derive(Debug)]
struct Fault {
    spot: Spot,
    /// Whether the key is meant and not its value.
    is_key: bool,
    diagnostic: Diagnostic,
}

/// The faults of one tournament.
#[derive(Debug, Default)]
pub struct Faults {
    faults: Vec<Fault>,
    /// How many more there are than are kept.
    others: usize,
    /// Whether there may be still more, which nobody looked for.
    is_cut_off: bool,
    /// What is to be said though it is no fault.
    notes: Vec<String>,
    /// The files beside the tournament file.
    documents: Vec<(Arc<str>, Arc<str>)>,
}

impl Faults {
    /// Adds what is to be said though it is no fault.
    pub fn note(&mut self, note: String) {
        self.notes.push(note);
    }

    /// Returns what is to be said though it is no fault.
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

    /// Adds a fault of the value at `spot`, in the words of the diagnostic.
    pub fn add(&mut self, spot: &Spot, diagnostic: Diagnostic) {
        self.push(spot, false, diagnostic);
    }

    /// Adds a fault of the key at `spot`, in the words of the diagnostic.
    pub fn add_key(&mut self, spot: &Spot, diagnostic: Diagnostic) {
        self.push(spot, true, diagnostic);
    }

    fn push(&mut self, spot: &Spot, is_key: bool, diagnostic: Diagnostic) {
        let diagnostic = match spot {
            Spot::Flag(flag) => diagnostic.within(&format!("`{flag}`")),
            Spot::File(_) | Spot::Document(..) | Spot::Argument(..) => diagnostic,
        };
        self.keep(spot, is_key, diagnostic);
    }

    fn keep(&mut self, spot: &Spot, is_key: bool, diagnostic: Diagnostic) {
        if self.faults.len() < MOST_KEPT {
            self.faults.push(Fault { spot: spot.clone(), is_key, diagnostic });
        } else {
            self.others += 1;
        }
    }

    /// Notes that there may be faults which nobody looked for.
    pub const fn cut_off(&mut self) {
        self.is_cut_off = true;
    }

    /// Adds a fault of the value at `spot`, named by its key or flag.
    pub fn complain(&mut self, spot: &Spot, complaint: &Complaint) {
        let message = format!("{} {}", spot.subject(), complaint.predicate);
        self.keep(spot, false, Diagnostic::new(message).hint(complaint.hint.as_str()));
    }

    /// Adds a fault of the key at `spot` in a file of this form: there is no such key.
    pub fn unknown_key(&mut self, spot: &Spot, form: &Form) {
        let (Spot::File(path) | Spot::Document(_, path)) = spot else { return };
        let Some((parent, Step::Key(name))) = path.split() else { return };
        let known: Vec<_> = form.keys_at(&parent).iter().map(|key| key.name).collect();
        let of = match parent.split() {
            None => String::new(),
            Some((list, Step::Item(_))) => match list.steps().last() {
                Some(Step::Key(key)) => format!(" of a {}", key.strip_suffix('s').unwrap_or(key)),
                _ => String::new(),
            },
            Some((_, Step::Key(key))) => format!(" of `{key}`"),
        };
        let diagnostic = Diagnostic::new(format!("unknown key `{name}`")).hint(
            match rules::nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys{of} are {}", known.join(", ")),
            },
        );
        self.keep(spot, true, diagnostic);
    }

    /// Adds a fault of the map at `spot` that lacks all of `keys`, unless one of them is there but at fault, or is
    /// likely to be there under a wrong name.
    pub fn lack(&mut self, spot: &Spot, keys: &[&str], diagnostic: Diagnostic) {
        let is_at_fault = keys.iter().any(|key| self.has_fault_at(&spot.key(key)));
        let is_misnamed = self.faults.iter().filter(|fault| fault.is_key).any(|fault| {
            let Some((parent, Step::Key(name))) = fault.spot.split() else { return false };
            *spot == parent && rules::nearest(name, keys.iter().copied()).is_some()
        });
        let is_no_map = self.faults.iter().any(|fault| fault.spot == *spot);
        if !is_at_fault && !is_misnamed && !is_no_map {
            self.add(spot, diagnostic);
        }
    }

    /// Returns whether nothing is wrong.
    pub const fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// Returns whether the value at `spot` itself is at fault, whatever is below it.
    pub fn is_at_fault(&self, spot: &Spot) -> bool {
        self.faults.iter().any(|fault| fault.spot == *spot)
    }

    /// Returns whether the value at `spot` or anything below it is at fault.
    pub fn has_fault_at(&self, spot: &Spot) -> bool {
        self.faults.iter().any(|fault| fault.spot.is_within(spot))
    }

    /// Returns the failure that shows everything, up to [`MOST_SHOWN`] faults: those of the command line first, then those
    /// of the file in its order, then those of other files.
    pub fn into_failure(self, name: &str, text: &str) -> Failure {
        let mut placed: Vec<Diagnostic> = self.faults.iter().filter_map(of_command_line).collect();
        let mut count = placed.len() + self.others;
        let main = (name.into(), text.into());
        for (number, document) in iter::once(&main).chain(&self.documents).enumerate() {
            let faults: Vec<_> = self.faults.iter().filter_map(|fault| fault.within(number)).collect();
            count += faults.len();
            if !faults.is_empty() && placed.len() < MOST_SHOWN {
                let before = placed.len();
                placed.extend(place(document, &faults));
                // Where the places in a file are unknown one fault stands for all.
                count -= faults.len() - (placed.len() - before);
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

impl Fault {
    /// Returns the path and the fault, if it is one of a document: 0 is the tournament file.
    fn within(&self, document: usize) -> Option<(&Path, &Self)> {
        match &self.spot {
            Spot::File(path) if document == 0 => Some((path, self)),
            Spot::Document(number, path) if number + 1 == document => Some((path, self)),
            Spot::Flag(_) | Spot::Argument(..) | Spot::File(_) | Spot::Document(..) => None,
        }
    }
}

/// Returns what is shown of a fault of the command line; `None` of others.
fn of_command_line(fault: &Fault) -> Option<Diagnostic> {
    let diagnostic = fault.diagnostic.clone();
    match &fault.spot {
        Spot::Flag(_) => Some(diagnostic),
        Spot::Argument(argument, key) => {
            let (name, text) = (argument.flag.into(), Arc::clone(&argument.text));
            let bytes = argument.place(key.as_deref());
            Some(diagnostic.at(Place { name, text, bytes }))
        }
        Spot::File(_) | Spot::Document(..) => None,
    }
}

/// Returns what is shown of the faults of a document, in the order of their places.
fn place((name, text): &(Arc<str>, Arc<str>), faults: &[(&Path, &Fault)]) -> Vec<Diagnostic> {
    let place = |bytes| Place { name: Arc::clone(name), text: Arc::clone(text), bytes };
    let source = match Source::new(text) {
        Ok(source) => source,
        // Where values stand is unknown until this is mended, a repeated key for example.
        Err(error) => return vec![error.into_diagnostic(place)],
    };
    let placed = |(path, fault): &(&Path, &Fault)| {
        let diagnostic = fault.diagnostic.clone();
        match (diagnostic.start(), source.find(path, fault.is_key)) {
            (Some(start), _) => (start, diagnostic),
            (None, Some(bytes)) => (bytes.start, diagnostic.at(place(bytes))),
            (None, None) => (usize::MAX, diagnostic.within(&format!("`{name}`"))),
        }
    };
    let mut placed: Vec<_> = faults.iter().map(placed).collect();
    placed.sort_by_key(|(start, _)| *start);
    placed.into_iter().map(|(_, diagnostic)| diagnostic).collect()
}
