//! T26 to T31: what only a bot that declared it is sent.

use std::time::{Duration, Instant};

use protocol::{Ability, GoLimits, SeatClock, printable_capped};
use rules::Seat;

use crate::answer::{PATIENCE, Question, light};
use crate::bench::{Bench, pause};
use crate::fault::{Fault, Step, Stop};
use crate::positions::{Spot, number};
use crate::session::{Heard, Reply, Session, seconds};
use crate::subject::Case;
use crate::suite::clocks::TRIES;
use crate::suite::decisions::once;
use crate::suite::handshake::advise;

/// How long a bot may begin to think before it is disturbed.
const HEAD_START: Duration = Duration::from_millis(100);

/// The lines of a tree that are counted at the most.
const MOST_LINES: u64 = 2_000_000;

/// The response to a question that a bot does not know.
const UNKNOWN: &str = "unknown";

type Done = Step<Option<String>>;

/// Skips a test whose word the bot did not declare.
fn needs(bench: &Bench<'_>, ability: Ability) -> Step {
    if bench.identity.can(ability) { Ok(()) } else { Err(skip(ability)) }
}

fn skip(ability: Ability) -> Stop {
    Stop::Skip(format!("`can {}` is not declared", ability.word()))
}

/// Returns limits under which a search goes on until it is stopped.
fn long(bench: &Bench<'_>) -> GoLimits {
    if bench.identity.can(Ability::Infinite) {
        GoLimits { infinite: true, ..GoLimits::default() }
    } else {
        GoLimits { move_time: Some(Duration::from_secs(20)), ..GoLimits::default() }
    }
}

pub(crate) fn t26_stop(bench: &mut Bench<'_>) -> Done {
    needs(bench, Ability::Stop)?;
    const GRACE: Duration = Duration::from_millis(500);
    let is_infinite = bench.identity.can(Ability::Infinite);
    let mut longest = Duration::ZERO;
    bench.each_game_timed(|bench, session, case| {
        let spot = case.start();
        bench.sit_down(session, case, spot.seat())?;
        let mut shortest = PATIENCE;
        for _ in 0..TRIES {
            let question = Question::new(case, &spot, long(bench));
            let since = question.put(session)?;
            let early = pause(session, since, HEAD_START)?;
            if early.is_some() && is_infinite {
                let advice = "search under `go infinite` until `stop` comes, then answer";
                return Err(session.fault("an answer to `go infinite` came before `stop`", advice).into());
            }
            let reply = match early {
                // SPEC 6.11: `stop` without a search is ignored.
                Some(reply) => {
                    session.say("stop\n");
                    Reply { spent: Duration::ZERO, ..reply }
                }
                None => {
                    let since = Instant::now();
                    session.stop();
                    stopped(session, since)?
                }
            };
            question.judge(session, &reply.answer)?;
            once(session)?;
            shortest = shortest.min(reply.spent);
            if shortest <= GRACE + bench.settings.margin {
                longest = longest.max(shortest);
                return Ok(());
            }
        }
        let what = format!("{} from `stop` to `bestmove`, in the best of {TRIES} tries", seconds(shortest));
        Err(session
            .fault(
                what,
                "look for `stop` every few milliseconds while you search, or read in a second thread",
            )
            .into())
    })?;
    Ok(Some(format!("{} at most", seconds(longest))))
}

/// Waits for the answer that is due after `stop`.
fn stopped(session: &mut Session<'_>, since: Instant) -> Step<Reply> {
    session
        .answer(since, Duration::from_secs(5))
        .map_err(|stop| advise(stop, "answer `stop` with the `bestmove` found so far"))
}

pub(crate) fn t27_ready_while_thinking(bench: &mut Bench<'_>) -> Done {
    needs(bench, Ability::Stop)?;
    const ADVICE: &str = "read standard input in a second thread, and answer `isready` there at once";
    bench.each_game_timed(|bench, session, case| {
        let spot = case.start();
        bench.sit_down(session, case, spot.seat())?;
        let mut limits = long(bench);
        if !limits.infinite {
            limits.move_time = Some(Duration::from_secs(3));
        }
        let question = Question::new(case, &spot, limits);
        let since = question.put(session)?;
        if let Some(reply) = pause(session, since, HEAD_START)? {
            question.judge(session, &reply.answer)?;
            return session.ready();
        }
        let asked = Instant::now();
        session.ping();
        let is_open =
            ready_first(session, asked + Duration::from_secs(5)).map_err(|stop| advise(stop, ADVICE))?;
        if is_open {
            session.stop();
            let reply = stopped(session, since)?;
            question.judge(session, &reply.answer)?;
        }
        once(session)
    })?;
    Ok(None)
}

/// Waits for `readyok` to a question that was put in between. It is too late after the answer to `go`, unless that
/// came at once.
fn ready_first(session: &mut Session<'_>, deadline: Instant) -> Step<bool> {
    use protocol::Event;
    let since = Instant::now();
    let mut is_answered = false;
    loop {
        match session.hear(deadline)? {
            Heard::Said(Event::Ready, _, at) => {
                if is_answered && at.saturating_duration_since(since) > Duration::from_secs(1) {
                    let what = "`readyok` came only after the search had ended";
                    return Err(session.fault(what, "").into());
                }
                return Ok(!is_answered);
            }
            Heard::Said(Event::Answer(_), ..) => is_answered = true,
            Heard::Said(..) => {}
            Heard::Closed => return Err(session.died("while it was searching").into()),
            Heard::Silence => {
                return Err(session.fault("no `readyok` within 5 s, during a search", "").into());
            }
        }
    }
}

pub(crate) fn t28_depth_and_nodes(bench: &mut Bench<'_>) -> Done {
    let (depth, nodes) = (bench.identity.can(Ability::Depth), bench.identity.can(Ability::Nodes));
    if !depth && !nodes {
        return Err(Stop::Skip("neither `can depth` nor `can nodes` is declared".to_owned()));
    }
    bench.each_game(|bench, session, case| {
        let spot = case.start();
        bench.sit_down(session, case, spot.seat())?;
        let limits = [
            depth.then(|| (GoLimits { depth: Some(1), ..GoLimits::default() }, "depth")),
            nodes.then(|| (GoLimits { nodes: Some(1000), ..GoLimits::default() }, "nodes")),
        ];
        for (limits, word) in limits.into_iter().flatten() {
            let advice = format!(
                "end the search when the limit of `go {word}` is reached, or do not declare `can {word}`"
            );
            let reply = Question::new(case, &spot, limits).ask_legal(session);
            reply.map_err(|stop| advise(stop, &advice))?;
        }
        Ok(())
    })?;
    Ok(None)
}

pub(crate) fn t29_ponder(bench: &mut Bench<'_>) -> Done {
    needs(bench, Ability::Ponder)?;
    bench.each_game_timed(|bench, session, case| {
        let spot = case.start();
        bench.sit_down(session, case, spot.seat())?;
        for is_hit in [true, false] {
            ponder(bench, session, case, &spot, is_hit)?;
        }
        Ok(())
    })?;
    Ok(None)
}

fn ponder(bench: &Bench<'_>, session: &mut Session<'_>, case: &Case, spot: &Spot, is_hit: bool) -> Step {
    let clock = |seat| SeatClock::new(number(seat), Duration::from_secs(2), None);
    let limits = GoLimits { ponder: true, clocks: Seat::BOTH.map(clock).to_vec(), ..GoLimits::default() };
    let question = Question::new(case, spot, limits);
    let since = question.put(session)?;
    if pause(session, since, HEAD_START)?.is_some() {
        let advice = "hold the answer to `go ponder` back until `ponderhit` or `stop` comes";
        return Err(session.fault("an answer came while it was to ponder", advice).into());
    }
    let since = Instant::now();
    let (word, limit) = if is_hit {
        session.ponder_hit();
        ("ponderhit", Duration::from_secs(2) + bench.settings.margin)
    } else if bench.identity.can(Ability::Stop) {
        session.stop();
        ("stop", Duration::from_secs(5))
    } else {
        session.say("stop\n");
        ("stop", Duration::from_secs(5))
    };
    let advice =
        format!("answer a search that was told `{word}` with exactly one `bestmove`, on its own clock");
    let reply = session.answer(since, limit).map_err(|stop| advise(stop, &advice))?;
    question.judge(session, &reply.answer)?;
    once(session)
}

pub(crate) fn t30_query(bench: &mut Bench<'_>) -> Done {
    needs(bench, Ability::Query)?;
    let (mut count, mut trees) = (0, 0);
    bench.each_game(|bench, session, case| {
        let start = case.start();
        let spots = case.spots.random.iter().take(bench.settings.positions());
        for spot in std::iter::once(&start).chain(spots) {
            bench.sit_down(session, case, spot.seat())?;
            session.say(&format!("{}\n", position_line(spot)));
            let response = session.query("legal", PATIENCE)?;
            // SPEC 6.4.18: a bot need not know every question.
            if response == UNKNOWN {
                break;
            }
            let command = Question::new(case, spot, GoLimits::default()).command();
            if let Some(fault) = compare(session, &response, &spot.referee.legal(), &command) {
                return Err(fault.into());
            }
            count += 1;
        }
        bench.sit_down(session, case, start.seat())?;
        session.say("position startpos\n");
        let count_lines = |depth| case.setup.perft(None, depth).unwrap_or(0);
        // The third power of what one ply gives is about what three plies give.
        let depth = if count_lines(1).saturating_pow(3) <= MOST_LINES { 3 } else { 2 };
        let response = session.query(&format!("perft {depth}"), Duration::from_secs(60))?;
        if response == UNKNOWN {
            return Ok(());
        }
        trees += 1;
        let expected = count_lines(depth);
        if response != format!("perft {expected}") {
            let what = format!(
                "`response {}` where the rules count `perft {expected}` at depth {depth}",
                printable_capped(&response, 80)
            );
            let advice = format!("compare ply by ply with `arena perft {} {depth} --divide`", case.words());
            return Err(session.fault(what, advice).into());
        }
        Ok(())
    })?;
    if count + trees == 0 {
        return Err(Stop::Skip("no question of these is known to the bot".to_owned()));
    }
    Ok(Some(format!("{count} lists, {trees} trees")))
}

fn position_line(spot: &Spot) -> String {
    let moves = spot.moves.iter().filter_map(|ply| ply.parse().ok()).collect();
    protocol::PositionMessage { start: spot.start.clone(), moves }.to_string()
}

/// Compares a list of legal plies with that of the rules; the order does not matter.
fn compare(session: &Session<'_>, response: &str, legal: &[String], command: &str) -> Option<Fault> {
    let advice = format!("compare with `{command}`");
    let mut words = response.split(' ');
    if words.next() != Some("legal") {
        let what = format!("`response {}` instead of `response legal PLY…`", printable_capped(response, 80));
        return Some(session.fault(what, "begin the response with the word that was asked about"));
    }
    let said: Vec<_> = words.collect();
    let missing = legal.iter().find(|ply| !said.contains(&ply.as_str()));
    let excess = said.iter().find(|ply| !legal.iter().any(|known| known == *ply));
    let what = match (missing, excess) {
        (Some(ply), _) => format!("`{ply}` is legal and not in the response"),
        (None, Some(ply)) => format!("`{}` is in the response and not legal", printable_capped(ply, 80)),
        (None, None) if said.len() != legal.len() => "the response holds a ply twice".to_owned(),
        (None, None) => return None,
    };
    Some(session.fault(what, advice))
}

pub(crate) fn t31_id(bench: &mut Bench<'_>) -> Done {
    if bench.identity.protocol() == 0 {
        return Err(Stop::Skip("plain UGI knows no pairs".to_owned()));
    }
    let mut is_echoed = false;
    bench.each_game(|bench, session, case| {
        let spot = case.start();
        bench.sit_down(session, case, spot.seat())?;
        for id in [17, 18] {
            let mut question = Question::new(case, &spot, light(&bench.identity));
            question.id = Some(id);
            // An answer with another id is dropped as stale: then none is there.
            let since = question.put(session)?;
            session.ping();
            // A bot that reads in a second thread may be ready first.
            let reply = match wait_for_ready(session, since)? {
                None => session.listen(since, Instant::now())?,
                reply => reply,
            };
            let reply = match reply {
                Some(reply) => reply,
                None if session.take_strays() > 0 => {
                    let advice = "write the `id=` of the `go` line that you answer behind the ply, or none";
                    return Err(session
                        .fault(format!("the answer to `id={id}` bears another id"), advice)
                        .into());
                }
                None => session.answer(since, PATIENCE)?,
            };
            question.judge(session, &reply.answer)?;
            is_echoed |= reply.answer.pairs.get("id").is_some();
        }
        Ok(())
    })?;
    if is_echoed { Ok(None) } else { Err(Stop::Skip("no `id=` is echoed, as it may".to_owned())) }
}

/// Waits for `readyok`, and returns the answer that came by then.
fn wait_for_ready(session: &mut Session<'_>, since: Instant) -> Step<Option<Reply>> {
    use protocol::Event;
    let deadline = Instant::now() + PATIENCE;
    let mut reply = None;
    loop {
        match session.hear(deadline)? {
            Heard::Said(Event::Ready, ..) => return Ok(reply),
            Heard::Said(Event::Answer(answer), _, at) => {
                reply = Some(Reply { answer, spent: at.saturating_duration_since(since) });
            }
            Heard::Said(..) => {}
            Heard::Closed => return Err(session.died("instead of an answer to `go`").into()),
            Heard::Silence => return Ok(reply),
        }
    }
}
