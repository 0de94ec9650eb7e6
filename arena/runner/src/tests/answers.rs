//! The content of answers, and its consequences.

use std::num::NonZeroU32;

use super::*;
use crate::tests::scripted::say;

fn retries(tries: u32) -> impl FnOnce(&mut Board) {
    move |board| board.settings.conditions.illegal = Illegal::Retry(NonZeroU32::new(tries).unwrap())
}

#[tokio::test(start_paused = true)]
async fn the_last_info_before_an_answer_counts_however_many_come_at_once() {
    let infos: String = (1..=20_000).map(|n| format!("info depth {n} score cp {n} nodes {n}\n")).collect();
    let game = Board::new("nodes 5", 2).p1([vec![Act::Say(infos + "bestmove a1\n")]]).play().await;
    game.ends_by_rules();
    let info = game.course.plies[0].info.clone().unwrap();
    assert_eq!((info.depth, info.cp, info.nodes), (Some(20_000), Some(20_000), Some(20_000)));
}

#[tokio::test(start_paused = true)]
async fn an_illegal_ply_loses() {
    let game = Board::new("10", 3).p2([say(0, "bestmove c3")]).play().await;
    let detail = game.ends(GameResult::P1Win, Termination::IllegalMove);
    assert_eq!(detail, "illegal ply `c3` at ply 2: c3 is taken");
    assert_eq!(game.sent(1, "error"), ["error illegal-move move=c3 ply=2 : c3 is taken"]);
    assert_eq!(game.sent(1, "gameover"), ["gameover p1win illegal-move plies=1"]);
}

#[tokio::test(start_paused = true)]
async fn what_is_no_ply_at_all_is_a_bad_answer() {
    let game = Board::new("10", 3).p1([say(0, "bestmove z99")]).play().await;
    let detail = game.ends(GameResult::P2Win, Termination::BadMove);
    assert_eq!(detail, "bad ply `z99` at ply 1: a ply is a cell");
    for (line, words) in [
        ("bestmove", "`bestmove` without a ply"),
        ("bestmove (none)", "`(none)` is not a ply"),
        ("bestmove \u{1b}[2J1", r"not a ply"),
    ] {
        let game = Board::new("10", 3).p1([say(0, line)]).play().await;
        let detail = game.ends(GameResult::P2Win, Termination::BadMove);
        assert!(detail.starts_with("bad answer at ply 1: ") && detail.contains(words), "{detail}");
        assert!(!detail.contains('\u{1b}'), "{detail}");
    }
}

#[tokio::test(start_paused = true)]
async fn an_illegal_ply_is_asked_for_again_while_the_clock_runs() {
    let game = Board::new("10+1", 2)
        .with(retries(2))
        .p1([say(1000, "bestmove c3"), say(1000, "bestmove"), say(1000, "bestmove a1")])
        .play()
        .await;
    game.ends_by_rules();
    assert_eq!(game.course.retries, [2, 0]);
    assert_eq!((game.spent()[0], game.clocks()[0]), (Some(3000), Some(8000)));
    let errors = game.sent(0, "error");
    assert_eq!(errors[0], "error illegal-move move=c3 ply=1 try=1/2 : c3 is taken");
    assert_eq!(errors[1], "error bad-move ply=1 try=2/2 : `bestmove` without a ply");
}

#[tokio::test(start_paused = true)]
async fn one_illegal_ply_too_many_loses() {
    let wrong = || say(0, "bestmove c3");
    let game = Board::new("10", 3).with(retries(2)).p1([wrong(), wrong(), wrong()]).play().await;
    game.ends(GameResult::P2Win, Termination::IllegalMove);
    assert_eq!(game.course.retries, [2, 0]);
    // Every decision has its own tries.
    let tries = [wrong(), wrong(), say(0, "bestmove a1"), wrong(), wrong(), say(0, "bestmove a1")];
    Board::new("10", 3).with(retries(2)).p1(tries).play().await.ends_by_rules();
}

#[tokio::test(start_paused = true)]
async fn an_answer_may_hold_all_plies_of_a_turn() {
    let steps = vec![
        Step::of(Seat::P1),
        Step::within(Seat::P1, Seat::P1),
        Step::of(Seat::P2),
        Step::within(Seat::P2, Seat::P2),
    ];
    let board = || Board::new("10+1", 0).with(|board| board.steps = steps.clone());
    let game = board().p1([say(100, "bestmove a1 b1")]).play().await;
    game.ends_by_rules();
    assert_eq!(game.spent(), [Some(100), None, Some(0), Some(0)]);
    assert_eq!(game.clocks(), [Some(9900), Some(10_900), Some(10_000), Some(11_000)]);
    // Plies beyond the end of the turn are dropped, which is not a fault.
    let game = board().p1([say(100, "bestmove a1 b1 z99 a1")]).play().await;
    game.ends_by_rules();
    let error = "error extra-moves dropped=2 : the turn is over, the other plies are dropped";
    assert_eq!(game.sent(0, "error"), [error]);
    // But within the turn every ply counts.
    let game = board().p1([say(100, "bestmove a1 c3")]).play().await;
    game.ends(GameResult::P2Win, Termination::IllegalMove);
    assert_eq!(game.course.plies.len(), 1);
}

#[tokio::test(start_paused = true)]
async fn a_turn_of_the_same_seat_that_follows_is_another_question() {
    let steps = vec![Step::of(Seat::P1), Step::of(Seat::P1), Step::pass(Seat::P2), Step::of(Seat::P1)];
    let game =
        Board::new("10", 0).with(|board| board.steps = steps).p1([say(0, "bestmove a1 b1")]).play().await;
    game.ends_by_rules();
    assert_eq!(game.sent(0, "go").len(), 3);
}

#[tokio::test(start_paused = true)]
async fn an_opening_is_played_by_nobody() {
    let opening = ["a1", "b1", "a1"].map(str::to_owned).to_vec();
    let game = Board::new("10+1", 5).with(|board| board.opening = opening).play().await;
    game.ends_by_rules();
    assert_eq!((game.course.opening, game.sent(0, "go").len(), game.sent(1, "go").len()), (3, 1, 1));
    assert_eq!(game.sent(1, "position"), ["position startpos moves a1 b1 a1"]);
    assert_eq!(game.clocks(), [None, None, None, Some(11_000), Some(11_000)]);
}

#[tokio::test(start_paused = true)]
async fn a_start_of_another_position_is_told_with_its_plies() {
    let change =
        |board: &mut Board| (board.start, board.opening) = (Some("here p1 n=0"), vec!["a1".to_owned()]);
    let game = Board::new("10+1", 3).with(change).play().await;
    assert_eq!(game.sent(1, "position"), ["position fen here p1 n=0 moves a1"]);
}

#[tokio::test(start_paused = true)]
async fn bots_are_told_only_what_they_asked_for() {
    let game = Board::new("10", 2)
        .with(|board| board.hello[1] = "protocol 1\nwant legal board played\nugiok\n")
        .p1([say(12, "bestmove b1")])
        .play()
        .await;
    let lines: Vec<_> =
        game.sent[1].iter().map(String::as_str).filter(|line| !line.starts_with("arena")).collect();
    assert_eq!(
        lines,
        [
            "ugi",
            "game script players=2 you=p2",
            "uginewgame",
            "isready",
            "played p1 b1 ms=12",
            "position startpos moves b1",
            "board 1 p2 n=1",
            "legal a1 b1",
            "go p1time 9988 p2time 10000 budget=500",
            "played p2 a1 ms=0",
            "gameover p1win line plies=2"
        ]
    );
    assert!(game.sent(0, "played").is_empty() && game.sent(0, "legal").is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_every_ply_leads_to_is_told_with_the_result() {
    let game =
        Board::new("10", 2).with(|board| board.hello = ["protocol 1\nwant after\nugiok\n"; 2]).play().await;
    game.ends_by_rules();
    assert_eq!(game.sent(0, "after"), ["after a1 1 p2 n=1", "after b1 1 p2 n=1"]);
    let last = ["after a1 1 p1 n=2 gameover p1win line", "after b1 1 p1 n=2 gameover p1win line"];
    assert_eq!(game.sent(1, "after"), last);
    // They come between the position and the question.
    let place = |word: &str| game.sent[1].iter().position(|line| line.starts_with(word)).unwrap();
    assert!(place("position") < place("after") && place("after") + 2 == place("go "));
    assert!(game.sent(0, "legal").is_empty());
}

#[tokio::test(start_paused = true)]
async fn what_plies_lead_to_is_told_again_with_every_try() {
    let game = Board::new("10", 1)
        .with(retries(1))
        .with(|board| board.hello[0] = "protocol 1\nwant after\nugiok\n")
        .p1([say(0, "bestmove c3"), say(0, "bestmove b1")])
        .play()
        .await;
    game.ends_by_rules();
    assert_eq!((game.sent(0, "go").len(), game.sent(0, "after").len()), (2, 4));
}

#[tokio::test(start_paused = true)]
async fn the_last_info_is_kept() {
    let text = "info depth 3 score cp 40 nodes 10\ninfo depth 4 score mate -2\ninfo nodes 99\n\
                info multipv 2 depth 4 score cp 1\ninfo string done\nbestmove a1\n";
    let game = Board::new("10", 2).p1([vec![Act::Say(text.to_owned())]]).play().await;
    let info = game.course.plies[0].info.clone().unwrap();
    assert_eq!((info.depth, info.cp, info.mate, info.nodes), (Some(4), None, Some(-2), Some(99)));
    assert_eq!(info.text.as_deref(), Some("done"));
    assert_eq!(game.course.plies[1].info, None);
}

#[tokio::test(start_paused = true)]
async fn the_last_words_of_a_bot_are_kept_up_to_a_length_and_fit_to_be_shown() {
    let words = "\u{202e}".to_owned() + &"x".repeat(5000);
    let text = format!("info string first\ninfo string {words}\ninfo depth 4 score cp 1\nbestmove a1\n");
    let whole = format!("\\u{{202e}}{}…", "x".repeat(191));
    for (most, expected) in [(200, Some(whole)), (9, Some("\\u{202e}…".to_owned())), (0, None)] {
        let game = Board::new("10", 2)
            .with(|board| board.settings.conditions.info_string = most)
            .p1([vec![Act::Say(text.clone())]])
            .play()
            .await;
        let info = game.course.plies[0].info.clone().unwrap();
        assert_eq!((info.cp, info.text), (Some(1), expected));
    }
}
