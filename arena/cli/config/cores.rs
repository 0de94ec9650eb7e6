//! How many games can be played at once without disturbing each other.

use std::collections::BTreeSet;
use std::fs;
use std::num::NonZeroUsize;
use std::thread;

/// Returns the number of games for `concurrency: auto`: the physical cores minus one, which the arena and the
/// system keep, and at least 1.
pub(crate) fn spare() -> NonZeroUsize {
    let logical = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    let cores = physical().map_or(logical, |physical| physical.min(logical));
    NonZeroUsize::new(cores.saturating_sub(1)).unwrap_or(NonZeroUsize::MIN)
}

/// Returns the number of physical cores where the system tells: hardware threads of one core name the same
/// siblings.
pub(crate) fn physical() -> Option<usize> {
    let mut cores = BTreeSet::new();
    for entry in fs::read_dir("/sys/devices/system/cpu").ok()?.flatten() {
        if let Ok(siblings) = fs::read_to_string(entry.path().join("topology/thread_siblings_list")) {
            cores.insert(siblings);
        }
    }
    (!cores.is_empty()).then_some(cores.len())
}
