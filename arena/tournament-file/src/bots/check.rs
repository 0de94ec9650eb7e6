//! The bots of a tournament.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use diagnostic::Diagnostic;
use processes::control_groups;
use protocol::{Profile, printable};
use record::{BotConfig, StartConfig};
use rules::Catalogue;
use runner::{Launch, PlannedBot};
use settings::{Carrier, Quota, Recorded};

use crate::bots::digest::{Hasher, Manner};
use crate::bots::program::{Directories, Program, builtin_names, lacks_rules, origin};
use crate::confinement::confine::{Confiner, Subject};
use crate::games::text_pairs;
use crate::written::errors::{InputErrors, Spot};
use crate::written::path::Path as KeyPath;
use crate::written::raw::{RawBot, RawFile, RawLimits, RawSandbox, UserMap};
use crate::{bots::dialect, scalars, written::compact};

/// Checks the bots and returns those that are fine.
pub(crate) fn check(
    raw: &RawFile,
    own_games: Catalogue,
    base: &Path,
    errors: &mut InputErrors,
) -> Vec<(BotConfig, PlannedBot)> {
    const EXAMPLE: &str =
        "for example `bots: [{name: random, builtin: random}, {name: mine, cmd: [python3, mine.py]}]`";
    let Some(items) = &raw.bots else {
        errors.lack(&Spot::top(), &["bots"], Diagnostic::new("there are no `bots`").hint(EXAMPLE));
        return Vec::new();
    };
    // Where an entry cannot be read, it is unknown how many there are.
    let list = Spot::File(KeyPath::of(&["bots"]));
    let is_unread = |spot: &Spot| match spot {
        Spot::File(_) => *spot == list || errors.has_error_at(&spot.key("from")),
        Spot::Document(..) | Spot::Flag(_) | Spot::Argument(..) => false,
    };
    let is_known = items.iter().all(|item| item.value.is_some() || !is_unread(&item.spot));
    if items.len() < 2 && is_known {
        let message = format!("a tournament needs at least two bots, not {}", items.len());
        errors.add(&raw.spot("bots"), Diagnostic::new(message).hint(EXAMPLE));
    }
    let usual = limits(raw.limits.as_ref(), &raw.spot("limits"), errors);
    let confiner = Confiner::new(raw.sandbox.as_ref(), &raw.spot("sandbox"), base, errors);
    let mut checker =
        Checker { base, usual, errors, hasher: Hasher::default(), confiner, held: None, own_games };
    let mut names: Vec<(&str, &Spot)> = Vec::new();
    let mut bots = Vec::new();
    for item in items {
        let Some(bot) = &item.value else {
            if !checker.errors.has_error_at(&item.spot) {
                checker.errors.add(&item.spot, Diagnostic::new("an item of `bots` is empty"));
            }
            continue;
        };
        if let Some(name) = bot.name.as_ref().or(bot.builtin.as_ref()) {
            if let Some((_, first)) = names.iter().find(|(other, _)| other == name) {
                let diagnostic = Diagnostic::new(format!("two bots are called `{name}`"));
                let diagnostic = match checker.errors.document(first) {
                    Some(file) => diagnostic.hint(format!("the other one is that of `{file}`")),
                    None => diagnostic
                        .hint("one program may play under several names, for example with different options"),
                };
                let key = if bot.name.is_some() { "name" } else { "builtin" };
                checker.errors.add(&item.spot.key(key), diagnostic);
            }
            names.push((name, &item.spot));
        }
        if let Some(builtin) = &bot.builtin {
            let lacking = checker.own_games.own().find_map(|game| lacks_rules(builtin, &game));
            lacking.into_iter().for_each(|lacking| checker.errors.add(&item.spot.key("builtin"), lacking));
        }
        bots.extend(checker.bot(bot, &item.spot));
    }
    let lines: Vec<_> = checker.lines().collect();
    lines.into_iter().for_each(|line| errors.note(line));
    bots
}

/// What the command line says for a bot that is no part of a tournament.
#[derive(Debug, Default)]
pub(crate) struct Usual<'a> {
    /// How far it is confined.
    pub sandbox: Option<RawSandbox>,
    /// What its processes together may use, as `--limits` has it.
    pub limits: Option<&'a str>,
    /// The games of one's own that it plays if it comes with the arena.
    pub own_games: Catalogue,
}

/// Checks a bot that is no part of a tournament.
pub(crate) fn check_one(
    bot: &RawBot,
    spot: &Spot,
    base: &Path,
    usual: &Usual<'_>,
    errors: &mut InputErrors,
) -> Option<(BotConfig, PlannedBot)> {
    let confiner = Confiner::new(usual.sandbox.as_ref(), &Spot::Flag("--sandbox"), base, errors);
    let own_games = usual.own_games.clone();
    let typed = usual.limits.and_then(|text| compact::read("limits", "--limits", text, errors));
    let quota = typed.map_or_else(Quota::default, |(raw, argument)| {
        limits(Some(&raw), &Spot::Argument(Arc::new(argument), None), errors)
    });
    let mut checker =
        Checker { base, usual: quota, errors, hasher: Hasher::default(), confiner, held: None, own_games };
    let found = checker.bot(bot, spot);
    let lines: Vec<_> = checker.lines().collect();
    lines.into_iter().for_each(|line| errors.note(line));
    found
}

/// Checks one bot after the other.
struct Checker<'a> {
    base: &'a Path,
    /// What the processes of bots may use that do not say it themselves.
    usual: Quota,
    errors: &'a mut InputErrors,
    hasher: Hasher,
    confiner: Confiner,
    /// A line that says what holds bots to their limits, if any has some.
    held: Option<String>,
    /// The games of one's own that they play.
    own_games: Catalogue,
}

impl Checker<'_> {
    fn bot(&mut self, bot: &RawBot, spot: &Spot) -> Option<(BotConfig, PlannedBot)> {
        let base = bot.entry.as_ref().map_or(self.base, |entry| &entry.dir);
        let name = self.name(bot, spot);
        let version = self.errors.read(&spot.key("version"), bot.version.as_deref(), scalars::version);
        let tc = self.errors.read(&spot.key("tc"), bot.tc.as_deref(), settings::time_control);
        let options = self.options(bot.options.as_ref(), &spot.key("options"));
        let env = self.env(bot.env.as_ref(), &spot.key("env"));
        let dir = match &bot.checkout {
            Some(checkout) => checkout.dir.clone(),
            None => self.dir(bot.dir.as_deref(), base, &spot.key("dir")),
        };
        let files = self.files(bot.files.as_deref(), base, &spot.key("files"));
        let io = self.errors.read(&spot.key("io"), bot.io.as_deref(), scalars::carrier).unwrap_or_default();
        let at_once = self.at_once(bot, spot);
        let quota = limits(bot.limits.as_ref(), &spot.key("limits"), self.errors).or(self.usual);
        self.builtin_options(bot, &options, &spot.key("options"));
        let dialect = dialect::check(bot, spot, self.errors);
        let (program_spot, program) = self.program(bot, spot, base, &dir)?;
        let name = name?;

        let launch = Launch {
            prefix: Vec::new(),
            program: program.program,
            args: program.args,
            dir,
            env,
            io,
            is_private: false,
            quota,
        };
        let manner = Manner { env: &launch.env, dialect: &dialect };
        let identity = program.identity.as_deref();
        let mut digest = self.hasher.digest(&program.command, &options, tc.as_ref(), identity, &manner);
        let start = start_config(&launch.env, launch.io, &dialect);
        let named: Vec<_> = program
            .files
            .iter()
            .chain(&program.reads)
            .chain(files.iter().map(|(_, file)| file))
            .cloned()
            .collect();
        let subject = Subject {
            name: &name,
            raw: bot.sandbox.as_ref(),
            spot: &if bot.sandbox.is_some() { spot.key("sandbox") } else { spot.clone() },
            is_builtin: bot.builtin.is_some(),
            files: &named,
            root: bot.checkout.as_ref().map(|checkout| checkout.root.as_path()),
        };
        let (launch, sandbox) = self.confiner.confine(&subject, launch, self.base, self.errors);
        let (sandbox, granted) = sandbox.unzip();
        let own = program.files.iter().map(|file| (&program_spot, file));
        let hasher = &mut self.hasher;
        for (spot, file) in own.chain(files.iter().map(|(spot, file)| (spot, file))) {
            if let Err(error) = hasher.add(&mut digest, file) {
                let message = format!("failed to read `{}`: {error}", file.display());
                self.errors.add(spot, Diagnostic::new(message));
            }
        }
        let digest = digest.finish();
        let config = BotConfig {
            name: name.clone(),
            version: version.clone(),
            command: program.command,
            options: options.iter().cloned().collect(),
            tc: tc.clone().map(Recorded::from),
            sandbox,
            granted: granted.unwrap_or_default(),
            limits: launch.quota.into(),
            cgroups: self.held(&launch.quota),
            start,
            digest: digest.clone(),
        };
        Some((
            config,
            PlannedBot { name, version, launch, dialect, options, tc, digest, at_once, files: named },
        ))
    }

    /// Returns what control groups do for a bot of these limits, and remembers that there is such a bot.
    fn held(&mut self, quota: &Quota) -> Option<String> {
        if quota.is_empty() {
            return None;
        }
        let groups = control_groups();
        let means = match (groups.in_force(), groups.lacking()) {
            (Some(what), None) => format!("by guards and control groups ({what})"),
            (Some(what), Some(why)) => format!("by guards and control groups ({what}; not more: {why})"),
            (None, _) if !cfg!(target_os = "linux") => "by nothing: guards need Linux".to_owned(),
            (None, why) => format!("by guards (no control groups: {})", why.unwrap_or("none were found")),
        };
        self.held = Some(format!("limits: held {means}"));
        groups.in_force()
    }

    /// Returns the lines that say what is in force.
    fn lines(&self) -> impl Iterator<Item = String> {
        self.confiner.line().into_iter().chain(self.confiner.warning()).chain(self.held.clone())
    }

    /// Reads how many games the bot plays at once: `exclusive: true` is another word for one.
    fn at_once(&mut self, bot: &RawBot, spot: &Spot) -> Option<NonZeroUsize> {
        let exclusive = self.errors.read(&spot.key("exclusive"), bot.exclusive.as_deref(), settings::truth);
        let is_exclusive = exclusive == Some(true);
        let at_once = self.errors.read(&spot.key("at-once"), bot.at_once.as_deref(), scalars::at_once);
        match at_once {
            Some(games) if is_exclusive && games > NonZeroUsize::MIN => {
                let message = format!("an exclusive bot plays one game at once, not {games}");
                let hint = "leave `exclusive` or `at-once` out";
                self.errors.add(&spot.key("at-once"), Diagnostic::new(message).hint(hint));
                at_once
            }
            None if is_exclusive => Some(NonZeroUsize::MIN),
            _ => at_once,
        }
    }

    fn name(&mut self, bot: &RawBot, spot: &Spot) -> Option<String> {
        match (&bot.name, &bot.builtin) {
            (Some(name), _) => self.errors.read(&spot.key("name"), Some(name), scalars::name),
            // A bot of the arena needs no other name than its own.
            (None, Some(builtin)) => Some(builtin.clone()),
            (None, None) if bot.entry.is_some() => None,
            (None, None) => {
                let hint = "for example `{name: mine, cmd: [python3, mine.py]}`";
                self.errors.lack(spot, &["name"], Diagnostic::new("this bot has no `name`").hint(hint));
                None
            }
        }
    }

    fn options(&mut self, pairs: Option<&UserMap>, spot: &Spot) -> Vec<(String, String)> {
        let pairs = text_pairs(pairs, spot, self.errors);
        for (key, value) in &pairs {
            if !is_option_name(key) {
                let message = format!("`{}` cannot be the name of an option", key.escape_debug());
                self.errors
                    .add_key(&spot.key(key), Diagnostic::new(message).hint("options have names of one word or several, with one blank between them and no `type` or `value` after the first"));
            } else if protocol::printable(*value) != **value {
                let message =
                    format!("the value of option `{key}` has control characters, or some that are not seen");
                let hint = "options are sent on one line";
                self.errors.add(&spot.key(key), Diagnostic::new(message).hint(hint));
            }
        }
        owned(&pairs)
    }

    /// Checks the options of a bot of the arena: which ones it has is known before it is started.
    fn builtin_options(&mut self, bot: &RawBot, options: &[(String, String)], spot: &Spot) {
        let Some(builtin) = bot.builtin.as_deref().and_then(kit::builtin) else { return };
        let declared = builtin.options();
        for (key, value) in options {
            let found = declared.iter().find(|option| option.name.eq_ignore_ascii_case(key));
            let Some(option) = found else {
                let names: Vec<_> = declared.iter().map(|option| option.name.as_str()).collect();
                let hint = match rules::nearest(key, names.iter().copied()) {
                    Some(near) => format!("did you mean `{near}`?"),
                    None if names.is_empty() => "it has no options: leave them out".to_owned(),
                    None => format!("its options: `{}`", names.join("`, `")),
                };
                let message = format!("the bot `{}` has no option `{}`", builtin.name, printable(key));
                self.errors.add_key(&spot.key(key), Diagnostic::new(message).hint(hint));
                continue;
            };
            if let Err(error) = option.setting(value) {
                self.errors.add(&spot.key(key), Diagnostic::new(error.to_string()));
            }
        }
    }

    fn env(&mut self, pairs: Option<&UserMap>, spot: &Spot) -> Vec<(String, String)> {
        let pairs = text_pairs(pairs, spot, self.errors);
        for (key, value) in &pairs {
            if key.is_empty() || key.contains(['=', '\0']) || value.contains('\0') {
                let message = format!("`{}` cannot be a variable of the environment", key.escape_debug());
                self.errors.add_key(&spot.key(key), Diagnostic::new(message));
            }
        }
        owned(&pairs)
    }

    fn dir(&mut self, dir: Option<&str>, base: &Path, spot: &Spot) -> PathBuf {
        let Some(dir) = dir else { return base.to_path_buf() };
        let path = base.join(dir);
        if !path.is_dir() {
            let what = if path.exists() { "is not a directory" } else { "does not exist" };
            self.missing(spot, base, format!("directory `{dir}` {what}"));
        }
        path
    }

    fn files(&mut self, files: Option<&[String]>, base: &Path, spot: &Spot) -> Vec<(Spot, PathBuf)> {
        let mut paths = Vec::new();
        for (index, file) in files.into_iter().flatten().enumerate() {
            let spot = spot.item(index);
            let path = base.join(file);
            if path.is_file() {
                paths.push((spot, path));
            } else {
                let what = if path.exists() { "is not a file" } else { "does not exist" };
                self.missing(&spot, base, format!("file `{file}` {what}"));
            }
        }
        paths
    }

    fn missing(&mut self, spot: &Spot, base: &Path, message: String) {
        let hint = if self.base == base { origin(base) } else { entry_origin(base) };
        self.errors.add(spot, Diagnostic::new(message).hint(hint));
    }

    fn program(&mut self, bot: &RawBot, spot: &Spot, base: &Path, dir: &Path) -> Option<(Spot, Program)> {
        const KEYS: [&str; 2] = ["cmd", "builtin"];
        let (key, program) = match (&bot.builtin, &bot.cmd) {
            (Some(builtin), None) => ("builtin", Program::builtin(builtin, &self.own_games)),
            (None, Some(command)) => {
                // The program of a commit is never that of the directory in which somebody works.
                let base = if bot.checkout.is_some() { dir } else { base };
                let origin = match &bot.entry {
                    Some(entry) if entry.is_built => {
                        "an entry is built first: `arena intake` builds all, and lists those that can play"
                            .to_owned()
                    }
                    Some(_) => entry_origin(base),
                    None if bot.checkout.is_some() => {
                        format!("paths are taken from the directory of the commit, `{}`", base.display())
                    }
                    None => origin(base),
                };
                let key = if bot.entry.is_some() { "run" } else { "cmd" };
                (key, Program::command(command, Directories { base, dir, origin: &origin }))
            }
            (Some(_), Some(_)) => {
                let message = "a bot has either `cmd` or `builtin`, not both";
                ("builtin", Err(Diagnostic::new(message).hint("remove one of them")))
            }
            // That an entry does not say how it is run is noted.
            (None, None) if bot.entry.is_some() => return None,
            (None, None) => {
                let message = "this bot has neither `cmd` nor `builtin`";
                let hint = format!("add `cmd: [PROGRAM, ARGUMENT]`, or `builtin:` with {}", builtin_names());
                self.errors.lack(spot, &KEYS, Diagnostic::new(message).hint(hint));
                return None;
            }
        };
        let spot = spot.key(key);
        match program {
            Ok(mut program) => {
                if let Some(checkout) = &bot.checkout {
                    // Two builds of one commit may differ in their bytes: they are the same bot.
                    program.files.clear();
                    program.identity = Some(checkout.identity.clone());
                }
                Some((spot, program))
            }
            Err(diagnostic) => {
                self.errors.add(&spot, diagnostic);
                None
            }
        }
    }
}

/// Returns how a bot is started and addressed, as a journal has it. What confinement adds to its environment is no
/// part of it.
fn start_config(env: &[(String, String)], io: Carrier, dialect: &Profile) -> StartConfig {
    let names: BTreeSet<_> = env.iter().map(|(name, _)| name.clone()).collect();
    StartConfig {
        env: names.into_iter().collect(),
        hello: dialect.hello.clone().into(),
        clock: dialect.clock.into(),
        position_keyword: dialect.position_keyword.into(),
        quiet: dialect.quiet,
        io: io.into(),
    }
}

/// Says where paths of an entry's file are taken from.
fn entry_origin(base: &Path) -> String {
    format!("paths are taken from the directory of the entry, `{}`", base.display())
}

/// Reads what the processes of a bot may use.
fn limits(raw: Option<&RawLimits>, spot: &Spot, errors: &mut InputErrors) -> Quota {
    let Some(raw) = raw else { return Quota::default() };
    Quota {
        memory: errors.read(&spot.key("memory"), raw.memory.as_deref(), scalars::memory),
        cpu: errors.read(&spot.key("cpu"), raw.cpu.as_deref(), scalars::cpu),
        processes: errors.read(&spot.key("processes"), raw.processes.as_deref(), scalars::processes),
    }
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// Returns whether an option of a bot can have this name: words as `option` declares them, up to the next keyword.
fn is_option_name(name: &str) -> bool {
    let is_word = |word: &str| !word.is_empty() && word.chars().all(|letter| letter.is_ascii_graphic());
    let is_keyword = |word: &str| matches!(word, "type" | "value");
    name.split(' ').all(is_word) && !name.split(' ').skip(1).any(is_keyword)
}
