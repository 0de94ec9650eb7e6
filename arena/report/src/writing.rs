//! How figures, tables and files are written: what fits a terminal, Markdown, JSON and spreadsheets.

pub(crate) mod columns;
pub(crate) mod json;
pub(crate) mod look;
pub(crate) mod markdown;
pub(crate) mod number;
pub(crate) mod sheet;
pub(crate) mod spreadsheet;
