//! Whether what a worker reports of a game can be true: everything in a record that the coordinator knows or can find out itself.
//!
//! The coordinator knows who plays what from which opening, and referees every ply again ([`audit::audit`]): plies, turns, clocks,
//! adjudication, result and reason. What no rule can tell, such as whether a bot did crash, stays the worker's word.

use audit::{RecordedGame, audit};
use record::{GameRecord, RunConfig};
use rules::Catalogue;
use runner::{GamePlan, Job};

/// Returns whether a clock, or a time for each turn, limits any bot of a game.
#[must_use]
pub fn is_timed(plan: &GamePlan, job: &Job) -> bool {
    let contest = &plan.contests[job.task.contest].tc;
    job.task.seats.iter().any(|bot| plan.bots[*bot].tc.as_ref().unwrap_or(contest).limits_time())
}

/// Returns what is wrong with the factor by which times were longer on a worker: a game with a clock has one where the run scales
/// times, and no other game has. Whether it is the right one is the worker's word; the clocks are checked by it.
#[must_use]
pub fn factor_problem(plan: &GamePlan, is_scaled: bool, job: &Job, record: &GameRecord) -> Option<String> {
    let is_wanted = is_scaled && is_timed(plan, job) && !record.plies.is_empty();
    let has = record.worker.as_ref().is_some_and(|worker| worker.factor.is_some());
    let told = match (is_wanted, has) {
        (true, false) => "how much longer times were there is not said",
        (false, true) if !(is_scaled && is_timed(plan, job)) => {
            "times were scaled, which the run does not ask for"
        }
        _ => return None,
    };
    Some(format!("game {}: {told}", job.task.number))
}

/// Returns what in the record of a game does not hold; `None` where all of it does.
#[must_use]
pub fn problem(
    plan: &GamePlan,
    config: &RunConfig,
    catalogue: &Catalogue,
    job: &Job,
    record: &GameRecord,
) -> Option<String> {
    let expected = plan.unplayed(job);
    let told =
        |what: &str| Some(format!("game {}: {what} is not the one that was asked for", job.task.number));
    let numbers = |game: &GameRecord| (game.number, game.pair, game.round, game.leg);
    if numbers(record) != numbers(&expected) {
        return told("its number, pair, round or leg");
    }
    if (&record.game, &record.options, &record.label) != (&expected.game, &expected.options, &expected.label)
    {
        return told("what is played");
    }
    for (seat, expected) in record.seats.iter().zip(&expected.seats) {
        if (&seat.bot, &seat.digest, &seat.tc, seat.seed)
            != (&expected.bot, &expected.digest, &expected.tc, expected.seed)
        {
            return told("a bot, its version, its time control or its seed");
        }
    }
    // A game whose bots did not both come to the board has no plies at all.
    let opening = &job.opening;
    let is_unplayed = record.plies.is_empty() && record.opening == 0;
    let begins = record.opening as usize == opening.plies.len()
        && record.plies.len() >= opening.plies.len()
        && record.plies.iter().zip(&opening.plies).all(|(played, asked)| played.ply == *asked);
    if record.start != expected.start || !(begins || is_unplayed) {
        return told("the opening");
    }
    let game = RecordedGame::from_journal(0, record.clone(), config);
    let problem = audit(&game, catalogue).err()?.bounded();
    let ply = problem.ply.map_or_else(String::new, |ply| format!(" at ply {ply}"));
    Some(format!(
        "game {}{ply}: recorded is {}, but by the rules {}",
        job.task.number, problem.recorded, problem.rules
    ))
}
