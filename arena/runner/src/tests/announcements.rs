//! Bots' claims about their search: warnings, never a forfeit.

use record::WarningKind;

use super::*;
use crate::tests::scripted::say;

/// A bot that sends a line before it answers.
fn tells(line: &str) -> Vec<Act> {
    say(0, &format!("{line}\nbestmove a1"))
}

fn warnings(game: &Game, seat: usize) -> Vec<(WarningKind, u32, u32)> {
    let warnings = game.course.warnings[seat].iter();
    warnings.map(|warning| (warning.kind, warning.count, warning.ply)).collect()
}

/// Plays three plies, which p1 wins, with these messages of p1 at its two questions, and checks the warnings about it.
async fn check(first: &str, second: &str, expected: &[(WarningKind, u32, u32)]) {
    let game = Board::new("10", 3).p1([tells(first), tells(second)]).play().await;
    game.ends_by_rules();
    assert_eq!(warnings(&game, 0), expected, "{first} / {second}");
    assert_eq!(warnings(&game, 1), []);
}

#[tokio::test(start_paused = true)]
async fn a_line_that_can_be_played_is_fine() {
    check("info depth 3 score cp 5 pv a1 b1", "info depth 1 pv b1", &[]).await;
    check("info depth 3 score mate 2 pv a1 b1 a1", "info score mate 1 pv a1", &[]).await;
    // Of several best lines only the first counts, and a bound announces nothing.
    check("info multipv 2 pv z9", "info score mate 7 lowerbound pv a1", &[]).await;
    check("info depth 3 nodes 7", "info string pv z9", &[]).await;
}

#[tokio::test(start_paused = true)]
async fn an_illegal_ply_of_a_line_is_told_once_with_a_count() {
    let lines = ["info pv a1 c3 z9", "info pv z9"];
    check(lines[0], lines[1], &[(WarningKind::PvIllegal, 2, 1)]).await;
    let game = Board::new("10", 3).p1(lines.map(tells)).play().await;
    let what = &game.course.warnings[0][0].what;
    assert_eq!(what, "ply 2 of 3 of its line, `c3`, is not legal: c3 is taken");
}

#[tokio::test(start_paused = true)]
async fn only_the_last_line_before_the_answer_counts() {
    check("info pv z9\ninfo pv a1", "info pv z9\ninfo score cp 5", &[]).await;
}

#[tokio::test(start_paused = true)]
async fn a_line_past_the_end_of_the_game_is_told() {
    check("info pv a1 a1 a1 b1", "info pv a1", &[(WarningKind::PvPastEnd, 1, 1)]).await;
}

#[tokio::test(start_paused = true)]
async fn an_announced_end_is_held_against_the_line() {
    check("info score mate -2 pv a1 a1 a1", "info pv a1", &[(WarningKind::MateSign, 1, 1)]).await;
    check("info score mate 3 pv a1 a1 a1", "info pv a1", &[(WarningKind::MateLength, 1, 1)]).await;
    check("info score mate 9223372036854775807 pv a1", "info score mate -9223372036854775808", &[]).await;
}

#[tokio::test(start_paused = true)]
async fn an_announced_win_must_come() {
    let game = Board::new("10", 7).p1([tells("info score mate 2")]).play().await;
    assert_eq!(warnings(&game, 0), [(WarningKind::MateLength, 1, 1)]);
    // p1 wins with ply 3, so the win of p2 within five own turns does not come.
    let game = Board::new("10", 3).p2([tells("info score mate 5")]).play().await;
    assert_eq!(warnings(&game, 1), [(WarningKind::MateSign, 1, 2)]);
    let game = Board::new("10", 3).p2([tells("info score mate -1")]).play().await;
    assert_eq!(warnings(&game, 1), []);
    // A forfeit proves nothing about the rest of the game.
    let game =
        Board::new("10", 5).p1([tells("info score mate 9")]).p2([say(0, "bestmove resign")]).play().await;
    assert_eq!(warnings(&game, 0), []);
}

#[tokio::test(start_paused = true)]
async fn forced_passes_may_stand_in_a_line_or_not() {
    for line in ["info pv a1 a1", "info pv a1 pass a1"] {
        let game = Board::new("10", 3)
            .with(|board| board.steps[1] = Step::pass(Seat::P2))
            .p1([tells(line)])
            .play()
            .await;
        assert_eq!(warnings(&game, 0), [], "{line}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_arena_ends_a_game_that_is_decided() {
    let lost = || (0..4).map(|_| tells("info score cp -900")).collect::<Vec<_>>();
    let resign = settings::ResignRule { score: 800, turns: 2, both: false };
    let game = Board::new("10", 9)
        .with(|board| board.settings.adjudicate.resign = Some(resign))
        .p1(lost())
        .play()
        .await;
    let detail = game.ends(GameResult::P2Win, Termination::AdjudicatedWin);
    assert_eq!(detail, "p1 said -800 or worse in its last 2 own turns");
    assert_eq!(game.course.plies.len(), 3);
    assert_eq!(game.sent(1, "gameover"), ["gameover p2win adjudicated-win plies=3"]);
    assert_eq!(game.course.end.fault, None);
}

#[tokio::test(start_paused = true)]
async fn the_limit_on_plies_waits_for_the_end_of_the_turn() {
    let steps =
        vec![Step::of(Seat::P1), Step::within(Seat::P1, Seat::P1), Step::of(Seat::P2), Step::of(Seat::P1)];
    for (limit, plies, result) in
        [(1, 2, GameResult::P2Win), (2, 2, GameResult::P2Win), (3, 3, GameResult::Draw)]
    {
        let game = Board::new("10", 4)
            .with(|board| {
                board.steps.clone_from(&steps);
                board.settings.adjudicate.plies = Some(limit);
            })
            .play()
            .await;
        game.ends(result, Termination::PlyLimit);
        assert_eq!(game.course.plies.len(), plies, "{limit}");
    }
}

#[tokio::test(start_paused = true)]
async fn the_rules_come_before_the_limit() {
    let game = Board::new("10", 3).with(|board| board.settings.adjudicate.plies = Some(3)).play().await;
    game.ends_by_rules();
}
