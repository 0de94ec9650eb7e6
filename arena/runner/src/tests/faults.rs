//! Faults of bots outside the rules, and their cost.

use protocol::Profile;
use tokio::io::DuplexStream;

use super::*;
use crate::tests::scripted::say;

#[tokio::test(start_paused = true)]
async fn a_death_while_thinking_is_a_crash() {
    let game = Board::new("10", 2).p2([vec![Act::Wait(10), Act::Close]]).play().await;
    let detail = game.ends(GameResult::P1Win, Termination::Crash);
    assert_eq!(detail, "closed its standard output at ply 2");
    assert_eq!(game.sent(0, "gameover"), ["gameover p1win crash plies=1"]);
}

#[tokio::test(start_paused = true)]
async fn a_closed_input_is_a_crash() {
    let deaf = vec![Act::Say("bestmove a1\n".to_owned()), Act::Deafen];
    let game = Board::new("3600", 3).p1([deaf]).play().await;
    let detail = game.ends(GameResult::P2Win, Termination::Crash);
    assert_eq!(detail, "closed its standard input at ply 3");
}

#[tokio::test(start_paused = true)]
async fn a_line_that_is_too_long_is_a_flood() {
    let long = vec![Act::Say(format!("{}\n", "x".repeat(65_537)))];
    let detail = "wrote a line of more than 65536 bytes at ply 1";
    let game = Board::new("10", 2).p1([long]).play().await;
    assert_eq!(game.ends(GameResult::P2Win, Termination::Flood), detail);
    let longest = vec![Act::Say(format!("{}\nbestmove a1\n", "x".repeat(65_536)))];
    Board::new("10", 2).p1([longest]).play().await.ends_by_rules();
}

#[tokio::test(start_paused = true)]
async fn too_much_output_for_one_ply_is_a_flood() {
    let line = format!("{}\n", "x".repeat(65_535));
    let much = |lines: usize| vec![Act::Say(line.repeat(lines)), Act::Say("bestmove a1\n".to_owned())];
    let game = Board::new("10", 4).p1([much(200), much(200)]).play().await;
    game.ends_by_rules();
    let game = Board::new("10", 4).p1([much(257)]).play().await;
    let detail = game.ends(GameResult::P2Win, Termination::Flood);
    assert_eq!(detail, "wrote more than 16 MiB for one ply at ply 1");
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_stops_reading_stalls() {
    let frozen = || [vec![Act::Say("bestmove a1\n".to_owned()), Act::Freeze]];
    let small = |board: &mut Board| board.pipe = 16;
    let game = Board::new("3600", 3).with(small).p1(frozen()).play().await;
    let detail = game.ends(GameResult::P2Win, Termination::Stall);
    assert_eq!(detail, "did not read its input for 5s at ply 3");
}

#[tokio::test(start_paused = true)]
async fn a_silence_before_the_first_ply_is_forgiven_once() {
    let mute = |board: &mut Board| board.hello[1] = "protocol 1\nx-mute\nugiok\n";
    let game = Board::new("10", 2).with(mute).with(|board| board.is_forgiven = true).play().await;
    let detail = game.ends(GameResult::None, Termination::Stall);
    assert_eq!(detail, "did not send `readyok` within 30s");
    assert_eq!(game.sent(0, "gameover"), ["gameover none stall plies=0"]);
    let game = Board::new("10", 2).with(mute).play().await;
    game.ends(GameResult::P1Win, Termination::Stall);
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_refuses_the_game_does_not_lose_it() {
    let refuse = |board: &mut Board| board.hello[0] = "protocol 1\nx-reject\nugiok\n";
    let game = Board::new("10", 2).with(refuse).play().await;
    let detail = game.ends(GameResult::None, Termination::Rejected);
    assert_eq!(detail, "refused the game: size: too big");
    // And a bot that dies because of it does.
    let game = Board::new("10", 2).with(|board| board.hello[0] = "protocol 1\nx-die\nugiok\n").play().await;
    game.ends(GameResult::P2Win, Termination::Crash);
}

#[tokio::test(start_paused = true)]
async fn a_game_that_cannot_be_played_is_nobodys_loss() {
    let game = Board::new("10", 2)
        .with(|board| board.hello = ["protocol 1\nx-die\nugiok\n", "protocol 1\nx-reject\nugiok\n"])
        .play()
        .await;
    game.ends(GameResult::None, Termination::Rejected);
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_can_is_stopped_when_its_time_is_over() {
    let can_stop = |board: &mut Board| board.hello[0] = "protocol 1\ncan stop\nugiok\n";
    // The scripted bot only reads on because it has nothing to send.
    let game = Board::new("1", 2).with(can_stop).p1([Vec::new()]).play().await;
    game.ends(GameResult::P2Win, Termination::Timeout);
    // Its input was then closed, to see whether it held its answer back.
    assert_eq!(game.sent[0].last().map(String::as_str), Some("stop"));
}

#[tokio::test(start_paused = true)]
async fn silence_in_the_greeting_has_a_limit() {
    let (mut player, _input, _output) = unheard(Profile::default());
    let timeouts = PlaySettings::new(1).timeouts;
    let since = tokio::time::Instant::now();
    let failure = player.greet(&[], &timeouts).await.unwrap_err();
    assert_eq!(failure.trouble.words(), "did not send `ugiok` within 10s");
    assert_eq!((failure.trouble.termination(), failure.at - since), (Termination::Stall, ms(10_000)));
    // The doctor listens three more times: with its input open, after other greetings, and with its input closed.
    assert_eq!(since.elapsed(), ms(10_000) + 3 * timeouts.flush);
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_is_silent_at_its_greeting_is_asked_for_its_family() {
    let uci = Profile { hello: "uci".parse().unwrap(), ..Profile::default() };
    for (profile, ok, asked) in
        [(Profile::default(), "ugiok", "ugi\nuci\nusi\ntei\n"), (uci, "uciok", "uci\nugi\nusi\ntei\n")]
    {
        let (mut player, mut input, _output) = unheard(profile);
        let failure = player.greet(&[], &PlaySettings::new(1).timeouts).await.unwrap_err();
        assert_eq!(failure.trouble.words(), format!("did not send `{ok}` within 10s"));
        let mut told = String::new();
        tokio::io::AsyncReadExt::read_to_string(&mut input, &mut told).await.unwrap();
        assert_eq!(told, asked);
    }
}

/// Returns a player that receives nothing, with the other ends of its input and output.
fn unheard(profile: Profile) -> (Player, DuplexStream, DuplexStream) {
    let (stdin, input) = tokio::io::duplex(1024);
    let (stdout, output) = tokio::io::duplex(1024);
    let transport = Transport {
        stdin: Box::new(stdin),
        stdout: BotOutput::Stream(Box::new(stdout)),
        ended: Box::pin(pending()),
    };
    let timeouts = PlaySettings::new(1).timeouts;
    let process = Box::new(PausedProcess::idle());
    (Player::new(process, transport, Dialogue::new(profile), &timeouts), input, output)
}

#[tokio::test(start_paused = true)]
async fn an_exit_is_noticed_even_if_somebody_else_holds_the_output() {
    let (stdin, _input) = tokio::io::duplex(1024);
    let (stdout, mut output) = tokio::io::duplex(1024);
    tokio::io::AsyncWriteExt::write_all(&mut output, b"protocol 1\nugiok\nbestmove").await.unwrap();
    let ended = Box::pin(tokio::time::sleep(ms(700)));
    let transport = Transport { stdin: Box::new(stdin), stdout: BotOutput::Stream(Box::new(stdout)), ended };
    let timeouts = PlaySettings::new(1).timeouts;
    let mut player =
        Player::new(Box::new(PausedProcess::idle()), transport, Dialogue::new(Profile::default()), &timeouts);
    player.greet(&[], &timeouts).await.unwrap();
    let failure = player.resync(timeouts.ready).await.unwrap_err();
    assert_eq!(failure.trouble.words(), "process ended");
}

#[tokio::test(start_paused = true)]
async fn a_resignation_is_no_fault() {
    let game = Board::new("10", 2).p1([say(0, "bestmove resign")]).play().await;
    game.ends(GameResult::P2Win, Termination::Resign);
    assert_eq!(game.course.end.fault, None);
}
