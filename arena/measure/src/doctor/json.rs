//! What was measured, for programs: `arena/docs/json.md` says what the words mean.

use std::time::Duration;

use processes::control_groups;
use serde_json::{Map, Value, json};

use super::{ConfinedLevel, DelaySpread, MachineCheck, ProcessCosts};

impl ProcessCosts {
    /// Returns what was measured, each with its name for readers and for programs.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, &'static str, DelaySpread); 5] {
        [
            ("bare start", "bare_start", self.bare_start),
            ("guarded start", "guarded_start", self.guarded_start),
            ("bare end", "bare_end", self.bare_end),
            ("guarded end", "guarded_end", self.guarded_end),
            ("stop, go on", "freeze", self.freeze),
        ]
    }
}

impl MachineCheck {
    /// Returns one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let processes: Map<_, _> =
            self.processes.named().into_iter().map(|(_, name, of)| (name.to_owned(), spread(of))).collect();
        let whole = json!({
            "machine": self.machine,
            "games": self.games,
            "timers": spread(self.timers),
            "round_trips": spread(self.round_trips),
            "processes": processes,
            "advice": self.advice,
            "sandbox": confinement(self.bare, &self.levels),
            "fit": self.advice.unfit.is_empty(),
        });
        whole.to_string() + "\n"
    }
}

fn ms(time: Duration) -> f64 {
    time.as_micros() as f64 / 1000.0
}

fn spread(spread: DelaySpread) -> Value {
    json!({
        "median_ms": ms(spread.median),
        "p99_ms": ms(spread.p99),
        "max_ms": ms(spread.most),
        "measured": spread.count,
    })
}

fn confinement(bare: Duration, levels: &[ConfinedLevel]) -> Value {
    let level = |it: &ConfinedLevel| {
        json!({
            "level": it.level,
            "in_force": it.outcome.as_ref().ok(),
            "refused": it.outcome.as_ref().err(),
            "median_ms": it.median.map(ms),
        })
    };
    let groups = control_groups();
    json!({
        "bare_ms": ms(bare),
        "levels": levels.iter().map(level).collect::<Vec<_>>(),
        "cgroups": {"in_force": groups.in_force(), "lacking": groups.lacking()},
    })
}
