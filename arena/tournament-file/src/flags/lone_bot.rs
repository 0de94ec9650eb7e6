//! A bot without a tournament around it: what is wrong with it is told by the words that named it.

use std::collections::BTreeMap;
use std::path::Path;

use diagnostic::Failure;
use diagnostic::say;
use record::{Grants, StartConfig};
use rules::Catalogue;
use runner::PlannedBot;
use settings::RecordedQuota;

use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::{RawBot, RawCommand, RawLimits, RawSandbox, UserMap};
use crate::{Overrides, Plan, bots};

/// A bot alone.
#[derive(Debug)]
pub struct LoneBot<'a> {
    /// The flag, argument or record that names it, for messages.
    pub flag: &'static str,
    /// Its name.
    pub name: &'a str,
    /// Its version, if it is known.
    pub version: Option<&'a str>,
    /// What is started.
    pub program: Program<'a>,
    /// The options sent with `setoption`.
    pub options: BTreeMap<String, String>,
    /// A time control of its own.
    pub tc: Option<&'a str>,
    /// How far it is confined, if the command line says so.
    pub sandbox: Option<&'a str>,
    /// What its processes together may use, as `--limits` has it.
    pub limits: Option<&'a str>,
    /// Further keys of its entry that say how it is started and addressed, such as `hello`, by name.
    pub keys: BTreeMap<&'static str, String>,
    /// How a journal says that it was confined.
    pub recorded: Option<RecordedStart<'a>>,
    /// The games of one's own that it plays if it comes with the arena.
    pub own_games: Catalogue,
}

/// How a journal says that a bot was confined, started and addressed.
#[derive(Clone, Debug)]
pub struct RecordedStart<'a> {
    /// The level.
    pub level: &'a str,
    /// What it was allowed besides.
    pub granted: Grants,
    /// What its processes together might use.
    pub limits: &'a RecordedQuota,
    /// How it was started and addressed.
    pub start: &'a StartConfig,
}

/// How bots are confined that are started by hand.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct Confinement {
    /// How far bots without a `sandbox` of their own are confined: `none`, `basic`, `contest` or `strict`
    #[arg(long, value_name = "LEVEL")]
    pub sandbox: Option<String>,
    /// What all processes of a bot without `limits` of its own may use together: `memory=2GiB,cpu=10m,processes=64`
    #[arg(long, value_name = "KEY=VALUE,…")]
    pub limits: Option<String>,
}

impl Confinement {
    /// Returns whether nothing is said.
    pub const fn is_empty(&self) -> bool {
        self.sandbox.is_none() && self.limits.is_none()
    }

    /// Reads a tournament file whose bots are started by hand.
    ///
    /// # Errors
    /// With everything that is wrong in it.
    pub fn load(&self, file: &Path) -> Result<Plan, Failure> {
        let given = [("sandbox", &self.sandbox), ("limits", &self.limits)];
        let given = given.into_iter().filter_map(|(key, text)| Some((key, text.as_ref()?)));
        crate::load(file, &given.fold(Overrides::default(), |all, (key, text)| all.with(key, text)))
    }

    /// Returns a bot of this name that is nothing but its program, confined so. If it comes with the arena, it also plays these
    /// games of one's own.
    pub fn bot<'a>(
        &'a self,
        flag: &'static str,
        name: &'a str,
        program: Program<'a>,
        own_games: &Catalogue,
    ) -> LoneBot<'a> {
        let own_games = own_games.clone();
        let (sandbox, limits) = (self.sandbox.as_deref(), self.limits.as_deref());
        LoneBot { sandbox, limits, own_games, ..LoneBot::new(flag, name, program) }
    }
}

/// What is started.
#[derive(Clone, Copy, Debug)]
pub enum Program<'a> {
    /// A bot of the arena itself.
    Builtin(&'a str),
    /// A command in one text, split as a shell would.
    Line(&'a str),
    /// A program and its arguments.
    Words(&'a [String]),
}

impl<'a> LoneBot<'a> {
    /// Returns a bot of this name that is nothing but its program.
    pub fn new(flag: &'static str, name: &'a str, program: Program<'a>) -> Self {
        Self {
            flag,
            name,
            version: None,
            program,
            options: BTreeMap::new(),
            tc: None,
            sandbox: None,
            limits: None,
            keys: BTreeMap::new(),
            recorded: None,
            own_games: Catalogue::default(),
        }
    }

    /// Checks the bot as one of a tournament file in the directory `base`, and tells how far it is confined.
    ///
    /// # Errors
    /// With everything that is wrong in it.
    pub fn check(self, base: &Path) -> Result<PlannedBot, Failure> {
        let (bot, notes) = self.checked(base)?;
        notes.iter().for_each(|note| say(note));
        Ok(bot)
    }

    /// Checks the bot as one of a tournament file in the directory `base`. Returns also what the user is to be told of how
    /// far it is confined.
    ///
    /// # Errors
    /// With everything that is wrong in it.
    pub fn checked(self, base: &Path) -> Result<(PlannedBot, Vec<String>), Failure> {
        let (builtin, cmd) = match self.program {
            Program::Builtin(name) => (Some(name.to_owned()), None),
            Program::Line(line) => (None, Some(RawCommand::Line(line.to_owned()))),
            Program::Words(words) => (None, Some(RawCommand::Words(words.to_vec()))),
        };
        let options = self.options.into_iter().map(|(key, value)| (key, Some(value))).collect();
        let start = self.recorded.as_ref().map(|recorded| recorded.start.words()).unwrap_or_default();
        let recorded = |key: &str| start.iter().find(|(name, _)| *name == key).map(|(_, text)| text.clone());
        let said = |key: &str| self.keys.get(key).cloned().or_else(|| recorded(key));
        let raw = RawBot {
            name: Some(self.name.to_owned()),
            hello: said("hello"),
            clock: said("clock"),
            position_keyword: said("position-keyword"),
            quiet: said("quiet"),
            io: said("io"),
            version: self.version.map(str::to_owned),
            builtin,
            cmd,
            options: Some(UserMap(options)),
            tc: self.tc.map(str::to_owned),
            limits: self.recorded.as_ref().map(|RecordedStart { limits, .. }| {
                let text = |key: &str| limits.text(key).map(str::to_owned);
                RawLimits { memory: text("memory"), cpu: text("cpu"), processes: text("processes") }
            }),
            sandbox: self.recorded.map(|it| RawSandbox::recorded(it.level, it.granted)),
            ..RawBot::default()
        };
        let usual = bots::Usual {
            sandbox: self.sandbox.map(RawSandbox::level),
            limits: self.limits,
            own_games: self.own_games,
        };
        let mut errors = InputErrors::default();
        match bots::check_one(&raw, &Spot::Flag(self.flag), base, &usual, &mut errors) {
            Some((_, bot)) if errors.is_empty() => Ok((bot, errors.into_notes())),
            _ => Err(errors.into_failure("the command line", "")),
        }
    }
}
