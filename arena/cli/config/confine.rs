//! Bots are confined: what is asked for one becomes the words that start it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, path};

use ::sandbox::{Level, Policy, Privates, Support, closed_to, installation, is_home_or_above};
use runner::{Carrier, Launch};

use super::faults::{Faults, Spot};
use super::sandbox::{RawSandbox, Wanted};
use crate::diagnostic::Diagnostic;

/// The level if nothing is said.
const LEVEL: Level = Level::None;

/// The first number of the users that bots run as where the arena is root, and how many there are.
const USERS: (u32, u32) = (58_000, 1_900);

/// Confines one bot after the other.
pub(super) struct Confiner {
    /// What is asked for all bots.
    usual: Wanted,
    support: Support,
    home: Option<PathBuf>,
    /// How many bots were confined.
    count: usize,
    /// What is in force, with the names of the bots.
    in_force: BTreeMap<String, Vec<String>>,
    /// Whether a bot could do what `strict` needs, and why not.
    trial: Option<Result<(), String>>,
}

/// What is known of a bot that is to be confined.
pub(super) struct Subject<'a> {
    /// Its name.
    pub(super) name: &'a str,
    /// What is asked for it alone, and where that stands.
    pub(super) raw: Option<&'a RawSandbox>,
    /// Where it stands.
    pub(super) spot: &'a Spot,
    /// The files of its command and its entry.
    pub(super) files: &'a [PathBuf],
}

impl Confiner {
    /// Returns what confines bots as `raw`, which stands at `spot`, says for all of them.
    pub(super) fn new(raw: Option<&RawSandbox>, spot: &Spot, base: &Path, faults: &mut Faults) -> Self {
        Self {
            usual: raw.map_or_else(Wanted::default, |raw| Wanted::read(raw, spot, base, faults)),
            support: Support::of_system(),
            home: env::home_dir(),
            count: 0,
            in_force: BTreeMap::new(),
            trial: None,
        }
    }

    /// Has a bot be confined when it is started, and returns what is then in force; `None` where nothing is.
    pub(super) fn confine(
        &mut self,
        bot: &Subject<'_>,
        mut launch: Launch,
        base: &Path,
        faults: &mut Faults,
    ) -> (Launch, Option<String>) {
        let in_force = self.prefix(bot, &launch, base, faults).map(|(words, in_force)| {
            launch.prefix = words;
            in_force
        });
        (launch, in_force)
    }

    /// Returns the words before the program of a bot that confine it, and what is then in force.
    fn prefix(
        &mut self,
        bot: &Subject<'_>,
        launch: &Launch,
        base: &Path,
        faults: &mut Faults,
    ) -> Option<(Vec<OsString>, String)> {
        self.count += 1;
        let own = bot.raw.map(|raw| Wanted::read(raw, bot.spot, base, faults)).unwrap_or_default();
        let wanted = self.usual.with(own);
        let level = wanted.level.unwrap_or(LEVEL);
        if level == Level::None {
            self.in_force.entry(level.to_string()).or_default().push(bot.name.to_owned());
            return None;
        }
        let refuse = |faults: &mut Faults, message: String, hint: &str| {
            faults.add(bot.spot, Diagnostic::new(message).hint(hint));
            None
        };
        if let Some(lacking) = self.support.lacking() {
            let message = format!("`{}` cannot be confined at `{level}`: {lacking}", bot.name);
            return refuse(faults, message, "`sandbox: none` starts bots as they are");
        }
        let network = wanted.network.unwrap_or_default();
        let is_ssh = launch.program.file_stem().is_some_and(|name| name == "ssh");
        if launch.io == Carrier::Tcp && !network || is_ssh {
            let way = if is_ssh { "ssh" } else { "TCP" };
            let message =
                format!("`{}` is reached over {way}, and `{level}` cuts it off the network", bot.name);
            let hint = if is_ssh {
                "`sandbox: none` for this bot: what runs on another machine cannot be confined from here"
            } else {
                "`sandbox: none` for this bot, or `network: true` beside its `level`"
            };
            return refuse(faults, message, hint);
        }
        let user = (self.support.root && level >= Level::Contest).then(|| self.user());
        let read = self.readable(launch, bot.files, wanted.read.clone().unwrap_or_default());
        if user.is_some() {
            let closed =
                [&launch.program, &launch.dir].into_iter().chain(bot.files).find_map(|path| closed_to(path));
            if let Some(closed) = closed {
                let message = format!(
                    "`{}` cannot be confined at `{level}`: as a user of its own it cannot open `{}`",
                    bot.name,
                    closed.display()
                );
                let hint =
                    "open it with `chmod o+rX`, put the bot where everybody may read it, or use `basic`";
                return refuse(faults, message, hint);
            }
        }
        let limits = wanted.limits(level, user.is_some());
        let policy = Policy {
            level,
            read,
            write: wanted.write.clone().unwrap_or_default(),
            private: Privates::of_process().of_bot(bot.name, self.count),
            network,
            keep: launch.env.iter().map(|(name, _)| name.clone()).collect(),
            limits,
            user,
            landlock: self.support.landlock,
        };
        let arena = match env::current_exe() {
            Ok(arena) => arena,
            Err(error) => {
                let message = format!("failed to find the arena's own executable: {error}");
                return refuse(faults, message, "it is what confines bots");
            }
        };
        if level == Level::Strict
            && let Err(why) = self.trial.get_or_insert_with(|| attempt(&policy, &arena))
        {
            let message = format!("`{}` cannot be confined at `{level}`: {why}", bot.name);
            return refuse(faults, message, "`contest` needs no namespaces");
        }
        let words = match policy.prefix(arena) {
            Ok(words) => words,
            Err(error) => {
                let message = format!("`{}` cannot be confined: a path is no text: {error}", bot.name);
                return refuse(faults, message, "rename what has such a name");
            }
        };
        let in_force = policy.in_force();
        // One line for all bots: which user each has stands in the journal.
        let told = Policy { user: None, ..policy }.in_force();
        self.in_force.entry(told).or_default().push(bot.name.to_owned());
        Some((words, in_force))
    }

    /// Returns a line that says what is in force; `None` where nothing was asked for and nothing is.
    pub(super) fn line(&self) -> Option<String> {
        let nothing = Level::None.to_string();
        match self.in_force.iter().collect::<Vec<_>>().as_slice() {
            [] => None,
            [(what, _)] if **what == nothing && self.usual.level.is_none() => None,
            [(what, _)] => Some(format!("sandbox: {what}")),
            several => {
                let words = several.iter().map(|(what, bots)| format!("{what} for {}", bots.join(", ")));
                Some(format!("sandbox: {}", words.collect::<Vec<_>>().join("; ")))
            }
        }
    }

    /// Returns what a bot may read: its directory, its program and files, and what these were installed into.
    fn readable(&self, launch: &Launch, files: &[PathBuf], asked: Vec<PathBuf>) -> Vec<PathBuf> {
        let home = self.home.as_deref();
        let path = env::var_os("PATH").unwrap_or_default();
        let folders: Vec<_> =
            env::split_paths(&path).filter(|it| it.is_absolute() && !is_home_or_above(it, home)).collect();
        let mut read = asked;
        if !is_home_or_above(&launch.dir, home) {
            read.push(launch.dir.clone());
        }
        let by_name = folders.iter().map(|folder| folder.join(&launch.program)).find(|it| it.is_file());
        let program = if launch.program.is_absolute() { Some(launch.program.clone()) } else { by_name };
        for file in program.iter().chain(files) {
            read.push(file.clone());
            let absolute = [path::absolute(file).ok(), file.canonicalize().ok()];
            read.extend(absolute.iter().flatten().filter_map(|file| installation(file, home)));
        }
        read.extend(folders);
        // From where the process starts, paths from here would lead elsewhere.
        let mut read: Vec<_> = read.into_iter().filter_map(|path| path.canonicalize().ok()).collect();
        read.sort();
        read.dedup();
        read
    }

    /// Returns the number of a user for the next bot: one that the system has not given to anybody.
    fn user(&self) -> u32 {
        let text = fs::read_to_string("/etc/passwd").unwrap_or_default();
        let number = |line: &str| line.split(':').nth(2)?.parse().ok();
        let taken: Vec<u32> = text.lines().filter_map(number).collect();
        let (first, count) = USERS;
        let free: Vec<_> = (first..first + count).filter(|user| !taken.contains(user)).collect();
        free.get(self.count % free.len().max(1)).copied().unwrap_or(first)
    }
}

/// Confines a process of the arena as a bot would be, to see whether this system lets it.
fn attempt(policy: &Policy, arena: &Path) -> Result<(), String> {
    let mut policy = policy.clone();
    policy.read.push(arena.to_path_buf());
    let words = policy.prefix(arena.to_path_buf()).map_err(|error| error.to_string())?;
    let mut command = Command::new(arena);
    command.args(&words[1..]).arg(arena).arg("--version").stdin(Stdio::null());
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let text = text.trim();
            Err(protocol::printable(text.strip_prefix("error: ").unwrap_or(text)).into_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}
