//! How long the games of a run will take: from games that were played, else from what time controls allow.

use std::collections::BTreeMap;
use std::time::Duration;

use record::PackedGames;
use rules::Dice;
use runner::{Contest, PlannedBot};
use settings::{Delay, TimeControl};
use tournament_file::Plan;

/// This many games of a kind must have been played before their length is believed.
const ENOUGH_GAMES: u64 = 4;

/// How many random games say how many plies a game has where none was played.
const RANDOM_GAMES: u64 = 200;

/// What is known of the time that games take.
#[derive(Debug)]
pub struct Expected {
    /// The seconds of a game by label; `None` where nothing tells.
    games: BTreeMap<String, Option<f64>>,
    /// How many games a meeting has, by label.
    in_meeting: BTreeMap<String, u64>,
    slots: f64,
    /// What that rests on, in words: one or two sentences.
    pub basis: String,
}

impl Expected {
    /// Takes what the games of a journal and the time controls of a plan tell.
    pub fn new(plan: &Plan, recorded: &PackedGames) -> Self {
        let mut games = BTreeMap::new();
        let (mut measured, mut assumed, mut unknown) = (0, Vec::new(), Vec::new());
        for contest in &plan.contests {
            let of_kind = recorded.iter().filter(|game| game.label() == contest.label);
            let (count, sum) =
                of_kind.fold((0, 0.0), |(count, sum), game| (count + 1, sum + f64::from(game.seconds)));
            let seconds = if count >= ENOUGH_GAMES {
                measured += count;
                Some(sum / count as f64)
            } else {
                let plies = random_plies(contest);
                let seconds = plies.and_then(|plies| allowed(plan, contest, plies));
                match (seconds, plies) {
                    (Some(_), Some(plies)) => assumed.push(format!("{} {plies:.0} plies", contest.label)),
                    _ => unknown.push(contest.label.as_str()),
                }
                seconds
            };
            games.insert(contest.label.clone(), seconds);
        }
        let mut basis = Vec::new();
        if measured > 0 {
            basis.push(format!("It rests on the length of {measured} games that were played."));
        }
        if !assumed.is_empty() {
            basis.push(format!(
                "It rests on the time controls, as if every bot used all of its time, and on the length of random games: {}.",
                assumed.join(", ")
            ));
        }
        if !unknown.is_empty() {
            basis.push(format!(
                "Nothing tells how long {} takes: no time limits it, and fewer than {ENOUGH_GAMES} games were played.",
                unknown.join(", ")
            ));
        }
        let in_meeting = plan.contests.iter();
        let in_meeting =
            in_meeting.map(|contest| (contest.label.clone(), contest.setup.seats() as u64)).collect();
        Self { games, in_meeting, slots: plan.settings.concurrency.get() as f64, basis: basis.join(" ") }
    }

    /// Returns the seconds that this many games of each label take together; `None` where that is not known.
    pub fn seconds<'a>(&self, games: impl IntoIterator<Item = (&'a str, u64)>) -> Option<f64> {
        let sum = |sum: f64, (label, count): (&str, u64)| {
            if count == 0 { Some(sum) } else { Some(sum + (*self.games.get(label)?)? * count as f64) }
        };
        Some(games.into_iter().try_fold(0.0, sum)? / self.slots)
    }

    /// Returns the seconds of a meeting: as many games of each as its tables have seats.
    pub fn meeting(&self) -> Option<f64> {
        self.seconds(self.in_meeting.iter().map(|(label, games)| (label.as_str(), *games)))
    }
}

/// Returns how many plies random games have in the mean.
fn random_plies(contest: &Contest) -> Option<f64> {
    let playouts = contest.setup.playouts(None, RANDOM_GAMES, &mut Dice::new(1)).ok()?;
    Some(playouts.plies as f64 / playouts.games as f64)
}

/// Returns the seconds that a game of this many plies may take, by the mean over the bots; `None` where a bot has no limit
/// of time.
fn allowed(plan: &Plan, contest: &Contest, plies: f64) -> Option<f64> {
    let seats = contest.setup.seats() as f64;
    let side = |bot: &PlannedBot| limit(bot.tc.as_ref().unwrap_or(&contest.tc), plies / seats);
    let sides: Option<Vec<f64>> = plan.bots.iter().map(side).collect();
    let sides = sides?;
    Some(seats * sides.iter().sum::<f64>() / sides.len().max(1) as f64)
}

/// Returns the seconds that one side may spend in this many turns; `None` where no time limits it.
fn limit(control: &TimeControl, turns: f64) -> Option<f64> {
    let seconds = |time: Duration| time.as_secs_f64();
    let by_turn = control.movetime().map(|time| seconds(time) * turns);
    let by_clock = control.has_clock().then(|| {
        let (mut sum, mut left) = (0.0, turns);
        let mut periods = control.periods().iter().peekable();
        while let Some(period) = periods.next() {
            let in_period = period.turns.map_or(left, |turns| f64::from(turns.get()).min(left));
            // The last period begins again where it ends.
            let times = match period.turns {
                Some(turns) if periods.peek().is_none() => (left / f64::from(turns.get())).ceil().max(1.0),
                _ => 1.0,
            };
            let own = if times > 1.0 { left } else { in_period };
            sum += times * seconds(period.base) + own * seconds(period.increment);
            left -= own;
            if left <= 0.0 {
                break;
            }
        }
        if let Some(Delay::Simple(time) | Delay::Bronstein(time)) = control.delay() {
            sum += turns * seconds(time);
        }
        if let Some(byoyomi) = control.byoyomi() {
            sum += (turns + f64::from(byoyomi.periods.get()) - 1.0) * seconds(byoyomi.time);
        }
        sum
    });
    match (by_turn, by_clock) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(control: &str, turns: f64, expected: Option<f64>) {
        let found = limit(&control.parse().unwrap(), turns);
        let is_near = match (found, expected) {
            (Some(one), Some(other)) => (one - other).abs() < 1e-9,
            (one, other) => one == other,
        };
        assert!(is_near, "{control}: {found:?}");
    }

    #[test]
    fn a_clock_allows_its_base_and_the_increments() {
        check("10", 20.0, Some(10.0));
        check("10+0.1", 20.0, Some(12.0));
        check("10, delay 2s", 20.0, Some(50.0));
    }

    #[test]
    fn periods_follow_each_other_and_the_last_one_begins_again() {
        check("40/60:30+1", 20.0, Some(60.0));
        check("40/60:30+1", 50.0, Some(60.0 + 30.0 + 10.0));
        check("10/60", 25.0, Some(180.0));
    }

    #[test]
    fn byoyomi_may_be_used_in_every_turn() {
        check("60, byoyomi 3x10s", 20.0, Some(60.0 + 200.0 + 20.0));
    }

    #[test]
    fn the_shorter_limit_counts_and_nodes_are_none() {
        check("movetime 100ms", 20.0, Some(2.0));
        check("60, movetime 100ms", 20.0, Some(2.0));
        check("nodes 1000", 20.0, None);
    }
}
