//! What pinning would do on this machine.

use processes::Topology;
use runner::Pins;
use serde::Serialize;
use settings::Pin;

/// The places of games by what is pinned; none where it cannot be.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct PinPlaces {
    /// The processors of each game with `pin: game`.
    pub game: Vec<String>,
    /// The processors of each game with `pin: bot`.
    pub bot: Vec<String>,
}

/// A physical core, as it is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CoreFigures {
    /// Its package.
    package: usize,
    /// 0 for the fastest kind of this machine, 1 for the next.
    kind: usize,
    /// Its processors: `0,4`.
    processors: String,
}

/// Returns every core of a topology.
pub(super) fn core_list(topology: &Topology) -> Vec<CoreFigures> {
    let seen = topology.cores().iter().map(|core| CoreFigures {
        package: core.package,
        kind: core.kind,
        processors: core.cpus.to_string(),
    });
    seen.collect()
}

impl PinPlaces {
    /// Returns what pinning would do.
    pub fn of(topology: &Topology) -> Self {
        let words = |pin| {
            let pins = Pins::new(pin, Some(topology), 2).unwrap_or_default();
            pins.places().iter().map(ToString::to_string).collect()
        };
        Self { game: words(Pin::Game), bot: words(Pin::Bot) }
    }
}
