//! The report of a run on one page.

use protocol::printable;
use record::RunSummary;
use rules::Seat;

use crate::results::Results;
use crate::tables::crosstable::{self, Detail};
use crate::tables::format_text::format_text;
use crate::tables::{notes, standings_table};
use crate::writing::number::{count_of, fixed, percent, table_points};
use crate::writing::sheet::{Cell, Kind, Sheet};
use crate::{
    Circles, Look, Ranking, RunReport, SequentialTest, SeveralGames, Standings, fault_table, faults_text,
    machines_text, outcome, ranking_text, trial_text, void_text, warnings_text,
};

/// Returns the page shown at the end of a run: the standings of all games together, the scores in each game, the statistics of
/// the seats, who beat whom, and the forfeits.
#[must_use]
pub fn summary_text(run: &RunReport<'_>, look: &Look) -> String {
    let results = run.results();
    let standings = results.standings(None);
    let mut out = overview(run, standings, look);
    if results.is_empty() {
        return out;
    }
    if results.blocks().len() > 1 {
        out.push_str(&format!("\nScores in each game, bots by rank\n\n{}", scores(results, standings, look)));
    }
    out.push_str(&format!("\nWho beat whom\n\n{}", crosstable::block_text(standings, look)));
    out.push_str(&circles(results, look));
    out.push_str(&faults(run, look));
    out.push_str(&void(run, look));
    out.push_str(&warned(run, look));
    out.push_str(&machines(run, look));
    out
}

/// Returns the whole report: that of [`summary_text`], with the standings and the crosstable of each game if there are several.
#[must_use]
pub fn report_text(run: &RunReport<'_>, look: &Look) -> String {
    let results = run.results();
    let mut out = overview(run, results.standings(None), look);
    if results.is_empty() {
        return out;
    }
    for block in results.blocks().into_iter().flatten() {
        let standings = results.standings(Some(block));
        out.push_str(&format!("\n{}", notes::title(standings, look)));
        out.push_str(&standings_table::block_text(standings, look));
    }
    out.push_str(&format!("\nWho beat whom\n\n{}", crosstable::text_of(results, look)));
    out.push_str(&circles(results, look));
    out.push_str(&faults(run, look));
    out.push_str(&void(run, look));
    out.push_str(&warned(run, look));
    out.push_str(&machines(run, look));
    out
}

/// Returns the games lost by faults, and how often each bot failed.
fn faults(run: &RunReport<'_>, look: &Look) -> String {
    let table = fault_table(run, look);
    let table = table.map_or_else(String::new, |table| format!("\nFaults of each bot\n\n{table}"));
    format!("\nGames lost by faults\n\n{}{table}", faults_text(run, look))
}

/// Returns the section about replayed games; empty if there are none.
fn void(run: &RunReport<'_>, look: &Look) -> String {
    let text = void_text(run, look);
    text.map_or_else(String::new, |text| format!("\nPlayed again because the machine was late\n\n{text}"))
}

/// Returns the section about false claims of bots; empty if there are none.
fn warned(run: &RunReport<'_>, look: &Look) -> String {
    let text = warnings_text(run, look);
    text.map_or_else(String::new, |text| format!("\nClaims contradicted by the rules\n\n{text}"))
}

/// Returns the section with the results of each worker; empty for a run on one machine.
fn machines(run: &RunReport<'_>, look: &Look) -> String {
    machines_text(run, look).map_or_else(String::new, |text| format!("\nResults by machine\n\n{text}"))
}

/// Returns the section on whether ratings explain the results. It is empty if there are too few games and while the run
/// continues, because the test is valid only once.
fn circles(results: &Results<'_>, look: &Look) -> String {
    if results.is_live {
        return String::new();
    }
    let names: Vec<String> =
        (0..results.players.len()).map(|player| results.players.label(player).to_owned()).collect();
    let circles = Circles::of(&results.sample(None), &names, results.labels.len());
    circles.map_or_else(String::new, |circles| format!("\n{}", circles.to_text(look)))
}

/// Returns the name of the run, the standings of all games together, the notes on their reliability, and the statistics of the
/// seats of each game.
fn overview(run: &RunReport<'_>, standings: &Standings, look: &Look) -> String {
    let (contents, results) = (run.contents(), run.results());
    if contents.runs.is_empty() && results.players.len() == 0 {
        return notes::EMPTY.to_owned();
    }
    let mut out = notes::wrapped(&heading(contents, results, standings), look);
    out.push('\n');
    // The sections of a test and of a question begin with their own answers.
    let (trial, ranking) = (SequentialTest::of(contents), Ranking::of(contents));
    if trial.is_none() && ranking.is_none() {
        out.push_str(&notes::wrapped(&[outcome(run)], look));
        out.push('\n');
    }
    if let Some(trial) = trial {
        out.push_str(&trial_text(&trial, look));
        out.push('\n');
        if let Some(several) = SeveralGames::of(&trial).filter(|_| trial.stop().is_some()) {
            out.push_str(&several.to_text(look));
            out.push('\n');
        }
    }
    if let Some(ranking) = ranking {
        out.push_str(&ranking_text(&ranking, look));
        out.push('\n');
    }
    if let Some(format) = format_text(run, look) {
        out.push_str(&format);
        out.push_str("\nRatings\n\n");
    }
    out.push_str(&standings_table::block_text(standings, look));
    out.push_str(&notes::wrapped(&notes::of_players(&results.players), look));
    if contents.torn > 0 {
        let note = format!(
            "The journal ends in {} bytes of an unfinished line, which the report leaves out.",
            contents.torn
        );
        out.push_str(&notes::wrapped(&[note], look));
    }
    if !results.is_empty() {
        out.push('\n');
        out.push_str(&games(results, look).text(look));
    }
    out
}

/// Returns the score of each bot in each game: a row per game, and a column per bot in the order of the standings.
fn scores(results: &Results<'_>, standings: &Standings, look: &Look) -> String {
    let labels = results.played_labels();
    let blocks: Vec<_> = labels.iter().map(|label| results.standings(Some(*label))).collect();
    crosstable::fitted(standings.rows.len(), look, |places, detail| {
        let mut sheet = Sheet::default();
        sheet.column("game", Kind::Name, 0);
        for place in places.clone() {
            sheet.column((place + 1).to_string(), Kind::Figure, 0);
        }
        for block in &blocks {
            let mut cells: Vec<Cell> = vec![block.label.clone().unwrap_or_default().into()];
            for place in places.clone() {
                let number = standings.rows[place].number;
                let row = block.rows.iter().find(|row| row.number == number && row.games() > 0);
                let score = row.map_or_else(String::new, |row| match detail {
                    Detail::Points => format!("{}/{}", table_points(row.points()), row.games()),
                    Detail::Percent => percent(row.score()),
                });
                cells.push(score.into());
            }
            sheet.row(cells);
        }
        sheet
    })
}

fn heading(contents: &RunSummary, results: &Results<'_>, standings: &Standings) -> [String; 2] {
    let config = contents.runs.last().map(|run| &run.config);
    let bots = count_of(results.players.len() as u64, "bot");
    let rulesets = count_of(results.labels.len() as u64, "ruleset");
    let games = count_of(standings.games + standings.no_contest, "game");
    [
        config.map_or_else(|| "unnamed".to_owned(), |config| printable(&config.name).into_owned()),
        match config {
            Some(config) => {
                let schedule = config.schedule.as_ref().map_or_else(String::new, |schedule| {
                    format!(", schedule {}", printable(&schedule.goal.to_string()))
                });
                let played = format!(
                    "{}{schedule}, {bots}, {rulesets}, {games} played",
                    printable(&config.format.to_string())
                );
                match standings.is_live && standings.games > 0 {
                    true => format!("{played}, not finished: figures that hold at any time"),
                    false => played,
                }
            }
            None => format!("{bots}, {rulesets}, {games} played"),
        },
    ]
}

/// Returns the table of games: the statistics of their seats, their length, and the number of duplicates.
fn games(results: &Results<'_>, look: &Look) -> Sheet {
    let mut sheet = Sheet::default();
    let labels = results.played_labels();
    let all: Vec<_> = labels.iter().map(|label| results.standings(Some(*label))).collect();
    let has_copies = all.iter().any(|standings| standings.duplicates.repeated_games > 0);
    sheet.column("game", Kind::Name, 0);
    sheet.column("games", Kind::Figure, 0);
    let seats = results.most_seats(None).max(2);
    // With two seats, the second has the complement of the first.
    let shown = if seats > 2 { seats } else { 1 };
    for seat in Seat::all(seats).take(shown) {
        // If the columns of many seats do not fit, the advantages stay.
        sheet.column(format!("{seat} score"), Kind::Figure, if shown > 1 { 2 } else { 1 });
        sheet.column(format!("{seat} Elo"), Kind::Figure, if shown > 1 { 1 } else { 2 });
    }
    sheet.column(notes::names_of_games(seats)[0], Kind::Figure, 3);
    sheet.column("pairing", Kind::Figure, 5);
    sheet.column("plies", Kind::Figure, 6);
    sheet.column("seconds", Kind::Figure, 7);
    if has_copies {
        sheet.column("duplicates", Kind::Figure, 4);
    }
    for standings in all {
        let advantage = standings.advantage.as_ref();
        let copies = standings.duplicates;
        let duplicates = match (copies.repeated_pairs, copies.repeated_games) {
            (0, 0) => String::new(),
            (0, games) => format!("{games} of {} games", copies.games),
            (pairs, _) if standings.seats > 2 => format!("{pairs} of {} blocks", copies.pairs),
            (pairs, _) => format!("{pairs} of {} pairs", copies.pairs),
        };
        let saving = advantage.and_then(|advantage| advantage.pair_variance_ratio);
        let drawn = match standings.seats {
            ..=2 => (standings.games > 0).then(|| standings.drawn as f64 / standings.games as f64),
            _ => advantage.and_then(|advantage| advantage.draw_rate),
        };
        let mut cells: Vec<Cell> =
            vec![standings.label.clone().unwrap_or_default().into(), standings.games.to_string().into()];
        let none = || vec![[String::new(), String::new()]; shown];
        let of_seats = advantage.map_or_else(none, |advantage| {
            notes::seats_of(&notes::as_shown(advantage, standings.is_live), shown, look)
        });
        for [score, elo] in of_seats {
            cells.extend([score.into(), elo.into()]);
        }
        cells.extend([
            percent(drawn).into(),
            saving.map_or_else(String::new, saved).into(),
            fixed(standings.mean_plies(), 1).into(),
            fixed(standings.mean_seconds(), 1).into(),
        ]);
        if has_copies {
            cells.push(duplicates.into());
        }
        sheet.row(cells);
    }
    sheet
}

/// Writes the share of games that playing in pairs saves. `ratio` is the variance of a pair relative to that of two independent
/// games.
fn saved(ratio: f64) -> String {
    let word = if ratio <= 1.0 { "saves" } else { "costs" };
    format!("{word} {}%", fixed((1.0 - ratio).abs() * 100.0, 0))
}
