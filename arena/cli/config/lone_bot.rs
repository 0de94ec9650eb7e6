//! A bot without a tournament around it: what is wrong with it is told by the words that named it.

use std::collections::BTreeMap;
use std::path::Path;

use runner::Bot;

use super::bots;
use super::faults::{Faults, Spot};
use super::raw::{Pairs, RawBot, RawCommand, RawLimits};
use super::sandbox::RawSandbox;
use crate::diagnostic::Failure;
use crate::progress::say;

/// A bot alone.
#[derive(Debug)]
pub(crate) struct LoneBot<'a> {
    /// The flag, argument or record that names it, for messages.
    pub(crate) flag: &'static str,
    /// Its name.
    pub(crate) name: &'a str,
    /// Its version, if it is known.
    pub(crate) version: Option<&'a str>,
    /// What is started.
    pub(crate) program: Program<'a>,
    /// The options sent with `setoption`.
    pub(crate) options: BTreeMap<String, String>,
    /// A time control of its own.
    pub(crate) tc: Option<&'a str>,
    /// How far it is confined, if that is said.
    pub(crate) sandbox: Option<&'a str>,
    /// What its processes together may use, as a journal records it.
    pub(crate) limits: BTreeMap<String, String>,
}

/// What is started.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Program<'a> {
    /// A bot of the arena itself.
    Builtin(&'a str),
    /// A command in one text, split as a shell would.
    Line(&'a str),
    /// A program and its arguments.
    Words(&'a [String]),
}

impl<'a> LoneBot<'a> {
    /// Returns a bot of this name that is nothing but its program.
    pub(crate) const fn new(flag: &'static str, name: &'a str, program: Program<'a>) -> Self {
        Self {
            flag,
            name,
            version: None,
            program,
            options: BTreeMap::new(),
            tc: None,
            sandbox: None,
            limits: BTreeMap::new(),
        }
    }

    /// Checks the bot as one of a tournament file in the directory `base`, and tells how far it is confined.
    ///
    /// # Errors
    /// With everything that is wrong in it.
    pub(crate) fn check(self, base: &Path) -> Result<Bot, Failure> {
        let (builtin, cmd) = match self.program {
            Program::Builtin(name) => (Some(name.to_owned()), None),
            Program::Line(line) => (None, Some(RawCommand::Line(line.to_owned()))),
            Program::Words(words) => (None, Some(RawCommand::Words(words.to_vec()))),
        };
        let options = self.options.into_iter().map(|(key, value)| (key, Some(value))).collect();
        let raw = RawBot {
            name: Some(self.name.to_owned()),
            version: self.version.map(str::to_owned),
            builtin,
            cmd,
            options: Some(Pairs(options)),
            tc: self.tc.map(str::to_owned),
            sandbox: self.sandbox.map(RawSandbox::level),
            limits: Some(RawLimits {
                memory: self.limits.get("memory").cloned(),
                cpu: self.limits.get("cpu").cloned(),
                processes: self.limits.get("processes").cloned(),
            }),
            ..RawBot::default()
        };
        let mut faults = Faults::default();
        match bots::check_one(&raw, &Spot::Flag(self.flag), base, &mut faults) {
            Some((_, bot)) if faults.is_empty() => {
                faults.into_notes().iter().for_each(|note| say(note));
                Ok(bot)
            }
            _ => Err(faults.into_failure("the command line", "")),
        }
    }
}
