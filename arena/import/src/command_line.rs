//! From words to options, as both programs read them.

use crate::counterpart::{Counterpart, OPTIONS};
use crate::error::ImportError;
use crate::program::Program;

/// An option as it was given.
#[derive(Clone, Debug)]
pub(crate) struct Given {
    /// What is known of it.
    pub counterpart: &'static Counterpart,
    /// Its values.
    pub values: Vec<String>,
}

impl Given {
    /// Returns the option as it is typed: `-rounds`.
    pub(crate) fn typed(&self) -> String {
        format!("-{}", self.counterpart.name)
    }

    /// Returns the values as keys and values; a value without `=` has the empty text.
    pub(crate) fn pairs(&self) -> Vec<(&str, &str)> {
        self.values.iter().map(|value| value.split_once('=').unwrap_or((value, ""))).collect()
    }

    /// Returns all values as one text.
    pub(crate) fn text(&self) -> String {
        self.values.join(" ")
    }

    /// Returns the number that it is given.
    ///
    /// # Errors
    /// When it is none, or there are several values.
    pub(crate) fn number(&self) -> Result<u64, ImportError> {
        let text = self.text();
        text.parse().map_err(|_| ImportError::value(self.typed(), format!("`{text}` is not a whole number")))
    }
}

/// Splits a command line into its program and its options.
///
/// # Errors
/// When the program is not known, or has no such option.
pub(crate) fn read(words: impl IntoIterator<Item = String>) -> Result<(Program, Vec<Given>), ImportError> {
    let mut words = words.into_iter();
    let first = words.next().ok_or(ImportError::Empty)?;
    let program = Program::of(&first).ok_or(ImportError::Program(first))?;
    let mut options: Vec<Given> = Vec::new();
    for word in words {
        let name = word.strip_prefix("--").or_else(|| word.strip_prefix('-'));
        match name.filter(|name| name.starts_with(|c: char| c.is_ascii_alphabetic())) {
            Some(name) => options.push(Given { counterpart: find(program, name)?, values: Vec::new() }),
            None => match options.last_mut() {
                Some(option) => option.values.push(word),
                None => return Err(ImportError::Stray(word)),
            },
        }
    }
    options.iter().try_for_each(|option| option.counterpart.takes.check(&option.typed(), &option.values))?;
    Ok((program, options))
}

fn find(program: Program, name: &str) -> Result<&'static Counterpart, ImportError> {
    let own = || OPTIONS.iter().filter(|option| option.is_of(program));
    own().find(|option| option.name == name).ok_or_else(|| {
        let near = own()
            .map(|option| (strsim::damerau_levenshtein(option.name, name), option.name))
            .min()
            .filter(|(distance, _)| *distance <= 2);
        ImportError::Unknown {
            program: program.name(),
            option: format!("-{name}"),
            near: near.map(|(_, name)| name),
        }
    })
}
