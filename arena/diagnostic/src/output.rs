//! Writing to the user: data to standard output.

use std::io;

use crate::failure::Failure;
use crate::harmless::{self, Harmless, Stream, Styles};
pub use crate::terminal::{PLAIN_WIDTH, is_coloured, is_styled, is_unicode, may_colour, width};
pub use crate::words::{command_line, count, path, quoted, shortened, span, wrap};

/// Writes `text` to standard output.
///
/// # Errors
/// When it cannot be written. A reader that has gone away (`arena games | head`) is no fault: the command then
/// ends quietly.
pub fn print(text: &str) -> Result<(), Failure> {
    write(text).map_err(|error| failure(&error))
}

/// Writes a picture to standard output.
///
/// # Errors
/// As [`print()`], and when standard output is a terminal.
pub fn print_picture(bytes: &[u8]) -> Result<(), Failure> {
    harmless::write_picture(bytes).map_err(|error| failure(&error))
}

/// Turns a fault of standard output into one for the user: none where its reader has gone away.
pub fn failure(error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::BrokenPipe => Failure::quiet(),
        _ => fault(error),
    }
}

/// Writes `text` to standard output; if its reader has gone away, the command continues without it.
///
/// # Errors
/// When it cannot be written for another reason.
pub fn print_if_read(text: &str) -> Result<(), Failure> {
    match write(text) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(fault(&error)),
        _ => Ok(()),
    }
}

fn write(text: &str) -> io::Result<()> {
    let styles = if is_styled(Stream::Out) { Styles::Kept } else { Styles::Escaped };
    Harmless::of(text, styles).write(Stream::Out)
}

fn fault(error: &io::Error) -> Failure {
    Failure::io("failed to write to standard output", error)
}
