//! The time charged to seats.

use rules::{PerSeat, Seat};

use crate::PlyRecord;

/// The time charged to one seat.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ThinkingTime {
    /// The sum, in microseconds.
    pub micros: u64,
    /// The number of decisions.
    pub decisions: u64,
}

impl ThinkingTime {
    /// Sums up the time charged to every seat of a table. Time of a seat that the table does not have counts for the first
    /// seat.
    #[must_use]
    pub fn of<T>(plies: &[PlyRecord<T>], seats: usize) -> PerSeat<Self> {
        let mut times = ThinkingTimes::default();
        plies.iter().for_each(|ply| times.take(ply));
        PerSeat::new(seats, |seat| times.0.get(seat.index()).copied().unwrap_or_default())
    }

    /// Adds another one.
    pub const fn add(&mut self, other: Self) {
        self.micros = self.micros.saturating_add(other.micros);
        self.decisions += other.decisions;
    }

    /// Returns the mean in milliseconds; `None` if there were no decisions.
    #[must_use]
    pub fn mean(self) -> Option<f64> {
        (self.decisions > 0).then(|| self.micros as f64 / self.decisions as f64 / 1000.0)
    }
}

/// The time charged to every seat, for all possible seats.
#[derive(Clone, Debug, Default)]
pub(crate) struct ThinkingTimes(pub(super) [ThinkingTime; Seat::MOST]);

impl ThinkingTimes {
    /// Adds the time charged for a ply.
    #[inline]
    pub(crate) fn take<T>(&mut self, ply: &PlyRecord<T>) {
        if let Some(micros) = ply.us {
            let index = usize::from(ply.seat).checked_sub(1).filter(|index| *index < self.0.len());
            self.0[index.unwrap_or(0)].add(ThinkingTime { micros, decisions: 1 });
        }
    }
}

/// A [`ThinkingTime`] in eight bytes: the decisions in the upper bits, the microseconds below them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PackedTime(u64);

impl PackedTime {
    /// The bits for the microseconds, enough for half a year. The others are enough for a million decisions.
    const BITS: u32 = 44;
    const MOST: ThinkingTime =
        ThinkingTime { micros: (1 << Self::BITS) - 1, decisions: (1 << (u64::BITS - Self::BITS)) - 1 };

    /// Packs a time. A value that does not fit becomes the largest one that does.
    pub(super) fn new(time: ThinkingTime) -> Self {
        let ThinkingTime { micros, decisions } = time;
        Self(decisions.min(Self::MOST.decisions) << Self::BITS | micros.min(Self::MOST.micros))
    }

    pub(super) const fn unpack(self) -> ThinkingTime {
        ThinkingTime { micros: self.0 & Self::MOST.micros, decisions: self.0 >> Self::BITS }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_times_are_packed_without_loss_up_to_their_most() {
        for (micros, decisions) in
            [(0, 0), (1, 1), (PackedTime::MOST.micros, 7), (9, PackedTime::MOST.decisions)]
        {
            let time = ThinkingTime { micros, decisions };
            assert_eq!(PackedTime::new(time).unpack(), time);
        }
        let endless = ThinkingTime { micros: u64::MAX, decisions: u64::MAX };
        assert_eq!(PackedTime::new(endless).unpack(), PackedTime::MOST);
    }
}
