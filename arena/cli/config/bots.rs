//! The bots of a tournament.

use std::env;
use std::ffi::OsString;
use std::path::{self, Path, PathBuf};

use record::BotConfig;
use runner::{Bot, Launch};

use super::digest::Hasher;
use super::faults::{Complaint, Faults, Spot};
use super::games::text_pairs;
use super::plan::top;
use super::raw::{Pairs, RawBot, RawCommand, RawFile};
use super::{scalars, words};
use crate::diagnostic::Diagnostic;

/// Returns the names of the bots that come with the arena.
pub(super) fn builtins() -> impl Iterator<Item = &'static str> {
    kit::BUILTINS.iter().map(|bot| bot.name)
}

fn builtin_names() -> String {
    builtins().collect::<Vec<_>>().join(", ")
}

/// Checks the bots and returns those that are fine.
pub(super) fn check(raw: &RawFile, base: &Path, faults: &mut Faults) -> Vec<(BotConfig, Bot)> {
    const EXAMPLE: &str =
        "for example `bots: [{name: random, builtin: random}, {name: mine, cmd: [python3, mine.py]}]`";
    let Some(items) = &raw.bots else {
        faults.lack(&top(), &["bots"], Diagnostic::new("there are no `bots`").hint(EXAMPLE));
        return Vec::new();
    };
    if items.len() < 2 {
        let message = format!("a tournament needs at least two bots, not {}", items.len());
        faults.add(&raw.spot("bots"), Diagnostic::new(message).hint(EXAMPLE));
    }
    let mut checker = Checker { base, faults, hasher: Hasher::default() };
    let mut names: Vec<&str> = Vec::new();
    let mut bots = Vec::new();
    for item in items {
        let Some(bot) = &item.value else {
            if !checker.faults.has_fault_at(&item.spot) {
                checker.faults.add(&item.spot, Diagnostic::new("an item of `bots` is empty"));
            }
            continue;
        };
        if let Some(name) = &bot.name {
            if names.contains(&name.as_str()) {
                let message = format!("two bots are called `{name}`");
                let hint = "one program may play under several names, for example with different options";
                checker.faults.add(&item.spot.key("name"), Diagnostic::new(message).hint(hint));
            }
            names.push(name);
        }
        bots.extend(checker.bot(bot, &item.spot));
    }
    bots
}

/// Checks one bot after the other.
struct Checker<'a> {
    base: &'a Path,
    faults: &'a mut Faults,
    hasher: Hasher,
}

/// What is run, and what of it makes the bot's version.
struct Program {
    /// The program and its arguments, as written.
    command: Vec<String>,
    program: PathBuf,
    args: Vec<OsString>,
    /// The files whose contents make the version; none for a bot of the arena.
    files: Vec<(Spot, PathBuf)>,
    /// What stands for the contents of a bot of the arena.
    builtin: Option<String>,
}

impl Checker<'_> {
    fn bot(&mut self, bot: &RawBot, spot: &Spot) -> Option<(BotConfig, Bot)> {
        let name = self.name(bot, spot);
        let version = bot.version.as_deref().map(scalars::version).transpose();
        let version = self.note(&spot.key("version"), version).flatten();
        let tc = bot.tc.as_deref().map(scalars::time_control).transpose();
        let tc = self.note(&spot.key("tc"), tc).flatten();
        let options = self.options(bot.options.as_ref(), &spot.key("options"));
        let env = self.env(bot.env.as_ref(), &spot.key("env"));
        let dir = self.dir(bot.dir.as_deref(), &spot.key("dir"));
        let files = self.files(bot.files.as_deref(), &spot.key("files"));
        let program = self.program(bot, spot, &dir);
        let (name, mut program) = (name?, program?);
        program.files.extend(files);

        let hasher = &mut self.hasher;
        let mut digest = hasher.digest(&program.command, &options, tc.as_ref(), program.builtin.as_deref());
        for (spot, file) in &program.files {
            if let Err(error) = hasher.add(&mut digest, file) {
                let message = format!("failed to read `{}`: {error}", file.display());
                self.faults.add(spot, Diagnostic::new(message));
            }
        }
        let digest = digest.finish();
        let config = BotConfig {
            name: name.clone(),
            version: version.clone(),
            command: program.command,
            options: options.iter().cloned().collect(),
            tc: tc.as_ref().map(ToString::to_string),
            digest: digest.clone(),
        };
        let launch = Launch { program: program.program, args: program.args, dir, env };
        Some((config, Bot { name, version, launch, options, tc, digest }))
    }

    /// Notes the complaint of a reading that failed.
    fn note<T>(&mut self, spot: &Spot, reading: Result<T, Complaint>) -> Option<T> {
        reading.map_err(|complaint| self.faults.complain(spot, &complaint)).ok()
    }

    fn name(&mut self, bot: &RawBot, spot: &Spot) -> Option<String> {
        match (&bot.name, &bot.builtin) {
            (Some(name), _) => self.note(&spot.key("name"), scalars::name(name)),
            // A bot of the arena needs no other name than its own.
            (None, Some(builtin)) => Some(builtin.clone()),
            (None, None) => {
                let hint = "for example `{name: mine, cmd: [python3, mine.py]}`";
                self.faults.lack(spot, &["name"], Diagnostic::new("this bot has no `name`").hint(hint));
                None
            }
        }
    }

    fn options(&mut self, pairs: Option<&Pairs>, spot: &Spot) -> Vec<(String, String)> {
        let pairs = text_pairs(pairs, spot, self.faults);
        for (key, value) in &pairs {
            let is_word = !key.is_empty() && key.chars().all(|letter| letter.is_ascii_graphic());
            if !is_word {
                let message = format!("`{}` cannot be the name of an option", key.escape_debug());
                self.faults
                    .add(&spot.key(key), Diagnostic::new(message).hint("options have names of one word"));
            } else if value.chars().any(char::is_control) {
                let message = format!("the value of option `{key}` has control characters");
                let hint = "options are sent on one line";
                self.faults.add_key(&spot.key(key), Diagnostic::new(message).hint(hint));
            }
        }
        owned(&pairs)
    }

    fn env(&mut self, pairs: Option<&Pairs>, spot: &Spot) -> Vec<(String, String)> {
        let pairs = text_pairs(pairs, spot, self.faults);
        for (key, value) in &pairs {
            if key.is_empty() || key.contains(['=', '\0']) || value.contains('\0') {
                let message = format!("`{}` cannot be a variable of the environment", key.escape_debug());
                self.faults.add_key(&spot.key(key), Diagnostic::new(message));
            }
        }
        owned(&pairs)
    }

    fn dir(&mut self, dir: Option<&str>, spot: &Spot) -> PathBuf {
        let Some(dir) = dir else { return self.base.to_path_buf() };
        let path = self.base.join(dir);
        if !path.is_dir() {
            let what = if path.exists() { "is not a directory" } else { "does not exist" };
            self.missing(spot, format!("directory `{dir}` {what}"));
        }
        path
    }

    fn files(&mut self, files: Option<&[String]>, spot: &Spot) -> Vec<(Spot, PathBuf)> {
        let mut paths = Vec::new();
        for (index, file) in files.into_iter().flatten().enumerate() {
            let spot = spot.item(index);
            let path = self.base.join(file);
            if path.is_file() {
                paths.push((spot, path));
            } else {
                let what = if path.exists() { "is not a file" } else { "does not exist" };
                self.missing(&spot, format!("file `{file}` {what}"));
            }
        }
        paths
    }

    fn missing(&mut self, spot: &Spot, message: String) {
        let hint = self.origin();
        self.faults.add(spot, Diagnostic::new(message).hint(hint));
    }

    fn program(&mut self, bot: &RawBot, spot: &Spot, dir: &Path) -> Option<Program> {
        const KEYS: [&str; 2] = ["cmd", "builtin"];
        match (&bot.builtin, &bot.cmd) {
            (Some(builtin), None) => self.builtin(builtin, &spot.key("builtin")),
            (None, Some(command)) => self.command(command, &spot.key("cmd"), dir),
            (Some(_), Some(_)) => {
                let message = "a bot has either `cmd` or `builtin`, not both";
                self.faults.add(&spot.key("builtin"), Diagnostic::new(message).hint("remove one of them"));
                None
            }
            (None, None) => {
                let message = "this bot has neither `cmd` nor `builtin`";
                let hint = format!("add `cmd: [PROGRAM, ARGUMENT]`, or `builtin:` with {}", builtin_names());
                self.faults.lack(spot, &KEYS, Diagnostic::new(message).hint(hint));
                None
            }
        }
    }

    fn builtin(&mut self, name: &str, spot: &Spot) -> Option<Program> {
        if kit::builtin(name).is_none() {
            let hint = match rules::nearest(name, builtins()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the arena's own bots are {}", builtin_names()),
            };
            self.faults.add(spot, Diagnostic::new(format!("the arena has no bot `{name}`")).hint(hint));
            return None;
        }
        let program = env::current_exe();
        let program = program.map_err(|error| {
            let message = format!("failed to find the arena's own executable: {error}");
            self.faults.add(spot, Diagnostic::new(message));
        });
        Some(Program {
            command: vec!["arena".to_owned(), "bot".to_owned(), name.to_owned()],
            program: program.ok()?,
            args: vec!["bot".into(), name.into()],
            files: Vec::new(),
            // The arena's version and rules, not the bytes of its executable: building it anew changes nothing.
            builtin: Some(format!("{} {}", env!("CARGO_PKG_VERSION"), rules::signature())),
        })
    }

    fn command(&mut self, command: &RawCommand, spot: &Spot, dir: &Path) -> Option<Program> {
        let command = match command {
            RawCommand::Words(words) => words.clone(),
            RawCommand::Line(line) => match words::split(line) {
                Some(words) => words,
                None => {
                    let complaint = Complaint::new("has a quote that is not closed", "quotes come in pairs");
                    self.faults.complain(spot, &complaint);
                    return None;
                }
            },
        };
        let Some(name) = command.first().filter(|name| !name.is_empty()) else {
            let complaint = Complaint::new("names no program", "for example `cmd: [python3, mine.py]`");
            self.faults.complain(spot, &complaint);
            return None;
        };
        if command.iter().any(|word| word.contains('\0')) {
            self.faults.complain(spot, &Complaint::new("has a zero byte", "no program can be given one"));
            return None;
        }
        let Some((program, executable)) = self.find(name, dir) else {
            self.faults.add(spot, self.no_program(name, dir));
            return None;
        };
        let mut files = vec![(spot.clone(), executable)];
        let args =
            command[1..].iter().map(|argument| self.argument(argument, dir, spot, &mut files)).collect();
        Some(Program { program, args, files, builtin: None, command })
    }

    /// Returns the program to run and the file it is: a name alone is looked for in `PATH`, a path from the
    /// directory of the tournament file, then from the bot's own.
    fn find(&self, name: &str, dir: &Path) -> Option<(PathBuf, PathBuf)> {
        if name.contains('/') {
            let path = [self.base, dir].iter().map(|dir| dir.join(name)).find(|path| is_executable(path))?;
            let path = path::absolute(path).ok()?;
            return Some((path.clone(), path));
        }
        let path = env::var_os("PATH")?;
        let file = env::split_paths(&path).map(|dir| dir.join(name)).find(|path| is_executable(path))?;
        Some((PathBuf::from(name), file))
    }

    fn no_program(&self, name: &str, dir: &Path) -> Diagnostic {
        if !name.contains('/') {
            let hint = format!(
                "it is looked for in `PATH`; a program of your own is written with its directory: `./{name}`"
            );
            return Diagnostic::new(format!("program `{name}` is not in `PATH`")).hint(hint);
        }
        if self.base.join(name).is_file() || dir.join(name).is_file() {
            let hint = format!("make it executable with `chmod +x`, or write `cmd: [INTERPRETER, {name}]`");
            return Diagnostic::new(format!("file `{name}` is not executable")).hint(hint);
        }
        Diagnostic::new(format!("program `{name}` does not exist")).hint(self.origin())
    }

    /// Says where paths are taken from.
    fn origin(&self) -> String {
        format!("paths are taken from the directory of the tournament file, `{}`", self.base.display())
    }

    /// Returns an argument as the program gets it. One that names a file makes the version; if the program could
    /// not find the file from the directory it runs in, the argument becomes absolute.
    fn argument(
        &self,
        argument: &str,
        dir: &Path,
        spot: &Spot,
        files: &mut Vec<(Spot, PathBuf)>,
    ) -> OsString {
        let here = dir.join(argument);
        let there = self.base.join(argument);
        if here.is_file() {
            files.push((spot.clone(), here));
        } else if there.is_file() {
            files.push((spot.clone(), there.clone()));
            return path::absolute(&there).unwrap_or(there).into();
        }
        argument.into()
    }
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}
