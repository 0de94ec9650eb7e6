//! The standings as text and as CSV.

use record::Termination;
use rules::Seat;
use stats::{Interval, RatingBound};

use crate::results::Results;
use crate::results::ladders::Ladders;
use crate::tables::notes;
use crate::writing::columns::{aligned_elo, bound, faults, records};
use crate::writing::number::{fixed, likelihood, optional, percent, short_milliseconds, table_points};
use crate::writing::sheet::{Cell, Kind, Sheet};
use crate::writing::spreadsheet::{Spreadsheet, text};
use crate::{Look, Row, RunReport, Standings, Tally};

/// Returns the table of all games together without notes, for a display during play. Its figures are valid at any time, which
/// its first line says.
#[must_use]
pub fn live_table(tally: &Tally<'_>, look: &Look) -> String {
    let standings = tally.live_standings();
    let header = "`any time`: 95% interval of the score that holds however often one looks".to_owned();
    let header = if standings.seats > 2 { Vec::new() } else { vec![header] };
    notes::wrapped(&header, look) + &sheet(&standings, look).text(look)
}

/// Returns one table with the notes below it, after an empty line; without notes if there are no games.
pub(crate) fn block_text(standings: &Standings, look: &Look) -> String {
    let sheet = sheet(standings, look);
    let mut lines = notes::of_ratings(standings, look);
    if standings.games > 0 && !standings.is_live && sheet.fits(look) {
        lines.push("LOS is the likelihood of being stronger than the next in rank.".to_owned());
    }
    lines.extend(notes::of_advantage(standings, look));
    lines.extend(notes::of_games(standings));
    let gap = if lines.is_empty() { "" } else { "\n" };
    format!("{}{gap}{}", sheet.text(look), notes::wrapped(&lines, look))
}

/// Returns the table for the terminal.
pub(crate) fn sheet(standings: &Standings, look: &Look) -> Sheet {
    let (rows, is_live) = (&standings.rows, standings.is_live);
    let has_bounds = rows.iter().any(|row| row.bound.is_some());
    let has_faults = rows.iter().any(|row| row.fault_count() > 0);
    let mut sheet = Sheet::default();
    sheet.column("#", Kind::Figure, 0);
    sheet.column("bot", Kind::Name, 0);
    sheet.column("Elo", Kind::Figure, 0);
    if has_bounds {
        sheet.column("bound", Kind::Figure, 6);
    }
    sheet.column("games", Kind::Figure, 3);
    sheet.column("score", Kind::Figure, if is_live { 0 } else { 2 });
    // At larger tables no figure is valid at any time.
    let has_any_time = is_live && standings.seats <= 2;
    if has_any_time {
        sheet.column("any time", Kind::Figure, 1);
    }
    let records_of = rows.iter().map(|row| ([row.wins, row.draws, row.losses], &row.places[..]));
    let (record, records) = records(records_of, standings.seats);
    sheet.column(record, Kind::Figure, 5);
    for seat in Seat::all(standings.seats.max(2)) {
        sheet.column(format!("as {seat}"), Kind::Figure, 8);
    }
    sheet.column("faults", Kind::Figure, if has_faults { 4 } else { 9 });
    sheet.column("ms/ply", Kind::Figure, 7);
    if !is_live {
        sheet.column("LOS", Kind::Figure, 10);
    }
    let error = |row: &Row| row.error95.filter(|_| !is_live);
    let figures: Vec<_> = rows.iter().map(|row| (row.elo, error(row), row.is_regularized)).collect();
    for ((row, elo), record) in rows.iter().zip(aligned_elo(&figures, look)).zip(records) {
        let mut cells: Vec<Cell> = vec![
            row.rank.map_or_else(String::new, |rank| rank.to_string()).into(),
            row.label.clone().into(),
            elo.into(),
        ];
        if has_bounds {
            cells.push(bound(row.bound).into());
        }
        cells.extend([row.games().to_string().into(), percent(row.score()).into()]);
        if has_any_time {
            cells.push(row.any_time.as_ref().map_or_else(String::new, percentages).into());
        }
        cells.push(record.into());
        cells.extend(row.seats.iter().map(|seat| percent(seat.score()).into()));
        cells.extend([
            faults(row.fault_count()),
            row.mean_ms.map_or_else(String::new, short_milliseconds).into(),
        ]);
        if !is_live {
            cells.push(likelihood(row.los, row.is_los_regularized).into());
        }
        sheet.row(cells);
    }
    sheet
}

/// Returns `41.2 to 58.0%`.
fn percentages(scores: &Interval) -> String {
    format!("{} to {}%", fixed(100.0 * scores.low, 1), fixed(100.0 * scores.high, 1))
}

/// Returns `standings.csv`: a block for all games together and one for each game. If a table has more than two seats, there are
/// columns for all seats, for places, and for the ladder that rates such tables.
#[must_use]
pub fn standings_csv(run: &RunReport<'_>) -> Vec<u8> {
    let results = run.results();
    let seats = results.most_seats(None).max(2);
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let mut header = names(&[
        "game",
        "rank",
        "bot",
        "version",
        "elo",
        "error95",
        "mark",
        "bound",
        "games",
        "score",
        "score_percent",
        "wins",
        "draws",
        "losses",
    ]);
    let has_tables = seats > 2;
    if has_tables {
        header.extend((1..=seats).map(|place| format!("place{place}")));
    }
    header.extend(Seat::all(seats).flat_map(|seat| [format!("{seat}_games"), format!("{seat}_score")]));
    header.extend(names(&["ladder_elo", "glicko2", "glicko2_deviation"]));
    if has_tables {
        header.extend(names(&["weng_lin", "weng_lin_uncertainty"]));
    }
    header.extend(names(&Termination::FAULTS.map(Termination::code)));
    header.extend(names(&["ms_per_ply", "los_next", "los_next_holm"]));
    let mut sheet = Spreadsheet::new(&header);
    for block in all_blocks(results) {
        let (standings, ladders) = (results.standings(block), results.ladders(block));
        let game = standings.label.as_deref().map_or_else(|| "all".to_owned(), text);
        for row in &standings.rows {
            sheet.row(&record(&game, row, ladders, (standings.seats, seats)));
        }
    }
    sheet.into_bytes()
}

/// Returns the blocks of a file: all games together, then every game that was played, even if there is only one.
pub(crate) fn all_blocks(results: &Results<'_>) -> impl Iterator<Item = Option<usize>> {
    std::iter::once(None).chain(results.played_labels().into_iter().map(Some))
}

/// Returns a line; `own` is the number of seats of the largest table of the block, `all` that of the file.
fn record(game: &str, row: &Row, ladders: &Ladders, (own, all): (usize, usize)) -> Vec<String> {
    let has_played = row.games() > 0;
    // The ladders of two seats do not rate larger tables.
    let is_of_two = has_played && own <= 2;
    let glicko2 = ladders.glicko2.get(row.number).filter(|_| is_of_two);
    let weng_lin = ladders.weng_lin.get(row.number).filter(|_| has_played);
    let mut cells = vec![
        game.to_owned(),
        row.rank.map_or_else(String::new, |rank| rank.to_string()),
        text(&row.player.name),
        text(&row.version),
        optional(row.elo, 1),
        optional(row.error95, 1),
        if row.is_regularized { "~".to_owned() } else { String::new() },
        row.bound.map_or_else(String::new, |bound| match bound {
            RatingBound::Above(elo) => format!(">{}", fixed(elo, 1)),
            RatingBound::Below(elo) => format!("<{}", fixed(elo, 1)),
        }),
        row.games().to_string(),
        table_points(row.points()),
        optional(row.score().map(|share| share * 100.0), 2),
        row.wins.to_string(),
        row.draws.to_string(),
        row.losses.to_string(),
    ];
    if all > 2 {
        cells.extend((0..all).map(|place| row.places.get(place).copied().unwrap_or(0).to_string()));
    }
    for seat in 0..all {
        let score = row.seats.get(seat).copied().unwrap_or_default();
        cells.extend([score.games.to_string(), table_points(score.points)]);
    }
    cells.extend([
        optional(ladders.elo.get(row.number).copied().filter(|_| is_of_two), 1),
        optional(glicko2.map(|glicko| glicko.rating), 1),
        optional(glicko2.map(|glicko| glicko.deviation), 1),
    ]);
    if all > 2 {
        cells.extend([
            optional(weng_lin.map(|it| it.rating), 2),
            optional(weng_lin.map(|it| it.uncertainty), 2),
        ]);
    }
    cells.extend(row.faults.iter().map(u64::to_string));
    cells.extend([optional(row.mean_ms, 3), optional(row.los, 4), optional(row.los_holm, 4)]);
    cells
}
