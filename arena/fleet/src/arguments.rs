//! What the command line says of workers: the flags of who has games played, and the arguments of `arena worker`.

pub(crate) mod doctor;
pub(crate) mod keys;

use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::Duration;

use diagnostic::{Exit, Failure, say};
use live::Interrupts;
use measure::MachineSpeed;
use processes::PrivateDirectory;
use record::RunSummary;
use runner::Control;
use sandbox::Level;
use settings::Memory;
use tournament::{Presentation, RunOutcome, Store};
use tournament_file::Plan;

use crate::broker::BrokerRole;
use crate::local::ADDRESS_VARIABLE;
use crate::{Address, BrokerAccess, Guard, WorkerSettings, Workplace, work};

/// The file in the directory of a run that says how fast the machine is where it began.
const SPEED_FILE: &str = "workers.speed";

/// Where games are played, if not by this process.
#[derive(Clone, Debug, Default, clap::Args)]
#[command(next_help_heading = "Other machines")]
pub struct WorkersFlags {
    /// Have workers play: those of the broker at this address (`nats://HOST:4222`), or N on this machine (`local:N`), for which a
    /// private broker is started; see arena/docs/machines.md
    #[arg(long, value_name = "ADDRESS")]
    workers: Option<Address>,
    /// The file of credentials for the broker
    #[arg(long, value_name = "FILE", requires = "workers")]
    creds: Option<PathBuf>,
    /// How long a worker may be silent until its games are given to others: a duration of 5 s or more [default: 30s]
    #[arg(long, value_name = "DURATION", value_parser = silence, requires = "workers")]
    silence: Option<Duration>,
    /// Whether clocks are `scaled` on workers that are slower or faster than this machine, which is measured before the first game, or the
    /// `same` on all
    #[arg(long, value_name = "HOW", default_value = "scaled", requires = "workers")]
    clocks: Clocks,
}

/// Which times workers of another speed have on their clocks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
enum Clocks {
    /// As much longer as their bots need.
    #[default]
    Scaled,
    /// Those of the tournament file.
    Same,
}

/// Reads how long a worker may be silent.
fn silence(text: &str) -> Result<Duration, String> {
    duration(text, 5, 3600, "30s")
}

/// Reads how long a worker stays without a run.
fn idle(text: &str) -> Result<Duration, String> {
    duration(text, 1, 7 * 24 * 3600, "10m")
}

/// Reads how many bytes a worker keeps of earlier runs.
fn cache(text: &str) -> Result<u64, String> {
    match text {
        "0" => Ok(0),
        text => {
            text.parse::<Memory>().map(|size| size.0.saturating_mul(1024)).map_err(|error| error.to_string())
        }
    }
}

fn duration(text: &str, least: u64, most: u64, example: &str) -> Result<Duration, String> {
    let complaint =
        |complaint: settings::Complaint| format!("it {}; {}", complaint.predicate, complaint.hint);
    let range = Duration::from_secs(least)..=Duration::from_secs(most);
    settings::duration(text, range, example).map_err(complaint)
}

impl WorkersFlags {
    /// Plays what a plan asks for: by workers where the flags say so, else on this machine.
    ///
    /// # Errors
    /// As [`tournament::play_on`], and when no broker can be reached.
    pub fn play(
        &self,
        plan: &Plan,
        contents: RunSummary,
        store: Store,
        presentation: &dyn Presentation,
    ) -> Result<RunOutcome, Failure> {
        let Some(address) = &self.workers else {
            return tournament::play(plan, contents, store, presentation);
        };
        let place = Workplace::open(address, self.creds.clone())?;
        let mut coordinator = place.coordinator(plan)?;
        // The workers of this machine are as fast as it is.
        if let (Address::Broker(_), Clocks::Scaled) = (address, self.clocks)
            && measure::has_clocks(&plan.play())
        {
            coordinator = coordinator.with_scaled_clocks(reference(plan)?);
        }
        if let Some(silence) = self.silence {
            coordinator = coordinator.with_silence(silence);
        }
        tournament::play_on(&coordinator, Some(coordinator.panel()), plan, contents, store, presentation)
    }
}

/// Returns how fast this machine is with the bots of a run: what was measured when it began, else it is measured now.
///
/// # Errors
/// When bots cannot be started here, or the run's directory takes no file.
fn reference(plan: &Plan) -> Result<MachineSpeed, Failure> {
    let file = plan.out.join(SPEED_FILE);
    if let Some(known) = fs::read(&file).ok().and_then(|text| serde_json::from_slice(&text).ok()) {
        return Ok(known);
    }
    say(
        "measuring how fast the bots are on this machine, which takes some seconds: workers of another speed scale their clocks",
    );
    let plan_of_games = plan.play();
    let games = plan_of_games.settings.concurrency;
    let failed = |error: &io::Error| Failure::io("failed to measure how fast this machine is", error);
    let control = Control::new();
    let _interrupts = Interrupts::listen(control.clone())?;
    let speed = MachineSpeed::measure(tournament_file::launcher()?, &plan_of_games, games, &control)
        .map_err(|error| failed(&io::Error::other(error)))?
        .ok_or_else(|| failed(&io::Error::other("it was interrupted")))?;
    let text = serde_json::to_string(&speed).expect("names and numbers are JSON") + "\n";
    fs::write(&file, text).map_err(|error| {
        Failure::io(format!("failed to write `{}`", diagnostic::output::path(&file)), &error)
    })?;
    Ok(speed)
}

/// The arguments of `arena worker`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "It plays for every run of the broker, one after the other, until it is interrupted. The first interruption lets it \
    finish and report its games; after the second, others play them."
)]
pub struct WorkerArguments {
    /// The address of the broker: `nats://HOST:4222`, or `tls://HOST:4222` for an encrypted connection
    #[arg(value_name = "ADDRESS", env = ADDRESS_VARIABLE, hide_env_values = true)]
    address: String,
    /// The file of credentials for the broker
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
    /// How many games it plays at once: a number, or `auto` for what fits this machine
    #[arg(long, value_name = "N", default_value = "auto", value_parser = tournament_file::read_concurrency, allow_negative_numbers = true)]
    concurrency: NonZeroUsize,
    /// How far bots are confined at least, whatever the run says: `none`, `basic`, `contest` or `strict`; above `none`, bots that ask for
    /// more than their own files are refused
    #[arg(long, value_name = "LEVEL", default_value_t = Level::Contest)]
    sandbox: Level,
    /// Its name, which no other worker of the broker may have [default: that of its key, else the machine's and some digits]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Where it keeps the files of runs, and results until the broker has them [default: a temporary directory]
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
    /// How much of the files and builds of earlier runs it keeps in that directory: a size such as `512MiB`, or 0; what was not used for
    /// longest goes first
    #[arg(long, value_name = "SIZE", default_value = "4GiB", value_parser = cache)]
    cache: u64,
    /// Leave after so long without a run that it can play, for jobs of a cluster: a duration of 1 s or more [default: never]
    #[arg(long, value_name = "DURATION", value_parser = idle)]
    idle: Option<Duration>,
}

impl WorkerArguments {
    /// Plays for others until it is interrupted.
    ///
    /// # Errors
    /// When the broker cannot be reached at first, or this machine cannot start bots.
    pub fn run(&self) -> Result<Exit, Failure> {
        let connection = BrokerAccess { address: self.address.clone(), credentials: self.creds.clone() };
        if let (Some(name), Some(known)) = (&self.name, connection.worker())
            && *name != known
        {
            return Err(Failure::usage(format!("this key is that of worker `{known}`, not of `{name}`"))
                .hint("leave `--name` out: the name comes with the key"));
        }
        let name =
            self.name.clone().or_else(|| connection.worker()).unwrap_or_else(WorkerSettings::usual_name);
        if !WorkerSettings::is_name(&name) {
            return Err(Failure::usage(format!("`{name}` cannot be the name of a worker"))
                .hint("it has up to 64 letters, digits, hyphens and underscores"));
        }
        if let Ok(Address::Local(_)) | Err(_) = self.address.parse::<Address>() {
            return Err(Failure::usage(format!("`{}` is not the address of a broker", self.address)).hint(
                "for example `nats://host:4222`; `arena run FILE --workers local:2` starts workers itself",
            ));
        }
        let control = Control::new();
        let _interrupts = Interrupts::listen(control.clone())?;
        let broker = connection.open(&BrokerRole::Worker(name.clone()))?;
        // It goes last, with all that lies in it.
        let temporary;
        let directory = match &self.directory {
            Some(directory) => directory.clone(),
            None => {
                let made = PrivateDirectory::make();
                let made = made.and_then(|made| open_to_bots(made.path()).map(|()| made));
                temporary =
                    made.map_err(|error| Failure::io("failed to make a temporary directory", &error))?;
                temporary.path().to_owned()
            }
        };
        let guard = Guard::new(self.sandbox, self.creds.clone());
        let (slots, cache, idle) = (self.concurrency, self.cache, self.idle);
        let settings = WorkerSettings { name, slots, directory, cache, guard, idle };
        say(&format!("worker {}: waits for runs", settings.name));
        work(&*broker, &settings, &control, &|text| say(text))?;
        Ok(Exit::Done)
    }
}

/// Lets bots pass through a directory to their files: where the arena is root, they run as users of their own.
#[cfg(unix)]
fn open_to_bots(directory: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(directory, fs::Permissions::from_mode(0o711))
}

#[cfg(not(unix))]
fn open_to_bots(_: &Path) -> io::Result<()> {
    Ok(())
}
