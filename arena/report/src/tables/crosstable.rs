//! The scores of the players against each other.

use std::ops::Range;

use crate::results::Results;
use crate::results::standings::Meetings;
use crate::tables::notes;
use crate::tables::standings_table::all_blocks;
use crate::writing::number::{percent, points, share};
use crate::writing::sheet::{Kind, Sheet};
use crate::writing::spreadsheet::{Spreadsheet, text};
use crate::{Look, Standings};

/// How much a cell of the table shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Detail {
    /// Points and games.
    Points,
    /// The percentage.
    Percent,
}

/// Returns the crosstables: of all games together and, if there are several, of each game. The columns are the players by rank.
/// If they do not fit next to each other, the table continues below.
pub(crate) fn text_of(results: &Results<'_>, look: &Look) -> String {
    let blocks = results.blocks();
    let mut out = String::new();
    for block in &blocks {
        let standings = results.standings(*block);
        out.push_str(if out.is_empty() { "" } else { "\n" });
        if blocks.len() > 1 {
            out.push_str(&notes::title(standings, look));
        }
        out.push_str(&block_text(standings, look));
    }
    out
}

pub(crate) fn block_text(standings: &Standings, look: &Look) -> String {
    fitted(standings.rows.len(), look, |columns, detail| sheet(standings, columns, detail, look))
}

/// Returns a table of `columns` columns in the form that fits. If none fits, it is split into parts below each other, each with
/// as many columns as fit, at least one.
pub(crate) fn fitted(columns: usize, look: &Look, sheet: impl Fn(Range<usize>, Detail) -> Sheet) -> String {
    for detail in [Detail::Points, Detail::Percent] {
        let sheet = sheet(0..columns, detail);
        if sheet.fits(look) {
            return sheet.text(look);
        }
    }
    let mut out = String::new();
    let mut start = 0;
    while start < columns {
        let fits = |end: &usize| sheet(start..*end, Detail::Percent).fits(look);
        let end = (start + 2..=columns).take_while(fits).last().unwrap_or(start + 1);
        out.push_str(if out.is_empty() { "" } else { "\n" });
        out.push_str(&sheet(start..end, Detail::Percent).text(look));
        start = end;
    }
    out
}

/// Returns the table with these columns of opponents.
fn sheet(standings: &Standings, opponents: Range<usize>, detail: Detail, look: &Look) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.column("#", Kind::Figure, 0);
    sheet.column("bot", Kind::Name, 0);
    for place in opponents.clone() {
        sheet.column((place + 1).to_string(), Kind::Figure, 0);
    }
    for (place, row) in standings.rows.iter().enumerate() {
        let mut cells = vec![(place + 1).to_string().into(), row.label.clone().into()];
        for opponent in opponents.clone() {
            let meetings = standings.opponents.get(row.number, standings.rows[opponent].number);
            let cell = match detail {
                _ if opponent == place => look.choose("\u{b7}", ".").to_owned(),
                _ if meetings.games() == 0 => String::new(),
                Detail::Points => format!("{}/{}", points(meetings.halves()), meetings.games()),
                Detail::Percent => percent(share(meetings.halves(), meetings.games())),
            };
            cells.push(cell.into());
        }
        sheet.row(cells);
    }
    sheet
}

/// Returns `crosstable.csv`: a block for all games together and one for each game, with a row per bot and a column per
/// opponent, in the order of the ranking over all games.
pub(crate) fn csv_of(results: &Results<'_>) -> Vec<u8> {
    let order: Vec<usize> = results.standings(None).rows.iter().map(|row| row.number).collect();
    let mut header = vec!["game".to_owned(), "bot".to_owned(), "version".to_owned()];
    header.extend(order.iter().map(|player| text(results.players.label(*player))));
    let mut sheet = Spreadsheet::new(&header);
    for block in all_blocks(results) {
        let standings = results.standings(block);
        let game = standings.label.as_deref().map_or_else(|| "all".to_owned(), text);
        for player in &order {
            let row = &results.players.list()[*player];
            let mut cells = vec![game.clone(), text(&row.name), text(results.players.version(*player))];
            cells.extend(order.iter().map(|opponent| cell(standings.opponents.get(*player, *opponent))));
            sheet.row(&cells);
        }
    }
    sheet.into_bytes()
}

/// Returns `12.5/20 (+10 =5 -5)`, or an empty text if the two have not met.
fn cell(meetings: Meetings) -> String {
    if meetings.games() == 0 {
        return String::new();
    }
    let Meetings { wins, draws, losses } = meetings;
    format!("{}/{} (+{wins} ={draws} -{losses})", points(meetings.halves()), meetings.games())
}
