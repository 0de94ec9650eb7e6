//! The tournament file.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use diagnostic::output;
use settings::MOST_ROUNDS;

use crate::command_line;
use crate::engine::Engine;
use crate::error::ImportError;
use crate::note::ImportNote;
use crate::openings::ForeignBook;
use crate::options::Options;
use crate::yaml::{list, scalar};

/// The variant that is chess.
const CHESS: &str = "standard";
/// The variant with shuffled men, and the option that both programs give to its engines.
const CHESS960: (&str, &str) = ("fischerandom", "UCI_Chess960");

/// What a tournament file says that no command line does.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// The command of the rules, or a module; the program `arena-chess` if none is given.
    pub rules: Option<String>,
    /// The file of openings, if there are any.
    pub openings: String,
    /// The directory from which relative paths are taken, where that is not the one of the tournament file: they become absolute.
    pub base: Option<PathBuf>,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self { rules: None, openings: "tournament.openings.txt".to_owned(), base: None }
    }
}

impl Surroundings {
    /// Returns a path that means the same in the tournament file.
    fn absolute(&self, path: &str) -> String {
        match &self.base {
            Some(base) => base.join(path).display().to_string(),
            None => path.to_owned(),
        }
    }

    /// Returns a command of rules, or a module, that means the same in the tournament file: its words that are paths become absolute.
    fn rules(&self, command: &str) -> String {
        let (Some(base), Some(words)) = (&self.base, shlex::split(command)) else {
            return command.to_owned();
        };
        let word = |(i, word): (usize, &String)| {
            let is_program = i == 0 && (word.contains('/') || word.ends_with(".wasm"));
            if is_program || base.join(word).is_file() && i > 0 { self.absolute(word) } else { word.clone() }
        };
        let moved: Vec<_> = words.iter().enumerate().map(word).collect();
        if moved == words {
            return command.to_owned();
        }
        moved.iter().map(|word| output::quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

/// A tournament file made from a command line.
#[derive(Debug)]
pub struct Imported {
    /// The text of the file.
    pub text: String,
    /// What it does not say as the command line did.
    pub notes: Vec<ImportNote>,
    /// The book, to be converted.
    pub(crate) book: Option<ForeignBook>,
}

/// Translates a command line: the program, then its options.
///
/// # Errors
/// When the words are no command line of a known program, or ask for games that the arena cannot play.
pub fn translate(
    words: impl IntoIterator<Item = String>,
    surroundings: &Surroundings,
) -> Result<Imported, ImportError> {
    let (program, given) = command_line::read(words)?;
    let mut notes = Vec::new();
    let options = Options::read(program, &given, &mut notes)?;
    let text = Draft { options: &options, surroundings, notes: &mut notes }.write()?;
    Ok(Imported { text, notes, book: options.book })
}

struct Draft<'a> {
    options: &'a Options,
    surroundings: &'a Surroundings,
    notes: &'a mut Vec<ImportNote>,
}

impl Draft<'_> {
    fn write(mut self) -> Result<String, ImportError> {
        let options = self.options;
        let game = self.game()?;
        let names = names(&options.engines)?;
        let clocks = self.clocks(&names)?;
        // The time control that most bots have stands at the top.
        let usual = most_frequent(&clocks);
        let mut text = String::new();
        let mut line = |key: &str, value: &str| text.push_str(&format!("{key}: {value}\n"));
        if let Some(name) = options.name.as_deref().filter(|name| !name.trim().is_empty()) {
            check_name("-event", name)?;
            line("name", &scalar(name));
        }
        let rules = self.surroundings.rules.as_deref().unwrap_or("arena-chess");
        line("rules", &format!("{{{game}: {}}}", scalar(&self.surroundings.rules(rules))));
        line("games", &format!("[{game}]"));
        let is_test = options.test.is_some();
        line("format", if is_test { "sprt" } else { options.format });
        if let Some(test) = &options.test {
            if names.len() != 2 {
                let what = format!("a test of strength is between two bots, and there are {}", names.len());
                return Err(ImportError::Unplayable(what));
            }
            let [elo0, elo1] = &test.elo;
            let more = [("alpha", &test.alpha), ("beta", &test.beta)];
            let more = more.iter().filter_map(|(key, value)| Some(format!(", {key}: {}", value.as_ref()?)));
            line(
                "sprt",
                &format!("{{elo0: {elo0}, elo1: {elo1}{}, model: {}}}", more.collect::<String>(), test.model),
            );
        } else if options.format == "gauntlet" {
            let seeds = usize::try_from(options.seeds).unwrap_or(usize::MAX).min(names.len() - 1);
            line("seeds", &list(names[..seeds].iter().map(String::as_str)));
        }
        line("rounds", &self.rounds()?.to_string());
        line("tc", usual);
        if let Some(book) = &options.book {
            if options.variant != CHESS {
                let why = "they are read by the rules of chess: what is no position of it, or has another move, is left out";
                ImportNote::add(self.notes, "-openings".to_owned(), why);
            }
            let order = if book.is_shuffled { "shuffled" } else { "in-order" };
            let per = if book.is_per_round { ", per: round" } else { "" };
            let file = scalar(&self.surroundings.openings);
            // Both programs begin the book again when it ends.
            line("openings", &format!("{{file: {file}, order: {order}, repeat: true{per}}}"));
        } else {
            line("openings", "{turns: 0, repeat: true}");
        }
        if let Some(seed) = options.seed {
            line("seed", &seed.to_string());
        }
        let concurrency = options.concurrency.map_or_else(|| "auto".to_owned(), |games| games.to_string());
        line("concurrency", &concurrency);
        if let Some(adjudicate) = self.adjudicate() {
            line("adjudicate", &adjudicate);
        }
        line("margin", &format!("{}ms", self.margin()));
        if self.restarts() {
            line("restart", "always");
        }
        if options.is_pinned {
            line("pin", "game");
        }
        if options.has_transcripts {
            line("transcripts", "true");
        }
        text.push_str("bots:\n");
        for ((engine, name), clock) in options.engines.iter().zip(&names).zip(&clocks) {
            text.push_str(&self.bot(engine, name, (clock != usual).then_some(clock))?);
        }
        Ok(text)
    }

    /// Returns the name of the game.
    fn game(&self) -> Result<String, ImportError> {
        let variant = self.options.variant.as_str();
        if variant == CHESS {
            return Ok("chess".to_owned());
        }
        let is_name = variant.starts_with(|c: char| c.is_ascii_lowercase())
            && variant.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
        match (&self.surroundings.rules, is_name) {
            (Some(_), true) => Ok(variant.to_owned()),
            (_, false) if self.surroundings.rules.is_some() => Ok("variant".to_owned()),
            _ if variant == CHESS960.0 => Err(ImportError::Unplayable(format!(
                "`-variant {variant}`: `arena-chess` has no castling of Chess960; rules of one's own that have it: `--rules COMMAND`"
            ))),
            _ => Err(ImportError::Unplayable(format!(
                "`-variant {variant}`: the arena has no rules for it; rules of one's own play any game: `--rules COMMAND`"
            ))),
        }
    }

    /// Returns the time control of every engine.
    fn clocks(&self, names: &[String]) -> Result<Vec<String>, ImportError> {
        let clock = |(engine, name): (&Engine, &String)| {
            engine.limits.time_control().ok_or_else(|| {
                ImportError::Unplayable(match engine.limits.is_given {
                    true => format!("`{name}` has unlimited time: give it `nodes`, `depth`, `st` or a `tc`"),
                    false => format!("`{name}` has no time control: give it `tc`, `st`, `nodes` or `depth`"),
                })
            })
        };
        self.options.engines.iter().zip(names).map(clock).collect()
    }

    /// Returns how many pairs of games every two bots play.
    fn rounds(&mut self) -> Result<u64, ImportError> {
        let Options { games, rounds, format, .. } = *self.options;
        let factor = if format == "knockout" && self.options.test.is_none() { 1 } else { rounds };
        let total = games
            .checked_mul(factor)
            .filter(|total| total.div_ceil(2) <= u64::from(MOST_ROUNDS))
            .ok_or_else(|| {
                let what = format!(
                    "`-rounds {factor}` of `-games {games}` are more than {MOST_ROUNDS} pairs of games"
                );
                ImportError::Unplayable(what)
            })?;
        if total % 2 == 1 {
            let why = format!(
                "games are played in pairs, with the seats swapped: {} instead of {total}",
                total + 1
            );
            ImportNote::add(self.notes, "-games".to_owned(), &why);
        }
        Ok(total.div_ceil(2))
    }

    fn adjudicate(&self) -> Option<String> {
        let resign = self.options.resign.map(|it| {
            format!("resign: {{score: {}, turns: {}, both: {}}}", it.score, it.moves.max(1), it.both)
        });
        let draw = self.options.draw.map(|it| {
            format!("draw: {{score: {}, turns: {}, after: {}}}", it.score, it.moves.max(1), it.after)
        });
        let rules: Vec<_> = [resign, draw].into_iter().flatten().collect();
        (!rules.is_empty()).then(|| format!("{{{}}}", rules.join(", ")))
    }

    /// Returns the margin of all bots in milliseconds; theirs is 0 where nothing is said.
    fn margin(&mut self) -> u64 {
        let margins: BTreeSet<_> =
            self.options.engines.iter().map(|engine| engine.margin.unwrap_or_default()).collect();
        let most = margins.last().copied().unwrap_or_default();
        if margins.len() > 1 {
            let why = format!("all bots have the same margin: the greatest, {most} ms");
            ImportNote::add(self.notes, "timemargin=".to_owned(), &why);
        }
        most
    }

    fn restarts(&mut self) -> bool {
        let count = self.options.engines.iter().filter(|engine| engine.restarts).count();
        if count > 0 && count < self.options.engines.len() {
            ImportNote::add(
                self.notes,
                "restart=on".to_owned(),
                "all bots are restarted for every game, or none",
            );
        }
        count > 0
    }

    /// Returns an item of `bots`.
    fn bot(&self, engine: &Engine, name: &str, clock: Option<&String>) -> Result<String, ImportError> {
        let Some(program) = engine.program.as_deref().filter(|program| !program.is_empty()) else {
            let what = format!("`{name}` has no command: write `cmd=`, also for an engine of `engines.json`");
            return Err(ImportError::Unplayable(what));
        };
        // Both programs look for a relative path in the engine's directory too.
        let moved = engine.directory.as_ref().map(|directory| Path::new(directory).join(program));
        let moved = moved.filter(|moved| !Path::new(program).exists() && moved.exists());
        let program = moved.map_or_else(|| program.to_owned(), |moved| moved.display().to_string());
        // A name alone is looked for where programs are.
        let program = if program.contains('/') { self.surroundings.absolute(&program) } else { program };
        let words = std::iter::once(program.as_str()).chain(engine.arguments.iter().map(String::as_str));
        let mut text = format!("  - name: {}\n    cmd: {}\n", scalar(name), list(words));
        if let Some(directory) = &engine.directory {
            text.push_str(&format!("    dir: {}\n", scalar(&self.surroundings.absolute(directory))));
        }
        text.push_str("    hello: uci\n    clock: wb\n    position-keyword: fen\n    quiet: true\n");
        if let Some(clock) = clock {
            text.push_str(&format!("    tc: {clock}\n"));
        }
        let mut options = engine.options.clone();
        if self.options.variant == CHESS960.0 {
            options.entry(CHESS960.1.to_owned()).or_insert_with(|| "true".to_owned());
        }
        if !options.is_empty() {
            let options = options.iter().map(|(key, value)| format!("{}: {}", scalar(key), scalar(value)));
            text.push_str(&format!("    options: {{{}}}\n", options.collect::<Vec<_>>().join(", ")));
        }
        Ok(text)
    }
}

/// Returns the names of the engines: as given, or of their programs, with a number where two have the same.
fn names(engines: &[Engine]) -> Result<Vec<String>, ImportError> {
    if engines.len() < 2 {
        let what = format!(
            "a tournament needs two engines, and there is {}",
            if engines.is_empty() { "none" } else { "one" }
        );
        return Err(ImportError::Unplayable(what));
    }
    let mut taken = BTreeSet::new();
    let mut name = |engine: &Engine| {
        let name = engine.shown_name();
        check_name("-engine name=", &name)?;
        let further = (2..).map(|i| format!("{name}-{i}"));
        let free = std::iter::once(name.clone()).chain(further).find(|name| taken.insert(name.clone()));
        Ok(free.expect("there is always a further number"))
    };
    engines.iter().map(&mut name).collect()
}

/// Refuses a name that a tournament file cannot hold.
fn check_name(option: &str, name: &str) -> Result<(), ImportError> {
    settings::label(name, "new").map(drop).map_err(|complaint| {
        ImportError::value(option, format!("{} ({})", complaint.predicate, complaint.hint))
    })
}

fn most_frequent(texts: &[String]) -> &str {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in texts {
        *counts.entry(text).or_default() += 1;
    }
    let most = counts.values().copied().max().unwrap_or(0);
    texts.iter().find(|text| counts[text.as_str()] == most).map_or("", String::as_str)
}
