//! What rules answer, as typed values: format 2 of the rules server (`protocol-spec/rules-server.md`).

use std::collections::BTreeMap;

use protocol::is_ply_token;
use record::Termination;
use rules::{Outcome, Places, Reason, Seat};
use serde::{Deserialize, Deserializer};

use crate::text_list::TextList;

/// The most bytes of a position string.
pub const MOST_POSITION_BYTES: usize = 4096;

/// The most legal plies of a position.
pub const MOST_LEGAL_PLIES: usize = 4096;

/// What rules say about themselves.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct About {
    /// The format of the questions and answers: 2.
    pub format: u32,
    /// The name of the rules.
    #[serde(default)]
    pub name: String,
    /// Their version.
    #[serde(default)]
    pub version: String,
    /// Whether equal questions always have equal answers.
    #[serde(default = "yes")]
    pub deterministic: bool,
}

const fn yes() -> bool {
    true
}

/// A game, as its rules describe it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct GameAnswer {
    /// Its id.
    pub game: String,
    /// Its name for titles.
    #[serde(default)]
    pub title: String,
    /// What it is, in a phrase.
    #[serde(default)]
    pub about: String,
    /// Its options.
    #[serde(default)]
    pub options: Vec<OptionAnswer>,
    /// How few and how many seats it has.
    #[serde(default = "two_seats")]
    pub seats: [u32; 2],
    /// At which occurrence a position is a draw; 0: the game does not care.
    #[serde(default)]
    pub repetition: u32,
    /// Whether a seat may have to pass.
    #[serde(default)]
    pub pass: bool,
    /// How a ply is written, in a line for people.
    #[serde(default)]
    pub notation: String,
    /// The rules for people, in Markdown.
    #[serde(default)]
    pub rules: String,
    /// After how many plies a game is a draw; the arena's own limit where it is left out.
    #[serde(default)]
    pub max_plies: Option<u32>,
    /// Reasons that are caps: a draw by repetition goes before them.
    #[serde(default)]
    pub caps: Vec<String>,
    /// `chess` where the game is chess as every reader of PGN knows it.
    #[serde(default)]
    pub pgn: Option<String>,
    /// How the board looks.
    #[serde(default)]
    pub look: Option<serde_json::Value>,
    /// How it looks at larger tables, by the number of seats, where that is otherwise.
    #[serde(default)]
    pub looks: BTreeMap<String, serde_json::Value>,
}

const fn two_seats() -> [u32; 2] {
    [2, 2]
}

/// An option of a game: one of several words, or a number of a range.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct OptionAnswer {
    /// Its key.
    pub name: String,
    /// Its value when none is given, or, where it is derived, words about that.
    pub default: String,
    /// Whether the value when none is given depends on other options.
    #[serde(default)]
    pub derived: bool,
    /// The words that it can be.
    #[serde(default)]
    pub values: Option<Vec<String>>,
    /// The least number that it can be.
    #[serde(default)]
    pub min: Option<u32>,
    /// The greatest.
    #[serde(default)]
    pub max: Option<u32>,
    /// What it changes, in a phrase.
    #[serde(default)]
    pub about: String,
}

/// A refusal: the question was understood, and the answer is no.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct RulesRefusal {
    /// What kind of refusal it is.
    pub error: String,
    /// Why, for people.
    #[serde(default)]
    pub message: String,
    /// Why a ply is refused, without saying which.
    #[serde(default)]
    pub why: Option<String>,
}

impl RulesRefusal {
    /// The code for a position string that is none.
    pub const BAD_POSITION: &'static str = "bad-position";
    /// The code for a token that is no ply of the game in any position.
    pub const BAD_PLY: &'static str = "bad-ply";
    /// The code for a ply that is not legal where it is played.
    pub const ILLEGAL_PLY: &'static str = "illegal-ply";

    /// Returns why, in the shortest words that there are: the code, where the rules say no more.
    #[must_use]
    pub fn words(&self) -> &str {
        let words = self.why.as_deref().unwrap_or(&self.message);
        if words.is_empty() { &self.error } else { words }
    }
}

/// Cells that show why a game is over.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct ProofAnswer {
    /// Their names.
    pub cells: Vec<String>,
    /// The seat that wins by them.
    #[serde(default)]
    pub seat: Option<String>,
    /// What they are: `row square corners stuck`.
    #[serde(default)]
    pub shape: Option<String>,
}

/// A position, as its rules answer it. [`PositionAnswer::check`] has held what the fields promise together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct PositionAnswer {
    /// The position string.
    pub position: String,
    /// The seat that decides: `p1`, `p2` and so on.
    pub seat: String,
    /// The seat whose turn it is, where it is another one.
    #[serde(default)]
    pub turn: Option<String>,
    /// Whether no ply of the turn was played.
    #[serde(default = "yes")]
    pub fresh: bool,
    /// The legal plies in byte order.
    pub legal: TextList,
    /// The position strings after them, where they were asked for.
    #[serde(default)]
    pub next: Option<TextList>,
    /// How the plies that end the game end it, where that was asked for.
    #[serde(default)]
    pub ends: Option<BTreeMap<String, EndAnswer>>,
    /// Who won.
    #[serde(default)]
    pub result: Option<String>,
    /// Why.
    #[serde(default)]
    pub reason: Option<String>,
    /// Why, for people.
    #[serde(default)]
    pub words: Option<String>,
    /// What counts for repetition: absent, the position string; `null`, nothing.
    #[serde(default, deserialize_with = "present")]
    pub key: Option<Option<String>>,
    /// What each seat has on the board.
    #[serde(default)]
    pub count: Option<Vec<u32>>,
    /// The places of all seats at the end, at a table of more than two; `result` is the same list as text.
    #[serde(default)]
    pub places: Option<Vec<u8>>,
    /// The seats that are out while the others play on, with their places, at such a table.
    #[serde(default)]
    pub out: BTreeMap<String, u8>,
    /// Why seats are out, as far as the question shows it.
    #[serde(default)]
    pub exits: BTreeMap<String, String>,
    /// What shows that the game is over.
    #[serde(default)]
    pub proofs: Vec<ProofAnswer>,
    /// The cells with something on them, and the letter of it, where the look says so.
    #[serde(default)]
    pub cells: Option<Vec<(String, String)>>,
    /// What each seat has in hand: seat, letter, number.
    #[serde(default)]
    pub hand: Vec<(String, String, u32)>,
    /// The plies as game logs spell them, in the order of `legal`.
    #[serde(default)]
    pub san: Option<TextList>,
}

/// How a ply ends the game.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct EndAnswer {
    /// Who won.
    pub result: String,
    /// Why.
    pub reason: String,
}

/// Tells a key that is `null` from one that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

impl PositionAnswer {
    /// Holds what must be true of every answer by itself, at a table of this many seats.
    ///
    /// # Errors
    /// Says what is wrong with it, in a phrase.
    pub fn check(&self, seats: usize) -> Result<(), String> {
        check_position(&self.position)?;
        let no_seat = |key: &str, found: &str| match seats {
            2 => format!("`{key}` is neither `p1` nor `p2` but {found:?}"),
            _ => format!("`{key}` is none of `p1` to `p{seats}` but {found:?}"),
        };
        seat(&self.seat, seats).ok_or_else(|| no_seat("seat", &self.seat))?;
        if let Some(turn) = &self.turn {
            seat(turn, seats).ok_or_else(|| no_seat("turn", turn))?;
        }
        if let Some(count) = self.count.as_ref().filter(|count| count.len() != seats) {
            return Err(format!("{} numbers in `count` for {seats} seats", count.len()));
        }
        if self.legal.len() > MOST_LEGAL_PLIES {
            return Err(format!("{} legal plies; there may be {MOST_LEGAL_PLIES}", self.legal.len()));
        }
        let mut last = None;
        for ply in self.legal.iter() {
            if !is_ply_token(ply) {
                return Err(format!(
                    "the legal ply {ply:?} is not written as a ply: a ply begins with a letter and holds a digit, or is `pass` or `swap`"
                ));
            }
            if let Some(before) = last.replace(ply).filter(|before| *before >= ply) {
                let what = if before == ply { "is listed twice" } else { "stands before a lesser one" };
                return Err(format!("the legal ply {before:?} {what}: they are listed once, in byte order"));
            }
        }
        match (&self.result, &self.reason) {
            (None, None) if self.legal.is_empty() => {
                return Err("no ply is legal, but the game has no result".to_owned());
            }
            (None, None) => {}
            (Some(result), Some(reason)) => {
                outcome(result, seats)?;
                self::reason(reason)?;
                if !self.legal.is_empty() {
                    return Err("the game is over, but plies are legal".to_owned());
                }
            }
            _ => return Err("of `result` and `reason`, one alone is given".to_owned()),
        }
        self.check_table(seats)?;
        if let Some(next) = &self.next
            && next.len() != self.legal.len()
        {
            return Err(format!("{} positions in `next` for {} legal plies", next.len(), self.legal.len()));
        }
        if let Some(san) = &self.san {
            if san.len() != self.legal.len() {
                return Err(format!("{} names in `san` for {} legal plies", san.len(), self.legal.len()));
            }
            if let Some(name) = san.iter().find(|name| !record::is_pgn_move(name)) {
                return Err(format!(
                    "the name {name:?} in `san` is no move of a game log: a letter, then letters, digits, `+`, `-`, `#`, `=`, `:` and `_`, at most 255"
                ));
            }
        }
        Ok(())
    }

    /// Returns the seat that decides. The answer has been checked.
    #[must_use]
    pub fn decider(&self) -> Seat {
        seat(&self.seat, Seat::MOST).expect("a checked answer has a seat")
    }

    /// Returns what counts for repetition; `None` where nothing does.
    #[must_use]
    pub fn repetition_key(&self) -> Option<&str> {
        match &self.key {
            None => Some(&self.position),
            Some(key) => key.as_deref(),
        }
    }
}

/// Returns whether a text may be a position string.
///
/// # Errors
/// Says why not.
pub fn check_position(text: &str) -> Result<(), String> {
    if text.is_empty() || text.len() > MOST_POSITION_BYTES {
        return Err(format!("a position string has 1 to {MOST_POSITION_BYTES} bytes, not {}", text.len()));
    }
    // Nearly all of them are ASCII, which is quick to look through: every answer has one.
    let is_usual =
        text.bytes().fold(true, |is_usual, byte| is_usual & (b' '..=b'~').contains(&byte) & (byte != b';'));
    if !is_usual && let Some(bad) = text.chars().find(|letter| *letter == ';' || letter.is_control()) {
        return Err(format!("a position string must not contain {bad:?}"));
    }
    // Words are joined by single blanks wherever a position string is sent.
    let has_odd_blank = |word: &str| word.is_empty() || (!is_usual && word.contains(char::is_whitespace));
    if text.split(' ').any(has_odd_blank) {
        return Err("the words of a position string are separated by single blanks".to_owned());
    }
    // They end a position string where one is sent.
    if let Some(word) = text.split(' ').find(|word| matches!(*word, "moves" | "gameover")) {
        return Err(format!("a position string must not contain the word `{word}`"));
    }
    Ok(())
}

/// Reads a seat of a table of this many.
pub(crate) fn seat(text: &str, seats: usize) -> Option<Seat> {
    text.parse().ok().filter(|seat: &Seat| seat.index() < seats)
}

/// Reads a result at a table of this many seats.
///
/// # Errors
/// When it is none.
pub(crate) fn outcome(text: &str, seats: usize) -> Result<Outcome, String> {
    if seats > 2 {
        let places: Places = text.parse().map_err(|error| format!("`result` is {text:?}: {error}"))?;
        if places.seats() != seats {
            return Err(format!("`result` has {} places for {seats} seats", places.seats()));
        }
        return Ok(Outcome::Places(places));
    }
    match text {
        "p1win" => Ok(Outcome::Win(Seat::P1)),
        "p2win" => Ok(Outcome::Win(Seat::P2)),
        "draw" => Ok(Outcome::Draw),
        other => Err(format!("`result` is none of `p1win`, `p2win`, `draw` and `null` but {other:?}")),
    }
}

/// Reads the reason of a result.
///
/// # Errors
/// When it is none, or what the arena itself calls the end of a game.
pub(crate) fn reason(text: &str) -> Result<Reason, String> {
    match text.parse() {
        Ok(Termination::Rules(reason)) => Ok(reason),
        Ok(_) => Err(format!(
            "`reason` is {text:?}, which the arena itself says when a game ends otherwise than by its rules"
        )),
        Err(error) => Err(format!("`reason`: {error}")),
    }
}
