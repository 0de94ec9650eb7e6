//! Plies that the arena chooses instead of a bot that fails to decide.

use settings::OnFail;

use super::*;
use crate::tests::scripted::say;

fn board(tc: &'static str, plies: usize) -> Board {
    Board::new(tc, plies).with(|board| board.settings.conditions.on_fail = OnFail::Random)
}

fn marks(game: &Game) -> Vec<bool> {
    game.course.plies.iter().map(|ply| ply.fallback).collect()
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_cannot_decide_is_decided_for_and_plays_on() {
    for line in ["bestmove c3", "bestmove", "bestmove z99"] {
        let game = board("10", 3).p1([say(0, line)]).play().await;
        game.ends_by_rules();
        assert_eq!(marks(&game), [true, false, false], "{line}");
        assert_eq!(game.sent(0, "error").len(), 1, "it is told what was wrong");
        assert_eq!(game.sent(0, "go").len(), 2);
    }
}

#[tokio::test(start_paused = true)]
async fn a_late_bot_is_decided_for_and_its_late_answer_is_dropped() {
    let game = board("movetime 1s", 5).p1([say(1500, "bestmove a1"), say(0, "bestmove b1")]).play().await;
    game.ends_by_rules();
    assert_eq!(marks(&game), [true, false, false, false, false]);
    assert_eq!((game.spent()[0], game.course.plies[2].ply.as_str()), (Some(1050), "b1"));
}

#[tokio::test(start_paused = true)]
async fn a_clock_that_has_run_out_stays_at_zero() {
    let game = board("1+1", 3).p1([say(1500, "bestmove a1"), say(1500, "bestmove a1")]).play().await;
    game.ends_by_rules();
    assert_eq!((marks(&game), game.clocks()[0]), (vec![true, false, true], Some(1000)));
}

#[tokio::test(start_paused = true)]
async fn an_answer_that_is_read_too_late_costs_what_silence_costs() {
    // The arena itself is late, by less than a pause, and then finds the answer.
    let read_late = || vec![Act::Wait(1000), Act::Pause(200), Act::Say("bestmove a1\n".to_owned())];
    let silent = || say(5000, "bestmove a1");
    for (tc, own, other) in [
        ("1+0.1", Some(100), Some(1100)),
        ("1, delay 50ms, bank 1x10ms", Some(0), Some(1000)),
        ("byoyomi 2x500ms", Some(500), Some(1000)),
        ("hourglass 1s", Some(0), Some(2000)),
        ("movetime 1s", None, None),
    ] {
        for (act, spent) in [(read_late(), 1200..=1200), (silent(), 1050..=1110)] {
            let game = board(tc, 2).p1([act]).play().await;
            game.ends_by_rules();
            assert_eq!(marks(&game), [true, false], "{tc}");
            assert!(spent.contains(&game.spent()[0].unwrap()), "{tc}: {:?}", game.spent());
            assert_eq!(game.clocks(), [own, other], "{tc}");
            // A loss is not a forgiven overrun.
            assert_eq!(game.course.overruns, [0, 0], "{tc}");
        }
    }
}

#[tokio::test(start_paused = true)]
async fn retries_come_first_and_a_bot_that_is_gone_still_loses() {
    let wrong = || say(0, "bestmove c3");
    let game = board("10", 1)
        .with(|board| board.settings.conditions.illegal = Illegal::Retry(std::num::NonZeroU32::MIN))
        .p1([wrong(), wrong()])
        .play()
        .await;
    game.ends_by_rules();
    assert_eq!((marks(&game), game.course.retries), (vec![true], [1, 0].into()));
    let game = board("10", 3).p1([vec![Act::Die]]).play().await;
    game.ends(GameResult::P2Win, Termination::Crash);
}

#[tokio::test(start_paused = true)]
async fn the_choice_depends_on_the_seed_only() {
    let play = || board("10", 9).p1((0..9).map(|_| say(0, "bestmove c3")).collect::<Vec<_>>()).play();
    let plies = |game: &Game| game.course.plies.iter().map(|ply| ply.ply.clone()).collect::<Vec<_>>();
    assert_eq!(plies(&play().await), plies(&play().await));
}
