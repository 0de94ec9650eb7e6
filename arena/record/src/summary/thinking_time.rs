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
