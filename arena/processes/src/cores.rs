//! The processors of this machine: which there are, and keeping threads to some of them.

mod affinity;
mod cpus;
mod topology;

pub use self::affinity::{move_tree, threads_within};
pub use self::cpus::{Cpus, NoCpus};
pub use self::topology::{Core, Topology};
