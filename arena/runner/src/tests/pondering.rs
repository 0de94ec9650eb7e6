//! Pondering, and `stop` when the time is over.

use settings::Ponder;

use super::*;
use crate::tests::scripted::say;

const STOPS: &str = "protocol 1\ncan stop\nugiok\n";
const PONDERS: &str = "protocol 1\ncan stop ponder\nwant played\nugiok\n";

fn board(hello: &'static str, plies: usize) -> Board {
    Board::new("10", plies).with(|board| {
        board.hello[0] = hello;
        board.settings.conditions.ponder = Ponder::Yes;
    })
}

/// Returns the acts of a bot that waits for a control word and then answers.
fn after(word: &'static str, millis: u64, answer: &str) -> Vec<Act> {
    vec![Act::Await(word), Act::Wait(millis), Act::Say(format!("{answer}\n"))]
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_can_be_stopped_is_asked_for_its_answer_when_its_time_is_over() {
    let timed = |hello| Board::new("movetime 1s", 1).with(|board| board.hello[0] = hello);
    let game = timed(STOPS).p1([after("stop", 20, "bestmove a1")]).play().await;
    game.ends_by_rules();
    assert_eq!((game.sent(0, "stop"), game.spent()), (vec!["stop"], vec![Some(1020)]));
    assert_eq!(game.course.overruns, [1, 0]);
    // Only the margin is left then.
    let game = timed(STOPS).p1([after("stop", 60, "bestmove a1")]).play().await;
    game.ends(GameResult::P2Win, Termination::Timeout);
    // Other bots never receive words that they do not know.
    let game = timed("protocol 1\nugiok\n").p1([say(1020, "bestmove a1")]).play().await;
    game.ends_by_rules();
    assert_eq!(game.sent(0, "stop"), [""; 0]);
}

#[tokio::test(start_paused = true)]
async fn an_expected_ply_goes_on_in_the_own_time() {
    let game = board(PONDERS, 3)
        .p1([say(0, "bestmove a1 ponder b1"), after("ponderhit", 100, "bestmove a1")])
        .p2([say(5000, "bestmove b1")])
        .play()
        .await;
    game.ends_by_rules();
    assert_eq!(game.spent(), [Some(0), Some(5000), Some(100)]);
    let start = game.sent[0].iter().position(|line| line.starts_with("go ")).unwrap();
    let lines: Vec<_> = game.sent[0][start + 1..].iter().map(String::as_str).collect();
    assert_eq!(lines[..2], ["played p1 a1 ms=0", "position startpos moves a1 b1"]);
    assert!(lines[2].starts_with("go ponder p1time 10000 p2time 10000"), "{lines:?}");
    // Plies played meanwhile are announced when the bot stops thinking.
    assert_eq!(
        lines[3..],
        ["ponderhit", "played p2 b1 ms=5000", "played p1 a1 ms=100", "gameover p1win line plies=3"]
    );
}

#[tokio::test(start_paused = true)]
async fn another_ply_stops_the_thinking_and_is_asked_about() {
    let game = board(PONDERS, 3)
        .p1([
            say(0, "bestmove a1 ponder b1"),
            after("stop", 300, "bestmove b1 ponder b1"),
            say(70, "bestmove a1"),
        ])
        .p2([say(1000, "bestmove a1")])
        .play()
        .await;
    game.ends_by_rules();
    assert_eq!(game.spent(), [Some(0), Some(1000), Some(70)], "the stop is on nobody's clock");
    assert_eq!((game.sent(0, "stop").len(), game.sent(0, "ponderhit").len()), (1, 0));
    assert_eq!(game.sent(0, "position").last(), Some(&"position startpos moves a1 a1"));
    assert_eq!(game.course.plies[2].ply, "a1");
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_does_not_stop_pondering_stalls() {
    let game = board(PONDERS, 3)
        .p1([say(0, "bestmove a1 ponder b1"), after("stop", 501, "bestmove b1")])
        .play()
        .await;
    let detail = game.ends(GameResult::P2Win, Termination::Stall);
    assert_eq!(detail, "did not send `bestmove` within 500ms at ply 3");
}

#[tokio::test(start_paused = true)]
async fn an_answer_before_its_time_is_dropped_and_asked_for_again() {
    for reply in ["b1", "a1"] {
        let game = board(PONDERS, 3)
            .p1([say(0, "bestmove a1 ponder b1"), say(10, "bestmove b1"), say(30, "bestmove a1")])
            .p2([say(1000, &format!("bestmove {reply}"))])
            .play()
            .await;
        game.ends_by_rules();
        assert_eq!((game.course.plies[2].ply.as_str(), game.spent()[2]), ("a1", Some(30)));
        assert_eq!((game.sent(0, "stop").len(), game.sent(0, "ponderhit").len()), (0, 0));
    }
}

#[tokio::test(start_paused = true)]
async fn a_game_that_ends_meanwhile_stops_the_thinking() {
    let game = board(PONDERS, 2).p1([say(0, "bestmove a1 ponder b1")]).play().await;
    // The script ends with the expected ply, so there is nothing to ponder on.
    game.ends_by_rules();
    assert_eq!(game.sent(0, "go").len(), 1);
    let game = board(PONDERS, 3)
        .p1([say(0, "bestmove a1 ponder b1"), vec![Act::Await("stop")]])
        .p2([say(50, "bestmove resign")])
        .play()
        .await;
    game.ends(GameResult::P1Win, Termination::Resign);
    assert_eq!(game.sent(0, "stop").len(), 1);
}

#[tokio::test(start_paused = true)]
async fn nobody_ponders_who_cannot_or_is_not_meant_to() {
    let plain = || [say(0, "bestmove a1 ponder b1"), say(0, "bestmove a1")];
    for hello in [STOPS, "protocol 1\ncan ponder\nugiok\n", "protocol 1\nugiok\n", "ugiok\n"] {
        let game = board(hello, 3).p1(plain()).play().await;
        game.ends_by_rules();
        assert!(game.sent(0, "go").iter().all(|go| !go.contains("ponder")), "{hello}");
    }
    let game = board(PONDERS, 3)
        .with(|board| board.settings.conditions.ponder = Ponder::No)
        .p1(plain())
        .play()
        .await;
    game.ends_by_rules();
    assert!(game.sent(0, "go").iter().all(|go| !go.contains("ponder")));
    // The bot does not ponder on an illegal ply.
    let game = board(PONDERS, 3).p1([say(0, "bestmove a1 ponder c3"), say(0, "bestmove a1")]).play().await;
    game.ends_by_rules();
    assert!(game.sent(0, "go").iter().all(|go| !go.contains("ponder")));
}
