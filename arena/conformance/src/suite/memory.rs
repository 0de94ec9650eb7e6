//! T36 and T38: the same seed, the same game; and nothing of one game in the next.

use std::rc::Rc;
use std::time::Duration;

use protocol::{Ability, GoLimits, OptionKind};
use rules::{Dice, Seat};

use crate::answer::{PATIENCE, Question};
use crate::bench::Bench;
use crate::fault::{Fault, Step, Stop};
use crate::positions::{number, told};
use crate::session::Session;
use crate::subject::Case;

/// How many nodes a search has that counts them: few, so that the time goes for many games. What leaks from a table or a
/// history changes small searches as well.
const NODES: u64 = 100;

/// How many plies of a game are compared.
const PLIES: usize = 30;

/// How many plies the games before it have.
const EARLIER_PLIES: usize = 10;

type Done = Step<Option<String>>;

/// Returns limits under which a search does not depend on time, if the bot knows such.
fn timeless(bench: &Bench<'_>) -> (GoLimits, bool) {
    let (nodes, depth) = (bench.identity.can(Ability::Nodes), bench.identity.can(Ability::Depth));
    let is_timeless = nodes || depth;
    let limits = GoLimits {
        nodes: nodes.then_some(NODES),
        depth: (depth && !nodes).then_some(2),
        move_time: (!is_timeless).then_some(Duration::from_millis(20)),
        ..GoLimits::default()
    };
    (limits, is_timeless)
}

/// Returns the value of the option `Seed` that is set, if there is one.
fn seed_value(bench: &Bench<'_>) -> Option<String> {
    let option = bench.identity.option("Seed")?;
    Some(match &option.kind {
        OptionKind::Spin { min, max, .. } => 42.clamp(*min, (*max).max(*min)).to_string(),
        OptionKind::Text { .. } => "42".to_owned(),
        OptionKind::Combo { default, .. } => default.clone(),
        OptionKind::Check { .. } => "true".to_owned(),
        OptionKind::Button => String::new(),
    })
}

pub(crate) fn t36_seed(bench: &mut Bench<'_>) -> Done {
    if seed_value(bench).is_none() {
        return Err(Stop::Skip("no option `Seed` is declared".to_owned()));
    }
    for (index, case) in bench.cases.clone().into_iter().enumerate() {
        if index > 0 && bench.is_test_over() {
            break;
        }
        let first = bench.fresh(|bench, session| record(bench, session, &case))?;
        bench.fresh(|bench, session| {
            let second = record(bench, session, &case)?;
            match difference(&first, &second) {
                None => Ok(()),
                Some(difference) => {
                    let advice =
                        "draw every random number from one generator that `Seed` and `seed=` determine";
                    Err(of_game(
                        session,
                        &case,
                        format!("{difference} in two games with the same `Seed`"),
                        advice,
                    ))
                }
            }
        })?;
    }
    Ok(None)
}

pub(crate) fn t38_forgets(bench: &mut Bench<'_>) -> Done {
    let cases = bench.cases.clone();
    for (index, case) in cases.iter().take(if bench.settings.is_quick { 1 } else { cases.len() }).enumerate()
    {
        if index > 0 && bench.is_test_over() {
            break;
        }
        // What leaks in one game leaks.
        forgets(bench, case, &cases)?;
    }
    Ok(None)
}

fn forgets(bench: &mut Bench<'_>, case: &Rc<Case>, cases: &[Rc<Case>]) -> Step {
    let fresh = bench.fresh(|bench, session| record(bench, session, case))?;
    // Three games of which one at least has the same rules, and then the same again.
    let others = [case, cases.last().unwrap_or(case), case];
    let after = bench.fresh(|bench, session| {
        set_seed(bench, session);
        for (index, other) in others.into_iter().enumerate() {
            let seat = Seat::BOTH[(index + 1) % 2];
            play(bench, session, other, seat, index as u64 + 100, EARLIER_PLIES)?;
        }
        record(bench, session, case)
    })?;
    let Some(difference) = difference(&fresh, &after) else { return Ok(()) };
    let (_, is_timeless) = timeless(bench);
    bench.fresh(|bench, session| {
        let again = record(bench, session, case)?;
        let is_reproducible = again == fresh;
        let (what, advice) = if is_reproducible {
            (
                format!("{difference} in a new process and after three other games: state leaks across `uginewgame`"),
                "forget tables, counters and the state of random numbers at `uginewgame`, and seed anew from `seed=`",
            )
        } else if is_timeless {
            (
                format!("{difference}, and two new processes differ as well: the bot is not reproducible"),
                "seed random numbers from `seed=` of the `game` line, and let nothing else decide",
            )
        } else {
            (
                format!("{difference}, and two new processes differ as well: the bot is not reproducible"),
                "seed random numbers from `seed=` of the `game` line; a search that time limits declares `can nodes`",
            )
        };
        Err(of_game(session, case, what, advice))
    })
}

fn of_game(session: &Session<'_>, case: &Case, what: String, advice: &str) -> Stop {
    Stop::from(Fault { game: Some(case.label.clone()), ..session.fault(what, advice) })
}

fn set_seed(bench: &Bench<'_>, session: &mut Session<'_>) {
    if let Some(value) = seed_value(bench) {
        session.set_option("Seed", &value);
    }
}

/// Plays the game that is compared, and returns its plies.
fn record(bench: &Bench<'_>, session: &mut Session<'_>, case: &Case) -> Step<Vec<String>> {
    set_seed(bench, session);
    play(bench, session, case, Seat::P1, bench.settings.seed, PLIES)
}

/// Plays a game against a random opponent that a seed determines.
fn play(
    bench: &Bench<'_>,
    session: &mut Session<'_>,
    case: &Case,
    seat: Seat,
    seed: u64,
    most: usize,
) -> Step<Vec<String>> {
    let mut dice = Dice::new(seed);
    // From 1 to 2^31 - 1, as in games.
    let setup = case.game(seat, seed % 0x7fff_ffff + 1);
    if let Some(reject) = session.set_up(&setup)? {
        return Err(crate::bench::refused(session, &reject).into());
    }
    let (limits, _) = timeless(bench);
    let mut spot = case.start();
    spot.play_forced()?;
    while spot.is_open() && spot.moves.len() < most {
        if spot.seat() == seat {
            let question = Question::new(case, &spot, limits.clone());
            let reply = question.ask(session, PATIENCE)?;
            spot = question.judge(session, &reply.answer)?;
        } else {
            let legal = spot.referee.legal();
            spot.play(&legal[dice.below(legal.len())])?;
        }
        spot.play_forced()?;
    }
    let (outcome, code) = match spot.referee.outcome() {
        Some(verdict) => (told(verdict.outcome), verdict.reason.code()),
        None => (protocol::AnnouncedResult::Win(number(seat)), "resign"),
    };
    session.game_over(&outcome, code, spot.moves.len());
    Ok(spot.moves)
}

/// Says where two games part, if they do.
fn difference(first: &[String], second: &[String]) -> Option<String> {
    let index = (0..first.len().max(second.len())).find(|&index| first.get(index) != second.get(index))?;
    let show =
        |plies: &[String]| plies.get(index).map_or_else(|| "the end".to_owned(), |ply| format!("`{ply}`"));
    Some(format!("ply {} is {} and {}", index + 1, show(first), show(second)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_difference_is_told() {
        let plies = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(difference(&plies("a1 b2"), &plies("a1 b2")), None);
        assert_eq!(
            difference(&plies("a1 b2"), &plies("a1 b3 c4")).as_deref(),
            Some("ply 2 is `b2` and `b3`")
        );
        assert_eq!(difference(&plies("a1"), &plies("a1 b3")).as_deref(), Some("ply 2 is the end and `b3`"));
    }
}
