//! Clocks: whose time runs, for how long, and what it costs.

use settings::Restart;

use super::*;
use crate::tests::scripted::say;

#[tokio::test(start_paused = true)]
async fn thinking_is_charged_to_the_one_who_thinks() {
    let game = Board::new("10+0.1", 4).p1([say(300, "bestmove a1"), say(1000, "bestmove b1")]).play().await;
    game.ends_by_rules();
    assert_eq!(game.spent(), [Some(300), Some(0), Some(1000), Some(0)]);
    assert_eq!(game.clocks(), [Some(9800), Some(10_100), Some(8900), Some(10_200)]);
    assert_eq!(
        game.sent(1, "go"),
        [
            "go p1time 9800 p2time 10000 p1inc 100 p2inc 100 budget=590",
            "go p1time 8900 p2time 10100 p1inc 100 p2inc 100 budget=595"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn an_overrun_within_the_margin_empties_the_clock() {
    let game = Board::new("1+0.1", 4).p2([say(1050, "bestmove a1")]).play().await;
    game.ends_by_rules();
    assert_eq!((game.clocks()[1], game.course.overruns), (Some(100), [0, 1].into()));
}

#[tokio::test(start_paused = true)]
async fn an_overrun_beyond_the_margin_loses() {
    let game = Board::new("1+0.1", 4).p2([say(1051, "bestmove a1")]).play().await;
    let detail = game.ends(GameResult::P1Win, Termination::Timeout);
    assert_eq!(detail, "overran its clock by more than the margin of 50 ms at ply 2");
    assert_eq!(game.sent(0, "gameover"), ["gameover p1win timeout plies=1"]);
    // The arena waited to see whether it held its answer back, and it still reads.
    assert_eq!(game.sent(1, "gameover"), ["gameover p1win timeout plies=1"]);
}

#[tokio::test(start_paused = true)]
async fn a_chatty_bot_still_flags() {
    let game = Board::new("10", 2).p1([vec![Act::Chatter("info depth 1\n", 10)]]).play().await;
    game.ends(GameResult::P2Win, Termination::Timeout);
}

#[tokio::test(start_paused = true)]
async fn the_increment_comes_once_a_turn() {
    let steps = vec![
        Step::of(Seat::P1),
        Step::within(Seat::P1, Seat::P1),
        Step::of(Seat::P2),
        // A decision in the other side's turn uses the decider's clock, without increment.
        Step::within(Seat::P1, Seat::P2),
        Step::of(Seat::P1),
    ];
    let game = Board::new("10+1", 0)
        .with(|board| board.steps = steps)
        .p1([say(100, "bestmove a1"), say(100, "bestmove a1"), say(100, "bestmove a1")])
        .play()
        .await;
    game.ends_by_rules();
    assert_eq!(game.clocks(), [Some(9900), Some(10_800), Some(10_000), Some(10_700), Some(11_700)]);
    let plies = &game.course.plies;
    assert_eq!(plies.iter().map(|ply| ply.turn).collect::<Vec<_>>(), [1, 1, 2, 2, 3]);
    assert_eq!(plies.iter().map(|ply| ply.of).collect::<Vec<_>>(), [None, None, None, Some(2), None]);
    assert_eq!(game.sent(0, "go")[2], "go p1time 10800 p2time 10000 p1inc 1000 p2inc 1000 budget=1440");
}

#[tokio::test(start_paused = true)]
async fn forced_passes_are_played_by_the_arena_and_cost_and_bring_nothing() {
    let steps = vec![Step::of(Seat::P1), Step::pass(Seat::P2), Step::of(Seat::P1)];
    let game = Board::new("2/10+1", 0).with(|board| board.steps = steps).play().await;
    game.ends_by_rules();
    assert_eq!(game.clocks(), [Some(11_000), None, Some(22_000)]);
    assert_eq!(game.spent(), [Some(0), None, Some(0)]);
    assert_eq!(game.sent(1, "go").len(), 0);
    assert_eq!(game.sent(0, "position")[1], "position startpos moves a1 pass");
    assert!(game.sent(0, "go")[1].contains(" p2time 10000 "), "{:?}", game.sent(0, "go"));
}

#[tokio::test(start_paused = true)]
async fn the_turns_to_the_next_period_are_told() {
    let game = Board::new("2/10:5+1", 6).play().await;
    game.ends_by_rules();
    assert_eq!(
        game.sent(0, "go"),
        [
            "go p1time 10000 p2time 10000 movestogo 2 budget=500",
            "go p1time 10000 p2time 10000 movestogo 1 budget=500",
            "go p1time 15000 p2time 15000 p1inc 1000 p2inc 1000 budget=1650"
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn an_hourglass_gives_each_what_the_other_spends() {
    let acts = [say(300, "bestmove a1"), say(1200, "bestmove a1")];
    let game = Board::new("hourglass 1s", 4).p1(acts).p2([say(500, "bestmove a1")]).play().await;
    game.ends_by_rules();
    assert_eq!(game.clocks(), [Some(700), Some(800), Some(0), Some(2000)]);
    assert_eq!(
        game.sent(0, "go"),
        ["go p1time 1000 p2time 1000 budget=50", "go p1time 1200 p2time 800 budget=60"]
    );
    let game = Board::new("hourglass 1s", 4).p1([say(1051, "bestmove a1")]).play().await;
    game.ends(GameResult::P2Win, Termination::Timeout);
}

#[tokio::test(start_paused = true)]
async fn delays_byoyomi_and_banks_are_told_and_kept() {
    let told = |tc: &'static str, spent: u64| async move {
        let game = Board::new(tc, 4).p1([say(spent, "bestmove a1")]).play().await;
        game.ends_by_rules();
        (game.clocks()[0], game.sent(0, "go")[1].to_owned())
    };
    for (tc, spent, shown, go) in [
        ("10, delay 2s", 2500, 9500, "p1time 11500 p2time 12000 budget=2275 delay=2000"),
        ("10, bronstein 2s", 2500, 9500, "p1time 9500 p2time 10000 budget=2275 bronstein=2000"),
        ("1, byoyomi 3x2s", 4000, 4000, "p1time 4000 p2time 7000 budget=1600 byoyomi=2000 periods=2"),
        (
            "1+1, bank 1x3s",
            4000,
            1000,
            "p1time 1000 p2time 2000 p1inc 1000 p2inc 1000 budget=800 p1bank=0 p2bank=3000",
        ),
    ] {
        assert_eq!(told(tc, spent).await, (Some(shown), format!("go {go}")), "{tc}");
    }
    let game = Board::new("1+1, bank 1x3s", 4).p1([say(4051, "bestmove a1")]).play().await;
    game.ends(GameResult::P2Win, Termination::Timeout);
}

#[tokio::test(start_paused = true)]
async fn the_second_ply_of_a_turn_has_the_rest_of_its_time() {
    let steps = vec![Step::of(Seat::P1), Step::within(Seat::P1, Seat::P1), Step::of(Seat::P1)];
    let board = || Board::new("movetime 1s", 0).with(|board| board.steps = steps.clone());
    let game = board().p1([say(700, "bestmove a1"), say(300, "bestmove a1")]).play().await;
    game.ends_by_rules();
    let told = game.sent(0, "go");
    assert_eq!(
        told,
        ["go movetime 1000 budget=800", "go movetime 300 budget=240", "go movetime 1000 budget=800"]
    );
    assert_eq!(game.clocks(), [None, None, None]);
    let game = board().p1([say(700, "bestmove a1"), say(351, "bestmove a1")]).play().await;
    let detail = game.ends(GameResult::P2Win, Termination::Timeout);
    assert!(detail.starts_with("overran the time for its turn"), "{detail}");
}

#[tokio::test(start_paused = true)]
async fn a_decision_of_the_other_one_does_not_make_the_time_for_a_turn_whole_again() {
    let steps = vec![
        Step::of(Seat::P1),
        Step::within(Seat::P2, Seat::P1),
        Step::within(Seat::P1, Seat::P1),
        Step::within(Seat::P2, Seat::P1),
    ];
    let game = Board::new("movetime 1s", 0)
        .with(|board| board.steps = steps)
        .p1([say(700, "bestmove a1"), say(300, "bestmove a1")])
        .p2([say(600, "bestmove a1"), say(400, "bestmove a1")])
        .play()
        .await;
    game.ends_by_rules();
    assert_eq!(game.sent(0, "go"), ["go movetime 1000 budget=800", "go movetime 300 budget=240"]);
    assert_eq!(game.sent(1, "go"), ["go movetime 1000 budget=800", "go movetime 400 budget=320"]);
}

#[tokio::test(start_paused = true)]
async fn thinking_has_a_limit_where_there_is_no_clock() {
    let hello = |board: &mut Board| board.hello[0] = "protocol 1\ncan nodes\nugiok\n";
    let game = Board::new("nodes 100", 2).with(hello).p1([say(60_051, "bestmove a1")]).play().await;
    game.ends(GameResult::P2Win, Termination::Timeout);
    assert_eq!(game.sent(0, "go"), ["go nodes 100"]);
    let game = Board::new("nodes 100", 2).p1([say(60_049, "bestmove a1")]).play().await;
    game.ends_by_rules();
    assert_eq!(game.sent(0, "go"), ["go"], "it did not declare `can nodes`");
}

#[tokio::test(start_paused = true)]
async fn nobody_loses_on_time_in_a_debugger() {
    let settings = PlaySettings { no_timeout: true, ..PlaySettings::new(1) };
    let game = Board::new("1", 2)
        .with(|board| board.settings = settings)
        .p1([say(100_000, "bestmove a1")])
        .play()
        .await;
    game.ends_by_rules();
}

#[tokio::test(start_paused = true)]
async fn the_clock_starts_with_the_write_of_the_question() {
    // A pipe without a buffer: the question waits until the slow bot reads on.
    let game = Board::new("1+0", 3)
        .with(|board| board.pipe = 16)
        .p1([vec![Act::Say("bestmove a1\n".to_owned()), Act::Wait(4000)], say(900, "bestmove a1")])
        .play()
        .await;
    game.ends_by_rules();
    assert_eq!(game.spent(), [Some(0), Some(0), Some(900)]);
}

#[tokio::test(start_paused = true)]
async fn what_was_written_before_the_question_is_no_answer() {
    let early = vec![Act::Say("bestmove a1\nbestmove b1\n".to_owned())];
    let game = Board::new("10", 3).p1([early, say(500, "bestmove a1")]).play().await;
    game.ends_by_rules();
    assert_eq!(game.spent(), [Some(0), Some(0), Some(500)]);
    assert_eq!(game.course.plies[2].ply, "a1");
}

#[tokio::test(start_paused = true)]
async fn a_loss_on_time_is_noisy_when_the_machine_kept_the_bot_waiting() {
    let late = |share| {
        let board = Board::new("1", 2).with(|board| board.waits[0] = share);
        board.p1([vec![Act::Wait(2000), Act::Say("bestmove a1\n".to_owned())]]).play()
    };
    let game = late(Some(0.5)).await;
    assert!(game.ends(GameResult::P2Win, Termination::Timeout).contains(" (noisy: its process waited "));
    assert!(game.course.end.is_doubtful);
    for share in [None, Some(0.0), Some(0.01)] {
        let game = late(share).await;
        assert!(!game.ends(GameResult::P2Win, Termination::Timeout).contains("noisy"));
        assert!(!game.course.end.is_doubtful);
    }
}

#[tokio::test(start_paused = true)]
async fn only_a_loss_on_time_is_noisy() {
    let waiting = |acts| Board::new("10", 2).with(|board| board.waits = [Some(1.0); 2]).p1([acts]).play();
    let game = waiting(vec![Act::Wait(5000), Act::Die]).await;
    game.ends(GameResult::P2Win, Termination::Crash);
    assert!(!game.course.end.is_doubtful);
    let game = waiting(say(5000, "bestmove a1")).await;
    game.ends_by_rules();
    assert!(!game.course.end.is_doubtful);
}

/// Returns a game on clocks that count processor time, in which `p1` keeps this many processors busy.
fn metered(tc: &'static str, processors: f64) -> Board {
    Board::new(tc, 4).with(|board| board.busy[0] = processors)
}

#[tokio::test(start_paused = true)]
async fn sleep_costs_nothing_where_processor_time_counts() {
    let game = metered("1+0.1, cpu", 0.0).p1([say(30_000, "bestmove a1")]).play().await;
    game.ends_by_rules();
    assert_eq!((game.spent()[0], game.clocks()[0]), (Some(0), Some(1100)));
    let told = "go p1time 1000 p2time 1000 p1inc 100 p2inc 100 budget=150 clock=cpu";
    assert_eq!(game.sent(0, "go")[0].replace("budget=140", "budget=150"), told);
}

#[tokio::test(start_paused = true)]
async fn all_threads_count() {
    let game = metered("10, cpu", 4.0).p1([say(300, "bestmove a1")]).play().await;
    game.ends_by_rules();
    assert_eq!((game.spent()[0], game.clocks()[0]), (Some(1200), Some(8800)));
    let game = metered("1, cpu", 4.0).p1([say(300, "bestmove a1")]).play().await;
    let detail = game.ends(GameResult::P2Win, Termination::Timeout);
    assert!(detail.starts_with("overran its clock by "), "{detail}");
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_never_answers_loses_when_its_processor_time_is_over() {
    let began = tokio::time::Instant::now();
    // The flush doctor is not tried, because it takes time of its own.
    let game = metered("10, cpu", 2.0)
        .with(|board| board.settings.conditions.restart = Restart::Never)
        .p1([vec![Act::Await("quit")]])
        .play()
        .await;
    let detail = game.ends(GameResult::P2Win, Termination::Timeout);
    assert_eq!(detail, "overran its clock by more than the margin of 50 ms at ply 1");
    assert!((ms(5025)..ms(5500)).contains(&began.elapsed()), "{:?}", began.elapsed());
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_sleeps_for_ever_loses_by_real_time() {
    let game = metered("1, cpu", 0.0).p1([vec![Act::Await("quit")]]).play().await;
    let detail = game.ends(GameResult::P2Win, Termination::Timeout);
    // Twice the clock with its margin, plus the think limit.
    assert!(detail.starts_with("gave no answer within 62100 ms of real time at ply 1"), "{detail}");
}

#[tokio::test(start_paused = true)]
async fn a_bot_that_can_be_stopped_is_when_its_processor_time_is_over() {
    let acts = vec![Act::Await("stop"), Act::Say("bestmove a1\n".to_owned())];
    let game = metered("10, cpu", 1.0)
        .with(|board| {
            board.hello[0] = "protocol 1\ncan stop\nugiok\n";
            board.settings.conditions.margin = ms(1000);
        })
        .p1([acts])
        .play()
        .await;
    game.ends_by_rules();
    assert!(game.spent()[0].is_some_and(|spent| (10_000..10_500).contains(&spent)), "{:?}", game.spent());
}
