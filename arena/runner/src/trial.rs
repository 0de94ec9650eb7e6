//! Bots outside of a run: tried before one, asked for a judgement, sent old questions again, built, put to tests.

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
