//! A transposition table of fixed size: the newer entry replaces the older one.

use std::marker::PhantomData;

/// What a stored score says of the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    /// It is the true one.
    Exact,
    /// The true one is at least this.
    Lower,
    /// The true one is at most this.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TableEntry {
    /// How deep it was searched, in plies.
    pub(crate) depth: u8,
    /// What the score says.
    pub(crate) bound: Bound,
    /// The place of the best ply in the order of the legal plies.
    pub(crate) best: u16,
    /// The score for the seat that decides, wins counted from this position.
    pub(crate) score: i32,
}

/// What a table keeps: numbers of 64 bits, so that an empty table is memory that nobody has touched.
pub(crate) trait Packed<const N: usize>: Copy {
    /// Returns the words of a slot: the first is left for the key, the second is not 0.
    fn pack(self) -> [u64; N];

    /// Returns what these words say; the second is not 0.
    fn unpack(words: &[u64; N]) -> Self;
}

/// The lowest bit of the second word, which every entry has set.
pub(crate) const PRESENT: u64 = 1;

impl Packed<2> for TableEntry {
    fn pack(self) -> [u64; 2] {
        let Self { depth, bound, best, score } = self;
        let bound: u64 = match bound {
            Bound::Exact => 0,
            Bound::Lower => 1,
            Bound::Upper => 2,
        };
        let score = u64::from(score.cast_unsigned());
        [0, score << 32 | u64::from(best) << 16 | u64::from(depth) << 8 | bound << 1 | PRESENT]
    }

    fn unpack([_, word]: &[u64; 2]) -> Self {
        Self {
            depth: (word >> 8) as u8,
            bound: match word >> 1 & 3 {
                0 => Bound::Exact,
                1 => Bound::Lower,
                _ => Bound::Upper,
            },
            best: (word >> 16) as u16,
            score: ((word >> 32) as u32).cast_signed(),
        }
    }
}

/// The table; its entries are what a search wants to know, in `N` words with their keys.
pub(crate) struct TranspositionTable<E = TableEntry, const N: usize = 2> {
    slots: Vec<[u64; N]>,
    entry: PhantomData<E>,
}

impl<E: Packed<N>, const N: usize> TranspositionTable<E, N> {
    /// Returns an empty table of about `mebibytes` MiB. What is not used of it takes no memory.
    pub(crate) fn new(mebibytes: usize) -> Self {
        let count = (mebibytes.max(1) << 20) / size_of::<[u64; N]>();
        // A power of two, so that the low bits of a key name its slot.
        let count = if count.is_power_of_two() { count } else { count.next_power_of_two() / 2 };
        Self { slots: vec![[0; N]; count], entry: PhantomData }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        let count = self.slots.len();
        // Given back first, so that there are never two. A new one that the system gives is untouched; one of memory that the process
        // has kept is zeroed.
        self.slots = Vec::new();
        self.slots = vec![[0; N]; count];
    }

    /// Returns what is known of the position with this key.
    pub(crate) fn get(&self, key: u64) -> Option<E> {
        let slot = &self.slots[self.slot(key)];
        (slot[0] == key && slot[1] != 0).then(|| E::unpack(slot))
    }

    /// Stores what is known of a position.
    pub(crate) fn put(&mut self, key: u64, entry: E) {
        let slot = self.slot(key);
        let mut words = entry.pack();
        words[0] = key;
        self.slots[slot] = words;
    }

    fn slot(&self, key: u64) -> usize {
        // The high half is mixed in: keys may differ in few bits.
        ((key ^ (key >> 32)) as usize) & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_from_their_words() {
        let mut table = TranspositionTable::<TableEntry>::new(1);
        for key in [0, 1, u64::MAX] {
            assert!(table.get(key).is_none());
            for depth in [0, 1, u8::MAX] {
                for bound in [Bound::Exact, Bound::Lower, Bound::Upper] {
                    for (best, score) in [(0, 0), (1, -1), (u16::MAX, i32::MIN), (7, i32::MAX)] {
                        table.put(key, TableEntry { depth, bound, best, score });
                        let found = table.get(key).unwrap();
                        assert_eq!(
                            (found.depth, found.bound, found.best, found.score),
                            (depth, bound, best, score)
                        );
                        assert!(table.get(!key).is_none());
                    }
                }
            }
            table.clear();
            assert!(table.get(key).is_none());
        }
    }
}
