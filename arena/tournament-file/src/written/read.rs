//! From a text to what was written in it, whatever else is wrong with it.

use std::ops::Range;

use diagnostic::{Diagnostic, Place};
use serde::de::DeserializeOwned;
use serde_path_to_error::Segment;
use serde_yaml::Value;
use settings::{Form, TOURNAMENT};

use crate::written::errors::{InputErrors, MOST_SHOWN, Spot};
use crate::written::path::{Path, Step};
use crate::written::raw::RawFile;
use crate::written::schema::KeysByPath as _;
use crate::written::source::{Source, check_depth};
use crate::written::syntax::SyntaxError;
use crate::written::wrong_kind;

/// A text to be read.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Document<'a> {
    /// What messages call it: the path of its file.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// What it is to be.
    pub form: &'static Form,
    /// The number of the document among those of the errors, if it is not the tournament file itself.
    pub number: Option<usize>,
}

/// Reads a tournament file and adds what is wrong with its structure to `errors`.
///
/// # Errors
/// When it is not YAML at all.
pub(crate) fn read(name: &str, text: &str, errors: &mut InputErrors) -> Result<RawFile, Diagnostic> {
    let mut raw: RawFile = Document { name, text, form: &TOURNAMENT, number: None }.read(errors)?;
    raw.place_items();
    Ok(raw)
}

impl Document<'_> {
    /// Reads the text and adds what is wrong with its structure to `errors`.
    ///
    /// # Errors
    /// When it is not YAML at all.
    pub(crate) fn read<T: DeserializeOwned + Default>(
        &self,
        errors: &mut InputErrors,
    ) -> Result<T, Diagnostic> {
        check_depth(self.text).map_err(|error| error.into_diagnostic(|bytes| self.place(bytes)))?;
        serde_yaml::from_str(self.text).or_else(|error| self.read_around_errors(errors, &error))
    }

    fn spot(&self, path: Path) -> Spot {
        match self.number {
            None => Spot::File(path),
            Some(number) => Spot::Document(number, path),
        }
    }

    fn place(&self, bytes: Range<usize>) -> Place {
        Place { name: self.name.into(), text: self.text.into(), bytes }
    }

    /// Reads a text that is wrong: what is wrong is noted and left out until the rest can be read.
    fn read_around_errors<T: DeserializeOwned + Default>(
        &self,
        errors: &mut InputErrors,
        first: &serde_yaml::Error,
    ) -> Result<T, Diagnostic> {
        let place = |bytes| self.place(bytes);
        let mut shortened = String::new();
        let (source, duplicates) = Source::without_duplicates(self.text, &mut shortened)
            .map_err(|error| error.into_diagnostic(place))?;
        let has_duplicates = !duplicates.is_empty();
        for error in duplicates {
            errors.add(&self.spot(Path::default()), error.into_diagnostic(place));
        }
        let mut value = source.value();
        // The rest is read again for every error: of more than are shown nobody would see anything.
        for count in 0..=MOST_SHOWN {
            let error = match serde_path_to_error::deserialize::<_, T>(&value) {
                Ok(raw) if count == 0 && !has_duplicates => {
                    // One parser takes what the other refuses: the one that decides is believed.
                    drop(raw);
                    return Err(refusal(first, self.text).into_diagnostic(place));
                }
                Ok(raw) => return Ok(raw),
                Err(error) => error,
            };
            let path = path(error.path());
            let spot = self.spot(path.clone());
            if self.form.lacks(&path) {
                errors.unknown_key(&spot, self.form);
            } else if !errors.has_error_at(&spot) {
                errors.add(&spot, wrong_kind::diagnostic(self.form, &source, &path));
            }
            if path.steps().is_empty() || !remove(&mut value, path.steps()) {
                return Ok(T::default());
            }
        }
        errors.cut_off();
        Ok(T::default())
    }
}

/// Says that a text is refused in the words of the parser that decides.
fn refusal(error: &serde_yaml::Error, text: &str) -> SyntaxError {
    let message = error.to_string();
    let message = message.split(" at line ").next().unwrap_or_default();
    let (line, column) = error.location().map_or((1, 1), |location| (location.line(), location.column()));
    let before: usize = text.split_inclusive('\n').take(line.saturating_sub(1)).map(str::len).sum();
    let rest = text[before..].split('\n').next().unwrap_or_default();
    let within = rest.char_indices().nth(column.saturating_sub(1)).map_or(rest.len(), |(byte, _)| byte);
    SyntaxError::explained(message, text, before + within)
}

fn path(path: &serde_path_to_error::Path) -> Path {
    let step = |segment: &Segment| match segment {
        Segment::Seq { index } => Some(Step::Item(*index)),
        Segment::Map { key } => Some(Step::Key(key.clone())),
        Segment::Enum { .. } | Segment::Unknown => None,
    };
    Path::new(path.iter().filter_map(step).collect())
}

/// Removes the node at the end of `steps` from a map; in a list it leaves an empty item, so that the others keep
/// their numbers. Returns whether there was anything to remove.
fn remove(value: &mut Value, steps: &[Step]) -> bool {
    match (steps, value) {
        ([Step::Key(key)], Value::Mapping(map)) => map.remove(key.as_str()).is_some(),
        ([Step::Item(index)], Value::Sequence(items)) => {
            // An item that may not be empty is not made empty twice: the list around it goes then.
            items.get_mut(*index).is_some_and(|item| !std::mem::replace(item, Value::Null).is_null())
        }
        ([Step::Key(key), rest @ ..], Value::Mapping(map)) => {
            let is_removed = map.get_mut(key.as_str()).is_some_and(|below| remove(below, rest));
            is_removed || map.remove(key.as_str()).is_some()
        }
        ([Step::Item(index), rest @ ..], Value::Sequence(items)) => {
            items.get_mut(*index).is_some_and(|below| remove(below, rest))
        }
        _ => false,
    }
}
