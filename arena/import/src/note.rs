//! What is told beside the tournament file.

use crate::counterpart::{Becomes, Counterpart};

/// Something that the tournament file does not say as the command line did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportNote {
    /// The option, as it is typed.
    pub option: String,
    /// Why it has no counterpart, that it always holds, or what is different.
    pub why: String,
}

impl ImportNote {
    /// Adds what is to be said of an option that no key holds, if it is one.
    pub(crate) fn of(notes: &mut Vec<Self>, option: String, counterpart: &Counterpart) {
        match counterpart.becomes {
            Becomes::Keys(_) => {}
            Becomes::Usual(what) => Self::add(notes, option, &format!("always so: {what}")),
            Becomes::Nothing(why) => Self::add(notes, option, &format!("no counterpart: {why}")),
        }
    }

    /// Adds a note, unless the same is there.
    pub(crate) fn add(notes: &mut Vec<Self>, option: String, why: &str) {
        let note = Self { option, why: why.to_owned() };
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}
