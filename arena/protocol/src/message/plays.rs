//! `plays`: the games that a bot knows, and their variants.

use std::fmt;
use std::str::FromStr;

use crate::lexical::token;

/// The option for the number of seats.
const PLAYERS: &str = "players";

/// One game that a bot plays, as in `fanorona:size=9x5|5x5`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSpec {
    /// The id of the game, or `None` for `*`: any game.
    pub game: Option<String>,
    /// The allowed values of its options. Empty means any.
    pub constraints: Vec<Constraint>,
}

/// The allowed values of one option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Constraint {
    /// The key of the option.
    pub key: String,
    /// The allowed values; `*` is any.
    pub values: Vec<String>,
}

impl GameSpec {
    /// Returns whether this entry covers the game with these options, at a table of the game's usual number of seats, or of
    /// `players` if given.
    ///
    /// The options must be complete, including defaults: a constraint on a missing option does not match. An entry covers an
    /// unusual number of seats only if it names the number (`players=3`), or covers any game or any variant.
    #[must_use]
    pub fn admits(&self, game: &str, options: &[(String, String)], players: Option<u8>) -> bool {
        let knows_table = players.is_none()
            || self.game.is_none()
            || self.constraints.iter().any(|one| one.key == PLAYERS || one.is_any());
        self.game.as_deref().is_none_or(|own| own == game)
            && knows_table
            && self.constraints.iter().all(|constraint| constraint.admits(options))
    }
}

impl Constraint {
    /// Returns whether it is a bare `*`, which means any variant.
    fn is_any(&self) -> bool {
        self.key == "*" && self.values.is_empty()
    }

    fn admits(&self, options: &[(String, String)]) -> bool {
        let value = options.iter().find(|(key, _)| *key == self.key).map(|(_, value)| value.as_str());
        // A table for two has no such option.
        let value = value.or((self.key == PLAYERS).then_some("2"));
        self.is_any() || value.is_some_and(|value| self.values.iter().any(|own| own == value || own == "*"))
    }
}

impl FromStr for GameSpec {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        if text == "*" {
            return Ok(Self { game: None, constraints: Vec::new() });
        }
        let (game, constraints) = match text.split_once(':') {
            Some((game, constraints)) => (game, Some(constraints)),
            None => (text, None),
        };
        let is_valid =
            constraints.is_none_or(|text| !text.is_empty() && text.bytes().all(is_constraint_byte));
        if !token::is_game_id(game) || !is_valid {
            return Err(());
        }
        let constraints = constraints.into_iter().flat_map(|text| text.split(',')).map(Constraint::from_text);
        Ok(Self { game: Some(game.to_owned()), constraints: constraints.collect() })
    }
}

impl Constraint {
    fn from_text(text: &str) -> Self {
        match text.split_once('=') {
            Some((key, values)) => {
                Self { key: key.to_owned(), values: values.split('|').map(str::to_owned).collect() }
            }
            None => Self { key: text.to_owned(), values: Vec::new() },
        }
    }
}

fn is_constraint_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b',' | b'|' | b'=' | b'.' | b'-' | b'*')
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.game.as_deref().unwrap_or("*"))?;
        for (index, constraint) in self.constraints.iter().enumerate() {
            f.write_str(if index == 0 { ":" } else { "," })?;
            write!(f, "{constraint}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.key)?;
        if !self.values.is_empty() {
            write!(f, "={}", self.values.join("|"))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(spec: &str, game: &str, options: &[(&str, &str)]) -> bool {
        let options: Vec<_> = options.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
        spec.parse::<GameSpec>().is_ok_and(|spec| spec.admits(game, &options, None))
    }

    #[test]
    fn a_table_of_another_size_is_known_only_to_those_who_say_so() {
        let check = |spec: &str, players: u8| {
            let options = [("players".to_owned(), players.to_string())];
            let unusual = Some(players).filter(|players| *players != 2);
            spec.parse::<GameSpec>().is_ok_and(|spec| spec.admits("2-frenzy", &options, unusual))
        };
        assert_eq!([2, 3, 4].map(|players| check("2-frenzy", players)), [true, false, false]);
        assert_eq!([2, 3, 4].map(|players| check("2-frenzy:players=3|4", players)), [false, true, true]);
        let spec = "2-frenzy:players=2|3".parse::<GameSpec>().expect("a spec");
        assert!(spec.admits("2-frenzy", &[], None), "a game for two does not name the option");
        for spec in ["*", "2-frenzy:*", "2-frenzy:players=*", "2-frenzy:players=2|3|4"] {
            assert_eq!([2, 3, 4].map(|players| check(spec, players)), [true; 3], "{spec}");
        }
    }

    #[test]
    fn a_star_admits_every_game() {
        assert!(check("*", "fanorona", &[("size", "9x5")]));
    }

    #[test]
    fn a_bare_game_admits_all_its_variants() {
        assert!(check("2-frenzy", "2-frenzy", &[("max-turns", "300")]));
        assert!(!check("2-frenzy", "frenzy", &[]));
        assert!(check("fanorona:*", "fanorona", &[("size", "9x5")]));
    }

    #[test]
    fn every_constraint_must_hold() {
        let spec = "fanorona:size=9x5|5x5,quiet-cap=*";
        assert!(check(spec, "fanorona", &[("size", "5x5"), ("quiet-cap", "7")]));
        assert!(!check(spec, "fanorona", &[("size", "3x3"), ("quiet-cap", "7")]));
        assert!(!check(spec, "fanorona", &[("size", "5x5")]));
    }

    #[test]
    fn a_constraint_that_says_nothing_known_admits_nothing() {
        assert!(!check("fanorona:9x5", "fanorona", &[("size", "9x5")]));
    }

    #[test]
    fn other_texts_are_no_game() {
        for text in ["", "Chess", "a:", "a:b c", "*:size=3", "a:b/c", "-a"] {
            assert!(text.parse::<GameSpec>().is_err(), "{text}");
        }
    }
}
