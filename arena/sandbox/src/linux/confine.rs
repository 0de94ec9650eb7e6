//! A process that confines itself and becomes a bot.

use std::convert::Infallible;
use std::ffi::OsString;
use std::os::unix::process::CommandExt as _;
use std::process::Command;

use rustix::fs::Mode;

use super::{files, filter, identity, namespaces, process};
use crate::{Level, Policy, SandboxError};

/// Confines this process, which must have one thread only, and becomes a bot. The words are a policy, `--`, the bot's
/// program and its arguments, as [`Policy::prefix`] writes them.
///
/// # Errors
/// When anything cannot be put in force, or the program cannot be run: the process may be confined in part by then and
/// can only end.
pub fn confine(words: impl Iterator<Item = OsString>) -> Result<Infallible, SandboxError> {
    let (policy, program, args) = read(words)?;
    let private = process::private()?;
    process::close_descriptors()?;
    if policy.level == Level::Strict {
        namespaces::enter(&policy, &program, &args)?;
    }
    process::lead_session()?;
    process::hand_over(&private, policy.user)?;
    rustix::process::umask(Mode::from_raw_mode(0o077));
    // While everything can still be opened.
    let rules = files::rules(&policy, &private)?;
    let environment = process::environment(&policy, &private);
    process::limit(&policy.limits)?;
    identity::gain_nothing()?;
    files::restrict(rules)?;
    identity::become_user(policy.user)?;
    filter::install(&policy)?;
    let error = Command::new(&program).args(args).env_clear().envs(environment).exec();
    Err(SandboxError::Exec { program: program.into(), source: error })
}

fn read(
    mut words: impl Iterator<Item = OsString>,
) -> Result<(Policy, OsString, Vec<OsString>), SandboxError> {
    let fault = |reason: &str| SandboxError::Words { reason: reason.to_owned() };
    let policy = words.next().ok_or_else(|| fault("no policy is given"))?;
    let policy = policy.to_str().ok_or_else(|| fault("the policy is no text"))?;
    let policy = serde_json::from_str(policy).map_err(|error| fault(&format!("not a policy: {error}")))?;
    if words.next().is_none_or(|word| word != "--") {
        return Err(fault("no `--` follows the policy"));
    }
    let program = words.next().ok_or_else(|| fault("no program is given"))?;
    Ok((policy, program, words.collect()))
}
