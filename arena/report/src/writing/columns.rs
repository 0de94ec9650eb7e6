//! Columns that several tables share: ratings, bounds, records and faults, aligned.

use stats::RatingBound;

use crate::Look;
use crate::writing::number::{fixed, signed};
use crate::writing::sheet::Cell;

/// A rating, its error and whether it is marked.
pub(crate) type Figure = (Option<f64>, Option<f64>, bool);

/// Writes ratings with their errors, aligned in one column.
pub(crate) fn aligned_elo(figures: &[Figure], look: &Look) -> Vec<String> {
    let errors: Vec<_> = figures.iter().map(|(_, error, _)| error.map(|error| fixed(error, 0))).collect();
    let width = errors.iter().flatten().map(String::len).max().unwrap_or(0);
    let sign = look.choose("\u{b1}", "+-");
    let write = |((elo, _, is_marked), error): (&Figure, &Option<String>)| {
        let Some(elo) = *elo else { return String::new() };
        let mark = if *is_marked { "~" } else { "" };
        let error = match error {
            Some(error) => format!(" {sign} {error:>width$}"),
            None if width > 0 => " ".repeat(width + 2 + sign.chars().count()),
            None => String::new(),
        };
        format!("{mark}{}{error}", signed(elo, 0))
    };
    figures.iter().zip(&errors).map(write).collect()
}

/// Writes wins, draws and losses, or the numbers of places, aligned in one column; empty for a player without games. All
/// records have the same length.
fn aligned_records(records: &[Vec<u64>]) -> Vec<String> {
    let width = |place: usize| {
        records.iter().filter_map(|record| record.get(place)).max().unwrap_or(&0).to_string().len()
    };
    let write = |record: &Vec<u64>| {
        if record.iter().all(|count| *count == 0) {
            return String::new();
        }
        let cells = record.iter().enumerate().map(|(place, count)| format!("{count:>0$}", width(place)));
        cells.collect::<Vec<_>>().join("/")
    };
    records.iter().map(write).collect()
}

/// Returns the title and the cells of the column of results, from games won, drawn and lost and the numbers of places. It shows
/// games won, drawn and lost, or the places at tables of more than two seats.
pub(crate) fn records<'a>(
    rows: impl Iterator<Item = ([u64; 3], &'a [u64])>,
    seats: usize,
) -> (String, Vec<String>) {
    if seats <= 2 {
        let records: Vec<Vec<u64>> = rows.map(|(record, _)| record.to_vec()).collect();
        return (record_title(seats), aligned_records(&records));
    }
    let own = |places: &[u64]| (0..seats).map(|place| places.get(place).copied().unwrap_or(0)).collect();
    let records: Vec<Vec<u64>> = rows.map(|(_, places)| own(places)).collect();
    (record_title(seats), aligned_records(&records))
}

/// Returns the title of the column of results where the largest table has this many seats: `W/D/L`, `1st/2nd/3rd`, or, as short
/// as the figures below it, `1st to 4th`.
#[must_use]
pub fn record_title(seats: usize) -> String {
    match seats {
        0..=2 => "W/D/L".to_owned(),
        3 => (1..=seats).map(place_name).collect::<Vec<_>>().join("/"),
        _ => format!("{} to {}", place_name(1), place_name(seats)),
    }
}

/// `1st`, `2nd`, `3rd`, `4th`.
pub(crate) fn place_name(place: usize) -> String {
    let ending = match place {
        1 => "st",
        2 => "nd",
        3 => "rd",
        _ => "th",
    };
    format!("{place}{ending}")
}

/// Writes a bound in whole Elo.
pub(crate) fn bound(bound: Option<RatingBound>) -> String {
    match bound {
        Some(RatingBound::Above(elo)) => format!("> {}", signed(elo, 0)),
        Some(RatingBound::Below(elo)) => format!("< {}", signed(elo, 0)),
        None => String::new(),
    }
}

/// Returns the cell of games lost by faults, which is empty for none.
pub(crate) fn faults(count: u64) -> Cell {
    if count == 0 { "".into() } else { Cell::warning(count.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_line_up_with_and_without_errors() {
        let figures = [
            (Some(12.4), Some(8.0), false),
            (Some(-3.0), None, false),
            (Some(0.0), Some(110.0), true),
            (None, None, false),
        ];
        let ascii = Look { width: 80, color: false, ascii: true };
        assert_eq!(aligned_elo(&figures, &ascii), ["+12 +-   8", "-3       ", "~+0 +- 110", ""]);
        assert_eq!(aligned_elo(&figures[1..2], &ascii), ["-3"]);
    }

    #[test]
    fn records_line_up() {
        let records = [[10, 0, 3], [0, 0, 0], [7, 12, 15]].map(Vec::from);
        assert_eq!(aligned_records(&records), ["10/ 0/ 3", "", " 7/12/15"]);
    }

    #[test]
    fn titles_are_no_wider_than_what_they_name() {
        let titles = [2, 3, 4, 8].map(record_title);
        assert_eq!(titles, ["W/D/L", "1st/2nd/3rd", "1st to 4th", "1st to 8th"]);
    }

    #[test]
    fn bounds_have_a_side() {
        let bounds = [Some(RatingBound::Above(12.4)), Some(RatingBound::Below(-0.2)), None];
        assert_eq!(bounds.map(bound), ["> +12", "< +0", ""]);
    }
}
