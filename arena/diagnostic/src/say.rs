//! Messages on standard error.

use std::path::Path;

use crate::harmless::{Harmless, Stream, Styles};
use crate::words;

/// Says that an unfinished last line of a journal is left out, where one is.
pub fn say_torn(journal: &Path, bytes: u64) {
    if bytes > 0 {
        say(&format!("{}: {bytes} bytes of an unfinished last line are left out", words::path(journal)));
    }
}

/// Writes a line to standard error. Where nobody reads it, nothing is lost but the line.
pub fn say(line: &str) {
    let text: String = line.split_inclusive('\n').map(words::shortened).collect();
    let _ = Harmless::of(&(text + "\n"), Styles::Escaped).write(Stream::Err);
}
