//! One entry, from its files to a verdict and a page for its author.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::ops::ControlFlow;
use std::path::{self, Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use conformance::{CauseKind, CheckError, SuiteReport};
use diagnostic::{Exit, Failure, output};
use processes::Launcher;
use protocol::{Profile, printable_capped};
use rules::{Catalogue, Setup};
use runner::{Build, BuildEnd, Built, Control};
use sandbox::Level;
use sha2::{Digest as _, Sha256};
use tournament_file::{
    ConfinedBuild, EntryTrial, Submission, confine_build, confines_builds, game_options, handover, launcher,
};

use crate::connector::BotConnector;
use crate::feedback::FeedbackPage;
use crate::folder::{Files, FilesError, Folder, MANIFEST, hexadecimal};
use crate::intake_settings::IntakeSettings;
use crate::outcome::{EntryOutcome, EntryStage};
use crate::tools;
use crate::trial::{self, NoGames, TrialGames};

/// The built-in bot that entries meet.
const OPPONENT: &str = "random";

/// How many characters of a reason are kept.
const REASON: usize = 300;

/// How entries are tried: the same for all of them.
pub(crate) struct Examiner {
    /// Who starts their processes: those of builds, of tests and of games.
    pub(crate) launcher: &'static dyn Launcher,
    /// The directory of everything that is written.
    pub(crate) out: PathBuf,
    /// The directory of the entries.
    pub(crate) from: PathBuf,
    /// The games; empty: those that an entry says it plays.
    pub(crate) games: Vec<Setup>,
    /// How long a build may take.
    pub(crate) build_limit: Duration,
    /// How far entries are confined, where that is said.
    pub(crate) sandbox: Option<Level>,
    /// The time control of the games.
    pub(crate) tc: String,
    /// How far a limit of time may be overrun, as it was typed.
    pub(crate) margin_text: String,
    /// The same.
    pub(crate) margin: Duration,
    /// The seed of positions and games.
    pub(crate) seed: u64,
    /// Whether the tests of the protocol are the quick ones.
    pub(crate) is_quick: bool,
    /// Whether entries that have not changed are tried again.
    pub(crate) is_forced: bool,
    /// Ends everything.
    pub(crate) control: Control,
    /// How many builds were begun.
    pub(crate) builds: AtomicUsize,
}

/// What an entry's own file says, or what is wrong with it.
pub(crate) type Manifest = Result<Submission, Failure>;

/// What came of an entry now.
#[derive(Debug)]
pub(crate) struct EntryResult {
    /// The verdict.
    pub(crate) outcome: EntryOutcome,
    /// Whether it was found by an earlier intake.
    pub(crate) is_old: bool,
}

/// Why there is no verdict.
#[derive(Debug)]
pub(crate) enum NoVerdict {
    /// The user wants no more of this.
    Interrupted,
    /// The arena itself cannot go on.
    Failed(Failure),
}

impl Examiner {
    /// Returns how entries are tried by these settings, until `control` ends that.
    ///
    /// # Errors
    /// When the directories are not to be had, or nothing can start processes here.
    pub(crate) fn new(settings: &IntakeSettings, control: Control) -> Result<Self, Failure> {
        let absolute = |path: &Path| {
            path::absolute(path)
                .map_err(|error| Failure::io(format!("failed to find `{}`", output::path(path)), &error))
        };
        let (from, out) = (absolute(&settings.directory)?, absolute(&settings.out)?);
        if out.starts_with(&from) {
            let message = format!("`{}` lies within the entries", output::path(&settings.out));
            return Err(Failure::usage(message).hint("name another directory with `--out`"));
        }
        Ok(Self {
            launcher: launcher()?,
            out,
            from,
            games: settings.games.clone(),
            build_limit: settings.build_limit,
            sandbox: settings.sandbox,
            tc: settings.tc.clone(),
            margin_text: settings.margin_text.clone(),
            margin: settings.margin,
            seed: settings.seed,
            is_quick: settings.is_quick,
            is_forced: settings.is_forced,
            control,
            builds: AtomicUsize::new(0),
        })
    }

    /// Returns the page about an entry.
    pub(crate) fn feedback(&self, folder: &Folder) -> PathBuf {
        self.out.join("feedback").join(format!("{}.md", folder.key))
    }

    /// Returns the same page for browsers.
    pub(crate) fn html(&self, folder: &Folder) -> PathBuf {
        self.out.join("feedback").join(format!("{}.html", folder.key))
    }

    /// Returns the directory in which an entry is built and runs.
    pub(crate) fn entry(&self, folder: &Folder) -> PathBuf {
        self.out.join("entries").join(&folder.key)
    }

    fn state(&self, folder: &Folder) -> PathBuf {
        self.out.join("state").join(format!("{}.json", folder.key))
    }

    /// Reads an entry's own file.
    pub(crate) fn read(&self, folder: &Folder) -> Manifest {
        Submission::read(&folder.path.join(MANIFEST), MANIFEST, self.sandbox)
    }

    /// Tries an entry, unless an earlier intake has tried the same, and writes its page.
    ///
    /// # Errors
    /// When there is no verdict.
    pub(crate) fn work(
        &self,
        folder: &Folder,
        manifest: &Manifest,
        is_namesake: bool,
    ) -> Result<EntryResult, NoVerdict> {
        let mut page = FeedbackPage::new(&self.entry(folder), &[&self.out, &folder.path, &self.from]);
        let mut outcome = EntryOutcome::default();
        if let Ok(submission) = manifest {
            outcome.name = printable_capped(submission.name(), REASON);
            outcome.language = printable_capped(submission.language().unwrap_or_default(), REASON);
        }
        let files = Files::of(&folder.path);
        if let Ok(files) = &files {
            outcome.digest = self.digest(files);
            if let Some(old) = self.known(folder, &outcome.digest, is_namesake) {
                return Ok(EntryResult { outcome: old, is_old: true });
            }
        }
        let cleared = self.clear(folder);
        let (stage, reason, is_kept) = match (manifest, files) {
            _ if cleared.is_err() => {
                // What it has built may be made so that nobody can remove it: that ends nothing but this entry.
                let error = cleared.err().map_or_else(String::new, |error| error.to_string());
                (
                    EntryStage::Entry,
                    format!("what it has left of an earlier intake cannot be removed: {error}"),
                    false,
                )
            }
            (Err(failure), _) => {
                let text = failure.to_string();
                page.entry_fault(&text);
                (EntryStage::Entry, failure.first(), true)
            }
            (Ok(_), Err(FilesError::Fault(why))) => (EntryStage::Entry, why, false),
            (Ok(_), Err(FilesError::Io(path, error))) => {
                let path = path.strip_prefix(&folder.path).unwrap_or(&path).display().to_string();
                (EntryStage::Entry, format!("`{path}` cannot be read: {error}"), false)
            }
            (Ok(submission), Ok(_)) if is_namesake => {
                let name = submission.name();
                (
                    EntryStage::Entry,
                    format!(
                        "the name `{name}` is that of another entry too: choose one that nobody else has"
                    ),
                    false,
                )
            }
            (Ok(submission), Ok(files)) => {
                let (stage, reason) = self.try_out(folder, submission, &files, &mut page, &mut outcome)?;
                // What the machine lacks may be there the next time.
                (stage, reason, stage != EntryStage::Machine)
            }
        };
        outcome.stage = stage;
        outcome.reason = printable_capped(&page.without_paths(&reason), REASON);
        // Whatever the entry has put there itself, a link out of its directory for example.
        let path = self.entry(folder).join(MANIFEST);
        handover::remove(&path).map_err(|error| failed(&path, &error))?;
        if let (EntryStage::Accepted, Ok(submission)) = (stage, manifest) {
            // Last of all: an entry with this file plays.
            let write = |mut file: File| file.write_all(submission.text().as_bytes());
            File::create_new(&path).and_then(write).map_err(|error| failed(&path, &error))?;
        }
        let path = self.feedback(folder);
        let [markdown, html] = page.finish(&folder.shown, &outcome, &Catalogue::of(&self.games));
        fs::write(&path, markdown).map_err(|error| failed(&path, &error))?;
        let path = self.html(folder);
        fs::write(&path, html).map_err(|error| failed(&path, &error))?;
        if is_kept {
            let path = self.state(folder);
            outcome.write(&path).map_err(|error| failed(&path, &error))?;
        }
        Ok(EntryResult { outcome, is_old: false })
    }

    /// Returns the verdict of an earlier intake on the same entry, if all of it is still there.
    fn known(&self, folder: &Folder, digest: &str, is_namesake: bool) -> Option<EntryOutcome> {
        if self.is_forced
            || is_namesake
            || ![self.feedback(folder), self.html(folder)].iter().all(|page| page.is_file())
        {
            return None;
        }
        let old = EntryOutcome::read(&self.state(folder)).filter(|old| old.digest == digest)?;
        let is_there = self.entry(folder).join(MANIFEST).is_file();
        (old.is_accepted() == is_there).then_some(old)
    }

    /// Removes everything that an earlier intake has left of an entry.
    fn clear(&self, folder: &Folder) -> io::Result<()> {
        let entry = self.entry(folder);
        // First what says that it plays.
        [entry.join(MANIFEST), self.state(folder), self.feedback(folder), self.html(folder), entry]
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
        page: &mut FeedbackPage,
        outcome: &mut EntryOutcome,
    ) -> Result<(EntryStage, String), NoVerdict> {
        let dir = self.entry(folder);
        files.copy(&folder.path, &dir).map_err(|(path, error)| failed(&path, &error))?;
        if let Some(reason) = self.missing_tool(submission)? {
            return Ok((EntryStage::Machine, reason));
        }
        if let Some(line) = submission.build() {
            let built = match self.build(line, &dir)? {
                Ok(built) => built,
                Err(reason) => return Ok((EntryStage::Build, reason)),
            };
            outcome.build_seconds = Some(built.took.as_secs_f64());
            page.build(line, &built);
            let is_confined = self.sandbox.is_some_and(confines_builds);
            if is_confined && let Err(error) = handover::take_back(&dir) {
                return Ok((EntryStage::Build, format!("what it has built cannot be taken: {error}")));
            }
            if !built.is_success() {
                let lacks = tools::missing(&built.output.tail, &dir)
                    .or_else(|| tools::missing(&built.output.head, &dir));
                return Ok(match lacks {
                    Some(tool) => (EntryStage::Machine, lacking(&tool, submission)),
                    None => (EntryStage::Build, self.why(&built)),
                });
            }
        }
        let bot = match submission.bot(&dir) {
            Ok(bot) => bot,
            Err(_) if submission.program().is_some_and(|name| tools::is_absent(&name, &dir)) => {
                let tool = submission.program().unwrap_or_default();
                return Ok((EntryStage::Machine, lacking(&tool, submission)));
            }
            Err(failure) => {
                page.entry_fault(&failure.to_string());
                let stage = if submission.build().is_some() { EntryStage::Build } else { EntryStage::Entry };
                return Ok((stage, failure.first()));
            }
        };
        let report = self.check(bot.launch, bot.dialect)?;
        let count = |word: &str| report.count(|test| test.word() == word);
        outcome.tests = Some([count("ok"), count("failed"), count("warning")]);
        page.check(&report);
        if !report.conforms() {
            let broken = report.tests.iter().find(|test| test.is_failure());
            let causes = report.causes();
            // A crash fails tests of many clauses and breaks none of them.
            let is_crash = causes.first().is_some_and(|shared| shared.cause.kind == CauseKind::Crash);
            let clause = broken.filter(|_| !is_crash).map(|test| test.clause);
            outcome.clause = clause.unwrap_or_default().to_owned();
            // What is behind the failures comes before the rules that it breaks.
            let reason = match (causes.first(), broken, &report.stopped) {
                (Some(shared), ..) => shared.cause.what.clone(),
                (None, Some(test), _) => {
                    format!("it fails test T{:02} of the protocol, that {}", test.number, test.title)
                }
                (None, None, Some(why)) => format!("the tests of the protocol ended early: {why}"),
                (None, None, None) => "it does not keep to the protocol".to_owned(),
            };
            return Ok((EntryStage::Check, reason));
        }
        let games = match &self.games[..] {
            [] => declared(&report),
            games => games.to_vec(),
        };
        outcome.plays = games.iter().map(Setup::label).collect();
        if games.is_empty() {
            return Ok((EntryStage::Games, "it plays none of the games".to_owned()));
        }
        let TrialGames { played, lost, .. } = match self.play(submission, &dir, &games)? {
            Ok(games) => games,
            Err(reason) => return Ok((EntryStage::Games, reason)),
        };
        let results = ["won", "drawn", "lost"];
        outcome.games = Some(results.map(|word| {
            played.iter().filter(|game| game.result == word).count().try_into().unwrap_or(u32::MAX)
        }));
        page.games(&played, &lost);
        let of = played.len();
        let (lost, refused): (Vec<_>, Vec<_>) =
            played.iter().filter(|game| game.is_fault).partition(|game| game.result == "lost");
        Ok(match (lost.first(), refused.first()) {
            (None, None) => (EntryStage::Accepted, String::new()),
            (Some(first), _) => {
                let words = format!(
                    "it loses {} of {of} games by faults, the first by `{}`",
                    lost.len(),
                    first.reason
                );
                (EntryStage::Games, words)
            }
            // A game that is refused is nobody's loss.
            (None, Some(first)) => {
                let words =
                    format!("it refuses {} of {of} games, the first of {}", refused.len(), first.label);
                (EntryStage::Games, words)
            }
        })
    }

    /// Returns why a program that an entry needs cannot be used here, if one cannot.
    fn missing_tool(&self, submission: &Submission) -> Result<Option<String>, NoVerdict> {
        let packages = packages(submission);
        let is_by_another = match self.sandbox.filter(|level| confines_builds(*level)) {
            Some(level) => self.confined(level).map_err(NoVerdict::Failed)?.user.is_some(),
            None => false,
        };
        for tool in submission.tools() {
            let found = tools::in_path(tool);
            if found.is_empty() {
                return Ok(Some(lacking(tool, submission)));
            }
            let closed: Vec<_> = found.iter().filter_map(|path| tools::closed_to_others(path)).collect();
            if is_by_another
                && closed.len() == found.len()
                && let Some(closed) = closed.first()
            {
                let closed = closed.display();
                return Ok(Some(format!(
                    "it needs `{tool}`, and the user that builds the entry may not use what lies in `{closed}`: install it for all \
                     users{packages}, or run the intake as an ordinary user"
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
    pub(crate) fn line(&self) -> Result<Option<String>, Failure> {
        let Some(level) = self.sandbox.filter(|level| confines_builds(*level)) else { return Ok(None) };
        let build = self.confined(level)?;
        let user = if build.user.is_some() { ", a user of their own" } else { "" };
        Ok(Some(format!("builds: {level}{user}, limits: {}", build.launch.quota)))
    }

    /// Builds an entry; the inner error says why its line cannot even be started.
    fn build(&self, line: &str, dir: &Path) -> Result<Result<Built, String>, NoVerdict> {
        let order = Build { line, dir, limit: self.build_limit };
        let built = match self.sandbox.filter(|level| confines_builds(*level)) {
            None => order.run(self.launcher, &self.control),
            Some(level) => {
                let number = self.builds.fetch_add(1, Ordering::Relaxed);
                let build = confine_build(level, number, order.launch()).map_err(NoVerdict::Failed)?;
                handover::give(dir, build.user).map_err(|error| failed(dir, &error))?;
                order.run_as(&build.launch, self.launcher, &self.control)
            }
        };
        match built {
            Ok(built) if built.end == BuildEnd::Interrupted => Err(NoVerdict::Interrupted),
            Ok(built) => Ok(Ok(built)),
            // A line with a zero byte, for example: no other entry is to suffer from it.
            Err(error)
                if [io::ErrorKind::InvalidInput, io::ErrorKind::ArgumentListTooLong]
                    .contains(&error.kind()) =>
            {
                Ok(Err(format!("the line of its build cannot be started: {error}")))
            }
            Err(error) => Err(NoVerdict::Failed(Failure::io("failed to start `sh` for a build", &error))),
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

    fn check(&self, launch: runner::Launch, profile: Profile) -> Result<SuiteReport, NoVerdict> {
        let settings = conformance::SuiteSettings {
            command: launch.command(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            games: self.games.clone(),
            only: Vec::new(),
            seed: self.seed,
            is_quick: self.is_quick,
            margin: self.margin,
            profile,
        };
        let starter = BotConnector::new(self.launcher, launch, self.control.clone());
        let starter = starter
            .map_err(|error| NoVerdict::Failed(Failure::io("failed to wait for processes", &error)))?;
        match conformance::check(&starter, &settings, &mut |_| ControlFlow::Continue(())) {
            Ok(report) => Ok(report),
            // A program that the system cannot start: a script without an interpreter, for example.
            Err(CheckError::Launch(error)) => Ok(SuiteReport {
                subject: conformance::Subject::default(),
                tests: Vec::new(),
                stopped: Some(format!("it cannot be started: {error}")),
            }),
            Err(CheckError::Interrupted) => Err(NoVerdict::Interrupted),
            Err(CheckError::Rules(fault)) => {
                Err(NoVerdict::Failed(Failure::new(Exit::Io, vec![game_options::rules_fault(&fault)])))
            }
            Err(error) => Err(NoVerdict::Failed(Failure::usage(error.to_string()))),
        }
    }

    /// Plays a pair of each game; the inner error says why the entry cannot.
    fn play(
        &self,
        submission: &Submission,
        dir: &Path,
        games: &[Setup],
    ) -> Result<Result<TrialGames, String>, NoVerdict> {
        let trial = EntryTrial {
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
            Ok(games) if games.is_interrupted => Err(NoVerdict::Interrupted),
            Ok(games) => Ok(Ok(games)),
            Err(NoGames::Unfit(why)) => Ok(Err(format!("it cannot play: it {why}"))),
            Err(NoGames::Interrupted) => Err(NoVerdict::Interrupted),
            Err(NoGames::Broken(why)) => Err(NoVerdict::Failed(Failure::usage(why))),
        }
    }
}

/// Returns the games in which an entry was tested: those that it says it plays.
fn declared(report: &SuiteReport) -> Vec<Setup> {
    let setup = |label: &String| {
        let mut words = label.split(' ');
        let game = words.next()?;
        game_options::setup(game, &words.map(str::to_owned).collect::<Vec<_>>()).ok()
    };
    report.subject.games.iter().filter_map(setup).collect()
}

/// Says that this machine lacks a program that an entry needs.
fn lacking(tool: &str, submission: &Submission) -> String {
    let packages = packages(submission);
    format!("it needs `{}`, which this machine does not have{packages}", printable_capped(tool, REASON))
}

/// Says in which packages an entry's programs are, if the entry does.
fn packages(submission: &Submission) -> String {
    match submission.packages() {
        [] => String::new(),
        packages => format!(" (Debian has it in {})", packages.join(" ")),
    }
}

fn failed(path: &Path, error: &io::Error) -> NoVerdict {
    NoVerdict::Failed(Failure::io(format!("failed to write `{}`", path.display()), error))
}
