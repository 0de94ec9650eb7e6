//! The process that confines itself and becomes a bot: `arena confine POLICY -- PROGRAM ARGUMENTS`. No user types it. And
//! what its author is told of a bot that does not bear it.

use std::env;
use std::error::Error as _;
use std::process::ExitCode;

/// The exit code of a process that could not be confined, as programs that start others have it.
const FAILED: u8 = 125;

/// What programs say when the system refuses them something.
const REFUSALS: [&str; 9] = [
    "Permission denied",
    "Operation not permitted",
    "PermissionError",
    "PermissionDenied",
    "AccessDenied",
    "EACCES",
    "EPERM",
    "ModuleNotFoundError",
    "Cannot find module",
];

/// Returns what the author of a confined bot is to know, where the end of its standard error says that something was
/// refused to it.
pub(crate) fn advice(stderr: &[String]) -> Option<&'static str> {
    let is_refused = |line: &String| REFUSALS.iter().any(|words| line.contains(words));
    stderr.iter().any(is_refused).then_some(
        "the sandbox may have refused it something: a bot writes only below `$HOME`, a private directory, and reads only the \
         system's programs and its own directory, without a network. Name what it needs under `write:` or `read:` of the key \
         `sandbox`, or trust it with `sandbox: none`",
    )
}

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
