//! The built-in bots on a pair of pipes.

use std::io::{BufRead, BufReader, Write, pipe};
use std::thread;
use std::time::{Duration, Instant};

use kit::{BUILTINS, OwnGames, builtin};

/// Returns what a bot writes when it reads these lines.
fn converse(bot: &str, lines: &[&str]) -> Vec<String> {
    let mut output = Vec::new();
    let input = lines.join("\n") + "\n";
    builtin(bot)
        .expect("the bot is built in")
        .serve(OwnGames::None, input.as_bytes(), &mut output)
        .expect("pipes hold");
    String::from_utf8(output).expect("bots write UTF-8").lines().map(str::to_owned).collect()
}

fn answers(bot: &str, lines: &[&str]) -> Vec<String> {
    converse(bot, lines).into_iter().filter(|line| line.starts_with("bestmove")).collect()
}

#[test]
fn every_bot_introduces_itself_and_is_ready() {
    for bot in BUILTINS {
        let lines =
            converse(bot.name, &["ugi", "game farook players=2 you=p1 seed=1", "uginewgame", "isready"]);
        assert_eq!(lines[0], format!("id name {}", bot.name));
        let can = match bot.name {
            "alphabeta" => "can stop depth nodes",
            "mcts" => "can stop nodes",
            _ => "can depth nodes",
        };
        assert!(lines.contains(&can.to_owned()), "{lines:?}");
        assert_eq!(lines[lines.len() - 2..], ["ugiok", "readyok"]);
    }
}

#[test]
fn a_game_that_cannot_be_played_is_rejected_with_the_reason() {
    for (game, start) in [
        ("game chess players=2 you=p1", "reject unknown-game : unknown game `chess`"),
        ("game faust size=99 players=2 you=p1", "reject bad-option : option `size` cannot be `99`"),
        ("game faust colour=red players=2 you=p1", "reject bad-option : unknown option `colour`"),
    ] {
        let lines = converse("random", &[game, "uginewgame", "isready"]);
        assert!(lines[0].starts_with(start), "{lines:?}");
    }
}

#[test]
fn private_pairs_and_repeated_options_are_skipped() {
    let game = "game faust x-mood=fine size=2 size=99 players=2 you=p1 you=p2";
    let lines = converse("random", &[game, "uginewgame", "isready", "position startpos", "go movetime 100"]);
    assert_eq!(lines[0], "readyok");
    assert!(["bestmove a1", "bestmove a2", "bestmove b1", "bestmove b2"].contains(&&*lines[1]), "{lines:?}");
}

#[test]
fn every_question_gets_one_legal_answer() {
    for bot in BUILTINS {
        for game in rules::GAMES {
            let setup = game.setup(&[]).expect("the defaults are valid");
            let mut table = setup.referee(None).expect("the start is valid");
            let hello = format!("game {} players=2 you=p1 seed=7", game.id);
            let mut moves = Vec::new();
            for _ in 0..6 {
                let position = if moves.is_empty() {
                    "position startpos".to_owned()
                } else {
                    format!("position startpos moves {}", moves.join(" "))
                };
                if table.outcome().is_some() {
                    break;
                }
                let found = answers(bot.name, &[&hello, "uginewgame", &position, "go nodes 200 id=3"]);
                assert_eq!(found.len(), 1, "{}: {found:?}", bot.name);
                let ply = found[0].strip_prefix("bestmove ").and_then(|rest| rest.strip_suffix(" id=3"));
                let ply = ply.unwrap_or_else(|| panic!("{}: {found:?}", bot.name));
                table
                    .submit(ply)
                    .unwrap_or_else(|error| panic!("{} in {}: `{ply}`: {error}", bot.name, game.id));
                moves.push(ply.to_owned());
            }
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_plies_and_another_one_others() {
    let play = |seed: u32| {
        let game = format!("game faust players=2 you=p1 seed={seed}");
        let questions = ["position startpos", "go"].repeat(8);
        answers("random", &[&[game.as_str(), "uginewgame"], &questions[..]].concat())
    };
    assert_eq!(play(5), play(5));
    assert_ne!(play(5), play(6));
}

#[test]
fn a_new_game_forgets_the_last_one() {
    let game = ["game frenzy players=2 you=p1 seed=3", "uginewgame", "position startpos", "go nodes 500"];
    for bot in BUILTINS {
        let twice = answers(bot.name, &[game, game].concat());
        assert_eq!(twice[0], twice[1], "{}", bot.name);
    }
}

#[test]
fn a_question_without_a_position_is_answered_all_the_same() {
    let lines = converse("greedy", &["go"]);
    assert_eq!(lines, ["error cannot-decide : `go` without a game", "bestmove resign"]);
}

#[test]
fn a_bot_that_thinks_is_ready_and_can_be_stopped() {
    let (input, mut to_bot) = pipe().expect("the system has a pipe");
    let (from_bot, output) = pipe().expect("the system has a pipe");
    let bot = builtin("alphabeta").expect("the bot is built in");
    let served = thread::spawn(move || bot.serve(OwnGames::None, BufReader::new(input), output));
    let mut lines = BufReader::new(from_bot).lines().map(|line| line.expect("bots write UTF-8"));
    let mut next = |word: &str| lines.find(|line| line.starts_with(word)).unwrap_or_default();
    let since = Instant::now();
    to_bot.write_all(b"game faust you=p1\nuginewgame\nisready\n").expect("the bot reads");
    assert_eq!(next("readyok"), "readyok");
    to_bot.write_all(b"position startpos\ngo movetime 600000 id=1\n").expect("the bot reads");
    // It thinks: an iteration is told.
    assert!(next("info").contains("depth 1"));
    to_bot.write_all(b"isready\n").expect("the bot reads");
    assert_eq!(next("readyok"), "readyok");
    to_bot.write_all(b"stop\n").expect("the bot reads");
    assert!(next("bestmove ").ends_with(" id=1"));
    // What comes too late is nobody's, and the bot plays on.
    to_bot.write_all(b"stop\nposition startpos\ngo nodes 100\n").expect("the bot reads");
    assert!(next("bestmove ").len() > "bestmove ".len());
    // `quit` ends a search as well.
    to_bot.write_all(b"go movetime 600000\nquit\n").expect("the bot reads");
    assert!(next("bestmove ").len() > "bestmove ".len());
    assert!(served.join().expect("the bot does not panic").is_ok());
    assert!(since.elapsed() < Duration::from_secs(300), "it was not stopped");
}

#[test]
fn pairs_that_a_bot_does_not_know_are_skipped() {
    // SPEC 9.2: any receiver skips the private ones.
    let lines =
        converse("random", &["game faust size=4 x-heat=0.5 x-zeal=1 you=p1", "uginewgame", "isready"]);
    assert_eq!(lines, ["readyok"]);
}
