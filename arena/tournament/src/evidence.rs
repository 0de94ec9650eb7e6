//! What explains the games of a run, beside its journal: `faults/GAME.txt` for a game that ended by a fault (`faults/GAME-SEAT.txt` at a table of more than two), and
//! `transcripts/GAME.txt` for every game where that was asked for.
//!
//! Files are written once the game is in the journal, so that none speaks of a game that is not there. A file
//! that cannot be written is told once and holds nothing up: the journal alone is the truth.

mod advice;
mod dialogue_hints;
mod exchange;
mod page;
mod refused;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use diagnostic::output;
use protocol::printable;
use record::GameRecord;
use rules::Seat;
use runner::{BotFailure, Spoken};

/// The directory of the pages about faults, within that of the run.
pub const FAULTS: &str = "faults";

/// The directory of the transcripts, within that of the run.
pub const TRANSCRIPTS: &str = "transcripts";

/// How many pages are kept of one kind of fault of one bot: a broken bot must not fill the disk.
const MOST_OF_A_KIND: u32 = 20;

/// What explains the games of a run.
#[derive(Debug, Default)]
pub(crate) struct EvidenceFiles {
    /// The run's directory; nothing is kept without one.
    directory: Option<PathBuf>,
    /// How many pages there are, by their title without the number of the game.
    kept: HashMap<String, u32>,
    /// The faults of games that are not in the journal yet, by number.
    failures: HashMap<u64, Vec<BotFailure>>,
    /// The transcripts of such games.
    transcripts: HashMap<u64, String>,
    has_failed: bool,
}

impl EvidenceFiles {
    /// Goes on with what a run's directory holds.
    pub(crate) fn of(directory: Option<&Path>) -> Self {
        let mut evidence = Self { directory: directory.map(Path::to_path_buf), ..Self::default() };
        let Some(directory) = directory else { return evidence };
        for entry in fs::read_dir(directory.join(FAULTS)).into_iter().flatten().flatten() {
            if let Some(kind) = kind_of(&entry.path()) {
                *evidence.kept.entry(kind).or_insert(0) += 1;
            }
        }
        evidence
    }

    /// Takes the fault of a game that is about to end.
    pub(crate) fn fault(&mut self, failure: BotFailure) {
        self.failures.entry(failure.game).or_default().push(failure);
    }

    /// Takes the lines of a game that is about to end.
    pub(crate) fn transcript(&mut self, game: u64, text: String) {
        if self.directory.is_some() {
            self.transcripts.insert(game, text);
        }
    }

    /// Writes what explains a game that is in the journal now. Returns what the user is to be told.
    pub(crate) fn game_finished(&mut self, game: &GameRecord) -> Vec<String> {
        self.keep(game, "")
    }

    /// Writes what explains a game that was void for this many times now. Returns what the user is to be told.
    pub(crate) fn game_void(&mut self, game: &GameRecord, times: usize) -> Vec<String> {
        self.keep(game, &format!("-void-{times}"))
    }

    /// Writes what explains a game to files whose names end as `attempt` says. At a table of more than two, tells of each fault in
    /// which place the seat came.
    fn keep(&mut self, game: &GameRecord, attempt: &str) -> Vec<String> {
        let mut told = Vec::new();
        if let Some((directory, text)) = self.directory.clone().zip(self.transcripts.remove(&game.number)) {
            let text = format!("{}\n{text}", page::heading(game));
            let path = directory.join(TRANSCRIPTS).join(format!("{}{attempt}.txt", game.number));
            told.extend(self.write(&path, &text));
        }
        for failure in self.failures.remove(&game.number).unwrap_or_default() {
            let seat = Seat::new(usize::from(failure.seat).saturating_sub(1)).unwrap_or(Seat::P1);
            let place = game.result.place(seat).filter(|_| game.seats.len() > 2);
            let place = place.map(|place| {
                format!("`{}` ({seat}): place {place} of {}", printable(&failure.bot), game.seats.len())
            });
            let page = self.keep_page(&failure, game, seat, attempt, &mut told);
            let words: Vec<_> = place.into_iter().chain(page).collect();
            if !words.is_empty() {
                told.push(format!("  {}", words.join("; ")));
            }
        }
        told
    }

    /// Writes the page about a fault, unless there are enough of its kind. Returns where it is, and adds a complaint to `told`.
    fn keep_page(
        &mut self,
        failure: &BotFailure,
        game: &GameRecord,
        seat: Seat,
        attempt: &str,
        told: &mut Vec<String>,
    ) -> Option<String> {
        let directory = self.directory.clone()?;
        let kept = self.kept.entry(kind(failure)).or_insert(0);
        if *kept >= MOST_OF_A_KIND {
            return None;
        }
        *kept += 1;
        let is_last = *kept == MOST_OF_A_KIND;
        let name = fault_page(game.number, game.seats.len(), seat).replace(".txt", &format!("{attempt}.txt"));
        let path = directory.join(FAULTS).join(name);
        let page = page::text(failure, game, &directory);
        if let Some(complaint) = self.write(&path, &page) {
            told.push(complaint);
            return None;
        }
        let rest = if is_last { "; further ones of this kind are not kept" } else { "" };
        Some(format!("more in {}{rest}", output::path(&path)))
    }

    /// Writes a file and returns the complaint of the first one that fails.
    fn write(&mut self, path: &Path, text: &str) -> Option<String> {
        let folder = path.parent().unwrap_or(path);
        let error = fs::create_dir_all(folder).and_then(|()| fs::write(path, text)).err()?;
        let is_first = !std::mem::replace(&mut self.has_failed, true);
        is_first.then(|| format!("failed to write `{}`: {error}; the games continue", output::path(path)))
    }
}

/// Returns the rule of the protocol that a fault breaks, and what to look at, a sentence each.
pub fn advice(failure: &BotFailure) -> Vec<String> {
    let mut sentences = vec![advice::rule(failure).into_owned()];
    sentences.extend(dialogue_hints::hints(failure));
    sentences.extend(advice::advice(failure, exchange::is_silent(failure)));
    sentences
}

/// Returns what the author of a confined bot is to know, where the end of its standard error says that something was
/// refused to it.
pub(crate) fn refused(stderr: &[String]) -> Option<&'static str> {
    refused::advice(stderr)
}

/// Returns what the lines of a bot that failed give away, a sentence each, fit to be shown.
pub(crate) fn dialogue_hints(failure: &BotFailure) -> Vec<String> {
    dialogue_hints::hints(failure)
}

/// Returns what is likely to be wrong with a bot that could not be greeted, a sentence each, fit to be shown.
pub(crate) fn greeting_hints(spoken: &Spoken) -> Vec<String> {
    dialogue_hints::greeting_hints(spoken)
}

/// Returns the name of the page about the fault of a seat: `17.txt`; at a table of more than two, where several seats may fail in one game,
/// `17-p3.txt`.
pub fn fault_page(game: u64, seats: usize, seat: Seat) -> String {
    if seats > 2 { format!("{game}-{seat}.txt") } else { format!("{game}.txt") }
}

/// Reads the name of such a page without `.txt`: the number of the game, and the seat where the name has one.
pub fn parse_fault_page(stem: &str) -> Option<(u64, Option<Seat>)> {
    match stem.split_once('-') {
        Some((game, seat)) => Some((game.parse().ok()?, Some(seat.parse().ok()?))),
        None => Some((stem.parse().ok()?, None)),
    }
}

/// Returns the title of a page without the number of the game: the bot and how it failed.
fn kind(failure: &BotFailure) -> String {
    format!("`{}`: {}", printable(&failure.bot), failure.termination)
}

/// Reads the same from a page.
fn kind_of(page: &Path) -> Option<String> {
    let mut start = Vec::new();
    let read = |file: File| file.take(4096).read_to_end(&mut start).and(Ok::<(), io::Error>(()));
    record::open_regular(page).and_then(read).ok()?;
    let start = String::from_utf8_lossy(&start).into_owned();
    let (_, kind) = start.lines().next()?.split_once(": ")?;
    Some(kind.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_page_says_the_game_and_at_a_table_the_seat() {
        for (seats, seat, name) in [(2, Seat::P1, None), (2, Seat::P2, None), (4, Seat::P2, Some(Seat::P2))] {
            let page = fault_page(17, seats, seat);
            assert_eq!(parse_fault_page(page.trim_end_matches(".txt")), Some((17, name)), "{page}");
        }
        for other in ["", "x", "17-", "17-void-1", "-p1", "17-p9x"] {
            assert_eq!(parse_fault_page(other), None, "{other}");
        }
    }
}
