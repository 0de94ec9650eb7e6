//! What `games` declares: the games, their options and what else holds of them.

use own_games::{GameAnswer, GameFacts, MOST_PLIES};
use protocol::printable_capped;
use rules::PLAYERS_OPTION;
use serde::Deserialize as _;
use serde_json::{Value, json};

use crate::game_check::answer::{is_line, is_reason, shown};
use crate::game_check::catalogue::{GAMES, LOOK};
use crate::game_check::findings::Flaw;
use crate::game_check::look::LookCheck;

/// The plies after which the arena ends any game.
pub(super) const MAX_PLIES: u64 = MOST_PLIES as u64;

/// The most bytes of a game's id, and of the name of an option.
const MAX_NAME: usize = 32;

/// How many characters of a message are shown.
const SHOWN: usize = 400;

/// A game as the rules declare it.
#[derive(Clone, Debug)]
pub(super) struct Declared {
    pub(super) id: String,
    pub(super) options: Vec<DeclaredOption>,
    /// The occurrence of a position that is a draw; 0 where the game does not care.
    pub(super) repetition: u64,
    pub(super) has_pass: bool,
    /// The plies after which the game is a draw, if it says so.
    pub(super) max_plies: Option<u64>,
    look: Option<LookCheck>,
    /// Those of larger tables that have another one.
    looks: Vec<(usize, LookCheck)>,
    /// What the arena makes of it; `None` if it refuses the game.
    facts: Option<&'static GameFacts>,
}

/// An option as the rules declare it.
#[derive(Clone, Debug)]
pub(super) struct DeclaredOption {
    pub(super) name: String,
    pub(super) default: String,
    /// Whether the default depends on other options, and is told in words.
    pub(super) is_derived: bool,
    pub(super) values: OptionValues,
}

/// What an option may be.
#[derive(Clone, Debug)]
pub(super) enum OptionValues {
    Words(Vec<String>),
    Range(i64, i64),
}

impl OptionValues {
    /// Returns values at the ends of what is allowed: all words, or the least and the greatest number.
    pub(super) fn ends(&self) -> Vec<String> {
        match self {
            Self::Words(words) => words.clone(),
            Self::Range(low, high) if low == high => vec![low.to_string()],
            Self::Range(low, high) => vec![low.to_string(), high.to_string()],
        }
    }

    /// Returns values just beyond what is allowed, and spellings that are none.
    pub(super) fn beyond(&self) -> Vec<String> {
        match self {
            Self::Words(words) => {
                let misses = words.iter().flat_map(|word| [format!("{word}x"), other_case(word)]);
                let misses = misses.filter(|miss| !words.contains(miss));
                misses.chain([String::new()]).collect()
            }
            Self::Range(low, high) => {
                let below = low.checked_sub(1).map(|low| low.to_string());
                let above = high.checked_add(1).map(|high| high.to_string());
                let odd = [format!("0{high}"), format!("+{high}"), format!("{high}x"), String::new()];
                below.into_iter().chain(above).chain(odd).collect()
            }
        }
    }
}

fn other_case(word: &str) -> String {
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    word.chars().map(swap).collect()
}

impl Declared {
    /// Reads the answer to `games`: the games that can be asked about, and what is wrong, each with its game.
    pub(super) fn read_all(value: &Value) -> (Vec<Self>, Vec<(Option<String>, Flaw)>) {
        let mut flaws = Vec::new();
        let Some(list) = value.as_array() else {
            flaws.push((None, Flaw::new(GAMES, "the answer to `games` is no list")));
            return (Vec::new(), flaws);
        };
        if list.is_empty() {
            flaws.push((None, Flaw::new(GAMES, "`games` names no game")));
        }
        let mut games: Vec<Self> = Vec::new();
        for value in list {
            let (game, found) = Self::read(value);
            let id = value.get("game").and_then(Value::as_str).filter(|id| is_name(id)).map(str::to_owned);
            flaws.extend(found.into_iter().map(|flaw| (id.clone(), flaw)));
            if let Some(game) = game {
                if games.iter().any(|known| known.id == game.id) {
                    flaws.push((id, Flaw::new(GAMES, format!("`{}` is listed twice", game.id))));
                } else {
                    games.push(game);
                }
            }
        }
        (games, flaws)
    }

    fn read(value: &Value) -> (Option<Self>, Vec<Flaw>) {
        let mut flaws = Vec::new();
        let mut wrong = |key: &str, found: Option<&Value>, wanted: &str| {
            let found = found.map_or_else(|| "missing".to_owned(), shown);
            flaws.push(Flaw::new(GAMES, format!("`{key}` is {found}, but must be {wanted}")));
        };
        let id = value.get("game").and_then(Value::as_str).filter(|id| is_name(id));
        if id.is_none() {
            wrong("game", value.get("game"), "a name of small letters, digits and `-`");
        }
        for key in ["title", "about", "notation", "rules"] {
            if value.get(key).is_some_and(|text| !text.is_string()) {
                wrong(key, value.get(key), "a text");
            }
        }
        let repetition = value.get("repetition").map_or(Some(0), Value::as_u64).filter(|n| *n != 1);
        if repetition.is_none() {
            wrong("repetition", value.get("repetition"), "0, or at least 2");
        }
        let has_pass = value.get("pass").map_or(Some(false), Value::as_bool);
        if has_pass.is_none() {
            wrong("pass", value.get("pass"), "`true` or `false`");
        }
        let max_plies = value.get("max-plies").filter(|value| !value.is_null());
        let cap = max_plies.and_then(Value::as_u64).filter(|n| (1..=MAX_PLIES).contains(n));
        if max_plies.is_some() && cap.is_none() {
            wrong("max-plies", max_plies, "a number from 1 to 10000");
        }
        if let Some(caps) = value.get("caps")
            && !caps.as_array().is_some_and(|caps| caps.iter().all(|cap| cap.as_str().is_some_and(is_reason)))
        {
            wrong("caps", Some(caps), "a list of reasons");
        }
        let mut options: Vec<DeclaredOption> = Vec::new();
        match value.get("options").map(Value::as_array) {
            Some(Some(list)) => {
                for option in list {
                    match DeclaredOption::read(option) {
                        Ok(option) if options.iter().any(|known| known.name == option.name) => {
                            wrong("options", Some(&option.name.into()), "listed once");
                        }
                        Ok(option) => options.push(option),
                        Err(wanted) => wrong("options", Some(option), wanted),
                    }
                }
            }
            None => {}
            Some(None) => wrong("options", value.get("options"), "a list"),
        }
        // Whatever else the arena refuses when it loads the game.
        let facts = GameAnswer::deserialize(value)
            .map_err(|error| error.to_string())
            .and_then(|answer| GameFacts::of(&answer));
        if let (Err(what), []) = (&facts, flaws.as_slice()) {
            flaws.push(Flaw::new(GAMES, printable_capped(what, SHOWN)));
        }
        let mut look = |name: &str, value: &Value| match LookCheck::read(value) {
            Ok(look) => Some(look),
            Err(what) => {
                flaws.push(Flaw::new(LOOK, format!("{name} cannot be used: {what}")));
                None
            }
        };
        let usual =
            value.get("look").filter(|look| !look.is_null()).and_then(|value| look("the look", value));
        let others = value.get("looks").and_then(Value::as_object).into_iter().flatten();
        let looks = others.filter_map(|(seats, value)| {
            Some((
                seats.parse().ok()?,
                look(&format!("the look at a table of {}", shown(&json!(seats))), value)?,
            ))
        });
        let (looks, look) = (looks.collect(), usual);
        let game = id.map(|id| Self {
            id: id.to_owned(),
            options,
            repetition: repetition.unwrap_or(0),
            has_pass: has_pass.unwrap_or(false),
            max_plies: cap,
            look,
            looks,
            facts: facts.ok(),
        });
        (game, flaws)
    }

    /// Returns whether the arena can load the game.
    pub(super) const fn is_accepted(&self) -> bool {
        self.facts.is_some()
    }

    /// Returns how many seats a table has with these options; two if the arena refuses the game.
    pub(super) fn seats(&self, given: &[(String, String)]) -> usize {
        self.facts.map_or(2, |facts| facts.seats(&self.values(given)))
    }

    /// Returns the look at a table of so many seats.
    pub(super) fn look(&self, seats: usize) -> Option<&LookCheck> {
        let own = self.looks.iter().find(|(known, _)| *known == seats).map(|(_, look)| look);
        own.or(self.look.as_ref())
    }

    /// Returns whether some of its tables have more than two seats.
    pub(super) fn has_tables(&self) -> bool {
        let most =
            |option: &DeclaredOption| matches!(option.values, OptionValues::Range(_, most) if most > 2);
        self.seats(&[]) > 2 || self.options.iter().any(|option| option.name == PLAYERS_OPTION && most(option))
    }

    /// Returns the values of all options where some are given; none if the arena refuses the game.
    pub(super) fn values(&self, given: &[(String, String)]) -> Vec<(&'static str, String)> {
        let options = self.facts.map_or(&[][..], |facts| facts.options);
        let value = |name: &str, default: &str| {
            let given = given.iter().find(|(known, _)| known == name);
            given.map_or_else(|| default.to_owned(), |(_, value)| value.clone())
        };
        options.iter().map(|spec| (spec.name, value(spec.name, spec.default))).collect()
    }
}

impl DeclaredOption {
    fn read(value: &Value) -> Result<Self, &'static str> {
        let text = |key: &str| value.get(key).and_then(Value::as_str).map(str::to_owned);
        let name = text("name").filter(|name| is_name(name));
        let name = name.ok_or("an option whose `name` has small letters, digits and `-`")?;
        let default = text("default").ok_or("an option with a `default`, which is a text")?;
        let number = |key: &str| value.get(key).and_then(Value::as_i64);
        let values = match (value.get("values"), number("min"), number("max")) {
            (Some(Value::Array(list)), None, None) if !list.is_empty() => {
                let words = list.iter().map(|word| {
                    let is_word = |word: &&str| {
                        !word.is_empty() && is_line(word) && !word.contains(char::is_whitespace)
                    };
                    word.as_str().filter(is_word).map(str::to_owned)
                });
                let words = words.collect::<Option<Vec<_>>>();
                OptionValues::Words(words.ok_or("an option whose `values` are words")?)
            }
            (None, Some(low), Some(high)) if low <= high => OptionValues::Range(low, high),
            _ => return Err("an option with either `values`, or `min` and `max`"),
        };
        let is_derived = value.get("derived").and_then(Value::as_bool).unwrap_or(false);
        Ok(Self { name, default, is_derived, values })
    }
}

fn is_name(text: &str) -> bool {
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    (1..=MAX_NAME).contains(&text.len()) && text.bytes().all(is_letter)
}
