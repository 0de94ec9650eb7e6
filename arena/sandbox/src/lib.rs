//! Levels of confinement for the processes of bots: what a strangers' program may reach, and what enforces it.
//!
//! A [`Policy`] says what one bot may do. The arena writes it on the command line of a process of its own executable,
//! which confines itself ([`confine`]) and then becomes the bot: no code runs between `fork` and `exec`, and this
//! workspace needs no unsafe code. [`Support`] tells what this system can enforce, [`Policy::in_force`] what a bot that
//! was started is held to: a process is confined as its policy says or not started at all.
//!
//! It knows nothing of games, protocols or tournaments. What each level promises is told in `arena/docs/sandbox.md`.
//!
//! ```
//! use sandbox::{Attributes, Level, Policy, ResourceLimits};
//!
//! let policy = Policy {
//!     level: Level::Contest,
//!     read: vec!["/opt/engines".into()],
//!     write: Vec::new(),
//!     network: false,
//!     keep: Vec::new(),
//!     limits: ResourceLimits::default(),
//!     attributes: Attributes::Refused,
//!     hidden_memory: false,
//!     user: None,
//!     landlock: 6,
//! };
//! assert_eq!(policy.in_force(), "contest (Landlock 6, seccomp)");
//! // The arena starts itself with these words, and the bot's program behind them.
//! let words = policy.prefix("arena".into())?;
//! assert_eq!((words[1].to_str(), words.len()), (Some("confine"), 4));
//! # Ok::<(), serde_json::Error>(())
//! ```

mod error;
mod level;
mod limits;
#[cfg(target_os = "linux")]
mod linux;
#[cfg(not(target_os = "linux"))]
mod other;
mod policy;
mod reach;
mod support;

pub use error::SandboxError;
pub use level::{Level, LevelError};
pub use limits::ResourceLimits;
#[cfg(target_os = "linux")]
pub use linux::confine;
#[cfg(not(target_os = "linux"))]
pub use other::confine;
pub use policy::{Attributes, Policy, carried};
pub use reach::{closed_to, installation, is_home_or_above};
pub use support::Support;
