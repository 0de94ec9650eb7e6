//! Processes of the system: starting them, holding them to limits, measuring what they use, ending them with everything
//! that they started.
//!
//! This crate knows nothing of games. What a process is started from is a [`ProcessSpec`]; who starts it is a [`Launcher`]:
//! [`Direct`], which gives it a process group of its own, or [`Guarded`], which puts a small process between the two that
//! outlives both and leaves nothing behind. What comes of it is a [`Process`].
//!
//! * `guard`: the process between the arena and a bot; its executable is the arena's own, whose `main` begins with [`guard()`].
//! * `cgroup`: [`control_groups`], where the kernel itself holds the processes of a program to their [`ProcessLimits`].
//! * `accounting`: what the system tells of the processes below one ([`Process::times`], [`Process::usage`], [`tree_time`])
//!   and of this one ([`Counters`]).
//! * `cores`: which processors there are ([`Topology`]), and keeping threads to some of them ([`Cpus`]).
//! * `measure`: how late this machine is ([`lateness()`]), and what it costs to start a process ([`starts()`]).
//!
//! Linux is the full platform. Elsewhere there are process groups, and what the system does not tell is `None`.
//!
//! A [`Process`] is waited for within a tokio runtime that stays on its thread; [`reap_dropped`] waits for those that were
//! dropped there.
//!
//! ```
//! use processes::{Direct, Launcher as _, ProcessSpec};
//! use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
//!
//! let script = "read -r line; echo \"$line, too\"; sleep 1000";
//! let spec = ProcessSpec { args: vec!["-c".into(), script.into()], ..ProcessSpec::new("/bin/sh", "/") };
//! let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
//! let answer = runtime.block_on(async {
//!     let mut process = Direct.launch(&spec)?;
//!     let (mut input, mut output) = process.take_pipes().expect("a new process has its pipes");
//!     input.write_all(b"hello\n").await?;
//!     let mut answer = [0; 11];
//!     output.read_exact(&mut answer).await?;
//!     // Ends `sleep` as well.
//!     process.kill().await;
//!     Ok::<_, std::io::Error>(answer)
//! })?;
//! assert_eq!(&answer, b"hello, too\n");
//! # Ok::<(), std::io::Error>(())
//! ```

mod accounting;
mod cgroup;
mod cores;
mod group;
mod guard;
mod launcher;
mod limits;
mod measure;
mod owner;
mod private_directory;
mod process;
mod spec;
mod tcp;

pub use accounting::{
    Counters, CpuMeter, DESCRIPTORS, FRESH, ProcessUsage, SchedulerTimes, count_ending_thread,
    measures_processor_time, processors, thread_time, tree_time,
};
pub use cgroup::{ControlGroups, control_groups, leave_control_groups};
pub use cores::{Core, Cpus, NoCpus, Topology, move_tree, threads_within};
pub use group::{is_shortage, reserve_descriptors};
#[cfg(target_os = "linux")]
pub use guard::guard;
#[cfg(target_os = "linux")]
pub use launcher::Guarded;
pub use launcher::{Direct, Launcher};
pub use limits::{ExceededLimit, ProcessLimits};
pub use measure::{Lateness, Starts, Talk, lateness, quantile, starts};
pub use owner::BOT_USERS;
pub use private_directory::PrivateDirectory;
pub use process::{Process, ProcessEnd, reap_dropped};
pub use spec::ProcessSpec;
pub use tcp::{Port, Unconnected};
