//! No bot is to blame for time in which the arena itself did not run.

use super::scripted::say;
use super::*;

/// A bot that answers after thinking for `think` and a pause of the arena for `pause`, in milliseconds.
fn paused(think: u64, pause: u64) -> Vec<Act> {
    vec![Act::Wait(think), Act::Pause(pause), Act::Say("bestmove a1\n".to_owned())]
}

/// Plays a game with a time control in which the first bot acts like this, and returns whether it is void.
async fn is_void(tc: &'static str, acts: Vec<Act>) -> bool {
    let game = Board::new(tc, 4).p1([acts]).play().await;
    let end = &game.course.end;
    if end.is_doubtful {
        assert_eq!((end.reason, end.result, end.fault), (Termination::ArenaError, GameResult::None, None));
        let detail = end.detail.as_deref().unwrap();
        assert!(detail.starts_with("the arena itself did not run for "), "{detail}");
        assert!(detail.ends_with(" ms while ply 1 was decided"), "{detail}");
    }
    end.is_doubtful
}

#[tokio::test(start_paused = true)]
async fn a_decision_in_which_the_arena_did_not_run_is_void_where_time_counts() {
    for think in [0, 3, 80, 900] {
        // Otherwise it would be lost on time.
        assert!(is_void("1", paused(think, 5000)).await, "{think}");
        assert!(is_void("movetime 1s", paused(think, 5000)).await, "{think}");
        // Otherwise the bot would be charged for time that it did not use.
        assert!(is_void("60+1", paused(think, 5000)).await, "{think}");
        assert!(!is_void("nodes 100", paused(think, 5000)).await, "{think}");
        assert!(is_void("nodes 100", paused(think, 61_000)).await, "{think}");
        // Delays of a busy machine are not pauses.
        assert!(!is_void("60+1", paused(think, 150)).await, "{think}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_says_nothing_after_a_pause_has_not_lost_either() {
    assert!(is_void("1", vec![Act::Pause(5000), Act::Freeze]).await);
    assert!(is_void("1", vec![Act::Wait(500), Act::Pause(5000), Act::Freeze]).await);
    let game = Board::new("1", 4).p1([vec![Act::Freeze]]).play().await;
    game.ends(GameResult::P2Win, Termination::Timeout);
}

#[tokio::test(start_paused = true)]
async fn what_the_time_says_nothing_about_stands_after_a_pause() {
    let game = Board::new("60", 4).p1([vec![Act::Pause(5000), Act::Die]]).play().await;
    game.ends(GameResult::P2Win, Termination::Crash);
}

#[tokio::test(start_paused = true)]
async fn chatter_during_a_pause_hides_nothing() {
    let chat =
        |rest: Vec<Act>| [vec![Act::Pause(5000), Act::Say("info depth 1\n".to_owned())], rest].concat();
    assert!(is_void("1", chat(say(0, "bestmove a1"))).await);
    assert!(is_void("60", chat(say(3000, "bestmove a1"))).await);
}

#[tokio::test(start_paused = true)]
async fn a_pause_puts_off_the_limit_of_a_set_up() {
    let settings = PlaySettings::new(1);
    let (mut player, _lines) =
        seat(PausedProcess::idle(), Vec::new(), "protocol 1\nx-pause\nugiok\n", 1 << 16, &settings).await;
    let setup = GameSetup::new("farook");
    player.set_up(&setup, ms(2000)).await.unwrap();
    let (mut player, _lines) =
        seat(PausedProcess::idle(), Vec::new(), "protocol 1\nx-slow\nugiok\n", 1 << 16, &settings).await;
    player.set_up(&setup, ms(2000)).await.unwrap_err();
}
