//! Who won a game, as recorded.

use std::cmp::Ordering;
use std::fmt;

use rules::{Outcome, Places, Seat};

/// Who won a game, as recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// `p1` of two seats won.
    P1Win,
    /// `p2` of two seats won.
    P2Win,
    /// A draw between two seats.
    Draw,
    /// The game does not count.
    None,
    /// The places at a table of more than two seats.
    Places(Places),
}

impl GameResult {
    /// Returns a win for this seat of two.
    #[must_use]
    pub const fn win(seat: Seat) -> Self {
        match seat {
            Seat::P1 => Self::P1Win,
            _ => Self::P2Win,
        }
    }

    /// Returns the score of a seat: the share of its opponents that it beat, where a tie counts a half. With two seats that is
    /// 1, 0.5 or 0. `None` if the game does not count or the table has no such seat.
    #[must_use]
    pub fn score(self, seat: Seat) -> Option<f64> {
        match self {
            Self::Places(places) => places.score(seat),
            _ => self.pair_score(seat, seat.other()),
        }
    }

    /// Returns the score of a seat against another one: 1, 0.5 or 0. `None` if the game does not count or the table has no such
    /// seats.
    #[must_use]
    pub fn pair_score(self, seat: Seat, other: Seat) -> Option<f64> {
        Some(match other.cmp(&seat).is_ne().then(|| self.place(other))??.cmp(&self.place(seat)?) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        })
    }

    /// Returns the place of a seat, from 1. `None` if the game does not count or the table has no such seat.
    #[must_use]
    pub const fn place(self, seat: Seat) -> Option<u8> {
        match (self, seat) {
            (Self::Places(places), _) => places.of_seat(seat),
            (Self::P1Win, Seat::P1) | (Self::P2Win, Seat::P2) | (Self::Draw, Seat::P1 | Seat::P2) => Some(1),
            (Self::P1Win, Seat::P2) | (Self::P2Win, Seat::P1) => Some(2),
            _ => None,
        }
    }

    /// Returns the seat that won: that has the first place for itself.
    #[must_use]
    pub fn winner(self) -> Option<Seat> {
        match self {
            Self::P1Win => Some(Seat::P1),
            Self::P2Win => Some(Seat::P2),
            Self::Draw | Self::None => None,
            Self::Places(places) => places.winner(),
        }
    }

    /// Returns the seat that lost, if one of two seats lost.
    #[must_use]
    pub const fn loser(self) -> Option<Seat> {
        match self {
            Self::P1Win => Some(Seat::P2),
            Self::P2Win => Some(Seat::P1),
            Self::Draw | Self::None | Self::Places(_) => None,
        }
    }

    /// Returns the value of PGN's `Result` tag; `*` for more than two players.
    #[must_use]
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::P1Win => "1-0",
            Self::P2Win => "0-1",
            Self::Draw => "1/2-1/2",
            Self::None | Self::Places(_) => "*",
        }
    }

    /// Returns the word that records write. `Display` adds the places at a table of more than two seats.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::P1Win => "p1win",
            Self::P2Win => "p2win",
            Self::Draw => "draw",
            Self::None => "none",
            Self::Places(_) => "places",
        }
    }
}

impl From<Outcome> for GameResult {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Win(seat) => Self::win(seat),
            Outcome::Draw => Self::Draw,
            Outcome::Places(places) => Self::Places(places),
        }
    }
}

impl fmt::Display for GameResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())?;
        match self {
            Self::Places(places) => write!(f, "={places}"),
            _ => Ok(()),
        }
    }
}

/// A result as the fields of a record: `"result":"p1win"`, `"result":"places","places":[1,3,2]`.
pub mod fields {
    use rules::Places;
    use serde::de::Error;
    use serde::de::value::{self, StrDeserializer};
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::GameResult;

    #[derive(Deserialize, Serialize)]
    struct Fields {
        result: ResultWord,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        places: Option<Vec<u8>>,
    }

    /// The word of a result.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
    #[serde(rename_all = "lowercase")]
    pub(crate) enum ResultWord {
        P1Win,
        P2Win,
        Draw,
        None,
        Places,
    }

    /// Returns the word of a result, `None` if it is not one.
    pub(crate) fn word(text: &str) -> Option<ResultWord> {
        ResultWord::deserialize(StrDeserializer::<value::Error>::new(text)).ok()
    }

    /// Returns the result that these fields express.
    pub(crate) fn result(word: ResultWord, places: Option<&[u8]>) -> Result<GameResult, String> {
        Ok(match (word, places) {
            (ResultWord::P1Win, _) => GameResult::P1Win,
            (ResultWord::P2Win, _) => GameResult::P2Win,
            (ResultWord::Draw, _) => GameResult::Draw,
            (ResultWord::None, _) => GameResult::None,
            (ResultWord::Places, None) => return Err("missing field `places`".to_owned()),
            (ResultWord::Places, Some(places)) => {
                GameResult::Places(Places::new(places).map_err(|error| error.to_string())?)
            }
        })
    }

    /// Writes the fields.
    ///
    /// # Errors
    /// If the serializer fails.
    pub fn serialize<S: Serializer>(result: &GameResult, serializer: S) -> Result<S::Ok, S::Error> {
        let (result, places) = match *result {
            GameResult::P1Win => (ResultWord::P1Win, None),
            GameResult::P2Win => (ResultWord::P2Win, None),
            GameResult::Draw => (ResultWord::Draw, None),
            GameResult::None => (ResultWord::None, None),
            GameResult::Places(places) => {
                (ResultWord::Places, Some(places.iter().map(|(_, place)| place).collect()))
            }
        };
        Fields { result, places }.serialize(serializer)
    }

    /// Reads the fields.
    ///
    /// # Errors
    /// If they do not express a result.
    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<GameResult, D::Error> {
        let fields = Fields::deserialize(deserializer)?;
        result(fields.result, fields.places.as_deref()).map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_of_two_are_those_of_their_places() {
        for (result, scores) in [
            (GameResult::P1Win, [Some(1.0), Some(0.0)]),
            (GameResult::P2Win, [Some(0.0), Some(1.0)]),
            (GameResult::Draw, [Some(0.5), Some(0.5)]),
            (GameResult::None, [None, None]),
        ] {
            assert_eq!(Seat::BOTH.map(|seat| result.score(seat)), scores, "{result}");
            assert_eq!(Seat::new(2).and_then(|third| result.score(third)), None);
            assert_eq!(result.pair_score(Seat::P1, Seat::P2), scores[0]);
            assert_eq!(result.pair_score(Seat::P1, Seat::P1), None);
        }
    }

    #[test]
    fn a_table_gives_a_score_for_every_two_seats() {
        let result = GameResult::Places("1,3,1".parse().expect("places"));
        let seats: Vec<_> = Seat::all(3).collect();
        let against = |one: usize, other: usize| result.pair_score(seats[one], seats[other]);
        assert_eq!([against(0, 1), against(1, 0), against(0, 2)], [Some(1.0), Some(0.0), Some(0.5)]);
        assert_eq!(result.score(seats[0]), Some(0.75));
        assert_eq!(
            (result.to_string(), result.pgn(), result.loser()),
            ("places=1,3,1".to_owned(), "*", None)
        );
    }
}
