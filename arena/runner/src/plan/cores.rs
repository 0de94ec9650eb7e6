//! The cores for the bots of a game, so that games do not disturb each other.
//!
//! Every slot has a place: whole cores that no other slot uses, so two games never share the threads of a core. Within a game
//! one bot thinks at a time, unless they ponder, so both can share a core.

use std::collections::BTreeMap;
use std::fmt;
use std::io;

use processes::{Core, Cpus, Launcher, Process, ProcessSpec, Topology};
use rules::Seat;
use settings::Pin;
use thiserror::Error;

/// Why bots cannot be pinned to cores.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PinError {
    /// The system does not report its cores.
    #[error(
        "this system does not tell its cores: bots are pinned on Linux only, where `/sys/devices/system/cpu` can be read"
    )]
    Unknown,
    /// There are too few cores for a single game.
    #[error("`pin: bot` needs {} cores of one kind for a game, but only {cores} can be used", match seats { 2 => "two".to_owned(), seats => seats.to_string() })]
    NoPair {
        /// The number of seats of a game.
        seats: usize,
        /// The number of usable cores.
        cores: usize,
    },
    /// There are too few cores for this many games.
    #[error("{games} games at once cannot be pinned: with `pin: {pin}` there are cores for {most}")]
    TooMany {
        /// The requested number of games at once.
        games: usize,
        /// The possible number.
        most: usize,
        /// The setting.
        pin: Pin,
    },
}

/// The places of the games that are played at once, each with its own cores; empty with `pin: off` and `pin: auto`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pins {
    pin: Pin,
    places: Vec<GameCores>,
}

/// The cores of one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameCores {
    /// The processors of the bot of each seat.
    seats: Vec<Cpus>,
    /// The processors of the thread that talks to them.
    whole: Cpus,
    /// The speed class of its cores.
    kind: usize,
}

impl Pins {
    /// Returns as many places as fit on the cores, the fastest first. Among cores of one kind, the one with the lowest
    /// processor comes last, because most systems do their own work there.
    ///
    /// # Errors
    /// When no place fits a single game with `seats` seats, the most of any game.
    pub fn new(pin: Pin, topology: Option<&Topology>, seats: usize) -> Result<Self, PinError> {
        if matches!(pin, Pin::Off | Pin::Auto) {
            return Ok(Self { pin, places: Vec::new() });
        }
        let topology = topology.ok_or(PinError::Unknown)?;
        let lowest = topology.cores().iter().filter_map(|core| core.cpus.first()).min();
        let mut cores: Vec<&Core> = topology.cores().iter().collect();
        cores.sort_by_key(|core| (core.kind, core.cpus.first() == lowest));
        let mut places: Vec<_> = match pin {
            Pin::Off | Pin::Auto => Vec::new(),
            Pin::Game => cores.into_iter().map(|core| GameCores::new(&vec![core; seats])).collect(),
            Pin::Bot => groups(&cores, seats).iter().map(|cores| GameCores::new(cores)).collect(),
        };
        if places.is_empty() {
            return Err(PinError::NoPair { seats, cores: topology.cores().len() });
        }
        // More games would find no time, because one bot of each thinks.
        places.truncate(topology.busy_at_once());
        Ok(Self { pin, places })
    }

    /// Returns the setting.
    #[must_use]
    pub const fn pin(&self) -> Pin {
        self.pin
    }

    /// Returns the places, in the order of their use.
    #[must_use]
    pub fn places(&self) -> &[GameCores] {
        &self.places
    }

    /// Returns how many games can be played at once; `None` if that is not limited.
    #[must_use]
    pub fn most(&self) -> Option<usize> {
        (!self.places.is_empty()).then_some(self.places.len())
    }

    /// Returns whether some of `games` games would be played on slower cores than others.
    #[must_use]
    pub fn is_uneven(&self, games: usize) -> bool {
        let used = &self.places[..games.min(self.places.len())];
        used.first().zip(used.last()).is_some_and(|(first, last)| first.kind != last.kind)
    }

    /// Checks that this many games can be played at once.
    ///
    /// # Errors
    /// When they are too many.
    pub fn check(&self, games: usize) -> Result<(), PinError> {
        match self.most() {
            Some(most) if games > most => Err(PinError::TooMany { games, most, pin: self.pin }),
            _ => Ok(()),
        }
    }
}

impl GameCores {
    fn new(cores: &[&Core]) -> Self {
        let mut whole = Cpus::default();
        cores.iter().for_each(|core| whole = whole.union(&core.cpus));
        let kind = cores.iter().map(|core| core.kind).max().unwrap_or_default();
        Self { whole, seats: cores.iter().map(|core| core.cpus.clone()).collect(), kind }
    }

    /// Returns the processors of the bot of a seat.
    #[must_use]
    pub fn seat(&self, seat: Seat) -> &Cpus {
        &self.seats[seat.index()]
    }

    /// Returns how many processors the game has.
    #[must_use]
    pub fn processors(&self) -> usize {
        self.whole.len()
    }

    /// Returns whether all bots share them.
    #[must_use]
    pub fn is_shared(&self) -> bool {
        self.seats.iter().all(|cpus| *cpus == self.whole)
    }

    /// Pins the calling thread, which will talk to the bots, to the cores of the game.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn take(&self) -> Result<(), Unpinned> {
        keep_to(&self.whole)
    }

    /// Moves a running process to the processors of a seat.
    ///
    /// # Errors
    /// When the system refuses.
    pub(crate) fn move_to(&self, seat: Seat, process: i32) -> io::Result<()> {
        processes::move_tree(process, self.seat(seat))
    }
}

/// Writes the processors: `2,6`, or `1 and 2` for bots with cores of their own.
impl fmt::Display for GameCores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_shared() {
            return write!(f, "{}", self.whole);
        }
        let cpus: Vec<_> = self.seats.iter().map(ToString::to_string).collect();
        match cpus.split_last() {
            Some((last, [first])) => write!(f, "{first} and {last}"),
            Some((last, others)) => write!(f, "{} and {last}", others.join(", ")),
            None => Ok(()),
        }
    }
}

/// Returns groups of `size` cores of one kind, those of one package first.
fn groups<'a>(cores: &[&'a Core], size: usize) -> Vec<Vec<&'a Core>> {
    let mut groups: BTreeMap<(usize, usize), Vec<&Core>> = BTreeMap::new();
    for core in cores {
        groups.entry((core.kind, core.package)).or_default().push(core);
    }
    let mut found: Vec<Vec<&Core>> = Vec::new();
    let mut left: BTreeMap<usize, Vec<&Core>> = BTreeMap::new();
    for ((kind, _), cores) in &groups {
        let chunks = cores.chunks_exact(size);
        left.entry(*kind).or_default().extend(chunks.remainder());
        found.extend(chunks.map(<[&Core]>::to_vec));
    }
    found.extend(left.values().flat_map(|cores| cores.chunks_exact(size).map(<[&Core]>::to_vec)));
    found.sort_by_key(|cores| cores.first().map(|core| core.kind));
    found
}

fn keep_to(cpus: &Cpus) -> Result<(), Unpinned> {
    cpus.take().map_err(|source| Unpinned { cpus: cpus.clone(), source })
}

/// A place that is no longer usable: its processors are gone, or forbidden.
#[derive(Debug, Error)]
#[error("the processors {cpus} of a game are no longer usable")]
pub struct Unpinned {
    /// The processors.
    pub cpus: Cpus,
    /// The error of the system.
    #[source]
    pub source: io::Error,
}

/// Starts the processes of the bot of one seat on its cores.
pub(crate) struct Pinned<'a> {
    pub(crate) launcher: &'a dyn Launcher,
    pub(crate) place: Option<&'a GameCores>,
    pub(crate) seat: Seat,
}

impl Launcher for Pinned<'_> {
    fn launch(&self, spec: &ProcessSpec) -> io::Result<Process> {
        let Some(place) = self.place.filter(|place| !place.is_shared()) else {
            // The thread is already pinned to the shared core.
            return self.launcher.launch(spec);
        };
        keep_to(place.seat(self.seat)).map_err(io::Error::other)?;
        let process = self.launcher.launch(spec);
        keep_to(&place.whole).map_err(io::Error::other)?;
        process
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes the files in which the system describes processors: for each its package, and who shares its core.
    fn tree(cpus: &[(usize, usize, &str)]) -> tempfile::TempDir {
        let root = tempfile::tempdir().unwrap();
        for (cpu, package, siblings) in cpus {
            let topology = root.path().join(format!("devices/system/cpu/cpu{cpu}/topology"));
            std::fs::create_dir_all(&topology).unwrap();
            std::fs::write(topology.join("physical_package_id"), package.to_string()).unwrap();
            std::fs::write(topology.join("thread_siblings_list"), siblings).unwrap();
        }
        root
    }

    /// Returns the places, separated by `/`, for the processors `0-15` of a tree.
    fn places(pin: Pin, cpus: &[(usize, usize, &str)], quota: Option<usize>) -> String {
        let allowed = (0..16).collect();
        let topology = Topology::read(tree(cpus).path(), &allowed, quota);
        match Pins::new(pin, topology.as_ref(), 2) {
            Ok(pins) => pins.places().iter().map(ToString::to_string).collect::<Vec<_>>().join(" / "),
            Err(error) => error.to_string(),
        }
    }

    const PLAIN: [(usize, usize, &str); 4] = [(0, 0, "0"), (1, 0, "1"), (2, 0, "2"), (3, 0, "3")];
    const SMT: [(usize, usize, &str); 8] = [
        (0, 0, "0,4"),
        (1, 0, "1,5"),
        (2, 0, "2,6"),
        (3, 0, "3,7"),
        (4, 0, "0,4"),
        (5, 0, "1,5"),
        (6, 0, "2,6"),
        (7, 0, "3,7"),
    ];

    #[test]
    fn every_game_has_whole_cores_of_its_own() {
        assert_eq!(places(Pin::Game, &PLAIN, None), "1 / 2 / 3 / 0");
        assert_eq!(places(Pin::Game, &SMT, None), "1,5 / 2,6 / 3,7 / 0,4");
        assert_eq!(places(Pin::Bot, &PLAIN, None), "1 and 2 / 3 and 0");
        assert_eq!(places(Pin::Bot, &SMT[..3], None), "1 and 2");
        assert_eq!(places(Pin::Off, &SMT, None), "");
    }

    #[test]
    fn no_two_games_share_a_processor_or_a_core() {
        for pin in [Pin::Game, Pin::Bot] {
            let topology = Topology::read(tree(&SMT).path(), &(0..8).collect(), None).unwrap();
            let pins = Pins::new(pin, Some(&topology), 2).unwrap();
            let mut used: Vec<_> = pins.places().iter().flat_map(|place| place.whole.iter()).collect();
            used.sort_unstable();
            assert_eq!(used, (0..8).collect::<Vec<_>>(), "{pin}");
            for core in topology.cores() {
                let games = pins
                    .places()
                    .iter()
                    .filter(|place| core.cpus.iter().any(|cpu| place.whole.contains(cpu)));
                assert_eq!(games.count(), 1, "{pin}: core {}", core.cpus);
            }
        }
    }

    #[test]
    fn bots_of_a_game_have_cores_of_one_package_where_they_can() {
        let two = [(0, 0, "0"), (1, 0, "1"), (2, 0, "2"), (3, 1, "3"), (4, 1, "4"), (5, 1, "5")];
        assert_eq!(places(Pin::Bot, &two, None), "1 and 2 / 3 and 4 / 0 and 5");
    }

    #[test]
    fn bots_of_a_game_never_have_cores_of_different_kinds() {
        let root = tree(&[(0, 0, "0"), (1, 0, "1"), (2, 0, "2"), (3, 0, "3"), (4, 0, "4"), (5, 0, "5")]);
        std::fs::create_dir_all(root.path().join("devices/cpu_atom")).unwrap();
        std::fs::write(root.path().join("devices/cpu_atom/cpus"), "3-5").unwrap();
        let topology = Topology::read(root.path(), &(0..6).collect(), None);
        let pins = Pins::new(Pin::Bot, topology.as_ref(), 2).unwrap();
        assert_eq!(pins.places().iter().map(ToString::to_string).collect::<Vec<_>>(), ["1 and 2", "3 and 4"]);
        assert_eq!([1, 2].map(|games| pins.is_uneven(games)), [false, true]);
    }

    #[test]
    fn what_cannot_be_pinned_is_refused() {
        assert_eq!(
            places(Pin::Bot, &PLAIN[..1], None),
            "`pin: bot` needs two cores of one kind for a game, but only 1 can be used"
        );
        // A container with two processors.
        assert_eq!(places(Pin::Game, &PLAIN[..2], None), "1 / 0");
        assert_eq!(places(Pin::Bot, &PLAIN[..2], None), "1 and 0");
        assert_eq!(places(Pin::Game, &SMT, Some(2)), "1,5 / 2,6");
        assert_eq!(Pins::new(Pin::Game, None, 2), Err(PinError::Unknown));
        let topology = Topology::read(tree(&PLAIN).path(), &(0..4).collect(), None);
        let pins = Pins::new(Pin::Bot, topology.as_ref(), 2).unwrap();
        assert_eq!(pins.check(2), Ok(()));
        let refused = pins.check(3).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "3 games at once cannot be pinned: with `pin: bot` there are cores for 2"
        );
        assert_eq!(Pins::default().check(1000), Ok(()));
    }

    #[test]
    fn words_come_back() {
        for text in ["off", "game", "bot"] {
            assert_eq!(text.parse::<Pin>().unwrap().to_string(), text);
        }
        assert!("core".parse::<Pin>().is_err());
    }
}
