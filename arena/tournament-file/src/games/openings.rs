//! How the games of a tournament begin: from what is written to the openings themselves.

use std::convert::Infallible;
use std::fmt::Write as _;
use std::io;
use std::path::Path;

use diagnostic::Diagnostic;
use diagnostic::output;
use diagnostic::say;
use record::{GameConfig, OpeningConfig};
use rules::Setup;
use runner::{Book, Contest, OpeningLength, OpeningSource, Openings};
use settings::{ArenaBook, BookOrder, Complaint, OpeningScope};
use sha2::{Digest as _, Sha256};

use crate::flags::game_options::rules_fault;
use crate::flags::names::MAX_PAIRS;
use crate::games::book;
use crate::scalars;
use crate::written::errors::{InputErrors, Spot};
use crate::written::path::Path as KeyPath;
use crate::written::raw::{RawFile, RawOpenings};

/// The random turns at the start of a game if nothing else is said.
const TURNS: u32 = 2;
/// The most bytes of a file of openings.
const MOST_BYTES: u64 = 16 << 20;
/// The most errors of a file of openings that are shown.
const MOST_SHOWN: usize = 10;

/// What was written of openings: what it means depends on the game.
#[derive(Clone, Debug)]
pub(crate) struct Choice {
    config: OpeningConfig,
    /// The text of a file.
    text: Option<String>,
    spot: Spot,
}

impl Choice {
    /// Returns what holds if nothing is said: random turns, and longer ones when there are no more.
    pub(crate) fn usual() -> Self {
        let (turns, per) = (Some(TURNS), OpeningScope::Pair);
        let config = OpeningConfig { turns, deepen: true, per, ..OpeningConfig::default() };
        Self { config, text: None, spot: Spot::File(KeyPath::of(&["openings"])) }
    }

    /// Reads `openings`; `base` is the directory of relative paths.
    pub(crate) fn read(
        raw: Option<&RawOpenings>,
        spot: &Spot,
        base: &Path,
        errors: &mut InputErrors,
    ) -> Option<Self> {
        let raw = raw?;
        let plies = errors.read(&spot.key("plies"), raw.plies.as_deref(), scalars::opening_plies);
        let turns = errors.read(&spot.key("turns"), raw.turns.as_deref(), scalars::opening_turns);
        let deepen = errors.read(&spot.key("deepen"), raw.deepen.as_deref(), settings::truth);
        let repeat = errors.read(&spot.key("repeat"), raw.repeat.as_deref(), settings::truth);
        let order = errors.read(&spot.key("order"), raw.order.as_deref(), order);
        let count = errors.read(&spot.key("count"), raw.count.as_deref(), scalars::opening_count);
        let name = errors.read(&spot.key("book"), raw.book.as_deref(), book_name);
        let per = errors.read(&spot.key("per"), raw.per.as_deref(), scope);
        let sources =
            [("plies", &raw.plies), ("turns", &raw.turns), ("file", &raw.file), ("book", &raw.book)];
        let given: Vec<_> = sources.iter().filter(|(_, text)| text.is_some()).map(|(key, _)| *key).collect();
        if given.len() > 1 {
            let message = format!("`openings` cannot have both `{}` and `{}`", given[0], given[1]);
            let hint = "choose one of `plies`, `turns`, `file` and `book`";
            errors.add(&spot.key(given[1]), Diagnostic::new(message).hint(hint));
            return None;
        }
        let is_listed = matches!(given.as_slice(), ["file" | "book"]);
        for (key, is_given, needs_list) in [
            ("order", raw.order.is_some(), true),
            ("count", raw.count.is_some(), true),
            ("deepen", raw.deepen.is_some(), false),
        ] {
            if is_given && is_listed != needs_list {
                let what = if needs_list { "`file` or `book`" } else { "`plies` or `turns`" };
                let message = format!("`{key}` of `openings` belongs to {what}");
                errors.add(&spot.key(key), Diagnostic::new(message).hint("leave it out"));
            }
        }
        let text = match &raw.file {
            Some(file) => Some(read_file(base, file, &spot.key("file"), errors)?),
            None => None,
        };
        let config = OpeningConfig {
            plies,
            // Where only `repeat` or `deepen` is given, the usual length holds.
            turns: turns.or(given.is_empty().then_some(TURNS)),
            deepen: deepen.unwrap_or(given.is_empty() && repeat != Some(true)),
            file: raw.file.clone(),
            book: name.map(Into::into),
            digest: None,
            order: is_listed.then(|| order.unwrap_or_default().into()),
            count,
            repeat: repeat.unwrap_or_default(),
            per: per.unwrap_or(OpeningScope::Pair),
        };
        Some(Self { config, text, spot: spot.clone() })
    }

    /// Returns the openings of a game, and how a journal records them.
    pub(crate) fn resolve(
        &self,
        setup: &Setup,
        seed: u64,
        errors: &mut InputErrors,
    ) -> (OpeningConfig, OpeningSource) {
        let mut config = self.config.clone();
        let (key, name, text) = match (&self.text, &config.file, &config.book) {
            (Some(text), Some(file), _) => ("file", format!("`{}`", file.escape_debug()), text.as_str()),
            (_, _, Some(_)) => match book::standard(setup) {
                Ok(text) => ("book", format!("the book of {}", setup.label()), text),
                Err(diagnostic) => {
                    errors.add(&self.spot.key("book"), diagnostic);
                    return (config, random(OpeningLength::Turns(TURNS), false));
                }
            },
            _ => {
                let length = match (config.plies, config.turns) {
                    (Some(plies), _) => OpeningLength::Plies(plies),
                    (None, turns) => OpeningLength::Turns(turns.unwrap_or(TURNS)),
                };
                return (config.clone(), random(length, config.deepen));
            }
        };
        let spot = self.spot.key(key);
        match listed(&mut config, setup, (&name, text), seed, &spot, errors) {
            Some(source) => (config, source),
            None => (config, random(OpeningLength::Turns(TURNS), false)),
        }
    }
}

/// Openings of random plies.
const fn random(length: OpeningLength, deepens: bool) -> OpeningSource {
    OpeningSource::Random { length, deepens }
}

fn listed(
    config: &mut OpeningConfig,
    setup: &Setup,
    (name, text): (&str, &str),
    seed: u64,
    spot: &Spot,
    errors: &mut InputErrors,
) -> Option<OpeningSource> {
    let mut book = match Book::read(setup, text) {
        Ok(book) => book,
        Err(wrong) => {
            for error in wrong.iter().take(MOST_SHOWN) {
                errors.add(spot, Diagnostic::new(format!("{name}, {error}")));
            }
            if wrong.len() > MOST_SHOWN {
                let rest = wrong.len() - MOST_SHOWN;
                errors.add(spot, Diagnostic::new(format!("{name}: {rest} more lines are wrong")));
            }
            return None;
        }
    };
    if let Some(first) = book.doubled.first() {
        let (count, line, original) = (book.doubled.len(), first.line, first.first);
        errors.note(format!(
            "note: {name} holds {count} of its openings again, perhaps as a mirror image (line {line} is that of line \
             {original}); each is played once"
        ));
    }
    config.digest = Some(digest(&book));
    if is_shuffled(config) {
        book.shuffle(seed, &setup.label());
    }
    let there = book.openings.len();
    if there == 0 {
        let hint = "one a line: plies, or `fen POSITION moves PLIES`";
        errors.add(spot, Diagnostic::new(format!("{name} holds no opening")).hint(hint));
        return None;
    }
    if let Some(count) = config.count {
        if count as usize > there {
            let message = format!("{name} holds {there} different openings, not {count}");
            errors.add(spot, Diagnostic::new(message).hint("lower `count`, or leave it out"));
        }
        book.openings.truncate(count as usize);
    }
    Some(OpeningSource::Listed(book.openings.into()))
}

/// From this many rounds on, a line says that openings are being counted, since it takes a while.
const MANY: u32 = 20_000;

/// The same where rules are asked that are not built in: they take a hundred times as long.
const MANY_OF_OWN: u32 = 200;

/// Returns how many openings each game has, up to `most`, or up to one where they may come again: many take long to find,
/// on all cores. A game whose rules fail is an error, and has `None`.
pub(crate) fn counts(
    games: &[(GameConfig, Contest)],
    most: u32,
    seed: u64,
    raw: &RawFile,
    errors: &mut InputErrors,
) -> Vec<Option<u32>> {
    let takes_long = |(config, contest): &(GameConfig, Contest)| {
        let is_own = contest.setup.game().own_rules().is_some();
        !config.openings.repeat && most >= if is_own { MANY_OF_OWN } else { MANY }
    };
    if games.iter().any(takes_long) {
        say(&format!("counting openings for {most} rounds"));
    }
    let mut games = games.iter();
    let mut counts = Vec::new();
    let done = record::in_order(
        || Ok::<_, Infallible>(games.next()),
        || (),
        |(), (config, contest)| {
            let most = if config.openings.repeat { 1 } else { most };
            Openings::new(&contest.setup, &contest.openings, seed).count(most)
        },
        |count| {
            let count = count.map_err(|fault| errors.add(&raw.spot("games"), rules_fault(&fault)));
            counts.push(count.ok());
            Ok(())
        },
    );
    let Ok(_) = done;
    counts
}

/// Notes every game whose openings would come again, unless that was asked for.
pub(crate) fn check_rounds(
    games: &[(GameConfig, Contest)],
    rounds: u32,
    raw: &RawFile,
    seed: u64,
    errors: &mut InputErrors,
) {
    for ((config, _), count) in games.iter().zip(counts(games, rounds, seed, raw, errors)) {
        let Some(count) = count else { continue };
        if count == 0 {
            errors.add(&raw.spot("openings"), nothing_to_play(config));
        } else if count < rounds && !config.openings.repeat {
            errors.add(&raw.spot("rounds"), too_few(config, count, rounds, raw));
        }
    }
}

/// Says that a length of openings decides every game.
pub(crate) fn nothing_to_play(config: &GameConfig) -> Diagnostic {
    let message =
        format!("every opening of {} decides a game of {}", describe(&config.openings), config.label);
    Diagnostic::new(message).hint("make the openings shorter")
}

/// Says that there are too few openings for the rounds.
pub(crate) fn too_few(config: &GameConfig, count: u32, rounds: u32, raw: &RawFile) -> Diagnostic {
    let (label, openings) = (&config.label, &config.openings);
    let is_pairs = raw.spot("rounds") == Spot::Flag(MAX_PAIRS);
    let what = if is_pairs { "pairs of each game" } else { "rounds" };
    let source = describe(openings);
    let there = output::count(count.into(), "different opening");
    let message = format!("these are {rounds} {what}, but {label} has only {there}: {source}");
    let typed = raw.spot("openings") == Spot::Flag("--plies");
    let longer = match (openings.plies, openings.turns) {
        _ if openings.deepen => None,
        _ if typed => Some("make the openings longer: `--plies N`"),
        (Some(_), _) => Some("make the openings longer: `openings: {plies: N}`"),
        (_, Some(_)) => Some("make the openings longer: `openings: {turns: N}`"),
        _ => Some("add openings to the file"),
    };
    let mut hint = format!("play at most {count} {what}");
    if let Some(longer) = longer.filter(|_| openings.book.is_none()) {
        let _ = write!(hint, ", or {longer}");
    }
    let diagnostic = Diagnostic::new(message).hint(hint);
    if typed {
        diagnostic
    } else {
        diagnostic.hint("to play openings again, say so: `repeat: true` in `openings`")
    }
}

/// Returns how games begin, in words.
pub fn describe(openings: &OpeningConfig) -> String {
    let OpeningConfig { plies, turns, deepen, file: _, book, digest, order: _, count, repeat: _, per } =
        openings;
    let mut text = match (plies, turns, book) {
        (Some(plies), ..) => OpeningLength::Plies(*plies).to_string(),
        (_, Some(turns), _) => OpeningLength::Turns(*turns).to_string(),
        (_, _, Some(book)) => format!("book {book}"),
        _ => "file".to_owned(),
    };
    if *deepen {
        text.push_str(", longer when there are no more");
    }
    if let Some(digest) = digest {
        let _ = write!(text, " {digest}");
    }
    if is_shuffled(openings) {
        text.push_str(", shuffled");
    }
    if let Some(count) = count {
        let _ = write!(text, ", the first {count}");
    }
    if *per == OpeningScope::Round {
        text.push_str(", one for each round");
    }
    text
}

/// Returns what tells files of openings apart: their openings and the order, not their comments.
fn digest(book: &Book) -> String {
    let mut hash = Sha256::new();
    for opening in &book.openings {
        hash.update(opening.to_string().as_bytes());
        hash.update(b"\n");
    }
    hash.finalize()[..8].iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn read_file(base: &Path, file: &str, spot: &Spot, errors: &mut InputErrors) -> Option<String> {
    let path = base.join(file);
    let shown = path.display().to_string();
    let shown = shown.escape_debug();
    let mut fail = |what: String, hint: &str| {
        errors.add(spot, Diagnostic::new(what).hint(hint));
        None
    };
    let bytes = match record::read_regular(&path, MOST_BYTES) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::FileTooLarge => {
            return fail(format!("`{shown}` is too long"), "at most 16 MiB of openings are read");
        }
        Err(error) => {
            let hint = "its path is taken from the directory of the tournament file";
            return fail(format!("failed to read the openings `{shown}`: {error}"), hint);
        }
    };
    match String::from_utf8(bytes) {
        Ok(text) => Some(text),
        Err(_) => {
            fail(format!("`{shown}` is not UTF-8 text"), "a file of openings is text, one opening a line")
        }
    }
}

fn is_shuffled(openings: &OpeningConfig) -> bool {
    openings.order.as_ref().is_some_and(|order| *order == BookOrder::Shuffled)
}

fn order(text: &str) -> Result<BookOrder, Complaint> {
    text.parse().map_err(|_| {
        let predicate = format!("cannot be `{}`", text.escape_debug());
        Complaint::new(predicate, format!("allowed: {}", BookOrder::WORDS.join(", ")))
    })
}

fn scope(text: &str) -> Result<OpeningScope, Complaint> {
    match text {
        "pair" => Ok(OpeningScope::Pair),
        "round" => Ok(OpeningScope::Round),
        _ => {
            let predicate = format!("cannot be `{}`", text.escape_debug());
            Err(Complaint::new(predicate, "allowed: pair, round"))
        }
    }
}

fn book_name(text: &str) -> Result<ArenaBook, Complaint> {
    text.parse().map_err(|_| {
        let predicate = format!("cannot be `{}`", text.escape_debug());
        let allowed = ArenaBook::WORDS.join(", ");
        Complaint::new(predicate, format!("allowed: {allowed}; a file of your own is `file: PATH`"))
    })
}
