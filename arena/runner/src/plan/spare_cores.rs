//! How many games can be played at once without disturbing each other.

use std::num::NonZeroUsize;
use std::thread;

use processes::Topology;
use settings::Pin;

use crate::Pins;

/// Returns the number of games for `concurrency: auto`. That is one per physical core except one, which the arena and the
/// system keep; with `pin: bot` it is one per `seats` cores. It is at least 1.
#[must_use]
pub fn spare_cores(pin: Pin, seats: usize) -> NonZeroUsize {
    let games = match Topology::of_this_machine() {
        Some(topology) => of(pin, &topology, seats),
        None => thread::available_parallelism().map_or(1, NonZeroUsize::get).saturating_sub(1),
    };
    NonZeroUsize::new(games).unwrap_or(NonZeroUsize::MIN)
}

fn of(pin: Pin, topology: &Topology, seats: usize) -> usize {
    let spare = topology.busy_at_once().saturating_sub(1);
    match pin {
        Pin::Off | Pin::Auto | Pin::Game => spare,
        // Some cores may have no partner of the same kind.
        Pin::Bot => {
            let pins = Pins::new(pin, Some(topology), seats);
            (spare / seats).min(pins.map_or(0, |pins| pins.places().len()))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn one_core_is_left() {
        // Six cores of two threads each: the cores count, not the threads.
        let root = tempfile::tempdir().unwrap();
        for cpu in 0..12 {
            let topology = root.path().join(format!("devices/system/cpu/cpu{cpu}/topology"));
            fs::create_dir_all(&topology).unwrap();
            fs::write(topology.join("thread_siblings_list"), format!("{},{}\n", cpu % 6, cpu % 6 + 6))
                .unwrap();
        }
        let games = |allowed: &str, quota| {
            let topology = Topology::read(root.path(), &allowed.parse().unwrap(), quota).unwrap();
            [Pin::Off, Pin::Game, Pin::Bot].map(|pin| of(pin, &topology, 2))
        };
        assert_eq!(games("0-11", None), [5, 5, 2]);
        assert_eq!(games("0-1,6-7", None), [1, 1, 0]);
        assert_eq!(games("0,6", None), [0, 0, 0]);
        assert_eq!(games("0-11", Some(3)), [2, 2, 1]);
    }
}
