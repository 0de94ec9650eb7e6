//! How fast a machine is for the bots of a run, compared with another one: what scales times where games with a clock are played
//! on unequal machines.
//!
//! The bots play short games against each other, as many at once as the machine will play. What counts is how many nodes a second
//! they tell of. Bots that tell none are as fast as the arena's own rules, which run as many threads.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use processes::Launcher;
use record::GameRecord;
use rules::{Dice, PerSeat};
use runner::{
    Control, EventError, GamePlan, Host, Listener, Opening, PairPlace, RunError, RunEvent, Task, play,
};
use serde::{Deserialize, Serialize};
use settings::{TimeControl, TimeFactor};

/// The limit of every decision of a measurement.
const LIMIT: &str = "movetime 200ms";

/// How many decisions a game has.
const DECISIONS: u32 = 10;

/// How many bots are measured at most: of more, the first ones.
const MOST_BOTS: usize = 16;

/// How long the rules are measured.
const RULES_TIME: Duration = Duration::from_millis(500);

/// How many random games are played between two looks at the time.
const GAMES: u64 = 20;

/// How much two machines may differ until that is taken for more than the noise of a measurement.
const NOISE: f64 = 0.05;

/// How fast a machine is while it plays as many games at once as it will.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineSpeed {
    /// Nodes a second of each bot that tells of them, by digests.
    pub bots: BTreeMap<String, f64>,
    /// Plies a second of random games, on each thread.
    pub rules: f64,
}

impl MachineSpeed {
    /// Measures this machine with the bots of a plan and so many games at once, which takes some seconds. `None` where the user
    /// interrupts.
    ///
    /// # Errors
    /// When the arena itself fails; what bots do wrong counts as silence.
    pub fn measure(
        launcher: &dyn Launcher,
        plan: &GamePlan,
        games: NonZeroUsize,
        interrupts: &Control,
    ) -> Result<Option<Self>, RunError> {
        let plan = bench_plan(plan, games);
        let Some(contest) = plan.contests.first() else { return Ok(None) };
        let seats = contest.setup.seats();
        // Every slot has a game, and every bot a seat.
        let count = plan.bots.len().div_ceil(seats).max(games.get()).next_multiple_of(games.get());
        let tasks: Vec<_> = (0..count).map(|index| task(index, seats, plan.bots.len())).collect();
        let mut host = Bench { interrupts, control: Control::new(), searched: BTreeMap::new() };
        let control = host.control.clone();
        play(launcher, &plan, tasks, &control, &mut host)?;
        if interrupts.is_finishing() {
            return Ok(None);
        }
        let rate =
            |(nodes, us): &(u64, u64)| (*us > 0 && *nodes > 0).then(|| *nodes as f64 * 1e6 / *us as f64);
        let bots =
            host.searched.iter().filter_map(|(digest, searched)| Some((digest.clone(), rate(searched)?)));
        Ok(Some(Self { bots: bots.collect(), rules: rules_speed(games) }))
    }

    /// Returns how many times as long bots need on another machine for what they do here: the median of those that were measured on
    /// both, else what the rules need.
    #[must_use]
    pub fn ratio(&self, other: &Self) -> f64 {
        let both = self.bots.iter().filter_map(|(digest, speed)| Some(speed / other.bots.get(digest)?));
        let mut ratios: Vec<_> = both.filter(|ratio| ratio.is_finite() && *ratio > 0.0).collect();
        ratios.sort_unstable_by(f64::total_cmp);
        match ratios.as_slice() {
            [] => self.rules / other.rules,
            _ => (ratios[(ratios.len() - 1) / 2] * ratios[ratios.len() / 2]).sqrt(),
        }
    }

    /// Returns by how much times are longer on another machine so that bots do there what they do here; `None` where it is too fast
    /// or too slow for that. What measurements alone can differ by counts as equal.
    #[must_use]
    pub fn factor(&self, other: &Self) -> Option<TimeFactor> {
        let ratio = self.ratio(other);
        match (ratio - 1.0).abs() <= NOISE {
            true => Some(TimeFactor::ONE),
            false => TimeFactor::new(ratio),
        }
    }
}

/// Returns whether any game of a plan, or any bot of it, has a time control that limits time.
#[must_use]
pub fn has_clocks(plan: &GamePlan) -> bool {
    let own = plan.bots.iter().filter_map(|bot| bot.tc.as_ref());
    plan.contests.iter().map(|contest| &contest.tc).chain(own).any(TimeControl::limits_time)
}

/// Returns what is played: the first game that has a clock, shortly, by the first bots.
fn bench_plan(plan: &GamePlan, games: NonZeroUsize) -> GamePlan {
    let limit: TimeControl = LIMIT.parse().expect("it is a time control");
    let mut plan = plan.clone();
    let timed = plan.contests.iter().position(|contest| contest.tc.limits_time()).unwrap_or(0);
    plan.contests = plan.contests.drain(..).skip(timed).take(1).collect();
    plan.contests.iter_mut().for_each(|contest| contest.tc = limit.clone());
    plan.bots.truncate(MOST_BOTS);
    plan.bots.iter_mut().for_each(|bot| bot.tc = None);
    let settings = &mut plan.settings;
    settings.concurrency = games;
    (settings.trace, settings.transcripts) = (false, false);
    settings.adjudicate =
        settings::Adjudication { plies: Some(DECISIONS), ..settings::Adjudication::default() };
    // A machine that is late is not to be measured by how few bots are left.
    settings.conditions.margin = Duration::from_secs(5);
    settings.conditions.max_faults = None;
    plan
}

fn task(index: usize, seats: usize, bots: usize) -> Task {
    let number = index as u64 + 1;
    let seats = PerSeat::new(seats, |seat| (index * seats + seat.index()) % bots);
    Task { number, pair: number, leg: 1, round: 1, place: PairPlace::default(), contest: 0, seats }
}

/// What takes the games of a measurement.
struct Bench<'a> {
    interrupts: &'a Control,
    control: Control,
    /// Nodes and microseconds of each bot.
    searched: BTreeMap<String, (u64, u64)>,
}

impl Bench<'_> {
    fn count(&mut self, game: &GameRecord) {
        for ply in &game.plies {
            let nodes = ply.info.as_ref().and_then(|info| info.nodes);
            let seat = game.seats.get(usize::from(ply.seat).wrapping_sub(1));
            if let (Some(nodes), Some(us), Some(seat)) = (nodes, ply.us, seat) {
                let searched = self.searched.entry(seat.digest.clone()).or_default();
                searched.0 = searched.0.saturating_add(nodes);
                searched.1 = searched.1.saturating_add(us);
            }
        }
    }
}

impl Listener for Bench<'_> {
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError> {
        if let RunEvent::GameFinished(game) = event {
            self.count(&game);
        }
        if self.interrupts.is_finishing() {
            self.control.abort();
        }
        Ok(())
    }
}

impl Host for Bench<'_> {
    fn opening(&mut self, _: &Task) -> Option<Opening> {
        Some(Opening::default())
    }
}

/// Returns how many plies of random games of Farook a thread plays a second while as many play as there are games at once.
fn rules_speed(threads: NonZeroUsize) -> f64 {
    let Some(setup) = rules::find("farook").ok().and_then(|game| game.setup(&[]).ok()) else { return 0.0 };
    let one = |seed: u64| {
        let (began, mut plies, mut dice) = (Instant::now(), 0, Dice::new(seed));
        while began.elapsed() < RULES_TIME {
            plies += setup.playouts(None, GAMES, &mut dice).map_or(0, |played| played.plies);
        }
        plies as f64 / began.elapsed().as_secs_f64()
    };
    let speeds: f64 = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.get() as u64)
            .map(|seed| {
                scope.spawn({
                    let one = &one;
                    move || one(seed)
                })
            })
            .collect();
        threads.into_iter().filter_map(|thread| thread.join().ok()).sum()
    });
    speeds / threads.get() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn speed(bots: &[(&str, f64)], rules: f64) -> MachineSpeed {
        let bots = bots.iter().map(|(digest, speed)| ((*digest).to_owned(), *speed)).collect();
        MachineSpeed { bots, rules }
    }

    #[test]
    fn slow_machines_have_longer_times_as_their_bots_say() {
        let here = speed(&[("a", 1e6), ("b", 3e5), ("c", 100.0)], 1e6);
        for (there, factor) in [
            (speed(&[("a", 5e5), ("b", 1.5e5)], 1e6), Some("2.00")),
            (speed(&[("a", 2e6)], 1e6), Some("0.50")),
            // The middle one of three, and the geometric mean of two.
            (speed(&[("a", 5e5), ("b", 3e5), ("c", 1.0)], 1e6), Some("2.00")),
            (speed(&[("a", 1e6), ("b", 0.75e5)], 1e6), Some("2.00")),
            // Nobody was measured on both: the rules say it.
            (speed(&[("d", 1.0)], 8e5), Some("1.25")),
            (speed(&[("a", 1.04e6)], 1e6), Some("1.00")),
            (speed(&[("a", 1e5)], 1e6), None),
            (speed(&[("a", 1e7)], 1e6), None),
            (speed(&[], 0.0), None),
        ] {
            assert_eq!(here.factor(&there).map(|factor| factor.to_string()).as_deref(), factor, "{there:?}");
        }
    }

    #[test]
    fn every_bot_has_a_seat_and_every_slot_a_game() {
        for (bots, seats, games) in [(2, 2, 1), (2, 2, 5), (5, 2, 2), (16, 3, 4), (3, 4, 2)] {
            let count = usize::next_multiple_of(usize::div_ceil(bots, seats).max(games), games);
            let tasks: Vec<_> = (0..count).map(|index| task(index, seats, bots)).collect();
            let seated: std::collections::BTreeSet<_> =
                tasks.iter().flat_map(|task| task.seats.to_vec()).collect();
            assert_eq!((seated.len(), tasks.len() % games), (bots, 0));
        }
    }
}
