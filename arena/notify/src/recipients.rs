//! Who is told.

use std::path::PathBuf;
use std::time::Duration;

/// How long a command or a request may take.
const DEADLINE: Duration = Duration::from_secs(10);

/// A command and where it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program and its arguments; at least the program.
    pub words: Vec<String>,
    /// The directory in which it runs.
    pub directory: PathBuf,
}

/// Who is told of what happens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recipients {
    /// A command that gets each event on standard input.
    pub command: Option<CommandLine>,
    /// An address to which each event is posted.
    pub webhook: Option<String>,
    /// How long one may take for one event.
    pub deadline: Duration,
}

impl Default for Recipients {
    /// Returns nobody.
    fn default() -> Self {
        Self { command: None, webhook: None, deadline: DEADLINE }
    }
}

impl Recipients {
    /// Returns whether there is anybody to tell.
    #[must_use]
    pub const fn is_nobody(&self) -> bool {
        self.command.is_none() && self.webhook.is_none()
    }
}

/// Returns what is wrong with the address of a webhook, in words.
///
/// # Errors
/// When it is no address that this executable can post to.
pub fn check_url(url: &str) -> Result<(), &'static str> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"));
    let host = rest.and_then(|rest| rest.split(['/', '?', '#']).next()).unwrap_or_default();
    if host.is_empty() || url.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return Err("this is no address that begins with `https://` or `http://`");
    }
    if cfg!(feature = "webhook") {
        Ok(())
    } else {
        Err("this executable was built without webhooks: it needs the feature `webhook`")
    }
}
