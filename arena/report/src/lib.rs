//! The content of a journal as tables and drawings for the terminal, CSV files, and the game log.
//!
//! Everything is a pure function of a journal's [`record::RunSummary`], for any order of its games: the same journal gives the
//! same bytes. [`tables()`] makes the files. The functions named `…_text` make terminal output, fitted to a [`Look`]. A
//! [`Tally`] reads games in place, so tables can also be shown during a tournament.
//!
//! Names and details come from users and bots. They reach a terminal only as [`protocol::printable`] text, and a spreadsheet
//! only as text that it does not interpret as a formula. An unknown figure is never invented: it is a `-` in a table and an
//! empty cell in a file.
//!
//! This crate reads and writes no files.

mod compare;
mod explain;
mod files;
mod outcome;
mod ranking;
mod rate;
mod results;
mod run_report;
mod sentences;
mod sequential_test;
mod summary;
mod tables;
mod writing;

pub use compare::{
    BotChange, Comparer, Comparison, Deviation, FaultCount, GameChange, NodeCounts, OverallChange,
    SIGNIFICANT, SetupChange, TimeUse, Which,
};
pub use explain::explanation;
pub use files::{GameLog, REPORT, tables};
pub use results::format_table::{
    FormatTable, Gauntlet, GauntletLine, KnockoutTable, LadderTable, League, LeagueLine, SwissTable,
};
// Parts of the tables of formats.
pub use formats::{Bout, SwissStanding};
pub use outcome::{PlayedTime, outcome};
pub use ranking::Ranking;
pub use ranking::text::ranking_line;
pub(crate) use ranking::text::ranking_text;
pub use rate::{By, Filter, GameRow, LeftOut, PlayerRow, Pool, RateError, RateSettings, Ratings};
pub use results::asked::Asked;
pub use results::course::{Course, course};
pub use results::players::ContestantId;
pub use results::standings::{Meetings, Row, SeatScore, Standings};
pub use results::tally::Tally;
pub use run_report::RunReport;
pub use sequential_test::earlier_verdict::EarlierVerdict;
pub use sequential_test::markdown::trial_markdown;
pub use sequential_test::question::TestQuestion;
pub use sequential_test::several::{GameGain, SeveralGames};
pub use sequential_test::text::{elo_range, observation, trial_facts, trial_line, trial_text, trial_verdict};
pub use sequential_test::{SequentialTest, Tallies};
pub use summary::{report_text, summary_text};
pub use tables::board::board_text;
pub use tables::circles::{Circle, Circles};
pub(crate) use tables::fault_table::fault_table;
pub use tables::faults::faults_text;
pub use tables::game_list::GameList;
pub(crate) use tables::machines::machines_text;
pub use tables::machines::{
    MACHINES_NOTE, MachineResult, TIMES_NOTE, UncountedTally, has_uncounted, machine_notes, machine_results,
};
pub use tables::standings_json::standings_json;
pub use tables::standings_table::{live_table, standings_csv};
pub use tables::void::{attempts, void_summary, void_text};
pub(crate) use tables::warnings::warnings_text;
pub use writing::columns::record_title;
pub use writing::look::Look;
pub use writing::markdown::safe as markdown_text;
pub use writing::number::{count_of, points, table_points};
pub use writing::spreadsheet::{Spreadsheet, text as spreadsheet_text};
