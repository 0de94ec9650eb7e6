//! The options that are about the tournament as a whole.

use std::path::PathBuf;

use settings::MOST_GAMES_AT_ONCE;

use crate::command_line::Given;
use crate::engine::Engine;
use crate::error::ImportError;
use crate::note::ImportNote;
use crate::openings::{BookFormat, ForeignBook};
use crate::program::Program;

/// A test of strength.
#[derive(Clone, Debug)]
pub(crate) struct Test {
    pub elo: [String; 2],
    pub alpha: Option<String>,
    pub beta: Option<String>,
    pub model: &'static str,
}

/// When decided games end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Draw {
    pub score: u64,
    pub moves: u64,
    pub after: u64,
}

/// When lost games end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Resign {
    pub score: u64,
    pub moves: u64,
    pub both: bool,
}

/// What a command line says, with the defaults of its program.
#[derive(Debug)]
pub(crate) struct Options {
    pub engines: Vec<Engine>,
    pub name: Option<String>,
    pub variant: String,
    pub format: &'static str,
    pub seeds: u64,
    pub games: u64,
    pub rounds: u64,
    /// How many games are played at once; nothing where all threads are to be used.
    pub concurrency: Option<u64>,
    pub seed: Option<u64>,
    pub test: Option<Test>,
    pub draw: Option<Draw>,
    pub resign: Option<Resign>,
    pub book: Option<ForeignBook>,
    pub is_pinned: bool,
    pub has_transcripts: bool,
}

impl Options {
    /// Reads the options of a program; says what has no counterpart.
    ///
    /// # Errors
    /// When a value is not one that the option can have.
    pub(crate) fn read(
        program: Program,
        given: &[Given],
        notes: &mut Vec<ImportNote>,
    ) -> Result<Self, ImportError> {
        // The defaults of both programs: one game, or two rounds of two.
        let (games, rounds) = if program == Program::Cutechess { (1, 1) } else { (2, 2) };
        let mut options = Self {
            engines: Vec::new(),
            name: None,
            variant: "standard".to_owned(),
            format: "round-robin",
            seeds: 1,
            games,
            rounds,
            concurrency: Some(1),
            seed: None,
            test: None,
            draw: None,
            resign: None,
            book: None,
            is_pinned: false,
            has_transcripts: false,
        };
        for option in given {
            options.take(program, option, notes)?;
        }
        // As both programs do: what holds for each comes last, wherever it stands.
        for option in given.iter().filter(|option| option.counterpart.name == "each") {
            for pair in option.pairs() {
                for engine in &mut options.engines {
                    engine.take(program, pair, notes)?;
                }
            }
        }
        if program == Program::Fastchess && options.games > 2 && options.rounds > 2 {
            let what = "and that of `-rounds` are both above 2, which fastchess refuses: `-games 2`, and the rest in `-rounds`";
            return Err(ImportError::value("-games", format!("its number {what}")));
        }
        options.tell_unused(program, given, notes);
        Ok(options)
    }

    /// Says which options have no effect on the tournament that the others ask for.
    fn tell_unused(&self, program: Program, given: &[Given], notes: &mut Vec<ImportNote>) {
        let has = |name: &str| given.iter().any(|option| option.counterpart.name == name);
        let mut add = |name: &str, why: &str| ImportNote::add(notes, format!("-{name}"), why);
        if has("tournament") && self.test.is_some() {
            add("tournament", "a test of strength has a format of its own: `sprt`");
        }
        let is_gauntlet = self.format == "gauntlet" && self.test.is_none();
        if has("seeds") && !is_gauntlet {
            add("seeds", "only a gauntlet has `seeds`");
        }
        if has("rounds") && self.format == "knockout" && self.test.is_none() {
            add(
                "rounds",
                "a knockout has as many rounds as it needs: the matches have half of `-games` meetings, rounded up",
            );
        }
        if program == Program::Cutechess && self.book.is_some() && !has("repeat") {
            add("openings", "both games of a pair begin with the same opening, also without `-repeat`");
        }
    }

    fn take(
        &mut self,
        program: Program,
        option: &Given,
        notes: &mut Vec<ImportNote>,
    ) -> Result<(), ImportError> {
        let fault = |what: &str| ImportError::value(option.typed(), format!("`{}` {what}", option.text()));
        let count = || option.number().and_then(|n| if n > 0 { Ok(n) } else { Err(fault("is not above 0")) });
        match option.counterpart.name {
            "engine" => {
                let mut engine = Engine::default();
                for pair in option.pairs() {
                    engine.take(program, pair, notes)?;
                }
                self.engines.push(engine);
            }
            "each" => {}
            "quick" => self.take_quick(option)?,
            "variant" => self.variant = option.text(),
            "tournament" => {
                self.format = match (option.text().as_str(), program) {
                    ("gauntlet", _) => "gauntlet",
                    ("round-robin" | "pyramid", Program::Cutechess) => "round-robin",
                    ("roundrobin", Program::Fastchess) => "round-robin",
                    ("knockout", Program::Cutechess) => "knockout",
                    _ => return Err(fault(&format!("is no kind of tournament of {}", program.name()))),
                };
            }
            "seeds" => self.seeds = option.number()?.max(1),
            "games" => self.games = count()?,
            "rounds" => self.rounds = count()?,
            "repeat" => {
                self.take_repeat(program, option, notes)?;
                ImportNote::of(notes, option.typed(), option.counterpart);
            }
            "concurrency" => {
                let spared = option.text().strip_prefix('-').and_then(|text| text.parse::<u32>().ok());
                self.concurrency = match (spared, program) {
                    (Some(spared), Program::Fastchess) => {
                        let why = format!(
                            "`auto` is a game for every physical core but one, not for all threads but {spared}"
                        );
                        ImportNote::add(notes, format!("-concurrency -{spared}"), &why);
                        None
                    }
                    _ => match option.number()? {
                        0 if program == Program::Fastchess => None,
                        games if games > MOST_GAMES_AT_ONCE as u64 => {
                            return Err(fault(&format!("is more than {MOST_GAMES_AT_ONCE}")));
                        }
                        _ => Some(count()?),
                    },
                };
            }
            "sprt" => self.test = Some(test(program, option)?),
            "draw" => {
                let [after, moves, score] =
                    numbers(program, option, ["movenumber", "movecount", "score"], [0, 1, 0])?;
                let is_off = program == Program::Cutechess && after == 0;
                self.draw = (!is_off).then_some(Draw { score, moves, after: after.saturating_mul(2) });
                if is_off {
                    ImportNote::add(
                        notes,
                        "-draw movenumber=0".to_owned(),
                        "cutechess-cli draws no game then",
                    );
                }
            }
            "resign" => {
                let mut both = false;
                let rest = Given {
                    values: option
                        .values
                        .iter()
                        .filter(|text| !text.starts_with("twosided="))
                        .cloned()
                        .collect(),
                    ..option.clone()
                };
                for (_, value) in option.pairs().into_iter().filter(|(key, _)| *key == "twosided") {
                    both = match value {
                        "true" => true,
                        "false" => false,
                        _ => {
                            let what = format!("`{value}` is neither `true` nor `false`");
                            return Err(ImportError::value("-resign twosided=", what));
                        }
                    };
                }
                let [moves, score] = numbers(program, &rest, ["movecount", "score"], [1, 0])?;
                let is_off = program == Program::Cutechess && moves == 0;
                self.resign = (!is_off).then_some(Resign { score: score.max(1), moves, both });
                if is_off {
                    let why = "cutechess-cli ends no game by resignation then";
                    ImportNote::add(notes, "-resign movecount=0".to_owned(), why);
                }
            }
            "openings" => self.book = Some(book(program, option, notes)?),
            "srand" => self.seed = Some(option.number()?),
            "use-affinity" => {
                self.is_pinned = true;
                if !option.values.is_empty() {
                    ImportNote::add(
                        notes,
                        "-use-affinity CPUS".to_owned(),
                        "`pin` chooses among all processors",
                    );
                }
            }
            "config" => {
                let pairs = option.pairs();
                // What is discarded is what was read before.
                let discards = pairs.iter().rposition(|pair| *pair == ("discard", "true"));
                let read = &pairs[discards.unwrap_or(0)..];
                if let Some((_, file)) = read.iter().find(|(key, _)| *key == "file") {
                    return Err(ImportError::Unplayable(format!(
                        "`-config file={file}`: engines and tournament stand in that file, which is not read: give the command line that it was \
                         made from, or `discard=true` if this one says all"
                    )));
                }
                ImportNote::of(notes, option.typed(), option.counterpart);
            }
            "event" => self.name = Some(option.text()),
            "debug" => self.has_transcripts = true,
            "log" => self.has_transcripts |= option.pairs().contains(&("engine", "true")),
            _ => {
                ImportNote::of(notes, option.typed(), option.counterpart);
            }
        }
        Ok(())
    }

    /// A short form for two engines.
    fn take_quick(&mut self, option: &Given) -> Result<(), ImportError> {
        let count = |key: &str| option.pairs().iter().filter(|(known, _)| *known == key).count();
        if count("cmd") != 2 || count("book") == 0 {
            let what = "needs two times `cmd=` and a file of openings: `book=`";
            return Err(ImportError::value("-quick", what));
        }
        for (key, value) in option.pairs() {
            match key {
                "cmd" => {
                    let mut engine = Engine { program: Some(value.to_owned()), ..Engine::default() };
                    engine.limits.clock = Some("10+0.1".to_owned());
                    engine.limits.is_given = true;
                    self.engines.push(engine);
                }
                "book" => {
                    let format = BookFormat::of(value).ok_or_else(|| {
                        ImportError::value("-quick book=", format!("`{value}` is neither `.epd` nor `.pgn`"))
                    })?;
                    self.book = Some(ForeignBook {
                        is_shuffled: true,
                        ..ForeignBook::new(PathBuf::from(value), format)
                    });
                }
                _ => {
                    return Err(ImportError::value("-quick", format!("`{key}` is neither `cmd` nor `book`")));
                }
            }
        }
        (self.games, self.rounds, self.concurrency) = (2, 25_000, None);
        self.draw = Some(Draw { score: 8, moves: 8, after: 60 });
        Ok(())
    }

    fn take_repeat(
        &mut self,
        program: Program,
        option: &Given,
        notes: &mut Vec<ImportNote>,
    ) -> Result<(), ImportError> {
        let times = if option.values.is_empty() { 2 } else { option.number()? };
        if program == Program::Fastchess {
            self.games = times.max(1);
        }
        if times != 2 {
            let why = "an opening is played twice, with the seats swapped: further games have openings of their own";
            ImportNote::add(notes, format!("-repeat {times}"), why);
        }
        Ok(())
    }
}

fn test(program: Program, option: &Given) -> Result<Test, ImportError> {
    let usual = if program == Program::Cutechess { "logistic" } else { "normalized" };
    let mut test = Test { elo: ["0".to_owned(), String::new()], alpha: None, beta: None, model: usual };
    for (key, value) in option.pairs() {
        let fault = |what: &str| ImportError::value(format!("-sprt {key}="), format!("`{value}` {what}"));
        if key != "model" && !value.parse::<f64>().is_ok_and(f64::is_finite) {
            return Err(fault("is no number"));
        }
        match key {
            "elo0" => value.clone_into(&mut test.elo[0]),
            "elo1" => value.clone_into(&mut test.elo[1]),
            "alpha" => test.alpha = Some(value.to_owned()),
            "beta" => test.beta = Some(value.to_owned()),
            "model" if program == Program::Fastchess => {
                test.model = match value {
                    "normalized" => "normalized",
                    "logistic" => "logistic",
                    "bayesian" => {
                        let what = "`model=bayesian`: the arena tests in normalized or logistic Elo";
                        return Err(ImportError::Unplayable(what.to_owned()));
                    }
                    _ => return Err(fault("is no model that is known")),
                }
            }
            _ => return Err(fault("belongs to no key that is known")),
        }
    }
    if program == Program::Cutechess {
        has_all(option, &["elo0", "elo1", "alpha", "beta"])?;
    }
    if test.elo[1].is_empty() {
        return Err(ImportError::value("-sprt", "`elo1` is missing"));
    }
    Ok(test)
}

/// Refuses an option of cutechess-cli that lacks one of its keys.
fn has_all(option: &Given, keys: &[&str]) -> Result<(), ImportError> {
    let pairs = option.pairs();
    let lacks = |key: &&&str| !pairs.iter().any(|(given, _)| given == *key);
    match keys.iter().find(lacks) {
        Some(key) => Err(ImportError::value(option.typed(), format!("`{key}=` is missing"))),
        None => Ok(()),
    }
}

/// Reads whole numbers by their keys. Those of fastchess have defaults.
fn numbers<const N: usize>(
    program: Program,
    option: &Given,
    keys: [&str; N],
    usual: [u64; N],
) -> Result<[u64; N], ImportError> {
    let mut numbers = usual;
    for (key, value) in option.pairs() {
        let name = format!("{} {key}=", option.typed());
        let at = keys.iter().position(|known| *known == key);
        let at = at.ok_or_else(|| ImportError::value(&name, "there is no such key"))?;
        let fault = || ImportError::value(&name, format!("`{value}` is not a whole number"));
        numbers[at] = value.parse().map_err(|_| fault())?;
    }
    if program == Program::Cutechess {
        has_all(option, &keys)?;
    }
    Ok(numbers)
}

fn book(program: Program, option: &Given, notes: &mut Vec<ImportNote>) -> Result<ForeignBook, ImportError> {
    let pairs = option.pairs();
    let value = |key: &str| pairs.iter().rfind(|(name, _)| *name == key).map(|(_, value)| *value);
    let fault = |key: &str, what: String| ImportError::value(format!("-openings {key}="), what);
    let file = value("file").ok_or_else(|| fault("file", "is missing".to_owned()))?;
    let format = match value("format") {
        Some("epd") => BookFormat::Epd,
        Some("pgn") => BookFormat::Pgn,
        Some(other) => return Err(fault("format", format!("`{other}` is neither `epd` nor `pgn`"))),
        None => BookFormat::of(file).unwrap_or(BookFormat::Pgn),
    };
    let mut book = ForeignBook::new(PathBuf::from(file), format);
    for (key, value) in &pairs {
        let number = || {
            let number = value.parse::<u64>().ok().filter(|number| *number > 0);
            number.ok_or_else(|| fault(key, format!("`{value}` is no count from 1 up")))
        };
        match (*key, *value) {
            ("file" | "format", _) | ("order", "sequential") => {}
            ("policy", "default") if program == Program::Cutechess => {}
            ("order", "random") => book.is_shuffled = true,
            ("plies", _) => book.plies = Some(number()?),
            ("start", _) => book.start = number()?,
            ("policy", "round") => book.is_per_round = true,
            ("policy", "encounter") if program == Program::Cutechess => ImportNote::add(
                notes,
                "-openings policy=encounter".to_owned(),
                "every pair of games has an opening of its own, or with `per: round` all pairs of a round share one",
            ),
            ("order" | "policy", _) => return Err(fault(key, format!("`{value}` is not known"))),
            _ => return Err(fault(key, "there is no such key".to_owned())),
        }
    }
    Ok(book)
}
