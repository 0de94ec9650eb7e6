//! What the system tells of this machine. Everything is optional: what it does not tell is left out.

use std::fs;
use std::num::NonZeroUsize;
use std::thread;

use processes::Topology;
use serde::Serialize;

use super::pinning::{CoreFigures, PinPlaces, core_list};

/// This machine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Machine {
    /// The processors that this process may use.
    pub processors: usize,
    /// The physical cores that it may use.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cores: Option<usize>,
    /// For how many processors there is time, where a quota allows fewer than there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub quota: Option<usize>,
    /// Each of the cores.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub topology: Vec<CoreFigures>,
    /// What pinning would do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pin: Option<PinPlaces>,
    /// Whether cores run several threads at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub smt: Option<bool>,
    /// How many processes wanted a processor, on average over the last minute, before anything was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub load: Option<f64>,
    /// The most descriptors that a process may have; absent where there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descriptors: Option<u64>,
    /// The most processes that the user may have; absent where there is no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub processes: Option<u64>,
    /// What the system reads the time from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub clock_source: Option<String>,
}

impl Machine {
    /// Asks the system.
    pub fn look(topology: Option<&Topology>) -> Self {
        let limits = read("/proc/self/limits").unwrap_or_default();
        Self {
            processors: thread::available_parallelism().map_or(1, NonZeroUsize::get),
            cores: topology.map(|topology| topology.cores().len()),
            quota: topology.and_then(Topology::quota),
            topology: topology.map(core_list).unwrap_or_default(),
            pin: topology.map(PinPlaces::of),
            smt: read("/sys/devices/system/cpu/smt/active").map(|text| text.trim() == "1"),
            load: read("/proc/loadavg").and_then(|text| load(&text)),
            descriptors: hard_limit(&limits, "Max open files"),
            processes: hard_limit(&limits, "Max processes"),
            clock_source: read("/sys/devices/system/clocksource/clocksource0/current_clocksource")
                .map(|text| text.trim().to_owned()),
        }
    }
}

fn read(path: &str) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// Reads the load of the last minute from `/proc/loadavg`.
fn load(text: &str) -> Option<f64> {
    text.split_whitespace().next()?.parse().ok()
}

/// Reads a hard limit from `/proc/self/limits`: the arena raises its soft limit by itself.
fn hard_limit(limits: &str, name: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_system_writes_is_read() {
        let limits = "Limit                     Soft Limit           Hard Limit           Units     \n\
                      Max processes             96365                unlimited            processes \n\
                      Max open files            1024                 524288               files     \n";
        assert_eq!(hard_limit(limits, "Max open files"), Some(524_288));
        assert_eq!(hard_limit(limits, "Max processes"), None);
        assert_eq!(hard_limit("", "Max processes"), None);
        assert_eq!(load("0.52 0.58 0.59 1/389 12345\n"), Some(0.52));
        assert_eq!(load(""), None);
    }
}
