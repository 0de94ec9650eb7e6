//! The places of all seats at the end of a game.

use std::fmt;
use std::num::NonZeroU32;
use std::str::FromStr;

use thiserror::Error;

use crate::Seat;

/// The place of every seat of a table: 1 is the best, and equal places are ties. A place is one plus the number of seats
/// that did better, so `1,2,2` and `1,1,3` are places, but `1,1,2` is not.
///
/// It is a small value, which `Display` writes in the order of the seats and `FromStr` reads strictly.
///
/// ```
/// use rules::{Places, Seat};
///
/// let places: Places = "1,3,2".parse()?;
/// assert_eq!((places.seats(), places.of_seat(Seat::P2)), (3, Some(3)));
/// assert_eq!(Seat::all(3).map(|seat| places.score(seat)).collect::<Vec<_>>(), [Some(1.0), Some(0.0), Some(0.5)]);
/// assert_eq!(Places::by_score(&[7, 9, 9]).unwrap().to_string(), "3,1,1");
/// # Ok::<(), rules::BadPlaces>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Places(
    /// Four bits for each seat, `p1` in the lowest; 0 above the last one.
    NonZeroU32,
);

/// Why a text or a list is not a list of places.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BadPlaces {
    /// There are too few or too many places.
    #[error("{0} places, but a table has 2 to {most} seats", most = Seat::MOST)]
    Count(usize),
    /// A seat's place is not one plus the number of seats that did better.
    #[error("{seat} cannot have the place {place}: a place is one plus the number of seats that did better")]
    Place {
        /// The first seat whose place is wrong.
        seat: Seat,
        /// The wrong place.
        place: u32,
    },
    /// The text is malformed.
    #[error("`{}` is not a list of places: numbers separated by commas, one for each seat", .0.escape_debug())]
    Spelling(String),
}

impl Places {
    /// Returns the places of the seats, in order.
    ///
    /// # Errors
    /// If there are fewer than two or more than [`Seat::MOST`], or a place is not one plus the number of seats that did better.
    pub fn new(places: &[u8]) -> Result<Self, BadPlaces> {
        if !(2..=Seat::MOST).contains(&places.len()) {
            return Err(BadPlaces::Count(places.len()));
        }
        for (seat, place) in Seat::all(places.len()).zip(places) {
            let better = places.iter().filter(|other| *other < place).count();
            if usize::from(*place) != better + 1 {
                return Err(BadPlaces::Place { seat, place: u32::from(*place) });
            }
        }
        let packed = places.iter().rev().fold(0, |packed, place| packed << 4 | u32::from(*place));
        NonZeroU32::new(packed).map(Self).ok_or(BadPlaces::Count(0))
    }

    /// Returns the places of seats with these scores, in order. A higher score is better.
    ///
    /// # Errors
    /// If there are fewer than two or more than [`Seat::MOST`].
    pub fn by_score<T: PartialOrd>(scores: &[T]) -> Result<Self, BadPlaces> {
        let place = |score: &T| scores.iter().filter(|other| *other > score).count() as u8 + 1;
        match scores.len() {
            2..=Seat::MOST => Self::new(&scores.iter().map(place).collect::<Vec<_>>()),
            count => Err(BadPlaces::Count(count)),
        }
    }

    /// Returns the first place for every seat of a table of `count` seats, clamped to 2 to [`Seat::MOST`].
    #[must_use]
    pub fn shared(count: usize) -> Self {
        Self::first_and_rest(count, |_| true)
    }

    /// Returns the places at a table of `count` seats if one seat is first and all others share the next place.
    #[must_use]
    pub fn won_by(winner: Seat, count: usize) -> Self {
        Self::first_and_rest(count, |seat| seat == winner)
    }

    fn first_and_rest(count: usize, is_first: impl Fn(Seat) -> bool) -> Self {
        let count = count.clamp(2, Seat::MOST);
        let first = Seat::all(count).filter(|seat| is_first(*seat)).count() as u32;
        // If no seat is first, all are.
        let place = |seat| if is_first(seat) || first == 0 { 1 } else { first + 1 };
        let packed = Seat::all(count).rev().fold(0, |packed, seat| packed << 4 | place(seat));
        Self(NonZeroU32::new(packed).unwrap_or(NonZeroU32::MIN))
    }

    /// Returns how many seats the table has.
    #[must_use]
    pub const fn seats(self) -> usize {
        (u32::BITS - self.0.leading_zeros()).div_ceil(4) as usize
    }

    /// Returns the place of a seat; `None` if the table does not have it.
    #[must_use]
    pub const fn of_seat(self, seat: Seat) -> Option<u8> {
        match (self.0.get() >> (4 * seat.index()) & 0xf) as u8 {
            0 => None,
            place => Some(place),
        }
    }

    /// Iterates over the seats with their places, in order.
    pub fn iter(self) -> impl ExactSizeIterator<Item = (Seat, u8)> {
        Seat::all(self.seats()).map(move |seat| (seat, self.of_seat(seat).unwrap_or(1)))
    }

    /// Returns the score of a seat, 0 to 1: the share of its opponents that it beats, where a tie counts a half. `None` if the
    /// table does not have the seat.
    #[must_use]
    pub fn score(self, seat: Seat) -> Option<f64> {
        let own = self.of_seat(seat)?;
        let halves =
            self.iter().filter(|(other, _)| *other != seat).map(|(_, place)| match place.cmp(&own) {
                std::cmp::Ordering::Greater => 2,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Less => 0,
            });
        Some(f64::from(halves.sum::<u32>()) / (2 * (self.seats() - 1)) as f64)
    }

    /// Returns the only seat in first place, if there is one.
    #[must_use]
    pub fn winner(self) -> Option<Seat> {
        let mut first = self.iter().filter(|(_, place)| *place == 1).map(|(seat, _)| seat);
        first.next().filter(|_| first.next().is_none())
    }
}

impl fmt::Debug for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Places({self})")
    }
}

impl fmt::Display for Places {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (seat, place) in self.iter() {
            if seat != Seat::P1 {
                f.write_str(",")?;
            }
            write!(f, "{place}")?;
        }
        Ok(())
    }
}

impl FromStr for Places {
    type Err = BadPlaces;

    fn from_str(text: &str) -> Result<Self, BadPlaces> {
        let mut places = Vec::new();
        for part in text.split(',') {
            match part.as_bytes() {
                [digit @ b'1'..=b'8'] if places.len() < Seat::MOST => places.push(digit - b'0'),
                _ => return Err(BadPlaces::Spelling(text.chars().take(80).collect())),
            }
        }
        Self::new(&places)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back() {
        for text in
            ["1,2", "2,1", "1,1", "1,3,2", "1,2,2", "1,1,3", "3,3,1,2", "1,2,3,4,5,6,7,8", "8,7,6,5,4,3,2,1"]
        {
            let places: Places = text.parse().unwrap();
            assert_eq!((places.to_string(), places.seats()), (text.to_owned(), text.split(',').count()));
            let list: Vec<_> = places.iter().map(|(_, place)| place).collect();
            assert_eq!(Places::new(&list), Ok(places));
        }
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for bad in
            ["", "1", ",", "1,", "1,1,2", "2,2", "2,3", "1,3", "0,1", "1,2,4", "1,02", "1, 2", "p1,2", "1,9"]
        {
            assert!(bad.parse::<Places>().is_err(), "{bad}");
        }
        assert!("1,1,1,1,1,1,1,1,1".parse::<Places>().is_err());
        let error = "1,1,2".parse::<Places>().unwrap_err().to_string();
        assert_eq!(
            error,
            "p3 cannot have the place 2: a place is one plus the number of seats that did better"
        );
    }

    #[test]
    fn scores_are_shares_of_opponents() {
        let scores = |text: &str| -> Vec<f64> {
            let places: Places = text.parse().unwrap();
            Seat::all(places.seats()).filter_map(|seat| places.score(seat)).collect()
        };
        assert_eq!(scores("1,2"), [1.0, 0.0]);
        assert_eq!(scores("1,1"), [0.5, 0.5]);
        assert_eq!(scores("1,2,2"), [1.0, 0.25, 0.25]);
        assert_eq!(scores("1,1,3,4"), [5.0 / 6.0, 5.0 / 6.0, 1.0 / 3.0, 0.0]);
        let three: Places = "1,2,3".parse().unwrap();
        assert_eq!(Seat::new(3).and_then(|seat| three.score(seat)), None);
    }

    #[test]
    fn one_seat_wins_or_all_share() {
        assert_eq!(Places::won_by(Seat::P2, 3).to_string(), "2,1,2");
        assert_eq!(Places::won_by(Seat::P2, 3).winner(), Some(Seat::P2));
        assert_eq!((Places::shared(4).to_string(), Places::shared(4).winner()), ("1,1,1,1".to_owned(), None));
        assert_eq!(Places::by_score::<u8>(&[]), Err(BadPlaces::Count(0)));
    }
}
