//! The schedule, the bots' processes, the clocks and the match loop: what turns a plan into game records.
//!
//! [`schedule()`] numbers the games of a run, [`probe()`] tries every bot before the first game, and [`play`]
//! plays games, several at once, and tells an [`Observer`]. A bot can lose a game here, never stop a run or
//! touch a result; every wait has an absolute deadline and every buffer that a bot fills has a bound.

mod account;
mod adjudicate;
mod affinity;
mod alarm;
mod build;
mod card;
mod cgroup;
mod claims;
mod clock;
mod conduct;
mod control;
mod counters;
mod cpus;
mod effort;
mod end;
mod excess;
mod game;
mod group;
mod guard;
#[cfg(target_os = "linux")]
mod holdings;
mod idle;
mod join;
#[cfg(target_os = "linux")]
mod kin;
mod lateness;
mod launch;
#[cfg(target_os = "linux")]
mod ledger;
mod link;
mod live;
mod meter;
mod observer;
mod opening;
mod owner;
mod pace;
mod partner;
mod pin;
mod plan;
mod player;
mod probe;
mod process;
mod question;
mod queue;
mod repro;
mod run;
mod schedule;
mod seed;
mod session;
mod sheet;
mod slot;
mod starts;
mod stderr;
mod tasks;
mod tcp;
#[cfg(test)]
mod tests;
mod topology;
mod trace;
mod trouble;
mod wait;
mod watch;
mod watchdog;
mod wire;

pub use build::{Build, BuildEnd, BuildOutput, Built};
pub use cgroup::ControlGroups;
pub use cgroup::{control_groups, leave_control_groups};
pub use conduct::FREE_REFUSALS;
pub use control::Control;
pub use counters::Counters;
pub use cpus::{Cpus, NoCpus};
pub use effort::Effort;
#[cfg(target_os = "linux")]
pub use guard::{Guarded, guard};
pub use lateness::{Lateness, lateness, quantile};
pub use launch::{Direct, Launcher};
pub use live::{Live, LiveGame, Plies, Said};
pub use meter::measures_processor_time;
pub use observer::{BotFailure, Direction, Observer, Scene, TraceLine};
pub use opening::{
    Book, BookError, BookFault, Doubled, Judge, JudgeError, Length, NoOpening, Opening, OpeningSource,
    Openings,
};
pub use owner::{BOT_USERS, own_prefix};
pub use partner::{Inquiry, InquiryError, Partner, PartnerEvent, PartnerFailure, PartnerReply, Report};
pub use pin::{PinError, Pins, Place, Unpinned};
pub use plan::{Bot, Contest, Launch, Plan, Settings, Task};
pub use probe::{BotIdentity, ProbeFailure, ProbeResult, probe, probe_with, rehearse};
pub use process::Process;
pub use repro::{Recorded, Repeated, ReproEnd, Verdict, repro};
pub use run::{RunError, Summary, descriptors, play, play_with};
pub use schedule::{Fixture, PairPlace, Pending, Schedule, meeting, pending, schedule};
pub use session::{Ending, Kept, KeptError, KeptPly, Note, Refusal, Session, Sitter};
pub use starts::{Starts, starts};
pub use tasks::Tasks;
pub use topology::{Core, Topology};
pub use watch::{Spoken, SpokenLine};
pub use wire::{Caught, Remains, Wire, Wires};
