//! The forms in which ratings are written.

use crate::rate::{csv, explain, json, markdown, matrix, text};
use crate::{Look, Ratings};

impl Ratings {
    /// Returns the text for a terminal: the table of players, that of the games, a legend and notes.
    #[must_use]
    pub fn to_text(&self, look: &Look) -> String {
        text::write(self, look)
    }

    /// Returns CSV: a line a player.
    #[must_use]
    pub fn to_csv(&self) -> Vec<u8> {
        csv::write(self)
    }

    /// Returns one JSON object and a line feed.
    #[must_use]
    pub fn to_json(&self) -> String {
        json::write(self)
    }

    /// Returns Markdown: two tables and notes.
    #[must_use]
    pub fn to_markdown(&self) -> String {
        markdown::write(self)
    }

    /// Returns for a terminal how likely every player is stronger than every other.
    #[must_use]
    pub fn matrix_text(&self, look: &Look) -> String {
        matrix::write(self, look)
    }

    /// Returns the same with differences and covariances as CSV: a line for every player and every other one.
    #[must_use]
    pub fn matrix_csv(&self) -> Vec<u8> {
        matrix::csv(self)
    }

    /// Returns the same as one JSON object of matrices and a line feed.
    #[must_use]
    pub fn matrix_json(&self) -> String {
        matrix::json(self)
    }

    /// Returns [`Self::explanation`] as paragraphs of Markdown, each after an empty line.
    #[must_use]
    pub fn explanation_markdown(&self) -> String {
        crate::writing::markdown::paragraphs(&self.explanation())
    }

    /// Returns what the columns mean and which model made the figures, in words, as paragraphs.
    #[must_use]
    pub fn explanation(&self) -> Vec<String> {
        explain::paragraphs(self)
    }
}
