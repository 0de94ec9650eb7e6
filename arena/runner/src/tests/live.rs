//! The pictures of a game in progress.

use super::*;
use crate::tests::scripted::say;

#[tokio::test(start_paused = true)]
async fn a_game_is_shown_as_it_is_recorded() {
    let game = Board::new("10+0.1", 4)
        .p1([say(300, "info depth 4 score cp 12 pv a1 b2\nbestmove a1"), say(1000, "bestmove b1")])
        .with(|board| board.opening = vec!["b1".to_owned()])
        .play()
        .await;
    game.ends_by_rules();
    let shown = &game.shown;
    assert_eq!(shown.plies.to_vec(), game.course.plies);
    assert_eq!((shown.opening, shown.seat, shown.since), (1, None, None));
    assert!(shown.position.is_some());
}

#[tokio::test(start_paused = true)]
async fn a_game_that_stops_in_a_decision_shows_who_decides_and_what_was_said() {
    let game =
        Board::new("1+0.1", 4).p2([say(2000, "")]).p1([say(250, "info depth 9\nbestmove a1")]).play().await;
    game.ends(GameResult::P1Win, Termination::Timeout);
    let shown = &game.shown;
    assert_eq!((shown.plies.len(), shown.seat), (1, None));
    assert_eq!(shown.clocks[0], Some(ms(850)));
    let said = shown.said[0].as_ref().expect("p1 spoke");
    assert_eq!((said.info.depth, said.plies), (Some(9), 0));
    assert!(shown.said[1].is_none());
}
