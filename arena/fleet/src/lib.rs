//! One run on many machines: workers play pairs of games, a coordinator hands them out, checks what comes back and writes the journal.
//!
//! The coordinator ([`Coordinator`], a [`runner::Executor`]) takes the games of a run in the same order as one machine would, and
//! hands pairs of them to workers ([`work`]). The journal stays the only truth: a worker that lies, dies or comes twice, and a broker
//! that forgets, change nothing but the time that a run takes.
//!
//! * `wire`: what is said, with its versions. `broker`: what carries it, behind one trait: NATS, or this process's memory for tests.
//! * `leases`: who plays which pair, in virtual time. `verify`: whether a report can be true. `claim`: one coordinator a run.
//! * `manifest`, `unpack`: bots and rules of one's own on their way to other machines, by content.
//! * `guard`: what a worker refuses to start.
//! * `arguments`: what the command line says; keys and the configuration of a broker; what one that runs is fit for.
//! * `local`: a private broker and workers on this machine.
//!
//! This crate knows neither journal nor report: those are the host's.

#![warn(clippy::disallowed_methods, clippy::print_stdout, clippy::print_stderr)]

mod arguments;
pub mod broker;
mod claim;
mod coordinator;
mod guard;
pub mod leases;
pub mod local;
mod manifest;
pub mod names;
mod unpack;
pub mod verify;
pub mod wire;
mod worker;
mod workplace;

pub use arguments::doctor::BrokerCheckFlags;
pub use arguments::keys::WorkersArguments;
pub use arguments::{WorkerArguments, WorkersFlags};
pub use broker::BrokerAccess;
pub use coordinator::Coordinator;
pub use guard::Guard;
pub use worker::{WorkerSettings, work};
pub use workplace::{Address, Workplace};
