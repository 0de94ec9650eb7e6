//! The cores that the games of a plan keep to, on the machine that plays it.

use diagnostic::{Failure, output};
use processes::Topology;
use runner::{PinError, Pins, PlaySettings};
use settings::Pin;
use tournament_file::Plan;

/// How many places are told one by one.
const TOLD: usize = 8;

/// Returns the places of the games of a plan; none where nothing is pinned.
///
/// # Errors
/// When this machine has none for this many games at once.
pub(crate) fn places(plan: &Plan) -> Result<Pins, Failure> {
    if matches!(plan.pin, Pin::Off | Pin::Auto) {
        return Ok(Pins::default());
    }
    let topology = Topology::of_this_machine();
    let pins = Pins::new(plan.pin, topology.as_ref(), plan.most_seats());
    let pins = pins.and_then(|pins| pins.check(plan.settings.concurrency.get()).map(|()| pins));
    pins.map_err(|error| {
        let failure = Failure::usage(error.to_string());
        let shown = topology.as_ref().map(describe_topology);
        let failure = match (&error, shown) {
            (PinError::TooMany { .. } | PinError::NoPair { .. }, Some(shown)) => failure.hint(shown),
            _ => failure,
        };
        failure.hint(match error {
            PinError::TooMany { most, .. } => {
                format!("play fewer games at once (`--concurrency {most}`), or let the system decide (`--pin off`)")
            }
            _ => "without pinning (`--pin off`) the system decides where bots run".to_owned(),
        })
    })
}

/// Says which cores games keep to, if they do.
pub fn describe(settings: &PlaySettings) -> Option<String> {
    let (pins, games) = (&settings.pins, settings.concurrency.get());
    let what = match pins.pin() {
        Pin::Off | Pin::Auto => return None,
        Pin::Game => "each game keeps to one core",
        Pin::Bot => "each bot of a game keeps to a core of its own",
    };
    let mut text = format!("pin {}: {what}: {}", pins.pin(), list(pins, games));
    if pins.is_uneven(games) {
        text.push_str(
            "\nsome of these cores are slower than others: clocked games depend on where they are played",
        );
    }
    Some(text)
}

/// Writes the first places, in the order in which they are used, with bars between them.
pub fn list(pins: &Pins, games: usize) -> String {
    let places = &pins.places()[..games.min(pins.places().len())];
    let mut words: Vec<_> = places.iter().take(TOLD).map(ToString::to_string).collect();
    if places.len() > TOLD {
        words.push(format!("{} more", places.len() - TOLD));
    }
    let is_single = matches!(places, [only] if only.is_shared() && only.processors() == 1);
    format!("{} {}", if is_single { "processor" } else { "processors" }, words.join(" | "))
}

/// Says which cores this machine has: `2 packages, 6 cores of 2 threads, 8 slower cores of 1 thread`.
pub fn describe_topology(topology: &Topology) -> String {
    let mut packages: Vec<_> = topology.cores().iter().map(|core| core.package).collect();
    packages.sort_unstable();
    packages.dedup();
    let mut parts = vec![output::count(packages.len() as u64, "package")];
    let mut kinds: Vec<(usize, usize, u64)> = Vec::new();
    for core in topology.cores() {
        match kinds.iter_mut().find(|(kind, threads, _)| (*kind, *threads) == (core.kind, core.cpus.len())) {
            Some((_, _, count)) => *count += 1,
            None => kinds.push((core.kind, core.cpus.len(), 1)),
        }
    }
    for (kind, threads, count) in kinds {
        let what = if kind == 0 { "core" } else { "slower core" };
        let threads = output::count(threads as u64, "thread");
        parts.push(format!("{} of {threads}", output::count(count, what)));
    }
    if let Some(quota) = topology.quota() {
        parts.push(format!("time for {}", output::count(quota as u64, "processor")));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn cores_are_told_by_kind() {
        let root = tempfile::tempdir().unwrap();
        for cpu in 0..6 {
            let directory = root.path().join(format!("devices/system/cpu/cpu{cpu}"));
            fs::create_dir_all(directory.join("topology")).unwrap();
            let shared =
                if cpu < 4 { format!("{}-{}", cpu / 2 * 2, cpu / 2 * 2 + 1) } else { cpu.to_string() };
            fs::write(directory.join("topology/thread_siblings_list"), shared).unwrap();
            fs::write(directory.join("cpu_capacity"), if cpu < 4 { "1024" } else { "400" }).unwrap();
        }
        let topology = Topology::read(root.path(), &(0..6).collect(), Some(3)).unwrap();
        assert_eq!(
            describe_topology(&topology),
            "1 package, 2 cores of 2 threads, 2 slower cores of 1 thread, time for 3 processors"
        );
        let topology = Topology::read(root.path(), &(0..6).collect(), None).unwrap();
        let settings = |pin, games: usize| {
            let mut settings = PlaySettings::new(1);
            settings.pins = Pins::new(pin, Some(&topology), 2).unwrap();
            settings.concurrency = games.try_into().unwrap();
            describe(&settings).unwrap()
        };
        assert_eq!(settings(Pin::Game, 1), "pin game: each game keeps to one core: processors 2-3");
        assert!(
            settings(Pin::Game, 3)
                .starts_with("pin game: each game keeps to one core: processors 2-3 | 0-1 | 4\nsome")
        );
        assert!(settings(Pin::Bot, 2).contains("core of its own: processors 2-3 and 0-1 | 4 and 5\n"));
        assert_eq!(describe(&PlaySettings::new(1)), None);
    }
}
