//! Ratings as Markdown.

use protocol::printable;
use rules::Seat;

use crate::Look;
use crate::rate::{Ratings, text};
use crate::tables::notes;
use crate::writing::columns::{bound, place_name};
use crate::writing::markdown::{line, paragraphs, safe};
use crate::writing::number::{fixed, likelihood, percent, signed};

/// Returns the table of players, that of the games, and the notes.
pub(super) fn write(ratings: &Ratings) -> String {
    let seats = ratings.seats();
    let record = if seats > 2 {
        (1..=seats).map(place_name).collect()
    } else {
        ["W", "D", "L"].map(str::to_owned).to_vec()
    };
    let mut out =
        format!("| # | bot | Elo | ± | bound | component | games | score | {} | LOS |\n", record.join(" | "));
    out.push_str(&format!("|--:|:--|--:|--:|--:|--:|--:|--:|{}--:|\n", "--:|".repeat(record.len())));
    for row in &ratings.players {
        let rating = &row.rating;
        let mark = if rating.is_regularized { "\\~" } else { "" };
        let mut cells = vec![
            row.rank.map_or_else(String::new, |rank| rank.to_string()),
            safe(&row.label),
            rating.elo.map_or_else(String::new, |elo| format!("{mark}{}", signed(elo, 0))),
            rating.error95.map_or_else(String::new, |error| fixed(error, 0)),
            bound(rating.bound).replace('<', "&lt;").replace('>', "&gt;"),
            rating.component.map_or_else(String::new, |component| (component + 1).to_string()),
            rating.games.to_string(),
            percent(rating.score()),
        ];
        match seats {
            ..=2 => cells.extend([rating.wins, rating.draws, rating.losses].map(|count| count.to_string())),
            _ => cells.extend((0..seats).map(|place| rating.places.get(place).unwrap_or(&0).to_string())),
        }
        cells.push(likelihood(row.los, row.is_los_regularized).replace('~', "\\~"));
        line(&mut out, &cells);
    }
    let shown = if seats > 2 { seats } else { 1 };
    let of_seats: String =
        Seat::all(seats).take(shown).map(|seat| format!(" {seat} score | {seat} Elo |")).collect();
    let rule = "--:|".repeat(2 * shown);
    out.push_str(&format!("\n| game | games |{of_seats} drawn | pairs |\n|:--|--:|{rule}--:|--:|\n"));
    let look = Look::plain(usize::MAX);
    for game in &ratings.games {
        let advantage = &game.advantage;
        let mut cells = vec![safe(&printable(&game.label)), advantage.games.to_string()];
        let of_seats = notes::seats_of(advantage, shown, &look);
        cells.extend(of_seats.into_iter().flat_map(|[score, elo]| [score, elo.replace('~', "\\~")]));
        cells.extend([percent(advantage.draw_rate), advantage.pairs.to_string()]);
        line(&mut out, &cells);
    }
    if let Some(circles) = &ratings.circles {
        out.push_str(&paragraphs(&circles.sentences()));
        if circles.told().next().is_some() {
            out.push_str(&format!("\n{}", circles.sheet().markdown()));
        }
    }
    out + &paragraphs(&text::legend(ratings, &look)) + &paragraphs(&ratings.notes())
}
