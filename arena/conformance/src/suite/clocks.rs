//! T22 to T25: time.

use std::time::Duration;

use protocol::{GoLimits, SeatClock, advise_limits};
use rules::{Dice, Seat};

use crate::answer::{PATIENCE, Question};
use crate::bench::Bench;
use crate::fault::{Step, Stop};
use crate::positions::number;
use crate::session::{Session, seconds};
use crate::subject::Case;

/// How often something that a busy machine can spoil is tried before it is held against the bot.
pub(crate) const TRIES: usize = 3;

/// How many turns the clock of [`t23_clock`] has to last.
const TURNS: usize = 20;

/// How many questions the average over budgets is taken of.
const QUESTIONS: usize = 5;

type Done = Step<Option<String>>;

pub(crate) fn t22_movetime(bench: &mut Bench<'_>) -> Done {
    const TIME: Duration = Duration::from_millis(100);
    let limit = TIME + bench.settings.margin;
    let mut longest = Duration::ZERO;
    bench.each_game_timed(|bench, session, case| {
        let spot = case.start();
        bench.sit_down(session, case, spot.seat())?;
        let limits = GoLimits { move_time: Some(TIME), ..GoLimits::default() };
        let question = Question::new(case, &spot, limits);
        let mut shortest = PATIENCE;
        for _ in 0..TRIES {
            shortest = shortest.min(question.ask_legal(session)?.spent);
            if shortest <= limit {
                break;
            }
        }
        longest = longest.max(shortest);
        if shortest <= limit {
            return Ok(());
        }
        let what = format!("{} for `movetime 100`, in the best of {TRIES} tries", seconds(shortest));
        Err(session.fault(what, "answer before `movetime` is over, with a few milliseconds to spare").into())
    })?;
    Ok(Some(format!("{} at most", seconds(longest))))
}

pub(crate) fn t23_clock(bench: &mut Bench<'_>) -> Done {
    let mut least = None;
    bench.each_game_timed(|bench, session, case| {
        for attempt in 1.. {
            match play_on_the_clock(bench, session, case)? {
                Ok(left) => {
                    least = Some(least.map_or(left, |least: Duration| least.min(left)));
                    break;
                }
                Err(what) if attempt == TRIES - 1 => {
                    let advice = "spend at most the `budget=` of the `go` line, or a twentieth of what is on the clock";
                    return Err(session.fault(what, advice).into());
                }
                Err(_) => {}
            }
        }
        Ok(())
    })?;
    Ok(least.map(|left| format!("{} left at the least", seconds(left))))
}

/// Plays turns with one clock, over several games if need be. Returns what is left on it, or how it was overrun.
fn play_on_the_clock(
    bench: &Bench<'_>,
    session: &mut Session<'_>,
    case: &Case,
) -> Step<Result<Duration, String>> {
    const INCREMENT: Duration = Duration::from_millis(10);
    let seat = Seat::P1;
    let mut dice = Dice::new(bench.settings.seed);
    let mut left = Duration::from_secs(1);
    let mut turn = 0;
    while turn < TURNS {
        bench.sit_down(session, case, seat)?;
        let mut spot = case.start();
        spot.play_forced()?;
        let mut was_asked = false;
        while spot.is_open() && turn < TURNS {
            if spot.seat() != seat {
                let legal = spot.referee.legal();
                spot.play(&legal[dice.below(legal.len())])?;
            } else {
                was_asked = true;
                let clock = |seat| SeatClock {
                    seat: number(seat),
                    remaining: Some(left),
                    increment: Some(INCREMENT),
                };
                let limits = GoLimits { clocks: Seat::BOTH.map(clock).to_vec(), ..GoLimits::default() };
                let question = Question::new(case, &spot, limits);
                let reply = question.ask(session, PATIENCE)?;
                let next = question.judge(session, &reply.answer)?;
                if reply.spent > left + bench.settings.margin {
                    return Ok(Err(format!(
                        "{} with {} on the clock, in turn {}",
                        seconds(reply.spent),
                        seconds(left),
                        turn + 1
                    )));
                }
                left = left.saturating_sub(reply.spent);
                let is_turn_over = next.referee.turn().is_fresh || next.seat() != seat;
                spot = next;
                if is_turn_over {
                    (turn, left) = (turn + 1, left + INCREMENT);
                }
            }
            spot.play_forced()?;
        }
        // A game in which the bot is never asked would go on for ever.
        if !was_asked {
            break;
        }
    }
    Ok(Ok(left))
}

pub(crate) fn t24_budget(bench: &mut Bench<'_>) -> Done {
    if bench.identity.protocol() == 0 {
        return Err(Stop::Skip("plain UGI knows no pairs".to_owned()));
    }
    let margin = bench.settings.margin;
    let mut notes = Duration::ZERO;
    bench.each_game_timed(|bench, session, case| {
        let (mut spent, mut allowed) = (Duration::ZERO, Duration::ZERO);
        for spot in case.spots.random.iter().take(QUESTIONS) {
            let seat = spot.seat();
            bench.sit_down(session, case, seat)?;
            let clock = |seat| SeatClock::new(number(seat), Duration::from_secs(2), None);
            let limits = GoLimits { clocks: Seat::BOTH.map(clock).to_vec(), ..GoLimits::default() };
            allowed += advise_limits(&limits, number(seat)).unwrap_or_default() + margin;
            spent += Question::new(case, spot, limits).ask_legal(session)?.spent;
        }
        notes = notes.max(spent / QUESTIONS as u32);
        if spent <= allowed {
            return Ok(());
        }
        let what = format!(
            "{} for an answer on average, where `budget=100` with a margin of {} was advised",
            seconds(spent / QUESTIONS as u32),
            seconds(margin)
        );
        Err(session.fault(what, "think no longer on average than the milliseconds after `budget=`").into())
    })?;
    Ok(Some(format!("{} on average for `budget=100`", seconds(notes))))
}

pub(crate) fn t25_no_increment(bench: &mut Bench<'_>) -> Done {
    const ADVICE: &str =
        "take a missing increment, and one of 0, for none: do not divide by it, and do not wait for it";
    bench.each_game_timed(|bench, session, case| {
        let spot = case.start();
        bench.sit_down(session, case, spot.seat())?;
        for increment in [Some(Duration::ZERO), None] {
            let clock =
                |seat| SeatClock { seat: number(seat), remaining: Some(Duration::from_secs(1)), increment };
            let limits = GoLimits { clocks: Seat::BOTH.map(clock).to_vec(), ..GoLimits::default() };
            let reply = Question::new(case, &spot, limits).ask_legal(session);
            let reply = reply.map_err(|stop| crate::suite::handshake::advise(stop, ADVICE))?;
            if reply.spent > Duration::from_secs(1) + bench.settings.margin {
                let what = format!("{} with 1 s on the clock", seconds(reply.spent));
                return Err(session.fault(what, ADVICE).into());
            }
        }
        Ok(())
    })?;
    Ok(None)
}
