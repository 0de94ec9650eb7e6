//! When a table is written to its file.

use std::sync::Arc;
use std::time::{Duration, Instant};

use hand_play::log_text;

use super::game_table::GameTable;
use super::table_store::TableStore;

/// How often a table is written while the clock of a person runs: a server that is killed sets it back by no more.
const EVERY: Duration = Duration::from_secs(2);

/// Keeps one table.
#[derive(Debug)]
pub(crate) struct TableSaver {
    store: Arc<TableStore>,
    name: String,
    /// What was written last, and when.
    last: Option<(TableMark, Instant)>,
}

/// What tells two states of a table apart: the game, the plies on the board, those taken back, the end, the last ply, what was
/// advised.
type TableMark = (u64, usize, usize, bool, String, Option<String>);

impl TableSaver {
    /// Returns what keeps the table with this name.
    pub(crate) const fn new(store: Arc<TableStore>, name: String) -> Self {
        Self { store, name, last: None }
    }

    /// Takes note of a table that stands as it was kept.
    pub(crate) fn note(&mut self, table: &GameTable) {
        self.last = Some((mark(table), Instant::now()));
    }

    /// Writes a table where something has changed since, or a clock has run for long. The table says on its pages why it
    /// cannot be written.
    pub(crate) fn keep(&mut self, table: &mut GameTable) {
        let mark = mark(table);
        let is_known = self.last.as_ref().is_some_and(|(known, when)| {
            *known == mark && (!table.game.runs_for_person() || when.elapsed() < EVERY)
        });
        if !is_known {
            self.write(table, mark);
        }
    }

    /// Writes a table that is left; one on which nothing was ever played is forgotten.
    pub(crate) fn leave(&mut self, table: &mut GameTable) {
        let mark = mark(table);
        if mark.0 == 1 && mark.1 == 0 && mark.2 == 0 && !mark.3 {
            self.store.remove(&self.name);
        } else {
            self.write(table, mark);
        }
    }

    /// Forgets a table.
    pub(crate) fn forget(&self) {
        self.store.remove(&self.name);
    }

    fn write(&mut self, table: &mut GameTable, mark: TableMark) {
        let log = log_text(&table.game.record(), table.game.session().setup());
        let written = self.store.put(&self.name, &table.saved(), mark.0, &log);
        table.unkept = written.err().unwrap_or_default();
        self.last = Some((mark, Instant::now()));
    }
}

fn mark(table: &GameTable) -> TableMark {
    let session = table.game.session();
    let last = session.plies().next_back().map(|(ply, _)| ply.to_owned()).unwrap_or_default();
    let advice = table.advice.as_ref().map(|advice| advice.words.clone());
    (table.game.number(), session.len(), session.taken_back(), session.ending().is_some(), last, advice)
}
