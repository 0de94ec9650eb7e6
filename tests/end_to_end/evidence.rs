//! What explains the games of a run: `faults/GAME.txt` and `transcripts/GAME.txt`.

use std::fs;

use crate::workshop::{Ended, Workshop, chaos};

/// Plays an honest bot against one with a vice.
fn play(workshop: &Workshop, vice: &str, settings: &str) -> Ended {
    let text = format!(
        "games: [farook]\nbots:\n  - {{name: honest, builtin: random}}\n  - {{name: bad, cmd: {}}}\n\
         tc: 120+1\nconcurrency: 1\nopenings: {{plies: 0, repeat: true}}\nout: out\n{settings}",
        chaos(vice)
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0)
}

#[track_caller]
fn holds(text: &str, words: &[&str]) {
    for word in words {
        assert!(text.contains(word), "no `{word}` in:\n{text}");
    }
}

/// Returns the names in a folder, sorted.
fn names(workshop: &Workshop, folder: &str) -> Vec<String> {
    let entries = fs::read_dir(workshop.path(folder)).into_iter().flatten().flatten();
    let mut names: Vec<_> = entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_game_lost_by_a_fault_leaves_a_page_that_says_why() {
    let workshop = Workshop::new();
    let ended = play(&workshop, "impossible", "");
    assert_eq!(names(&workshop, "out/faults"), ["1.txt"]);
    holds(&ended.stderr, &["more in out/faults/1.txt"]);
    let page = workshop.read("out/faults/1.txt");
    holds(
        &page,
        &["game 1: `bad`: illegal-move\n", "illegal ply `", "legal ply of the position that it was sent"],
    );
    holds(&page, &["want legal", "chaos.py impossible", "The position before ply", " legal plies:"]);
    holds(
        &page,
        &[" > ugi\n", " < ugiok\n", " > go p1time ", " < bestmove ", " > error illegal-move ", "gameover"],
    );
    // The line before the answer is the question.
    let (asked, came) = page.split_once("What came after that").expect("both are shown");
    holds(
        asked.split("What the bot was asked").nth(1).expect("the question"),
        &["position startpos", " > go "],
    );
    holds(came.split("What to do").next().expect("the answer"), &["< bestmove "]);
    // The report of the run says where to look.
    holds(&workshop.read("out/report.txt"), &["faults/GAME.txt"]);
}

#[test]
fn the_page_of_a_crash_has_the_status_and_the_last_words() {
    let workshop = Workshop::new();
    play(&workshop, "escapes", "");
    let page = workshop.read("out/faults/1.txt");
    holds(
        &page,
        &["game 1: `bad`: crash", "process   exit 3", "red", "on stderr", "What came after that\n  nothing"],
    );
    assert!(!page.contains('\x1b') && !page.contains('\x07'), "{page:?}");
}

#[test]
fn a_silent_bot_is_told_to_flush() {
    let workshop = Workshop::new();
    let text = format!(
        "games: [farook]\nbots: [{{builtin: random}}, {{name: bad, cmd: {}}}]\ntc: 2+1\nconcurrency: 1\nout: out\n",
        chaos("hang")
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let page = workshop.read("out/faults/1.txt");
    holds(&page, &["game 1: `bad`: timeout", "What came after that\n  nothing", "flush the standard"]);
}

#[test]
fn a_bot_that_fails_in_every_game_does_not_fill_the_disk() {
    let workshop = Workshop::new();
    let script = "import sys\nfor line in sys.stdin:\n    word = line.split()[0]\n    \
                  answer = {'ugi': 'protocol 1\\nugiok', 'isready': 'readyok', 'go': 'bestmove !?'}.get(word)\n    \
                  if answer: print(answer, flush=True)\n";
    workshop.write("bad.py", script);
    let text =
        "games: [farook]\nbots: [{builtin: random}, {name: bad, cmd: [python3, bad.py]}]\ntc: 60\nout: out\n";
    workshop.write("cup.yaml", text);
    let first = workshop.run(&["run", "cup.yaml", "--rounds", "9"]).expect(0);
    assert_eq!(names(&workshop, "out/faults").len(), 18);
    assert!(!first.stderr.contains("not kept"), "{}", first.stderr);
    // What is there already counts when the run goes on.
    let second = workshop.run(&["run", "cup.yaml", "--rounds", "12"]).expect(0);
    assert_eq!(names(&workshop, "out/faults").len(), 20);
    holds(&second.stderr, &["further ones of this kind are not kept"]);
    assert_eq!(workshop.games("out").len(), 24);
}

#[test]
fn a_run_without_faults_leaves_no_pages_and_without_a_wish_no_transcripts() {
    let workshop = Workshop::new();
    workshop.write(
        "cup.yaml",
        "games: [farook]\nbots: [{builtin: random}, {builtin: greedy}]\ntc: 60\nout: out\n",
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(!workshop.path("out/faults").exists() && !workshop.path("out/transcripts").exists());
    assert!(!workshop.read("out/report.txt").contains("faults/GAME.txt"));
}

#[test]
fn transcripts_hold_every_line_of_both_bots() {
    let workshop = Workshop::new();
    workshop.write(
        "cup.yaml",
        "games: [farook]\nbots: [{builtin: random}, {builtin: greedy}]\ntc: 60\nout: out\ntranscripts: true\n",
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert_eq!(names(&workshop, "out/transcripts"), ["1.txt", "2.txt"]);
    for game in workshop.games("out") {
        let text = workshop.read(&format!("out/transcripts/{}.txt", game.number));
        holds(text.lines().next().expect("a heading"), &[&format!("# game {}: farook", game.number)]);
        for (seat, sign) in
            [("p1", "> go p1time "), ("p2", "> go p1time "), ("p1", "< bestmove "), ("p2", "< bestmove ")]
        {
            assert!(
                text.lines().any(|line| line.contains(&format!(" {seat} {sign}"))),
                "{seat} {sign}:\n{text}"
            );
        }
        let answers = text.lines().filter(|line| line.contains(" < bestmove ")).count();
        assert_eq!(answers, game.plies.iter().filter(|ply| ply.us.is_some()).count(), "{text}");
    }
}

#[test]
fn a_match_keeps_transcripts_only_where_it_keeps_anything() {
    let workshop = Workshop::new();
    let words = ["match", "random", "greedy", "--game", "farook", "--transcripts"];
    let refused = workshop.run(&words).expect(2);
    holds(&refused.stderr, &["--out"]);
    workshop.run(&[&words[..], &["--out", "out"]].concat()).expect(0);
    assert_eq!(names(&workshop, "out/transcripts"), ["1.txt", "2.txt"]);
}

#[test]
fn an_author_sees_the_own_games_and_faults_and_no_others() {
    let workshop = Workshop::new();
    // A vice shows once in a directory: each bot has its own.
    let bot = |vice: &str| {
        fs::create_dir(workshop.path(vice)).expect("the folder takes a directory");
        format!("  - {{name: {vice}, dir: {vice}, cmd: {}}}\n", chaos(vice))
    };
    let bots = ["garbage", "kill"].map(bot);
    let text =
        format!("games: [farook]\nbots:\n  - {{builtin: random}}\n{}rounds: 2\nout: out\n", bots.concat());
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    workshop.run(&["report", "out", "--bot", "garbage"]).expect(0);
    // Once more: what was there is replaced.
    let told = workshop.run(&["report", "out", "--bot", "garbage"]).expect(0).stderr;
    holds(&told, &["written to out/authors/garbage: 8 games, "]);
    assert_eq!(names(&workshop, "out/authors/garbage"), ["faults", "games.csv", "games.pgn", "index.html"]);
    assert_eq!(workshop.read("out/authors/garbage/games.pgn").matches("[Event ").count(), 8);
    let own = names(&workshop, "out/authors/garbage/faults");
    let all = names(&workshop, "out/faults");
    assert!(!own.is_empty() && own.len() < all.len(), "{own:?} of {all:?}");
    for name in own {
        holds(&workshop.read(&format!("out/authors/garbage/faults/{name}")), &["`garbage`: bad-move"]);
    }
    let refused = workshop.run(&["report", "out", "--bot", "garbag"]).expect(2).stderr;
    holds(&refused, &["the run has no bot `garbag`", "did you mean `garbage`?"]);
    let none = workshop.run(&["report", "out", "--bot", "random"]).expect(0).stderr;
    holds(&none, &["8 games, 0 faults, 0 pages"]);
    let page = workshop.read("out/authors/garbage/index.html");
    holds(&page, &["Games lost by faults", "`garbage`: bad-move", "arena repro", "data:image/svg+xml"]);
    assert!(!page.contains("<script") && page.contains("script-src &#39;none&#39;"));
    let all = workshop.run(&["report", "out", "--authors"]).expect(0).stderr;
    holds(&all, &["written to out/authors: 3 pages, "]);
    holds(
        &workshop.read("out/authors/index.html"),
        &["href=\"garbage/index.html\"", "href=\"random/index.html\"", "0 faults"],
    );
}

#[test]
fn an_answer_that_was_taken_for_log_output_is_told_on_the_terminal_and_on_the_page() {
    let workshop = Workshop::new();
    workshop.write(
        "mine.sh",
        "while read -r word rest; do\n  case $word in\n    ugi) printf 'protocol 1\\nwant legal\\nugiok\\n';;\n    \
         isready) echo readyok;;\n    legal) legal=$rest;;\n    go) echo \"BestMove ${legal%% *}\";;\n    \
         quit) exit;;\n  esac\ndone\n",
    );
    let text = "games: [farook]\nbots:\n  - {name: honest, builtin: random}\n  - {name: bad, cmd: [sh, mine.sh]}\n\
                tc: movetime 1s\nopenings: {plies: 0, repeat: true}\nout: out\n";
    workshop.write("cup.yaml", text);
    let ended = workshop.run(&["run", "cup.yaml"]).expect(0);
    // In one of the games it has the first ply, on an empty board.
    holds(&ended.stderr, &["hint: `BestMove a1` was taken for log output", "such as `bestmove a1`"]);
    let page = workshop.read("out/faults/1.txt").split_whitespace().collect::<Vec<_>>().join(" ");
    holds(&page, &["< BestMove a", "What to do `BestMove a", "was taken for log output"]);
}
