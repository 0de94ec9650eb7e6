//! `arena match`.

use record::Termination;

use crate::workshop::{Ended, Workshop, chaos_script, executable};

#[test]
fn a_match_needs_no_file_and_leaves_none() {
    let workshop = Workshop::new();
    let words = ["match", "alphabeta", "random", "--game", "fanorona:size=3x3", "--tc", "nodes 100"];
    let ended = workshop.run(&words).expect(0);
    assert!(
        ended.stdout.contains("alphabeta") && ended.stdout.contains("fanorona size=3x3"),
        "{}",
        ended.stdout
    );
    assert_eq!(std::fs::read_dir(workshop.path("")).expect("the folder").count(), 0);
}

#[test]
fn each_bot_has_options_and_openings_are_those_of_a_file() {
    let workshop = Workshop::new();
    let words = ["match", "alphabeta", "alphabeta", "--game", "farook", "--tc", "depth 1", "--out", "out"];
    let options = ["--option1", "Hash=16", "--option2", "Hash=2", "--openings", "plies=3"];
    workshop.run(&[&words[..], &options].concat()).expect(0);
    let journal = workshop.read("out/journal.jsonl");
    assert!(journal.contains(r#""Hash":"16""#) && journal.contains(r#""Hash":"2""#), "{journal}");
    for game in workshop.games("out") {
        assert_eq!(game.opening, 3);
    }
    let refused = |flags: &[&str]| workshop.run(&[&words[..7], flags].concat()).expect(2).stderr;
    assert!(refused(&["--openings", "plys=3"]).contains("did you mean `plies`?"));
    assert!(refused(&["--openings", "plies=3", "--plies", "2"]).contains("cannot be used with"));
}

#[test]
fn options_of_a_game_are_written_in_any_known_way() {
    let workshop = Workshop::new();
    let label = |game: &[&str]| {
        let words = [
            &["match", "random", "random", "--tc", "nodes 1", "--rounds", "1", "--out", "out", "--game"],
            game,
        ]
        .concat();
        workshop.run(&words).expect(0);
        let label = workshop.games("out")[0].label.clone();
        std::fs::remove_dir_all(workshop.path("out")).expect("it was written");
        label
    };
    let expected = label(&["fanorona:size=3x3,quiet-cap=9"]);
    assert_eq!(expected, "fanorona size=3x3 quiet-cap=9");
    for other in [
        &["fanorona:size=3x3+quiet-cap=9"][..],
        &["fanorona quiet-cap=9 size=3x3"],
        &["fanorona", "--opt", "size=3x3", "--opt", "quiet-cap=9"],
    ] {
        assert_eq!(label(other), expected);
    }
}

#[test]
fn a_trace_shows_every_line_with_its_instant() {
    let workshop = Workshop::new();
    let script = chaos_script();
    let command = format!("python3 '{}' honest", script.display());
    let words = [
        "match",
        "random",
        &command,
        "--game",
        "faust",
        "--opt",
        "size=2",
        "--trace",
        "--out",
        "out",
        "--sandbox",
        "none",
    ];
    let ended = workshop.run(&words).expect(0);
    for line in
        ["> ugi", "< ugiok", "> game faust size=2", "> uginewgame", "< readyok", "> go p1time", "> gameover"]
    {
        assert!(ended.stderr.contains(line), "{line}: {}", ended.stderr);
    }
    let games = workshop.games("out");
    assert_eq!(games.len(), 2);
    for game in &games {
        assert!(matches!(game.reason, Termination::Rules(_)));
        let asked = game.plies.iter().filter(|ply| ply.us.is_some()).count();
        let answers = ended
            .stderr
            .lines()
            .filter(|line| line.contains(&format!("game {} ", game.number)) && line.contains("< bestmove"))
            .count();
        assert_eq!(answers, asked);
    }
}

#[test]
fn namesakes_are_told_apart() {
    let workshop = Workshop::new();
    let words = ["match", "greedy", "greedy", "--game", "sophia", "--rounds", "2", "--out", "out"];
    workshop.run(&words).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 4);
    assert_eq!((games[0].seats[0].bot.as_str(), games[0].seats[1].bot.as_str()), ("greedy-1", "greedy-2"));
}

#[test]
fn wrong_words_are_named() {
    let workshop = Workshop::new();
    for (words, hint) in [
        (&["match", "random", "greedy", "--game", "chess"][..], "unknown game `chess`"),
        (&["match", "random", "greedy", "--game", "fanorna"], "did you mean `fanorona`?"),
        (&["match", "random", "greedy", "--game", "faust", "--opt", "size=1"], "2 to 19"),
        (&["match", "random", "greedy", "--game", "faust", "--tc", "fast"], "--tc"),
        (&["match", "random", "./nobody", "--game", "faust"], "nobody"),
        (&["match", "random", "--game", "faust"], "BOT"),
        (&["run", "no-such-file.yaml"], "no-such-file.yaml"),
        (&["run", "."], "is a directory"),
        (&["bot", "stockfish"], "alphabeta"),
    ] {
        let ended = workshop.run(words).expect(2);
        assert!(ended.stderr.contains(hint), "{words:?}: {}", ended.stderr);
    }
    let ended = workshop.run(&["report", "nowhere"]).expect(4);
    assert!(ended.stderr.contains("nowhere") && ended.stderr.contains("journal.jsonl"), "{}", ended.stderr);
}

#[test]
fn many_games_at_once_have_room_for_their_pipes() {
    let workshop = Workshop::new();
    let script = "ulimit -Sn 64; exec \"$0\" match random random --game farook --tc 60 --rounds 12 \
                  --concurrency 12 --out out";
    let mut command = workshop.command("sh", &["-c", script, executable()]);
    Ended::new(command.output().expect("a shell")).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 24);
    assert!(games.iter().all(|game| matches!(game.reason, Termination::Rules(_))), "{games:?}");
}
