//! The tables of a report, each from the results of a run.

pub(crate) mod board;
pub(crate) mod circles;
pub(crate) mod crosstable;
pub(crate) mod fault_table;
pub(crate) mod faults;
pub(crate) mod format_text;
pub(crate) mod game_list;
pub(crate) mod machines;
pub(crate) mod notes;
pub(crate) mod standings_json;
pub(crate) mod standings_table;
pub(crate) mod void;
pub(crate) mod warnings;
