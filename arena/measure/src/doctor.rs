//! Whether this machine can play games on the clock, and with which margin and concurrency.

mod advice;
mod confinement;
mod json;
mod machine;
mod pinning;

use std::env;
use std::io;
use std::num::NonZeroUsize;
use std::time::Duration;

use diagnostic::Failure;
use diagnostic::output;
use processes::{ProcessSpec, Starts, Talk, Topology, lateness, quantile};
use settings::Pin;
use tournament_file::launcher;

use self::advice::advise;

pub use self::advice::{DelaySpread, MachineAdvice};
pub use self::confinement::ConfinedLevel;
pub use self::machine::Machine;
pub use self::pinning::{CoreFigures, PinPlaces};

/// How long is measured.
const TIME: Duration = Duration::from_secs(3);

/// How many processes are started in each way.
const STARTS: usize = 20;

/// What was measured of this machine, and what follows from it.
#[derive(Debug)]
pub struct MachineCheck {
    /// What the system tells of it.
    pub machine: Machine,
    /// Its cores, where the system tells.
    pub topology: Option<Topology>,
    /// With how many games at once it was measured.
    pub games: usize,
    /// How late timers were.
    pub timers: DelaySpread,
    /// How long round trips to a bot took.
    pub round_trips: DelaySpread,
    /// What starting, ending and stopping a process costs.
    pub processes: ProcessCosts,
    /// What is advised.
    pub advice: MachineAdvice,
    /// How long a process takes from its start to its end where nothing confines it.
    pub bare: Duration,
    /// What became of every level that confines.
    pub levels: Vec<ConfinedLevel>,
}

/// What starting, ending and stopping a process of a bot costs.
#[derive(Clone, Copy, Debug)]
pub struct ProcessCosts {
    /// The start of a process by itself.
    pub bare_start: DelaySpread,
    /// The start of a process under its guard.
    pub guarded_start: DelaySpread,
    /// The end of a process by itself.
    pub bare_end: DelaySpread,
    /// The end of a process under its guard.
    pub guarded_end: DelaySpread,
    /// Stopping a process and letting it continue.
    pub freeze: DelaySpread,
}

impl MachineCheck {
    /// Measures with this many games at once, which takes some seconds.
    ///
    /// # Errors
    /// When the system refuses what is needed, or the arena's own executable cannot be started.
    pub fn measure(games: NonZeroUsize) -> Result<Self, Failure> {
        let topology = Topology::of_this_machine();
        let machine = Machine::look(topology.as_ref());
        let random = bot("random")?;
        let [timers, round_trips] = delays(games, TIME)?;
        let starts = processes::starts(launcher()?, &random, STARTS)
            .map_err(|error| Failure::io("failed to measure with a bot of the arena", &error))?;
        let needed = runner::descriptors(games.get(), 2);
        let usual = runner::spare_cores(Pin::Off, 2).get();
        let advice = advise(&machine, [timers, round_trips], games.get(), needed, usual);
        let (bare, levels) = confinement::measure()
            .map_err(|error| Failure::io("failed to measure what confining a bot costs", &error))?;
        let processes = ProcessCosts::of(&starts);
        Ok(Self {
            machine,
            topology,
            games: games.get(),
            timers,
            round_trips,
            processes,
            advice,
            bare,
            levels,
        })
    }
}

/// Measures for about this time how late timers are, and how long round trips to a bot take, while so many games are played at once.
///
/// # Errors
/// When the arena's own executable cannot be started.
pub fn delays(games: NonZeroUsize, time: Duration) -> Result<[DelaySpread; 2], Failure> {
    let (random, alphabeta) = (bot("random")?, bot("alphabeta")?);
    let prompt = Talk { spec: &random, greeting: &[("ugi", "ugiok")], text: "isready" };
    let search = format!("position startpos\ngo movetime {}", (time * 4).as_millis());
    let greeting =
        [("ugi", "ugiok"), ("game fanorona players=2 you=p1 tc=0\nuginewgame\nisready", "readyok")];
    let busy = Talk { spec: &alphabeta, greeting: &greeting, text: &search };
    let measured = lateness(launcher()?, prompt, "readyok", busy, games, time);
    let measured = measured.map_err(|error| {
        Failure::io(format!("failed to measure with {}", output::count(games.get() as u64, "game")), &error)
    })?;
    Ok([&measured.timers, &measured.trips].map(|list| DelaySpread::of(list)))
}

impl ProcessCosts {
    fn of(starts: &Starts) -> Self {
        Self {
            bare_start: DelaySpread::of(&starts.bare),
            guarded_start: DelaySpread::of(&starts.launched),
            bare_end: DelaySpread::of(&starts.bare_ends),
            guarded_end: DelaySpread::of(&starts.ends),
            freeze: DelaySpread::of(&starts.freezes),
        }
    }
}

impl DelaySpread {
    fn of(ascending: &[Duration]) -> Self {
        let at = |share| quantile(ascending, share).unwrap_or_default();
        Self { median: at(0.5), p99: at(0.99), most: at(1.0), count: ascending.len() }
    }
}

/// Returns how a bot of the arena is started.
fn bot(name: &str) -> Result<ProcessSpec, Failure> {
    let fault = |error: io::Error| Failure::io("failed to find the arena's own executable", &error);
    let (path, dir) = (env::current_exe().map_err(fault)?, env::current_dir().map_err(fault)?);
    Ok(ProcessSpec { args: ["bot", name].map(Into::into).to_vec(), ..ProcessSpec::new(path, dir) })
}
