//! A tournament of two bots that was typed on the command line: what is wrong with it is told by the flags that were
//! typed, not by the keys of a file that nobody wrote.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command, FromArgMatches};
use diagnostic::Failure;
use settings::{Format, Preset};
use stats::sprt::Hypotheses;

use crate::flags::overrides::argument_of;
use crate::games::adjudicate::Flags;
use crate::plan::{self, Plan};
use crate::written::compact;
use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::{
    Checkout, Placed, RawBot, RawCommand, RawFile, RawGame, RawOpenings, RawSandbox, RawSprt, UserMap,
};

/// What was typed.
#[derive(Debug)]
pub struct Typed {
    /// The name of the tournament.
    pub name: &'static str,
    /// The bots; of a test, the new one and the base.
    pub bots: Vec<TypedBot>,
    /// The games, with options as in `fanorona:size=5x5,quiet-cap=10`.
    pub games: Vec<String>,
    /// UserMap of games per game, and the flag that says how many.
    pub rounds: (&'static str, Option<String>),
    /// What the flags with the words of the tournament file say.
    pub flags: TypedFlags,
    /// Whether every line between the arena and the bots is kept.
    pub transcripts: bool,
    /// When games are ended that their rules have not ended.
    pub adjudication: Flags,
    /// The sequential test, if it is one.
    pub test: Option<TypedTest>,
}

/// Flags with the words of the tournament file, for two bots without a file. Their help comes from the declarations of the keys.
#[derive(Clone, Debug, Default)]
pub struct TypedFlags {
    /// The time control.
    pub tc: Option<String>,
    /// How many random plies begin a game.
    pub plies: Option<String>,
    /// How games begin, if more is said of it: `turns=2,deepen`.
    pub openings: Option<String>,
    /// The seed.
    pub seed: Option<String>,
    /// How many games are played at once.
    pub concurrency: Option<String>,
    /// The directory of the results.
    pub out: Option<String>,
    /// How far the bots are confined.
    pub sandbox: Option<String>,
    /// The command that is told of events.
    pub on_event: Option<String>,
    /// The address to which events are posted.
    pub webhook: Option<String>,
}

impl TypedFlags {
    /// Returns the name of the first flag that was given.
    #[must_use]
    pub fn first_given(&self) -> Option<&'static str> {
        let given = [
            ("--tc", &self.tc),
            ("--plies", &self.plies),
            ("--openings", &self.openings),
            ("--seed", &self.seed),
            ("--concurrency", &self.concurrency),
            ("--out", &self.out),
            ("--sandbox", &self.sandbox),
            ("--on-event", &self.on_event),
            ("--webhook", &self.webhook),
        ];
        given.into_iter().find_map(|(flag, value)| value.as_ref().map(|_| flag))
    }
}

impl clap::Args for TypedFlags {
    fn augment_args(command: Command) -> Command {
        let plies = Arg::new("plies").long("plies").value_name("N").conflicts_with("openings");
        let plies = plies.help("How many random plies begin a game: short for `--openings plies=N`");
        ["tc", "openings"]
            .into_iter()
            .fold(command, |command, key| command.arg(argument_of(key)))
            .arg(plies)
            .args(["seed", "concurrency", "sandbox", "out", "on-event", "webhook"].map(argument_of))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for TypedFlags {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let text = |name: &str| matches.get_one::<String>(name).cloned();
        Ok(Self {
            tc: text("tc"),
            plies: text("plies"),
            openings: text("openings"),
            seed: text("seed"),
            concurrency: text("concurrency"),
            out: text("out"),
            sandbox: text("sandbox"),
            on_event: text("on-event"),
            webhook: text("webhook"),
        })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// A bot that was typed.
#[derive(Debug)]
pub struct TypedBot {
    /// The flag or argument that says what it is.
    pub flag: &'static str,
    /// Its name in tables.
    pub name: String,
    /// The name of a bot of the arena, or a command.
    pub program: String,
    /// How it gets its lines, where it is a command and that was said.
    pub io: Option<String>,
    /// Its options, `key=value` each.
    pub options: Vec<String>,
    /// Where it was built, if it comes from a commit.
    pub checkout: Option<Checkout>,
}

/// A sequential test that was typed.
#[derive(Debug)]
pub struct TypedTest {
    /// What it tests.
    pub hypotheses: Hypotheses,
    /// Whether its bounds are corrected for the jump beyond them.
    pub overshoot: bool,
    /// Where the greatest number of pairs comes from if nothing else is said.
    pub preset: Option<Preset>,
    /// How long it may play.
    pub max_time: Option<Duration>,
}

impl Typed {
    /// Checks what was typed.
    ///
    /// # Errors
    /// With everything that is wrong in it.
    pub fn plan(self) -> Result<Plan, Failure> {
        let mut errors = InputErrors::default();
        let checkouts = self.bots.iter().filter_map(|bot| Some((bot.name.clone(), bot.checkout.clone()?)));
        let commits = checkouts.collect();
        let raw = self.into_raw(&mut errors);
        match plan::check(&raw, raw.value("name").unwrap_or_default(), Path::new("."), &mut errors) {
            Some(plan) if errors.is_empty() => Ok(Plan { notes: errors.into_notes(), commits, ..plan }),
            _ => Err(errors.into_failure("the command line", "")),
        }
    }

    fn into_raw(self, errors: &mut InputErrors) -> RawFile {
        let game = |text: &String| Placed { spot: Spot::Flag("--game"), value: Some(RawGame::typed(text)) };
        let format = self.test.as_ref().map(|_| Format::Sprt.to_string());
        let transcripts = self.transcripts.then(|| true.to_string());
        let values = [
            ("name", Some(self.name.to_owned())),
            ("format", format),
            ("rounds", self.rounds.1),
            ("tc", self.flags.tc),
            ("seed", self.flags.seed),
            ("out", self.flags.out),
            ("concurrency", self.flags.concurrency),
            ("transcripts", transcripts),
            ("on-event", self.flags.on_event),
            ("webhook", self.flags.webhook),
        ];
        let mut raw = RawFile {
            values: values.into_iter().filter_map(|(key, text)| Some((key, text?))).collect(),
            sprt: self.test.as_ref().map(TypedTest::to_raw),
            games: Some(self.games.iter().map(game).collect()),
            bots: Some(self.bots.into_iter().map(TypedBot::into_raw).collect()),
            openings: self
                .flags
                .plies
                .map(|plies| RawOpenings { plies: Some(plies), ..RawOpenings::default() }),
            sandbox: self.flags.sandbox.as_deref().map(RawSandbox::level),
            ..RawFile::default()
        };
        raw.flags.extend([
            ("games", "--game"),
            ("rounds", self.rounds.0),
            ("tc", "--tc"),
            ("seed", "--seed"),
            ("openings", "--plies"),
            ("out", "--out"),
            ("concurrency", "--concurrency"),
            ("sandbox", "--sandbox"),
            ("on-event", "--on-event"),
            ("webhook", "--webhook"),
        ]);
        if let Some(text) = &self.flags.openings
            && let Some((openings, argument)) = compact::read("openings", "--openings", text, errors)
        {
            raw.openings = Some(openings);
            raw.flags.remove("openings");
            raw.arguments.insert("openings", Arc::new(argument));
        }
        self.adjudication.apply(&mut raw);
        raw
    }
}

impl TypedTest {
    fn to_raw(&self) -> RawSprt {
        let hypotheses = &self.hypotheses;
        RawSprt {
            preset: self.preset.map(|preset| preset.to_string()),
            elo0: Some(hypotheses.elo0().to_string()),
            elo1: Some(hypotheses.elo1().to_string()),
            alpha: Some(hypotheses.alpha().to_string()),
            beta: Some(hypotheses.beta().to_string()),
            model: Some(hypotheses.model().to_string()),
            overshoot: Some(self.overshoot.to_string()),
            max_time: self.max_time.map(settings::format_duration),
        }
    }
}

impl TypedBot {
    /// Returns a bot that was typed as the name of one of the arena, or as a command.
    pub fn new(flag: &'static str, name: impl Into<String>, program: &str) -> Self {
        Self {
            flag,
            name: name.into(),
            program: program.to_owned(),
            io: None,
            options: Vec::new(),
            checkout: None,
        }
    }

    fn into_raw(self) -> Placed<RawBot> {
        let mut bot = RawBot { name: Some(self.name), ..RawBot::default() };
        match kit::builtin(&self.program).filter(|_| self.checkout.is_none()) {
            Some(builtin) => bot.builtin = Some(builtin.name.to_owned()),
            None => {
                bot.cmd = Some(RawCommand::Line(self.program));
                bot.io = self.io;
            }
        }
        let pair = |option: &String| match option.split_once('=') {
            Some((key, value)) => (key.trim().to_owned(), Some(value.trim().to_owned())),
            None => (option.trim().to_owned(), None),
        };
        bot.options = (!self.options.is_empty()).then(|| UserMap(self.options.iter().map(pair).collect()));
        bot.version = self.checkout.as_ref().map(|checkout| checkout.version.clone());
        bot.checkout = self.checkout;
        Placed { spot: Spot::Flag(self.flag), value: Some(bot) }
    }
}
