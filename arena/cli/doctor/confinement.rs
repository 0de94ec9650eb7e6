//! What this system can confine bots with, and what it costs to start them so.

use std::env;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use processes::{ControlGroups, control_groups};
use sandbox::{Attributes, Level, Limits, Policy, Support};
use serde_json::{Value, json};
use tournament_file::{private_directory, try_confined};

/// How often a process is started at each level.
const STARTS: usize = 15;

/// The levels that confine.
const LEVELS: [Level; 3] = [Level::Basic, Level::Contest, Level::Strict];

/// What became of a level here.
#[derive(Debug)]
pub(super) struct Confined {
    level: Level,
    /// What is in force, or why nothing is.
    outcome: Result<String, String>,
    /// How long a process takes from its start to its end, in the median, where the level can be had.
    median: Option<Duration>,
}

/// Tries every level with a process of the arena itself. The first value is how long that process takes unconfined.
///
/// # Errors
/// When the arena's own executable cannot be started.
pub(super) fn measure() -> io::Result<(Duration, Vec<Confined>)> {
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
    let private = private_directory()?;
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
    let confined = levels.into_iter().zip(outcomes).map(|((policy, times), outcome)| Confined {
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
        limits: Limits::of(level),
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

/// Returns lines for people, each with its name.
pub(super) fn to_text(bare: Duration, levels: &[Confined]) -> String {
    let ms = |time: Duration| time.as_secs_f64() * 1000.0;
    let line = |it: &Confined| match (&it.outcome, it.median) {
        (Ok(in_force), Some(median)) => {
            format!("sandbox      {in_force}: {:+.1} ms a start\n", ms(median) - ms(bare))
        }
        (Ok(in_force), None) => format!("sandbox      {in_force}\n"),
        (Err(why), _) => format!("sandbox      no `{}`: {why}\n", it.level),
    };
    levels.iter().map(line).collect::<String>()
        + &format!("             a bare start takes {:.1} ms\n", ms(bare))
        + &limits_to_text(control_groups())
}

/// Returns lines about what holds bots to their limits.
fn limits_to_text(groups: &ControlGroups) -> String {
    let also = groups.in_force().map_or_else(String::new, |what| format!(" and control groups: {what}"));
    let lacking = groups
        .lacking()
        .map(|why| format!("             no more control groups: {why}; {}\n", ControlGroups::WAY));
    format!("limits       held by guards{also}\n{}", lacking.unwrap_or_default())
}

/// Returns the same for programs.
pub(super) fn to_json(bare: Duration, levels: &[Confined]) -> Value {
    let ms = |time: Duration| time.as_micros() as f64 / 1000.0;
    let level = |it: &Confined| {
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
