//! When a table is written to the shelf.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hand_play::log_text;

use super::shelf::Shelf;
use super::table::Table;

/// How often a table is written while the clock of a person runs: a server that is killed sets it back by no more.
const EVERY: Duration = Duration::from_secs(2);

/// Keeps one table.
#[derive(Debug)]
pub(super) struct Keeper {
    shelf: Arc<Shelf>,
    name: String,
    /// What was written last, and when.
    last: Option<(Mark, Instant)>,
}

/// What tells two states of a table apart: the game, the plies on the board, those taken back, the end, the last ply, what was
/// advised.
type Mark = (u64, usize, usize, bool, String, Option<String>);

impl Keeper {
    /// Returns the keeper of the table with this name.
    pub(super) const fn new(shelf: Arc<Shelf>, name: String) -> Self {
        Self { shelf, name, last: None }
    }

    /// Takes note of a table that stands as it was kept.
    pub(super) fn note(&mut self, table: &Table) {
        self.last = Some((mark(table), Instant::now()));
    }

    /// Writes a table where something has changed since, or a clock has run for long. The table says on its pages why it
    /// cannot be written.
    pub(super) fn keep(&mut self, table: &mut Table) {
        let mark = mark(table);
        let is_known = self.last.as_ref().is_some_and(|(known, when)| {
            *known == mark && (!table.game.runs_for_person() || when.elapsed() < EVERY)
        });
        if !is_known {
            self.write(table, mark);
        }
    }

    /// Writes a table that is left; one on which nothing was ever played is forgotten.
    pub(super) fn leave(&mut self, table: &mut Table) {
        let mark = mark(table);
        if mark.0 == 1 && mark.1 == 0 && mark.2 == 0 && !mark.3 {
            self.shelf.remove(&self.name);
        } else {
            self.write(table, mark);
        }
    }

    /// Forgets a table.
    pub(super) fn forget(&self) {
        self.shelf.remove(&self.name);
    }

    fn write(&mut self, table: &mut Table, mark: Mark) {
        let log = log_text(&table.game.record());
        let written = self.shelf.put(&self.name, &table.saved(), mark.0, &log);
        table.unkept = written.err().unwrap_or_default();
        self.last = Some((mark, Instant::now()));
    }
}

fn mark(table: &Table) -> Mark {
    let session = table.game.session();
    let last = session.plies().next_back().map(|(ply, _)| ply.to_owned()).unwrap_or_default();
    let advice = table.advice.as_ref().map(|advice| advice.words.clone());
    (table.game.number(), session.len(), session.taken_back(), session.ending().is_some(), last, advice)
}
