//! Ratings for the terminal.

use rules::Seat;
use stats::Method;

use crate::Look;
use crate::rate::Ratings;
use crate::tables::notes;
use crate::writing::columns::{aligned_elo, bound, faults, records};
use crate::writing::number::{fixed, likelihood, percent};
use crate::writing::sheet::{Cell, Kind, Sheet};

/// The note on tables of more than two seats.
const TABLES: &str = "At tables of more than two seats a score is the share of the opponents that were beaten, ties a half, and `p1 Elo` and so on are \
    the advantages of the seats over their mean.";

/// The text if nothing is rated.
const NOTHING: &str = "No game counts.\n";

/// Returns the tables with a legend and notes.
pub(super) fn write(ratings: &Ratings, look: &Look) -> String {
    let mut lines = ratings.notes();
    if ratings.rated == 0 {
        return format!("{NOTHING}{}", notes::wrapped(&lines, look));
    }
    let sheet = players(ratings, look);
    lines.splice(0..0, legend(ratings, look));
    let circles =
        ratings.circles.as_ref().map_or_else(String::new, |circles| format!("\n{}", circles.to_text(look)));
    format!(
        "{}\n{}{circles}\n{}",
        sheet.text(look),
        games(ratings, look).text(look),
        notes::wrapped(&lines, look)
    )
}

fn players(ratings: &Ratings, look: &Look) -> Sheet {
    let rows = &ratings.players;
    let has_bounds = rows.iter().any(|row| row.rating.bound.is_some());
    let has_groups = ratings.method == Method::Separate;
    let has_faults = rows.iter().any(|row| row.faults > 0);
    let mut sheet = Sheet::default();
    sheet.column("#", Kind::Figure, 0);
    sheet.column("bot", Kind::Name, 0);
    sheet.column("Elo", Kind::Figure, 0);
    if has_bounds {
        sheet.column("bound", Kind::Figure, 1);
    }
    if has_groups {
        sheet.column("group", Kind::Figure, 1);
    }
    sheet.column("games", Kind::Figure, 3);
    sheet.column("score", Kind::Figure, 2);
    let records_of = rows.iter().map(|row| {
        let rating = &row.rating;
        ([rating.wins, rating.draws, rating.losses], &rating.places[..])
    });
    let (record, records) = records(records_of, ratings.seats());
    sheet.column(record, Kind::Figure, 5);
    if has_faults {
        sheet.column("faults", Kind::Figure, 4);
    }
    sheet.column("LOS", Kind::Figure, 6);
    let figures: Vec<_> =
        rows.iter().map(|row| (row.rating.elo, row.rating.error95, row.rating.is_regularized)).collect();
    for ((row, elo), record) in rows.iter().zip(aligned_elo(&figures, look)).zip(records) {
        let rating = &row.rating;
        let mut cells: Vec<Cell> = vec![
            row.rank.map_or_else(String::new, |rank| rank.to_string()).into(),
            row.label.clone().into(),
            elo.into(),
        ];
        if has_bounds {
            cells.push(bound(rating.bound).into());
        }
        if has_groups {
            cells.push(rating.component.map_or_else(String::new, |place| (place + 1).to_string()).into());
        }
        cells.extend([rating.games.to_string().into(), percent(rating.score()).into(), record.into()]);
        if has_faults {
            cells.push(faults(row.faults));
        }
        cells.push(likelihood(row.los, row.is_los_regularized).into());
        sheet.row(cells);
    }
    sheet
}

fn games(ratings: &Ratings, look: &Look) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.column("game", Kind::Name, 0);
    sheet.column("games", Kind::Figure, 0);
    // With two seats, the second has the complement of the first.
    let shown = if ratings.seats() > 2 { ratings.seats() } else { 1 };
    for seat in Seat::all(shown.max(2)).take(shown) {
        // If the columns of many seats do not fit, the advantages stay.
        sheet.column(format!("{seat} score"), Kind::Figure, if shown > 1 { 2 } else { 1 });
        sheet.column(format!("{seat} Elo"), Kind::Figure, if shown > 1 { 1 } else { 2 });
    }
    let [drawn, pairs] = notes::names_of_games(ratings.seats());
    sheet.column(drawn, Kind::Figure, 3);
    sheet.column("equals draw", Kind::Figure, 5);
    sheet.column(pairs, Kind::Figure, 4);
    for game in &ratings.games {
        let advantage = &game.advantage;
        let mut cells: Vec<Cell> = vec![game.label.clone().into(), advantage.games.to_string().into()];
        for [score, elo] in notes::seats_of(advantage, shown, look) {
            cells.extend([score.into(), elo.into()]);
        }
        cells.extend([
            percent(advantage.draw_rate).into(),
            percent(game.draws.map(|(_, rate)| rate)).into(),
            advantage.pairs.to_string().into(),
        ]);
        sheet.row(cells);
    }
    sheet
}

/// Returns a short explanation of columns and marks.
pub(super) fn legend(ratings: &Ratings, look: &Look) -> Vec<String> {
    let from = match &ratings.anchor {
        Some((label, elo)) => format!("with `{label}` at {}", fixed(*elo, 0)),
        None if ratings.method == Method::Separate && ratings.components > 1 => {
            "from the mean of each group, so that it says nothing across groups".to_owned()
        }
        None => "from the mean of all bots".to_owned(),
    };
    let mark = look.choose("\u{b1}", "+-");
    let errors = notes::errors(ratings.errors, ratings.seats());
    let all = if ratings.is_simultaneous { ", so that all intervals hold together" } else { "" };
    let mut lines = vec![format!("Elo counts {from}; {mark} is its 95% error {errors}{all}.")];
    lines.extend(notes::of_method(ratings.method, ratings.components));
    if ratings.players.iter().any(|row| row.rating.bound.is_some()) {
        lines.push("`bound` is what the games alone say (95%).".to_owned());
    }
    lines.push(
        "LOS is the likelihood of being stronger than the next in rank. `p1 Elo` is the advantage of the first \
         seat."
            .to_owned(),
    );
    if ratings.seats() > 2 {
        lines.push(TABLES.to_owned());
    }
    lines
}
