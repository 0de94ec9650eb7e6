//! What a recorded game needs to be played again: its bots, its rules, its settings.
//!
//! A journal has the command of a bot, the words by which it was addressed and how it was confined, not its directory and the
//! values of its environment: those come from the tournament file, where it is named. Who wrote the journal chose the command: it is shown, asked about, and
//! confined whatever the journal says.

use std::collections::BTreeSet;
use std::io::{self, IsTerminal as _};
use std::path::{self, Path, PathBuf};

use diagnostic::Failure;
use diagnostic::harmless::{self, Stream};
use diagnostic::say;
use protocol::printable_capped;
use record::{BotConfig, GameRecord, GameSummary, Grants, RunRecord, RunSummary, SeatRecord};
use rules::{Catalogue, GameRef};
use runner::{Contest, Opening, OpeningSource, PlannedBot, PlaySettings};
use sandbox::Level;
use settings::{OpeningScope, RecordedQuota, TimeControl, Unread};
use tournament_file::game_options::{option_error, unknown_game};
use tournament_file::{LoneBot, Overrides, Program, RecordedStart};

/// Where the bots of recorded games come from.
#[derive(Debug, clap::Args)]
pub(crate) struct BotArguments {
    /// Start the bots as this tournament file says; else by their recorded commands
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The directory from which paths of recorded commands are taken: that of the tournament file
    #[arg(long, value_name = "DIR", default_value = ".", conflicts_with = "config")]
    base: PathBuf,
    /// Start recorded commands without asking
    #[arg(long)]
    yes: bool,
    /// How far recorded commands are confined: a level, or `recorded` for what the journal says, its grants and limits
    /// included; left out, to `contest`, or to `strict` where the journal says that
    #[arg(long, value_name = "LEVEL", conflicts_with = "config")]
    sandbox: Option<String>,
}

/// What the user learns of the bots of recorded games, and is asked about them.
#[derive(Debug, Default)]
pub(crate) struct Recalled {
    /// What was told.
    told: BTreeSet<String>,
    /// The recorded commands that are to be started, fit to be shown.
    commands: BTreeSet<String>,
}

/// How much of a recorded command is shown, in characters.
const COMMAND_SHOWN: usize = 1000;

/// What leaves the level to the journal.
const AS_RECORDED: &str = "recorded";

impl BotArguments {
    /// Adds the games of one's own of the tournament file, if one is given: who names it wants its rules, too.
    ///
    /// # Errors
    /// When the file has an error.
    pub(crate) fn with_games(&self, mut known: Catalogue) -> Result<Catalogue, Failure> {
        if let Some(file) = &self.config {
            let plan = tournament_file::load(file, &Overrides::default())?;
            for game in Catalogue::of(plan.contests.iter().map(|contest| &contest.setup)).own() {
                // A flag comes before the file.
                if let GameRef::Own(game) = game {
                    let _ = known.add(game);
                }
            }
        }
        Ok(known)
    }

    /// Asks whether the recorded commands may be started, unless the user has said so.
    ///
    /// # Errors
    /// When they may not, or nobody can be asked.
    pub(crate) fn confirm(&self, recalled: &Recalled) -> Result<(), Failure> {
        if self.yes || recalled.commands.is_empty() {
            return Ok(());
        }
        say("the journal names these commands; the author of the journal has chosen them:");
        recalled.commands.iter().for_each(|command| say(&format!("  {command}")));
        if !(io::stdin().is_terminal() && harmless::is_terminal(Stream::Err)) {
            return Err(Failure::usage("nobody has allowed the commands of the journal to be started").hint(
                "`--yes` starts them; `--config FILE` starts the bots of your own tournament file instead",
            ));
        }
        say("start them? `y` and Enter for yes");
        let mut answer = String::new();
        io::stdin()
            .read_line(&mut answer)
            .map_err(|error| Failure::io("failed to read the answer", &error))?;
        match answer.trim() {
            "y" | "Y" | "yes" => Ok(()),
            _ => Err(Failure::usage("the commands of the journal were not started")),
        }
    }

    /// Returns how a bot is confined whose recorded command is started.
    fn confinement<'a>(&'a self, bot: &'a BotConfig, nothing: &'a RecordedQuota) -> RecordedStart<'a> {
        let in_force = recorded_level(bot);
        let level = match &self.sandbox {
            Some(word) if word == AS_RECORDED => {
                return RecordedStart {
                    level: in_force,
                    granted: granted(bot, &self.base),
                    limits: &bot.limits,
                    start: &bot.start,
                };
            }
            Some(level) => level.as_str(),
            None if in_force.parse() == Ok(Level::Strict) => in_force,
            None => "contest",
        };
        RecordedStart { level, granted: Grants::default(), limits: nothing, start: &bot.start }
    }

    /// Returns the bot that sat at a seat, started by `command` where that is given. What differs from the record
    /// is told, and how far it is confined, unless that was told before; what is to be asked is added to `recalled`.
    ///
    /// # Errors
    /// When it cannot be found or started.
    pub(crate) fn bot(
        &self,
        contents: &RunSummary,
        seat: &SeatRecord,
        command: Option<&[String]>,
        recalled: &mut Recalled,
    ) -> Result<PlannedBot, Failure> {
        let recorded = contents
            .runs
            .iter()
            .rev()
            .flat_map(|run| &run.config.bots)
            .find(|bot| bot.name == seat.bot && bot.digest == seat.digest)
            .ok_or_else(|| Failure::usage(format!("the journal does not know bot `{}`", seat.bot)))?;
        if self.config.is_none() && command.is_none() && !recorded.start.env.is_empty() {
            let names = printable_capped(&recorded.start.env.join("`, `"), COMMAND_SHOWN);
            let name = printable_capped(&recorded.name, COMMAND_SHOWN);
            let fault =
                format!("`{name}` played with the variables `{names}`, whose values stand in no journal");
            return Err(Failure::usage(fault).hint("`--config FILE` starts it as its tournament file says"));
        }
        let own_games = &contents.catalogue;
        let mut bot = match (&self.config, command) {
            (Some(file), None) => from_file(file, &seat.bot)?,
            (Some(file), Some(command)) => {
                let base = file.parent().unwrap_or(Path::new("."));
                let launch = from_record(recorded, Some(command), base, as_recorded(recorded, base), own_games, recalled)?.launch;
                PlannedBot { launch, ..from_file(file, &seat.bot)? }
            }
            (None, Some(_)) => {
                let how = as_recorded(recorded, &self.base);
                from_record(recorded, command, &self.base, how, own_games, recalled)?
            }
            (None, None) => from_record(
                recorded,
                None,
                &self.base,
                self.confinement(recorded, &RecordedQuota::default()),
                own_games,
                recalled,
            )
            .map_err(|failure| {
                failure.hint(
                    "the command stands in the journal as it was written: name the directory of its tournament file \
                     with `--base DIR`, or the file with `--config FILE`; `--sandbox LEVEL` takes another level than `contest`",
                )
            })?,
        };
        if command.is_none() && bot.digest != seat.digest {
            say(&format!(
                "note: `{}` is not the version that was recorded: its digest is {}, not {}",
                protocol::printable(&seat.bot),
                bot.digest,
                protocol::printable(&seat.digest)
            ));
        }
        bot.tc = Some(control(seat)?);
        bot.digest.clone_from(&seat.digest);
        Ok(bot)
    }
}

/// Returns the time control that a seat played under.
///
/// # Errors
/// When there was none, as for a person, and when this version cannot read it.
pub(crate) fn control(seat: &SeatRecord) -> Result<TimeControl, Failure> {
    let name = protocol::printable(&seat.bot);
    let control = seat.tc.read();
    let control =
        control.map_err(|error| Failure::usage(format!("the recorded limits of `{name}`: {error}")))?;
    control.cloned().ok_or_else(|| Failure::usage(format!("`{name}` played without a limit, as people do")))
}

/// Returns the level that a journal says was in force for a bot.
fn recorded_level(bot: &BotConfig) -> &str {
    bot.sandbox.as_deref().and_then(|in_force| in_force.split(' ').next()).unwrap_or("none")
}

/// Returns what a journal says a bot was allowed besides; its paths are taken from `base`.
fn granted(bot: &BotConfig, base: &Path) -> Grants {
    let mut granted = bot.granted.clone();
    for path in granted.read.iter_mut().chain(&mut granted.write) {
        let absolute =
            path::absolute(base.join(&*path)).ok().and_then(|path| path.into_os_string().into_string().ok());
        *path = absolute.unwrap_or_else(|| path.clone());
    }
    granted
}

/// Returns how a bot was confined, as the journal says.
fn as_recorded<'a>(bot: &'a BotConfig, base: &Path) -> RecordedStart<'a> {
    RecordedStart {
        level: recorded_level(bot),
        granted: granted(bot, base),
        limits: &bot.limits,
        start: &bot.start,
    }
}

/// Returns a recorded bot, started by `command` from the current directory where that is given. Recorded paths are taken from
/// `base`.
fn from_record(
    bot: &BotConfig,
    command: Option<&[String]>,
    base: &Path,
    how: RecordedStart<'_>,
    own_games: &Catalogue,
    recalled: &mut Recalled,
) -> Result<PlannedBot, Failure> {
    let program = match (command, bot.command.as_slice()) {
        (None, [arena, word, name, ..])
            if arena == "arena" && word == "bot" && kit::builtin(name).is_some() =>
        {
            Program::Builtin(name)
        }
        (command, recorded) => Program::Words(command.unwrap_or(recorded)),
    };
    // The arena's own bots are as harmless as the arena.
    let is_strange = command.is_none() && matches!(program, Program::Words(_));
    let how = if is_strange { how } else { as_recorded(bot, base) };
    let level = how.level.to_owned();
    let tc = bot.tc.as_ref().map(ToString::to_string);
    let lone = LoneBot {
        recorded: Some(how),
        version: bot.version.as_deref(),
        options: bot.options.clone(),
        tc: tc.as_deref(),
        own_games: own_games.clone(),
        ..LoneBot::new("the recorded bot", &bot.name, program)
    };
    let (bot, notes) = lone.checked(if command.is_some() { Path::new(".") } else { base })?;
    if is_strange {
        let words = printable_capped(&bot.launch.command(), COMMAND_SHOWN);
        let name = printable_capped(&bot.name, COMMAND_SHOWN);
        recalled.commands.insert(format!("`{name}` (sandbox: {}): {words}", printable_capped(&level, 40)));
    }
    for note in notes {
        if recalled.told.insert(note.clone()) {
            say(&note);
        }
    }
    Ok(bot)
}

fn from_file(file: &Path, name: &str) -> Result<PlannedBot, Failure> {
    let plan = tournament_file::load(file, &Overrides::default())?;
    let names: Vec<_> = plan.bots.iter().map(|bot| bot.name.clone()).collect();
    plan.bots.into_iter().find(|bot| bot.name == name).ok_or_else(|| {
        Failure::usage(format!("`{}` has no bot `{name}`", file.display()))
            .hint(format!("its bots are {}", names.join(", ")))
    })
}

/// Returns the rules, limits and the opening that a recorded game was played under.
///
/// # Errors
/// When the journal or the rules do not know them.
pub(crate) fn contest(
    runs: &[RunRecord],
    game: &GameRecord,
    catalogue: &Catalogue,
) -> Result<Contest, Failure> {
    let config = runs
        .iter()
        .rev()
        .flat_map(|run| &run.config.games)
        .find(|config| config.label == game.label)
        .ok_or_else(|| Failure::usage(format!("the journal does not know the game `{}`", game.label)))?;
    let known = catalogue.find(&game.game).map_err(|error| match &config.rules {
        Some(rules) if rules.module.is_none() => Failure::usage(format!(
            "the rules of `{}` are a program",
            protocol::printable(&game.game)
        ))
        .hint(format!("it is started for those who name it as it was played: `{}`", rules.flags(&game.game))),
        _ => unknown_game(&error).into(),
    })?;
    let options: Vec<_> = game.options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
    let setup = known.setup(&options).map_err(|error| option_error(known.id, &error))?;
    let tc = config.tc.known().cloned().ok_or_else(|| {
        let tc = printable_capped(&config.tc.to_string(), COMMAND_SHOWN);
        Failure::usage(format!("the time control `{tc}` of `{}` is none of this version", game.label))
    })?;
    let plies = game.plies.iter().take(game.opening as usize).map(|ply| ply.ply.clone()).collect();
    let opening = Opening { start: game.start.clone(), plies };
    opening.referee(&setup).map_err(|error| {
        Failure::usage(format!(
            "the recorded start of game {}: {}",
            game.number,
            protocol::printable(&error.to_string())
        ))
    })?;
    let openings = OpeningSource::Listed([opening].into());
    Ok(Contest { label: game.label.clone(), setup, tc, openings, per: OpeningScope::Round })
}

/// Returns the settings that games of this configuration were played under.
///
/// # Errors
/// When a newer arena recorded some that this version does not know.
pub(crate) fn settings(run: &RunRecord) -> Result<PlaySettings, Failure> {
    let conditions = run.config.settings.clone();
    if let Some(Unread { key, text }) = conditions.unread.first() {
        let text = printable_capped(text, COMMAND_SHOWN);
        let fault = format!("the games were played with `{key}: {text}`, which this version does not know");
        return Err(
            Failure::usage(fault).hint(format!("arena {} recorded it", protocol::printable(&run.arena)))
        );
    }
    let adjudicate = run.config.adjudicate.clone();
    Ok(PlaySettings { conditions, adjudicate, ..PlaySettings::new(run.config.seed) })
}

/// Returns the configuration under which a game of the journal was played.
///
/// # Errors
/// When the journal has none before it.
pub(crate) fn run_of<'a>(contents: &'a RunSummary, game: &GameSummary<'_>) -> Result<&'a RunRecord, Failure> {
    contents.run_of(game).ok_or_else(|| {
        Failure::usage(format!("the journal does not say how game {} was to be played", game.number))
    })
}
