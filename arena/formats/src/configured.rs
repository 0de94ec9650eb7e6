//! What a configuration asks for: its format, how many meetings that has, and whether a run has all of them.

use std::collections::HashSet;

use record::{GameConfig, PackedGames, RunConfig};
use settings::Format;

use crate::played::by_meeting;
use crate::{FeedbackFormat, Knockout, Ladder, Lineups, Meeting, Swiss, pairings, played};

/// How many meetings a configuration has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MeetingCount {
    /// All of them, in one game of the run if its games have tables of the same size; at most, where results decide.
    pub meetings: u64,
    games: u64,
}

impl MeetingCount {
    /// Returns the limits of a format with this many bots and rounds.
    #[must_use]
    pub fn of(config: &RunConfig) -> Self {
        let decided = matches!(
            config.format.known(),
            Some(Format::RoundRobin | Format::Gauntlet | Format::List | Format::Sprt)
        );
        if decided && config.games.iter().any(|game| game.seats > 2) {
            let of = |game: &GameConfig| {
                let seats = usize::from(game.seats);
                (Lineups::of(config, seats).map_or(0, |lineups| lineups.blocks(config.rounds)), seats as u64)
            };
            let blocks: Vec<_> = config.games.iter().map(of).collect();
            return Self {
                meetings: blocks.iter().map(|(blocks, _)| *blocks).max().unwrap_or(0),
                games: blocks.iter().map(|(blocks, seats)| blocks.saturating_mul(*seats)).sum(),
            };
        }
        let (bots, rounds) = (config.bots.len() as u64, u64::from(config.rounds));
        let in_round = match config.format.known() {
            Some(Format::Gauntlet | Format::List) => {
                pairings(config).map_or(0, |pairings| pairings.len() as u64)
            }
            Some(Format::RoundRobin | Format::Sprt) => bots.saturating_mul(bots.saturating_sub(1)) / 2,
            Some(Format::Swiss | Format::Knockout | Format::DoubleKnockout | Format::Ladder) | None => {
                let meetings = format(config).map_or(0, |format| format.most_left());
                let in_meeting = config.games.iter().map(|game| u64::from(game.seats)).sum();
                return Self { meetings, games: meetings.saturating_mul(in_meeting) };
            }
        };
        let meetings = in_round.saturating_mul(rounds);
        Self { meetings, games: meetings.saturating_mul(2 * config.games.len() as u64) }
    }

    /// Returns the number of games; at most, where results decide.
    #[must_use]
    pub const fn games(self) -> u64 {
        self.games
    }
}

/// Returns the format of a configuration, before its first game; `None` where results decide nothing.
#[must_use]
pub fn format(config: &RunConfig) -> Option<Box<dyn FeedbackFormat>> {
    match config.format.known()? {
        Format::Swiss => Some(Box::new(Swiss::of(config))),
        Format::Knockout | Format::DoubleKnockout => Some(Box::new(Knockout::of(config))),
        Format::Ladder => Some(Box::new(Ladder::of(config))),
        Format::RoundRobin | Format::Gauntlet | Format::List | Format::Sprt => None,
    }
}

/// Returns whether a run in one of the formats `gauntlet`, `list` and those with feedback has all its games; `None` in
/// others.
#[must_use]
pub fn is_over(config: &RunConfig, games: &PackedGames) -> Option<bool> {
    if config.format == Format::Ladder {
        return Some(Ladder::after(config, games).is_over());
    }
    if let Some(mut format) = format(config) {
        return Some(replay(format.as_mut(), config, games));
    }
    if !matches!(config.format.known(), Some(Format::Gauntlet | Format::List)) {
        return None;
    }
    if config.games.iter().any(|game| game.seats > 2) {
        return Some(games.len() as u64 >= MeetingCount::of(config).games());
    }
    let known: HashSet<_> =
        played(config, games).into_iter().map(|played| (played.round, played.bots)).collect();
    let has = |round: u32, &(one, other): &(usize, usize)| {
        known.contains(&(round, [one.min(other), one.max(other)]))
    };
    let pairings = pairings(config)?;
    Some((1..=config.rounds).all(|round| pairings.iter().all(|pairing| has(round, pairing))))
}

/// Feeds a format whose bots never change the games of its run, batch by batch as far as whole batches are there.
/// Returns whether everything was played.
pub fn replay(format: &mut dyn FeedbackFormat, config: &RunConfig, games: &PackedGames) -> bool {
    let known = by_meeting(config, games);
    loop {
        let meetings = format.next();
        if meetings.is_empty() {
            return true;
        }
        let find = |meeting: &Meeting| {
            let round = meeting.round;
            meeting.pairs().map(|pair| known.get(&(round, pair)).copied()).collect::<Vec<_>>()
        };
        let Some(batch) = meetings.iter().flat_map(find).collect::<Option<Vec<_>>>() else { return false };
        format.take(&batch);
    }
}
