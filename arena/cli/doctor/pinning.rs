//! What pinning would do on this machine.

use runner::{Pins, Topology};
use serde::Serialize;
use settings::Pin;
use tournament::pinning;

/// The places of games by what is pinned; none where it cannot be.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Pinning {
    /// The processors of each game with `pin: game`.
    pub(super) game: Vec<String>,
    /// The processors of each game with `pin: bot`.
    pub(super) bot: Vec<String>,
}

/// A physical core, as it is written.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct CoreSeen {
    /// Its package.
    package: usize,
    /// 0 for the fastest kind of this machine, 1 for the next.
    kind: usize,
    /// Its processors: `0,4`.
    processors: String,
}

/// Returns every core of a topology.
pub(super) fn core_list(topology: &Topology) -> Vec<CoreSeen> {
    let seen = topology.cores().iter().map(|core| CoreSeen {
        package: core.package,
        kind: core.kind,
        processors: core.cpus.to_string(),
    });
    seen.collect()
}

impl Pinning {
    /// Returns what pinning would do.
    pub(super) fn of(topology: &Topology) -> Self {
        let words = |pin| {
            let pins = Pins::new(pin, Some(topology)).unwrap_or_default();
            pins.places().iter().map(ToString::to_string).collect()
        };
        Self { game: words(Pin::Game), bot: words(Pin::Bot) }
    }
}

/// Writes what pinning would do, a line each.
pub(super) fn to_text(topology: &Topology) -> String {
    let mut text = format!("cores        {}\n", pinning::describe_topology(topology));
    for pin in [Pin::Game, Pin::Bot] {
        let line = match Pins::new(pin, Some(topology)) {
            Ok(pins) => {
                format!("at most {} at once, on {}", pins.places().len(), pinning::list(&pins, usize::MAX))
            }
            Err(error) => format!("refused: {error}"),
        };
        text.push_str(&format!("{:<12} {line}\n", format!("pin: {pin}")));
    }
    text
}
