//! `info`: what a bot reports about its search. It is never an error: a reader skips what it does not understand.

use std::fmt;
use std::time::Duration;

use super::text::one_line;
use super::text::write_plies;
use crate::lexical::token;
use crate::lexical::words::Words;
use crate::{Pair, Pairs, PlyToken};

/// `info`: the state of a search, from the bot's own point of view.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Info {
    /// The depth of the search.
    pub depth: Option<u64>,
    /// The greatest depth of a single line.
    pub selective_depth: Option<u64>,
    /// The time spent.
    pub time: Option<Duration>,
    /// The positions searched.
    pub nodes: Option<u64>,
    /// The positions searched per second.
    pub nodes_per_second: Option<u64>,
    /// The rank of this line among several best ones.
    pub multi_pv: Option<u64>,
    /// How full the table is, in thousandths.
    pub hash_full: Option<u64>,
    /// The ply that is being searched.
    pub current_move: Option<PlyToken>,
    /// The number of that ply.
    pub current_move_number: Option<u64>,
    /// The score of the position.
    pub score: Option<Score>,
    /// `wdl`, `winrate`, `visits` and other pairs.
    pub pairs: Pairs,
    /// The principal variation.
    pub pv: Vec<PlyToken>,
    /// Words for a reader, which a bot sends on a line of their own.
    pub text: Option<String>,
}

/// The score of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// The value.
    pub value: ScoreValue,
    /// Whether the value is only a bound.
    pub bound: Option<Bound>,
}

/// The value of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScoreValue {
    /// Hundredths of the unit that the game's page names.
    Centipawns(i64),
    /// A win in this number of own turns; a loss if negative.
    Mate(i64),
}

/// Which bound a value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
}

impl Info {
    /// Returns an `info` of words only.
    #[must_use]
    pub fn from_text(text: &str) -> Self {
        Self { text: Some(text.to_owned()), ..Self::default() }
    }

    pub(super) fn parse(mut words: Words<'_>) -> Self {
        let mut info = Self::default();
        while let Some(word) = words.next() {
            match word {
                "depth" => take(&mut info.depth, &mut words, token::int),
                "seldepth" => take(&mut info.selective_depth, &mut words, token::int),
                "time" => take(&mut info.time, &mut words, token::milliseconds),
                "nodes" => take(&mut info.nodes, &mut words, token::int),
                "nps" => take(&mut info.nodes_per_second, &mut words, token::int),
                "multipv" => take(&mut info.multi_pv, &mut words, token::int),
                "hashfull" => take(&mut info.hash_full, &mut words, token::int),
                "currmove" => take(&mut info.current_move, &mut words, |word| word.parse().ok()),
                "currmovenumber" => take(&mut info.current_move_number, &mut words, token::int),
                "score" => {
                    if let Some(score) = Score::take(&mut words) {
                        info.score = Some(score);
                    }
                }
                "pv" => {
                    info.pv.clear();
                    while let Some(ply) = words.peek().and_then(|word| word.parse().ok()) {
                        info.pv.push(ply);
                        words.next();
                    }
                }
                "string" => {
                    info.text = words.text().map(str::to_owned);
                    break;
                }
                _ => {
                    if let Some(pair) = Pair::parse(word) {
                        info.pairs.push(pair);
                    }
                }
            }
        }
        info
    }
}

/// Reads the next word. An unreadable word stays, because it may be the next key.
fn take<T>(place: &mut Option<T>, words: &mut Words<'_>, read: impl Fn(&str) -> Option<T>) {
    if let Some(value) = words.peek().and_then(read) {
        *place = Some(value);
        words.next();
    }
}

impl Score {
    fn take(words: &mut Words<'_>) -> Option<Self> {
        let as_value = match words.peek()? {
            "cp" => ScoreValue::Centipawns,
            "mate" => ScoreValue::Mate,
            _ => return None,
        };
        words.next();
        let mut value = None;
        take(&mut value, words, token::signed);
        let bound = match words.peek() {
            Some("lowerbound") => Some(Bound::Lower),
            Some("upperbound") => Some(Bound::Upper),
            _ => None,
        };
        if bound.is_some() {
            words.next();
        }
        Some(Self { value: as_value(value?), bound })
    }
}

impl fmt::Display for Info {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("info")?;
        let time = self.time.map(token::to_milliseconds);
        write_int(f, "depth", self.depth)?;
        write_int(f, "seldepth", self.selective_depth)?;
        write_int(f, "multipv", self.multi_pv)?;
        if let Some(score) = self.score {
            write!(f, " score {score}")?;
        }
        write_int(f, "nodes", self.nodes)?;
        write_int(f, "nps", self.nodes_per_second)?;
        write_int(f, "hashfull", self.hash_full)?;
        write_int(f, "time", time)?;
        if let Some(ply) = &self.current_move {
            write!(f, " currmove {ply}")?;
        }
        write_int(f, "currmovenumber", self.current_move_number)?;
        write!(f, "{}", self.pairs)?;
        if !self.pv.is_empty() {
            f.write_str(" pv")?;
            write_plies(f, &self.pv)?;
        }
        match self.text.as_deref().map(one_line) {
            Some(text) if !text.is_empty() => write!(f, " string {text}"),
            _ => Ok(()),
        }
    }
}

fn write_int(f: &mut fmt::Formatter<'_>, key: &str, value: Option<u64>) -> fmt::Result {
    value.map_or(Ok(()), |value| write!(f, " {key} {value}"))
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value {
            ScoreValue::Centipawns(value) => write!(f, "cp {value}")?,
            ScoreValue::Mate(turns) => write!(f, "mate {turns}")?,
        }
        f.write_str(match self.bound {
            Some(Bound::Lower) => " lowerbound",
            Some(Bound::Upper) => " upperbound",
            None => "",
        })
    }
}
