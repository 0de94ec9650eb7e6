//! Ratings as CSV: a line per player, with full precision.

use stats::RatingBound;

use crate::rate::Ratings;
use crate::writing::number::table_points;
use crate::writing::spreadsheet::{Spreadsheet, text};

/// The columns. Those of places follow if tables have more than two seats.
const HEADER: [&str; 19] = [
    "rank",
    "bot",
    "version",
    "digests",
    "elo",
    "error95",
    "mark",
    "bound",
    "component",
    "games",
    "score",
    "score_percent",
    "wins",
    "draws",
    "losses",
    "faults",
    "los_next",
    "los_next_holm",
    "los_next_mark",
];

/// Returns the file.
pub(super) fn write(ratings: &Ratings) -> Vec<u8> {
    let seats = ratings.seats();
    let places = if seats > 2 { seats } else { 0 };
    let mut header: Vec<String> = HEADER.iter().map(|name| (*name).to_owned()).collect();
    header.extend((1..=places).map(|place| format!("place{place}")));
    let mut sheet = Spreadsheet::new(&header);
    for row in &ratings.players {
        let rating = &row.rating;
        let mut cells = vec![
            row.rank.map_or_else(String::new, |rank| rank.to_string()),
            text(&row.name),
            text(&row.version),
            text(&row.digests.join(" ")),
            full(rating.elo),
            full(rating.error95),
            if rating.is_regularized { "~".to_owned() } else { String::new() },
            match rating.bound {
                Some(RatingBound::Above(elo)) => format!(">{}", full(Some(elo))),
                Some(RatingBound::Below(elo)) => format!("<{}", full(Some(elo))),
                None => String::new(),
            },
            rating.component.map_or_else(String::new, |component| (component + 1).to_string()),
            rating.games.to_string(),
            table_points(rating.points),
            full(rating.score().map(|score| 100.0 * score)),
            rating.wins.to_string(),
            rating.draws.to_string(),
            rating.losses.to_string(),
            row.faults.to_string(),
            full(row.los),
            full(row.los_holm),
            if row.is_los_regularized { "~".to_owned() } else { String::new() },
        ];
        cells.extend((0..places).map(|place| rating.places.get(place).copied().unwrap_or(0).to_string()));
        sheet.row(&cells);
    }
    sheet.into_bytes()
}

/// Writes a number with all its digits, or nothing.
fn full(number: Option<f64>) -> String {
    number.filter(|number| number.is_finite()).map_or_else(String::new, |number| number.to_string())
}
