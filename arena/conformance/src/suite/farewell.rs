//! T32, T33, T35 and T37: the end, and the flush.

use std::time::Duration;

use protocol::printable_capped;
use rules::Seat;

use crate::answer::{Question, light};
use crate::bench::Bench;
use crate::fault::{Step, Stop};
use crate::session::{Session, seconds};
use crate::suite::clocks::TRIES;

type Done = Step<Option<String>>;

pub(crate) fn t32_quit(bench: &mut Bench<'_>) -> Done {
    let limit = Duration::from_secs(1) + bench.settings.margin;
    ends(bench, true, limit, "end the program when `quit` comes, without waiting for anything")
}

pub(crate) fn t33_end_of_input(bench: &mut Bench<'_>) -> Done {
    ends(
        bench,
        false,
        Duration::from_secs(2),
        "end the program when reading a line finds the end of the input",
    )
}

fn ends(bench: &mut Bench<'_>, quits: bool, limit: Duration, advice: &str) -> Done {
    let mut tries = 0;
    loop {
        tries += 1;
        let took = bench.fresh(|bench, session| {
            one_decision(bench, session)?;
            match session.farewell(quits, limit)?.1 {
                Some(took) => Ok(Some(took)),
                None if tries < TRIES - 1 => Ok(None),
                None => {
                    let when = if quits { "`quit`" } else { "the end of its input" };
                    let what = format!("the process lives on {} after {when}", seconds(limit));
                    Err(session.fault(what, advice).into())
                }
            }
        })?;
        if let Some(took) = took {
            return Ok(Some(seconds(took)));
        }
    }
}

pub(crate) fn t35_silence_after_quit(bench: &mut Bench<'_>) -> Done {
    bench.fresh(|bench, session| {
        one_decision(bench, session)?;
        session.ready()?;
        let (lines, _) = session.farewell(true, Duration::from_secs(2))?;
        match lines.iter().find(|line| !line.is_empty()) {
            None => Ok(None),
            Some(line) => Err(session
                .fault(
                    format!("`{}` was written after `quit`", printable_capped(line, 120)),
                    "write nothing more once `quit` has come: nobody reads it",
                )
                .into()),
        }
    })
}

/// Asks one question, so that the bot ends from where it is in practice.
fn one_decision(bench: &Bench<'_>, session: &mut Session<'_>) -> Step {
    let Some(case) = bench.cases.first() else { return Ok(()) };
    bench.sit_down(session, case, Seat::P1)?;
    let spot = case.start();
    Question::new(case, &spot, light(&bench.identity)).ask_legal(session)?;
    Ok(())
}

// A bot can be seen to hold output back only if it did not answer in time.
pub(crate) fn t37_flush(bench: &mut Bench<'_>) -> Done {
    match bench.unflushed.clone() {
        None => Ok(None),
        Some(fault) => Err(Stop::from(fault)),
    }
}
