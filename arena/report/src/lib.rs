//! What a journal says: tables and drawings for the terminal, CSV files, the game log.
//!
//! Everything is a pure function of a journal's [`record::RunSummary`], whatever the order of its games: the same
//! journal gives the same bytes. [`tables()`] makes the files that are derived from it; the functions named
//! `…_text` make what a terminal shows, fitted to a [`Look`]. A [`Tally`] takes games one at a time, so that a
//! table can be shown while a tournament is going on.
//!
//! Names and details come from users and bots: they reach a terminal only as [`protocol::printable`] text and a
//! spreadsheet only as text that it does not take for a formula. No figure is ever printed that the data do not
//! hold: what is unknown is a `-` in a table and an empty cell in a file.
//!
//! This crate reads and writes no files.

mod any_time;
mod asked;
mod board;
mod circles;
mod columns;
mod compare;
mod copies;
mod course;
mod crosstable;
mod earlier_verdict;
mod entry;
mod explain;
mod fault_table;
mod faults;
mod files;
mod format_text;
mod game_list;
mod json;
mod ladders;
mod look;
mod markdown;
mod notes;
mod number;
mod players;
mod ranking;
mod ranking_text;
mod rate;
mod results;
mod sentences;
mod several;
mod sheet;
mod spreadsheet;
mod standings;
mod standings_table;
mod summary;
mod tally;
mod trial;
mod trial_markdown;
mod trial_text;
mod void;
mod warnings;

pub use asked::Asked;
pub use board::board_text;
pub use circles::{Circle, Circles};
pub use compare::{
    BotChange, Change, Comparer, Comparison, Deviation, FaultCount, GameChange, NodeCounts, OverallChange,
    SIGNIFICANT, TimeUse, Which,
};
pub use course::{Course, course};
pub use crosstable::{crosstable_csv, crosstable_text};
pub use earlier_verdict::EarlierVerdict;
pub use explain::explanation;
pub use fault_table::fault_table;
pub use faults::faults_text;
pub use files::{GameLog, REPORT, tables};
pub use format_text::format_text;
pub use game_list::{GameList, by_number};
pub use look::Look;
pub use markdown::safe as markdown_text;
pub use players::Player;
pub use ranking::Ranking;
pub use ranking_text::{ranking_line, ranking_text};
pub use rate::{By, Filter, GameRow, LeftOut, PlayerRow, Pool, RateError, RateSettings, Ratings};
pub use several::{GameGain, SeveralGames};
pub use spreadsheet::{Spreadsheet, text as spreadsheet_text};
pub use standings::{Meetings, Row, SeatScore, Standings};
pub use standings_table::{live_table, standings_csv, standings_text};
pub use summary::{report_text, summary_text};
pub use tally::Tally;
pub use trial::Trial;
pub use trial_markdown::trial_markdown;
pub use trial_text::{elo_range, trial_line, trial_text};
pub use void::{attempts, void_summary, void_text};
pub use warnings::warnings_text;
