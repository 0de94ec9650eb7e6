//! Ratings as Markdown.

use protocol::printable;

use crate::Look;
use crate::rate::{Ratings, text};
use crate::tables::notes;
use crate::writing::columns::bound;
use crate::writing::markdown::{line, paragraphs, safe};
use crate::writing::number::{fixed, likelihood, percent, signed};

/// Returns the table of players, that of the games, and the notes.
pub(super) fn write(ratings: &Ratings) -> String {
    let mut out =
        String::from("| # | bot | Elo | ± | bound | component | games | score | W | D | L | LOS |\n");
    out.push_str("|--:|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|\n");
    for row in &ratings.players {
        let rating = &row.rating;
        let mark = if rating.is_regularized { "\\~" } else { "" };
        let cells = [
            row.rank.map_or_else(String::new, |rank| rank.to_string()),
            safe(&row.label),
            rating.elo.map_or_else(String::new, |elo| format!("{mark}{}", signed(elo, 0))),
            rating.error95.map_or_else(String::new, |error| fixed(error, 0)),
            bound(rating.bound).replace('<', "&lt;").replace('>', "&gt;"),
            rating.component.map_or_else(String::new, |component| (component + 1).to_string()),
            rating.games.to_string(),
            percent(rating.score()),
            rating.wins.to_string(),
            rating.draws.to_string(),
            rating.losses.to_string(),
            likelihood(row.los, row.is_los_regularized).replace('~', "\\~"),
        ];
        line(&mut out, &cells);
    }
    out.push_str("\n| game | games | p1 score | p1 Elo | drawn | pairs |\n|:--|--:|--:|--:|--:|--:|\n");
    let look = Look::plain(usize::MAX);
    for game in &ratings.games {
        let advantage = &game.advantage;
        let cells = [
            safe(&printable(&game.label)),
            advantage.games.to_string(),
            percent(advantage.first_score),
            notes::elo(advantage, &look).replace('~', "\\~"),
            percent(advantage.draw_rate),
            advantage.pairs.to_string(),
        ];
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
