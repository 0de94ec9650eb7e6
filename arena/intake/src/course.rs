//! All entries of a course, one after the other or several at once, and the table and the tournament made of them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use diagnostic::{Diagnostic, Exit, Failure, output};
use page::ListedAuthor;
use protocol::{printable, printable_capped};
use record::RulesConfig;
use rules::Setup;
use runner::Control;
use tournament_file::handover;

use crate::examiner::{EntryResult, Examiner, Manifest, NoVerdict};
use crate::folder::{self, Folder, MANIFEST};
use crate::intake_settings::IntakeSettings;
use crate::outcome::{self, EntryOutcome};

/// How many characters of a path are shown.
const SHOWN: usize = 300;

/// The file by which the directory of an intake is known, and locked.
const LOCK: &str = "intake.lock";

/// The most bytes of that tournament.
const MOST_BYTES: u64 = 1 << 20;

/// The tournament of the entries that were accepted.
pub(crate) const TOURNAMENT: &str = "tournament.yaml";

/// What came of an intake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IntakeSummary {
    /// How many entries there are.
    pub entries: usize,
    /// How many have a verdict.
    pub judged: usize,
    /// How many were accepted.
    pub accepted: usize,
    /// Whether the user interrupted: then no tournament was written.
    pub is_interrupted: bool,
    /// The directory that everything was written to.
    pub out: std::path::PathBuf,
}

/// Takes the entries of a directory in, until `control` ends that; says with `tell` what comes of each.
///
/// # Errors
/// When the settings cannot be followed, the directory of the intake is not to be had, or the arena itself fails.
pub fn take_in(
    settings: &IntakeSettings,
    control: &Control,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<IntakeSummary, Failure> {
    let examiner = Examiner::new(settings, control.clone())?;
    let folders = folder::find(&settings.directory).map_err(|error| {
        Failure::usage(format!("failed to read `{}`: {error}", output::path(&settings.directory)))
            .hint("name the directory in which the directories of the entries lie")
    })?;
    if folders.is_empty() {
        let message = format!("there are no entries in `{}`", output::path(&settings.directory));
        return Err(Failure::usage(message).hint(format!("an entry is a directory with a `{MANIFEST}`")));
    }
    let _lock = open(&examiner.out)?;
    sweep(&examiner.out, &folders, tell)?;
    if let Some(line) = examiner.line()? {
        tell(&line);
    }
    let manifests: Vec<_> = folders.iter().map(|folder| examiner.read(folder)).collect();
    let done = work(&examiner, &folders, &manifests, settings.concurrency, tell)?;
    let rows = folders.iter().zip(&done);
    let rows: Vec<_> = rows.filter_map(|(folder, done)| Some((folder, &done.as_ref()?.outcome))).collect();
    let csv = outcome::csv(
        rows.iter()
            .map(|(folder, outcome)| (&*folder.shown, feedback_name(folder), *outcome))
            .collect::<Vec<_>>()
            .iter()
            .map(|(folder, feedback, outcome)| (*folder, feedback.as_str(), *outcome)),
    );
    write(&examiner.out.join("intake.csv"), &csv)?;
    let listed: Vec<_> = rows.iter().map(|(folder, outcome)| listed(folder, outcome)).collect();
    write(&examiner.out.join("index.html"), page::author_list("Entries", &listed).as_bytes())?;
    let accepted: Vec<_> = rows.iter().map(|row| row.1).filter(|outcome| outcome.is_accepted()).collect();
    // Nothing else finishes it: a fault of the arena itself has been returned.
    let is_interrupted = control.is_finishing();
    if !is_interrupted {
        write_tournament(&examiner, &accepted, tell)?;
    }
    Ok(IntakeSummary {
        entries: folders.len(),
        judged: rows.len(),
        accepted: accepted.len(),
        is_interrupted,
        out: examiner.out.clone(),
    })
}

/// Writes the tournament of the accepted entries, unless a person has edited it.
fn write_tournament(
    examiner: &Examiner,
    accepted: &[&EntryOutcome],
    tell: &dyn Fn(&str),
) -> Result<(), Failure> {
    let (path, copy) = (examiner.out.join(TOURNAMENT), examiner.out.join("state").join(TOURNAMENT));
    own_games::keep_modules(&examiner.games, &examiner.out)
        .map_err(|error| Failure::io("failed to keep the rules of the games", &error))?;
    let text = tournament(&examiner.tc, &examiner.games, accepted);
    let read = |path: &Path| record::read_regular(path, MOST_BYTES);
    let is_own = match read(&path) {
        Ok(written) => read(&copy).is_ok_and(|copy| copy == written),
        Err(error) => error.kind() == io::ErrorKind::NotFound,
    };
    if !is_own {
        tell(&format!("{} has been changed and stays as it is", output::path(&path)));
        return Ok(());
    }
    write(&copy, text.as_bytes())?;
    write(&path, text.as_bytes())
}

/// Returns a tournament of what was accepted, over the games that all of it plays. Of `tested`, those of one's own are named with
/// their rules.
fn tournament(tc: &str, tested: &[Setup], accepted: &[&EntryOutcome]) -> String {
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
    let rules = rules_of(tested);
    let games = if games.is_empty() { String::new() } else { format!("games: [{}]\n", games.join(", ")) };
    format!(
        "# The entries that were accepted. Change what you like: a file that was changed is not written again.\n\
         name: contest\n{rules}{games}bots: {{from: 'entries/*/{MANIFEST}'}}\nrounds: 1\ntc: {tc}\n"
    )
}

/// Returns the line that names the rules of these games, where some are one's own. Modules are kept beside the file, programs stay
/// where they are.
fn rules_of(games: &[Setup]) -> String {
    let mut rules = BTreeMap::new();
    for game in games.iter().map(Setup::game) {
        let Some(config) = RulesConfig::of(game) else { continue };
        // Which of their games is meant, where rules know several.
        let meant = format!("#{}", config.game);
        let rules_of_game = match config.module {
            Some(module) => serde_json::Value::from(format!("./{module}{meant}")),
            None => config.command_anywhere().into_iter().chain([meant]).collect(),
        };
        rules.insert(game.id, rules_of_game.to_string());
    }
    if rules.is_empty() {
        return String::new();
    }
    let rules: Vec<_> = rules.iter().map(|(id, words)| format!("{id}: {words}")).collect();
    format!("rules: {{{}}}\n", rules.join(", "))
}

/// Returns the row of an entry in the list of pages.
fn listed(folder: &Folder, outcome: &EntryOutcome) -> ListedAuthor {
    let name = if outcome.name.is_empty() { folder.shown.to_string() } else { outcome.name.clone() };
    // Besides letters and digits, a key holds `%`, which an address writes as `%25`.
    let link = format!("feedback/{}.html", folder.key.replace('%', "%25"));
    ListedAuthor { name, link, verdict: outcome.verdict().to_owned(), about: outcome.reason.clone() }
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
            vec![Diagnostic::new(format!("another intake works in `{}`", out.display()))],
        )),
        Err(TryLockError::Error(error)) => Err(failed(&lock)(error)),
    }
}

/// Removes what earlier intakes have left of entries that are not there any more.
fn sweep(out: &Path, folders: &[Folder], tell: &dyn Fn(&str)) -> Result<(), Failure> {
    for (name, endings) in [("entries", &[""][..]), ("feedback", &[".md", ".html"]), ("state", &[".json"])] {
        let names = |folder: &Folder| {
            endings.iter().map(|ending| format!("{}{ending}", folder.key)).collect::<Vec<_>>()
        };
        let known: BTreeSet<_> = folders.iter().flat_map(names).map(OsString::from).collect();
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
                tell(&format!("`{shown}` is of no entry any more and cannot be removed: {error}"));
            }
        }
    }
    Ok(())
}

/// Works on the entries, this many at once. What came of each stands in the order of the entries; nothing for those that
/// were not begun or not finished when the user interrupted.
fn work(
    examiner: &Examiner,
    folders: &[Folder],
    manifests: &[Manifest],
    workers: NonZeroUsize,
    tell: &(dyn Fn(&str) + Sync),
) -> Result<Vec<Option<EntryResult>>, Failure> {
    let mut names: BTreeMap<&str, usize> = BTreeMap::new();
    for submission in manifests.iter().flatten() {
        *names.entry(submission.name()).or_default() += 1;
    }
    let is_namesake =
        |manifest: &Manifest| manifest.as_ref().is_ok_and(|submission| names[submission.name()] > 1);
    let next = AtomicUsize::new(0);
    let done: Mutex<Vec<Option<EntryResult>>> = Mutex::new(folders.iter().map(|_| None).collect());
    let failure: Mutex<Option<Failure>> = Mutex::new(None);
    let worker = || {
        while !examiner.control.is_finishing() {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(folder) = folders.get(index) else { return };
            match examiner.work(folder, &manifests[index], is_namesake(&manifests[index])) {
                Ok(one) => {
                    tell(&line(index, folders.len(), folder, &one));
                    if let Ok(mut done) = done.lock() {
                        done[index] = Some(one);
                    }
                }
                Err(NoVerdict::Interrupted) => return,
                Err(NoVerdict::Failed(why)) => {
                    if let Ok(mut failure) = failure.lock() {
                        failure.get_or_insert(why);
                    }
                    examiner.control.abort();
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..workers.get().min(folders.len()) {
            scope.spawn(worker);
        }
    });
    match failure.into_inner().unwrap_or_default() {
        Some(why) => Err(why),
        None => Ok(done.into_inner().unwrap_or_default()),
    }
}

fn line(index: usize, count: usize, folder: &Folder, done: &EntryResult) -> String {
    let EntryOutcome { reason, .. } = &done.outcome;
    let verdict = match done.outcome.verdict() {
        "accepted" => "accepted".to_owned(),
        verdict => format!("{verdict}: {}", printable(reason)),
    };
    let old = if done.is_old { " (as before: it has not changed)" } else { "" };
    format!("{}/{count} {}: {verdict}{old}", index + 1, folder.shown)
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    fs::write(path, bytes)
        .map_err(|error| Failure::io(format!("failed to write `{}`", output::path(path)), &error))
}
