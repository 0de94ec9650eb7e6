//! What this system can confine bots with, and what it costs to start them so.

use std::env;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use processes::PrivateDirectory;
use sandbox::{Attributes, Level, Policy, ResourceLimits, Support};
use tournament_file::try_confined;

/// How often a process is started at each level.
const STARTS: usize = 15;

/// The levels that confine.
const LEVELS: [Level; 3] = [Level::Basic, Level::Contest, Level::Strict];

/// What became of a level here.
#[derive(Debug)]
pub struct ConfinedLevel {
    /// The level.
    pub level: Level,
    /// What is in force, or why nothing is.
    pub outcome: Result<String, String>,
    /// How long a process takes from its start to its end, in the median, where the level can be had.
    pub median: Option<Duration>,
}

/// Tries every level with a process of the arena itself. The first value is how long that process takes unconfined.
///
/// # Errors
/// When the arena's own executable cannot be started.
pub(super) fn measure() -> io::Result<(Duration, Vec<ConfinedLevel>)> {
    let arena = env::current_exe()?;
    let support = Support::of_system();
    let mut levels: Vec<_> = LEVELS.iter().map(|level| (policy(*level, &support), Vec::new())).collect();
    let outcomes: Vec<_> = levels
        .iter()
        .map(|(policy, _)| match support.lacking() {
            Some(lacking) => Err(lacking.to_owned()),
            None => try_confined(policy, &arena).map(|()| policy.in_force()),
        })
        .collect();
    let private = PrivateDirectory::make()?;
    let mut bare = Vec::new();
    // By turns: whatever else the machine does meets all alike.
    for _ in 0..STARTS {
        bare.push(time(Command::new(&arena).arg("--version"))?);
        for ((policy, times), _) in levels.iter_mut().zip(&outcomes).filter(|(_, outcome)| outcome.is_ok()) {
            let words = allowing(policy, &arena).prefix(arena.clone()).map_err(io::Error::other)?;
            let mut command = Command::new(&arena);
            command.args(&words[1..]).arg(&arena).arg("--version").env("TMPDIR", private.path());
            times.push(time(&mut command)?);
        }
    }
    let confined = levels.into_iter().zip(outcomes).map(|((policy, times), outcome)| ConfinedLevel {
        level: policy.level,
        outcome,
        median: median(times),
    });
    Ok((median(bare).unwrap_or_default(), confined.collect()))
}

fn policy(level: Level, support: &Support) -> Policy {
    Policy {
        level,
        read: Vec::new(),
        write: Vec::new(),
        network: false,
        keep: Vec::new(),
        limits: ResourceLimits::of(level),
        attributes: Attributes::Refused,
        hidden_memory: true,
        user: None,
        landlock: support.landlock,
    }
}

fn allowing(policy: &Policy, program: &Path) -> Policy {
    let mut policy = policy.clone();
    policy.read.push(program.to_path_buf());
    policy
}

fn time(command: &mut Command) -> io::Result<Duration> {
    let start = Instant::now();
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if status.success() { Ok(start.elapsed()) } else { Err(io::Error::other(status.to_string())) }
}

fn median(mut times: Vec<Duration>) -> Option<Duration> {
    times.sort_unstable();
    times.get(times.len() / 2).copied()
}
