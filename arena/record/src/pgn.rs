//! The game log: games as PGN, for people and for other programs.
//!
//! A log has the shape of PGN's export format: tags, then movetext with lines shorter than 80 characters, and clocks and
//! evaluations in comments. Most readers of PGN accept only moves of chess. The [safe form](PgnForm::Safe) therefore writes a
//! legal move of chess for every ply, with the ply itself in the comment. [`PgnReader`] reads both forms.
//!
//! The log is a function of the journal and does not replace it: it leaves out seeds, digests and nodes, rounds times to
//! milliseconds and escapes hostile text. `protocol-spec/results.md` defines the dialect.

mod command;
mod header;
mod lex;
mod lines;
mod read;
mod result;
mod scan;
mod stream;
mod tags;
mod text;
mod write;
mod writer;

use std::time::Duration;

use rules::{Catalogue, Seat};

use crate::{GameRecord, GameResult, PlyRecord, RunRecord};

pub use read::{PgnError, PgnReader};
pub use scan::PgnScanner;
pub use stream::{PgnStream, PgnStreamError};
pub use writer::PgnWriter;

/// How plies are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PgnForm {
    /// The plies themselves: `1. c2b2+`.
    #[default]
    Native,
    /// Meaningless legal moves of chess, with the plies in comments: `1. Nf3 {[%mv c2b2+]}`. Chess programs read it without a
    /// warning.
    Safe,
}

/// A game as a game log shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnGame {
    /// The names and values of the tags, in their order.
    pub tags: Vec<(String, String)>,
    /// The plies.
    pub plies: Vec<PgnPly>,
    /// The words of the comments: how the game ended, if the reason alone does not say it.
    pub comment: Option<String>,
    /// Who won.
    pub result: GameResult,
}

/// A ply of a game log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PgnPly {
    /// The ply.
    pub ply: String,
    /// How the log spells the ply, if differently.
    pub san: Option<String>,
    /// The number of the turn it belongs to, from 1, counting the turns of all seats.
    pub turn: u32,
    /// The seat that decided.
    pub seat: Seat,
    /// The seat whose turn it is: nearly always the seat that decided.
    pub owner: Seat,
    /// Whether it belongs to the opening, which no bot decides.
    pub is_opening: bool,
    /// Whether the arena chose it at random because the bot failed to answer.
    pub is_fallback: bool,
    /// The bot's evaluation of its position.
    pub eval: Option<PgnEval>,
    /// The thinking time charged, in whole milliseconds.
    pub spent: Option<Duration>,
    /// The decider's clock after the ply, in whole milliseconds.
    pub clock: Option<Duration>,
    /// The bot's last words before the ply.
    pub text: Option<String>,
}

/// A bot's evaluation of its position, from its own point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PgnEval {
    /// The score.
    pub score: PgnScore,
    /// The depth of the search, in plies.
    pub depth: Option<u64>,
}

/// A score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PgnScore {
    /// Hundredths of the game's unit.
    Hundredths(i64),
    /// A win, or a loss if negative, in this many of the bot's own turns.
    Mate(i64),
}

impl PgnGame {
    /// Returns the log of a recorded game. `run` provides the name of the tournament and the arena's version, `catalogue` the
    /// rules of the game.
    #[must_use]
    pub fn from_record(game: &GameRecord, run: Option<&RunRecord>, catalogue: &Catalogue) -> Self {
        let plies = told(game).map(|(ply, facts)| facts.of(text::token(ply).into_owned())).collect();
        let is_chess = tags::is_chess(game, run, catalogue);
        let comment = game.detail.as_deref().and_then(comment);
        let mut tags = Vec::new();
        let start = tags::start(game, catalogue);
        tags::each(game, run, start.as_deref(), is_chess, |name, value| {
            tags.push((name.to_owned(), text::value(value).into_owned()));
        });
        Self { tags, plies, comment, result: game.result }
    }

    /// Returns whether plies are spelled as in chess. The name of the variant tells, because chess programs know only their
    /// own.
    fn is_chess(&self) -> bool {
        self.tags.iter().any(|(name, _)| name == tags::SAFE_VARIANT)
    }

    /// Returns the value of a tag, `None` if it is absent.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        let is_meant = |key: &str| key == name || (name == tags::VARIANT && key == tags::SAFE_VARIANT);
        self.tags.iter().find(|(key, _)| is_meant(key)).map(|(_, value)| value.as_str())
    }

    /// Returns the options of the game, from the tag `GameOptions`.
    #[must_use]
    pub fn options(&self) -> Vec<(&str, &str)> {
        let options = self.tag("GameOptions").unwrap_or_default();
        options.split(' ').filter_map(|pair| pair.split_once('=')).collect()
    }

    /// Returns the game as text: tags, movetext and the empty line after each.
    ///
    /// # Panics
    /// Never, because every part is text.
    #[must_use]
    pub fn write(&self, form: PgnForm) -> String {
        let mut out = Vec::new();
        write::game(self, form, &mut out);
        String::from_utf8(out).expect("every part is text")
    }
}

/// What a log says about a ply besides the ply itself.
#[derive(Clone, Copy, Debug)]
struct Facts<'a> {
    san: Option<&'a str>,
    turn: u32,
    seat: Seat,
    owner: Seat,
    is_opening: bool,
    is_fallback: bool,
    eval: Option<PgnEval>,
    spent: Option<Duration>,
    clock: Option<Duration>,
    text: Option<&'a str>,
}

impl Facts<'_> {
    /// Returns the ply that has these facts.
    fn of(self, ply: String) -> PgnPly {
        let Self { san, turn, seat, owner, is_opening, is_fallback, eval, spent, clock, text } = self;
        let text = text.and_then(comment);
        let san = san.map(|san| text::token(san).into_owned());
        PgnPly { ply, san, turn, seat, owner, is_opening, is_fallback, eval, spent, clock, text }
    }
}

impl<'a> From<&'a PgnPly> for Facts<'a> {
    fn from(ply: &'a PgnPly) -> Self {
        let PgnPly { turn, seat, owner, is_opening, is_fallback, eval, spent, clock, .. } = *ply;
        let (san, text) = (ply.san.as_deref(), ply.text.as_deref());
        Self { san, turn, seat, owner, is_opening, is_fallback, eval, spent, clock, text }
    }
}

/// Returns the comment that a text becomes, if anything of it is left.
fn comment(text: &str) -> Option<String> {
    Some(text::comment(text).into_owned()).filter(|comment| !comment.is_empty())
}

/// Returns the plies of a recorded game in their order, with what a log says about them.
fn told<T: AsRef<str> + Ord, C>(
    game: &GameRecord<T, Vec<PlyRecord<T>>, C>,
) -> impl Iterator<Item = (&str, Facts<'_>)> {
    let (mut turn, mut before) = (0, None);
    (0..).zip(&game.plies).map(move |(number, record)| {
        let seat = seat(record.seat);
        let owner = record.of.map_or(seat, self::seat);
        // Turns are counted again: in a log they differ only by their order.
        if before.replace((record.turn, owner)) != Some((record.turn, owner)) {
            turn += 1;
        }
        let facts = Facts {
            san: record.san.as_ref().map(T::as_ref),
            turn,
            seat,
            owner,
            is_opening: number < game.opening,
            is_fallback: record.fallback,
            eval: PgnEval::from_record(record),
            spent: record.us.map(|us| Duration::from_millis(us.saturating_add(500) / 1000)),
            clock: record.clock.map(Duration::from_millis),
            text: record.info.as_ref().and_then(|info| info.text.as_ref()).map(T::as_ref),
        };
        (record.ply.as_ref(), facts)
    })
}

impl PgnEval {
    fn from_record<T>(record: &PlyRecord<T>) -> Option<Self> {
        let info = record.info.as_ref()?;
        let score = info.mate.map(PgnScore::Mate).or(info.cp.map(PgnScore::Hundredths))?;
        Some(Self { score, depth: info.depth })
    }
}

/// Returns whether game logs can hold a text as a ply: a letter, then characters of PGN's symbols, at most 255 in all.
#[must_use]
pub fn is_pgn_move(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.len() <= 255
        && text.chars().all(text::is_symbol)
}

/// Returns a seat by its number, from 1, or the first seat if there is none with this number.
fn seat(number: u8) -> Seat {
    usize::from(number).checked_sub(1).and_then(Seat::new).unwrap_or(Seat::P1)
}

#[cfg(test)]
mod tests;
