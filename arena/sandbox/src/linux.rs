//! What Linux has to confine a process, in the order in which it is put in force.

mod confine;
mod files;
mod filter;
mod identity;
mod namespaces;
mod process;
mod system;

pub use confine::confine;
