//! The process that confines itself and becomes a bot: `arena confine POLICY -- PROGRAM ARGUMENTS`. No user types it.

use std::env;
use std::error::Error as _;
use std::process::ExitCode;

/// The exit code of a process that could not be confined, as programs that start others have it.
const FAILED: u8 = 125;

/// Becomes a bot, where the command line says so. Returns only where it does not, or how it failed.
pub(crate) fn run() -> Option<ExitCode> {
    let mut words = env::args_os().skip(1);
    if words.next()? != "confine" {
        return None;
    }
    let Err(error) = sandbox::confine(words);
    let cause = error.source().map_or_else(String::new, |cause| format!(": {cause}"));
    diagnostic::say(&format!("error: {error}{cause}"));
    Some(FAILED.into())
}
