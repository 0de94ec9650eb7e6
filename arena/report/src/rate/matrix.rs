//! The comparison of every two players: likelihoods of superiority, differences and covariances.

use serde::Serialize;

use crate::Look;
use crate::rate::Ratings;
use crate::writing::number::likelihood;
use crate::writing::sheet::{Cell, Kind, Sheet};
use crate::writing::spreadsheet::{Spreadsheet, text};

/// Returns a table for the terminal: the likelihood that the player of a row is stronger than the player of a column.
pub(super) fn write(ratings: &Ratings, look: &Look) -> String {
    let mut sheet = Sheet::default();
    sheet.column("#", Kind::Figure, 0);
    sheet.column("stronger than", Kind::Name, 0);
    for place in 1..=ratings.players.len() {
        sheet.column(place.to_string(), Kind::Figure, 1);
    }
    for (row, player) in ratings.players.iter().enumerate() {
        let mut cells: Vec<Cell> = vec![(row + 1).to_string().into(), player.label.clone().into()];
        for other in 0..ratings.players.len() {
            let los = ratings.matrix.los(row, other);
            cells.push(likelihood(los, ratings.matrix.is_regularized(row, other)).into());
        }
        sheet.row(cells);
    }
    sheet.text(look)
}

/// Returns CSV: a line for every two players, in both orders.
pub(super) fn csv(ratings: &Ratings) -> Vec<u8> {
    let mut sheet = Spreadsheet::new(&["bot", "other", "elo", "error95", "los", "mark", "covariance"]);
    for (row, player) in ratings.players.iter().enumerate() {
        for (other, opponent) in ratings.players.iter().enumerate() {
            let difference = ratings.matrix.difference(row, other).filter(|_| row != other);
            let is_regularized = row != other && ratings.matrix.is_regularized(row, other);
            sheet.row(&[
                text(&player.label),
                text(&opponent.label),
                full(difference.map(|difference| difference.elo)),
                full(difference.and_then(|difference| difference.error95)),
                full(ratings.matrix.los(row, other)),
                if is_regularized { "~".to_owned() } else { String::new() },
                full(ratings.matrix.covariance(row, other)),
            ]);
        }
    }
    sheet.into_bytes()
}

#[derive(Serialize)]
struct Document<'a> {
    players: Vec<&'a str>,
    los: Vec<Vec<Option<f64>>>,
    elo: Vec<Vec<Option<f64>>>,
    error95: Vec<Vec<Option<f64>>>,
    covariance: Vec<Vec<Option<f64>>>,
}

/// Returns one object and a line feed: matrices whose rows and columns are the players in the order of the table.
pub(super) fn json(ratings: &Ratings) -> String {
    let players = 0..ratings.players.len();
    let matrix = |cell: &dyn Fn(usize, usize) -> Option<f64>| -> Vec<Vec<Option<f64>>> {
        players.clone().map(|row| players.clone().map(|other| cell(row, other)).collect()).collect()
    };
    let difference =
        |row: usize, other: usize| ratings.matrix.difference(row, other).filter(|_| row != other);
    crate::writing::json::document(&Document {
        players: ratings.players.iter().map(|player| player.label.as_str()).collect(),
        los: matrix(&|row, other| ratings.matrix.los(row, other)),
        elo: matrix(&|row, other| Some(difference(row, other)?.elo)),
        error95: matrix(&|row, other| difference(row, other)?.error95),
        covariance: matrix(&|row, other| ratings.matrix.covariance(row, other)),
    })
}

/// Writes a number with all its digits, or nothing.
fn full(number: Option<f64>) -> String {
    number.filter(|number| number.is_finite()).map_or_else(String::new, |number| number.to_string())
}
