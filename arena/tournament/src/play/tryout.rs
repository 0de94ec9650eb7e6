//! Every bot is started once before the first game: those that cannot play are found out before they cost anything.

use diagnostic::{Diagnostic, Exit, Failure, output, say};
use live::Interrupts;
use runner::{Contest, Control, Pins, PlannedBot, PlaySettings, ProbeResult};
use tournament_file::{Plan, launcher};

use crate::{evidence, pinning};

/// Starts every bot of a plan once, and sets up every game of it with each. Returns the cores that its games would
/// keep to.
///
/// # Errors
/// When a bot cannot play, or the user interrupts.
pub fn try_bots(plan: &Plan) -> Result<Pins, Failure> {
    let pins = pinning::places(plan)?;
    let control = Control::new();
    let _interrupts = Interrupts::listen(control.clone())?;
    let try_all = |bots: &[_], contests: &[_], settings: &_| {
        Ok(runner::rehearse(launcher()?, bots, contests, settings, &control))
    };
    probe(try_all, &plan.play(), |_| true, |_| true, false).map(|_| pins)
}

/// Starts every bot that has games to play once, before the first game. Returns those that cannot play, which is
/// allowed where `may_skip` says so and two others can.
///
/// # Errors
/// When a bot cannot play and that is not allowed, or the user interrupts.
pub(super) fn probe(
    try_all: impl Fn(&[PlannedBot], &[Contest], &PlaySettings) -> Result<Option<Vec<ProbeResult>>, Failure>,
    plan: &runner::GamePlan,
    has_bot: impl Fn(usize) -> bool,
    has_contest: impl Fn(usize) -> bool,
    may_skip: bool,
) -> Result<Vec<usize>, Failure> {
    let bots: Vec<_> = chosen(&plan.bots, has_bot);
    let contests: Vec<_> = chosen(&plan.contests, has_contest);
    let Some(results) = try_all(&bots, &contests, &plan.settings)? else {
        say("interrupted while the bots were tried: no game was played");
        return Err(Failure::new(Exit::Interrupted, Vec::new()));
    };
    let mut faults = Vec::new();
    let mut broken = Vec::new();
    let sound = results.iter().filter(|result| result.outcome.is_ok()).count();
    for result in results {
        let Err(failure) = result.outcome else { continue };
        broken.extend(plan.bots.iter().position(|bot| bot.name == result.bot));
        let mut text = format!("bot `{}` cannot play: {}", protocol::printable(&result.bot), failure.fault);
        if let Some(exit) = failure.exit.as_ref().filter(|exit| !failure.fault.contains(exit.as_str())) {
            text = format!("{text} ({exit})");
        }
        let mut diagnostic = Diagnostic::new(text).hint(format!(
            "it was started with `{}` in `{}`",
            failure.command,
            output::path(&failure.dir)
        ));
        if let Some(flush) = &failure.flush {
            diagnostic = diagnostic.hint(format!("to flush stdout after every line {flush}"));
        }
        // One that holds its output back is told only that.
        let hints = match failure.flush {
            Some(_) => Vec::new(),
            None => evidence::greeting_hints(&failure.spoken),
        };
        let is_mute = failure.exit.is_none() && failure.flush.is_none() && failure.stderr.is_empty();
        if is_mute && hints.is_empty() && failure.fault.contains("did not send") {
            diagnostic = diagnostic.hint(
                "it ran and did not answer: `arena check -- CMD` shows its lines; a bot that loads something first answers \
                 its greeting at once, and does what takes long before `readyok`",
            );
        }
        for hint in hints {
            diagnostic = diagnostic.hint(hint);
        }
        if failure.exit.as_deref() == Some("exit 0") {
            diagnostic = diagnostic.hint("it came to its end by itself: a bot reads lines until `quit`");
        }
        if !failure.stderr.is_empty() {
            diagnostic = diagnostic.hint(format!("its last words on stderr:\n{}", failure.stderr.join("\n")));
        }
        if let Some(advice) = evidence::refused(&failure.stderr).filter(|_| failure.is_confined) {
            diagnostic = diagnostic.hint(advice);
        }
        faults.push(diagnostic);
    }
    if faults.is_empty() {
        return Ok(broken);
    }
    let failure = Failure::new(Exit::NoVerdict, faults);
    if may_skip && sound >= 2 {
        failure.print();
        say("the others play without it; its games stay to be played");
        return Ok(broken);
    }
    Err(if sound >= 2 { failure.hint("to play without it: `--on-start-failure skip`") } else { failure })
}

fn chosen<T: Clone>(items: &[T], is_chosen: impl Fn(usize) -> bool) -> Vec<T> {
    items.iter().enumerate().filter(|(index, _)| is_chosen(*index)).map(|(_, item)| item.clone()).collect()
}
