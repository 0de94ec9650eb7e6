//! A set of numbers that needs little memory if most of them are consecutive.

use std::collections::BTreeMap;

/// Numbers, kept as ranges of first and last number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Numbers {
    ranges: BTreeMap<u64, u64>,
}

impl Numbers {
    /// Returns whether the set contains a number.
    #[must_use]
    pub fn contains(&self, number: u64) -> bool {
        self.ranges.range(..=number).next_back().is_some_and(|(_, last)| *last >= number)
    }

    /// Adds a number and returns whether it is new.
    pub fn insert(&mut self, number: u64) -> bool {
        let below = self.ranges.range(..=number).next_back().map(|(first, last)| (*first, *last));
        if below.is_some_and(|(_, last)| last >= number) {
            return false;
        }
        let first = match below {
            Some((first, last)) if last + 1 == number => first,
            _ => number,
        };
        let last = match number.checked_add(1).and_then(|next| self.ranges.remove(&next)) {
            Some(last) => last,
            None => number,
        };
        self.ranges.insert(first, last);
        true
    }
}

impl FromIterator<u64> for Numbers {
    fn from_iter<I: IntoIterator<Item = u64>>(numbers: I) -> Self {
        let mut set = Self::default();
        for number in numbers {
            set.insert(number);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_any_order_become_one_range() {
        let mut numbers = Numbers::default();
        for number in [5, 1, 3, 2, 4, u64::MAX, 0] {
            assert!(numbers.insert(number), "{number}");
            assert!(!numbers.insert(number), "{number}");
        }
        let known = [0, 1, 5, u64::MAX].map(|number| numbers.contains(number));
        assert_eq!((known, numbers.contains(6), numbers.contains(u64::MAX - 1)), ([true; 4], false, false));
        assert_eq!(numbers, [1, 0, 4, 2, u64::MAX, 3, 5].into_iter().collect());
        assert_eq!(numbers.ranges.into_iter().collect::<Vec<_>>(), [(0, 5), (u64::MAX, u64::MAX)]);
    }
}
