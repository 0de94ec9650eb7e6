//! Players by number, and the result of a game on the wire.

use std::fmt;
use std::num::NonZeroU8;
use std::str::FromStr;

use thiserror::Error;

use crate::lexical::token;

/// A player: `p1`, `p2`, and more in games that have more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SeatNumber(NonZeroU8);

/// The text before the places of the seats.
const PLACES: &str = "places=";

/// The text is not a seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a seat is `p1`, `p2` and so on")]
pub struct UnknownSeat;

/// The text is not an outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("an outcome is `p1win`, `p2win`, `draw`, `none` or `places=` with a place for each seat")]
pub struct UnknownResult;

/// The result of a game, by seat.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum AnnouncedResult {
    /// This seat won.
    Win(SeatNumber),
    /// A draw.
    Draw,
    /// The game does not count.
    None,
    /// The place of every seat in order, from 1, at a table of more than two seats. Seats may share a place.
    Places(Vec<NonZeroU8>),
}

impl SeatNumber {
    /// The seat that moves first.
    pub const P1: Self = Self(NonZeroU8::MIN);
    /// The second seat.
    pub const P2: Self = Self(NonZeroU8::MIN.saturating_add(1));

    /// Returns the seat with this number, counted from 1.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        NonZeroU8::new(number).map(Self)
    }

    /// Returns the number, counted from 1.
    #[must_use]
    pub const fn get(self) -> u8 {
        self.0.get()
    }

    /// Returns the number counted from 0, for lists by seat.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0.get() as usize - 1
    }
}

impl fmt::Display for SeatNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", self.0)
    }
}

impl FromStr for SeatNumber {
    type Err = UnknownSeat;

    fn from_str(text: &str) -> Result<Self, UnknownSeat> {
        text.strip_prefix('p').and_then(token::count).map(Self).ok_or(UnknownSeat)
    }
}

impl fmt::Display for AnnouncedResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(seat) => write!(f, "{seat}win"),
            Self::Draw => f.write_str("draw"),
            Self::None => f.write_str("none"),
            Self::Places(places) => {
                f.write_str(PLACES)?;
                places.iter().enumerate().try_for_each(|(index, place)| {
                    let comma = if index == 0 { "" } else { "," };
                    write!(f, "{comma}{place}")
                })
            }
        }
    }
}

impl FromStr for AnnouncedResult {
    type Err = UnknownResult;

    fn from_str(text: &str) -> Result<Self, UnknownResult> {
        match text {
            "draw" => Ok(Self::Draw),
            "none" => Ok(Self::None),
            _ => {
                if let Some(places) = text.strip_prefix(PLACES) {
                    let places = places.split(',').map(|place| token::count(place).ok_or(UnknownResult));
                    return places.collect::<Result<_, _>>().map(Self::Places);
                }
                let seat = text.strip_suffix("win").ok_or(UnknownResult)?;
                seat.parse().map(Self::Win).map_err(|UnknownSeat| UnknownResult)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_are_written_as_they_are_read() {
        for text in ["p1", "p2", "p12", "p255"] {
            assert_eq!(text.parse::<SeatNumber>().map(|seat| seat.to_string()).as_deref(), Ok(text));
        }
        for text in ["", "p", "p0", "p01", "p+1", "p256", "P1", "1", "p1 ", "p-1"] {
            assert_eq!(text.parse::<SeatNumber>(), Err(UnknownSeat), "{text}");
        }
    }

    #[test]
    fn outcomes_are_written_as_they_are_read() {
        for text in ["p1win", "p2win", "draw", "none", "places=1", "places=1,3,2,3", "places=12,255"] {
            assert_eq!(
                text.parse::<AnnouncedResult>().map(|outcome| outcome.to_string()).as_deref(),
                Ok(text)
            );
        }
        for text in
            ["win", "p0win", "p1", "p1loss", "", "places", "places=", "places=0", "places=1,", "places=1,+2"]
        {
            assert_eq!(text.parse::<AnnouncedResult>(), Err(UnknownResult), "{text}");
        }
    }
}
