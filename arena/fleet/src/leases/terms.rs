//! The limits of leases, and what comes of them.

use std::time::Duration;

/// What a pair needs of the worker that plays it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// That this bot starts there.
    Bot(usize),
    /// That the rules of this game are there.
    Game(usize),
    /// That it is neither too noisy, nor too slow or fast for a clock.
    Clock,
}

/// The limits of leases.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// How long a worker may be silent until its attempts are given to others.
    pub silence: Duration,
    /// How long an attempt that has begun may make no progress.
    pub standstill: Duration,
    /// How long an attempt may be unknown to its worker until it counts as lost on the way.
    pub delivery: Duration,
    /// How long the run waits for a worker that can play what is left, where none that has come can.
    pub patience: Duration,
    /// How many pairs are open for each slot at most.
    pub window: usize,
    /// How much play a worker may have beyond what its slots play, in time.
    pub ahead: Duration,
    /// On how many workers a pair must fail until it is given up. Where there are fewer, it is given up when it has failed three times
    /// as often; before that a worker on which all fails is set aside.
    pub poison: usize,
    /// How many pairs in a row a worker may fail until it is set aside.
    pub failures: u32,
    /// Which share of the pairs of reproducible bots is played again on another worker: of workers with fewer counted pairs than
    /// [`Terms::probation`], and of all others.
    pub replays: [f64; 2],
    /// How many counted pairs a worker needs to be known.
    pub probation: u64,
}

impl Terms {
    /// The usual ones.
    pub const DEFAULT: Self = Self {
        silence: Duration::from_secs(30),
        standstill: Duration::from_secs(120),
        delivery: Duration::from_secs(15),
        patience: Duration::from_secs(300),
        window: 4,
        ahead: Duration::from_secs(1),
        poison: 3,
        failures: 5,
        replays: [0.2, 0.02],
        probation: 50,
    };
}

impl Default for Terms {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// An attempt that is to be sent to a worker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assigned {
    /// The worker.
    pub worker: String,
    /// The number of the pair.
    pub pair: u64,
    /// The name of the attempt.
    pub attempt: String,
}

/// What the passing of time has brought about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lapse {
    /// A worker was silent for too long: this many attempts are given to others.
    Silent {
        /// The worker.
        worker: String,
        /// How many attempts it had.
        attempts: usize,
    },
    /// An attempt stood still.
    Standstill {
        /// The worker.
        worker: String,
        /// The number of the pair.
        pair: u64,
    },
    /// A pair has stood still, or failed, too often, and is given up.
    Poison {
        /// The number of the pair.
        pair: u64,
    },
    /// An attempt did not reach its worker.
    Lost {
        /// The worker.
        worker: String,
        /// The number of the pair.
        pair: u64,
    },
}

/// What a failed attempt means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Failed {
    /// The pair is given out again.
    Again,
    /// The pair has failed too often and is given up.
    Poison,
    /// The pair is not open.
    Unknown,
}
