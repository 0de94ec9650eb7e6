//! One tab of the page: the standings of all games together or of one, who beat whom, and their charts.

use askama::Template;
use record::RunSummary;
use report::{Row, Standings, Tally, record_title};
use rules::Seat;

use crate::charts;
use crate::charts::{GameCharts, colour};
use crate::decisions::Decisions;
use crate::figures::{milliseconds, signed};
use crate::naming::{Naming, name_markup};

/// How many bots a cross-table shows with large cells.
const FEW: usize = 14;

/// How many it shows on paper at most.
const ON_PAPER: usize = 30;

/// A tab.
#[derive(Template)]
#[template(path = "panel.html")]
pub(crate) struct Panel {
    /// The id of the element.
    pub(crate) id: String,
    /// What the tab is called.
    pub(crate) title: String,
    rows: Vec<TableRow>,
    /// What the column of results is called.
    record: String,
    /// The seats of the largest table, as `p1`.
    seats: Vec<String>,
    has_faults: bool,
    is_live: bool,
    cross: Vec<CrossRow>,
    /// The class of the frame of the cross-table, by how many bots it has.
    cross_class: &'static str,
    facts: Vec<String>,
    charts: Vec<charts::Titled>,
}

/// A row of the standings, in words.
struct TableRow {
    rank: String,
    class: String,
    name: String,
    elo: Figure,
    whisker: String,
    games: u64,
    score: Figure,
    record: Figure,
    bar: String,
    seats: Vec<Figure>,
    faults: Figure,
    time: Figure,
    likelihood: Figure,
}

/// A figure as it is written, and what it is sorted by: nothing where it is unknown.
#[derive(Clone, Debug, PartialEq)]
struct Figure {
    text: String,
    key: String,
}

impl Figure {
    fn new(text: String, value: Option<f64>) -> Self {
        Self { text, key: value.map_or_else(String::new, |value| value.to_string()) }
    }
}

/// A row of the cross-table.
struct CrossRow {
    rank: String,
    /// As markup.
    name: String,
    title: String,
    cells: Vec<CrossCell>,
}

/// What a bot did against another.
struct CrossCell {
    /// The class that says how well; empty where there is nothing to say.
    class: String,
    text: String,
    link: String,
    title: String,
}

impl Panel {
    /// Returns the tab of all games, or of the label with this number.
    pub(crate) fn of(
        contents: &RunSummary,
        tally: &Tally<'_>,
        naming: &Naming,
        label: Option<(usize, &str)>,
        decisions: &Decisions,
        games: GameCharts,
    ) -> Self {
        let standings = tally.standings(label.map(|(_, name)| name));
        let rows = charts::rows_of(standings);
        let scale = charts::Scale::of(&rows);
        let number = label.map_or_else(|| "-".to_owned(), |(number, _)| number.to_string());
        Self {
            id: label.map_or_else(|| "all".to_owned(), |(number, _)| format!("game-{number}")),
            title: label.map_or_else(|| "All games".to_owned(), |(_, name)| crate::naming::shown(name)),
            has_faults: rows.iter().any(|row| row.fault_count() > 0),
            is_live: standings.is_live,
            rows: rows.iter().map(|row| table_row(row, naming, &scale)).collect(),
            record: match standings.seats {
                0..=2 => "Won/drawn/lost".to_owned(),
                seats => record_title(seats),
            },
            seats: Seat::all(standings.seats.max(2)).map(|seat| seat.to_string()).collect(),
            cross: cross(standings, &rows, naming, &number),
            cross_class: match rows.len() {
                count if count <= FEW => "",
                count if count <= ON_PAPER => "many",
                _ => "many vast",
            },
            facts: facts(standings),
            charts: charts::all(contents, &rows, naming, label.map(|(_, name)| name), decisions, games),
        }
    }
}

fn table_row(row: &Row, naming: &Naming, scale: &charts::Scale) -> TableRow {
    let mark = if row.is_regularized { "~" } else { "" };
    let elo = row.elo.map_or_else(|| "–".to_owned(), |elo| format!("{mark}{}", signed(elo)));
    // Half points a game: the order of the column.
    let part = |score: Option<f64>| score.map(|score| 2.0 * score);
    let share =
        |score: Option<f64>| score.map_or_else(|| "–".to_owned(), |score| format!("{:.1}%", score * 100.0));
    let score = match (row.error95, row.any_time) {
        (None, Some(range)) => {
            format!("{} ({:.0}–{:.0}%)", share(row.score()), range.low * 100.0, range.high * 100.0)
        }
        _ => share(row.score()),
    };
    TableRow {
        rank: row.rank.map_or_else(|| "–".to_owned(), |rank| rank.to_string()),
        class: colour::class(naming.number(row)),
        name: name_markup(&row.label),
        elo: Figure::new(row.error95.map_or(elo.clone(), |error| format!("{elo} ± {error:.0}")), row.elo),
        whisker: scale.whisker(row, &colour::class(naming.number(row))),
        games: row.games(),
        score: Figure::new(score, part(row.score())),
        record: Figure::new(
            row.record().iter().map(u64::to_string).collect::<Vec<_>>().join("/"),
            part(row.score()),
        ),
        bar: charts::record_bar(row),
        seats: row.seats.iter().map(|seat| Figure::new(share(seat.score()), part(seat.score()))).collect(),
        faults: match row.fault_count() {
            0 => Figure::new(String::new(), Some(0.0)),
            count => Figure::new(count.to_string(), Some(count as f64)),
        },
        time: Figure::new(row.mean_ms.map_or_else(|| "–".to_owned(), milliseconds), row.mean_ms),
        likelihood: Figure::new(
            row.los.map_or_else(String::new, |los| format!("{:.1}%", los * 100.0)),
            row.los,
        ),
    }
}

fn cross(standings: &Standings, rows: &[&Row], naming: &Naming, label: &str) -> Vec<CrossRow> {
    let cell = |row: &Row, other: &Row| {
        let met = standings.meetings(row, other);
        if met.games() == 0 {
            let text = if row.player == other.player { "" } else { "–" };
            return CrossCell {
                class: String::new(),
                text: text.to_owned(),
                link: String::new(),
                title: String::new(),
            };
        }
        let share = met.halves() as f64 / (2 * met.games()) as f64;
        let points = met.halves() as f64 / 2.0;
        CrossCell {
            class: format!("h{:.0}", share * 10.0),
            text: format!("{points}/{}", met.games()),
            link: format!("#games-{}-{}-{label}", naming.number(row), naming.number(other)),
            title: format!(
                "{} against {}: {} won, {} drawn, {} lost",
                row.label, other.label, met.wins, met.draws, met.losses
            ),
        }
    };
    let row = |(place, row): (usize, &&Row)| CrossRow {
        rank: (place + 1).to_string(),
        name: name_markup(&row.label),
        title: row.label.clone(),
        cells: rows.iter().map(|other| cell(row, other)).collect(),
    };
    rows.iter().enumerate().map(row).collect()
}

fn facts(standings: &Standings) -> Vec<String> {
    let rows = &standings.rows;
    let mut facts = Vec::new();
    if standings.games == 0 {
        return vec!["No game with a result has been played yet.".to_owned()];
    }
    if rows.iter().any(|row| row.is_regularized) {
        facts.push(
            "~ marks figures that a prior of 200 Elo around the mean holds in place: the results alone give no finite one."
                .to_owned(),
        );
    }
    facts.push(match standings.is_live {
        true => "The run is not finished: errors and likelihoods follow at its end; the range behind a score holds however often one looks (95%)."
            .to_owned(),
        false => "Elo counts from the mean of all bots; ± and whiskers are its 95% error. LOS is the likelihood of being stronger than the next in rank."
            .to_owned(),
    });
    if let Some(advantage) = &standings.advantage
        && let (Some(share), Some(drawn)) = (advantage.first_score, advantage.draw_rate)
    {
        let elo = |elo: Option<f64>, error: Option<f64>| match (elo, error) {
            (Some(elo), Some(error)) if !standings.is_live => {
                Some(format!("{} ± {error:.0} Elo", signed(elo)))
            }
            _ => None,
        };
        if standings.seats > 2 {
            let seats = (1..).zip(&advantage.seats).map(|(number, seat)| {
                let score =
                    seat.score.map_or_else(|| "–".to_owned(), |score| format!("{:.1}%", score * 100.0));
                let elo = elo(seat.elo, seat.error95).map_or_else(String::new, |elo| format!(" ({elo})"));
                format!("p{number} {score}{elo}")
            });
            let seats: Vec<_> = seats.collect();
            facts.push(format!(
                "Scores of the seats, with their advantages over the mean: {}. Tied: {:.1}% of the results of two seats.",
                seats.join(", "),
                drawn * 100.0
            ));
        } else {
            let elo = elo(advantage.elo, advantage.error95)
                .map_or_else(String::new, |elo| format!(", an advantage of {elo}"));
            facts.push(format!(
                "The first seat scored {:.1}%{elo}. Drawn: {:.1}%.",
                share * 100.0,
                drawn * 100.0
            ));
        }
    }
    if standings.no_contest > 0 {
        facts.push(match standings.no_contest {
            1 => "1 game has no result and does not count.".to_owned(),
            count => format!("{count} games have no result and do not count."),
        });
    }
    facts
}
