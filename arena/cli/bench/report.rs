//! What `arena bench harness` has measured, as a text and as JSON.

use std::fmt::Write as _;
use std::time::Duration;

use diagnostic::output;
use runner::Effort;
use serde::{Serialize, Serializer};

use super::rules::grouped;

/// Everything that was measured; scripts rely on these keys.
#[derive(Debug, Serialize)]
pub(super) struct Harness {
    /// The game's id.
    pub(super) game: String,
    /// How many plies a whole game had.
    pub(super) plies: usize,
    /// How many pairs of games a run had.
    pub(super) pairs: u64,
    /// The least that pipes cost.
    #[serde(rename = "round_trip")]
    pub(super) raw: RawTrip,
    /// Each executable.
    pub(super) arenas: Vec<Arena>,
}

/// A line to another process and a line back, and nothing else.
#[derive(Debug, Serialize)]
pub(super) struct RawTrip {
    /// Both on one core.
    #[serde(rename = "same_core_us", serialize_with = "micros")]
    pub(super) same: Duration,
    /// Each on one of its own, where there are two.
    #[serde(rename = "different_cores_us", serialize_with = "maybe_micros")]
    pub(super) different: Option<Duration>,
}

/// What was measured of one executable.
#[derive(Debug, Serialize)]
pub(super) struct Arena {
    /// Which.
    pub(super) path: String,
    /// The costs, all on one core.
    pub(super) cases: Vec<Case>,
    /// How many games a second.
    pub(super) rates: Vec<Rate>,
    /// What bots are charged beyond what they used: on one core, and where the system decides what runs where.
    pub(super) charges: Vec<Charge>,
    /// The most memory that it held.
    pub(super) memory: Vec<Memory>,
}

/// The costs of a ply and of a game, in microseconds.
#[derive(Debug, Serialize)]
pub(super) struct Case {
    /// What was asked of the bots.
    pub(super) name: &'static str,
    /// Real time of a ply, with what the bot takes.
    pub(super) ply_us: f64,
    /// Processor time of the arena for a ply.
    pub(super) own_ply_us: f64,
    /// Real time of a game beyond its plies.
    pub(super) game_us: f64,
    /// Processor time of the arena for a game beyond its plies.
    pub(super) own_game_us: f64,
    /// System calls that read or write, for a ply of a whole game, the game's own included.
    pub(super) reads_and_writes: f64,
    /// How often a thread of the arena went to sleep, the same way.
    pub(super) wake_ups: f64,
}

/// How fast games were played, where the system decides what runs where.
#[derive(Debug, Serialize)]
pub(super) struct Rate {
    /// How many at once.
    pub(super) concurrency: usize,
    /// How many games a second.
    pub(super) games_per_second: f64,
    /// How many plies a second.
    pub(super) plies_per_second: f64,
    /// The arena's part of the processor time of arena, guards and bots, from 0 to 1.
    pub(super) own_share: f64,
}

/// What bots were charged beyond the time for which they thought.
#[derive(Debug, Serialize)]
pub(super) struct Charge {
    /// Whether arena and bots were kept to one core.
    pub(super) is_one_core: bool,
    /// The median.
    #[serde(rename = "median_us", serialize_with = "micros")]
    pub(super) median: Duration,
    /// What one in a hundred exceeds.
    #[serde(rename = "p99_us", serialize_with = "micros")]
    pub(super) p99: Duration,
    /// The greatest.
    #[serde(rename = "max_us", serialize_with = "micros")]
    pub(super) most: Duration,
    /// How many decisions.
    pub(super) count: usize,
    /// The median of the same for pipes alone, without an arena.
    #[serde(rename = "pipes_median_us", serialize_with = "micros")]
    pub(super) pipes: Duration,
}

/// The most memory that an arena held while it played.
#[derive(Debug, Serialize)]
pub(super) struct Memory {
    /// How many games.
    pub(super) games: u64,
    /// In KiB.
    pub(super) peak_kib: u64,
}

impl Rate {
    /// Returns the rates of a run.
    pub(super) fn of(concurrency: usize, effort: &Effort) -> Self {
        let took = effort.took.as_secs_f64();
        let (own, bots) = (effort.counters.cpu.as_secs_f64(), effort.counters.children.as_secs_f64());
        Self {
            concurrency,
            games_per_second: effort.games as f64 / took,
            plies_per_second: effort.plies as f64 / took,
            own_share: own / (own + bots),
        }
    }
}

impl Harness {
    /// Returns one line of JSON.
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers can be written as JSON") + "\n"
    }

    /// Returns the tables for people.
    pub(super) fn to_text(&self) -> String {
        let us = |time: Duration| time.as_secs_f64() * 1e6;
        let raw = us(self.raw.same);
        let mut text = format!("{}, games of {} plies", self.game, self.plies);
        let _ = write!(text, ", runs of {}\n\n", output::count(2 * self.pairs, "game"));
        let _ = writeln!(text, "a line to another process and back: {raw:.1} us on one core");
        if let Some(different) = self.raw.different {
            let _ = writeln!(text, "                                    {:.1} us between two", us(different));
        }
        for arena in &self.arenas {
            if self.arenas.len() > 1 {
                let _ = writeln!(text, "\n--- {}", arena.path);
            }
            let _ = writeln!(
                text,
                "\n{:<20}{:>9}{:>9}{:>11}{:>10}{:>10}{:>11}{:>11}",
                "all on one core",
                "us/ply",
                "x raw",
                "own us/ply",
                "r+w/ply",
                "wakes/ply",
                "us/game",
                "own us/game"
            );
            for case in &arena.cases {
                let _ = writeln!(
                    text,
                    "{:<20}{:>9.1}{:>9.2}{:>11.1}{:>10.2}{:>10.2}{:>11.0}{:>11.0}",
                    case.name,
                    case.ply_us,
                    case.ply_us / raw,
                    case.own_ply_us,
                    case.reads_and_writes,
                    case.wake_ups,
                    case.game_us,
                    case.own_game_us
                );
            }
            let _ = writeln!(
                text,
                "\n{:<20}{:>9}{:>12}{:>22}",
                "games at once", "games/s", "plies/s", "arena's part of cpu"
            );
            for rate in &arena.rates {
                let _ = writeln!(
                    text,
                    "{:<20}{:>9}{:>12}{:>20.0} %",
                    rate.concurrency,
                    grouped(rate.games_per_second),
                    grouped(rate.plies_per_second),
                    rate.own_share * 100.0
                );
            }
            let _ = writeln!(
                text,
                "\n{:<20}{:>9}{:>9}{:>9}{:>22}",
                "charged beyond use", "median", "99 %", "most", "median of pipes alone"
            );
            for Charge { is_one_core, median, p99, most, count, pipes } in &arena.charges {
                let _ = writeln!(
                    text,
                    "{:<20}{:>6.0} us{:>6.0} us{:>6.0} us{:>19.0} us  {}",
                    if *is_one_core { "all on one core" } else { "on any core" },
                    us(*median),
                    us(*p99),
                    us(*most),
                    us(*pipes),
                    output::count(*count as u64, "decision")
                );
            }
            for Memory { games, peak_kib } in &arena.memory {
                let memory = *peak_kib as f64 / 1024.0;
                let _ =
                    writeln!(text, "memory after {}: {memory:.1} MiB at most", output::count(*games, "game"));
            }
        }
        text
    }
}

fn micros<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    (time.as_nanos() as f64 / 1000.0).serialize(serializer)
}

#[expect(clippy::ref_option, reason = "serde hands references to this")]
fn maybe_micros<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_nanos() as f64 / 1000.0).serialize(serializer)
}
