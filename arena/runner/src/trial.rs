//! Bots outside of a run: probed, used as judges, given recorded questions again, built, and tested line by line.

mod build;
mod judge;
mod probe;
mod repro;
mod wire;

pub use self::build::{Build, BuildEnd, BuildOutput, Built};
pub use self::judge::{JudgeError, OpeningJudge};
pub use self::probe::{BotIdentity, ProbeFailure, ProbeResult, probe, rehearse};
pub use self::repro::{Repeated, ReproEnd, ReproGame, ReproVerdict, repro};
pub use self::wire::{Caught, ExitReport, Wire, Wires};
