//! Bots are confined: what is asked for one becomes the words that start it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, path};

use ::sandbox::{Attributes, Level, Policy, Support, carried, closed_to, installation, is_home_or_above};
use diagnostic::Diagnostic;
use processes::{BOT_USERS, PrivateDirectory, control_groups};
use protocol::printable;
use record::Grants;
use runner::Launch;
use settings::Carrier;

use crate::confinement::sandbox::{Paths, Wanted, usual_quota};
use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::RawSandbox;

/// The level if nothing is said. Where it cannot be had, bots are started as they are, and a line says so.
const LEVEL: Level = Level::Basic;

/// Confines one bot after the other.
pub(crate) struct Confiner {
    /// What is asked for all bots.
    usual: Wanted,
    support: Support,
    home: Option<PathBuf>,
    /// How many bots were confined.
    count: usize,
    /// What is in force, with the names of the bots.
    in_force: BTreeMap<String, Vec<String>>,
    /// The names of programs of others that are not confined.
    unconfined: Vec<String>,
    /// Whether somebody asked for a level, or has less than the usual one.
    is_told: bool,
    /// Whether a bot could do what `strict` needs, and why not.
    trial: Option<Result<(), String>>,
}

/// What is known of a bot that is to be confined.
pub(crate) struct Subject<'a> {
    /// Its name.
    pub name: &'a str,
    /// What is asked for it alone, and where that stands.
    pub raw: Option<&'a RawSandbox>,
    /// Where it stands.
    pub spot: &'a Spot,
    /// Whether it is the arena's own program.
    pub is_builtin: bool,
    /// The files of its command and its entry.
    pub files: &'a [PathBuf],
    /// The directory of everything that it was built from, if it is of a commit.
    pub root: Option<&'a Path>,
}

/// Why a bot cannot be confined at a level.
pub(crate) struct Refusal {
    pub reason: String,
    /// What to do.
    pub hint: &'static str,
}

impl Refusal {
    fn new(reason: impl Into<String>, hint: &'static str) -> Self {
        Self { reason: reason.into(), hint }
    }
}

impl Confiner {
    /// Returns what confines bots as `raw`, which stands at `spot`, says for all of them.
    pub(crate) fn new(raw: Option<&RawSandbox>, spot: &Spot, base: &Path, errors: &mut InputErrors) -> Self {
        Self {
            usual: raw.map_or_else(Wanted::default, |raw| Wanted::read(raw, spot, base, errors)),
            support: Support::of_system(),
            home: env::home_dir(),
            count: 0,
            in_force: BTreeMap::new(),
            unconfined: Vec::new(),
            is_told: false,
            trial: None,
        }
    }

    /// Returns what confines one build, which is the `number`th.
    pub(crate) fn of_build(number: usize) -> Self {
        Self {
            usual: Wanted::default(),
            support: Support::of_system(),
            home: env::home_dir(),
            // Far from the first bots, whose users may be busy at the same time.
            count: BOT_USERS.1 as usize / 2 + number,
            in_force: BTreeMap::new(),
            unconfined: Vec::new(),
            is_told: false,
            trial: None,
        }
    }

    /// Has a bot be confined when it is started, and returns what is then in force and what is allowed besides the level;
    /// `None` where nothing is in force.
    pub(crate) fn confine(
        &mut self,
        bot: &Subject<'_>,
        mut launch: Launch,
        base: &Path,
        errors: &mut InputErrors,
    ) -> (Launch, Option<(String, Grants)>) {
        self.count += 1;
        let own = bot.raw.map(|raw| Wanted::read(raw, bot.spot, base, errors)).unwrap_or_default();
        let wanted = self.usual.with(own);
        let level = wanted.level.unwrap_or(LEVEL);
        self.is_told |= wanted.level.is_some();
        if level == Level::None {
            self.note(level.to_string(), bot);
            return (launch, None);
        }
        let usual = launch.quota;
        launch.quota = usual.or(usual_quota(level));
        match self.policy(bot, &launch, &wanted, level, Attributes::Refused) {
            Ok((words, policy)) => {
                let in_force = policy.in_force();
                // One line for all bots: which user each has stands in the journal.
                self.note(Policy { user: None, ..policy }.in_force(), bot);
                confined_by(words, &mut launch);
                (launch, Some((in_force, wanted.granted())))
            }
            Err(refusal) => {
                launch.quota = usual;
                if wanted.level.is_some() {
                    let message =
                        format!("`{}` cannot be confined at `{level}`: {}", bot.name, refusal.reason);
                    errors.add(bot.spot, Diagnostic::new(message).hint(refusal.hint));
                } else {
                    self.is_told = true;
                    self.note(format!("{} ({})", Level::None, refusal.reason), bot);
                }
                (launch, None)
            }
        }
    }

    fn note(&mut self, in_force: String, bot: &Subject<'_>) {
        if in_force.starts_with("none") && !bot.is_builtin {
            self.unconfined.push(bot.name.to_owned());
        }
        self.in_force.entry(in_force).or_default().push(bot.name.to_owned());
    }

    /// Returns what a bot is held to, and the words before its program that hold it to that.
    pub(crate) fn policy(
        &mut self,
        bot: &Subject<'_>,
        launch: &Launch,
        wanted: &Wanted,
        level: Level,
        attributes: Attributes,
    ) -> Result<(Vec<OsString>, Policy), Refusal> {
        if let Some(lacking) = self.support.lacking() {
            return Err(Refusal::new(lacking, "`sandbox: none` starts bots as they are"));
        }
        let network = wanted.network.unwrap_or_default();
        if launch.program.file_stem().is_some_and(|name| name == "ssh") {
            let hint =
                "`sandbox: none` for this bot: what runs on another machine cannot be confined from here";
            return Err(Refusal::new("it is reached over ssh, and the level cuts it off the network", hint));
        }
        if launch.io == Carrier::Tcp && !network {
            let hint = "`sandbox: none` for this bot, or `network: true` beside its `level`";
            return Err(Refusal::new("it is reached over TCP, and the level cuts it off the network", hint));
        }
        let user = (self.support.root && level >= Level::Contest).then(|| self.user());
        let found = |paths: &Option<Paths>| paths.as_ref().map(|it| it.found.clone()).unwrap_or_default();
        let mut read = found(&wanted.read);
        read.extend(bot.root.map(Path::to_path_buf));
        if level == Level::Basic {
            // What a script imports mostly lies beside it.
            let home = self.home.as_deref();
            let temporary = env::temp_dir();
            let beside = bot.files.iter().filter_map(|file| file.parent());
            let is_own = |folder: &&Path| !is_home_or_above(folder, home) && !temporary.starts_with(folder);
            read.extend(beside.filter(is_own).map(Path::to_path_buf));
        }
        let read = self.readable(launch, bot.files, read);
        if self.support.root {
            let paths = [&launch.program, &launch.dir].into_iter().chain(bot.files);
            let closed = paths.map(PathBuf::as_path).find_map(|path| closed_to(path, user.unwrap_or(0)));
            if let Some(closed) = closed {
                let who =
                    if user.is_some() { "as a user of its own" } else { "as root without its privileges" };
                let hint = "open it with `chmod o+rX`, put the bot where everybody may read it, or use a lower level";
                return Err(Refusal::new(format!("{who} it cannot open `{}`", closed.display()), hint));
            }
        }
        let policy = Policy {
            level,
            read,
            write: found(&wanted.write),
            network,
            keep: launch.env.iter().map(|(name, _)| name.clone()).collect(),
            limits: wanted.limits(level, &launch.quota, user.is_some()),
            attributes,
            // A control group counts everything; without one a limit holds only what can be found.
            hidden_memory: launch.quota.memory.is_none() || control_groups().counts_memory(),
            user,
            landlock: self.support.landlock,
        };
        let arena = env::current_exe().map_err(|error| {
            let reason = format!("failed to find the arena's own executable: {error}");
            Refusal::new(reason, "it is what confines bots")
        })?;
        if level == Level::Strict
            && let Err(why) = self.trial.get_or_insert_with(|| try_confined(&policy, &arena))
        {
            return Err(Refusal::new(why.as_str(), "`contest` needs no namespaces"));
        }
        match policy.prefix(arena) {
            Ok(words) => Ok((words, policy)),
            Err(error) => {
                Err(Refusal::new(format!("a path is no text: {error}"), "rename what has such a name"))
            }
        }
    }

    /// Returns a line that says what is in force; `None` where nobody asked and the usual level holds for everybody.
    pub(crate) fn line(&self) -> Option<String> {
        if !self.is_told {
            return None;
        }
        match self.in_force.iter().collect::<Vec<_>>().as_slice() {
            [] => None,
            [(what, _)] => Some(format!("sandbox: {what}")),
            several => {
                let words = several.iter().map(|(what, bots)| format!("{what} for {}", bots.join(", ")));
                Some(format!("sandbox: {}", words.collect::<Vec<_>>().join("; ")))
            }
        }
    }

    /// Returns a warning where programs of others play without a sandbox; `None` where none does, or nobody is there to be
    /// hurt but its user.
    pub(crate) fn warning(&self) -> Option<String> {
        if self.unconfined.is_empty() || self.count < 2 {
            return None;
        }
        let names = self.unconfined.iter().map(|name| format!("`{}`", printable(name))).collect::<Vec<_>>();
        Some(format!(
            "warning: no sandbox for {}: a program without one can stop, kill or answer for its opponent, stop the arena and \
             change your files, and nobody can tell who did it. Play programs of people you do not know at `sandbox: basic` or above",
            names.join(", ")
        ))
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
        // Scripts start programs of their own, by the words that `PATH` leads to.
        read.extend(folders.iter().filter_map(|folder| installation(&folder.join("program"), home)));
        read.extend(folders);
        // It knows the rules, and answers a bot that asks (`arena rules`).
        read.extend(env::current_exe());
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
        let (first, count) = BOT_USERS;
        let free: Vec<_> = (first..first + count).filter(|user| !taken.contains(user)).collect();
        free.get(self.count % free.len().max(1)).copied().unwrap_or(first)
    }
}

/// Has a launch begin with these words of a policy, and its variables wait until that holds.
pub(crate) fn confined_by(words: Vec<OsString>, launch: &mut Launch) {
    launch.prefix = words;
    for (name, _) in &mut launch.env {
        *name = carried(name);
    }
}

/// Confines a process of the arena as a bot would be, to see whether this system lets it.
///
/// # Errors
/// With why not, for people.
pub fn try_confined(policy: &Policy, arena: &Path) -> Result<(), String> {
    let mut policy = policy.clone();
    policy.read.push(arena.to_path_buf());
    let words = policy.prefix(arena.to_path_buf()).map_err(|error| error.to_string())?;
    let private = PrivateDirectory::make().map_err(|error| format!("no private directory: {error}"))?;
    let mut command = Command::new(arena);
    command.args(&words[1..]).arg(arena).arg("--version").stdin(Stdio::null());
    command.env("TMPDIR", private.path());
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(output) => {
            let text = String::from_utf8_lossy(&output.stderr);
            let text = text.trim();
            Err(printable(text.strip_prefix("error: ").unwrap_or(text)).into_owned())
        }
        Err(error) => Err(error.to_string()),
    }
}
