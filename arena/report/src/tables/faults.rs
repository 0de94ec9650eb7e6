//! The games that a bot lost by its own fault.

use record::SeatedBot;

use crate::tables::notes;
use crate::writing::sheet::{Kind, Sheet};
use crate::{ContestantId, Look, RunReport};

/// The most characters of each of several opponents.
const MOST_OF_AN_OPPONENT: usize = 20;

/// Returns the list of forfeits: game, loser, opponent, reason and details.
#[must_use]
pub fn faults_text(run: &RunReport<'_>, look: &Look) -> String {
    if run.incidents().all(|game| game.faults().next().is_none()) {
        return "No game was lost by a fault.\n".to_owned();
    }
    let players = &run.results().players;
    let label = |seat: &SeatedBot| {
        let player = players.find(&ContestantId::seated(seat));
        player.map_or_else(String::new, |player| players.label(player).to_owned())
    };
    let has_tables = run.results().most_seats(None) > 2;
    let mut sheet = Sheet::default();
    sheet.column("game", Kind::Figure, 0);
    sheet.column("lost by", Kind::Name, 0);
    if has_tables {
        // A bot may have several seats of a table, and the pages of faults are named by seats: the seat stays. The others of a
        // table are all there or not at all.
        sheet.column("as", Kind::Word, 0);
        sheet.column("against", Kind::Word, 5);
    } else {
        sheet.column("as", Kind::Word, 3);
        sheet.column("against", Kind::Name, 2);
    }
    sheet.column("after", Kind::Figure, 4);
    if has_tables {
        sheet.column("place", Kind::Figure, 0);
    }
    sheet.column("reason", Kind::Word, 0);
    sheet.column("what happened", Kind::Rest, 1);
    for game in run.incidents() {
        let after = |seat| game.out(seat).map_or(game.plies, |out| out.ply.saturating_sub(1));
        let mut faults: Vec<_> = game.faults().collect();
        faults.sort_by_key(|(seat, _)| after(*seat));
        for (seat, fault) in faults {
            let others = game.seats().by_seat().filter(|(other, _)| *other != seat);
            let others = others.map(|(_, other)| label(other));
            let others: Vec<_> = match has_tables {
                true => others.map(|other| look.shortened(&other, MOST_OF_AN_OPPONENT)).collect(),
                false => others.collect(),
            };
            let mut row = vec![
                game.number.to_string().into(),
                label(&game.seats()[seat]).into(),
                seat.to_string().into(),
                others.join(", ").into(),
                after(seat).to_string().into(),
            ];
            if has_tables {
                let place = game.result.place(seat).map(|place| format!("{place} of {}", game.seats().len()));
                row.push(place.unwrap_or_default().into());
            }
            row.push(fault.to_string().into());
            row.push(
                game.fault_words(seat).or_else(|| game.exit(seat)).unwrap_or_default().to_owned().into(),
            );
            sheet.row(row);
        }
    }
    // Tables of more than two have a page for every seat that failed.
    let page = if has_tables { "GAME-SEAT" } else { "GAME" };
    let note = format!("The conversation before each of them: `faults/{page}.txt` in the run's directory.");
    format!("{}\n{}", sheet.text(look), notes::wrapped(&[note], look))
}
