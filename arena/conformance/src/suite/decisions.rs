//! T14 to T21: decisions in positions of every kind.

use protocol::{Pairs, Start};
use rules::{Dice, RulesFault, Seat};

use crate::answer::{PATIENCE, Question, goes_on_for, light};
use crate::bench::Bench;
use crate::fault::{Step, Stop};
use crate::positions::Spot;
use crate::session::Session;
use crate::subject::Case;
use crate::suite::handshake::advise;

/// The plies that a turn of several plies may have here.
const LONGEST_TURN: usize = 16;

type Done = Step<Option<String>>;

/// Returns the random positions in which `seat` decides.
fn of_seat(case: &Case, seat: Seat) -> Vec<&Spot> {
    case.spots.random.iter().filter(|spot| spot.seat() == seat).collect()
}

pub(crate) fn t14_twice(bench: &mut Bench<'_>) -> Done {
    const ADVICE: &str =
        "set up the board again from every `position` line, and choose from the plies that are legal there";
    bench.each_game(|bench, session, case| {
        for seat in Seat::BOTH {
            if seat == Seat::P2 && bench.is_over() {
                break;
            }
            bench.sit_down(session, case, seat)?;
            for (index, spot) in of_seat(case, seat).into_iter().take(2).enumerate() {
                if index > 0 && bench.is_over() {
                    break;
                }
                let question = Question::new(case, spot, light(&bench.identity));
                question.ask_legal(session)?;
                once(session)?;
                question.ask_legal(session).map_err(|stop| advise(stop, ADVICE))?;
                once(session)?;
            }
        }
        Ok(())
    })?;
    Ok(None)
}

/// Sees to it that no second answer follows the first.
pub(crate) fn once(session: &mut Session<'_>) -> Step {
    session.ready()?;
    match session.settle()? {
        0 => Ok(()),
        more => Err(session
            .fault(
                format!("{} answers to one `go`", more + 1),
                "answer each `go` with exactly one `bestmove`, and nothing else with any",
            )
            .into()),
    }
}

// A bot that answers as soon as `legal` comes answers every question in a game, and the ones that are only set up.
pub(crate) fn t39_before_go(bench: &mut Bench<'_>) -> Done {
    const ADVICE: &str = "answer when `go` comes, and only then: `position`, `board`, `legal` and `after` only prepare a question";
    bench.fresh(|bench, session| {
        let Some(case) = bench.cases.first().cloned() else { return Ok(None) };
        let Some(spot) = case.spots.random.first() else { return Ok(None) };
        bench.sit_down(session, &case, spot.seat())?;
        Question::new(&case, spot, light(&bench.identity)).prepare(session);
        session.ready()?;
        match session.settle()? {
            0 => Ok(None),
            _ => Err(session.fault("`bestmove` came before `go`", ADVICE).into()),
        }
    })
}

pub(crate) fn t15_jumps(bench: &mut Bench<'_>) -> Done {
    const ADVICE: &str =
        "play the plies of every `position` line from its start position, whatever was on the board before";
    bench.each_game(|bench, session, case| {
        for seat in Seat::BOTH {
            if seat == Seat::P2 && bench.is_over() {
                break;
            }
            let mut spots = of_seat(case, seat);
            spots.sort_by_key(|spot| spot.moves.len());
            bench.sit_down(session, case, seat)?;
            let last = spots.len().saturating_sub(1);
            for (count, index) in [last, 0, last / 2, 0, last].into_iter().enumerate() {
                if count > 1 && bench.is_over() {
                    break;
                }
                if let Some(spot) = spots.get(index) {
                    let question = Question::new(case, spot, light(&bench.identity));
                    let reply = question.ask_legal(session);
                    reply.map_err(|stop| if count == 0 { stop } else { advise(stop, ADVICE) })?;
                }
            }
        }
        Ok(())
    })?;
    Ok(None)
}

pub(crate) fn t16_fen(bench: &mut Bench<'_>) -> Done {
    const ADVICE: &str =
        "read the position string after `position fen`: rows, seat and pairs, as the game's page has them";
    bench.each_game(|bench, session, case| {
        let mut dice = Dice::new(bench.settings.seed);
        for seat in Seat::BOTH {
            if seat == Seat::P2 && bench.is_over() {
                break;
            }
            for (index, spot) in of_seat(case, seat).into_iter().take(3).enumerate() {
                if index > 0 && bench.is_over() {
                    break;
                }
                let Some(from) = from_string(case, spot) else { continue };
                bench.sit_down(session, case, seat)?;
                let question = Question::new(case, &from, light(&bench.identity));
                question.ask_legal(session).map_err(|stop| advise(stop, ADVICE))?;
                if let Some(later) = later(from, seat, &mut dice)? {
                    let question = Question::new(case, &later, light(&bench.identity));
                    question.ask_legal(session).map_err(|stop| advise(stop, ADVICE))?;
                }
            }
        }
        Ok(())
    })?;
    Ok(None)
}

/// Returns the same position as the start of a game.
fn from_string(case: &Case, spot: &Spot) -> Option<Spot> {
    let fen = spot.referee.position();
    let referee = case.setup.referee(Some(&fen)).ok()?;
    let from = Spot { start: Start::Fen(fen), moves: Vec::new(), referee };
    from.is_open().then_some(from)
}

/// Plays on at random until the seat decides again.
fn later(mut spot: Spot, seat: Seat, dice: &mut Dice) -> Result<Option<Spot>, RulesFault> {
    for _ in 0..LONGEST_TURN {
        let legal = spot.referee.legal();
        spot.play(&legal[dice.below(legal.len())])?;
        spot.play_forced()?;
        if !spot.is_open() {
            return Ok(None);
        }
        if spot.seat() == seat {
            return Ok(Some(spot));
        }
    }
    Ok(None)
}

pub(crate) fn t17_pairs(bench: &mut Bench<'_>) -> Done {
    if bench.identity.protocol() == 0 {
        return Err(Stop::Skip("plain UGI knows no pairs".to_owned()));
    }
    bench.each_game(|bench, session, case| {
        let Some(spot) = case.spots.random.first() else { return Ok(()) };
        bench.sit_down(session, case, spot.seat())?;
        let mut question = Question::new(case, spot, light(&bench.identity));
        question.pairs = Pairs::new().with("x-heat", "0.5").with("zeal", "go=stop");
        let advice = "skip every `key=value` of a `go` line whose key you do not know";
        question.ask_legal(session).map_err(|stop| advise(stop, advice))?;
        Ok(())
    })?;
    Ok(None)
}

pub(crate) fn t18_random(bench: &mut Bench<'_>) -> Done {
    let mut count = 0;
    bench.each_game(|bench, session, case| {
        for (index, spot) in case.spots.random.iter().enumerate() {
            if index > 1 && bench.is_over() {
                break;
            }
            bench.sit_down(session, case, spot.seat())?;
            Question::new(case, spot, light(&bench.identity)).ask_legal(session)?;
            count += 1;
        }
        Ok(())
    })?;
    Ok(Some(format!("{count} positions")))
}

pub(crate) fn t19_single(bench: &mut Bench<'_>) -> Done {
    asked(bench, |case| case.spots.single.iter().collect(), "no game of this bot has such positions")
}

pub(crate) fn t20_special(bench: &mut Bench<'_>) -> Done {
    let done = asked(
        bench,
        |case| case.spots.special.iter().map(|(_, spot)| spot).collect(),
        "no game of this bot has such plies",
    )?;
    let mut kinds: Vec<_> =
        bench.cases.iter().flat_map(|case| &case.spots.special).map(|(kind, _)| *kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    Ok(done.map(|count| format!("{count}: {}", kinds.join(", "))))
}

/// Asks about certain positions of every game.
fn asked(bench: &mut Bench<'_>, choose: impl Fn(&Case) -> Vec<&Spot>, none: &str) -> Done {
    let mut count = 0;
    bench.each_game(|bench, session, case| {
        for (index, spot) in choose(case).into_iter().enumerate() {
            if index > 0 && bench.is_over() {
                break;
            }
            bench.sit_down(session, case, spot.seat())?;
            Question::new(case, spot, light(&bench.identity)).ask_legal(session)?;
            count += 1;
        }
        Ok(())
    })?;
    if count == 0 { Err(Stop::Skip(none.to_owned())) } else { Ok(Some(format!("{count} positions"))) }
}

/// Returns the position one ply before, if the same seat decided there and its turn began.
fn turn_start(case: &Case, spot: &Spot) -> Result<Option<Spot>, RulesFault> {
    let mut start = case.start();
    let Some((_, before)) = spot.moves.split_last() else { return Ok(None) };
    before.iter().try_for_each(|ply| start.play(ply))?;
    let is_it = start.is_open() && start.seat() == spot.seat() && start.referee.turn().is_fresh;
    Ok(is_it.then_some(start))
}

// The arena plays what was answered and asks again, until the turn is over.
pub(crate) fn t21_several(bench: &mut Bench<'_>) -> Done {
    const ADVICE: &str = "answer with one ply of the turn and wait for the next `go`: `position` then holds the ply just played";
    let mut count = 0;
    bench.each_game(|bench, session, case| {
        for (index, first) in case.spots.several.iter().enumerate() {
            if index > 0 && bench.is_over() {
                break;
            }
            let mut spot = turn_start(case, first)?.unwrap_or_else(|| first.fork());
            let seat = spot.seat();
            bench.sit_down(session, case, seat)?;
            for _ in 0..LONGEST_TURN {
                let question = Question::new(case, &spot, light(&bench.identity));
                let reply = question.ask(session, PATIENCE)?;
                let next = question.judge(session, &reply.answer).map_err(|stop| advise(stop, ADVICE))?;
                spot = next;
                count += 1;
                if !goes_on_for(&spot, seat) {
                    break;
                }
            }
        }
        Ok(())
    })?;
    if count == 0 {
        return Err(Stop::Skip("no game of this bot has such turns".to_owned()));
    }
    Ok(Some(format!("{count} plies")))
}
