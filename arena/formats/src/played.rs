//! Meetings that were played, as far as formats need them.

use std::collections::{BTreeMap, HashMap};

use record::{GameSummary, RunConfig};
use rules::Seat;

use crate::Meeting;

/// A meeting all of whose games have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMeeting {
    /// Both bots.
    pub bots: [usize; 2],
    /// The round, from 1.
    pub round: u32,
    /// What each of them scored, in half points. A game that does not count gives half a point to each: it favours
    /// nobody.
    pub halves: [u32; 2],
}

/// The half points of one bot in a meeting, by label and leg.
type Scores = BTreeMap<(usize, u8), u32>;

/// Returns how many half points a meeting of a configuration is worth: two games in each game of the run.
#[must_use]
pub const fn meeting_halves(config: &RunConfig) -> u32 {
    4 * config.games.len() as u32
}

/// Returns the meetings of bots of a configuration whose games are all there, by round, then by bots; the bot that
/// stands earlier in the configuration first. Games of other bots, versions and games are left out.
#[must_use]
pub fn played(config: &RunConfig, games: &[GameSummary]) -> Vec<PlayedMeeting> {
    let bot = |game: &GameSummary, seat: usize| {
        let seat = &game.seats()[seat];
        config.bots.iter().position(|bot| bot.name == seat.bot && bot.digest == seat.digest)
    };
    let mut open: BTreeMap<(u32, usize, usize), Scores> = BTreeMap::new();
    for game in games {
        let label = config.games.iter().position(|other| other.label == game.label());
        if let (Some(first), Some(second), Some(label)) = (bot(game, 0), bot(game, 1), label)
            && first != second
        {
            let seat = if first < second { Seat::P1 } else { Seat::P2 };
            let halves = game.result.score(seat).map_or(1, |points| (2.0 * points) as u32);
            let key = (game.round, first.min(second), first.max(second));
            open.entry(key).or_default().insert((label, game.leg), halves);
        }
    }
    let legs = config.games.len() * 2;
    let whole = open.into_iter().filter(|(_, scores)| scores.len() == legs);
    whole
        .map(|((round, low, high), scores)| {
            let own: u32 = scores.values().sum();
            PlayedMeeting { bots: [low, high], round, halves: [own, meeting_halves(config) - own] }
        })
        .collect()
}

/// Returns the results of meetings in their order, each by its bots and its round; `None` while a game of them is missing.
#[must_use]
pub fn results(
    config: &RunConfig,
    meetings: &[Meeting],
    games: &[GameSummary],
) -> Option<Vec<PlayedMeeting>> {
    let known = by_meeting(config, games);
    meetings.iter().map(|meeting| known.get(&(meeting.round, meeting.sorted())).copied()).collect()
}

/// Returns the meetings that were played by round and bots.
pub(crate) fn by_meeting(
    config: &RunConfig,
    games: &[GameSummary],
) -> HashMap<(u32, [usize; 2]), PlayedMeeting> {
    played(config, games).into_iter().map(|played| ((played.round, played.bots), played)).collect()
}
