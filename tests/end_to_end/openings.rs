//! Files of openings: from the tournament file to the bots, the records and back.

use crate::workshop::{Ended, Workshop, wait_until};

/// A position of Fanorona on 5x5 after one ply, in which `p2` decides.
const POSITION: &str = "bb1bb/bb1bb/bwwbw/ww1ww/wwwww p2 quiet=0";

const CUP: &str = "games: [{game: fanorona, options: {size: 5x5}}]\n\
    bots: [{name: one, builtin: greedy}, {name: two, builtin: random}]\n\
    tc: nodes 100\ntranscripts: true\nout: out\n";

fn workshop(openings: &str, rounds: u32) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &format!("{CUP}rounds: {rounds}\nopenings: {openings}\n"));
    workshop
}

#[test]
fn games_begin_from_the_positions_of_a_file_everywhere() {
    let workshop = workshop("{file: book.txt}", 3);
    let book = format!("# game: fanorona size=5x5\nfen {POSITION} moves d4c5-\nc2c3+ # as above\n\nb2c3+\n");
    workshop.write("book.txt", &book);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 6);
    for game in &games {
        let opening: Vec<_> =
            game.plies[..game.opening as usize].iter().map(|ply| (ply.ply.as_str(), ply.seat)).collect();
        let expected = match game.round {
            1 => (Some(POSITION), vec![("d4c5-", 2)]),
            2 => (None, vec![("c2c3+", 1)]),
            _ => (None, vec![("b2c3+", 1)]),
        };
        assert_eq!((game.start.as_deref(), opening), expected);
    }
    let told = workshop.read("out/transcripts/1.txt");
    assert!(told.contains(&format!(" > position fen {POSITION} moves d4c5-\n")), "{told}");
    let log = workshop.read("out/games.pgn");
    assert_eq!(log.matches(&format!("[StartPosition \"{POSITION}\"]")).count(), 2, "{log}");
    for source in ["out", "out/games.pgn"] {
        workshop.run(&["replay", source]).expect(0);
    }
    let verified = workshop.run(&["verify", "out"]).expect(0);
    assert!(
        verified.stdout.contains("6 of 6 reproducible games played again: 6 the same"),
        "{}",
        verified.stdout
    );
    workshop.run(&["repro", "out", "1", "--seat", "p1"]).expect(0);

    // The same openings elsewhere are the same run; other ones are not.
    std::fs::rename(workshop.path("book.txt"), workshop.path("moved.txt")).unwrap();
    let moved = workshop.read("cup.yaml").replace("book.txt", "moved.txt");
    workshop.write("cup.yaml", &moved);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    workshop.write("moved.txt", &book.replace("b2c3+", "b3c3-"));
    let refused = workshop.run(&["run", "cup.yaml"]).expect(2);
    assert!(refused.stderr.contains("the openings of fanorona size=5x5 was `file "), "{}", refused.stderr);
    assert_eq!(workshop.games("out").len(), 6);
}

#[test]
fn more_rounds_than_openings_are_refused_or_played_again() {
    let workshop = workshop("{plies: 0}", 2);
    let refused = workshop.run(&["run", "cup.yaml"]).expect(2);
    assert!(refused.stderr.contains("has only 1 different opening: 0 plies"), "{}", refused.stderr);
    assert!(refused.stderr.contains("`repeat: true`"), "{}", refused.stderr);
    let text = workshop.read("cup.yaml").replace("plies: 0", "plies: 0, repeat: true");
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(workshop.games("out").iter().all(|game| game.opening == 0));
}

#[test]
fn whoever_waits_for_openings_to_be_counted_is_told() {
    let counting = |openings: &str, rounds| {
        let planned = workshop(openings, rounds).run(&["plan", "cup.yaml"]);
        planned.stderr.contains(&format!("counting openings for {rounds} rounds\n"))
    };
    assert!(counting("{plies: 0}", 20_000) && !counting("{plies: 0}", 19_999));
    assert!(!counting("{plies: 0, repeat: true}", 20_000), "one opening is enough");
}

#[test]
fn a_book_is_played_and_recorded() {
    let workshop = Workshop::new();
    let text = CUP.replace("{game: fanorona, options: {size: 5x5}}", "farook, sophia");
    workshop.write("cup.yaml", &format!("{text}rounds: 2\nopenings: {{book: standard, order: shuffled}}\n"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(workshop.games("out").iter().all(|game| game.opening > 0));
    let journal = workshop.read("out/journal.jsonl");
    assert!(journal.contains(r#""openings":{"book":"standard","digest":""#), "{journal}");
    workshop.run(&["replay", "out"]).expect(0);
    // Other options make another game.
    let other = text.replace("farook", "{game: fanorona, options: {size: 5x5}}");
    workshop.write("other.yaml", &format!("{other}openings: {{book: standard}}\n"));
    let refused = workshop.run(&["plan", "other.yaml"]).expect(2);
    assert!(
        refused.stderr.contains("there is no book `standard` of fanorona size=5x5"),
        "{}",
        refused.stderr
    );
    assert!(refused.stderr.contains("arena openings fanorona:size=5x5"), "{}", refused.stderr);
}

#[test]
fn a_file_of_balanced_openings_is_written_and_played() {
    let workshop = workshop("{file: book.txt, count: 5}", 5);
    let words =
        ["openings", "fanorona", "--opt", "size=5x5", "--plies", "3", "--count", "8", "-o", "book.txt"];
    let judge = ["--balance", "alphabeta", "--depth", "2", "--max-score", "150"];
    workshop.run(&[&words[..], &judge].concat()).expect(0);
    let book = workshop.read("book.txt");
    let value = |key: &str| {
        let line = book.lines().find_map(|line| line.strip_prefix(&format!("# {key}: ")));
        line.unwrap_or_else(|| panic!("no {key} in:\n{book}")).to_owned()
    };
    assert_eq!(
        (value("game"), value("length"), value("limits")),
        ("fanorona size=5x5".to_owned(), "3 plies".to_owned(), "depth 2".to_owned())
    );
    assert!(value("balanced-by").ends_with(" alphabeta"));
    let lines: Vec<_> = book.lines().filter(|line| !line.starts_with('#')).collect();
    let scores: Vec<i32> =
        lines.iter().map(|line| line.split_once('#').unwrap().1.trim().parse().unwrap()).collect();
    assert_eq!(lines.len(), 8);
    assert!(scores.iter().all(|score| score.abs() <= 150), "{scores:?}");
    let mean = f64::from(scores.iter().sum::<i32>()) / 8.0;
    assert_eq!(value("mean"), format!("{mean:+.1}"));
    // The same words write the same file.
    workshop.run(&[&words[..9], &["again.txt"], &judge].concat()).expect(0);
    assert_eq!(book, workshop.read("again.txt"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert_eq!(workshop.games("out").len(), 10);
}

#[test]
fn openings_that_cannot_be_had_are_told() {
    let workshop = Workshop::new();
    let check = |words: &[&str], code: i32, expected: &str| {
        let ended = workshop.run(&[&["openings"], words].concat()).expect(code);
        assert!(ended.stderr.contains(expected), "{expected}: {}", ended.stderr);
        ended.stdout
    };
    let few = ["fanorona", "--opt", "size=3x3", "--turns", "1", "--count", "9"];
    let told =
        check(&few, 1, "there are no more: fanorona size=3x3 has 4 different openings of 1 turn, not 9");
    assert!(told.contains("# openings: 4\n"), "{told}");
    check(&["farok", "--count", "1"], 2, "did you mean `farook`?");
    let judge = ["farook", "--count", "1", "--max-score", "9", "--balance"];
    check(&[&judge[..], &["alphabeta"]].concat(), 2, "`--balance` needs to know how far to search");
    check(&[&judge[..], &["random", "--depth", "1"]].concat(), 2, "`");
    workshop.write("mute.py", "import sys\nsys.exit('I do not start')\n");
    check(&[&judge[..], &["python3 mute.py", "--depth", "1"]].concat(), 2, "I do not start");
    check(&[&judge[..], &["./nowhere", "--depth", "1"]].concat(), 2, "nowhere");
}

#[test]
fn an_interrupt_ends_the_search_and_the_bot_that_hangs() {
    let workshop = Workshop::new();
    let bot = "import sys\nfor line in sys.stdin:\n    if line.strip() == 'ugi':\n        print('protocol 1\\nugiok', flush=True)\n    \
               if line.strip() == 'isready':\n        print('readyok', flush=True)\n    if line.startswith('go'):\n        \
               open('asked', 'w').close()\n";
    workshop.write("hang.py", bot);
    let judge = [
        "--balance",
        "python3 hang.py",
        "--nodes",
        "9",
        "--max-score",
        "9",
        "-o",
        "book.txt",
        "--sandbox",
        "none",
    ];
    let child = workshop.start(&[&["openings", "farook", "--count", "3"], &judge[..]].concat());
    assert!(wait_until(|| workshop.path("asked").exists()), "the bot is asked");
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("the process can be signalled");
    let ended = Ended::new(child.wait_with_output().expect("it ends")).expect(130);
    assert!(ended.stderr.contains("interrupted: 0 of 3 openings were found"), "{}", ended.stderr);
    assert!(workshop.read("book.txt").contains("# openings: 0\n"));
}
