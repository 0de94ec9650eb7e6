//! T09 to T13 and T34: readiness, options, sitting down to games, one after the other.

use protocol::{GameSetup, OptionKind, SeatNumber, printable_capped};
use rules::{Dice, Seat};

use crate::answer::{Question, light};
use crate::bench::{Bench, refused};
use crate::fault::{Fault, Step, Stop};
use crate::positions::{Spot, number, told};
use crate::session::Session;
use crate::subject::Case;
use crate::suite::handshake::advise;

/// How many plies of a game are played where any game will do.
const SHORT: usize = 8;

/// How many characters of an option's value are sent.
const MAX_VALUE: usize = 1000;

type Done = Step<Option<String>>;

pub(crate) fn t09_ready(bench: &mut Bench<'_>) -> Done {
    bench.fresh(|_, session| {
        for _ in 0..3 {
            session.ready()?;
        }
        Ok(None)
    })
}

pub(crate) fn t10_options(bench: &mut Bench<'_>) -> Done {
    let options = bench.identity.options.clone();
    bench.fresh(|_, session| {
        if let Some((line, error)) = session.malformed(&["option"]).cloned() {
            let advice =
                "write `option name Hash type spin default 16 min 1 max 1024`, with one word for the name";
            return Err(session.fault(format!("`{}`: {error}", printable_capped(&line, 120)), advice).into());
        }
        if options.is_empty() {
            return Err(Stop::Skip("no option is declared".to_owned()));
        }
        for option in &options {
            for value in values(&option.kind) {
                if let Err(fault) = option.setting(&value) {
                    let advice =
                        "declare a default that lies between `min` and `max`, or among the `var` words";
                    return Err(session
                        .fault(format!("the declaration contradicts itself: {fault}"), advice)
                        .into());
                }
                session.set_option(&option.name, &value);
                let (name, value) = (printable_capped(&option.name, 60), printable_capped(&value, 60));
                let advice = format!(
                    "make `setoption name {name} value {value}` work: the value is one that the bot declared"
                );
                session.ready().map_err(|stop| advise(stop, &advice))?;
            }
        }
        Ok(None)
    })
}

/// Returns the values to set an option to; the one it had at the start is the last.
fn values(kind: &OptionKind) -> Vec<String> {
    match kind {
        OptionKind::Check { default } => {
            let default = default.unwrap_or(false);
            vec![(!default).to_string(), default.to_string()]
        }
        OptionKind::Spin { default, min, max } => [min, max, default].map(ToString::to_string).to_vec(),
        OptionKind::Combo { default, values } => values
            .iter()
            .take(64)
            .chain([default])
            .map(|value| value.chars().take(MAX_VALUE).collect())
            .collect(),
        OptionKind::Text { default } => {
            vec![default.iter().flat_map(|text| text.chars()).take(MAX_VALUE).collect()]
        }
        OptionKind::Button => vec![String::new()],
    }
}

pub(crate) fn t11_games(bench: &mut Bench<'_>) -> Done {
    let mut faults = Vec::new();
    let mut left_out = Vec::new();
    for case in bench.cases.clone() {
        let options: Vec<_> =
            case.setup.options().iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
        let (seats, usual) = (case.setup.seats(), case.setup.usual_seats());
        let unusual = (seats != usual).then_some(seats as u8);
        let is_declared = bench.identity.plays(case.setup.game().id, &options, unusual);
        let has_list = bench.identity.plays.is_some();
        let set_up = Seat::all(seats).try_for_each(|seat| {
            bench.keep(|bench, session| {
                const ADVICE: &str = "name the game in `plays`, or leave it out of `--game`";
                if !is_declared {
                    let what = format!("`plays` does not name {}", case.label);
                    return Err(session.fault(what, ADVICE).into());
                }
                match session.set_up(&bench.game(&case, seat))? {
                    None => Ok(()),
                    Some(_) if !has_list => {
                        let what = format!("the bot rejects {}", case.label);
                        Err(session.fault(what, "play the game, or leave it out of `--game`").into())
                    }
                    Some(reject) => Err(refused(session, &reject).into()),
                }
            })
        });
        match set_up {
            Ok(()) => {}
            Err(Stop::Faults(found)) => {
                // What cannot be set up cannot be tested: the other tests would only say so again.
                bench.drop_case(&case);
                let is_its_right =
                    found.iter().all(|fault| fault.cause.is_none()) && !(is_declared && has_list);
                let found = found.into_iter().map(|fault| Fault { game: Some(case.label.clone()), ..fault });
                if is_its_right { left_out.extend(found) } else { faults.extend(found) }
            }
            Err(stop) => return Err(stop),
        }
    }
    // A bot that plays other games need not play one that only the command line names.
    if bench.cases.is_empty() {
        faults.append(&mut left_out);
    }
    if !faults.is_empty() {
        return Err(Stop::Faults(faults));
    }
    let labels: Vec<_> = bench.cases.iter().map(|case| case.label.as_str()).collect();
    let mut note = labels.join(", ");
    for fault in left_out {
        note.push_str(&format!("; left out: {}", fault.what));
    }
    Ok(Some(note))
}

pub(crate) fn t12_unknown_game(bench: &mut Bench<'_>) -> Done {
    const ADVICE: &str = "answer `reject unknown-game` instead of `readyok`, and continue to read";
    if bench.identity.protocol() == 0 {
        return Err(Stop::Skip("plain UGI knows no `reject`".to_owned()));
    }
    let is_omnivore = bench.identity.plays.iter().flatten().any(|spec| spec.game.is_none());
    let case = bench.cases.first().cloned();
    bench.fresh(|bench, session| {
        let game = GameSetup { you: Some(SeatNumber::P1), ..GameSetup::new("no-such-game") };
        let refusal = session.set_up(&game).map_err(|stop| advise(stop, ADVICE))?;
        if refusal.is_none() && !is_omnivore {
            return Err(session.fault("the bot says `readyok` to the game `no-such-game`", ADVICE).into());
        }
        session.ready().map_err(|stop| advise(stop, ADVICE))?;
        if let Some(case) = case {
            bench.sit_down(session, &case, Seat::P1).map_err(|stop| advise(stop, ADVICE))?;
        }
        Ok(None)
    })
}

// No `gameover` comes between the two: a game may be broken off.
pub(crate) fn t13_two_games(bench: &mut Bench<'_>) -> Done {
    const ADVICE: &str = "forget everything of the old game at `uginewgame`, and play the new one";
    let cases = bench.cases.clone();
    let Some((first, last)) = cases.first().zip(cases.last()) else { return Ok(None) };
    bench.fresh(|bench, session| {
        bench.sit_down(session, first, Seat::P1)?;
        play(bench, session, first, Seat::P1, SHORT)?;
        let second = |session: &mut Session<'_>| {
            bench.sit_down(session, last, Seat::P2)?;
            play(bench, session, last, Seat::P2, SHORT)
        };
        second(session).map_err(|stop| advise(stop, ADVICE))?;
        Ok(None)
    })
}

pub(crate) fn t34_after_gameover(bench: &mut Bench<'_>) -> Done {
    const ADVICE: &str = "skip `gameover`: it asks for nothing, and another game may follow";
    if bench.identity.protocol() == 0 {
        return Err(Stop::Skip("plain UGI knows no `gameover`".to_owned()));
    }
    bench.each_game(|bench, session, case| {
        for seat in Seat::all(case.setup.seats()) {
            if seat != Seat::P1 && bench.is_over() {
                break;
            }
            bench.sit_down(session, case, seat).map_err(|stop| advise(stop, ADVICE))?;
            let spot = play(bench, session, case, seat, SHORT)?;
            let (outcome, code) = match spot.referee.outcome() {
                Some(verdict) => (told(verdict.outcome), verdict.reason.code()),
                None => (protocol::AnnouncedResult::Win(number(seat)), "resign"),
            };
            session.game_over(&outcome, code, spot.moves.len());
            session.ready().map_err(|stop| advise(stop, ADVICE))?;
        }
        Ok(())
    })?;
    Ok(None)
}

/// Plays at most `plies` plies of a game against a random opponent, and returns the position then.
pub(crate) fn play(
    bench: &Bench<'_>,
    session: &mut Session<'_>,
    case: &Case,
    seat: Seat,
    plies: usize,
) -> Step<Spot> {
    let mut dice = Dice::new(bench.settings.seed);
    let mut spot = case.start();
    let limits = light(&bench.identity);
    spot.play_forced()?;
    while spot.is_open() && spot.moves.len() < plies {
        let (decider, before) = (spot.seat(), spot.moves.len());
        if decider == seat {
            let question = Question::new(case, &spot, limits.clone());
            let reply = question.ask(session, crate::answer::PATIENCE)?;
            spot = question.judge(session, &reply.answer)?;
        } else {
            let legal = spot.referee.legal();
            spot.play(&legal[dice.below(legal.len())])?;
        }
        let played: Vec<_> = spot.moves[before..].to_vec();
        for ply in played {
            session.tell_played(number(decider), &ply);
        }
        spot.play_forced()?;
    }
    Ok(spot)
}
