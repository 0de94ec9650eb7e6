//! What one bot may do.

use std::ffi::OsString;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{Level, ResourceLimits, Support};

/// What one bot may do. What its system needs to run programs it always may use, and so its private directory: the one that
/// `TMPDIR` names where the process starts, which its starter has made and removes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Policy {
    /// The level that this makes true.
    pub level: Level,
    /// Files and directories that may be read, and run, besides those of the system.
    pub read: Vec<PathBuf>,
    /// Files and directories that may be written too. Each must exist.
    pub write: Vec<PathBuf>,
    /// Whether it may use TCP and UDP.
    pub network: bool,
    /// Names of variables of its own, which reach it as [`carried`] says, besides the usual ones of the environment.
    pub keep: Vec<String>,
    /// What each of its processes may use.
    pub limits: ResourceLimits,
    /// What becomes of changes to the modes, owners, dates and attributes of files, which Landlock does not cover.
    pub attributes: Attributes,
    /// Whether it may hold memory that a look at its processes does not find. Refused where all processes of a bot together
    /// have a limit of memory and no control group counts what they hold.
    pub hidden_memory: bool,
    /// The user and group that it runs as, where it is another one.
    pub user: Option<u32>,
    /// The features of Landlock that hold, as [`Support::landlock`] counts them.
    pub landlock: u8,
}

/// What becomes of changes to the modes, owners, dates and attributes of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Attributes {
    /// They are refused.
    Refused,
    /// They seem to succeed, and nothing is changed: for programs that would give up, where somebody else sees to modes.
    Ignored,
    /// They are allowed: for a process that owns nothing but what it makes.
    Allowed,
}

/// The word that has the arena's executable confine itself and become a bot.
pub(crate) const WORD: &str = "confine";

/// Returns the name under which a variable of a bot's own is to be set for the process that confines itself. That process takes
/// notice of `LD_PRELOAD` and the like as any other does, before it is confined; the bot finds the variable under its own name.
pub fn carried(name: &str) -> String {
    format!("ARENA_BOT_{name}")
}

impl Policy {
    /// Returns the words that stand before a bot's program and its arguments: those of a process that confines itself
    /// and becomes the bot. `arena` is the arena's own executable.
    ///
    /// # Errors
    /// When a path cannot be written as text.
    pub fn prefix(&self, arena: PathBuf) -> Result<Vec<OsString>, serde_json::Error> {
        Ok(vec![arena.into(), WORD.into(), serde_json::to_string(self)?.into(), "--".into()])
    }

    /// Returns what a bot that was started under this policy is held to, for people: `basic (Landlock 6, seccomp)`.
    #[must_use]
    pub fn in_force(&self) -> String {
        let mut means = vec![format!("Landlock {}", self.landlock), "seccomp".to_owned()];
        if let Some(user) = self.user {
            means.push(format!("user {user}"));
        }
        if self.level == Level::Strict {
            means.push("namespaces".to_owned());
        }
        if self.network {
            means.push("network allowed".to_owned());
        }
        format!("{} ({})", self.level, means.join(", "))
    }

    /// Returns what is lacking on a system for this policy to hold, if anything is.
    #[must_use]
    pub fn lacking(&self, support: &Support) -> Option<&'static str> {
        support.lacking().filter(|_| self.level > Level::None)
    }
}
