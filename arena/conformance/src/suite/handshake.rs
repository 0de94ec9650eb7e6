//! T01 to T08: greeting, declarations, lines that are to be ignored.

use std::time::{Duration, Instant};

use protocol::{BotMessage, Timeouts, printable_capped};
use rules::Seat;

use crate::answer::{Question, light};
use crate::bench::Bench;
use crate::cause::{ABILITIES, WANTS, misspelled};
use crate::fault::{Step, Stop};
use crate::session::{Heard, Session, seconds};
use crate::subject::{Case, variants};

/// How many characters of a bot's text are shown in a fault.
const SHOWN: usize = 120;

/// From how long a start on its author is told where slow work belongs.
const SLOW_START: Duration = Duration::from_secs(2);

type Done = Step<Option<String>>;

pub(crate) fn t01_hello(bench: &mut Bench<'_>) -> Done {
    let since = Instant::now();
    let identity = bench.keep(|_, session| Ok(session.identity().clone()))?;
    let took = since.elapsed();
    bench.identity = identity;
    let name = bench.identity.name.as_ref().map(|name| printable_capped(name, SHOWN));
    if took < SLOW_START {
        return Ok(name);
    }
    let start = format!(
        "after {}: what takes long to load belongs behind `isready`, which waits longer",
        seconds(took)
    );
    Ok(Some(name.map_or_else(|| start.clone(), |name| format!("{name}, {start}"))))
}

// The input is closed at once: whatever the bot writes, it writes before it has read `ugi`.
pub(crate) fn t02_silence_before_hello(bench: &mut Bench<'_>) -> Done {
    bench.raw(|_, session| {
        let (lines, _) = session.farewell(false, Timeouts::SPEC.hello)?;
        let is_message = |line: &&String| !matches!(BotMessage::parse(line), Ok(BotMessage::Log(_)));
        match lines.iter().find(is_message) {
            None => Ok(None),
            Some(line) => Err(session
                .fault(
                    format!("`{}` was written before `ugi` was read", printable_capped(line, SHOWN)),
                    "write lines of the protocol only as answers; before `ugi`, write nothing or lines that start with `#`",
                )
                .into()),
        }
    })
}

pub(crate) fn t03_protocol(bench: &mut Bench<'_>) -> Done {
    bench.keep(|_, session| {
        no_malformed(session, &["protocol"], "write `protocol 1`: the word and one whole number")?;
        no_malformed(session, &["want", "can"], "write the word and then words, such as `want legal board`")?;
        no_malformed(
            session,
            &["id"],
            "write `id name NAME`, or `author`, `version`, `lang` instead of `name`",
        )?;
        let is_lost = !session.identity().wants.is_empty() || !session.identity().abilities.is_empty();
        Ok(match session.identity().declared_protocol {
            // SPEC 6.8.1: nothing for which version 1 needs `want`.
            None if is_lost => {
                let what =
                    "`want` or `can` is declared without `protocol`: the arena ignores both in plain UGI";
                return Err(session.fault(what, "write the line `protocol 1` before `ugiok`").into());
            }
            None => Some("no `protocol` line: plain UGI is spoken".to_owned()),
            Some(version) => Some(format!("protocol {version}")),
        })
    })
}

// SPEC 6.2.7: a word that is not known is skipped, so that nobody else tells of a misspelled one.
pub(crate) fn t40_words(bench: &mut Bench<'_>) -> Done {
    bench.keep(|_, session| {
        let identity = session.identity();
        let declared = [("want", &identity.wants, &WANTS[..]), ("can", &identity.abilities, &ABILITIES[..])];
        for (line, words, known) in declared {
            let Some(word) = words.iter().find(|word| !known.contains(&word.as_str())) else { continue };
            let advice = match misspelled(words, known) {
                Some((_, near)) => format!("write `{line} {near}`"),
                None => format!("leave the word out, or write one of these: {}", known.join(", ")),
            };
            let what = format!("`{line} {}` means nothing", printable_capped(word, SHOWN));
            return Err(session.fault(what, advice).into());
        }
        Ok(None)
    })
}

pub(crate) fn t04_plays(bench: &mut Bench<'_>) -> Done {
    bench.keep(|_, session| {
        const ADVICE: &str =
            "name games as `arena games` does, with options as in `fanorona:size=9x5|5x5`, or `*` for all";
        no_malformed(session, &["plays"], ADVICE)?;
        let specs = session.identity().plays.clone();
        for spec in specs.iter().flatten() {
            if let Err(error) = variants(spec) {
                let what = format!("`plays` names `{}`: {error}", printable_capped(&spec.to_string(), SHOWN));
                return Err(session.fault(what, ADVICE).into());
            }
        }
        Ok(specs.is_none().then(|| "no `plays` line: every game was tried".to_owned()))
    })
}

fn no_malformed(session: &Session<'_>, words: &[&str], advice: &str) -> Step {
    match session.malformed(words) {
        None => Ok(()),
        Some((line, error)) => {
            Err(session.fault(format!("`{}`: {error}", printable_capped(line, SHOWN)), advice).into())
        }
    }
}

pub(crate) fn t05_crlf(bench: &mut Bench<'_>) -> Done {
    bench.raw(|_, session| {
        let hello = format!("{}\r\n", session.hello());
        session.greet(&hello).map_err(|stop| {
            advise(stop, "remove a carriage return at the end of every line that you read")
        })?;
        session.say("isready\r\n");
        session.ready().map_err(|stop| {
            advise(stop, "remove a carriage return at the end of every line that you read")
        })?;
        Ok(None)
    })
}

pub(crate) fn t06_blanks(bench: &mut Bench<'_>) -> Done {
    const ADVICE: &str = "split every line at runs of spaces and tabs, and ignore those at its ends";
    bench.raw(|_, session| {
        let hello = format!("  {}\t \n", session.hello());
        session.greet(&hello).map_err(|stop| advise(stop, ADVICE))?;
        session.say("arena  proto=1 \t name=arena \n  isready \n");
        expect_ready(session).map_err(|stop| advise(stop, ADVICE))?;
        Ok(None)
    })
}

pub(crate) fn t07_unknown_line(bench: &mut Bench<'_>) -> Done {
    ignored(bench, "x-foo bar=1\n", "skip every line whose first word you do not know")
}

pub(crate) fn t08_blank_lines(bench: &mut Bench<'_>) -> Done {
    ignored(bench, "\n# a comment: go stop quit\n \t \n", "skip empty lines and lines that start with `#`")
}

/// Sends lines that mean nothing, between games and within one.
fn ignored(bench: &mut Bench<'_>, lines: &str, advice: &str) -> Done {
    bench.fresh(|_, session| {
        session.say(lines);
        session.ready().map_err(|stop| advise(stop, advice))
    })?;
    let Some(case) = bench.cases.first().cloned() else { return Ok(None) };
    // A bot that does not play without these lines either is a matter of other tests.
    match bench.fresh(|bench, session| within_game(bench, session, &case, "")) {
        Ok(()) => {}
        Err(Stop::Faults(_)) => return Ok(Some("between games only".to_owned())),
        Err(stop) => return Err(stop),
    }
    bench.fresh(|bench, session| {
        within_game(bench, session, &case, lines).map_err(|stop| advise(stop, advice))
    })?;
    Ok(None)
}

fn within_game(bench: &Bench<'_>, session: &mut Session<'_>, case: &Case, lines: &str) -> Step {
    let limits = light(&bench.identity);
    let Some(spot) = case.spots.random.iter().find(|spot| spot.seat() == Seat::P1) else { return Ok(()) };
    bench.sit_down(session, case, Seat::P1)?;
    session.say(lines);
    Question::new(case, spot, limits).ask_legal(session)?;
    session.say(lines);
    session.ready()
}

/// Waits for one `readyok` to an `isready` that was sent in an unusual form.
fn expect_ready(session: &mut Session<'_>) -> Step {
    let deadline = Instant::now() + Duration::from_secs(5);
    loop {
        match session.hear(deadline)? {
            Heard::Said(_, line, _) if line == "readyok" => return Ok(()),
            Heard::Said(..) => {}
            Heard::Closed => return Err(session.died("before `readyok`").into()),
            Heard::Silence => {
                return Err(session
                    .fault("no `readyok` within 5 s", "answer every `isready` with `readyok`")
                    .into());
            }
        }
    }
}

/// Puts the advice of a test in the place of the general one, unless the output is held back.
pub(crate) fn advise(stop: Stop, advice: &str) -> Stop {
    match stop {
        Stop::Faults(mut faults) => {
            for fault in &mut faults {
                if !fault.is_unflushed {
                    advice.clone_into(&mut fault.advice);
                    fault.is_advised = true;
                }
            }
            Stop::Faults(faults)
        }
        other => other,
    }
}
