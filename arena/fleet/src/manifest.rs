//! What a run sends to its workers: a tournament file that means the same there, and the files that it needs.
//!
//! Files travel by content. Those below the directory of the tournament file keep their place in it, others lie under `outside`; a
//! bot with a directory of its own takes all of it along. Programs that are found in `PATH` do not travel: a worker compares them.

mod commits;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{self, Component, Path, PathBuf};

use diagnostic::Failure;
use processes::PrivateDirectory;
use record::BotConfig;
use rules::RulesSource;
use runner::PlannedBot;
use serde_json::{Map, Value, json};
use tournament_file::{Checkout, Plan};

use crate::wire::{Interpreter, RunManifest, SentCommit, SentFile, file_digest};

/// The most bytes of the files of a run, and the most files.
const MOST_BYTES: u64 = 4 << 30;
const MOST_FILES: usize = 20_000;

/// Where files lie that are not below the directory of the tournament file.
const OUTSIDE: &str = "outside";

/// A manifest with the places of its files on this machine.
#[derive(Debug)]
pub(crate) struct Packed {
    /// The manifest.
    pub manifest: RunManifest,
    /// Where the bytes of each digest are.
    pub sources: BTreeMap<String, PathBuf>,
    /// The archives of commits among them.
    _archives: PrivateDirectory,
}

impl Packed {
    /// Packs what a plan needs: of bots of commits their sources where workers build them, else what was built here.
    ///
    /// # Errors
    /// When a file cannot be read, or there are too many.
    pub(crate) fn of(plan: &Plan, builds_there: bool) -> Result<Self, Failure> {
        let base = plan.source.as_ref().and_then(|source| source.file.parent()).unwrap_or(Path::new("."));
        let base = if base.as_os_str().is_empty() { Path::new(".") } else { base };
        let base =
            path::absolute(base).map_err(|error| Failure::io("failed to find the directory", &error))?;
        let archives = PrivateDirectory::make()
            .map_err(|error| Failure::io("failed to make a temporary directory", &error))?;
        let (files, commits) = (BTreeMap::new(), Vec::new());
        let mut packing = Packing { base: normal(&base), files, bytes: 0, archives, commits };
        let mut interpreters = Vec::new();
        let mut bots = Vec::new();
        for (config, bot) in plan.config.bots.iter().zip(&plan.bots) {
            let checkout = plan.commits.get(&bot.name).filter(|_| builds_there);
            bots.push(packing.bot(config, bot, checkout, &mut interpreters)?);
        }
        let mut games = Vec::new();
        for contest in &plan.contests {
            let game = contest.setup.game();
            let mut entry = Map::new();
            entry.insert("game".to_owned(), json!(game.id));
            let options: Map<_, _> = contest
                .setup
                .options()
                .iter()
                .map(|(key, value)| ((*key).to_owned(), Value::String(value.clone())))
                .collect();
            if !options.is_empty() {
                entry.insert("options".to_owned(), Value::Object(options));
            }
            entry.insert("tc".to_owned(), json!(contest.tc.to_string()));
            if let Some(rules) = game.own_rules() {
                let (words, files) = packing.rules(rules.source(), rules.own_id())?;
                entry.insert("rules".to_owned(), words);
                if !files.is_empty() {
                    entry.insert("files".to_owned(), json!(files));
                }
            }
            games.push(Value::Object(entry));
        }
        // Who meets whom, how often and from which opening is the coordinator's business.
        let document = json!({
            "name": plan.config.name,
            "format": "round-robin",
            "rounds": "1",
            "openings": { "plies": "0" },
            "games": games,
            "bots": bots,
        });
        let mut sources = BTreeMap::new();
        let mut files = Vec::new();
        for (path, (digest, source, is_executable)) in packing.files {
            files.push(SentFile { path, digest: digest.clone(), is_executable });
            sources.insert(digest, source);
        }
        let manifest = RunManifest {
            config: plan.config.clone(),
            document,
            files,
            interpreters,
            commits: packing.commits,
            transcripts: plan.settings.transcripts,
            speed: None,
        };
        Ok(Self { manifest, sources, _archives: packing.archives })
    }
}

/// Files while they are gathered.
struct Packing {
    /// The directory of the tournament file.
    base: PathBuf,
    /// By their paths: digest, place on this machine, and whether they may be executed.
    files: BTreeMap<String, (String, PathBuf, bool)>,
    bytes: u64,
    /// Where archives of commits are made.
    archives: PrivateDirectory,
    /// The commits that are built on workers.
    commits: Vec<SentCommit>,
}

impl Packing {
    /// Returns the entry of a bot, and takes its files along.
    fn bot(
        &mut self,
        config: &BotConfig,
        bot: &PlannedBot,
        checkout: Option<&Checkout>,
        interpreters: &mut Vec<Interpreter>,
    ) -> Result<Value, Failure> {
        let commit = checkout.map(|checkout| self.commit(&bot.name, checkout)).transpose()?;
        let of_commit = |file: &Path| commit.as_ref().and_then(|commit| commit.of(file));
        let mut entry = Map::new();
        let mut say = |key: &str, value: Value| entry.insert(key.to_owned(), value);
        say("name", json!(bot.name));
        let own = std::env::current_exe().ok();
        match config.command.as_slice() {
            [arena, word, name, ..]
                if arena == "arena" && word == "bot" && own.as_ref() == Some(&bot.launch.program) =>
            {
                say("builtin", json!(name));
            }
            _ => {
                let mut words = Vec::new();
                let program = &bot.launch.program;
                if let Some(place) = of_commit(program) {
                    words.push(format!("./{place}"));
                } else if program.is_absolute() {
                    words.push(format!("./{}", self.file(program)?));
                } else {
                    let name = program.to_string_lossy().into_owned();
                    if let Some(found) = bot.files.first() {
                        let digest = read(found).map(|bytes| file_digest(&bytes))?;
                        interpreters.push(Interpreter {
                            bot: bot.name.clone(),
                            program: name.clone(),
                            digest,
                        });
                    } else if commit.is_some() {
                        // A bot of a commit is the same one whatever runs it, as it is whatever built it.
                        let (bot, program) = (bot.name.clone(), name.clone());
                        interpreters.push(Interpreter { bot, program, digest: String::new() });
                    }
                    words.push(name);
                }
                for word in &bot.launch.args {
                    let path = Path::new(word);
                    words.push(match path.is_absolute() && path.is_file() {
                        true => of_commit(path).map_or_else(|| self.file(path), Ok)?,
                        false => word.to_string_lossy().into_owned(),
                    });
                }
                say("cmd", json!(words));
                let mut files = Vec::new();
                for file in bot.files.iter().skip(1) {
                    files.push(self.file(file)?);
                }
                if !files.is_empty() {
                    say("files", json!(files));
                }
                let dir = normal(&path::absolute(&bot.launch.dir).unwrap_or_else(|_| bot.launch.dir.clone()));
                if let Some(commit) = &commit {
                    say("dir", json!(commit.dir()));
                } else if dir != self.base {
                    self.directory(&dir)?;
                    say("dir", json!(self.place(&dir)));
                }
            }
        }
        for (key, pairs) in [("options", &bot.options), ("env", &bot.launch.env)] {
            if !pairs.is_empty() {
                let pairs: Map<_, _> = pairs.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
                say(key, Value::Object(pairs));
            }
        }
        if let Some(tc) = &bot.tc {
            say("tc", json!(tc.to_string()));
        }
        for (key, text) in config.start.words() {
            if key != "env" {
                say(key, json!(text));
            }
        }
        if let Some(games) = bot.at_once {
            say("at-once", json!(games.to_string()));
        }
        let level = config.sandbox.as_deref().and_then(|text| text.split(' ').next()).unwrap_or("none");
        // What travels is named by its place there, all else as it is here.
        let places = |paths: &[String]| -> Vec<String> {
            let places = paths.iter().map(|path| {
                let path = self.base.join(path);
                let place = self.place(&path);
                let travels = self.files.keys().any(|file| Path::new(file).starts_with(&place));
                if travels { place } else { path.to_string_lossy().into_owned() }
            });
            places.collect()
        };
        let mut sandbox = Map::new();
        sandbox.insert("level".to_owned(), json!(level));
        for (key, paths) in [("read", &config.granted.read), ("write", &config.granted.write)] {
            if !paths.is_empty() {
                sandbox.insert(key.to_owned(), json!(places(paths)));
            }
        }
        if let Some(commit) = commit.filter(|commit| !commit.directory.is_empty()) {
            // All files of the commit, where it runs in one of its directories.
            let read = sandbox.entry("read").or_insert_with(|| json!([]));
            read.as_array_mut().into_iter().for_each(|paths| paths.push(json!(commit.place)));
        }
        if config.granted.network {
            sandbox.insert("network".to_owned(), json!("true"));
        }
        let limits: Map<_, _> = ["memory", "cpu", "processes"]
            .into_iter()
            .filter_map(|key| Some((key.to_owned(), json!(config.limits.text(key)?))))
            .collect();
        say("sandbox", Value::Object(sandbox));
        if !limits.is_empty() {
            say("limits", Value::Object(limits));
        }
        Ok(Value::Object(entry))
    }

    /// Returns the words of rules of one's own, with the files that they read, and takes them along.
    fn rules(&mut self, source: &RulesSource, game: &str) -> Result<(Value, Vec<String>), Failure> {
        match source {
            RulesSource::Module(file) => Ok((json!(format!("./{}#{game}", self.file(file)?)), Vec::new())),
            RulesSource::Program { command, directory, files } => {
                let mut words = Vec::new();
                for (index, word) in command.iter().enumerate() {
                    let path = directory.join(word);
                    let is_path = index > 0 || word.contains('/');
                    words.push(match is_path && path.is_file() {
                        true if index == 0 => format!("./{}", self.file(&path)?),
                        true => self.file(&path)?,
                        false => word.clone(),
                    });
                }
                words.push(format!("#{game}"));
                let files = files.iter().map(|file| self.file(&directory.join(file)));
                Ok((json!(words), files.collect::<Result<_, _>>()?))
            }
        }
    }

    /// Returns where a path lies on a worker.
    fn place(&self, path: &Path) -> String {
        let path = normal(path);
        let inside = path.strip_prefix(&self.base).map(Path::to_path_buf);
        let place = inside.unwrap_or_else(|_| {
            let names = path.components().filter(|part| matches!(part, Component::Normal(_)));
            Path::new(OUTSIDE).join(names.collect::<PathBuf>())
        });
        place.to_string_lossy().into_owned()
    }

    /// Takes a file along; returns where it lies on a worker.
    fn file(&mut self, path: &Path) -> Result<String, Failure> {
        let path = path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let place = self.place(&path);
        self.file_as(&place, &path)?;
        Ok(place)
    }

    /// Takes a file along to a place.
    fn file_as(&mut self, place: &str, path: &Path) -> Result<(), Failure> {
        if !self.files.contains_key(place) {
            let bytes = read(path)?;
            self.bytes += bytes.len() as u64;
            if self.bytes > MOST_BYTES || self.files.len() >= MOST_FILES {
                return Err(Failure::usage(format!(
                    "the bots of this run have more than {MOST_FILES} files or {} GiB to send to workers",
                    MOST_BYTES >> 30
                ))
                .hint("a bot with `dir` takes all of that directory along: give it a smaller one"));
            }
            let file = (file_digest(&bytes), path.to_path_buf(), is_executable(path));
            self.files.insert(place.to_owned(), file);
        }
        Ok(())
    }

    /// Takes a directory along, with all that is in it.
    fn directory(&mut self, directory: &Path) -> Result<(), Failure> {
        let failed = |error: io::Error| {
            Failure::io(format!("failed to read the directory `{}`", directory.display()), &error)
        };
        let mut names = Vec::new();
        for entry in fs::read_dir(directory).map_err(failed)? {
            names.push(entry.map_err(failed)?.path());
        }
        names.sort();
        for path in names {
            // A link is followed to a file, never to a directory, which may hold this one.
            match fs::symlink_metadata(&path) {
                Ok(kind) if kind.is_dir() => self.directory(&path)?,
                Ok(_) if path.is_file() => drop(self.file(&path)?),
                _ => {}
            }
        }
        Ok(())
    }
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| Failure::io(format!("failed to read `{}`", path.display()), &error))
}

/// Returns a path without `.` and `..`, as it is written.
fn normal(path: &Path) -> PathBuf {
    let mut normal = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                normal.pop();
            }
            part => normal.push(part),
        }
    }
    normal
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    path.metadata().is_ok_and(|file| file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(_: &Path) -> bool {
    true
}
