//! What Linux has to confine a process, in the order in which it is put in force.

mod confine;
mod files;
mod filter;
mod identity;
mod namespaces;
mod process;

pub use confine::confine;
pub(crate) use files::landlock_version;
pub(crate) use filter::has_filters;
pub(crate) use identity::is_root;
