//! What a worker makes of a manifest: files in a directory of its own, and a plan to play by.

mod builds;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path};

use diagnostic::Failure;
use processes::PrivateDirectory;
use runner::{Control, GamePlan};
use serde_json::{Value, json};
use tournament_file::{Overrides, Plan};

use crate::broker::{Broker, BrokerError};
use crate::guard::{Guard, take_out_games};
use crate::wire::{RunManifest, SentFile, UnfitBot, UnfitGame, file_digest};
use crate::worker::directory::Cache;

/// How much room bots have at least, in bytes.
const ROOM: usize = 16 << 10;

/// A run as a worker plays it.
pub(crate) struct Unpacked {
    /// The plan: bots, rules and conditions of the coordinator on this machine.
    pub plan: GamePlan,
    /// The bots that do not play here, and why.
    pub unfit: Vec<UnfitBot>,
    /// The games that are not played here, and why.
    pub unfit_games: Vec<UnfitGame>,
    /// The bots that are confined more than the run asks for.
    pub raised: BTreeSet<String>,
}

/// Why a worker cannot play a run.
pub(crate) enum Unplayable {
    /// The broker has failed: another time it may work.
    Broker(BrokerError),
    /// The run itself, on this machine.
    Here(String),
    /// A file that could not be written: another time there may be room.
    Disk(String),
}

impl From<BrokerError> for Unplayable {
    fn from(error: BrokerError) -> Self {
        Self::Broker(error)
    }
}

impl Unpacked {
    /// Puts the files of a manifest into an empty directory and makes a plan of it.
    pub(crate) fn fetch(
        manifest: &RunManifest,
        broker: &dyn Broker,
        directory: &Path,
        cache: &Cache,
        guard: &Guard,
    ) -> Result<Self, Unplayable> {
        for file in &manifest.files {
            let path = Path::new(&file.path);
            if !path.components().all(|part| matches!(part, Component::Normal(_))) {
                return Err(Unplayable::Here(format!(
                    "its file `{}` would lie outside of the directory of the run",
                    protocol::printable(&file.path)
                )));
            }
            let kept = cache.file(&file.digest);
            let is_kept = kept.is_some();
            let bytes = kept.map_or_else(|| download(file, broker), Ok)?;
            let place = directory.join(path);
            write(&place, &bytes, file.is_executable, cache)
                .map_err(|error| Unplayable::Disk(format!("cannot write `{}`: {error}", place.display())))?;
            if !is_kept {
                cache.keep(&file.digest, &bytes);
            }
        }
        room_for_bots(directory.parent().unwrap_or(directory)).map_err(Unplayable::Disk)?;
        let mut document = manifest.document.clone();
        let labels = manifest.config.games.iter().map(|game| game.label.as_str()).collect::<Vec<_>>();
        let refused = guard.admit(&mut document).map_err(Unplayable::Here)?;
        let mut unfit_games = guard.admit_games(&mut document, &labels).map_err(Unplayable::Here)?;
        unfit_games.extend(without_programs_of_rules(&mut document, &labels).map_err(Unplayable::Here)?);
        let mut absent = without_interpreters(manifest, &mut document).map_err(Unplayable::Here)?;
        absent.extend(builds::build_commits(manifest, directory, cache, guard, &mut document)?);
        let name = format!("the run `{}`", protocol::printable(&manifest.config.name));
        let plan = match read(&document, &name, directory) {
            Ok(plan) => plan,
            Err(_) => {
                let failing = without_failing_rules(&mut document, &labels, &name, directory);
                unfit_games.extend(failing.map_err(Unplayable::Here)?);
                read(&document, &name, directory).map_err(Unplayable::Here)?
            }
        };
        let mut unfit = Self::other_interpreters(manifest, &plan);
        let mut plan = adapt(&plan, manifest).map_err(Unplayable::Here)?;
        unfit.retain(|bot| plan.bots.iter().any(|planned| planned.name == bot.bot));
        unfit.extend(refused);
        unfit.extend(absent);
        // What may not be started is no part of the plan: no order can name it.
        plan.bots.retain(|bot| match guard.refusal(bot, directory) {
            Some(why) => {
                unfit.push(UnfitBot { bot: bot.name.clone(), why });
                false
            }
            None => true,
        });
        let raised = manifest.config.bots.iter().filter(|bot| guard.raises(bot)).map(|bot| bot.name.clone());
        Ok(Self { plan, unfit, unfit_games, raised: raised.collect() })
    }

    /// Returns the bots whose interpreters are not those of the coordinator: they would be other versions.
    fn other_interpreters(manifest: &RunManifest, plan: &Plan) -> Vec<UnfitBot> {
        let mut unfit = Vec::new();
        for wanted in &manifest.interpreters {
            let Some(bot) = plan.bots.iter().find(|bot| bot.name == wanted.bot) else { continue };
            let found = bot.files.first().and_then(|file| fs::read(file).ok());
            let found = found.map(|bytes| file_digest(&bytes));
            if !wanted.digest.is_empty() && found.as_ref() != Some(&wanted.digest) {
                let short = |digest: &str| digest.chars().take(12).collect::<String>();
                let why = format!(
                    "`{}` of this machine is another program than the coordinator's (SHA-256 {}… here, {}… there), so the bot would be \
                     another version: install the same one on both, or start workers and run from one image of a container",
                    wanted.program,
                    short(found.as_deref().unwrap_or("of no file")),
                    short(&protocol::printable(&wanted.digest))
                );
                unfit.push(UnfitBot { bot: wanted.bot.clone(), why });
            }
        }
        unfit
    }

    /// Tries every bot; those that do not start join the unfit ones. Returns whether the user did not interrupt.
    pub(crate) fn try_bots(&mut self) -> Result<bool, Failure> {
        let launcher = tournament_file::launcher()?;
        let plan = &self.plan;
        let tried = runner::probe(launcher, &plan.bots, &plan.contests, &plan.settings, &Control::new());
        let Some(tried) = tried else { return Ok(false) };
        let known: BTreeSet<_> = self.unfit.iter().map(|bot| bot.bot.clone()).collect();
        for result in tried {
            let Err(failure) = result.outcome else { continue };
            if !known.contains(&result.bot) {
                let last = failure.stderr.last().map_or_else(String::new, |line| format!(" (`{line}`)"));
                self.unfit.push(UnfitBot { bot: result.bot, why: format!("{}{last}", failure.fault) });
            }
        }
        Ok(true)
    }
}

/// Looks whether bots find room among the temporary files, and beside the files of the run: a bot that does not start for that reason
/// is not unfit.
///
/// # Errors
/// With where there is none, and what the system says.
pub(crate) fn room_for_bots(beside: &Path) -> Result<(), String> {
    let private = PrivateDirectory::make().map_err(|error| {
        let place = std::env::temp_dir();
        format!("there is no private directory for bots in `{}`: {error}", place.display())
    })?;
    for directory in [private.path(), beside] {
        let file = directory.join("is-there-room");
        let written = fs::write(&file, [1; ROOM]);
        // A limit on the worker's own files is none on the room that there is.
        let written = written.or_else(|error| match error.kind() {
            io::ErrorKind::FileTooLarge => Ok(()),
            _ => Err(error),
        });
        let removed = fs::remove_file(&file);
        written
            .and(removed)
            .map_err(|error| format!("cannot write into `{}`: {error}", directory.display()))?;
    }
    Ok(())
}

/// Fetches a file from the broker.
fn download(file: &SentFile, broker: &dyn Broker) -> Result<Vec<u8>, Unplayable> {
    let bytes = broker.get(&file.digest)?.ok_or_else(|| {
        BrokerError::Failed(format!(
            "the file `{}` of the run is not there yet",
            protocol::printable(&file.path)
        ))
    })?;
    if file_digest(&bytes) != file.digest {
        return Err(Unplayable::Here(format!(
            "its file `{}` is not the one that its coordinator has sent",
            protocol::printable(&file.path)
        )));
    }
    Ok(bytes)
}

/// Returns whether this machine has a program that is named without a directory.
fn is_in_path(program: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|directory| directory.join(program).is_file())
}

/// Takes the games out of a document whose rules are programs that this machine does not have, and returns them.
///
/// # Errors
/// With why nothing can be played here, where no game is left.
fn without_programs_of_rules(document: &mut Value, labels: &[&str]) -> Result<Vec<UnfitGame>, String> {
    take_out_games(document, labels, |game| {
        let program = game["rules"].get(0)?.as_str()?;
        (!program.contains('/') && !is_in_path(program)).then(|| {
            format!(
                "`{}`, which runs its rules, is not in `PATH` of this machine: install it there; meanwhile other workers play the game",
                protocol::printable(program)
            )
        })
    })
}

/// Reads a document without the games that were taken out.
fn read(document: &Value, name: &str, directory: &Path) -> Result<Plan, String> {
    let mut document = document.clone();
    if let Some(games) = document["games"].as_array_mut() {
        games.retain(|game| !game.is_null());
    }
    let plan = tournament_file::parse(&document.to_string(), name, directory, &Overrides::default());
    plan.map_err(|failure| failure.to_string().trim_end().to_owned())
}

/// Takes the games out of a document whose rules do not start on this machine, and returns them: each is tried alone.
///
/// # Errors
/// With why nothing can be played here, where no game is left.
fn without_failing_rules(
    document: &mut Value,
    labels: &[&str],
    name: &str,
    directory: &Path,
) -> Result<Vec<UnfitGame>, String> {
    let alone = document.clone();
    take_out_games(document, labels, |game| {
        game.get("rules")?;
        let mut alone = alone.clone();
        alone["games"] = json!([game]);
        alone["bots"] = json!([{ "name": "a", "builtin": "random" }, { "name": "b", "builtin": "random" }]);
        let fault = read(&alone, name, directory).err()?;
        Some(format!(
            "its rules do not start on this machine; meanwhile other workers play the game: {fault}"
        ))
    })
}

/// Takes the bots out of a document whose interpreters this machine does not have, and returns them.
///
/// # Errors
/// With why nothing can be played here, where too few bots are left.
fn without_interpreters(manifest: &RunManifest, document: &mut Value) -> Result<Vec<UnfitBot>, String> {
    let lacks = manifest.interpreters.iter().filter(|wanted| !is_in_path(&wanted.program));
    let absent: Vec<_> = lacks
        .map(|wanted| UnfitBot {
            bot: wanted.bot.clone(),
            why: format!(
                "`{}`, which runs it, is not in `PATH` of this machine: install it there; meanwhile other workers play the bot",
                protocol::printable(&wanted.program)
            ),
        })
        .collect();
    take_out(&absent, document)?;
    Ok(absent)
}

/// Takes bots out of a document.
///
/// # Errors
/// With why nothing can be played here, where too few bots are left.
fn take_out(unfit: &[UnfitBot], document: &mut Value) -> Result<(), String> {
    let Some(bots) = document["bots"].as_array_mut() else { return Ok(()) };
    bots.retain(|bot| unfit.iter().all(|unfit| bot["name"] != unfit.bot.as_str()));
    match unfit.first().filter(|_| bots.len() < 2) {
        Some(first) => Err(format!("bot `{}`: {}", protocol::printable(&first.bot), first.why)),
        None => Ok(()),
    }
}

/// Makes the plan of a document that of the run: the coordinator's conditions, and the versions of its bots.
fn adapt(plan: &Plan, manifest: &RunManifest) -> Result<GamePlan, String> {
    let config = &manifest.config;
    let mut play = plan.play();
    for bot in &mut play.bots {
        let known = config.bots.iter().find(|known| known.name == bot.name);
        let known =
            known.ok_or_else(|| format!("it does not know its bot `{}`", protocol::printable(&bot.name)))?;
        // Its files and interpreter are the same; its command is written otherwise.
        bot.digest.clone_from(&known.digest);
        bot.version.clone_from(&known.version);
    }
    for contest in &play.contests {
        let known = config.games.iter().find(|known| known.label == contest.label);
        let known = known.ok_or_else(|| format!("it does not know its game `{}`", contest.label))?;
        let ours = record::RulesConfig::of(contest.setup.game());
        let is_module = |rules: &record::RulesConfig| rules.module.is_some();
        if known.rules.as_ref().is_some_and(is_module)
            && ours.as_ref().map(|rules| &rules.digest) != known.rules.as_ref().map(|rules| &rules.digest)
        {
            return Err(format!("the rules of `{}` are not those of its coordinator", contest.label));
        }
    }
    if let Some(unread) = config.settings.unread.first() {
        return Err(format!("this arena does not know its setting `{}`", protocol::printable(unread.key)));
    }
    let settings = &mut play.settings;
    settings.seed = config.seed;
    settings.conditions = config.settings.clone();
    settings.adjudicate = config.adjudicate.clone();
    settings.transcripts = manifest.transcripts;
    // Whether a bot is withdrawn depends on all games of the run.
    settings.conditions.max_faults = None;
    Ok(play)
}

/// Writes a file of the run. Where the disk is full, what is kept for later runs makes room for this one.
fn write(path: &Path, bytes: &[u8], is_executable: bool, cache: &Cache) -> io::Result<()> {
    if let Some(directory) = path.parent() {
        fs::create_dir_all(directory)?;
    }
    match fs::write(path, bytes) {
        Err(error) if error.kind() == io::ErrorKind::StorageFull && cache.clear() => fs::write(path, bytes)?,
        written => written?,
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = if is_executable { 0o755 } else { 0o644 };
        fs::set_permissions(path, fs::Permissions::from_mode(mode))?;
    }
    #[cfg(not(unix))]
    let _ = is_executable;
    Ok(())
}
