//! What the bot says: both the main loop and the reader of lines write it.

use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use protocol::BotMessage;

/// Writes one line, in one piece and at once.
pub(crate) fn write_line(output: &Mutex<impl Write>, message: &BotMessage) -> io::Result<()> {
    let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
    output.write_all(format!("{message}\n").as_bytes())?;
    output.flush()
}
