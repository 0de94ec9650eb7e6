//! A table of counts that threads share.
//!
//! It is exact: an entry holds the whole position and [`Position::horizon`], not a hash of them, and answers only for equal
//! ones. A count that was overwritten is calculated again.

use std::sync::{Mutex, PoisonError};

use crate::Position;

/// Counts of positions, each for lines of some depth.
pub(super) struct CountTable<P> {
    buckets: Vec<Bucket<P>>,
}

/// The first entry is replaced only by one of at least its depth, the second one by any.
type Bucket<P> = Mutex<[Option<Entry<P>>; 2]>;

struct Entry<P> {
    position: P,
    horizon: u32,
    depth: u32,
    leaves: u64,
}

impl<P: Position> CountTable<P> {
    /// The least depth that is stored.
    pub(super) const LEAST_DEPTH: u32 = 2;

    /// Returns a table of at most `bytes` bytes.
    pub(super) fn new(bytes: usize) -> Self {
        let mut count = (bytes / size_of::<Bucket<P>>()).max(1);
        let mut buckets = Vec::new();
        while buckets.try_reserve_exact(count).is_err() {
            count /= 2;
        }
        buckets.resize_with(count, || Mutex::new([None, None]));
        Self { buckets }
    }

    /// Returns the number of lines of `depth` plies, if it is known.
    pub(super) fn find(&self, position: &P, depth: u32) -> Option<u64> {
        let horizon = position.horizon(depth);
        let bucket = self.bucket(position, horizon, depth).lock().unwrap_or_else(PoisonError::into_inner);
        let mut entries = bucket.iter().flatten();
        let is_same = |entry: &&Entry<P>| {
            entry.depth == depth && entry.horizon == horizon && entry.position == *position
        };
        entries.find(is_same).map(|entry| entry.leaves)
    }

    /// Stores a count.
    pub(super) fn store(&self, position: &P, depth: u32, leaves: u64) {
        let horizon = position.horizon(depth);
        let entry = Entry { position: position.clone(), horizon, depth, leaves };
        let mut bucket = self.bucket(position, horizon, depth).lock().unwrap_or_else(PoisonError::into_inner);
        let is_deep = bucket[0].as_ref().is_none_or(|other| other.depth <= depth);
        bucket[usize::from(!is_deep)] = Some(entry);
    }

    fn bucket(&self, position: &P, horizon: u32, depth: u32) -> &Bucket<P> {
        let counters = u64::from(horizon) << 32 | u64::from(depth);
        let mixed = (position.key() ^ counters.wrapping_mul(0x9e37_79b9_7f4a_7c15))
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        // The upper half of the product is below the number of buckets, and as well mixed as the upper bits of the hash.
        let index = (u128::from(mixed) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }
}
