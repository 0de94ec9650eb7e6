//! `arena report DIR --bot NAME`: what the author of one bot may see.
//!
//! The games of the bot, a page for browsers, and the pages about its own faults, which hold what it wrote to its standard error. Nothing
//! that another bot wrote there is in any of it, nor the lines between the arena and another bot.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use diagnostic::{Failure, output};
use outputs::OutputError;
use page::{AuthorBlock, ListedAuthor};
use protocol::printable;
use record::{GameResult, GameSummary, PackedGames, RunSummary};
use rules::Seat;
use sha2::{Digest as _, Sha256};
use tournament::evidence;
use tournament_file::file_name;

/// The directory of what authors may see, within that of the run.
const AUTHORS: &str = "authors";

/// The page for browsers in each of them, and the list of these pages beside them.
const INDEX: &str = "index.html";

/// How many faults are explained on a page, and how many games are listed.
const MOST_EXPLAINED: usize = 40;
const MOST_ROWS: usize = 500;

/// The most bytes of a page about a fault.
const MOST_BYTES: u64 = 4 << 20;

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
    let is_own = |game: &GameSummary<'_>| game.seats().iter().any(|seat| seat.bot == bot);
    let games = contents.games.iter().filter(is_own).collect();
    let own = RunSummary {
        runs: contents.runs.clone(),
        games,
        catalogue: contents.catalogue.clone(),
        ..RunSummary::default()
    };
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
    let lost = |game: &GameSummary<'_>| game.faults().any(|(seat, _)| game.seats()[seat].bot == bot);
    let mut written = Written { directory, games: own.games.len() as u64, faults: 0, pages: 0 };
    let mut explained = Vec::new();
    for game in own.games.iter().filter(lost) {
        written.faults += 1;
        let seats = game.seats();
        let failed_seat = game.faults().map(|(seat, _)| seat).find(|seat| seats[*seat].bot == bot);
        let Some(seat) = failed_seat else { continue };
        let name = evidence::fault_page(game.number, seats.len(), seat);
        let (from, to) = (run.join(evidence::FAULTS).join(&name), pages.join(&name));
        // Of many faults of one kind only the first have pages.
        if from.is_file() {
            fs::copy(&from, &to).map_err(failed(&to))?;
            written.pages += 1;
            if explained.len() < MOST_EXPLAINED {
                let text = record::read_regular(&to, MOST_BYTES).map_err(failed(&to))?;
                explained.push((game, String::from_utf8_lossy(&text).into_owned()));
            }
        }
    }
    let path = written.directory.join(INDEX);
    let blocks = blocks(&own.games, bot, &explained);
    let summary = format!(
        "{}, {} lost by faults",
        output::count(written.games, "game"),
        if written.faults == 0 { "none".to_owned() } else { written.faults.to_string() }
    );
    fs::write(&path, page::author_page(bot, &summary, &blocks, &contents.catalogue))
        .map_err(failed(&path))?;
    Ok(written)
}

/// Writes the same for every bot of a run, and a list of their pages.
///
/// # Errors
/// When something cannot be read or written.
pub(super) fn write_all(run: &Path, contents: &RunSummary) -> Result<Vec<Written>, Failure> {
    let bots: BTreeSet<_> =
        contents.runs.iter().flat_map(|run| &run.config.bots).map(|bot| &bot.name).collect();
    let (mut all, mut listed) = (Vec::new(), Vec::new());
    for bot in bots {
        let written = write(run, contents, bot)?;
        listed.push(ListedAuthor {
            name: bot.clone(),
            link: format!("{}/{INDEX}", directory_name(bot).replace('%', "%25")),
            verdict: output::count(written.faults, "fault"),
            about: output::count(written.games, "game"),
        });
        all.push(written);
    }
    let path = run.join(AUTHORS).join(INDEX);
    fs::write(&path, page::author_list("Authors", &listed))
        .map_err(|error| Failure::io(format!("failed to write `{}`", path.display()), &error))?;
    Ok(all)
}

/// Returns the parts of an author's page: what was played, and the games that were lost by faults, with what explains them.
fn blocks(games: &PackedGames, bot: &str, explained: &[(GameSummary<'_>, String)]) -> Vec<AuthorBlock> {
    let mut blocks = Vec::new();
    let heading = |level, text: &str| AuthorBlock::Heading(level, text.to_owned());
    if !explained.is_empty() {
        blocks.push(heading(2, "Games lost by faults"));
        blocks.push(AuthorBlock::Text(
            "Fix the first one: others often follow from it. `arena check -- COMMAND` tests the bot on your machine.".to_owned(),
        ));
    }
    for (game, text) in explained {
        let (title, rest) = text.split_once('\n').unwrap_or((text, ""));
        blocks.push(heading(2, title));
        blocks.extend(sections(rest, game.label()));
    }
    blocks.push(heading(2, "Games"));
    let row = |game: &GameSummary<'_>| {
        let seats = game.seats();
        let seat = seats.seats().find(|seat| seats[*seat].bot == bot).unwrap_or(Seat::P1);
        let others = seats.by_seat().filter(|(other, _)| *other != seat).map(|(_, other)| other.bot.as_str());
        let result = match (game.result, game.result.place(seat)) {
            (GameResult::None, _) => "does not count".to_owned(),
            (GameResult::Places(_), Some(place)) => format!("place {place} of {}", seats.len()),
            (GameResult::Draw, _) => "drawn".to_owned(),
            (_, Some(1)) => "won".to_owned(),
            _ => "lost".to_owned(),
        };
        vec![
            game.number.to_string(),
            game.label().to_owned(),
            seat.to_string(),
            others.collect::<Vec<_>>().join(", "),
            result,
            game.out(seat).map_or(game.reason, |out| out.reason).to_string(),
            game.plies.to_string(),
        ]
    };
    let head = ["No.", "game", "seat", "against", "result", "end", "plies"].map(str::to_owned).to_vec();
    blocks.push(AuthorBlock::Table {
        head,
        rows: games.iter().take(MOST_ROWS).map(|game| row(&game)).collect(),
    });
    if games.len() > MOST_ROWS {
        let more = games.len() - MOST_ROWS;
        blocks.push(AuthorBlock::Text(format!(
            "{more} more are in `games.csv` and `games.pgn` beside this page."
        )));
    }
    blocks
}

/// Returns the sections of a page about a fault: titles stand at the margin, everything else is indented.
fn sections(text: &str, label: &str) -> Vec<AuthorBlock> {
    let mut blocks = Vec::new();
    let mut lines = text.lines().filter(|line| !line.trim().is_empty()).peekable();
    while let Some(title) = lines.next() {
        let mut body = Vec::new();
        while let Some(line) = lines.next_if(|line| line.starts_with(' ')) {
            body.push(line.strip_prefix("  ").unwrap_or(line).to_owned());
        }
        blocks.push(AuthorBlock::Heading(3, title.to_owned()));
        if title.starts_with("The position before") && !body.is_empty() {
            let position = body.remove(0);
            blocks.push(AuthorBlock::Position { game: label.to_owned(), position });
        }
        if ["What happened", "The rule", "What to do"].contains(&title) {
            blocks.push(AuthorBlock::Text(body.join(" ")));
        } else {
            blocks.push(AuthorBlock::Lines(body));
        }
    }
    blocks
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
    fn a_page_about_a_fault_keeps_its_sections_and_draws_its_position() {
        let text = "\nWhat to do\n  Flush\n  now.\n\nThe position before ply 4\n  bbb/b1w/www p1 quiet=0\n\n  2 legal plies:\n  a b\n";
        let text_of = |text: &str| AuthorBlock::Text(text.to_owned());
        let heading = |text: &str| AuthorBlock::Heading(3, text.to_owned());
        let position = AuthorBlock::Position {
            game: "fanorona size=3x3".to_owned(),
            position: "bbb/b1w/www p1 quiet=0".to_owned(),
        };
        assert_eq!(
            sections(text, "fanorona size=3x3"),
            [
                heading("What to do"),
                text_of("Flush now."),
                heading("The position before ply 4"),
                position,
                AuthorBlock::Lines(vec!["2 legal plies:".to_owned(), "a b".to_owned()]),
            ]
        );
    }

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
