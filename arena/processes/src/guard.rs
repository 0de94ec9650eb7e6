//! The guard of a bot: a small process between the arena and the bot that outlives both of them.
//!
//! The arena starts its own executable again for every process of a bot. That guard starts the bot, adopts whatever
//! the bot's processes leave behind (it is a child subreaper), tells the arena how the bot ended, and, when the arena
//! says so or is gone, kills every descendant until none is left. What joins the two is the link, a pair of sockets:
//! its end is the end of the bot, so that a `kill -9` of the arena leaves nothing behind either. The bot's standard
//! streams are the arena's own pipes; the guard hands them on and keeps none.
//!
//! Nothing here needs unsafe code: the pipes travel over the link, which is the guard's standard input, so that no
//! descriptor is ever left open for a child to inherit.

#[cfg(not(target_os = "linux"))]
mod absent;
#[cfg(target_os = "linux")]
mod link;
#[cfg(target_os = "linux")]
mod orphans;
#[cfg(target_os = "linux")]
mod private_dir;
#[cfg(target_os = "linux")]
mod report;
#[cfg(target_os = "linux")]
mod request;
#[cfg(target_os = "linux")]
mod serve;
#[cfg(target_os = "linux")]
mod start;
#[cfg(target_os = "linux")]
mod sweep;
#[cfg(target_os = "linux")]
mod tree;

#[cfg(not(target_os = "linux"))]
pub(crate) use self::absent::{GuardLink, forget_guard, make_own_dir, remove_dir};
#[cfg(target_os = "linux")]
pub(crate) use self::link::GuardLink;
#[cfg(target_os = "linux")]
pub(crate) use self::orphans::forget_guard;
#[cfg(target_os = "linux")]
pub(crate) use self::private_dir::remove as remove_dir;
#[cfg(target_os = "linux")]
pub use self::serve::guard;
#[cfg(target_os = "linux")]
pub(crate) use self::start::{GuardedStart, Started, start_guarded};
#[cfg(target_os = "linux")]
pub(crate) use self::sweep::make_own_dir;
