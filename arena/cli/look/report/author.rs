//! `arena report DIR --bot NAME`: what the author of one bot may see.
//!
//! The games of the bot, and the pages about its own faults, which hold what it wrote to its standard error. Nothing
//! that another bot wrote there is in any of it, nor the lines between the arena and another bot.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use diagnostic::Failure;
use protocol::printable;
use record::{GameSummary, RunSummary};
use sha2::{Digest as _, Sha256};
use tournament::evidence;
use tournament::outputs::{self, OutputError};
use tournament_file::file_name;

/// The directory of what authors may see, within that of the run.
const AUTHORS: &str = "authors";

/// What was written for an author.
pub(super) struct Written {
    /// The directory.
    pub(super) directory: PathBuf,
    /// How many games the bot played.
    pub(super) games: u64,
    /// How many games it lost by a fault.
    pub(super) faults: u64,
    /// How many of these have a page.
    pub(super) pages: u64,
}

/// Writes what the author of a bot may see into a directory of its own, in the place of what stood there.
///
/// # Errors
/// When the run has no such bot, and when something cannot be read or written.
pub(super) fn write(run: &Path, contents: &RunSummary, bot: &str) -> Result<Written, Failure> {
    let configured = contents.runs.iter().flat_map(|run| &run.config.bots).map(|bot| bot.name.as_str());
    let known: BTreeSet<_> = configured.collect();
    if !known.contains(bot) {
        let failure = Failure::usage(format!("the run has no bot `{}`", printable(bot)));
        return Err(failure.hint(match rules::nearest(bot, known.iter().copied()) {
            Some(near) => format!("did you mean `{}`?", printable(near)),
            None => {
                format!("its bots are {}", known.into_iter().map(printable).collect::<Vec<_>>().join(", "))
            }
        }));
    }
    let is_own = |game: &&GameSummary| game.seats.iter().any(|seat| seat.bot == bot);
    let games: Vec<_> = contents.games.iter().filter(is_own).cloned().collect();
    let own = RunSummary { runs: contents.runs.clone(), games, ..RunSummary::default() };
    let directory = run.join(AUTHORS).join(directory_name(bot));
    let failed = |path: &Path| {
        let path = path.display().to_string();
        move |error: std::io::Error| Failure::io(format!("failed to write `{path}`"), &error)
    };
    // What was written earlier may be about games that are no longer those of this bot.
    if directory.exists() {
        fs::remove_dir_all(&directory).map_err(failed(&directory))?;
    }
    let pages = directory.join(evidence::FAULTS);
    fs::create_dir_all(&pages).map_err(failed(&pages))?;
    outputs::write_games(run, &own, &directory).map_err(|error| match error {
        OutputError::Journal(error) => tournament::failure(&error),
        OutputError::Write { path, source } => failed(&path)(source),
    })?;
    let lost = |game: &&GameSummary| game.fault().is_some_and(|seat| game.seats[seat.index()].bot == bot);
    let mut written = Written { directory, games: own.games.len() as u64, faults: 0, pages: 0 };
    for game in own.games.iter().filter(lost) {
        written.faults += 1;
        let name = evidence::file_name(game.number);
        let (from, to) = (run.join(evidence::FAULTS).join(&name), pages.join(&name));
        // Of many faults of one kind only the first have pages.
        if from.is_file() {
            fs::copy(&from, &to).map_err(failed(&to))?;
            written.pages += 1;
        }
    }
    Ok(written)
}

/// The longest name of a directory, in bytes: systems take 255.
const LONGEST: usize = 200;

/// Returns a name of a directory that no other bot has: letters, digits, `-` and `_` as they are, the bytes of
/// anything else as `%` and two digits. Of a name that is too long a digest stands for the end.
fn directory_name(bot: &str) -> String {
    let mut name = String::new();
    for (index, letter) in bot.chars().enumerate() {
        // A file system of Windows has devices with names.
        let is_plain = letter.is_alphanumeric() || "-_".contains(letter);
        if is_plain && !(index == 0 && file_name::is_device(bot)) {
            name.push(letter);
        } else {
            name.extend(letter.to_string().bytes().map(|byte| format!("%{byte:02x}")));
        }
    }
    if name.len() > LONGEST {
        name = file_name::cut(&name, LONGEST).to_owned();
        name.extend(Sha256::digest(bot).iter().take(8).map(|byte| format!("{byte:02x}")));
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_directories_are_harmless_and_unique() {
        assert_eq!(directory_name("my-bot_2"), "my-bot_2");
        assert_eq!(directory_name("été 1"), "été%201");
        assert_eq!(directory_name("../a b%"), "%2e%2e%2fa%20b%25");
        assert_eq!((directory_name("Nul"), directory_name("null")), ("%4eul".to_owned(), "null".to_owned()));
        let long = ["x", "y"].map(|end| directory_name(&("\u{10437}".repeat(79) + end)));
        assert!(long[0] != long[1] && long[0].len() == 216, "{long:?}");
    }
}
