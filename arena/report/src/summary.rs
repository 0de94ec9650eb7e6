//! The report of a run on one page.

use protocol::printable;
use record::Contents;

use crate::number::{fixed, percent};
use crate::results::Results;
use crate::sheet::{Cell, Kind, Sheet};
use crate::{Look, Standings, Tally, crosstable_text, faults_text, notes, standings_table};

/// What is said of a journal without bots and games.
pub(crate) const EMPTY: &str = "The journal is empty.\n";

/// Returns the name of the run, the standings of all games together, what each game tells of its seats, and what
/// must be known to trust them.
#[must_use]
pub fn summary_text(contents: &Contents, look: &Look) -> String {
    let results = Tally::of(contents).results();
    if contents.runs.is_empty() && results.players.len() == 0 {
        return EMPTY.to_owned();
    }
    let standings = Standings::of(&results, None);
    let mut out = notes::wrapped(&heading(contents, &results, &standings), look);
    out.push('\n');
    out.push_str(&standings_table::block_text(&standings, look));
    out.push_str(&notes::wrapped(&notes::of_players(&results.players), look));
    if contents.torn > 0 {
        let note =
            format!("The journal ends in {} bytes of an unfinished line, which are left out.", contents.torn);
        out.push_str(&notes::wrapped(&[note], look));
    }
    if !results.games.is_empty() {
        out.push('\n');
        out.push_str(&games(&results, look).text(look));
    }
    out
}

/// Returns the whole report: the summary, the standings of each game where there are several, the crosstables and
/// the forfeits.
#[must_use]
pub fn report_text(contents: &Contents, look: &Look) -> String {
    let mut out = summary_text(contents, look);
    let results = Tally::of(contents).results();
    if results.games.is_empty() {
        return out;
    }
    for block in results.blocks().into_iter().flatten() {
        let standings = Standings::of(&results, Some(block));
        out.push_str(&format!("\n{}", notes::title(&standings, look)));
        out.push_str(&standings_table::block_text(&standings, look));
    }
    out.push_str(&format!("\nWho beat whom\n\n{}", crosstable_text(contents, look)));
    out.push_str(&format!("\nGames lost by faults\n\n{}", faults_text(contents, look)));
    out
}

fn heading(contents: &Contents, results: &Results, standings: &Standings) -> [String; 2] {
    let many = |count: u64, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {what}{plural}")
    };
    let config = contents.runs.last().map(|run| &run.config);
    let bots = many(results.players.len() as u64, "bot");
    let rulesets = many(results.labels.len() as u64, "ruleset");
    let games = many(standings.games + standings.no_contest, "game");
    [
        config.map_or_else(|| "unnamed".to_owned(), |config| printable(&config.name).into_owned()),
        match config {
            Some(config) => format!("{}, {bots}, {rulesets}, {games} played", printable(&config.format)),
            None => format!("{bots}, {rulesets}, {games} played"),
        },
    ]
}

/// Returns the table of games: what their seats tell, how long they last, and how many repeat others.
fn games(results: &Results, look: &Look) -> Sheet {
    let mut sheet = Sheet::default();
    let labels = results.played_labels();
    let all: Vec<_> = labels.iter().map(|label| Standings::of(results, Some(*label))).collect();
    let has_copies = all.iter().any(|standings| standings.duplicates.repeated_games > 0);
    sheet.column("game", Kind::Name, 0);
    sheet.column("games", Kind::Figure, 0);
    sheet.column("p1 score", Kind::Figure, 1);
    sheet.column("p1 Elo", Kind::Figure, 2);
    sheet.column("drawn", Kind::Figure, 3);
    sheet.column("pairing", Kind::Figure, 5);
    sheet.column("plies", Kind::Figure, 6);
    sheet.column("seconds", Kind::Figure, 7);
    if has_copies {
        sheet.column("duplicates", Kind::Figure, 4);
    }
    for standings in all {
        let advantage = standings.advantage.as_ref();
        let played = (standings.games + standings.no_contest) as f64;
        let copies = standings.duplicates;
        let duplicates = match (copies.repeated_pairs, copies.repeated_games) {
            (0, 0) => String::new(),
            (0, games) => format!("{games} of {} games", copies.games),
            (pairs, _) => format!("{pairs} of {} pairs", copies.pairs),
        };
        let saving = advantage.and_then(|advantage| advantage.pair_variance_ratio);
        let drawn = (standings.games > 0).then(|| standings.drawn as f64 / standings.games as f64);
        let mut cells: Vec<Cell> = vec![
            standings.label.clone().unwrap_or_default().into(),
            standings.games.to_string().into(),
            percent(advantage.and_then(|advantage| advantage.first_score)).into(),
            advantage.map_or_else(String::new, |advantage| notes::elo(advantage, look)).into(),
            percent(drawn).into(),
            saving.map_or_else(String::new, saved).into(),
            fixed(standings.plies as f64 / played, 1).into(),
            fixed(standings.seconds / played, 1).into(),
        ];
        if has_copies {
            cells.push(duplicates.into());
        }
        sheet.row(cells);
    }
    sheet
}

/// Writes the share of games that playing in pairs saves, given the variance of a pair over that of two
/// independent games.
fn saved(ratio: f64) -> String {
    let word = if ratio <= 1.0 { "saves" } else { "costs" };
    format!("{word} {}%", fixed((1.0 - ratio).abs() * 100.0, 0))
}
