//! Workers that introduce themselves: what they can play, how fast they are, and what keeps them from playing.

use std::collections::BTreeSet;
use std::time::Duration;

use settings::TimeFactor;

use super::Session;
use crate::leases::{Need, WorkerState};
use crate::wire::{Hello, WorkerPace};

/// By how much the clock of a worker may differ: the way of its message is in it.
const CLOCKS: Duration = Duration::from_secs(10);

impl Session<'_, '_> {
    /// Takes a worker that introduces itself.
    pub(super) fn hello(&mut self, hello: &Hello) {
        let name = protocol::printable(&hello.worker).into_owned();
        let is_known = |(known, state): (&str, &WorkerState)| {
            known == hello.worker && !state.is_gone() && state.waits_for.is_none()
        };
        let is_new = !self.leases.workers().any(is_known);
        let mut lacks = BTreeSet::new();
        for bot in &hello.unfit {
            lacks.extend(self.bots.get(&bot.bot).copied().map(Need::Bot));
            self.say_once(format!(
                "worker {name}: bot `{}` does not play there: {}",
                protocol::printable(&bot.bot),
                shown(&bot.why)
            ));
        }
        for game in &hello.unfit_games {
            let index = self.plan.contests.iter().position(|contest| contest.label == game.game);
            lacks.extend(index.map(Need::Game));
            self.say_once(format!(
                "worker {name}: game `{}` is not played there: {}",
                protocol::printable(&game.game),
                shown(&game.why)
            ));
        }
        let now = self.now();
        if let Some(why) = &hello.declined {
            match hello.for_now {
                true => self.leases.hold(now, &hello.worker, hello.slots, why),
                false => self.leases.decline(now, &hello.worker, hello.slots),
            }
            // Who reads the words may ask for the list at once.
            self.show_workers();
            self.say_once(format!("{}{}", declines(&name), shown(why)));
            return;
        }
        match &hello.pace {
            Some(WorkerPace::NoClocks(why)) => {
                lacks.insert(Need::Clock);
                self.say_once(format!(
                    "worker {name}: plays no games with a clock: {}",
                    protocol::printable(why)
                ));
            }
            Some(WorkerPace::Times(factor)) => {
                if let Some(factor) = TimeFactor::new(*factor).filter(|factor| *factor != TimeFactor::ONE) {
                    let than = if factor < TimeFactor::ONE { "faster" } else { "slower" };
                    self.say_once(format!(
                        "worker {name}: its bots are {than} than here: times are {factor} times as long there"
                    ));
                }
            }
            None => {}
        }
        self.leases.join(now, &hello.worker, hello.slots, lacks);
        if is_new {
            self.show_workers();
            // If it cannot play another time, that is news.
            self.told.retain(|text| !text.starts_with(&declines(&name)));
            let games = if hello.slots == 1 { "game" } else { "games" };
            self.say(format!("worker {name}: joins, {} {games} at once", hello.slots));
        }
        let clock = hello.clock.map(|clock| clock.abs_diff(jiff::Timestamp::now().as_millisecond()));
        if let Some(difference) = clock.map(Duration::from_millis).filter(|difference| *difference > CLOCKS) {
            self.say_once(format!(
                "worker {name}: its clock differs from this machine's by {}: the times at which its games began are its own, nothing \
                 else depends on them; have the system set it (`timedatectl set-ntp true`)",
                diagnostic::output::span(difference.as_secs_f64())
            ));
        }
    }
}

/// Returns how it is told that a worker cannot play.
fn declines(worker: &str) -> String {
    format!("worker {worker}: cannot play this run: ")
}

/// Returns what a worker says in lines, fit to be shown.
fn shown(text: &str) -> String {
    text.lines().map(|line| protocol::printable(line).into_owned()).collect::<Vec<_>>().join("\n  ")
}
