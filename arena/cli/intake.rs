//! `arena intake DIR`: the entries of a course or contest, built, tested, tried, with a page for each author.

mod feedback;
mod folder;
mod handover;
mod outcome;
mod tools;
mod trial;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{self, Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use live::Interrupts;
use protocol::{printable, printable_capped};
use runner::Control;
use sandbox::Level;
use tournament_file::launcher;

use self::folder::{Folder, MANIFEST};
use self::outcome::Outcome;
use self::work::{Desk, Done, Manifest, Stop};
use crate::check;

/// How many characters of a path are shown.
const SHOWN: usize = 300;

/// The file by which the directory of an intake is known, and locked.
const LOCK: &str = "intake.lock";

/// The most bytes of that tournament.
const MOST_BYTES: u64 = 1 << 20;

/// The tournament of the entries that were accepted.
const TOURNAMENT: &str = "tournament.yaml";

/// What `arena intake` is told.
#[derive(Debug, Args)]
#[command(
    after_help = "Every directory in DIR is an entry, described by its `bot.yaml`. What was accepted is played by `arena run \
                  OUT/tournament.yaml`. All of it is in arena/docs/course.md. Exit code 0: all entries were accepted; 1: some were not."
)]
pub(crate) struct Arguments {
    /// The directory of the entries
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// Where `intake.csv`, `feedback/`, the built entries and their tournament are written
    #[arg(long, value_name = "OUT", default_value = "intake")]
    out: PathBuf,
    /// Test and try every entry in this game; may be repeated [default: what each entry says it plays]
    #[arg(long = "game", value_name = "GAME[:KEY=VALUE,...]")]
    games: Vec<String>,
    /// How long the build of an entry may take
    #[arg(long, value_name = "TIME", default_value = "2m")]
    build_limit: String,
    /// How far entries are confined, their builds too from `contest` on: `none`, `basic`, `contest` or `strict`
    #[arg(long, value_name = "LEVEL")]
    sandbox: Option<Level>,
    /// The time control of the games against `random`
    #[arg(long, value_name = "TC", default_value = "10+0.1")]
    tc: String,
    /// How far a limit of time may be overrun
    #[arg(long, value_name = "TIME", default_value = "50ms")]
    margin: String,
    /// The seed of positions and games
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// How many entries are worked on at once: a number or `auto`
    #[arg(long, value_name = "N", default_value = "auto")]
    concurrency: String,
    /// Ask about a tenth of the positions, and test time in one game only
    #[arg(long)]
    quick: bool,
    /// Build and try every entry again, also those that have not changed
    #[arg(long)]
    force: bool,
}

impl Arguments {
    /// Takes the entries in.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let control = Control::new();
        let workers = tournament_file::read_concurrency(&self.concurrency).map_err(|error| {
            Failure::usage(format!("`--concurrency` cannot be `{}`: {error}", self.concurrency))
        })?;
        let desk = self.desk(control.clone())?;
        let folders = folder::find(&self.directory).map_err(|error| {
            Failure::usage(format!("failed to read `{}`: {error}", output::path(&self.directory)))
                .hint("name the directory in which the directories of the entries lie")
        })?;
        if folders.is_empty() {
            let message = format!("there are no entries in `{}`", output::path(&self.directory));
            return Err(Failure::usage(message).hint(format!("an entry is a directory with a `{MANIFEST}`")));
        }
        let _lock = open(&desk.out)?;
        let interrupts = Interrupts::listen(control)
            .map_err(|error| Failure::io("failed to listen to signals", &error))?;
        sweep(&desk.out, &folders)?;
        if let Some(line) = desk.line()? {
            say(&line);
        }
        let manifests: Vec<_> = folders.iter().map(|folder| desk.read(folder)).collect();
        let done = work(&desk, &folders, &manifests, workers.get())?;
        let rows = folders.iter().zip(&done);
        let rows: Vec<_> =
            rows.filter_map(|(folder, done)| Some((folder, &done.as_ref()?.outcome))).collect();
        let csv = outcome::csv(
            rows.iter()
                .map(|(folder, outcome)| (&*folder.shown, feedback_name(folder), *outcome))
                .collect::<Vec<_>>()
                .iter()
                .map(|(folder, feedback, outcome)| (*folder, feedback.as_str(), *outcome)),
        );
        write(&desk.out.join("intake.csv"), &csv)?;
        if interrupts.count() > 0 {
            let left =
                output::count((folders.len() - rows.len()) as u64, "entry").replace("entrys", "entries");
            say(&format!("interrupted with {left} left; to go on: {}", output::command_line()));
            return Ok(Exit::Interrupted);
        }
        let accepted: Vec<_> = rows.iter().map(|row| row.1).filter(|outcome| outcome.is_accepted()).collect();
        self.write_tournament(&desk, &accepted)?;
        say(&format!(
            "{} of {} accepted; written to {}: intake.csv, feedback, {TOURNAMENT}",
            accepted.len(),
            rows.len(),
            output::path(&desk.out)
        ));
        Ok(if accepted.len() == rows.len() { Exit::Done } else { Exit::No })
    }

    /// Returns how entries are tried.
    fn desk(&self, control: Control) -> Result<Desk, Failure> {
        let duration = |flag: &str, text: &str| {
            settings::parse_duration(text)
                .map_err(|error| Failure::usage(format!("`{flag}` cannot be `{text}`: {error}")))
        };
        let build_limit = duration("--build-limit", &self.build_limit)?;
        if build_limit == Duration::ZERO {
            return Err(
                Failure::usage("`--build-limit` leaves no time").hint("for example `--build-limit 2m`")
            );
        }
        self.tc.parse::<settings::TimeControl>().map_err(|error| {
            Failure::usage(format!("`--tc` cannot be `{}`: {error}", self.tc))
                .hint("for example `--tc 10+0.1`")
        })?;
        let absolute = |path: &Path| {
            path::absolute(path)
                .map_err(|error| Failure::io(format!("failed to find `{}`", output::path(path)), &error))
        };
        let (from, out) = (absolute(&self.directory)?, absolute(&self.out)?);
        if out.starts_with(&from) {
            let message = format!("`{}` lies within the entries", output::path(&self.out));
            return Err(Failure::usage(message).hint("name another directory with `--out`"));
        }
        Ok(Desk {
            launcher: launcher()?,
            out,
            from,
            games: self.games.iter().map(|text| check::game(text)).collect::<Result<_, _>>()?,
            build_limit,
            sandbox: self.sandbox,
            tc: self.tc.clone(),
            margin_text: self.margin.clone(),
            margin: duration("--margin", &self.margin)?,
            seed: self.seed,
            is_quick: self.quick,
            is_forced: self.force,
            control,
            builds: AtomicUsize::new(0),
        })
    }

    /// Writes the tournament of the accepted entries, unless somebody has changed it.
    fn write_tournament(&self, desk: &Desk, accepted: &[&Outcome]) -> Result<(), Failure> {
        let (path, copy) = (desk.out.join(TOURNAMENT), desk.out.join("state").join(TOURNAMENT));
        let text = tournament(&self.tc, accepted);
        let read = |path: &Path| record::read_regular(path, MOST_BYTES);
        let is_own = match read(&path) {
            Ok(written) => read(&copy).is_ok_and(|copy| copy == written),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if !is_own {
            say(&format!("{} has been changed and stays as it is", output::path(&path)));
            return Ok(());
        }
        write(&copy, text.as_bytes())?;
        write(&path, text.as_bytes())
    }
}

/// Returns a tournament of what was accepted, over the games that all of it plays.
fn tournament(tc: &str, accepted: &[&Outcome]) -> String {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for label in accepted.iter().flat_map(|outcome| &outcome.plays) {
        *count.entry(label).or_default() += 1;
    }
    let most = count.values().copied().max().unwrap_or(0);
    let game = |label: &str| match label.split_once(' ') {
        None => label.to_owned(),
        Some((game, options)) => {
            format!("{{game: {game}, options: {{{}}}}}", options.replace(' ', ", ").replace('=', ": "))
        }
    };
    let games: Vec<_> =
        count.iter().filter(|(_, count)| **count == most).map(|(label, _)| game(label)).collect();
    let games = if games.is_empty() { String::new() } else { format!("games: [{}]\n", games.join(", ")) };
    format!(
        "# The entries that were accepted. Change what you like: a file that was changed is not written again.\n\
         name: contest\n{games}bots: {{from: 'entries/*/{MANIFEST}'}}\nrounds: 1\ntc: {tc}\n"
    )
}

/// Returns where the page about an entry is, seen from the table.
fn feedback_name(folder: &Folder) -> String {
    format!("feedback/{}.md", folder.key)
}

/// Makes the directory of an intake and locks it.
fn open(out: &Path) -> Result<File, Failure> {
    let failed = |path: &Path| {
        let path = output::path(path);
        move |error: io::Error| Failure::io(format!("failed to write `{path}`"), &error)
    };
    let lock = out.join(LOCK);
    let is_foreign = || fs::read_dir(out).is_ok_and(|mut entries| entries.next().is_some());
    if !lock.exists() && is_foreign() {
        let message = format!("`{}` holds something else than an intake", out.display());
        return Err(Failure::usage(message)
            .hint("name a new directory with `--out`: old files of an intake are removed"));
    }
    for name in ["", "entries", "feedback", "state"] {
        fs::create_dir_all(out.join(name)).map_err(failed(out))?;
    }
    let file = File::options().create(true).append(true).open(&lock).map_err(failed(&lock))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Failure::new(
            Exit::Io,
            vec![diagnostic::Diagnostic::new(format!("another intake works in `{}`", out.display()))],
        )),
        Err(TryLockError::Error(error)) => Err(failed(&lock)(error)),
    }
}

/// Removes what earlier intakes have left of entries that are not there any more.
fn sweep(out: &Path, folders: &[Folder]) -> Result<(), Failure> {
    for (name, ending) in [("entries", ""), ("feedback", ".md"), ("state", ".json")] {
        let known: BTreeSet<_> =
            folders.iter().map(|folder| OsString::from(format!("{}{ending}", folder.key))).collect();
        let directory = out.join(name);
        let failed =
            |error: io::Error| Failure::io(format!("failed to tidy `{}`", output::path(&directory)), &error);
        for entry in fs::read_dir(&directory).map_err(failed)? {
            let entry = entry.map_err(failed)?;
            if known.contains(&entry.file_name()) || entry.file_name() == TOURNAMENT {
                continue;
            }
            // What an entry has built may be made so that nobody can remove it: the others are taken in all the same.
            if let Err(error) = handover::remove(&entry.path()) {
                let shown = printable_capped(&entry.path().display().to_string(), SHOWN);
                say(&format!("`{shown}` is of no entry any more and cannot be removed: {error}"));
            }
        }
    }
    Ok(())
}

/// Works on the entries, so many at once. What came of each stands in the order of the entries; nothing for those that
/// were not begun or not finished when the user interrupted.
fn work(
    desk: &Desk,
    folders: &[Folder],
    manifests: &[Manifest],
    workers: usize,
) -> Result<Vec<Option<Done>>, Failure> {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for submission in manifests.iter().flatten() {
        *names.entry(submission.name()).or_default() += 1;
    }
    let is_namesake =
        |manifest: &Manifest| manifest.as_ref().is_ok_and(|submission| names[submission.name()] > 1);
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<Done>>> = Mutex::new(folders.iter().map(|_| None).collect());
    let failure: Mutex<Option<Failure>> = Mutex::new(None);
    let worker = || {
        while !desk.control.is_finishing() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(folder) = folders.get(index) else { return };
            match desk.work(folder, &manifests[index], is_namesake(&manifests[index])) {
                Ok(one) => {
                    say(&line(index, folders.len(), folder, &one));
                    if let Ok(mut done) = done.lock() {
                        done[index] = Some(one);
                    }
                }
                Err(Stop::Interrupted) => return,
                Err(Stop::Failed(why)) => {
                    if let Ok(mut failure) = failure.lock() {
                        failure.get_or_insert(why);
                    }
                    desk.control.abort();
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers.min(folders.len()) {
            scope.spawn(worker);
        }
    });
    match failure.into_inner().unwrap_or_default() {
        Some(why) => Err(why),
        None => Ok(done.into_inner().unwrap_or_default()),
    }
}

fn line(index: usize, count: usize, folder: &Folder, done: &Done) -> String {
    let Outcome { reason, .. } = &done.outcome;
    let verdict = if done.outcome.is_accepted() {
        "accepted".to_owned()
    } else {
        format!("failed: {}", printable(reason))
    };
    let old = if done.is_old { " (as before: it has not changed)" } else { "" };
    format!("{}/{count} {}: {verdict}{old}", index + 1, folder.shown)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes)
        .map_err(|error| Failure::io(format!("failed to write `{}`", output::path(path)), &error))
}
