//! The seats of a game.

pub(crate) mod per_seat;
pub(crate) mod places;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::FromStr;

/// A place at the board: `p1` moves first. Results belong to seats, not to colours.
///
/// A table has two seats or more, up to [`Seat::MOST`], numbered in the order of their turns.
///
/// ```
/// use rules::Seat;
///
/// assert_eq!("p2".parse(), Ok(Seat::P2));
/// assert_eq!(Seat::P1.other(), Seat::P2);
/// let four: Vec<_> = Seat::all(4).map(|seat| seat.to_string()).collect();
/// assert_eq!(four, ["p1", "p2", "p3", "p4"]);
/// assert_eq!(Seat::new(3).map(|last| last.next(4)), Some(Seat::P1));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seat(Number);

/// The number of a seat, from 0: an enum, so that an optional seat needs no more space than a seat.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
enum Number {
    N0,
    N1,
    N2,
    N3,
    N4,
    N5,
    N6,
    N7,
}

/// Every number, in order.
const NUMBERS: [Number; Seat::MOST] =
    [Number::N0, Number::N1, Number::N2, Number::N3, Number::N4, Number::N5, Number::N6, Number::N7];

impl Seat {
    /// The seat that moves first.
    pub const P1: Self = Self(Number::N0);
    /// The seat after it: at a table of two seats, the other one.
    pub const P2: Self = Self(Number::N1);

    /// Both seats of a table of two seats, in order.
    pub const BOTH: [Self; 2] = [Self::P1, Self::P2];

    /// The most seats of a table.
    pub const MOST: usize = 8;

    /// Returns the seat with this number, from 0; `None` from [`Seat::MOST`] on.
    #[must_use]
    pub const fn new(index: usize) -> Option<Self> {
        if index < Self::MOST { Some(Self(NUMBERS[index])) } else { None }
    }

    /// Iterates over the seats of a table of `count`, in order: at most [`Seat::MOST`].
    pub fn all(count: usize) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        NUMBERS[..count.min(Self::MOST)].iter().map(|number| Self(*number))
    }

    /// Returns the other seat at a table of two seats. It has no meaning at a larger one.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::P1 => Self::P2,
            _ => Self::P1,
        }
    }

    /// Returns the seat that has the next turn at a table of `count` seats.
    #[must_use]
    pub const fn next(self, count: usize) -> Self {
        let next = self.index() + 1;
        if next < count && next < Self::MOST { Self(NUMBERS[next]) } else { Self::P1 }
    }

    /// Returns 0 for `p1`, 1 for `p2` and so on.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

impl Hash for Seat {
    fn hash<H: Hasher>(&self, state: &mut H) {
        // The keys of positions depend on this and must not change.
        state.write_isize(self.index() as isize);
    }
}

impl fmt::Debug for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "P{}", self.index() + 1)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; Seat::MOST] = ["p1", "p2", "p3", "p4", "p5", "p6", "p7", "p8"];
        f.write_str(NAMES[self.index()])
    }
}

impl FromStr for Seat {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text.as_bytes() {
            [b'p', digit @ b'1'..=b'8'] => Self::new(usize::from(digit - b'1')).ok_or(()),
            _ => Err(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seats_have_one_name() {
        for (index, seat) in Seat::all(Seat::MOST).enumerate() {
            assert_eq!((seat.index(), Seat::new(index)), (index, Some(seat)));
            assert_eq!(
                (seat.to_string().parse(), format!("{seat:?}")),
                (Ok(seat), format!("P{}", index + 1))
            );
        }
        assert_eq!((Seat::new(8), Seat::all(99).count()), (None, 8));
        for bad in ["", "p", "p0", "p9", "p01", "P1", "p1 ", "p10", "1"] {
            assert_eq!(bad.parse::<Seat>(), Err(()), "{bad}");
        }
    }

    #[test]
    fn turns_go_round() {
        for count in 2..=Seat::MOST {
            let mut seat = Seat::P1;
            for expected in (1..count).chain([0, 1]) {
                seat = seat.next(count);
                assert_eq!(seat.index(), expected, "{count}");
            }
        }
        assert_eq!(Seat::BOTH.map(Seat::other), [Seat::P2, Seat::P1]);
    }

    #[test]
    fn an_optional_seat_is_as_small_as_a_seat() {
        assert_eq!((size_of::<Seat>(), size_of::<Option<Seat>>()), (1, 1));
    }
}
