//! What workers cost: how many games a second they play over a broker, beside as many games at once in one process.
//!
//! Both ways play runs of instant bots by turns, a short one and a long one. The difference of the two leaves out what a run takes
//! to start: the broker, its workers, the files that travel, and the trial of the bots.

use std::env;
use std::io;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use diagnostic::output;
use rules::Setup;
use runner::Control;
use serde::Serialize;

use crate::bench_run::BenchRun;

/// The share of games a second below which workers cost more than they may.
const LEAST: f64 = 0.8;

/// The long run plays so many times the pairs of the short one.
const TIMES: u64 = 5;

/// What is to be measured.
pub struct WorkersBench<'a> {
    /// The game.
    pub setup: &'a Setup,
    /// How many workers play, each one game at once.
    pub workers: NonZeroUsize,
    /// How many pairs the long run has.
    pub pairs: u64,
    /// How often both ways are measured.
    pub repeat: u32,
    /// Who is told what is measured now.
    pub tell: &'a dyn Fn(&str),
    /// Ends the measurement.
    pub control: &'a Control,
}

/// What was measured; scripts rely on these keys.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct WorkersOverhead {
    /// How many workers played, and how many games were played at once in one process.
    pub workers: usize,
    /// Games a second in one process.
    pub alone: f64,
    /// Games a second of the workers.
    pub fleet: f64,
    /// The second divided by the first: the median of the repeats.
    pub ratio: f64,
}

impl WorkersOverhead {
    /// Returns whether workers play as many games a second as they should: four fifths of what one process plays.
    #[must_use]
    pub fn is_small(&self) -> bool {
        self.ratio >= LEAST
    }
}

impl WorkersBench<'_> {
    /// Measures both ways by turns.
    ///
    /// # Errors
    /// When a run fails, for example because there is no broker, or `control` ends the measurement.
    pub fn measure(&self) -> io::Result<WorkersOverhead> {
        let (arena, line) = (env::current_exe()?, rules::longest_line(self.setup));
        let trial = |pairs: u64, workers: Option<usize>| BenchRun {
            arena: &arena,
            setup: self.setup,
            line: &line,
            pairs,
            concurrency: self.workers.get(),
            is_timed: false,
            wants_legal: false,
            think: [Duration::ZERO; 2],
            pin: Some("off"),
            workers,
            control: self.control,
        };
        let short = (self.pairs / TIMES).max(1);
        let rate = |workers: Option<usize>| -> io::Result<f64> {
            let took = |pairs: u64| {
                let began = Instant::now();
                trial(pairs, workers).play().map(|_| began.elapsed().as_secs_f64())
            };
            let (less, more) = (took(short)?, took(self.pairs)?);
            Ok(2.0 * (self.pairs - short) as f64 / (more - less).max(1e-6))
        };
        let mut measured = Vec::new();
        for round in 1..=self.repeat {
            (self.tell)(&format!(
                "round {round} of {}: {}",
                self.repeat,
                output::count(2 * self.pairs, "game")
            ));
            measured.push((rate(None)?, rate(Some(self.workers.get()))?));
        }
        measured.sort_unstable_by(|one, other| (one.1 / one.0).total_cmp(&(other.1 / other.0)));
        let (alone, fleet) = measured[measured.len() / 2];
        Ok(WorkersOverhead { workers: self.workers.get(), alone, fleet, ratio: fleet / alone })
    }
}
