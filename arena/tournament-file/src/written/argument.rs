//! An argument of the command line that holds a map, with the places of its values.

use std::ops::Range;
use std::sync::Arc;

/// An argument that holds a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The flag that it belongs to.
    pub flag: &'static str,
    /// What was typed.
    pub text: Arc<str>,
    /// The part of it that is meant.
    pub(super) whole: Range<usize>,
    /// Where the value of each key stands in it.
    pub(super) keys: Vec<(String, Range<usize>)>,
}

impl Argument {
    /// Returns where the value of a key stands; without a key, and where it was not typed, the part that is meant.
    pub fn place(&self, key: Option<&str>) -> Range<usize> {
        let found = self.keys.iter().find(|(name, _)| Some(name.as_str()) == key);
        found.map_or_else(|| self.whole.clone(), |(_, bytes)| bytes.clone())
    }
}
