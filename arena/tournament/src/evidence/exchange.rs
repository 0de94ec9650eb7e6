//! The last question that a bot was asked, and what came after it.

use runner::{BotFailure, Direction, SpokenLine};

/// How many lines of what was asked, and of what came, stand at the top.
pub(super) const SHOWN: usize = 6;

/// Returns whether nothing came from the bot after it was asked last.
pub(super) fn is_silent(failure: &BotFailure) -> bool {
    exchange(failure).1.is_empty()
}

/// Returns the last question of a dialogue, and what came from the bot after it.
pub(super) fn exchange(failure: &BotFailure) -> (Vec<&SpokenLine>, Vec<&SpokenLine>) {
    let lines: Vec<_> = failure.spoken.lines.iter().collect();
    let is_question = |line: &&SpokenLine| {
        let word = line.text.split(' ').next().unwrap_or_default();
        line.direction == Direction::ToBot && ["ugi", "uci", "isready", "go"].contains(&word)
    };
    let Some(last) = lines.iter().rposition(is_question) else { return (Vec::new(), lines) };
    let is_sent = |line: &&&SpokenLine| line.direction == Direction::ToBot;
    let mut asked: Vec<_> = lines[..=last].iter().rev().take_while(is_sent).take(SHOWN).copied().collect();
    asked.reverse();
    let came = lines[last..].iter().filter(|line| line.direction == Direction::FromBot).copied();
    (asked, came.collect())
}
