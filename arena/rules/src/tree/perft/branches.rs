//! Parts of a tree that threads share out among themselves.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::Position;
use crate::tree::perft::{CountTable, PerftResources, perft, perft_by};

/// How many branches there are for each thread, if the tree has that many. They are of very different sizes.
const PER_THREAD: usize = 64;

/// Positions whose lines of `depth` plies are to be counted.
pub(super) struct Branches<P> {
    /// Each with the number of the part to which its lines belong.
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
            // A system that gives fewer threads makes it slower, no more.
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

    /// Puts in the place of every branch those that are one ply longer.
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

    /// Counts one branch after the other that nobody else has taken.
    fn count_some(&self, next: &AtomicUsize, table: Option<&CountTable<P>>) -> Vec<u64> {
        let mut counts = vec![0; self.parts];
        // A number is all that is shared, so no order of other accesses matters.
        while let Some((part, position)) = self.positions.get(next.fetch_add(1, Ordering::Relaxed)) {
            counts[*part] += match table {
                Some(table) => perft_by(position, self.depth, table),
                None => perft(position, self.depth),
            };
        }
        counts
    }
}
