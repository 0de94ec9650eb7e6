//! Tables of shares, and which of them leave their bands.

use super::share::{Band, Share};
use crate::shell::ChoreError;

/// Prints tables row by row and remembers what is wrong.
#[derive(Debug)]
pub(super) struct Table<'a> {
    only: Option<&'a str>,
    outside: Vec<String>,
}

impl<'a> Table<'a> {
    /// Begins; with a word only the kinds of tournaments whose names hold it are asked for.
    pub(super) const fn new(only: Option<&'a str>) -> Self {
        Self { only, outside: Vec::new() }
    }

    /// Returns whether a kind of tournament is asked for.
    pub(super) fn is_asked(&self, name: &str) -> bool {
        self.only.is_none_or(|word| name.contains(word))
    }

    /// Prints a title and the names of columns.
    pub(super) fn head(&self, title: &str, columns: &[&str]) {
        let columns: String = columns.iter().map(|column| format!(" {column:>7} ")).collect();
        println!("{title:<72}{columns}");
    }

    /// Prints a row: shares in per cent, each with its band, then other figures. `!` marks a share outside.
    pub(super) fn row(&mut self, name: &str, shares: &[(Share, Band)], figures: &[String]) {
        let cells: String = shares.iter().map(|(share, band)| format!(" {}", share.cell(*band))).collect();
        let figures: String = figures.iter().map(|figure| format!(" {figure}")).collect();
        println!("{name:<72}{cells}{figures}");
        if shares.iter().any(|(share, band)| share.is_outside(*band)) {
            self.outside.push(name.to_owned());
        }
    }

    /// Notes that another figure of a row is not as it should be.
    pub(super) fn note(&mut self, is_outside: bool, name: &str) {
        self.outside.extend(is_outside.then(|| name.to_owned()));
    }

    /// Returns an error if a share of any row left its band.
    pub(super) fn verdict(self) -> Result<(), ChoreError> {
        if self.outside.is_empty() {
            return Ok(());
        }
        let rows = self.outside.join("; ");
        Err(ChoreError(format!(
            "shares marked `!` lie outside their bands by more than the simulation's error: {rows}"
        )))
    }
}
