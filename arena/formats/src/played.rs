//! Meetings that were played, as far as formats need them.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use record::{PackedGames, RunConfig, SeatedBot};
use rules::Seat;

use crate::Meeting;

/// What two bots did against each other in a meeting all of whose games have ended. A meeting at a table of more seats is one of
/// every two of its bots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlayedMeeting {
    /// Both bots.
    pub bots: [usize; 2],
    /// The round, from 1.
    pub round: u32,
    /// What each of them scored against the other, in half points. A game that does not count gives half a point to each: it
    /// favours nobody.
    pub halves: [u32; 2],
}

/// The half points of one bot in a meeting, by label and leg.
type Scores = BTreeMap<(usize, u8), u32>;

/// Returns how many half points two bots share in a meeting of a configuration: in each game of the run as many games as its
/// tables have seats.
#[must_use]
pub fn meeting_halves(config: &RunConfig) -> u32 {
    2 * config.games.iter().map(|game| u32::from(game.seats)).sum::<u32>()
}

/// Returns what any two bots of a configuration did against each other in the meetings whose games are all there, by round, then
/// by bots; the bot that stands earlier in the configuration first. Games of other bots, versions and games are left out.
#[must_use]
pub fn played(config: &RunConfig, games: &PackedGames) -> Vec<PlayedMeeting> {
    let bot = |seat: &Arc<SeatedBot>| {
        config.bots.iter().position(|bot| bot.name == seat.bot && bot.digest == seat.digest)
    };
    let mut open: BTreeMap<(u32, usize, usize), Scores> = BTreeMap::new();
    for game in games {
        let Some(label) = config.games.iter().position(|other| other.label == game.label()) else { continue };
        let bots = game.seats().iter().map(bot);
        let Some(bots) = bots.collect::<Option<Vec<_>>>() else { continue };
        let seated = || Seat::all(bots.len()).zip(&bots);
        for (seat, low) in seated() {
            for (other, high) in seated().filter(|(_, high)| low < *high) {
                let halves = game.result.pair_score(seat, other).map_or(1, |points| (2.0 * points) as u32);
                let key = (game.round, *low, *high);
                open.entry(key).or_default().insert((label, game.leg), halves);
            }
        }
    }
    let all = meeting_halves(config);
    let whole = open.into_iter().filter(|(_, scores)| 2 * scores.len() == all as usize);
    whole
        .map(|((round, low, high), scores)| {
            let own: u32 = scores.values().sum();
            PlayedMeeting { bots: [low, high], round, halves: [own, all - own] }
        })
        .collect()
}

/// Returns the results of meetings in their order, every two of each by its bots and its round; `None` while a game of them is missing.
#[must_use]
pub fn results(config: &RunConfig, meetings: &[Meeting], games: &PackedGames) -> Option<Vec<PlayedMeeting>> {
    let known = by_meeting(config, games);
    let find = |meeting: &Meeting| {
        let round = meeting.round;
        meeting.pairs().map(|pair| known.get(&(round, pair)).copied()).collect::<Vec<_>>()
    };
    meetings.iter().flat_map(find).collect()
}

/// Returns the meetings that were played by round and bots.
pub(crate) fn by_meeting(
    config: &RunConfig,
    games: &PackedGames,
) -> HashMap<(u32, [usize; 2]), PlayedMeeting> {
    played(config, games).into_iter().map(|played| ((played.round, played.bots), played)).collect()
}
