//! How fast this machine is beside its coordinator's, and what that does to the clocks of its games.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::time::Duration;

use diagnostic::Failure;
use measure::MachineSpeed;
use processes::Launcher;
use record::{GameRecord, SeatControl, WorkerRecord};
use runner::{Control, GamePlan};
use settings::{TimeControl, TimeFactor};

use crate::wire::WorkerPace;

/// How long delays are measured.
const DELAYS: Duration = Duration::from_secs(2);

/// Measures how fast this machine is beside another one, and how late it is, with so many games at once. `None` where the user
/// interrupts.
///
/// # Errors
/// When this machine cannot start bots.
pub(super) fn measure(
    launcher: &dyn Launcher,
    plan: &GamePlan,
    reference: &MachineSpeed,
    slots: NonZeroUsize,
    interrupts: &Control,
) -> Result<Option<WorkerPace>, Failure> {
    let measured = MachineSpeed::measure(launcher, plan, slots, interrupts).map_err(|error| {
        Failure::io("failed to measure how fast this machine is", &std::io::Error::other(error))
    })?;
    let Some(speed) = measured else { return Ok(None) };
    let delays = ::measure::delays(slots, DELAYS)?;
    let late = delays.iter().map(|delay| delay.p99).max().unwrap_or_default();
    Ok(Some(judge(reference.ratio(&speed), reference.factor(&speed), late, plan.settings.conditions.margin)))
}

/// Says what follows from the ratio of two speeds, and from how late one in a hundred timers and round trips is.
fn judge(ratio: f64, factor: Option<TimeFactor>, late: Duration, margin: Duration) -> WorkerPace {
    let Some(factor) = factor else {
        return WorkerPace::NoClocks(match ratio > 1.0 {
            true => format!(
                "its bots need {ratio:.1} times as long as on the coordinator's machine, and times grow to three times at most: let it \
                 play fewer games at once, or limit the bots by `nodes`"
            ),
            false => format!(
                "its bots need {ratio:.2} of the time that they need on the coordinator's machine, and times shrink to a third at most: \
                 limit the bots by `nodes`, or start the run on a faster machine"
            ),
        });
    };
    if late > margin {
        return WorkerPace::NoClocks(format!(
            "one in a hundred delays of that machine is longer than {} ms, and the margin is {} ms: bots would lose on time for what the \
             machine does; let it play fewer games at once, or end what else runs there (`arena doctor` measures it)",
            late.as_millis(),
            margin.as_millis()
        ));
    }
    WorkerPace::Times(factor.get())
}

/// The time controls of a plan as they are written, while games are played by longer or shorter ones.
pub(super) struct ScaledClocks {
    factor: TimeFactor,
    bots: BTreeMap<String, Option<TimeControl>>,
    contests: BTreeMap<String, TimeControl>,
}

impl ScaledClocks {
    /// Scales every time control of a plan.
    pub(super) fn apply(factor: TimeFactor, plan: &mut GamePlan) -> Self {
        let bots = plan.bots.iter().map(|bot| (bot.name.clone(), bot.tc.clone())).collect();
        let contests =
            plan.contests.iter().map(|contest| (contest.label.clone(), contest.tc.clone())).collect();
        for control in plan.bots.iter_mut().filter_map(|bot| bot.tc.as_mut()) {
            *control = control.scaled(factor);
        }
        for contest in &mut plan.contests {
            contest.tc = contest.tc.scaled(factor);
        }
        Self { factor, bots, contests }
    }

    /// Gives a record the time controls as they are written, and the factor.
    pub(super) fn record(&self, worker: &str, game: &mut GameRecord) {
        let contest = self.contests.get(&game.label);
        for seat in &mut game.seats {
            let control = self.bots.get(&seat.bot).and_then(Option::as_ref).or(contest);
            if let Some(control) = control {
                seat.tc = SeatControl::from(control.clone());
            }
        }
        if game.seats.iter().any(|seat| seat.tc.known().is_some_and(TimeControl::limits_time)) {
            let own = WorkerRecord::named(worker);
            game.worker.get_or_insert(own).factor = Some(self.factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_that_are_too_slow_too_fast_or_too_late_play_without_clocks() {
        let ms = Duration::from_millis;
        let judged = |ratio: f64, late: u64| judge(ratio, TimeFactor::new(ratio), ms(late), ms(50));
        assert_eq!(judged(1.5, 50), WorkerPace::Times(1.5));
        assert_eq!(judged(1.0 / 3.0, 0), WorkerPace::Times(0.33));
        for (ratio, late, told) in [
            (3.4, 0, "need 3.4 times as long as on the coordinator's machine"),
            (0.2, 0, "need 0.20 of the time"),
            (1.0, 51, "longer than 51 ms, and the margin is 50 ms"),
        ] {
            let WorkerPace::NoClocks(why) = judged(ratio, late) else { panic!("{ratio} {late}") };
            assert!(why.contains(told), "{why}");
        }
    }
}
