//! What a fault breaks of the protocol, and what its author can do about it.

use std::borrow::Cow;

use protocol::{MAX_BOT_LINE, MAX_LINES_PER_PLY, MAX_OUTPUT_PER_PLY};
use record::Termination;
use runner::BotFailure;

use super::refused;

/// Returns the rule of the protocol that was broken, in a sentence.
pub(super) fn rule(failure: &BotFailure) -> Cow<'static, str> {
    let rule = match failure.termination {
        Termination::Timeout => {
            "A bot answers `go` with `bestmove` within its clock or the time for its turn; the clock runs from the \
             writing of `go` to the reading of the whole line, and an overrun of more than the margin is a fault."
        }
        Termination::Crash => {
            "A bot lives and keeps its standard input and output open until the arena sends `quit`."
        }
        Termination::Stall => {
            "A bot reads what it is sent, and answers `ugi` with `ugiok` and `isready` with `readyok` in time."
        }
        Termination::IllegalMove => "A bot answers `go` with a legal ply of the position that it was sent.",
        Termination::BadMove => {
            "An answer is `bestmove` and a ply, spelled as the page of the game says; several plies only of one turn."
        }
        Termination::Flood => {
            return Cow::Owned(format!(
                "A bot writes lines of at most {} KiB, and at most {} MiB and {MAX_LINES_PER_PLY} lines for one ply, log \
                 output included.",
                MAX_BOT_LINE / 1024,
                MAX_OUTPUT_PER_PLY / 1024 / 1024
            ));
        }
        Termination::Resource => "A bot stays within the limits on memory and processor time.",
        Termination::Rejected => {
            "A bot that plays a game answers its set-up with `readyok`, not with `reject`."
        }
        Termination::SpawnFailed => "A bot starts, and introduces itself with `ugiok` before it ends.",
        Termination::Rules(_)
        | Termination::AdjudicatedWin
        | Termination::AdjudicatedDraw
        | Termination::PlyLimit
        | Termination::Resign
        | Termination::Withdrawn
        | Termination::ArenaError
        | Termination::Aborted => "No rule was broken.",
    };
    Cow::Borrowed(rule)
}

/// Returns what to look at, a sentence each.
pub(super) fn advice(failure: &BotFailure, is_silent: bool) -> Vec<String> {
    if let Some(flush) = &failure.flush {
        return vec![format!(
            "The bot did write the awaited line, and kept it in a buffer: it came when the arena closed its input. Flush \
             stdout after every line; {flush}."
        )];
    }
    let mut advice: Vec<&str> = Vec::new();
    match failure.termination {
        Termination::Timeout | Termination::Stall if is_silent => {
            advice.push(
                "Nothing came at all: the bot waits for something that never comes, or thinks too long. If it writes \
                 answers, flush the standard output after every line (Python `print(…, flush=True)`, C \
                 `fflush(stdout)`, Java `System.out.flush()`).",
            );
        }
        Termination::Timeout => {
            advice.push("Answer within the `budget=` of `go`, in milliseconds: that never loses on time.");
            advice.push("The clocks that `go` tells are in milliseconds, and yours is that of your seat.");
        }
        Termination::Stall => {
            advice.push("Answer `isready` with `readyok` as soon as the line is read, also between games.");
        }
        Termination::Crash => {
            advice.push("The end of the standard error below usually names the line of the program.");
            match failure.exit.as_deref() {
                Some("exit 0") => {
                    advice.push("The status is 0: the program came to its end. Read lines until `quit`.");
                }
                Some("signal 9") => {
                    advice.push("Signal 9 comes from outside: often the system, when memory runs out.");
                }
                Some("signal 11") => advice.push("Signal 11 is an access to memory that is not there."),
                Some("signal 6") => {
                    advice.push("Signal 6 is an abort: an assertion or an allocation failed.");
                }
                Some("exit 127" | "exit 126") => {
                    advice.push("This status comes from a shell that cannot run what it was given.");
                }
                _ => {}
            }
        }
        Termination::IllegalMove => {
            advice.push(
                "`position` holds the whole history: begin from the start position every time, or let the arena tell: \
                 a bot that says `want legal` or `want board` gets the list of legal plies or the position.",
            );
            advice.push("`arena position GAME` shows the board and the legal plies of any position.");
        }
        Termination::BadMove => {
            advice.push("For example `bestmove a2a4`; `arena position GAME` shows how plies are spelled.");
        }
        Termination::Flood => {
            advice.push(
                "Write less: `info` lines a few times a second, everything else to the standard error.",
            );
        }
        Termination::Rejected => {
            advice.push("Name the games and options that the bot plays in its `plays` line.");
        }
        Termination::SpawnFailed => {
            advice.push("Run the command by hand in the directory above, type `ugi`, and expect `ugiok`.");
        }
        Termination::Resource
        | Termination::Rules(_)
        | Termination::AdjudicatedWin
        | Termination::AdjudicatedDraw
        | Termination::PlyLimit
        | Termination::Resign
        | Termination::Withdrawn
        | Termination::ArenaError
        | Termination::Aborted => {}
    }
    let refused = refused::advice(&failure.stderr).filter(|_| failure.is_confined);
    let refused = refused.map(|advice| format!("By the standard error below, {advice}."));
    advice.into_iter().map(str::to_owned).chain(refused).collect()
}
