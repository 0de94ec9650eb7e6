//! The void games: they were replayed because the machine kept a bot waiting that lost on time, or because the arena itself did
//! not run.

use std::collections::{BTreeMap, BTreeSet};

use record::{GameSummary, RunSummary, Termination};

use crate::tables::notes;
use crate::writing::number::count_of;
use crate::writing::sheet::{Kind, Sheet};
use crate::{ContestantId, Look, RunReport};

/// Returns how many games, of how many pairs, were void; `None` if there are none.
#[must_use]
pub fn void_summary(contents: &RunSummary) -> Option<String> {
    let void = &contents.void;
    let pairs: BTreeSet<_> = void.iter().map(|game| game.pair).collect();
    let (games, pairs) = (count_of(void.len() as u64, "game"), count_of(pairs.len() as u64, "pair"));
    let was = if void.len() == 1 { "was" } else { "were" };
    (!void.is_empty()).then(|| {
        format!(
            "{games} of {pairs} {was} void and played again on the same opening: {}. Void games do not count.",
            causes(void).join("; or ")
        )
    })
}

/// Returns the list of void games: the attempt, the loser and details; `None` if there are none.
#[must_use]
pub fn void_text(run: &RunReport<'_>, look: &Look) -> Option<String> {
    let contents = run.contents();
    let summary = void_summary(contents)?;
    let players = &run.results().players;
    let mut sheet = Sheet::default();
    sheet.column("game", Kind::Figure, 0);
    sheet.column("pair", Kind::Figure, 2);
    sheet.column("attempt", Kind::Figure, 0);
    sheet.column("lost by", Kind::Name, 0);
    sheet.column("after", Kind::Figure, 3);
    sheet.column("what happened", Kind::Rest, 1);
    for (attempt, game) in attempts(contents) {
        let loser = game.faults().next().map(|(seat, _)| &game.seats()[seat]);
        let label = loser.map_or_else(String::new, |seat| {
            let player = players.find(&ContestantId::seated(seat));
            player.map_or_else(|| seat.bot.clone(), |player| players.label(player).to_owned())
        });
        sheet.row(vec![
            game.number.to_string().into(),
            game.pair.to_string().into(),
            attempt.to_string().into(),
            label.into(),
            game.plies.to_string().into(),
            game.detail().unwrap_or_default().to_owned().into(),
        ]);
    }
    Some(format!("{}\n{}", sheet.text(look), notes::wrapped(&[summary], look)))
}

/// Returns the void games by number, each with its attempt, from 1.
pub fn attempts(contents: &RunSummary) -> impl Iterator<Item = (u32, &GameSummary<'static>)> {
    let mut void: Vec<_> = contents.void.iter().collect();
    void.sort_by_key(|game| game.number);
    let mut counts: BTreeMap<u64, u32> = BTreeMap::new();
    void.into_iter().map(move |game| {
        let attempt = counts.entry(game.number).or_default();
        *attempt += 1;
        (*attempt, game)
    })
}

/// Returns the causes of these void games, leaving out games that are not void.
fn causes(void: &[GameSummary<'static>]) -> Vec<&'static str> {
    let is_noisy = |game: &GameSummary<'_>| game.reason == Termination::Timeout;
    let noisy =
        "a bot lost on time while the machine kept it waiting for a processor for longer than the margin";
    let paused = "the arena itself did not run while a bot was to decide";
    let causes = [(noisy, void.iter().any(is_noisy)), (paused, !void.iter().all(is_noisy))];
    causes.into_iter().filter(|(_, is_there)| *is_there).map(|(words, _)| words).collect()
}
