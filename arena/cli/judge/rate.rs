//! `arena rate FILE…`: ratings from any journals and game logs.

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use diagnostic::Exit;
use diagnostic::{Diagnostic, Failure, output};
use diagnostic::{say, say_torn};
use jiff::Timestamp;
use jiff::civil::Date;
use protocol::printable;
use record::{LoggedGameReader, PgnScanner};
use report::{By, Filter, Pool, RateError, RateSettings};
use stats::{Errors, Prior, RIDGE_SIGMA};

use tournament_file::game_options::{self, GameWords};

use crate::output_format::{Output, TableFormat};
use crate::terminal;

/// How much of a file tells what it is.
const START: u64 = 4096;

/// How many fits a bootstrap takes: the standard error of a standard error is then 2 %.
const BOOTSTRAP_FITS: u32 = 1000;

/// How much is read at a time.
const CHUNK: usize = 1 << 18;

/// Rates the players of any journals and game logs, merged.
///
/// A game log may be anybody's PGN: of its moves only what repeats is looked at, and a game without the tag `Variant` is
/// the game `standard`. Draws may be spelled `½-½`, `1/2` or `0.5-0.5`; byes, games given without play (`+--`), unfinished
/// games and those with an unknown result or without a player are left out and counted. A pair of games that repeats another one
/// ply for ply counts once, and so does a file given twice. Files of any size are read once; memory is some fifty bytes a game.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples: `arena rate results/cup`, `arena rate old.pgn results/cup --anchor greedy=1500`."
)]
pub(crate) struct Arguments {
    /// A run's directory, a journal, a game log, or `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Only this game: an id such as `fanorona`, or with options `fanorona:size=5x5`. May be repeated
    #[arg(long = "game", value_name = "GAME")]
    games: Vec<String>,
    /// Only games in which this bot plays. May be repeated: games of any of them
    #[arg(long = "bot", value_name = "NAME")]
    bots: Vec<String>,
    /// Only games begun then or later: `2026-11-21`, or `2026-11-21T09:30:00Z`
    #[arg(long, value_name = "TIME", value_parser = since)]
    since: Option<String>,
    /// Give this player this rating; all others count from it
    #[arg(long, value_name = "NAME=ELO", value_parser = anchor, allow_hyphen_values = true)]
    anchor: Option<(String, f64)>,
    /// `ridge`: a prior holds every figure. `none`: what is not tied together by results is rated separately.
    /// Otherwise the prior is used only where the games hold no finite figures
    #[arg(long, value_name = "none|ridge", hide_possible_values = true)]
    prior: Option<PriorWord>,
    /// What tells players apart: `name`, name and `version`, or these and the `hash` of the bot
    #[arg(long, value_name = "WHAT", default_value = "version", hide_possible_values = true)]
    by: ByWord,
    /// Where the errors come from: `clusters` (what shares an opening or a pair is one observation; the default), the plain
    /// sandwich for large samples by `pair` or by `game`, the `model`, or a `bootstrap` of 1000 fits to check them by
    #[arg(long, value_name = "SOURCE", hide_possible_values = true)]
    errors: Option<ErrorsWord>,
    /// Widen the errors so that the intervals of all players hold together with 95 %
    #[arg(long)]
    simultaneous: bool,
    /// Write how every two players compare instead: likelihoods of being stronger, and with `csv` and `json` differences and
    /// covariances
    #[arg(long)]
    matrix: bool,
    #[command(flatten)]
    output: Output<TableFormat>,
    /// Say in words what each column means and which model made it; on standard error with `csv` and `json`
    #[arg(long)]
    explain: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum PriorWord {
    None,
    Ridge,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ErrorsWord {
    Clusters,
    Pair,
    Game,
    Model,
    Bootstrap,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ByWord {
    Name,
    Version,
    Hash,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let by = match self.by {
            ByWord::Name => By::Name,
            ByWord::Version => By::Version,
            ByWord::Hash => By::Hash,
        };
        let filter = Filter {
            games: self.games.iter().map(|game| label(game)).collect(),
            bots: self.bots.clone(),
            since: self.since.clone(),
        };
        let mut pool = Pool::new(by, filter);
        let mut seen = BTreeSet::new();
        for path in &self.files {
            // What does not exist is told when it is opened.
            if fs::canonicalize(path).is_ok_and(|whole| !seen.insert(whole)) {
                say(&format!("{} is given twice: it is read once", output::path(path)));
                continue;
            }
            let torn = read(path, &mut pool)
                .map_err(|fault| Failure::new(Exit::Io, vec![Diagnostic::new(fault)]))?;
            pool.end_file();
            say_torn(path, torn);
        }
        let prior = match self.prior {
            None => Prior::Auto,
            Some(PriorWord::None) => Prior::None,
            Some(PriorWord::Ridge) => Prior::Ridge { sigma: RIDGE_SIGMA },
        };
        let errors = match self.errors {
            None | Some(ErrorsWord::Clusters) => Errors::Auto,
            Some(ErrorsWord::Pair) => Errors::PerPair,
            Some(ErrorsWord::Game) => Errors::PerGame,
            Some(ErrorsWord::Model) => Errors::Hessian,
            Some(ErrorsWord::Bootstrap) => Errors::Bootstrap { fits: BOOTSTRAP_FITS, seed: 1 },
        };
        let (anchor, is_simultaneous) = (self.anchor.clone(), self.simultaneous);
        let settings = RateSettings { prior, anchor, errors, is_simultaneous };
        let ratings = pool.ratings(&settings).map_err(|error| failure(&error))?;
        if ratings.rated == 0 {
            let notes = ratings.notes();
            let failure =
                Failure::new(Exit::NoVerdict, vec![Diagnostic::new("no game counts: nobody can be rated")]);
            let hint = "a game counts when it has a result and names both players";
            return Err(notes.iter().fold(failure, |failure, note| failure.hint(note.as_str())).hint(hint));
        }
        let look = terminal::look_at_output();
        let explanation = if self.explain { ratings.explanation() } else { Vec::new() };
        let explanation = terminal::paragraphs(&explanation, &look);
        if self.matrix {
            match self.output.format() {
                TableFormat::Csv => output::print(&String::from_utf8_lossy(&ratings.matrix_csv()))?,
                TableFormat::Json => output::print(&ratings.matrix_json())?,
                TableFormat::Text => output::print(&ratings.matrix_text(&look))?,
                TableFormat::Markdown => {
                    return Err(Failure::usage("`--matrix` is not written as Markdown")
                        .hint("`--output-format csv`, `--json`, or leave both out"));
                }
            }
            tell(&explanation);
            return Ok(Exit::Done);
        }
        match self.output.format() {
            TableFormat::Text => output::print(&(ratings.to_text(&look) + &explanation))?,
            TableFormat::Markdown => {
                let explanation: String = match self.explain {
                    true => ratings.explanation_markdown(),
                    false => String::new(),
                };
                output::print(&(ratings.to_markdown() + &explanation))?;
            }
            TableFormat::Json => {
                output::print(&ratings.to_json())?;
                tell(&explanation);
            }
            TableFormat::Csv => {
                output::print(&String::from_utf8_lossy(&ratings.to_csv()))?;
                ratings.notes().iter().for_each(|note| say(note));
                tell(&explanation);
            }
        }
        Ok(Exit::Done)
    }
}

/// Returns the label of a game as tables show it. Game logs of other programs have games that the arena does not know.
fn label(game: &str) -> String {
    match game_options::setup(game, &[]) {
        Ok(setup) if !GameWords::read(game).options.is_empty() => setup.label(),
        _ => game.to_owned(),
    }
}

/// Counts the games of a file. Returns how many bytes of an unfinished last line were left out.
fn read(path: &Path, pool: &mut Pool) -> Result<u64, String> {
    if path == Path::new("-") {
        return read_from(io::stdin().lock(), Path::new("standard input"), pool);
    }
    let opened = record::open_games(path);
    let (path, file) = opened.map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
    read_from(file, &path, pool)
}

fn read_from(mut source: impl Read, path: &Path, pool: &mut Pool) -> Result<u64, String> {
    let name = path.display();
    let mut start = Vec::new();
    let read = source.by_ref().take(START).read_to_end(&mut start);
    read.map_err(|error| format!("cannot read `{name}`: {error}"))?;
    // A game log may begin with a brace too, of a comment.
    let is_journal = start
        .trim_ascii_start()
        .strip_prefix(b"{")
        .is_some_and(|rest| rest.trim_ascii_start().starts_with(b"\""));
    let source = BufReader::with_capacity(CHUNK, Cursor::new(start).chain(source));
    if is_journal {
        let mut reader = LoggedGameReader::new(source, path);
        reader.visit(|outcome| pool.add(outcome)).map_err(|error| with_cause(&error))?;
        return Ok(reader.torn());
    }
    scan(source, pool).map_err(|error| format!("cannot read `{name}`: {}", with_cause(&error)))
}

fn scan(source: impl BufRead, pool: &mut Pool) -> Result<u64, record::PgnStreamError> {
    PgnScanner::new(source).visit(|outcome| pool.add(outcome)).map(|()| 0)
}

fn with_cause(error: &dyn Error) -> String {
    match error.source() {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

fn failure(error: &RateError) -> Failure {
    let failure = Failure::usage(error.to_string());
    match error {
        RateError::UnknownBot { nearest, .. }
        | RateError::UnknownGame { nearest, .. }
        | RateError::UnknownAnchor { nearest, .. } => match nearest {
            Some(name) => failure.hint(format!("did you mean `{}`?", printable(name))),
            None => failure,
        },
        RateError::AmbiguousAnchor { labels, .. } => {
            failure.hint(format!("name one of them: {}", labels.join(", ")))
        }
        _ => failure,
    }
}

/// Writes an explanation, if there is one, to standard error.
fn tell(explanation: &str) {
    if !explanation.is_empty() {
        say(explanation.trim());
    }
}

/// Reads a day or an instant as the beginning of an RFC 3339 instant in UTC.
fn since(text: &str) -> Result<String, String> {
    if let Ok(instant) = text.parse::<Timestamp>() {
        return Ok(instant.to_string().trim_end_matches('Z').to_owned());
    }
    match text.parse::<Date>() {
        Ok(date) if !text.contains('T') => Ok(date.to_string()),
        _ => Err("expected a day such as 2026-11-21 or an instant such as 2026-11-21T09:30:00Z".to_owned()),
    }
}

/// Reads `NAME=ELO`. The name may hold `=` itself.
fn anchor(text: &str) -> Result<(String, f64), String> {
    let parts = text.rsplit_once('=').filter(|(name, _)| !name.is_empty());
    let anchor = parts.and_then(|(name, elo)| Some((name.to_owned(), elo.parse::<f64>().ok()?)));
    anchor
        .filter(|(_, elo)| elo.abs() <= 1e6)
        .ok_or_else(|| "expected a name and a rating, such as nova=1500".to_owned())
}
