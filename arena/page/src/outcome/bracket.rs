//! The bracket of a knockout as a drawing: matches as boxes from left to right, each joined to those its bots come from.

use std::fmt::Write as _;

use report::{KnockoutTable, points};

use crate::figures::escape;
use crate::naming::middle_cut;

/// The size of a match and the space between two, in pixels.
const BOX: (f64, f64) = (200.0, 46.0);
const GAP: (f64, f64) = (34.0, 26.0);

/// Space above a match for the name of its round.
const HEAD: f64 = 16.0;

/// How many letters of a name fit.
const LETTERS: usize = 17;

/// Where a match stands.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Spot {
    column: usize,
    y: f64,
}

/// The matches that a match's bots come from, as far as they are drawn to its left.
type Feeders = Vec<[Option<usize>; 2]>;

/// Returns the drawing; nothing without matches. `name` returns the name of a bot, `link` where a match leads.
pub(crate) fn draw(
    table: &KnockoutTable,
    name: impl Fn(usize) -> String,
    link: impl Fn([usize; 2]) -> String,
) -> String {
    if table.bouts.is_empty() {
        return String::new();
    }
    let feeders = feeders(table);
    let spots = lay(&feeders);
    let columns = spots.iter().map(|spot| spot.column).max().unwrap_or(0) + 1;
    let x = |column: usize| 2.0 + column as f64 * (BOX.0 + GAP.0);
    let width = x(columns) - GAP.0 + 2.0;
    let height = spots.iter().map(|spot| spot.y + BOX.1).fold(0.0, f64::max) + 4.0;
    let mut body = String::new();
    for (spot, from) in spots.iter().zip(&feeders) {
        for (seat, feeder) in from.iter().enumerate() {
            let Some(other) = feeder.map(|feeder| spots[feeder]) else { continue };
            let (start, y) = (x(other.column) + BOX.0, other.y + BOX.1 / 2.0);
            let (end, to) = (x(spot.column), spot.y + BOX.1 * if seat == 0 { 0.25 } else { 0.75 });
            let bend = end - GAP.0 / 2.0;
            let _ =
                write!(body, "<path d=\"M{start:.0} {y:.1}H{bend:.0}V{to:.1}H{end:.0}\" class=\"join\"/>");
        }
    }
    for (spot, bout) in spots.iter().zip(&table.bouts) {
        let (left, top) = (x(spot.column), spot.y);
        let names = bout.bots.map(&name);
        let scores = bout.halves.map(|halves| points(halves.into()));
        let is_begun = bout.meetings > 0;
        let end = match bout.winner {
            Some(bot) if bout.is_by_order => format!("; level, {} wins by the order of the file", name(bot)),
            Some(bot) => format!("; {} wins", name(bot)),
            None => String::new(),
        };
        let score = if is_begun { format!(", {} : {}", scores[0], scores[1]) } else { String::new() };
        let words = escape(&format!("{}: {} against {}{score}{end}", bout.stage, names[0], names[1]));
        let _ = write!(
            body,
            "<a href=\"{}\"><title>{words}</title>\
             <text x=\"{left:.0}\" y=\"{:.1}\" class=\"stage-name\">{}</text>\
             <rect x=\"{left:.0}\" y=\"{top:.1}\" width=\"{}\" height=\"{}\" rx=\"6\" class=\"bout\"/>\
             <path d=\"M{left:.0} {:.1}h{}\" class=\"g\"/>",
            escape(&link(bout.bots)),
            top - 5.0,
            escape(&bout.stage),
            BOX.0,
            BOX.1,
            top + BOX.1 / 2.0,
            BOX.0
        );
        for seat in 0..2 {
            let y = top + BOX.1 * if seat == 0 { 0.25 } else { 0.75 } + 5.0;
            let has_won = bout.winner == Some(bout.bots[seat]);
            let class = match (bout.winner, has_won) {
                (Some(_), true) => "winner",
                (Some(_), false) => "loser",
                (None, _) => "",
            };
            let mark = match has_won {
                true if bout.is_by_order => "\u{2713}* ",
                true => "\u{2713} ",
                false => "",
            };
            let score = if is_begun { scores[seat].as_str() } else { "" };
            let _ = write!(
                body,
                "<text x=\"{:.0}\" y=\"{y:.1}\" class=\"bot {class}\">{mark}{}</text>\
                 <text x=\"{:.0}\" y=\"{y:.1}\" class=\"ay bot {class}\">{score}</text>",
                left + 9.0,
                escape(&middle_cut(&names[seat], LETTERS)),
                left + BOX.0 - 9.0
            );
        }
        body.push_str("</a>");
    }
    format!(
        "<svg width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" class=\"bracket\" role=\"group\" \
         aria-label=\"Bracket\">{body}</svg>"
    )
}

/// Returns for every match those that its bots come from: the last match before that the bot has won and that leads nowhere
/// else.
fn feeders(table: &KnockoutTable) -> Feeders {
    let mut is_used = vec![false; table.bouts.len()];
    let mut all = Vec::new();
    for (index, bout) in table.bouts.iter().enumerate() {
        all.push(bout.bots.map(|bot| {
            let last = table.bouts[..index].iter().rposition(|before| before.winner == Some(bot));
            let free = last.filter(|last| !is_used[*last])?;
            is_used[free] = true;
            Some(free)
        }));
    }
    all
}

/// Lays matches out: each right of those that it comes from, at the middle of them; trees below each other.
fn lay(feeders: &Feeders) -> Vec<Spot> {
    let mut spots = vec![Spot::default(); feeders.len()];
    for (index, from) in feeders.iter().enumerate() {
        let columns = from.iter().flatten().map(|feeder| spots[*feeder].column + 1);
        spots[index].column = columns.max().unwrap_or(0);
    }
    let is_fed: Vec<bool> = (0..feeders.len())
        .map(|index| feeders.iter().flatten().any(|feeder| *feeder == Some(index)))
        .collect();
    let mut next = HEAD + 2.0;
    for root in (0..feeders.len()).filter(|index| !is_fed[*index]) {
        place(root, feeders, &mut spots, &mut next);
    }
    spots
}

/// Places a match and all that lead to it from `next` on, which moves on by what they take.
fn place(index: usize, feeders: &Feeders, spots: &mut [Spot], next: &mut f64) {
    let from: Vec<usize> = feeders[index].iter().copied().flatten().collect();
    for feeder in &from {
        place(*feeder, feeders, spots, next);
    }
    spots[index].y = match &from[..] {
        [] => {
            let y = *next;
            *next += BOX.1 + GAP.1;
            y
        }
        from => from.iter().map(|feeder| spots[*feeder].y).sum::<f64>() / from.len() as f64,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_stand_between_those_they_come_from() {
        let feeders = vec![[None, None], [None, None], [Some(0), Some(1)], [None, Some(2)]];
        let spots = lay(&feeders);
        assert_eq!(spots.iter().map(|spot| spot.column).collect::<Vec<_>>(), [0, 0, 1, 2]);
        assert!(spots[0].y < spots[2].y && spots[2].y < spots[1].y);
        assert_eq!(spots[3].y, spots[2].y);
    }
}
