//! An entry by itself: what its file says before it is built, and the games by which it is tried.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::slice;

use ::sandbox::Level;
use diagnostic::Failure;
use rules::{Catalogue, Setup};
use runner::PlannedBot;
use settings::Format;

use crate::flags::words;
use crate::plan::{self, Plan};
use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::{Placed, RawBot, RawCommand, RawEntry, RawFile, RawGame, RawSandbox, UserMap};
use crate::{bots, bots::entries};

/// An entry whose file can be used.
#[derive(Clone, Debug)]
pub struct Submission {
    /// What messages call its file.
    file: String,
    text: String,
    raw: RawEntry,
    /// The level at which it is confined, where one is asked for.
    sandbox: Option<Level>,
}

/// How an entry is tried.
#[derive(Clone, Debug)]
pub struct EntryTrial<'a> {
    /// The directory in which it lies, built.
    pub dir: &'a Path,
    /// The games: a pair of each.
    pub games: &'a [Setup],
    /// The built-in bot that it meets.
    pub opponent: &'static str,
    /// The time control.
    pub tc: &'a str,
    /// The seed.
    pub seed: u64,
    /// How far a clock may be overrun.
    pub margin: &'a str,
}

impl Submission {
    /// Reads the file of an entry, which messages call `shown`; it is to be confined at a level, where one is named. Whether there is a program to run is not looked at: it may
    /// have to be built.
    ///
    /// # Errors
    /// With everything that is wrong in it.
    pub fn read(file: &Path, shown: &str, sandbox: Option<Level>) -> Result<Self, Failure> {
        let text = entries::text(file).map_err(|diagnostic| diagnostic.within(&format!("`{shown}`")))?;
        let mut errors = InputErrors::default();
        let entries::Read { raw, spot } = entries::read(shown, &text, &mut errors);
        if let Some(raw) = &raw {
            let dir = file.parent().unwrap_or(file);
            let bot = entries::into_bot(raw.clone(), dir, &spot, &mut errors);
            // A bot of the arena stands for the one that is still to be built.
            let stand_in = Some(kit::BUILTINS[0].name.to_owned());
            let bot = RawBot { cmd: None, builtin: stand_in, dir: None, files: None, ..bot };
            bots::check_one(&bot, &spot, dir, &bots::Usual::default(), &mut errors);
        }
        match raw {
            Some(raw) if errors.is_empty() => Ok(Self { file: shown.to_owned(), text, raw, sandbox }),
            _ => Err(errors.into_failure("the command line", "")),
        }
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        self.raw.name.as_deref().unwrap_or_default()
    }

    /// Returns the language in which it is written, if it says so.
    pub fn language(&self) -> Option<&str> {
        self.raw.language.as_deref()
    }

    /// Returns the line of the shell that builds it, if it has to be built.
    pub fn build(&self) -> Option<&str> {
        self.raw.build.as_deref().filter(|line| !line.trim().is_empty())
    }

    /// Returns the program that runs it, as its file names it.
    pub fn program(&self) -> Option<String> {
        match self.raw.run.as_ref()? {
            RawCommand::Words(words) => words.first().cloned(),
            RawCommand::Line(line) => words::split(line)?.into_iter().next(),
        }
    }

    /// Returns the programs that it says it needs.
    pub fn tools(&self) -> &[String] {
        self.raw.tools.as_deref().unwrap_or_default()
    }

    /// Returns the packages of Debian that hold them, as it says.
    pub fn packages(&self) -> &[String] {
        self.raw.packages.as_deref().unwrap_or_default()
    }

    /// Returns the text of its file.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns how it is started, once it is built in `dir`.
    ///
    /// # Errors
    /// With everything that is wrong in its file, a program that is not there above all.
    pub fn bot(&self, dir: &Path) -> Result<PlannedBot, Failure> {
        let mut errors = InputErrors::default();
        let bot = self.placed(dir, &mut errors);
        let usual = bots::Usual::default();
        let found = bot.value.and_then(|value| bots::check_one(&value, &bot.spot, dir, &usual, &mut errors));
        match found {
            Some((_, found)) if errors.is_empty() => Ok(found),
            _ => Err(errors.into_failure("the command line", "")),
        }
    }

    /// Returns the tournament by which it is tried: a pair of games with a built-in bot in each game, and at a table of more than two
    /// a block of games with copies of that bot.
    ///
    /// # Errors
    /// With everything that is wrong in it.
    pub fn plan(&self, trial: &EntryTrial<'_>) -> Result<Plan, Failure> {
        let mut errors = InputErrors::default();
        let entry = self.placed(trial.dir, &mut errors);
        let spot = Spot::Flag;
        let name = if self.name() == trial.opponent {
            format!("arena-{}", trial.opponent)
        } else {
            trial.opponent.to_owned()
        };
        let seats: BTreeSet<usize> = trial.games.iter().map(Setup::seats).collect();
        let most = seats.last().copied().unwrap_or(2).max(2);
        let opponents: Vec<String> =
            (1..most).map(|copy| if copy == 1 { name.clone() } else { format!("{name}-{copy}") }).collect();
        let opponent = |name: &String| RawBot {
            name: Some(name.clone()),
            builtin: Some(trial.opponent.to_owned()),
            ..RawBot::default()
        };
        let game = |setup: &Setup| {
            let options = setup.options().iter().map(|(key, value)| ((*key).to_owned(), Some(value.clone())));
            let game =
                RawGame { options: Some(UserMap(options.collect())), ..RawGame::named(setup.game().id) };
            Placed { spot: spot("--game"), value: Some(game) }
        };
        let own = self.name().to_owned();
        let one_match = |seats: &usize| [slice::from_ref(&own), &opponents[..seats - 1]].concat();
        let mut bots = vec![entry];
        bots.extend(opponents.iter().map(|name| Placed { spot: spot("DIR"), value: Some(opponent(name)) }));
        let mut values: BTreeMap<_, _> = [
            ("name", "intake".to_owned()),
            ("rounds", "1".to_owned()),
            ("tc", trial.tc.to_owned()),
            ("seed", trial.seed.to_string()),
            ("margin", trial.margin.to_owned()),
            ("concurrency", "1".to_owned()),
        ]
        .into();
        // The copies do not meet each other alone.
        if most > 2 {
            values.insert("format", Format::List.to_string());
        }
        let mut raw = RawFile {
            values,
            games: Some(trial.games.iter().map(game).collect()),
            catalogue: Catalogue::of(trial.games),
            bots: Some(bots),
            matches: (most > 2).then(|| seats.iter().map(one_match).collect()),
            ..RawFile::default()
        };
        raw.flags.extend([("tc", "--tc"), ("seed", "--seed"), ("margin", "--margin")]);
        match plan::check(&raw, "intake", trial.dir, &mut errors) {
            Some(plan) if errors.is_empty() => Ok(plan),
            _ => Err(errors.into_failure("the command line", "")),
        }
    }

    fn placed(&self, dir: &Path, errors: &mut InputErrors) -> Placed<RawBot> {
        let entries::Read { raw, spot } = entries::read(&self.file, &self.text, errors);
        let mut value = raw.map(|raw| entries::into_bot(raw, dir, &spot, errors));
        if let Some(bot) = &mut value {
            bot.sandbox = self.sandbox.map(|level| RawSandbox::level(&level.to_string()));
        }
        // It has been built: a program that is not there now will not be.
        if let Some(entry) = value.as_mut().and_then(|bot| bot.entry.as_mut()) {
            entry.is_built = false;
        }
        Placed { spot, value }
    }
}
