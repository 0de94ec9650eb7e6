//! The earlier of two events counts.

use std::future::Future as _;

use super::*;
use crate::game::polling::{BotSpeed, Polling};
use crate::game::question::{Beside, question};
use crate::game::reply::Reply;
use crate::game::scoresheet::Scoresheet;
use crate::game::usage::DecisionUsage;
use crate::tests::scripted::say;

#[tokio::test(start_paused = true)]
async fn an_answer_counts_even_if_the_bot_ends_right_after_it() {
    let last = vec![Act::Wait(100), Act::Say("bestmove a1\n".to_owned()), Act::Die];
    let game = Board::new("10", 3).p1([say(0, "bestmove a1"), last.clone()]).play().await;
    game.ends_by_rules();
    // But if the game continues, it has lost: at once, not only when it is its turn.
    let game = Board::new("10", 5)
        .p1([say(0, "bestmove a1"), last])
        .p2([say(0, "bestmove a1"), say(9000, "bestmove a1")])
        .play()
        .await;
    let detail = game.ends(GameResult::P2Win, Termination::Crash);
    assert_eq!(detail, "closed its standard output at ply 4");
    assert_eq!(game.course.plies.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn garbage_after_an_answer_changes_nothing() {
    let answer = format!("bestmove a1\n{}", "x".repeat(70_000));
    let game = Board::new("10", 1).p1([vec![Act::Say(answer)]]).play().await;
    game.ends_by_rules();
}

#[tokio::test(start_paused = true)]
async fn a_line_without_an_end_is_no_answer() {
    let game = Board::new("10", 2).p1([vec![Act::Say("bestmove a1".to_owned()), Act::Die]]).play().await;
    game.ends(GameResult::P2Win, Termination::Crash);
}

#[tokio::test(start_paused = true)]
async fn the_flag_before_the_death_is_a_loss_on_time() {
    let game = Board::new("1", 2).p1([vec![Act::Wait(1100), Act::Die]]).play().await;
    game.ends(GameResult::P2Win, Termination::Timeout);
    let game = Board::new("1", 2).p1([vec![Act::Wait(1000), Act::Die]]).play().await;
    game.ends(GameResult::P2Win, Termination::Crash);
}

#[tokio::test(start_paused = true)]
async fn the_flag_of_one_before_the_death_of_the_other_is_a_loss_on_time() {
    let dying = |after: u64| vec![Act::Say("bestmove a1\n".to_owned()), Act::Wait(after), Act::Die];
    let game = Board::new("1", 2).p1([dying(2000)]).p2([say(5000, "bestmove a1")]).play().await;
    game.ends(GameResult::P1Win, Termination::Timeout);
    let game = Board::new("1", 2).p1([dying(500)]).p2([say(5000, "bestmove a1")]).play().await;
    game.ends(GameResult::P2Win, Termination::Crash);
}

#[tokio::test(start_paused = true)]
async fn the_ply_in_hand_may_end_the_game_before_a_death_does() {
    let dying = vec![Act::Say("bestmove a1\n".to_owned()), Act::Wait(500), Act::Die];
    let game = Board::new("10", 2).p1([dying.clone()]).p2([say(500, "bestmove a1")]).play().await;
    game.ends_by_rules();
    // An answer that does not end the game does not help.
    let game = Board::new("10", 3).p1([dying]).p2([say(500, "bestmove a1")]).play().await;
    game.ends(GameResult::P2Win, Termination::Crash);
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_floods_while_the_other_one_thinks_loses() {
    let flood = vec![Act::Say("bestmove a1\n".to_owned()), Act::Wait(100), Act::Say("x".repeat(70_000))];
    let game = Board::new("10", 3).p1([flood]).p2([say(5000, "bestmove a1")]).play().await;
    game.ends(GameResult::P2Win, Termination::Flood);
}

/// An output that is silent for 10 ms and then produces empty lines for ever, as fast as they are read.
struct Noise(std::pin::Pin<Box<tokio::time::Sleep>>);

impl tokio::io::AsyncRead for Noise {
    fn poll_read(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
        buffer: &mut tokio::io::ReadBuf<'_>,
    ) -> std::task::Poll<std::io::Result<()>> {
        if self.0.is_elapsed() || self.0.as_mut().poll(cx).is_ready() {
            let space = buffer.initialize_unfilled();
            space.fill(b'\n');
            let count = space.len();
            buffer.advance(count);
            return std::task::Poll::Ready(Ok(()));
        }
        std::task::Poll::Pending
    }
}

#[tokio::test(start_paused = true)]
async fn the_noise_of_one_bot_does_not_keep_the_answer_of_the_other_waiting() {
    let settings = PlaySettings::new(1);
    let noise = Transport {
        stdin: Box::new(tokio::io::sink()),
        stdout: BotOutput::Stream(Box::new(Noise(Box::pin(tokio::time::sleep(ms(10)))))),
        ended: Box::pin(pending()),
    };
    let noisy = Player::new(
        Box::new(PausedProcess::idle()),
        noise,
        Dialogue::new(Profile::default()),
        &settings.timeouts,
    );
    let (asked, _sent) =
        seat(PausedProcess::idle(), vec![say(10, "bestmove a1")], "protocol 1\nugiok\n", 1024, &settings)
            .await;
    let verdict = Verdict { outcome: Outcome::Draw, reason: Reason::Line };
    let script = Box::new(Script::new(vec![Step::of(Seat::P1)], verdict));
    let clocks = [0, 1].map(|_| Clock::new(&"10".parse().unwrap(), &settings));
    let mut scoresheet = Scoresheet::new(script, None, clocks.into(), &[]).unwrap();
    let seat = scoresheet.ask();
    let (mut polling, mut account) = (Polling::new(), DecisionUsage::Closed);
    let players = &mut [asked, noisy];
    let beside = Beside {
        polling: &mut polling,
        account: &mut account,
        speed: BotSpeed::Unknown,
        feed: None,
        info_string: 0,
    };
    let reply = question(players, &scoresheet, seat, ms(500), beside).await;
    let Reply::Answer(answer) = reply else { panic!("{reply:?}") };
    assert_eq!(answer.spent, ms(10));
}
