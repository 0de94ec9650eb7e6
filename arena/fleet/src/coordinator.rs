//! The coordinator: hands pairs to workers, checks what they report, and lets the run's host write it down.
//!
//! Which games come next is decided by [`runner::Dispatch`], as on one machine; who plays them by [`crate::leases`]; whether a report
//! holds by [`crate::verify`]. This is what connects them with a broker.

mod replays;
mod session;
mod storage;

use std::fs;
use std::path::Path;
use std::sync::mpsc::channel;
use std::time::Duration;

use diagnostic::Failure;
use live::WorkerPanel;
use measure::MachineSpeed;
use rules::Catalogue;
use runner::{
    Contest, Control, Dispatch, Executor, GamePlan, Host, PlannedBot, PlayCounts, PlaySettings, ProbeResult,
    RunError, Tasks,
};
use settings::TimeControl;
use tournament_file::Plan;

use self::session::Session;
use self::storage::Cleanup;
use crate::broker::{Broker, BrokerError};
use crate::claim::Claim;
use crate::leases::Terms;
use crate::manifest::Packed;
use crate::names::{ANY, results, run_key, signals};
use crate::wire::{self, RunNotice, SCALES_AND_BUILDS, VERSIONS, digest_of, file_digest};

/// The file in the directory of a run that has its name among the runs of a broker.
const RUN_FILE: &str = "workers.run";

/// What plays a run on other machines.
pub struct Coordinator<'b> {
    broker: &'b dyn Broker,
    packed: Packed,
    catalogue: Catalogue,
    run: String,
    manifest: String,
    terms: Terms,
    /// How many workers were started for this run alone; `None` where any may come.
    own_workers: Option<usize>,
    panel: WorkerPanel,
}

impl<'b> Coordinator<'b> {
    /// Prepares a plan for the workers of a broker.
    ///
    /// # Errors
    /// When its files cannot be read, or it cannot be played on other machines.
    pub fn new(broker: &'b dyn Broker, plan: &Plan) -> Result<Self, Failure> {
        Self::pack(broker, plan, true)
    }

    /// Prepares a plan for workers of this machine alone: commits that were built here are built for them.
    ///
    /// # Errors
    /// As [`Coordinator::new`].
    pub fn for_this_machine(broker: &'b dyn Broker, plan: &Plan) -> Result<Self, Failure> {
        Self::pack(broker, plan, false)
    }

    fn pack(broker: &'b dyn Broker, plan: &Plan, builds_there: bool) -> Result<Self, Failure> {
        if plan.settings.trace {
            return Err(Failure::usage("lines cannot be shown as they pass when other machines play")
                .hint("leave `--trace` out; `transcripts: true` keeps every line of every game"));
        }
        let packed = Packed::of(plan, builds_there)?;
        let manifest = digest_of(&wire::write(&packed.manifest));
        let run = run_name(&plan.out)
            .map_err(|error| Failure::io(format!("failed to write `{}`", plan.out.display()), &error))?;
        Ok(Self {
            broker,
            packed,
            catalogue: plan.catalogue(),
            run,
            manifest,
            terms: Terms { standstill: standstill(plan), ..Terms::default() },
            own_workers: None,
            panel: WorkerPanel::default(),
        })
    }

    /// Returns where its workers are seen and told what to do.
    #[must_use]
    pub fn panel(&self) -> WorkerPanel {
        self.panel.clone()
    }

    /// Takes other terms.
    #[must_use]
    pub fn with_terms(self, terms: Terms) -> Self {
        Self { terms, ..self }
    }

    /// Lets workers be silent for another time until their pairs are given to others.
    #[must_use]
    pub fn with_silence(self, silence: Duration) -> Self {
        let delivery = self.terms.delivery.min(silence);
        let patience = silence.saturating_mul(10);
        Self { terms: Terms { silence, delivery, patience, ..self.terms }, ..self }
    }

    /// Has workers whose speed is another than this machine's play with longer or shorter times.
    #[must_use]
    pub fn with_scaled_clocks(mut self, speed: MachineSpeed) -> Self {
        self.packed.manifest.speed = Some(speed);
        self.manifest = digest_of(&wire::write(&self.packed.manifest));
        // Times grow to three times at most.
        self.terms.standstill = self.terms.standstill.saturating_mul(3);
        self
    }

    /// Says that so many workers were started for this run, and that no others will come. Pairs are handed out when all of them have
    /// joined, and what none of them can play fails.
    #[must_use]
    pub fn with_own_workers(self, count: usize) -> Self {
        Self { own_workers: Some(count), ..self }
    }

    /// Sends what workers need.
    fn send_files(&self) -> Result<(), BrokerError> {
        for (digest, source) in &self.packed.sources {
            if !self.broker.has(digest)? {
                let bytes = fs::read(source).map_err(|error| {
                    BrokerError::Failed(format!("`{}` cannot be read any more: {error}", source.display()))
                })?;
                if file_digest(&bytes) != *digest {
                    let name = source.display();
                    return Err(BrokerError::Failed(format!("`{name}` has changed since the run began")));
                }
                self.broker.put(digest, &bytes)?;
            }
        }
        if self.broker.has(&self.manifest)? {
            return Ok(());
        }
        self.broker.put(&self.manifest, &wire::write(&self.packed.manifest))
    }

    /// Returns the first version of messages that has all that this run asks of workers.
    fn least_version(&self) -> u32 {
        let manifest = &self.packed.manifest;
        let is_plain = manifest.speed.is_none() && manifest.commits.is_empty();
        if is_plain { *VERSIONS.start() } else { SCALES_AND_BUILDS }
    }

    fn notice(&self, is_stopped: bool) -> RunNotice {
        RunNotice {
            versions: (self.least_version(), *VERSIONS.end()),
            run: self.run.clone(),
            name: self.packed.manifest.config.name.clone(),
            arena: env!("CARGO_PKG_VERSION").to_owned(),
            rules: rules::signature(),
            manifest: self.manifest.clone(),
            is_stopped,
        }
    }

    /// Removes what no run needs any more from the broker, unless that ends with this run.
    fn clean_up(&self, cleanup: Cleanup) -> Result<(), BrokerError> {
        match self.own_workers {
            Some(_) => Ok(()),
            None => storage::clean_up(self.broker, &self.run, cleanup),
        }
    }

    /// Says that the run wants workers, or does not any more.
    fn announce(&self, is_stopped: bool) -> Result<(), BrokerError> {
        let notice = wire::write(&self.notice(is_stopped));
        self.broker.write(&run_key(&self.run), &notice, crate::broker::ExpectedEntry::Any).map(drop)
    }
}

impl Executor for Coordinator<'_> {
    /// Bots are tried on the workers: there they have to start.
    fn probe(
        &self,
        _: &[PlannedBot],
        _: &[Contest],
        _: &PlaySettings,
        _: &Control,
    ) -> Result<Option<Vec<ProbeResult>>, RunError> {
        Ok(Some(Vec::new()))
    }

    fn play(
        &self,
        plan: &GamePlan,
        tasks: Tasks<'_>,
        control: &Control,
        host: &mut dyn Host,
    ) -> Result<PlayCounts, RunError> {
        let claim = Claim::take(self.broker, &self.run, control).map_err(failed)?;
        let Some(claim) = claim else { return Ok(PlayCounts::default()) };
        let (to, inbox) = channel();
        self.broker.listen(&signals(&self.run, ANY), to.clone()).map_err(failed)?;
        self.broker.consume(&results(&self.run, ANY), to).map_err(failed)?;
        let cleaned = self.clean_up(Cleanup::Begin);
        let removals = storage::removals(self.broker).map_err(failed)?;
        self.send_files().and_then(|()| self.announce(false)).map_err(failed)?;
        let mut session = Session::new(
            self,
            plan,
            Dispatch::new(plan, tasks, control, Control::new(), host),
            control,
            claim,
            removals,
        );
        session.note_cleanup(cleaned);
        session.run(&inbox);
        session.close(&inbox)
    }
}

fn failed(error: BrokerError) -> RunError {
    RunError::Executor(error.into())
}

/// Ends a run for another reason than its broker.
fn stopped(why: impl Into<String>) -> RunError {
    RunError::Executor(why.into().into())
}

/// Returns how long an attempt may make no progress: more than the longest decision that a clock allows.
fn standstill(plan: &Plan) -> Duration {
    let own = plan.bots.iter().filter_map(|bot| bot.tc.as_ref());
    let controls = plan.contests.iter().map(|contest| &contest.tc).chain(own);
    let limit = plan.settings.conditions.think_limit;
    let longest = controls.map(|control| longest_decision(control).unwrap_or(limit)).max().unwrap_or(limit);
    Terms::default().standstill.max(longest.saturating_mul(2).saturating_add(Duration::from_secs(60)))
}

/// Returns how long a decision takes at most by a time control, savings from increments included; `None` where no time limits it.
fn longest_decision(control: &TimeControl) -> Option<Duration> {
    const TURNS: u32 = 100;
    if !control.limits_time() {
        return None;
    }
    let periods = control.periods().iter();
    let clock: Duration = periods.map(|period| period.base + period.increment.saturating_mul(TURNS)).sum();
    let byoyomi = control.byoyomi().map_or(Duration::ZERO, |it| it.time.saturating_mul(it.periods.get()));
    Some(clock + byoyomi + control.movetime().unwrap_or_default())
}

/// Returns the name of a run among those of a broker, which stays the same while its directory does.
fn run_name(directory: &Path) -> std::io::Result<String> {
    let file = directory.join(RUN_FILE);
    let known = fs::read_to_string(&file).ok().map(|text| text.trim().to_owned());
    if let Some(known) =
        known.filter(|text| text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit()))
    {
        return Ok(known);
    }
    let name = crate::names::random();
    fs::create_dir_all(directory)?;
    fs::write(&file, format!("{name}\n"))?;
    Ok(name)
}
