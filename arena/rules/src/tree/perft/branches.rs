//! Parts of a tree that several threads count.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::Position;
use crate::tree::perft::{CountTable, PerftResources, perft, perft_by};

/// The number of branches per thread, if the tree has enough. Their sizes differ widely.
const PER_THREAD: usize = 64;

/// Positions whose lines of `depth` plies are to be counted.
pub(super) struct Branches<P> {
    /// The positions, each with the number of the part that its lines belong to.
    positions: Vec<(usize, P)>,
    parts: usize,
    depth: u32,
}

impl<P: Position> Branches<P> {
    /// Returns one branch for each part.
    pub(super) fn of(parts: impl IntoIterator<Item = P>, depth: u32) -> Self {
        let positions: Vec<_> = parts.into_iter().enumerate().collect();
        Self { parts: positions.len(), positions, depth }
    }

    /// Returns the number of lines of each part.
    pub(super) fn count(mut self, effort: PerftResources) -> Vec<u64> {
        let threads = effort.threads.get();
        while threads > 1
            && self.depth > 2
            && !self.positions.is_empty()
            && self.positions.len() < PER_THREAD * threads
        {
            self.grow();
        }
        let table = (effort.table > 0).then(|| CountTable::new(effort.table));
        let next = AtomicUsize::new(0);
        let work = || self.count_some(&next, table.as_ref());
        thread::scope(|scope| {
            // If the system gives fewer threads, counting is only slower.
            let helper = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
            let helpers: Vec<_> = (1..threads).map_while(helper).collect();
            let mut counts = work();
            for helper in helpers {
                let more = helper.join().expect("counting does not panic");
                counts.iter_mut().zip(more).for_each(|(count, more)| *count += more);
            }
            counts
        })
    }

    /// Replaces every branch by those that are one ply longer.
    fn grow(&mut self) {
        let mut longer = Vec::new();
        for (part, position) in &self.positions {
            position.legal_plies(&mut |ply| {
                let mut next = position.clone();
                next.play_unchecked(ply);
                longer.push((*part, next));
            });
        }
        self.positions = longer;
        self.depth -= 1;
    }

    /// Counts branches that no other thread has taken, one after the other.
    fn count_some(&self, next: &AtomicUsize, table: Option<&CountTable<P>>) -> Vec<u64> {
        let mut counts = vec![0; self.parts];
        // Threads share nothing except a number, so the order of other accesses does not matter.
        while let Some((part, position)) = self.positions.get(next.fetch_add(1, Ordering::Relaxed)) {
            counts[*part] += match table {
                Some(table) => perft_by(position, self.depth, table),
                None => perft(position, self.depth),
            };
        }
        counts
    }
}
