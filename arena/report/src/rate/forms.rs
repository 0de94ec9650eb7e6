//! The output forms of ratings.

use crate::rate::{csv, explain, json, markdown, matrix, text};
use crate::{Look, Ratings};

impl Ratings {
    /// Returns the text for a terminal: the table of players, that of the games, a legend and notes.
    #[must_use]
    pub fn to_text(&self, look: &Look) -> String {
        text::write(self, look)
    }

    /// Returns CSV: a line per player.
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

    /// Returns, for a terminal, the likelihood that each player is stronger than each other one.
    #[must_use]
    pub fn matrix_text(&self, look: &Look) -> String {
        matrix::write(self, look)
    }

    /// Returns the likelihoods with differences and covariances as CSV: a line for every two players, in both orders.
    #[must_use]
    pub fn matrix_csv(&self) -> Vec<u8> {
        matrix::csv(self)
    }

    /// Returns them as one JSON object of matrices and a line feed.
    #[must_use]
    pub fn matrix_json(&self) -> String {
        matrix::json(self)
    }

    /// Returns [`Self::explanation`] as paragraphs of Markdown, each after an empty line.
    #[must_use]
    pub fn explanation_markdown(&self) -> String {
        crate::writing::markdown::paragraphs(&self.explanation())
    }

    /// Returns paragraphs that explain the columns and the model.
    #[must_use]
    pub fn explanation(&self) -> Vec<String> {
        explain::paragraphs(self)
    }
}
