//! A set of numbers that takes little memory where most of them follow each other.

use std::collections::BTreeMap;

/// Numbers, kept as ranges: the first and the last of each.
#[derive(Clone, Debug, Default)]
pub(crate) struct Numbers {
    ranges: BTreeMap<u64, u64>,
}

impl Numbers {
    /// Adds a number and returns whether it is new.
    pub(crate) fn insert(&mut self, number: u64) -> bool {
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
        assert_eq!(numbers.ranges.into_iter().collect::<Vec<_>>(), [(0, 5), (u64::MAX, u64::MAX)]);
    }
}
