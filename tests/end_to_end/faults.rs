//! Misbehaving bots in real tournaments: each loses by the right reason, and the tournament goes on and ends.

use record::{GameRecord, GameResult, Termination};
use rules::Seat;

use crate::workshop::{Workshop, chaos};

/// A clock that bots run out of when they are meant to, and one that they never do, whatever the machine is doing.
const SHORT: &str = "tc: 2+1\n";
const LONG: &str = "tc: 120+1\n";

/// Plays two pairs of games of an honest bot against one with a vice and returns the games.
fn play(vice: &str, settings: &str) -> (Vec<GameRecord>, String) {
    let workshop = Workshop::new();
    let text = format!(
        "games: [farook]\nbots:\n  - {{name: honest, builtin: random}}\n  - {{name: bad, cmd: {}}}\n\
         rounds: 2\nconcurrency: 1\nopenings: {{plies: 0, repeat: true}}\nout: out\n{settings}",
        chaos(vice)
    );
    workshop.write("cup.yaml", &text);
    let ended = workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 4, "{}", ended.stderr);
    // Whatever happened, the record holds.
    workshop.run(&["replay", "out", "out/games.pgn"]).expect(0);
    (games, ended.stderr)
}

fn seat_of(game: &GameRecord, bot: &str) -> Seat {
    if game.seats[0].bot == bot { Seat::P1 } else { Seat::P2 }
}

/// The bot loses its first game by this reason; nobody else ever loses by a fault.
#[track_caller]
fn loses_by(vice: &str, reason: Termination, detail: &str) {
    let (games, stderr) = play(vice, if reason == Termination::Timeout { SHORT } else { LONG });
    let first = &games[0];
    assert_eq!(first.reason, reason, "{vice}: {:?}\n{stderr}", first.detail);
    assert_eq!(first.result, GameResult::win(seat_of(first, "honest")), "{vice}");
    let found = first.detail.as_deref().unwrap_or_default();
    assert!(found.contains(detail), "{vice}: {found}");
    assert!(stderr.contains(&format!("`bad`: {reason}")), "{vice}: {stderr}");
    for game in &games {
        if let Some(seat) = game.fault() {
            assert_eq!(seat, seat_of(game, "bad"), "{vice}: the honest bot is blamed: {:?}", game.detail);
        }
    }
    assert!(
        games.iter().any(|game| matches!(game.reason, Termination::Rules(_))),
        "{vice}: the bot never plays on: {:?}",
        games.iter().map(|game| game.reason).collect::<Vec<_>>()
    );
}

#[test]
fn a_bot_that_crashes_loses_that_game_and_plays_the_next() {
    loses_by("crash", Termination::Crash, "exit");
}

#[test]
fn a_bot_that_is_killed_loses_by_crash() {
    loses_by("kill", Termination::Crash, "signal 9");
}

#[test]
fn a_bot_that_leaves_a_grandchild_with_its_pipes_loses_by_crash() {
    loses_by("child", Termination::Crash, "");
}

#[test]
fn a_bot_that_sleeps_past_its_clock_loses_by_timeout() {
    loses_by("hang", Termination::Timeout, "clock");
}

#[test]
fn a_bot_that_answers_too_late_loses_by_timeout() {
    loses_by("late", Termination::Timeout, "clock");
}

#[test]
fn talking_does_not_move_the_deadline() {
    loses_by("chatty", Termination::Timeout, "clock");
}

#[test]
fn a_bot_that_ignores_signals_loses_by_timeout() {
    loses_by("stubborn", Termination::Timeout, "clock");
}

#[test]
fn an_illegal_ply_loses_and_the_message_names_it_and_the_reason() {
    loses_by("impossible", Termination::IllegalMove, "` at ply");
}

#[test]
fn a_token_of_no_game_loses_by_bad_move() {
    loses_by("garbage", Termination::BadMove, "`!?`");
    loses_by("nothing", Termination::BadMove, "without a ply");
}

#[test]
fn a_line_without_end_loses_by_flood() {
    loses_by("long_line", Termination::Flood, "");
    loses_by("torrent", Termination::Flood, "");
}

#[test]
fn a_bot_that_closes_its_output_loses_by_crash() {
    loses_by("mute", Termination::Crash, "");
}

#[test]
fn half_a_line_is_no_answer() {
    loses_by("half_a_line", Termination::Crash, "");
}

#[test]
fn resigning_loses_and_is_no_fault() {
    let (games, _) = play("resign", LONG);
    assert_eq!((games[0].reason, games[0].fault()), (Termination::Resign, None));
    assert_eq!(games[0].result, GameResult::win(seat_of(&games[0], "honest")));
}

#[test]
fn an_answer_counts_even_if_the_bot_is_gone_afterwards() {
    let (games, _) = play("last_words", LONG);
    let first = &games[0];
    let own = first.plies.iter().filter(|ply| ply.seat == seat_of(first, "bad").index() as u8 + 1).count();
    assert_eq!((first.reason, own), (Termination::Crash, 2), "its second answer was played");
}

#[test]
fn a_second_answer_is_dropped() {
    let (games, stderr) = play("twice", LONG);
    assert!(games.iter().all(|game| matches!(game.reason, Termination::Rules(_))), "{stderr}");
}

#[test]
fn illegal_plies_may_be_retried() {
    let (games, stderr) = play("impossible", &format!("{LONG}illegal: retry:2\n"));
    assert!(matches!(games[0].reason, Termination::Rules(_)), "{stderr}");
    assert_eq!(games[0].seats[seat_of(&games[0], "bad").index()].retries, 1);
}

#[test]
fn a_bot_that_refuses_the_game_makes_no_contest() {
    let workshop = Workshop::new();
    let text = format!(
        "games: [farook]\nbots:\n  - {{name: honest, builtin: random}}\n  - {{name: bad, cmd: {}}}\n\
         tc: 2+1\nconcurrency: 1\nout: out\n",
        chaos("reject")
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(3);
    let games = workshop.games("out");
    assert_eq!(games.len(), 2);
    for game in games {
        assert_eq!((game.result, game.reason), (GameResult::None, Termination::Rejected));
    }
}

#[test]
fn a_bot_that_cannot_start_stops_the_run_before_the_first_game() {
    let workshop = Workshop::new();
    for (command, words) in [
        (chaos("no-start"), ["chaos: I do not start", "exit 1"]),
        ("[./no-such-program]".to_owned(), ["no-such-program", "bad"]),
    ] {
        let text = format!(
            "games: [farook]\nbots: [{{builtin: random}}, {{name: bad, cmd: {command}}}]\nout: out\n"
        );
        workshop.write("cup.yaml", &text);
        let ended = workshop.run(&["run", "cup.yaml"]);
        assert!([2, 3].contains(&ended.code), "{}", ended.stderr);
        for word in words {
            assert!(ended.stderr.contains(word), "{}", ended.stderr);
        }
    }
}

#[test]
fn a_limit_on_nodes_needs_bots_that_take_one() {
    let workshop = Workshop::new();
    let text = format!(
        "games: [farook]\nbots: [{{builtin: random}}, {{name: plain, cmd: {}}}]\ntc: nodes 100\nout: out\n",
        chaos("honest")
    );
    workshop.write("cup.yaml", &text);
    let ended = workshop.run(&["run", "cup.yaml"]).expect(3);
    assert!(ended.stderr.contains("plain") && ended.stderr.contains("nodes"), "{}", ended.stderr);
    assert!(workshop.read("out/journal.jsonl").is_empty());
}

#[test]
fn escapes_of_a_bot_do_not_reach_the_terminal() {
    let (_, stderr) = play("escapes", LONG);
    assert!(stderr.contains("red") && !stderr.contains('\x1b'), "{stderr:?}");
}
