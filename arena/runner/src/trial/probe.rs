//! Probing every bot before the first game: does it start, does it answer, can it play the games?

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::path::PathBuf;

use processes::{Launcher, reap_dropped, reserve_descriptors};
use protocol::{Ability, Identity, Timeouts, last_lines, printable_capped};
use rules::Seat;
use thiserror::Error;
use tokio::time::Instant;

use crate::game::assignment::setup_of;
use crate::player::Player;
use crate::player::line_log::{LineLog, Spoken};
use crate::player::trouble::Trouble;
use crate::run::SPARE_DESCRIPTORS;
use crate::run::join_all::join_all;
use crate::run::slot::most_descriptors;
use crate::run::stagger::Stagger;
use crate::{Contest, Control, PlannedBot, PlaySettings};

/// The most characters shown of a bot's declarations.
const SHOWN: usize = 200;

/// The result of probing a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbeResult {
    /// The bot's name in the tournament.
    pub bot: String,
    /// What it declares, or why it cannot play.
    pub outcome: Result<BotIdentity, ProbeFailure>,
}

impl ProbeResult {
    /// Returns the result for a bot that was not even started.
    fn unstarted(bot: &PlannedBot, error: &std::io::Error) -> Self {
        let failure = ProbeFailure {
            fault: format!("could not be started: {error}"),
            command: bot.launch.command(),
            dir: bot.launch.dir.clone(),
            is_confined: !bot.launch.prefix.is_empty(),
            exit: None,
            stderr: Vec::new(),
            spoken: Spoken::default(),
            flush: None,
        };
        Self { bot: bot.name.clone(), outcome: Err(failure) }
    }
}

/// What a bot declares, escaped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotIdentity {
    /// Its name.
    pub name: Option<String>,
    /// Its author.
    pub author: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// The language it is written in.
    pub language: Option<String>,
    /// The version of the protocol that both sides use; 0 is plain UGI.
    pub protocol: u32,
}

/// Why a bot cannot play.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{fault}")]
pub struct ProbeFailure {
    /// The fault, in words without a subject.
    pub fault: String,
    /// The command that started it.
    pub command: String,
    /// The working directory.
    pub dir: PathBuf,
    /// Whether another program confined it.
    pub is_confined: bool,
    /// How its process ended, if it did: `exit 1`, `signal 9`.
    pub exit: Option<String>,
    /// The last lines of its standard error, escaped.
    pub stderr: Vec<String>,
    /// The last lines between the arena and it.
    pub spoken: Spoken,
    /// How to flush output in its language, as a fragment, if the awaited word came only when its input was closed.
    pub flush: Option<String>,
}

/// Starts every bot once, greets it, sets its options, checks whether it can play the games, and ends it. The results are in
/// the order of the bots. There are none if the run was ended, which kills the bots being probed.
#[must_use]
pub fn probe(
    launcher: &dyn Launcher,
    bots: &[PlannedBot],
    contests: &[Contest],
    settings: &PlaySettings,
    control: &Control,
) -> Option<Vec<ProbeResult>> {
    try_all(launcher, bots, contests, settings, control, false)
}

/// Probes bots like [`probe`], and also sets up every game in every seat with each of them, without asking for a ply. The
/// result of a bot that refuses several names them all.
#[must_use]
pub fn rehearse(
    launcher: &dyn Launcher,
    bots: &[PlannedBot],
    contests: &[Contest],
    settings: &PlaySettings,
    control: &Control,
) -> Option<Vec<ProbeResult>> {
    try_all(launcher, bots, contests, settings, control, true)
}

fn try_all(
    launcher: &dyn Launcher,
    bots: &[PlannedBot],
    contests: &[Contest],
    settings: &PlaySettings,
    control: &Control,
    sets_up: bool,
) -> Option<Vec<ProbeResult>> {
    let settings = &settings.effective();
    let slots = settings.concurrency.get().min(bots.len());
    reserve_descriptors((SPARE_DESCRIPTORS + slots * most_descriptors(2)) as u64);
    // As many as play at once.
    let at_once = bots.len().min(slots.saturating_mul(2));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = match runtime {
        Ok(runtime) => runtime,
        // Without the resources to wait for a process, no bot can be started either.
        Err(error) => return Some(bots.iter().map(|bot| ProbeResult::unstarted(bot, &error)).collect()),
    };
    let stagger = Stagger::new(settings.conditions.stagger);
    let (next, results) = (Cell::new(0), RefCell::new(BTreeMap::new()));
    let probe_all = async {
        // Each lane takes the next bot when it is free, so a slow bot delays no other.
        let probes = (0..at_once).map(|_| async {
            while let Some(bot) = bots.get(next.get()) {
                let number = next.replace(next.get() + 1);
                let outcome = probe_one(launcher, bot, contests, settings, &stagger, sets_up).await;
                results.borrow_mut().insert(number, ProbeResult { bot: bot.name.clone(), outcome });
            }
        });
        join_all(probes).await;
        results.take().into_values().collect()
    };
    let results = runtime.block_on(async {
        // No game is running yet, so a request to finish ends this too.
        tokio::select! {
            biased;
            () = control.finishing() => None,
            results = probe_all => Some(results),
        }
    });
    // Abandoned probes leave killed processes behind.
    runtime.block_on(reap_dropped());
    results
}

async fn probe_one(
    launcher: &dyn Launcher,
    bot: &PlannedBot,
    contests: &[Contest],
    settings: &PlaySettings,
    stagger: &Stagger,
    sets_up: bool,
) -> Result<BotIdentity, ProbeFailure> {
    let failure = |fault: String, exit: Option<&str>, stderr: &[u8]| ProbeFailure {
        fault,
        command: bot.launch.command(),
        dir: bot.launch.dir.clone(),
        is_confined: !bot.launch.prefix.is_empty(),
        exit: exit.map(str::to_owned),
        stderr: last_lines(stderr),
        spoken: Spoken::default(),
        flush: None,
    };
    let timeouts = &settings.timeouts;
    stagger.turn().await;
    let mut player =
        Player::launch(launcher, bot, timeouts, LineLog::new(Instant::now())).await.map_err(|lost| {
            let trouble = &lost.failure.trouble;
            let failure = failure(trouble.words(), trouble.exit(), &lost.stderr);
            ProbeFailure { flush: lost.flush, spoken: lost.spoken, ..failure }
        })?;
    // Only what follows shows whether it accepts its options.
    if let Err(lost) = player.resync(timeouts.set_up).await {
        let flush = player.flush_advice(&bot.launch);
        let stderr = player.kill().await.stderr;
        return Err(ProbeFailure { flush, ..failure(lost.trouble.words(), lost.trouble.exit(), &stderr) });
    }
    let identity = shown(player.identity());
    let mut fault = contests.iter().find_map(|contest| unfit(player.identity(), bot, contest));
    if sets_up && fault.is_none() {
        (player, fault) = set_up_all(launcher, player, bot, contests, (timeouts, stagger), &failure).await?;
    }
    let stderr = player.stderr();
    player.end(timeouts).await;
    match fault {
        Some(fault) => Err(failure(fault, None, &stderr)),
        None => Ok(identity),
    }
}

/// Sets up every game in every seat. Returns the bot, and the games that it refuses, in words.
///
/// # Errors
/// When the bot fails during a set-up: which one and why.
async fn set_up_all(
    launcher: &dyn Launcher,
    mut player: Player,
    bot: &PlannedBot,
    contests: &[Contest],
    (timeouts, stagger): (&Timeouts, &Stagger),
    failure: impl Fn(String, Option<&str>, &[u8]) -> ProbeFailure,
) -> Result<(Player, Option<String>), ProbeFailure> {
    let mut refused = Vec::new();
    let mut contests = contests.iter().peekable();
    while let Some(contest) = contests.next() {
        let control = bot.tc.as_ref().unwrap_or(&contest.tc);
        for seat in Seat::all(contest.setup.seats()) {
            let Err(lost) = player.set_up(&setup_of(&contest.setup, control, seat), timeouts.set_up).await
            else {
                continue;
            };
            refused.push(format!("set up for {} as {seat}: {}", contest.label, lost.trouble.words()));
            if !matches!(lost.trouble, Trouble::Rejected(_)) {
                let flush = player.flush_advice(&bot.launch);
                let stderr = player.kill().await.stderr;
                let failure = failure(refused.join("; "), lost.trouble.exit(), &stderr);
                return Err(ProbeFailure { flush, ..failure });
            }
            // It may be out of step from now on: see `Dialogue::has_refused`.
            if contests.peek().is_some() {
                player.end(timeouts).await;
                stagger.turn().await;
                let watch = LineLog::new(Instant::now());
                player = Player::launch(launcher, bot, timeouts, watch).await.map_err(|lost| {
                    let trouble = &lost.failure.trouble;
                    refused.push(format!("started again: {}", trouble.words()));
                    failure(refused.join("; "), trouble.exit(), &lost.stderr)
                })?;
            }
            // The other seat would probably be refused with the same words.
            break;
        }
    }
    Ok((player, (!refused.is_empty()).then(|| refused.join("; "))))
}

/// Returns why a bot cannot play a game of the tournament.
fn unfit(identity: &Identity, bot: &PlannedBot, contest: &Contest) -> Option<String> {
    let (game, label) = (contest.setup.game().id, &contest.label);
    let options: Vec<_> =
        contest.setup.options().iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let (seats, usual) = (contest.setup.seats(), contest.setup.usual_seats());
    if !identity.plays(game, &options, (seats != usual).then_some(seats as u8)) {
        if identity.plays.is_none() {
            return Some(format!(
                "does not say that it plays {label}: at a table of {seats} a bot says `plays {game}:players={seats}`, or `want legal`"
            ));
        }
        let plays = identity.plays.iter().flatten().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        return Some(format!("does not play {label}; it plays {}", printable_capped(&plays, SHOWN)));
    }
    let control = bot.tc.as_ref().unwrap_or(&contest.tc);
    let limits = [(control.nodes().is_some(), Ability::Nodes), (control.depth().is_some(), Ability::Depth)];
    let missing = limits.into_iter().find(|(is_needed, ability)| *is_needed && !identity.can(*ability));
    missing.map(|(_, ability)| {
        let word = ability.word();
        format!("cannot be limited by `{word}` as `{control}` asks for in {label}: it does not declare `can {word}`; a clock such as 10+0.1 limits any bot")
    })
}

fn shown(identity: &Identity) -> BotIdentity {
    let show = |text: &Option<String>| text.as_ref().map(|text| printable_capped(text, SHOWN));
    BotIdentity {
        name: show(&identity.name),
        author: show(&identity.author),
        version: show(&identity.version),
        language: show(&identity.language),
        protocol: identity.protocol(),
    }
}
