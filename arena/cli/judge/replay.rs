//! `arena replay FILE…`: referees recorded games again and says what does not hold, or shows one as a picture.

mod film;
mod tell;

use std::path::{Path, PathBuf};

use audit::{GameProblem, RecordedGames, audit};
use diagnostic::Exit;
use diagnostic::{Diagnostic, Failure, output};
use rules::Catalogue;

use crate::judge::replay::film::FilmArguments;
use crate::judge::replay::tell::ReplaySummary;
use crate::own_games_arguments::OwnGamesArguments;

/// Referees recorded games again: every ply, result and clock; or shows one as an animated picture.
///
/// Reads journals and game logs, the safe form included, of any size. Says of every game the first thing that
/// does not hold, and what the rules say instead. A loss by a fault and a resignation cannot be refereed: that
/// is said, and what can be checked of them is. Ends with 1 when something does not hold, with 4 when a file
/// cannot be read.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: `arena replay results/cup/games.pgn`. Exit code 1: something does not hold."
)]
pub(crate) struct Arguments {
    /// A run's directory, a journal or a game log
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Write lines of JSON instead: one for each problem, then one for each file
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    own_games: OwnGamesArguments,
    #[command(flatten)]
    film: FilmArguments,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let named = self.own_games.catalogue()?;
        if let Some(exit) = self.film.run(&self.files, &named)? {
            return Ok(exit);
        }
        let mut has_problems = false;
        let mut unreadable = Vec::new();
        for path in &self.files {
            let mut summary = ReplaySummary::new(&path.display().to_string());
            let end = self.replay(path, &named, &mut summary)?;
            let end = end.map(|words| output::shortened(&words).into_owned());
            has_problems |= summary.problems > 0;
            let text = if self.json { summary.to_json(end.as_ref()) } else { summary.to_text(end.is_none()) };
            output::print(&text)?;
            unreadable.extend(end.map(Diagnostic::new));
        }
        if unreadable.is_empty() {
            Ok(if has_problems { Exit::No } else { Exit::Done })
        } else {
            Err(Failure::new(Exit::Io, unreadable))
        }
    }

    /// Referees the games of a file and prints what does not hold. Returns why it cannot be read to its end.
    fn replay(
        &self,
        path: &Path,
        named: &Catalogue,
        summary: &mut ReplaySummary,
    ) -> Result<Option<String>, Failure> {
        let catalogue = own_games::with_modules_beside(path, named.clone());
        let mut games = match RecordedGames::open(path) {
            Ok(games) => games,
            Err(fault) => return Ok(Some(fault)),
        };
        for game in games.by_ref() {
            let game = match game {
                Ok(game) => game,
                Err(fault) => return Ok(Some(fault)),
            };
            match audit(&game, &catalogue).map_err(GameProblem::bounded) {
                Ok(audited) => summary.add(&game, audited),
                Err(problem) => {
                    let text = match self.json {
                        true => summary.problem_to_json(&game, &problem),
                        false => summary.problem_to_text(&game, &problem),
                    };
                    summary.add_problem(&game);
                    output::print(&text)?;
                }
            }
        }
        summary.torn = games.torn();
        Ok(None)
    }
}
