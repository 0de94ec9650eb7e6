//! Laws of a session, over games of random plies in every game.

use std::time::Duration;

use record::{GameResult, Termination};
use rules::{Dice, GAMES, PerSeat, Seat, Setup};
use settings::TimeControl;

use super::{InteractiveGame, Kept, KeptError, Refusal, SeatedPlayer};
use crate::PlaySettings;

const fn ms(millis: u64) -> Duration {
    Duration::from_millis(millis)
}

fn sitter(name: &str, is_person: bool, tc: Option<&str>) -> SeatedPlayer {
    let tc: Option<TimeControl> = tc.map(|tc| tc.parse().unwrap());
    SeatedPlayer { name: name.to_owned(), version: String::new(), digest: String::new(), is_person, tc }
}

fn session(setup: &Setup, persons: [bool; 2], tc: Option<&str>, start: Option<&str>) -> InteractiveGame {
    let sitters = [sitter("one", persons[0], tc), sitter("two", persons[1], tc)];
    InteractiveGame::new(setup, start, sitters.into(), &PlaySettings::new(1), 1, ms(0)).unwrap()
}

fn setup(game: &str) -> Setup {
    rules::find(game).unwrap().setup(&[]).unwrap()
}

/// Plays a random ply for the side that decides, and returns whether one was played.
fn step(session: &mut InteractiveGame, dice: &mut Dice, now: &mut Duration) -> bool {
    let Some(seat) = session.decider() else { return false };
    let legal = session.legal();
    let ply = legal[dice.below(legal.len())].clone();
    *now += ms(dice.below(7) as u64);
    match session.sitter(seat).is_person {
        true => session.play(&ply, *now).unwrap(),
        false => session.answer(&[ply], None, ms(3), *now).unwrap(),
    }
    true
}

/// Returns everything that is visible of a session.
fn view(session: &InteractiveGame) -> String {
    let clocks = Seat::BOTH.map(|seat| session.time_left(seat, ms(0)));
    let record = session.record("", ms(0));
    format!("{} {:?} {:?} {clocks:?} {record:?}", session.position(), session.legal(), session.ending())
}

#[test]
fn every_ply_of_every_game_is_taken_back_and_played_once_more() {
    for game in GAMES {
        for seed in 0..3 {
            let mut dice = Dice::new(seed);
            let mut now = ms(0);
            let mut session = session(&setup(game.id), [false, false], Some("600+1"), None);
            let mut views = vec![view(&session)];
            while step(&mut session, &mut dice, &mut now) {
                views.push(view(&session));
            }
            // A forced pass is taken back with the ply before it, so every step has a view.
            for expected in views.iter().rev().skip(1) {
                assert!(session.undo(now).is_some_and(|plies| plies > 0), "{}", game.id);
                assert_eq!(&view(&session), expected, "{}", game.id);
            }
            assert_eq!(session.undo(now), None);
            for expected in &views[1..] {
                assert!(session.redo(now).is_some());
                assert_eq!(&view(&session), expected, "{}", game.id);
            }
            assert_eq!(session.redo(now), None);
        }
    }
}

#[test]
fn a_person_goes_back_to_the_own_decision_before_however_many_plies_that_is() {
    for game in GAMES {
        for (seed, person) in [(1, Seat::P1), (2, Seat::P2)] {
            let mut dice = Dice::new(seed);
            let mut now = ms(0);
            let persons = [person == Seat::P1, person == Seat::P2];
            let mut session = session(&setup(game.id), persons, None, None);
            let mut own = Vec::new();
            loop {
                if session.decider() == Some(person) {
                    own.push((session.len(), session.position()));
                }
                if own.len() > 40 || !step(&mut session, &mut dice, &mut now) {
                    break;
                }
            }
            if session.decider() == Some(person) {
                own.pop();
            }
            let (whole, last) = (session.len(), view(&session));
            for (plies, position) in own.iter().rev() {
                assert!(session.undo(now).is_some(), "{}", game.id);
                assert_eq!((session.len(), &session.position()), (*plies, position));
                assert_eq!(session.decider(), Some(person));
            }
            assert_eq!(session.undo(now), None, "{}", game.id);
            while session.redo(now).is_some() {}
            assert_eq!((session.len(), view(&session)), (whole, last), "{}", game.id);
        }
    }
}

#[test]
fn another_ply_forgets_what_was_taken_back() {
    let mut session = session(&setup("farook"), [true, true], None, None);
    for ply in ["a1", "b2", "c3"] {
        session.play(ply, ms(1)).unwrap();
    }
    assert_eq!((session.undo(ms(2)), session.undo(ms(2)), session.taken_back()), (Some(1), Some(1), 2));
    session.play("d4", ms(3)).unwrap();
    assert_eq!((session.redo(ms(4)), session.taken_back()), (None, 0));
    assert_eq!(session.plies().map(|(ply, _)| ply).collect::<Vec<_>>(), ["a1", "d4"]);
}

#[test]
fn nothing_changes_by_a_ply_that_is_not_legal() {
    let mut session = session(&setup("sophia"), [true, false], Some("60"), None);
    let before = view(&session);
    assert!(matches!(session.play("a1b1", ms(100)), Err(Refusal::Rules(_))));
    assert_eq!(view(&session), before);
    session.play("La1", ms(100)).unwrap();
    let before = view(&session);
    assert!(matches!(session.answer(&["La1".to_owned()], None, ms(5), ms(9)), Err(Refusal::Rules(_))));
    assert!(matches!(session.answer(&[], None, ms(5), ms(9)), Err(Refusal::Rules(_))));
    assert_eq!(view(&session), before);
}

#[test]
fn an_answer_of_several_plies_is_played_as_far_as_the_turn_goes() {
    let mut session = session(&setup("2-frenzy"), [false, false], None, None);
    let answer = ["Sd7", "Se7", "Sd2", "Se2"].map(str::to_owned);
    session.answer(&answer, None, ms(5), ms(9)).unwrap();
    assert_eq!((session.len(), session.decider()), (2, Some(Seat::P2)));
    assert_eq!(session.undo_ply(ms(10)), Some(1));
    assert_eq!((session.len(), session.decider()), (1, Some(Seat::P1)));
}

#[test]
fn the_clock_of_a_person_runs_and_is_set_back() {
    let mut session = session(&setup("farook"), [true, true], Some("10+1"), None);
    assert_eq!(session.time_left(Seat::P1, ms(4000)), Some(ms(6000)));
    session.play("a1", ms(4000)).unwrap();
    assert_eq!(session.time_left(Seat::P1, ms(9000)), Some(ms(7000)));
    assert_eq!(session.time_left(Seat::P2, ms(9000)), Some(ms(5000)));
    assert!(!session.flag(ms(14_000)));
    assert_eq!(session.undo(ms(14_000)), Some(1));
    assert_eq!(session.time_left(Seat::P1, ms(14_000)), Some(ms(10_000)));
    session.play("a1", ms(15_000)).unwrap();
    assert!(session.flag(ms(26_000)));
    let ending = session.ending().unwrap();
    assert_eq!((ending.result, ending.reason), (GameResult::P1Win, Termination::Timeout));
    assert_eq!((session.legal().len(), session.play("b1", ms(26_001))), (0, Err(Refusal::Over)));
    // Only the end is taken back.
    assert_eq!((session.undo(ms(27_000)), session.len(), session.ending()), (Some(0), 1, None));
    assert_eq!(session.play("b1", ms(38_000)), Err(Refusal::Late(Seat::P2)));
}

#[test]
fn a_person_without_a_clock_has_all_the_time_there_is() {
    let mut session = session(&setup("farook"), [true, false], None, None);
    let day = ms(24 * 60 * 60 * 1000);
    assert!(!session.flag(day) && session.time_left(Seat::P1, day).is_none());
    session.play("a1", day).unwrap();
    // A bot without a time control has a second, and loses nothing by being late.
    assert_eq!(session.time_left(Seat::P2, day), Some(ms(1000)));
    assert!(!session.lose_on_time(ms(0)));
    session.answer(&["b1".to_owned()], None, ms(5000), day + ms(5000)).unwrap();
    assert_eq!(session.len(), 2);
}

#[test]
fn resigning_is_up_to_the_side_that_decides() {
    let mut session = session(&setup("farook"), [true, true], None, None);
    session.play("a1", ms(1)).unwrap();
    session.resign(ms(0)).unwrap();
    let record = session.record("2026-11-21T12:00:00.000Z", ms(1));
    assert_eq!((record.result, record.reason), (GameResult::P1Win, Termination::Resign));
    assert_eq!((session.resign(ms(0)), session.inquiry(1).is_none()), (Err(Refusal::Over), true));
}

#[test]
fn forced_passes_are_played_at_once_and_never_asked_for() {
    let start = "8/8/8/8/8/8/ss6/fs6 p2 phase=play n=6";
    let session = session(&setup("frenzy"), [true, true], None, Some(start));
    assert_eq!((session.len(), session.decider()), (1, Some(Seat::P1)));
    assert_eq!(session.plies().next().map(|(ply, _)| ply), Some("pass"));
}

#[test]
fn a_kept_session_of_every_game_goes_on_where_it_stood() {
    for game in GAMES {
        let (mut dice, mut now, setup) = (Dice::new(4), ms(0), setup(game.id));
        let mut session = session(&setup, [true, false], Some("600+1"), None);
        for decision in 0.. {
            if decision % 9 == 7 {
                session.undo(now);
            }
            let kept = session.kept(now + ms(5));
            let later = ms(1_000_000);
            let sitters = session.sitters().clone();
            let restored =
                InteractiveGame::restore(&setup, None, sitters, &PlaySettings::new(1), &kept, later).unwrap();
            assert_eq!(restored.kept(later), kept, "{}", game.id);
            // The decision takes no time at the time 0.
            assert_eq!(view(&restored), view(&session), "{}", game.id);
            let left = |session: &InteractiveGame, now| Seat::BOTH.map(|seat| session.time_left(seat, now));
            assert_eq!(left(&restored, later), left(&session, now + ms(5)));
            if decision > 60 || !step(&mut session, &mut dice, &mut now) {
                break;
            }
        }
    }
}

#[test]
fn an_end_that_is_none_of_the_rules_is_kept_and_what_does_not_fit_is_refused() {
    let setup = setup("farook");
    let mut session = session(&setup, [true, true], Some("10"), None);
    session.play("a1", ms(10)).unwrap();
    session.resign(ms(0)).unwrap();
    let kept = session.kept(ms(20));
    let again = |kept: &Kept| {
        InteractiveGame::restore(&setup, None, session.sitters().clone(), &PlaySettings::new(1), kept, ms(0))
    };
    assert_eq!(again(&kept).unwrap().ending(), session.ending());
    let mut short = kept.clone();
    short.at = 2;
    assert_eq!(again(&short).err(), Some(KeptError::Short { at: 2, all: 1 }));
    let mut wrong = kept;
    wrong.line[0].ply = "z9".to_owned();
    assert!(matches!(again(&wrong).err(), Some(KeptError::Ply { number: 1, .. })));
}

#[test]
fn at_a_table_who_resigns_is_out_and_the_others_play_on() {
    let setup = rules::find("2-frenzy").unwrap().setup(&[("players", "3")]).unwrap();
    let sitters = || PerSeat::new(3, |seat| sitter("bot", seat == Seat::P1, Some("600+1")));
    let begin = || InteractiveGame::new(&setup, None, sitters(), &PlaySettings::new(1), 1, ms(0)).unwrap();
    let (mut session, mut dice, mut now) = (begin(), Dice::new(4), ms(0));
    while session.len() < 9 || session.decider() != Some(Seat::P1) {
        assert!(step(&mut session, &mut dice, &mut now));
    }
    let (plies, before) = (session.len(), session.position());
    session.resign(now).unwrap();
    assert_eq!((session.len(), session.ending()), (plies + 1, None));
    assert_ne!(session.decider(), Some(Seat::P1));
    assert_eq!(session.plies().next_back().map(|(ply, _)| ply), Some("resign"));
    // It can be taken back, and done once more.
    assert_eq!((session.undo(now), session.position()), (Some(1), before));
    assert_eq!((session.redo(now), session.len()), (Some(1), plies + 1));
    for _ in 0..3 {
        assert!(step(&mut session, &mut dice, &mut now));
        assert!(
            session.advice(1, &InteractiveGame::usual_control()).is_some() == session.decider().is_some()
        );
    }
    let kept = session.kept(now);
    let again = InteractiveGame::restore(&setup, None, sitters(), &PlaySettings::new(1), &kept, now).unwrap();
    assert_eq!((again.position(), again.kept(now)), (session.position(), kept));
    while step(&mut session, &mut dice, &mut now) {}
    let record = session.record("", ms(0));
    let exit = record.seats[Seat::P1].out.clone().expect("it has resigned");
    assert_eq!((exit.reason, exit.ply as usize), (Termination::Resign, plies + 1));
    assert_eq!((record.result.place(Seat::P1), record.plies.len()), (Some(3), session.len() - 1));
    // Where nobody but the last is left, the game is over.
    let mut session = begin();
    session.resign(now).unwrap();
    session.resign(now).unwrap();
    let ending = session.ending().expect("one seat is left");
    let last = Seat::all(3).next_back().expect("a table of three");
    assert_eq!((ending.reason, ending.result.place(last)), (Termination::Resign, Some(1)));
}
