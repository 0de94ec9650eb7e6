//! One entry, from its files to a verdict and a page for its author.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use conformance::{CheckError, Report, Settings};
use diagnostic::Failure;
use processes::Launcher;
use protocol::printable_capped;
use rules::Setup;
use runner::{Build, BuildEnd, Built, Control};
use sandbox::Level;
use sha2::{Digest as _, Sha256};
use tournament_file::game_options;
use tournament_file::{ConfinedBuild, Submission, Trial, confine_build, confines_builds};

use super::feedback::Page;
use super::folder::{Files, FilesError, Folder, MANIFEST, hexadecimal};
use super::handover;
use super::outcome::{Outcome, Stage};
use super::tools;
use super::trial::{self, Games, NoGames};
use crate::check::wire::Starter;

/// The built-in bot that entries meet.
const OPPONENT: &str = "random";

/// How many characters of a reason are kept.
const REASON: usize = 300;

/// How entries are tried: the same for all of them.
pub(super) struct Desk {
    /// Who starts their processes: those of builds, of tests and of games.
    pub(super) launcher: &'static dyn Launcher,
    /// The directory of everything that is written.
    pub(super) out: PathBuf,
    /// The directory of the entries.
    pub(super) from: PathBuf,
    /// The games; empty: those that an entry says it plays.
    pub(super) games: Vec<Setup>,
    /// How long a build may take.
    pub(super) build_limit: Duration,
    /// How far entries are confined, where that is said.
    pub(super) sandbox: Option<Level>,
    /// The time control of the games.
    pub(super) tc: String,
    /// How far a limit of time may be overrun, as it was typed.
    pub(super) margin_text: String,
    /// The same.
    pub(super) margin: Duration,
    /// The seed of positions and games.
    pub(super) seed: u64,
    /// Whether the tests of the protocol are the quick ones.
    pub(super) is_quick: bool,
    /// Whether entries that have not changed are tried again.
    pub(super) is_forced: bool,
    /// Ends everything.
    pub(super) control: Control,
    /// How many builds were begun.
    pub(super) builds: AtomicUsize,
}

/// What an entry's own file says, or what is wrong with it.
pub(super) type Manifest = Result<Submission, Failure>;

/// What came of an entry now.
#[derive(Debug)]
pub(super) struct Done {
    /// The verdict.
    pub(super) outcome: Outcome,
    /// Whether it was found by an earlier intake.
    pub(super) is_old: bool,
}

/// Why there is no verdict.
#[derive(Debug)]
pub(super) enum Stop {
    /// The user wants no more of this.
    Interrupted,
    /// The arena itself cannot go on.
    Failed(Failure),
}

impl Desk {
    /// Returns the page about an entry.
    pub(super) fn feedback(&self, folder: &Folder) -> PathBuf {
        self.out.join("feedback").join(format!("{}.md", folder.key))
    }

    /// Returns the directory in which an entry is built and runs.
    pub(super) fn entry(&self, folder: &Folder) -> PathBuf {
        self.out.join("entries").join(&folder.key)
    }

    fn state(&self, folder: &Folder) -> PathBuf {
        self.out.join("state").join(format!("{}.json", folder.key))
    }

    /// Reads an entry's own file.
    pub(super) fn read(&self, folder: &Folder) -> Manifest {
        Submission::read(&folder.path.join(MANIFEST), MANIFEST, self.sandbox)
    }

    /// Tries an entry, unless an earlier intake has tried the same, and writes its page.
    ///
    /// # Errors
    /// When there is no verdict.
    pub(super) fn work(&self, folder: &Folder, manifest: &Manifest, is_namesake: bool) -> Result<Done, Stop> {
        let mut page = Page::new(&self.entry(folder), &[&self.out, &folder.path, &self.from]);
        let mut outcome = Outcome::default();
        if let Ok(submission) = manifest {
            outcome.name = printable_capped(submission.name(), REASON);
            outcome.language = printable_capped(submission.language().unwrap_or_default(), REASON);
        }
        let files = Files::of(&folder.path);
        if let Ok(files) = &files {
            outcome.digest = self.digest(files);
            if let Some(old) = self.known(folder, &outcome.digest, is_namesake) {
                return Ok(Done { outcome: old, is_old: true });
            }
        }
        let cleared = self.clear(folder);
        let (stage, reason, is_kept) = match (manifest, files) {
            _ if cleared.is_err() => {
                // What it has built may be made so that nobody can remove it: that ends nothing but this entry.
                let error = cleared.err().map_or_else(String::new, |error| error.to_string());
                (
                    Stage::Entry,
                    format!("what it has left of an earlier intake cannot be removed: {error}"),
                    false,
                )
            }
            (Err(failure), _) => {
                let text = failure.to_string();
                page.entry_fault(&text);
                (Stage::Entry, failure.first(), true)
            }
            (Ok(_), Err(FilesError::Fault(why))) => (Stage::Entry, why, false),
            (Ok(_), Err(FilesError::Io(path, error))) => {
                let path = path.strip_prefix(&folder.path).unwrap_or(&path).display().to_string();
                (Stage::Entry, format!("`{path}` cannot be read: {error}"), false)
            }
            (Ok(submission), Ok(_)) if is_namesake => {
                let name = submission.name();
                (
                    Stage::Entry,
                    format!(
                        "the name `{name}` is that of another entry too: choose one that nobody else has"
                    ),
                    false,
                )
            }
            (Ok(submission), Ok(files)) => {
                let (stage, reason) = self.try_out(folder, submission, &files, &mut page, &mut outcome)?;
                (stage, reason, true)
            }
        };
        outcome.stage = stage;
        outcome.reason = printable_capped(&page.without_paths(&reason), REASON);
        // Whatever the entry has put there itself, a link out of its directory for example.
        let path = self.entry(folder).join(MANIFEST);
        handover::remove(&path).map_err(|error| failed(&path, &error))?;
        if let (Stage::Accepted, Ok(submission)) = (stage, manifest) {
            // Last of all: an entry with this file plays.
            let write = |mut file: File| file.write_all(submission.text().as_bytes());
            File::create_new(&path).and_then(write).map_err(|error| failed(&path, &error))?;
        }
        let path = self.feedback(folder);
        fs::write(&path, page.finish(&folder.shown, &outcome)).map_err(|error| failed(&path, &error))?;
        if is_kept {
            let path = self.state(folder);
            outcome.write(&path).map_err(|error| failed(&path, &error))?;
        }
        Ok(Done { outcome, is_old: false })
    }

    /// Returns the verdict of an earlier intake on the same entry, if all of it is still there.
    fn known(&self, folder: &Folder, digest: &str, is_namesake: bool) -> Option<Outcome> {
        if self.is_forced || is_namesake || !self.feedback(folder).is_file() {
            return None;
        }
        let old = Outcome::read(&self.state(folder)).filter(|old| old.digest == digest)?;
        let is_there = self.entry(folder).join(MANIFEST).is_file();
        (old.is_accepted() == is_there).then_some(old)
    }

    /// Removes everything that an earlier intake has left of an entry.
    fn clear(&self, folder: &Folder) -> io::Result<()> {
        let entry = self.entry(folder);
        // First what says that it plays.
        [entry.join(MANIFEST), self.state(folder), self.feedback(folder), entry]
            .iter()
            .try_for_each(|path| handover::remove(path))
    }

    fn digest(&self, files: &Files) -> String {
        let games: Vec<_> = self.games.iter().map(Setup::label).collect();
        let settings = format!(
            "{} {} {} {games:?} {} {} {} {} {:?} {:?}",
            files.digest,
            env!("CARGO_PKG_VERSION"),
            rules::signature(),
            self.tc,
            self.margin_text,
            self.seed,
            self.is_quick,
            self.build_limit,
            self.sandbox,
        );
        hexadecimal(&Sha256::digest(settings), 16)
    }

    /// Builds an entry, tests it and lets it play. Returns how far it came, and why no further.
    fn try_out(
        &self,
        folder: &Folder,
        submission: &Submission,
        files: &Files,
        page: &mut Page,
        outcome: &mut Outcome,
    ) -> Result<(Stage, String), Stop> {
        let dir = self.entry(folder);
        files.copy(&folder.path, &dir).map_err(|(path, error)| failed(&path, &error))?;
        if let Some(reason) = self.missing_tool(submission)? {
            return Ok((Stage::Build, reason));
        }
        if let Some(line) = submission.build() {
            let built = match self.build(line, &dir)? {
                Ok(built) => built,
                Err(reason) => return Ok((Stage::Build, reason)),
            };
            outcome.build_seconds = Some(built.took.as_secs_f64());
            page.build(line, &built);
            let is_confined = self.sandbox.is_some_and(confines_builds);
            if is_confined && let Err(error) = handover::take_back(&dir) {
                return Ok((Stage::Build, format!("what it has built cannot be taken: {error}")));
            }
            if !built.is_success() {
                return Ok((Stage::Build, self.why(&built)));
            }
        }
        let launch = match submission.bot(&dir) {
            Ok(bot) => bot.launch,
            Err(failure) => {
                page.entry_fault(&failure.to_string());
                let stage = if submission.build().is_some() { Stage::Build } else { Stage::Entry };
                return Ok((stage, failure.first()));
            }
        };
        let report = self.check(launch)?;
        let count = |word: &str| report.count(|test| test.word() == word);
        outcome.tests = Some([count("ok"), count("failed"), count("warning")]);
        page.check(&report);
        if !report.conforms() {
            let broken = report.tests.iter().find(|test| test.is_failure());
            outcome.clause = broken.map(|test| test.clause.to_owned()).unwrap_or_default();
            let reason = match (broken, &report.stopped) {
                (Some(test), _) => {
                    format!("it fails test T{:02} of the protocol, that {}", test.number, test.title)
                }
                (None, Some(why)) => format!("the tests of the protocol ended early: {why}"),
                (None, None) => "it does not keep to the protocol".to_owned(),
            };
            return Ok((Stage::Check, reason));
        }
        let games = match &self.games[..] {
            [] => declared(&report),
            games => games.to_vec(),
        };
        outcome.plays = games.iter().map(Setup::label).collect();
        if games.is_empty() {
            return Ok((Stage::Games, "it plays none of the games".to_owned()));
        }
        let Games { played, lost, .. } = match self.play(submission, &dir, &games)? {
            Ok(games) => games,
            Err(reason) => return Ok((Stage::Games, reason)),
        };
        let results = ["won", "drawn", "lost"];
        outcome.games = Some(results.map(|word| {
            played.iter().filter(|game| game.result == word).count().try_into().unwrap_or(u32::MAX)
        }));
        page.games(&played, &lost);
        let faults: Vec<_> = played.iter().filter(|game| game.is_fault).collect();
        match faults.first() {
            None => Ok((Stage::Accepted, String::new())),
            Some(first) => {
                let (count, of) = (faults.len(), played.len());
                Ok((
                    Stage::Games,
                    format!("it loses {count} of {of} games by faults, the first by `{}`", first.reason),
                ))
            }
        }
    }

    /// Returns why a program that an entry needs cannot be used here, if one cannot.
    fn missing_tool(&self, submission: &Submission) -> Result<Option<String>, Stop> {
        let packages = submission.packages().join(" ");
        let packages = if packages.is_empty() { packages } else { format!(" (Debian has it in {packages})") };
        let is_by_another = match self.sandbox.filter(|level| confines_builds(*level)) {
            Some(level) => self.confined(level).map_err(Stop::Failed)?.user.is_some(),
            None => false,
        };
        for tool in submission.tools() {
            let found = tools::in_path(tool);
            if found.is_empty() {
                return Ok(Some(format!("it needs `{tool}`, which this machine does not have{packages}")));
            }
            let closed: Vec<_> = found.iter().filter_map(|path| tools::closed_to_others(path)).collect();
            if is_by_another
                && closed.len() == found.len()
                && let Some(closed) = closed.first()
            {
                let closed = closed.display();
                return Ok(Some(format!(
                    "it needs `{tool}`, and the user of its own who builds it may not use what lies in `{closed}`: whoever \
                     runs the intake has to install it for all users{packages}, or to run the intake as an ordinary user"
                )));
            }
        }
        Ok(None)
    }

    /// Returns how a build is confined at this level.
    fn confined(&self, level: Level) -> Result<ConfinedBuild, Failure> {
        let build = Build { line: "", dir: &self.out, limit: self.build_limit };
        confine_build(level, 0, build.launch())
    }

    /// Returns a line that says how builds are confined, where they are.
    ///
    /// # Errors
    /// When they cannot be confined so.
    pub(super) fn line(&self) -> Result<Option<String>, Failure> {
        let Some(level) = self.sandbox.filter(|level| confines_builds(*level)) else { return Ok(None) };
        let build = self.confined(level)?;
        let user = if build.user.is_some() { ", a user of their own" } else { "" };
        Ok(Some(format!("builds: {level}{user}, limits: {}", build.launch.quota)))
    }

    /// Builds an entry; the inner error says why its line cannot even be started.
    fn build(&self, line: &str, dir: &Path) -> Result<Result<Built, String>, Stop> {
        let order = Build { line, dir, limit: self.build_limit };
        let built = match self.sandbox.filter(|level| confines_builds(*level)) {
            None => order.run(self.launcher, &self.control),
            Some(level) => {
                let number = self.builds.fetch_add(1, Ordering::Relaxed);
                let build = confine_build(level, number, order.launch()).map_err(Stop::Failed)?;
                handover::give(dir, build.user).map_err(|error| failed(dir, &error))?;
                order.run_as(&build.launch, self.launcher, &self.control)
            }
        };
        match built {
            Ok(built) if built.end == BuildEnd::Interrupted => Err(Stop::Interrupted),
            Ok(built) => Ok(Ok(built)),
            // A line with a zero byte, for example: no other entry is to suffer from it.
            Err(error)
                if [io::ErrorKind::InvalidInput, io::ErrorKind::ArgumentListTooLong]
                    .contains(&error.kind()) =>
            {
                Ok(Err(format!("the line of its build cannot be started: {error}")))
            }
            Err(error) => Err(Stop::Failed(Failure::io("failed to start `sh` for a build", &error))),
        }
    }

    fn why(&self, built: &Built) -> String {
        match &built.end {
            BuildEnd::Ended(status) => format!("the build ended with {status}"),
            BuildEnd::OutOfTime => {
                format!("the build was not done within {}", settings::format_duration(self.build_limit))
            }
            BuildEnd::Flood => "the build wrote more than 64 MiB".to_owned(),
            BuildEnd::Interrupted => "the build was interrupted".to_owned(),
        }
    }

    fn check(&self, launch: runner::Launch) -> Result<Report, Stop> {
        let settings = Settings {
            command: launch.command(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            games: self.games.clone(),
            only: Vec::new(),
            seed: self.seed,
            is_quick: self.is_quick,
            margin: self.margin,
        };
        let starter = Starter::new(self.launcher, launch, self.control.clone());
        let starter =
            starter.map_err(|error| Stop::Failed(Failure::io("failed to wait for processes", &error)))?;
        match conformance::check(&starter, &settings, &mut |_| ControlFlow::Continue(())) {
            Ok(report) => Ok(report),
            // A program that the system cannot start: a script without an interpreter, for example.
            Err(CheckError::Launch(error)) => Ok(Report {
                subject: conformance::Subject::default(),
                tests: Vec::new(),
                stopped: Some(format!("it cannot be started: {error}")),
            }),
            Err(CheckError::Interrupted) => Err(Stop::Interrupted),
            Err(error) => Err(Stop::Failed(Failure::usage(error.to_string()))),
        }
    }

    /// Plays a pair of each game; the inner error says why the entry cannot.
    fn play(
        &self,
        submission: &Submission,
        dir: &Path,
        games: &[Setup],
    ) -> Result<Result<Games, String>, Stop> {
        let trial = Trial {
            dir,
            games,
            opponent: OPPONENT,
            tc: &self.tc,
            seed: self.seed,
            margin: &self.margin_text,
        };
        let plan = match submission.plan(&trial) {
            Ok(plan) => plan,
            // Its own file was fit before: what has changed is what it has built.
            Err(failure) => return Ok(Err(format!("it cannot play: {}", failure.first()))),
        };
        match trial::play(&plan, self.launcher, &self.control) {
            Ok(games) if games.is_interrupted => Err(Stop::Interrupted),
            Ok(games) => Ok(Ok(games)),
            Err(NoGames::Unfit(why)) => Ok(Err(format!("it cannot play: it {why}"))),
            Err(NoGames::Interrupted) => Err(Stop::Interrupted),
            Err(NoGames::Broken(why)) => Err(Stop::Failed(Failure::usage(why))),
        }
    }
}

/// Returns the games in which an entry was tested: those that it says it plays.
fn declared(report: &Report) -> Vec<Setup> {
    let setup = |label: &String| {
        let mut words = label.split(' ');
        let game = words.next()?;
        game_options::setup(game, &words.map(str::to_owned).collect::<Vec<_>>()).ok()
    };
    report.subject.games.iter().filter_map(setup).collect()
}

fn failed(path: &Path, error: &io::Error) -> Stop {
    Stop::Failed(Failure::io(format!("failed to write `{}`", path.display()), error))
}
