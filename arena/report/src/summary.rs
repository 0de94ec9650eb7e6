//! The report of a run on one page.

use protocol::printable;
use record::Contents;

use crate::number::{fixed, percent};
use crate::results::Results;
use crate::sheet::{Kind, Sheet};
use crate::{Look, Standings, Tally, notes, standings_table};

/// Returns the name of the run, the standings of all games together, what each game tells of its seats, and what
/// must be known to trust them.
#[must_use]
pub fn summary_text(contents: &Contents, look: &Look) -> String {
    let results = Tally::of(contents).results();
    let standings = Standings::of(&results, None);
    let mut out = heading(contents, &results, &standings);
    if results.players.len() == 0 {
        return out;
    }
    out.push('\n');
    out.push_str(&standings_table::sheet(&standings, look).text(look));
    out.push_str(&standings_table::notes_of(&standings, look));
    out.push_str(&notes::wrapped(&notes::of_players(&results.players), look));
    if !results.games.is_empty() {
        out.push('\n');
        out.push_str(&games(&results, look).text(look));
    }
    out
}

fn heading(contents: &Contents, results: &Results, standings: &Standings) -> String {
    let Some(run) = contents.runs.last() else { return "The journal is empty.\n".to_owned() };
    let many = |count: usize, what: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("{count} {what}{plural}")
    };
    let played = standings.games + standings.no_contest;
    format!(
        "{}\n{}, {}, {}, {} played\n",
        printable(&run.config.name),
        printable(&run.config.format),
        many(results.players.len(), "bot"),
        many(results.labels.len(), "ruleset"),
        many(usize::try_from(played).unwrap_or(usize::MAX), "game"),
    )
}

/// Returns the table of games: what their seats tell, how long they last, and how many repeat others.
fn games(results: &Results, look: &Look) -> Sheet {
    let mut sheet = Sheet::default();
    sheet.column("game", Kind::Name, 0);
    sheet.column("games", Kind::Figure, 0);
    sheet.column("p1 score", Kind::Figure, 1);
    sheet.column("p1 Elo", Kind::Figure, 2);
    sheet.column("drawn", Kind::Figure, 3);
    sheet.column("plies", Kind::Figure, 5);
    sheet.column("seconds", Kind::Figure, 6);
    sheet.column("duplicates", Kind::Figure, 4);
    for label in results.played_labels() {
        let standings = Standings::of(results, Some(label));
        let advantage = standings.advantage.as_ref();
        let played = (standings.games + standings.no_contest) as f64;
        let copies = standings.duplicates;
        let duplicates = match copies.pairs {
            0 => format!("{}/{}", copies.repeated_games, copies.games),
            pairs => format!("{}/{pairs} pairs", copies.repeated_pairs),
        };
        sheet.row(vec![
            standings.label.clone().unwrap_or_default().into(),
            standings.games.to_string().into(),
            percent(advantage.and_then(|advantage| advantage.first_score)).into(),
            advantage.map_or_else(String::new, |advantage| notes::elo(advantage, look)).into(),
            percent((standings.games > 0).then(|| standings.drawn as f64 / standings.games as f64)).into(),
            fixed(standings.plies as f64 / played, 1).into(),
            fixed(standings.seconds / played, 1).into(),
            duplicates.into(),
        ]);
    }
    sheet
}
