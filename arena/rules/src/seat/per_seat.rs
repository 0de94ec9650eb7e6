//! A value for every seat of a table.

use std::ops::{Deref, DerefMut, Index, IndexMut};

use crate::Seat;

/// A value for every seat of a table, in the order of seats.
///
/// ```
/// use rules::{PerSeat, Seat};
///
/// let mut points = PerSeat::new(3, |seat| 10 * seat.index());
/// points[Seat::P2] += 5;
/// assert_eq!(points, [0, 15, 20]);
/// assert_eq!(points.map(|points| points > 9), [false, true, true]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct PerSeat<T>(Vec<T>);

impl<T> PerSeat<T> {
    /// Returns a value for every seat of a table of `seats` seats: 2 to [`Seat::MOST`].
    pub fn new(seats: usize, value: impl FnMut(Seat) -> T) -> Self {
        Self(Seat::all(seats).map(value).collect())
    }

    /// Applies a function to every seat's value.
    #[must_use]
    pub fn map<U>(self, value: impl FnMut(T) -> U) -> PerSeat<U> {
        PerSeat(self.0.into_iter().map(value).collect())
    }

    /// Borrows the value of every seat.
    #[must_use]
    pub fn each_ref(&self) -> PerSeat<&T> {
        PerSeat(self.0.iter().collect())
    }

    /// Returns the seats, in order.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + Clone + use<T> {
        Seat::all(self.0.len())
    }

    /// Returns every seat with its value.
    pub fn by_seat(&self) -> impl DoubleEndedIterator<Item = (Seat, &T)> + ExactSizeIterator {
        self.seats().zip(&self.0)
    }

    /// Returns every seat with its value, mutably.
    pub fn by_seat_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        self.seats().zip(&mut self.0)
    }

    /// Returns the value of a seat; `None` if the table does not have it.
    #[must_use]
    pub fn of_seat(&self, seat: Seat) -> Option<&T> {
        self.0.get(seat.index())
    }

    /// Returns both values at a table of two seats; `None` at a larger one.
    #[must_use]
    pub fn as_pair(&self) -> Option<&[T; 2]> {
        self.0.as_slice().try_into().ok()
    }
}

/// Converts a list of 2 to [`Seat::MOST`] values. Another list is returned as the error.
impl<T> TryFrom<Vec<T>> for PerSeat<T> {
    type Error = Vec<T>;

    fn try_from(values: Vec<T>) -> Result<Self, Vec<T>> {
        if (2..=Seat::MOST).contains(&values.len()) { Ok(Self(values)) } else { Err(values) }
    }
}

impl<T> From<[T; 2]> for PerSeat<T> {
    fn from(values: [T; 2]) -> Self {
        Self(values.into())
    }
}

impl<T> Deref for PerSeat<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T> DerefMut for PerSeat<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.0
    }
}

impl<T> Index<Seat> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for PerSeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}

impl<T> Index<usize> for PerSeat<T> {
    type Output = T;

    fn index(&self, seat: usize) -> &T {
        &self.0[seat]
    }
}

impl<T> IndexMut<usize> for PerSeat<T> {
    fn index_mut(&mut self, seat: usize) -> &mut T {
        &mut self.0[seat]
    }
}

impl<T> IntoIterator for PerSeat<T> {
    type Item = T;
    type IntoIter = std::vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, T> IntoIterator for &'a PerSeat<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl<'a, T> IntoIterator for &'a mut PerSeat<T> {
    type Item = &'a mut T;
    type IntoIter = std::slice::IterMut<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter_mut()
    }
}

impl<T: PartialEq<U>, U, const N: usize> PartialEq<[U; N]> for PerSeat<T> {
    fn eq(&self, other: &[U; N]) -> bool {
        self.0 == *other
    }
}
