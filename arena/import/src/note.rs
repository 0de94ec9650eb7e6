//! What is told beside the tournament file.

/// Something that the tournament file does not say as the command line did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ImportNote {
    /// The option, as it is typed.
    pub option: String,
    /// Why it has no counterpart, or what is different.
    pub why: String,
}

impl ImportNote {
    /// Adds a note, unless the same is there.
    pub(crate) fn add(notes: &mut Vec<Self>, option: String, why: &str) {
        let note = Self { option, why: why.to_owned() };
        if !notes.contains(&note) {
            notes.push(note);
        }
    }
}
