//! A transposition table of fixed size: the newer entry replaces the older one.

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

/// The table; its entries are what a search wants to know.
pub(crate) struct TranspositionTable<E = TableEntry> {
    slots: Vec<Option<(u64, E)>>,
}

impl<E: Copy> TranspositionTable<E> {
    /// Returns an empty table of about `mebibytes` MiB.
    pub(crate) fn new(mebibytes: usize) -> Self {
        let size = size_of::<Option<(u64, E)>>();
        let count = (mebibytes.max(1) << 20) / size;
        // A power of two, so that the low bits of a key name its slot.
        let count = if count.is_power_of_two() { count } else { count.next_power_of_two() / 2 };
        Self { slots: vec![None; count] }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.slots.fill(None);
    }

    /// Returns what is known of the position with this key.
    pub(crate) fn get(&self, key: u64) -> Option<E> {
        self.slots[self.slot(key)].filter(|(other, _)| *other == key).map(|(_, entry)| entry)
    }

    /// Stores what is known of a position.
    pub(crate) fn put(&mut self, key: u64, entry: E) {
        let slot = self.slot(key);
        self.slots[slot] = Some((key, entry));
    }

    fn slot(&self, key: u64) -> usize {
        // The high half is mixed in: keys may differ in few bits.
        ((key ^ (key >> 32)) as usize) & (self.slots.len() - 1)
    }
}
