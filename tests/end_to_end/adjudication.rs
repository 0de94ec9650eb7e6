//! Games that the arena ends, and what is said of bots whose words are not true.

use record::{GameResult, Termination, WarningKind};
use serde_json::{Value, json};

use crate::workshop::{Workshop, unsealed};

/// A tournament of two bots that say these lines about every position, and these further keys.
fn tournament(first: &[&str], second: &[&str], keys: &str) -> Workshop {
    let workshop = Workshop::new();
    let critic = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/bots/critic.py");
    let bot = |name: &str, lines: &[&str]| {
        let words: Vec<_> = ["python3", critic].into_iter().chain(lines.iter().copied()).collect();
        json!({ "name": name, "cmd": words })
    };
    let bots = json!([bot("one", first), bot("other", second)]);
    workshop.write("cup.yaml", &format!("bots: {bots}\ntc: movetime 20s\nout: out\n{keys}\n"));
    workshop
}

/// Returns what `arena replay` says of a journal with one field of every game changed.
fn replay_with(workshop: &Workshop, change: impl Fn(&mut Value)) -> (i32, String) {
    let mut text = String::new();
    for line in unsealed(&workshop.read("out/journal.jsonl")).lines() {
        let mut line: Value = serde_json::from_str(line).expect("a line of JSON");
        change(&mut line);
        text.push_str(&format!("{line}\n"));
    }
    workshop.write("changed.jsonl", &text);
    let ended = workshop.run(&["replay", "changed.jsonl"]);
    (ended.code, ended.stdout)
}

#[test]
fn a_game_that_both_bots_give_up_is_over() {
    let workshop = tournament(
        &["info depth 3 score cp -900"],
        &["info depth 3 score mate 7"],
        "games: [fanorona]\nadjudicate: {resign: {score: 800, turns: 3}}\ntranscripts: true",
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game.reason, Termination::AdjudicatedWin, "{:?}", game.detail);
        assert_eq!(
            game.result,
            if game.seats[0].bot == "one" { GameResult::P2Win } else { GameResult::P1Win }
        );
        let detail = game.detail.as_deref().expect("a detail");
        assert!(
            detail.ends_with("said -800 or worse in its last 3 own turns, and its opponent agreed"),
            "{detail}"
        );
        let transcript = workshop.read(&format!("out/transcripts/{}.txt", game.number));
        assert_eq!(transcript.matches(" adjudicated-win plies=").count(), 2, "{transcript}");
    }
    assert!(workshop.read("out/games.pgn").contains("[Termination \"adjudication\"]"));
    let told = workshop.run(&["replay", "out", "out/games.pgn"]).expect(0).stdout;
    assert!(told.contains("journal.jsonl") || told.contains("all hold"), "{told}");
    let (code, told) = replay_with(&workshop, |line| {
        if let Some(ply) = line["plies"].get_mut(5) {
            ply["info"] = json!({ "depth": 3, "cp": -10 });
        }
    });
    assert_eq!(code, 1);
    assert!(told.contains("does not end the game here"), "{told}");
    // The same configuration goes on, another one is refused.
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let refused = workshop.run(&["run", "cup.yaml", "--resign", "700x3"]).expect(2).stderr;
    assert!(refused.contains("`adjudicate` was `resign score=800 turns=3 both=true`"), "{refused}");
}

#[test]
fn without_adjudication_the_same_words_end_nothing() {
    let workshop = tournament(
        &["info depth 3 score cp -900"],
        &["info depth 3 score cp 900"],
        "games: [{game: fanorona, options: {size: 3x3}}]",
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(workshop.games("out").iter().all(|game| matches!(game.reason, Termination::Rules(_))));
}

#[test]
fn level_games_are_drawn_and_long_ones_counted() {
    let level = ["info depth 1 score cp 3"];
    let games = "games: [farook, fanorona, faust, frenzy, 2-frenzy]\nopenings: {plies: 1}";
    let workshop = tournament(&level, &level, games);
    workshop.run(&["run", "cup.yaml", "--draw", "5x2:6", "--out", "drawn"]).expect(0);
    for game in workshop.games("drawn") {
        let turn = game.plies.last().map(|ply| ply.turn);
        assert_eq!(
            (game.reason, game.result),
            (Termination::AdjudicatedDraw, GameResult::Draw),
            "{}",
            game.label
        );
        assert_eq!(turn, Some(6), "{}", game.label);
    }
    workshop.run(&["replay", "drawn"]).expect(0);
    workshop.run(&["run", "cup.yaml", "--max-plies", "8", "--out", "out"]).expect(0);
    let games = workshop.games("out");
    for game in &games {
        assert_eq!(game.reason, Termination::PlyLimit, "{}", game.label);
        // Turns are played to their end: two plies in 2-Frenzy, and one more for a choice.
        assert!((8..=11).contains(&game.plies.len()), "{}: {}", game.label, game.plies.len());
        let has_count = game.game != "farook";
        let detail = game.detail.as_deref().expect("a detail");
        assert!(detail.starts_with("the limit of 8 plies: "), "{detail}");
        assert_eq!(detail.ends_with("this game has no count"), !has_count, "{}: {detail}", game.label);
        assert!(has_count || game.result == GameResult::Draw);
    }
    assert!(games.iter().any(|game| game.result != GameResult::Draw), "somebody is ahead");
    workshop.run(&["replay", "out", "out/games.pgn"]).expect(0);
    let other = |line: &mut Value| {
        if line["result"] == json!("draw") {
            line["result"] = json!("p1win");
        }
    };
    let (code, told) = replay_with(&workshop, other);
    assert!(code == 1 && told.contains("adjudicated: draw (ply-limit)"), "{told}");
    let later = |line: &mut Value| {
        if let Some(limit) = line.pointer_mut("/config/adjudicate/plies") {
            *limit = json!(3);
        }
    };
    let (code, told) = replay_with(&workshop, later);
    assert!(code == 1 && told.contains("the game continues") && told.contains("(ply-limit)"), "{told}");
}

#[test]
fn words_that_are_not_true_are_counted_and_cost_nothing() {
    let workshop = tournament(
        &["info depth 2 score cp 1 pv {ply}", "info depth 2 score cp 1 pv {ply} z9"],
        &["info depth 2 score mate 1 pv {ply}"],
        "games: [farook]",
    );
    let shown = workshop.run(&["run", "cup.yaml"]).expect(0).stdout;
    let games = workshop.games("out");
    assert!(games.iter().all(|game| matches!(game.reason, Termination::Rules(_))), "{games:?}");
    for game in &games {
        for seat in &game.seats {
            let kinds: Vec<_> = seat.warnings.iter().map(|warning| warning.kind).collect();
            match seat.bot.as_str() {
                "one" => {
                    assert_eq!(kinds, [WarningKind::PvIllegal]);
                    let warning = &seat.warnings[0];
                    assert!(warning.count > 1 && warning.ply > 2, "{warning:?}");
                    assert!(warning.what.contains("`z9`"), "{warning:?}");
                }
                _ => assert!(kinds.contains(&WarningKind::MateLength), "{kinds:?}"),
            }
        }
    }
    for text in [shown, workshop.read("out/report.txt")] {
        assert!(text.contains("Claims contradicted by the rules") && text.contains("pv-illegal"), "{text}");
    }
    workshop.run(&["replay", "out"]).expect(0);
}

#[test]
fn a_faulty_adjudication_is_told_where_it_stands() {
    let workshop = tournament(
        &[],
        &[],
        "games: [farook]\nopenings: {plies: 4}\nadjudicate:\n  resign: {turns: 0, both: maybe}\n  draw: {score: -1, after: 2}\n  plies: 4\n  tines: 1",
    );
    let told = workshop.run(&["plan", "cup.yaml"]).expect(2).stderr;
    for words in
        ["lacks its `score`", "`turns`", "`both`", "`score`", "in an opening of 4", "unknown key `tines`"]
    {
        assert!(told.contains(words), "{words}: {told}");
    }
    let flags = ["plan", "cup.yaml", "--resign", "x", "--draw", "10", "--max-plies", "-3"];
    let told = workshop.run(&flags).expect(2).stderr;
    assert!(told.contains("--resign") && told.contains("--max-plies"), "{told}");
}
