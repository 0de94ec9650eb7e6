//! The bots that can be chosen: the built-in ones and those that the command line names.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use diagnostic::Failure;
use page::ListedBot;
use rules::{Catalogue, GameRef, Setup};
use runner::PlannedBot;
use tournament_file::{Confinement, Program, lacks_rules};

/// The bots that can be chosen, by their names.
#[derive(Debug)]
pub(crate) struct OfferedBots {
    /// Those of the command line.
    own: Vec<PlannedBot>,
    /// The directory of the run that the tournament file plays, where one is named.
    run_directory: Option<PathBuf>,
    /// The games that can be played.
    catalogue: Catalogue,
    /// How bots are confined.
    confinement: Confinement,
    /// Those of the arena that were chosen before: what tells their versions apart takes time to work out.
    builtin: Mutex<BTreeMap<&'static str, PlannedBot>>,
}

impl OfferedBots {
    /// Reads the words of `--bot`, `NAME=CMD` each, and the bots and games of a tournament file, which come to those of the
    /// catalogue.
    ///
    /// # Errors
    /// With what is wrong in them.
    pub(crate) fn read(
        words: &[String],
        file: Option<&Path>,
        mut catalogue: Catalogue,
        confinement: Confinement,
    ) -> Result<Self, Failure> {
        let plan = file.map(|file| confinement.load(file)).transpose()?;
        let run_directory = plan.as_ref().map(|plan| plan.out.clone());
        for game in plan.iter().flat_map(|plan| plan.catalogue().own().collect::<Vec<_>>()) {
            if let GameRef::Own(game) = game {
                // What the command line names comes first.
                let _ = catalogue.add(game);
            }
        }
        let mut own = plan.map(|plan| plan.bots).unwrap_or_default();
        for word in words {
            let (name, command) = word
                .split_once('=')
                .map(|(name, command)| (name.trim(), command.trim()))
                .filter(|(name, command)| !name.is_empty() && !command.is_empty())
                .ok_or_else(|| {
                    Failure::usage(format!("`--bot {word}` is no name with a command"))
                        .hint("expected `--bot NAME=CMD`, as in `--bot 'mine=python3 mine.py'`")
                })?;
            if kit::builtin(name).is_some() || own.iter().any(|bot| bot.name == name) {
                return Err(Failure::usage(format!("`--bot {word}`: there is a bot `{name}` already")));
            }
            own.push(
                confinement.bot("--bot", name, Program::Line(command), &catalogue).check(Path::new("."))?,
            );
        }
        if own.is_empty() && !confinement.is_empty() {
            // What cannot be had is told now, not when somebody chooses a bot.
            let name = kit::BUILTINS[0].name;
            confinement.bot("--bot", name, Program::Builtin(name), &catalogue).check(Path::new("."))?;
        }
        Ok(Self { own, run_directory, catalogue, confinement, builtin: Mutex::default() })
    }

    /// Returns the directory of the run that the tournament file plays.
    pub(crate) fn run_directory(&self) -> Option<&Path> {
        self.run_directory.as_deref()
    }

    /// Returns the games that can be played.
    pub(crate) const fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// Returns all of them, as a page lists them.
    pub(crate) fn list(&self) -> Vec<ListedBot> {
        let own = self.own.iter().map(|bot| ListedBot {
            name: bot.name.clone(),
            about: String::new(),
            lacks: Vec::new(),
        });
        // A bot of a tournament file may have the name of a built-in one: it is meant then.
        let builtin = kit::BUILTINS.iter().filter(|bot| self.own.iter().all(|own| own.name != bot.name));
        let builtin = builtin.map(|bot| ListedBot {
            name: bot.name.to_owned(),
            about: bot.about.to_owned(),
            lacks: self.lacking(bot.name),
        });
        own.chain(builtin).collect()
    }

    /// Returns the ids of the games that a built-in bot cannot play.
    fn lacking(&self, builtin: &str) -> Vec<&'static str> {
        let own = self.catalogue.own();
        own.filter(|game| lacks_rules(builtin, game).is_some()).map(|game| game.id).collect()
    }

    /// Returns the bot with this name, for a game.
    ///
    /// # Errors
    /// Says which there are, or why it cannot play the game.
    pub(crate) fn find(&self, name: &str, setup: &Setup) -> Result<PlannedBot, String> {
        if let Some(bot) = self.own.iter().find(|bot| bot.name == name) {
            return Ok(bot.clone());
        }
        let Some(builtin) = kit::builtin(name) else {
            let names: Vec<_> = self.list().into_iter().map(|bot| bot.name).collect();
            return Err(format!("there is no bot `{name}`; there are {}", names.join(", ")));
        };
        if let Some(lacking) = lacks_rules(name, setup.game()) {
            return Err(Failure::from(lacking).first());
        }
        let mut known = self.builtin.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(bot) = known.get(builtin.name) {
            return Ok(bot.clone());
        }
        let bot =
            self.confinement.bot("--bot", builtin.name, Program::Builtin(builtin.name), &self.catalogue);
        let bot = bot.check(Path::new("."));
        let bot = bot.map_err(|failure| failure.first())?;
        known.insert(builtin.name, bot.clone());
        Ok(bot)
    }
}
