//! The terminal: its width, and whether it takes colours and Unicode.

use std::env;
use std::ffi::OsString;

use comfy_table::Table;

use crate::harmless::{Stream, is_terminal};

/// The width of a text that does not go to a terminal, in columns.
pub const PLAIN_WIDTH: usize = 100;

/// Returns the width of the terminal, or [`PLAIN_WIDTH`] where there is none.
pub fn width() -> usize {
    Table::new().width().map_or(PLAIN_WIDTH, usize::from).max(40)
}

/// Returns whether messages on standard error are coloured: on a terminal, unless `NO_COLOR` is set.
pub fn is_coloured() -> bool {
    is_styled(Stream::Err)
}

/// Returns whether text for a stream may be coloured: it goes to a terminal, and the environment allows it.
#[must_use]
pub fn is_styled(stream: Stream) -> bool {
    is_terminal(stream) && may_colour()
}

/// Returns whether the environment lets text on a terminal be coloured: `NO_COLOR` and `TERM=dumb` forbid it.
#[must_use]
pub fn may_colour() -> bool {
    variable("NO_COLOR").is_none() && variable("TERM").is_none_or(|term| term != "dumb")
}

/// Returns whether the locale's characters are Unicode: of `LC_ALL`, `LC_CTYPE` and `LANG` the first that is set decides.
#[must_use]
pub fn is_unicode() -> bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(variable);
    locale.is_some_and(|locale| {
        let locale = locale.to_string_lossy().to_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Returns a variable of the environment that is set and not empty.
fn variable(name: &str) -> Option<OsString> {
    env::var_os(name).filter(|value| !value.is_empty())
}
