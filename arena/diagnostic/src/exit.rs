//! The exit codes of all commands.

use std::fmt::Write as _;
use std::process::ExitCode;

/// How a command ended, for the program or person that started it. A bug that panics ends with 101 by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// What was asked is done; where a question was asked, the answer is yes.
    Done = 0,
    /// The answer is no: a test failed, or a check found problems.
    No = 1,
    /// There is an error in the command line or the tournament file; nothing was done.
    Usage = 2,
    /// There is no verdict: a test is inconclusive, or nothing could be played.
    NoVerdict = 3,
    /// Reading or writing failed.
    Io = 4,
    /// Everything was played that could be, with bots withdrawn.
    Withdrawn = 5,
    /// The user interrupted; everything finished so far is written.
    Interrupted = 130,
}

impl Exit {
    const ALL: [(Self, &'static str); 7] = [
        (Self::Done, "done"),
        (Self::No, "the answer is no"),
        (Self::Usage, "there is an error in the command line or the tournament file"),
        (Self::NoVerdict, "no verdict, or nothing could be played"),
        (Self::Io, "reading or writing failed"),
        (Self::Withdrawn, "played, with bots withdrawn"),
        (Self::Interrupted, "interrupted, everything finished is written"),
    ];
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Returns the exit codes as a text for `--help`.
pub fn table() -> String {
    let mut text = "Exit codes:\n".to_owned();
    for (exit, meaning) in Exit::ALL {
        let _ = writeln!(text, "  {:>3}  {meaning}", exit as u8);
    }
    text + "  101  a bug in the arena"
}
