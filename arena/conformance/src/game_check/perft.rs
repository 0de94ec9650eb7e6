//! Counts of lines, for an author to compare with what others publish.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use crate::game_check::answer::{Answer, Verb};
use crate::game_check::interview::{Interview, Step};

/// The deepest count.
const DEEPEST: usize = 12;

/// The most different positions at one depth.
const MOST_POSITIONS: usize = 50_000;

/// How many lines of each length a game has from its start: `counts[0]` are those of one ply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineCounts {
    /// The game, with the options that are not the defaults.
    pub game: String,
    /// The counts, as far as time allowed.
    pub counts: Vec<u64>,
}

/// Counts lines until time or memory is used up. Each position of a depth is asked about once, however many lines lead to it; neither
/// repetition nor a cap on plies that the arena keeps ends a line.
pub(super) fn count(
    interview: &mut Interview<'_>,
    game: &str,
    seats: usize,
    time: Duration,
) -> Step<LineCounts> {
    let deadline = Instant::now() + time;
    let mut counts = Vec::new();
    let mut level: HashMap<String, u64> = HashMap::from([("startpos".to_owned(), 1)]);
    'levels: while counts.len() < DEEPEST {
        let mut next: HashMap<String, u64> = HashMap::new();
        let mut lines: u64 = 0;
        let is_last = counts.len() + 1 == DEEPEST;
        for (from, times) in &level {
            if Instant::now() >= deadline && !counts.is_empty() {
                break 'levels;
            }
            let verb = if is_last { Verb::Legal } else { Verb::Position };
            let word = if is_last { "legal" } else { "position" };
            let Some(reply) = interview.ask(Some(game), &format!("{word} {game} {from}"))? else {
                break 'levels;
            };
            let (Some(answer), _) = Answer::read(&reply.value, verb, game, seats) else { break 'levels };
            let Some(more) = times.checked_mul(answer.legal.len() as u64) else { break 'levels };
            let Some(sum) = lines.checked_add(more) else { break 'levels };
            lines = sum;
            for position in answer.next {
                *next.entry(format!("fen {position}")).or_insert(0) += times;
            }
        }
        counts.push(lines);
        if lines == 0 || next.len() > MOST_POSITIONS {
            break;
        }
        level = next;
    }
    Ok(LineCounts { game: game.to_owned(), counts })
}
