//! A worker: plays pairs for the runs that a broker announces, one run after the other.
//!
//! The thread that plays never waits for the broker. Orders come to it by a channel; what it has to say it leaves in memory, where
//! two other threads find it: one says that the worker is there and looks whether the run goes on, one delivers results until the
//! broker has them, from files in the worker's directory that survive its end.

mod delivery;
pub(crate) mod directory;
mod host;
mod pace;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use diagnostic::Failure;
use runner::{Control, GamePlan, RunError, play};
use settings::TimeFactor;

use self::delivery::Deliveries;
use self::directory::{RunDirectory, WorkerDirectory};
use self::host::WorkerHost;
use self::pace::ScaledClocks;
use crate::broker::{Broker, BrokerError};
use crate::guard::Guard;
use crate::names::{random, run_key, signals, to_worker};
use crate::unpack::{Unpacked, Unplayable};
use crate::wire::{self, Beat, HeldAttempt, Hello, LACKS_GAMES, RunManifest, RunNotice, Signal, WorkerPace};

/// How often a worker looks for runs, and whether its run goes on.
const LOOK: Duration = Duration::from_millis(300);

/// How often it says that it is there.
const BEAT: Duration = Duration::from_secs(2);

/// How old the picture of what is played may be that a beat tells: a worker whose play hangs is silent.
const FRESH: Duration = Duration::from_secs(20);

/// How often a worker tries again what the broker did not do.
const AGAIN: Duration = Duration::from_secs(1);

/// How often it looks whether there is room for the files of a run again.
const ROOM_AGAIN: Duration = Duration::from_secs(10);

/// How long a broker may not know the run until its coordinator is taken to be gone.
const FORGOTTEN: Duration = Duration::from_secs(600);

/// How a worker plays.
#[derive(Clone, Debug)]
pub struct WorkerSettings {
    /// Its name: no two workers of a broker have the same.
    pub name: String,
    /// How many games it plays at once.
    pub slots: NonZeroUsize,
    /// Where it keeps files of runs and results that are on their way.
    pub directory: PathBuf,
    /// How many bytes of files and builds it keeps there for later runs.
    pub cache: u64,
    /// What it lets bots do.
    pub guard: Guard,
    /// After how long without a run that it can play it leaves; `None` for never.
    pub idle: Option<Duration>,
}

impl WorkerSettings {
    /// Returns a name for a worker of this process: the machine's, and what tells it from all others.
    #[must_use]
    pub fn usual_name() -> String {
        let machine = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        let machine: String = machine
            .trim()
            .chars()
            .filter(|letter| letter.is_ascii_alphanumeric() || *letter == '-')
            .take(32)
            .collect();
        let machine = if machine.is_empty() { "worker" } else { &machine };
        format!("{machine}-{}", &random()[..6])
    }

    /// Returns whether a name can be that of a worker: letters, digits, hyphens and underscores.
    #[must_use]
    pub fn is_name(text: &str) -> bool {
        let is_fine = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
        !text.is_empty() && text.len() <= 64 && text.chars().all(is_fine)
    }
}

/// Plays for the runs of a broker until `signals` is told to finish: then what was begun is played to its end and reported, or
/// abandoned if `signals` is aborted. What happens is told by `say`.
///
/// # Errors
/// When the worker's directory cannot be used, or this machine cannot start bots.
pub fn work(
    broker: &dyn Broker,
    settings: &WorkerSettings,
    interrupts: &Control,
    say: &(dyn Fn(&str) + Sync),
) -> Result<(), Failure> {
    let directory = WorkerDirectory::open(&settings.directory, settings.cache)?;
    let deliveries = Deliveries::open(&directory.results()).map_err(|error| {
        Failure::io(format!("failed to write into `{}`", settings.directory.display()), &error)
    })?;
    let mut declined = BTreeSet::new();
    // The runs for which there was no room, and when that was.
    let mut roomless: BTreeMap<(String, String), Instant> = BTreeMap::new();
    let (mut told, mut told_of_room) = (String::new(), String::new());
    let mut idle_since = Instant::now();
    let is_idle_for_long = |since: Instant| settings.idle.is_some_and(|limit| limit <= since.elapsed());
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| deliveries.deliver(broker, &is_over, say));
        let end = (|| {
            while !interrupts.is_finishing() {
                roomless.retain(|_, at| at.elapsed() < ROOM_AGAIN);
                let is_wanted =
                    |run: &(String, String)| !declined.contains(run) && !roomless.contains_key(run);
                match next_run(broker, is_wanted) {
                    Ok(None) if is_idle_for_long(idle_since) => {
                        say("leaves: there was nothing to play for as long as `--idle` says");
                        break;
                    }
                    Ok(None) => thread::sleep(LOOK),
                    Ok(Some(notice)) => {
                        told.clear();
                        let session = Session {
                            broker,
                            settings,
                            directory: &directory,
                            interrupts,
                            say,
                            notice: &notice,
                        };
                        match session.play(&deliveries)? {
                            Played::Over => {
                                idle_since = Instant::now();
                                told_of_room.clear();
                            }
                            Played::Declined => {
                                declined.insert((notice.run, notice.manifest));
                            }
                            Played::NoRoom(text) => {
                                if told_of_room != text {
                                    say(&text);
                                    told_of_room = text;
                                }
                                roomless.insert((notice.run, notice.manifest), Instant::now());
                            }
                        }
                    }
                    Err(error) => {
                        let text = error.to_string();
                        if told != text {
                            say(&format!("{text}; trying on"));
                            told = text;
                        }
                        thread::sleep(AGAIN);
                    }
                }
            }
            Ok(())
        })();
        // Results that are on their way get there, unless the user does not want to wait.
        let mut waits = false;
        while !deliveries.is_empty() && !interrupts.is_aborting() && end.is_ok() {
            if !std::mem::replace(&mut waits, true) {
                say(
                    "waiting until the broker has the last results; interrupt again to leave them in the directory",
                );
            }
            thread::sleep(LOOK);
        }
        is_over.store(true, Ordering::SeqCst);
        end
    })
}

/// Returns a run that wants workers, one of those whose name and manifest this worker is interested in.
fn next_run(
    broker: &dyn Broker,
    is_wanted: impl Fn(&(String, String)) -> bool,
) -> Result<Option<RunNotice>, BrokerError> {
    for key in broker.keys()? {
        if !key.starts_with(&run_key("")) {
            continue;
        }
        let Some(entry) = broker.read(&key)? else { continue };
        let Some(notice) = wire::read::<RunNotice>(&entry.value) else { continue };
        if !notice.is_stopped && is_wanted(&(notice.run.clone(), notice.manifest.clone())) {
            return Ok(Some(notice));
        }
    }
    Ok(None)
}

/// What came of a run here.
enum Played {
    /// It is over for this worker, or the broker has failed.
    Over,
    /// It cannot be played here.
    Declined,
    /// There is no room for its files, which this says.
    NoRoom(String),
}

/// What the threads of a worker know of its play.
#[derive(Default)]
struct Shared {
    /// What ends the games of the run here.
    control: Control,
    /// The attempts that it has, and when that was looked at.
    held: Mutex<Option<(Vec<HeldAttempt>, Instant)>>,
    /// Whether the coordinator wants to know who is there.
    introduces: AtomicBool,
    /// Whether the run is over.
    is_over: AtomicBool,
    /// Why nothing is begun, where there is no room for the files of bots.
    no_room: Mutex<Option<String>>,
}

impl Shared {
    /// Returns why nothing is begun, where there is no room for the files of bots.
    fn no_room(&self) -> Option<String> {
        self.no_room.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// A run for which a worker plays.
struct Session<'a> {
    broker: &'a dyn Broker,
    settings: &'a WorkerSettings,
    directory: &'a WorkerDirectory,
    interrupts: &'a Control,
    say: &'a (dyn Fn(&str) + Sync),
    notice: &'a RunNotice,
}

impl Session<'_> {
    /// Plays until the run is over.
    fn play(&self, deliveries: &Deliveries) -> Result<Played, Failure> {
        let name = protocol::printable(&self.notice.name).into_owned();
        let declined = |why: &str| {
            (self.say)(&format!("the run `{name}` cannot be played here: {why}"));
            self.decline(why);
            Ok(Played::Declined)
        };
        if let Some(why) = self.notice.misfit() {
            return declined(&why);
        }
        let (manifest, mut unpacked, _directory) = match self.unpack() {
            Ok(unpacked) => unpacked,
            Err(Unplayable::Broker(error)) => {
                (self.say)(&format!("{error}; trying on"));
                thread::sleep(AGAIN);
                return Ok(Played::Over);
            }
            Err(Unplayable::Here(why)) => return declined(&why),
            Err(Unplayable::Disk(why)) => {
                let why = format!("its files do not find room: {why}; {}", tried_again());
                self.wait_for_room(&why);
                return Ok(Played::NoRoom(format!("the run `{name}` cannot be played here for now: {why}")));
            }
        };
        if let Some(game) = unpacked.unfit_games.first().filter(|_| self.notice.versions.1 < LACKS_GAMES) {
            return declined(&format!("game `{}`: {}", protocol::printable(&game.game), game.why));
        }
        if !unpacked.try_bots()? {
            return Ok(Played::Over);
        }
        for game in &unpacked.unfit_games {
            (self.say)(&format!(
                "game `{}` is not played here: {}",
                protocol::printable(&game.game),
                game.why
            ));
        }
        for bot in &unpacked.unfit {
            (self.say)(&format!("bot `{}` does not play here: {}", protocol::printable(&bot.bot), bot.why));
        }
        let mut plan = unpacked.plan;
        plan.settings.concurrency = self.settings.slots;
        let pace = match &manifest.speed {
            Some(reference) if measure::has_clocks(&plan) => match self.pace(reference, &plan)? {
                None => return Ok(Played::Over),
                pace => pace,
            },
            _ => None,
        };
        let factor = match &pace {
            Some(WorkerPace::Times(factor)) => TimeFactor::new(*factor),
            Some(WorkerPace::NoClocks(_)) | None => None,
        };
        let clocks = factor.map(|factor| ScaledClocks::apply(factor, &mut plan));
        (self.say)(&format!("plays for the run `{name}`, {} at once", self.settings.slots));
        let subject = to_worker(&self.notice.run, &self.settings.name);
        let (to, orders) = channel();
        if let Err(error) = self.broker.listen(&subject, to) {
            (self.say)(&format!("{error}; trying on"));
            return Ok(Played::Over);
        }
        let shared = Shared::default();
        let (unfit, unfit_games) = (unpacked.unfit, unpacked.unfit_games);
        let hello = Hello { unfit, unfit_games, pace, ..self.hello() };
        let outcome = thread::scope(|scope| {
            scope.spawn(|| self.keep_contact(&hello, &shared, deliveries));
            let mut host = WorkerHost::new(&plan, self, &orders, &shared, deliveries);
            host.raised = unpacked.raised;
            host.clocks = clocks;
            let outcome = play(launcher()?, &plan, Vec::new(), &shared.control, &mut host);
            host.give_up(outcome.as_ref().err());
            shared.is_over.store(true, Ordering::SeqCst);
            Ok::<_, Failure>(outcome)
        });
        let outcome = outcome?;
        if let Some(why) = shared.no_room() {
            self.wait_for_room(&why);
            return Ok(Played::NoRoom(format!("the run `{name}` stops here for now: {why}")));
        }
        match outcome {
            Ok(_) => (self.say)(&format!("the run `{name}` is over for this worker")),
            Err(error) => {
                (self.say)(&format!("the run `{name}` broke off here: {}", causes(&error)));
                thread::sleep(AGAIN);
            }
        }
        Ok(Played::Over)
    }

    /// Measures how fast this machine is. `None` where the user interrupts.
    fn pace(
        &self,
        reference: &measure::MachineSpeed,
        plan: &GamePlan,
    ) -> Result<Option<WorkerPace>, Failure> {
        (self.say)("measures how fast its bots are here, which takes some seconds: the run has clocks");
        let pace = pace::measure(launcher()?, plan, reference, self.settings.slots, self.interrupts)?;
        match &pace {
            Some(WorkerPace::Times(factor)) => {
                (self.say)(&format!(
                    "times are {factor:.2} times as long here as on the coordinator's machine"
                ));
            }
            Some(WorkerPace::NoClocks(why)) => (self.say)(&format!("plays no games with a clock: {why}")),
            None => {}
        }
        Ok(pace)
    }

    fn hello(&self) -> Hello {
        let (worker, slots) = (self.settings.name.clone(), self.settings.slots.get());
        let (unfit, unfit_games) = (Vec::new(), Vec::new());
        Hello { worker, slots, unfit, unfit_games, clock: None, pace: None, declined: None, for_now: false }
    }

    /// Tells the coordinator that this worker plays nothing of the run. Where that is lost, others play all the same.
    fn decline(&self, why: &str) {
        let _ = self.signal(&Signal::Hello(Hello { declined: Some(why.to_owned()), ..self.hello() }));
    }

    /// Tells the coordinator that this worker plays nothing of the run until there is room. Where that is lost, it is said the next time.
    fn wait_for_room(&self, why: &str) {
        let declined = Hello { declined: Some(why.to_owned()), for_now: true, ..self.hello() };
        let _ = self.signal(&Signal::Hello(declined));
    }

    /// Fetches the run; its files lie in the directory as long as that is there.
    fn unpack(&self) -> Result<(RunManifest, Unpacked, RunDirectory), Unplayable> {
        let bytes = self.broker.get(&self.notice.manifest)?.ok_or_else(|| {
            Unplayable::Broker(BrokerError::Failed("what the run plays is not there yet".to_owned()))
        })?;
        if wire::digest_of(&bytes) != self.notice.manifest {
            return Err(Unplayable::Here("what it plays is not what its coordinator has sent".to_owned()));
        }
        let manifest: RunManifest = wire::read(&bytes)
            .ok_or_else(|| Unplayable::Here("what it plays cannot be read by this version".to_owned()))?;
        let directory = self.directory.begin(&self.notice.manifest);
        let directory = directory.map_err(|error| {
            Unplayable::Disk(format!("cannot write into `{}`: {error}", self.settings.directory.display()))
        })?;
        let cache = self.directory.cache();
        let unpacked =
            Unpacked::fetch(&manifest, self.broker, directory.path(), cache, &self.settings.guard)?;
        Ok((manifest, unpacked, directory))
    }

    fn signal(&self, signal: &Signal) -> Result<(), BrokerError> {
        self.broker.publish(&signals(&self.notice.run, &self.settings.name), &wire::write(signal))
    }

    /// Says that the worker is there, and looks whether the run goes on.
    fn keep_contact(&self, hello: &Hello, shared: &Shared, deliveries: &Deliveries) {
        let mut beaten: Option<Instant> = None;
        let mut is_known = false;
        // Since when the broker has not known the run.
        let mut forgotten: Option<Instant> = None;
        while !shared.is_over.load(Ordering::SeqCst) {
            if !is_known || shared.introduces.swap(false, Ordering::SeqCst) {
                let clock = Some(jiff::Timestamp::now().as_millisecond());
                let declined = shared.no_room();
                let for_now = declined.is_some();
                let hello = Hello { clock, declined, for_now, ..hello.clone() };
                is_known = self.signal(&Signal::Hello(hello)).is_ok();
            }
            if beaten.is_none_or(|at| at.elapsed() >= BEAT) {
                let held = shared.held.lock().unwrap_or_else(PoisonError::into_inner).clone();
                let held = held.filter(|(_, at)| at.elapsed() < FRESH).map(|(held, _)| held);
                if let Some(mut held) = held {
                    held.extend(deliveries.attempts());
                    // The next one says the same if this one is lost.
                    let _ = self.signal(&Signal::Beat(Beat { worker: self.settings.name.clone(), held }));
                    beaten = Some(Instant::now());
                }
            }
            let is_over = match self.broker.read(&run_key(&self.notice.run)) {
                Ok(Some(entry)) => {
                    forgotten = None;
                    wire::read::<RunNotice>(&entry.value)
                        .is_some_and(|notice| notice.is_stopped || notice.manifest != self.notice.manifest)
                }
                // A broker that does not know the run has forgotten it: its coordinator will say it again, if it is still there.
                Ok(None) => forgotten.get_or_insert_with(Instant::now).elapsed() >= FORGOTTEN,
                Err(_) => false,
            };
            if is_over {
                shared.is_over.store(true, Ordering::SeqCst);
            }
            thread::sleep(LOOK);
        }
    }
}

/// Says that it is tried again whether there is room.
fn tried_again() -> String {
    format!("it is tried again every {} seconds", ROOM_AGAIN.as_secs())
}

fn launcher() -> Result<&'static dyn processes::Launcher, Failure> {
    tournament_file::launcher()
}

/// Returns an error with all its causes.
fn causes(error: &RunError) -> String {
    let mut text = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}
