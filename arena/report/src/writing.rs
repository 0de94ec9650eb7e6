//! The formatting of figures, tables and files for terminals, Markdown, JSON and spreadsheets.

pub(crate) mod columns;
pub(crate) mod json;
pub(crate) mod look;
pub(crate) mod markdown;
pub(crate) mod number;
pub(crate) mod sheet;
pub(crate) mod spreadsheet;
