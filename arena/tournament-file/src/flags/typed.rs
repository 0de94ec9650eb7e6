//! A tournament of two bots that was typed on the command line: what is wrong with it is told by the flags that were
//! typed, not by the keys of a file that nobody wrote.

use std::path::{Path, PathBuf};
use std::time::Duration;

use diagnostic::Failure;
use settings::{Format, Preset};
use stats::sprt::Hypotheses;

use crate::confinement::sandbox::RawSandbox;
use crate::flags::overrides::read_game;
use crate::games::adjudicate::Flags;
use crate::plan::{self, Plan};
use crate::written::faults::{Faults, Spot};
use crate::written::raw::{Placed, RawBot, RawCommand, RawFile, RawOpenings, RawSprt};

/// What was typed.
#[derive(Debug)]
pub struct Typed {
    /// The name of the tournament.
    pub name: &'static str,
    /// The bots; of a test, the new one and the base.
    pub bots: [TypedBot; 2],
    /// The games, with options as in `fanorona:size=5x5+quiet-cap=10`.
    pub games: Vec<String>,
    /// Pairs of games per game, and the flag that says how many.
    pub rounds: (&'static str, Option<String>),
    /// The time control.
    pub tc: Option<String>,
    /// How many random plies begin a game.
    pub plies: Option<String>,
    /// The seed.
    pub seed: Option<String>,
    /// How many games are played at once.
    pub concurrency: Option<String>,
    /// The directory of the results.
    pub out: Option<String>,
    /// Whether every line between the arena and the bots is kept.
    pub transcripts: bool,
    /// How far the bots are confined.
    pub sandbox: Option<String>,
    /// When games are ended that their rules have not ended.
    pub adjudication: Flags,
    /// The sequential test, if it is one.
    pub test: Option<TypedTest>,
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
    /// Where it was built, if it comes from a commit.
    pub checkout: Option<Checkout>,
}

/// A commit of which a bot was built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checkout {
    /// The directory in which the bot runs, and from which its paths are taken.
    pub dir: PathBuf,
    /// The directory of all files of the commit: the bot may read them.
    pub root: PathBuf,
    /// The name of the commit in tables.
    pub version: String,
    /// What tells it from all other builds, whatever their bytes: the commit and how it was built.
    pub identity: String,
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
        let mut faults = Faults::default();
        let raw = self.into_raw();
        match plan::check(&raw, raw.value("name").unwrap_or_default(), Path::new("."), &mut faults) {
            Some(plan) if faults.is_empty() => Ok(Plan { notes: faults.into_notes(), ..plan }),
            _ => Err(faults.into_failure("the command line", "")),
        }
    }

    fn into_raw(self) -> RawFile {
        let game = |text: &String| Placed { spot: Spot::Flag("--game"), value: Some(read_game(text)) };
        let format = self.test.as_ref().map(|_| Format::Sprt.to_string());
        let transcripts = self.transcripts.then(|| true.to_string());
        let values = [
            ("name", Some(self.name.to_owned())),
            ("format", format),
            ("rounds", self.rounds.1),
            ("tc", self.tc),
            ("seed", self.seed),
            ("out", self.out),
            ("concurrency", self.concurrency),
            ("transcripts", transcripts),
        ];
        let mut raw = RawFile {
            values: values.into_iter().filter_map(|(key, text)| Some((key, text?))).collect(),
            sprt: self.test.as_ref().map(TypedTest::to_raw),
            games: Some(self.games.iter().map(game).collect()),
            bots: Some(self.bots.into_iter().map(TypedBot::into_raw).collect()),
            openings: self.plies.map(|plies| RawOpenings { plies: Some(plies), ..RawOpenings::default() }),
            sandbox: self.sandbox.as_deref().map(RawSandbox::level),
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
        ]);
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
        Self { flag, name: name.into(), program: program.to_owned(), io: None, checkout: None }
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
        bot.version = self.checkout.as_ref().map(|checkout| checkout.version.clone());
        bot.checkout = self.checkout;
        Placed { spot: Spot::Flag(self.flag), value: Some(bot) }
    }
}
