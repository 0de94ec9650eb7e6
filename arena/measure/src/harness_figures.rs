//! What was measured of the arena itself; scripts rely on these keys.

use std::fmt::{self, Display, Formatter};
use std::time::Duration;

use runner::HarnessCost;
use serde::{Serialize, Serializer};

/// Everything that was measured; scripts rely on these keys.
#[derive(Debug, Serialize)]
pub struct HarnessFigures {
    /// The game, with the options that are not the defaults.
    pub game: String,
    /// How many plies a whole game had.
    pub plies: usize,
    /// How many pairs of games a run had; at larger tables, how many blocks.
    pub pairs: u64,
    /// The least that pipes cost.
    #[serde(rename = "round_trip")]
    pub raw: RoundTrips,
    /// Each executable with the game, then each with the games beside it.
    pub arenas: Vec<ArenaFigures>,
}

/// A line to another process and a line back, and nothing else.
#[derive(Debug, Serialize)]
pub struct RoundTrips {
    /// Both on one core.
    #[serde(rename = "same_core_us", serialize_with = "micros")]
    pub same: Duration,
    /// Each on one of its own, where there are two.
    #[serde(rename = "different_cores_us", serialize_with = "maybe_micros")]
    pub different: Option<Duration>,
}

/// What was measured of one executable in one game.
#[derive(Debug, Serialize)]
pub struct ArenaFigures {
    /// Which.
    pub path: String,
    /// The game, with the options that are not the defaults.
    pub game: String,
    /// How many seats a table has.
    pub seats: usize,
    /// How many plies a whole game had.
    pub plies: usize,
    /// The costs, all on one core.
    pub cases: Vec<CaseCosts>,
    /// How many games a second.
    pub rates: Vec<GameRate>,
    /// What bots are charged beyond what they used: on one core, and where the system decides what runs where.
    pub charges: Vec<ChargeFigures>,
    /// The most memory that it held.
    pub memory: Vec<PeakMemory>,
    /// What a game takes that is played beside others.
    pub game_at_once: GameMemory,
}

/// The costs of a ply and of a game, in microseconds.
#[derive(Debug, Serialize)]
pub struct CaseCosts {
    /// What was asked of the bots.
    pub name: &'static str,
    /// Real time of a ply, with what the bot takes.
    pub ply_us: f64,
    /// Processor time of the arena for a ply.
    pub own_ply_us: f64,
    /// Real time of a game beyond its plies.
    pub game_us: f64,
    /// Processor time of the arena for a game beyond its plies.
    pub own_game_us: f64,
    /// System calls that read or write, for a ply of a whole game, the game's own included.
    pub reads_and_writes: f64,
    /// How often a thread of the arena went to sleep, the same way.
    pub wake_ups: f64,
}

/// How fast games were played.
#[derive(Clone, Debug, Serialize)]
pub struct GameRate {
    /// How many at once.
    pub concurrency: usize,
    /// Whether arena and bots were kept to one core, with `pin: off`; else the usual settings decide.
    pub is_one_core: bool,
    /// How many games a second.
    pub games_per_second: f64,
    /// How many plies a second.
    pub plies_per_second: f64,
    /// The arena's part of the processor time of arena, guards and bots, from 0 to 1.
    pub own_share: f64,
    /// The games a second as a share of what as many cores would play if each were as fast as the one core alone, from 0 to
    /// about 1; `None` for the one core itself.
    pub cores_share: Option<f64>,
}

/// What bots were charged beyond the time for which they thought.
#[derive(Debug, Serialize)]
pub struct ChargeFigures {
    /// Whether arena and bots were kept to one core.
    pub is_one_core: bool,
    /// The median.
    #[serde(rename = "median_us", serialize_with = "micros")]
    pub median: Duration,
    /// What one in a hundred exceeds.
    #[serde(rename = "p99_us", serialize_with = "micros")]
    pub p99: Duration,
    /// The greatest.
    #[serde(rename = "max_us", serialize_with = "micros")]
    pub most: Duration,
    /// How many decisions.
    pub count: usize,
    /// The median of the same for pipes alone, without an arena.
    #[serde(rename = "pipes_median_us", serialize_with = "micros")]
    pub pipes: Duration,
}

/// The most memory that an arena held while it played.
#[derive(Debug, Serialize)]
pub struct PeakMemory {
    /// How many games.
    pub games: u64,
    /// In KiB.
    pub peak_kib: u64,
}

/// The memory of a game in progress.
#[derive(Debug, Serialize)]
pub struct GameMemory {
    /// How many games were played at once.
    pub concurrency: usize,
    /// The most memory that the arena held then, in KiB; without that of bots and of rules that are a program.
    pub peak_kib: u64,
    /// By how many KiB that is more than with one game at once, for each further game.
    pub more_kib: f64,
}

impl Display for GameMemory {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { concurrency, peak_kib, more_kib } = self;
        let (peak, more) = (*peak_kib as f64 / 1024.0, more_kib / 1024.0);
        write!(
            f,
            "memory with {concurrency} games at once: {peak:.1} MiB at most, {more:.2} MiB for each further game"
        )
    }
}

impl GameRate {
    /// Returns the rates of a run.
    pub fn of(concurrency: usize, effort: &HarnessCost) -> Self {
        let took = effort.took.as_secs_f64();
        let (own, bots) = (effort.counters.cpu.as_secs_f64(), effort.counters.children.as_secs_f64());
        Self {
            concurrency,
            is_one_core: false,
            games_per_second: effort.games as f64 / took,
            plies_per_second: effort.plies as f64 / took,
            own_share: own / (own + bots),
            cores_share: None,
        }
    }

    /// Returns how many games are played at once, in words where they are kept to one core.
    #[must_use]
    pub fn label(&self) -> String {
        let place = if self.is_one_core { ", all on one core" } else { "" };
        format!("{}{place}", self.concurrency)
    }

    /// Returns the rate beside that of one core, such as `78 % of 2 cores`; nothing for the one core itself.
    #[must_use]
    pub fn beside_one_core(&self) -> String {
        let cores = if self.concurrency == 1 { "core" } else { "cores" };
        let share = |share| format!("{:.0} % of {} {cores}", share * 100.0, self.concurrency);
        self.cores_share.map_or_else(String::new, share)
    }
}

fn micros<S: Serializer>(time: &Duration, serializer: S) -> Result<S::Ok, S::Error> {
    (time.as_nanos() as f64 / 1000.0).serialize(serializer)
}

#[expect(clippy::ref_option, reason = "serde hands references to this")]
fn maybe_micros<S: Serializer>(time: &Option<Duration>, serializer: S) -> Result<S::Ok, S::Error> {
    time.map(|time| time.as_nanos() as f64 / 1000.0).serialize(serializer)
}
