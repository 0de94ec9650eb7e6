//! Every part of the protocol that a tournament file can ask for, seen in the transcripts of real games.

use std::path::Path;

use record::{GameRecord, Termination};

use crate::workshop::{Ended, Workshop, chaos};

fn wordy(part: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bots/wordy.py");
    format!("[python3, '{}', {part}]", script.display())
}

/// Plays a pair of games of Farook: a bot of the arena against one that uses a part of the protocol.
fn start(workshop: &Workshop, part: &str, entry: &str, settings: &str) -> Ended {
    let text = format!(
        "games: [farook]\nbots:\n  - {{name: honest, builtin: random}}\n  - {{name: wordy, cmd: {}{entry}}}\n\
         concurrency: 1\nout: out\ntranscripts: true\n{settings}",
        wordy(part)
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"])
}

/// Plays them and returns the games with the lines to and from the bot, without their times.
fn play(part: &str, entry: &str, settings: &str) -> (Workshop, Vec<(GameRecord, Vec<String>)>) {
    let workshop = Workshop::new();
    start(&workshop, part, entry, settings).expect(0);
    // Whatever was said, the record holds.
    workshop.run(&["replay", "out", "out/games.pgn"]).expect(0);
    let lines = |game: &GameRecord| {
        let mark = if game.seats[0].bot == "wordy" { " p1 " } else { " p2 " };
        let text = workshop.read(&format!("out/transcripts/{}.txt", game.number));
        text.lines().filter_map(|line| line.split_once(mark)).map(|(_, line)| line.to_owned()).collect()
    };
    let games = workshop.games("out");
    let games = games
        .into_iter()
        .map(|game| {
            let lines = lines(&game);
            (game, lines)
        })
        .collect();
    (workshop, games)
}

#[track_caller]
fn count(lines: &[String], start: &str) -> usize {
    lines.iter().filter(|line| line.starts_with(start)).count()
}

fn by_rules(game: &GameRecord) -> bool {
    matches!(game.reason, Termination::Rules(_))
}

#[test]
fn options_are_sent_as_they_are_written() {
    let options = ", options: {Hash: 64, Style: wild, Book: my book.bin, Own: false, Clear: true}";
    let (_workshop, games) = play("options", options, "tc: 60\n");
    for line in [
        "> setoption name Hash value 64",
        "> setoption name Style value wild",
        "> setoption name Book value my book.bin",
        "> setoption name Own value false",
        "> setoption name Clear",
    ] {
        assert_eq!(games[0].1.iter().filter(|sent| *sent == line).count(), 1, "{line}: {:?}", games[0].1);
    }
}

#[test]
fn an_option_that_the_bot_does_not_take_is_refused_before_the_first_game() {
    for (options, words) in [
        ("Hash: 4096", ["option `Hash` of the bot cannot be `4096`", "1 to 1024"]),
        ("Hash: big", ["option `Hash` of the bot cannot be `big`", "1 to 1024"]),
        ("hash: 16", ["the bot has no option `hash`", "did you mean `Hash`?"]),
        ("Style: mild", ["option `Style` of the bot cannot be `mild`", "calm, wild"]),
        ("Own: maybe", ["option `Own` of the bot cannot be `maybe`", "true, false"]),
    ] {
        let workshop = Workshop::new();
        let ended = start(&workshop, "options", &format!(", options: {{{options}}}"), "tc: 60\n").expect(3);
        for word in words.into_iter().chain(["bot `wordy` cannot play"]) {
            assert!(ended.stderr.contains(word), "no `{word}` in {}", ended.stderr);
        }
        assert!(workshop.read("out/journal.jsonl").is_empty());
    }
}

#[test]
fn an_illegal_ply_is_asked_for_again_while_the_clock_runs() {
    let (_workshop, games) = play("wrong", "", "tc: 60\nillegal: retry:3\n");
    for (game, lines) in &games {
        assert!(by_rules(game), "{:?}", game.detail);
        let own = game.plies.iter().filter(|ply| ply.us.is_some() && ply.ply != "pass");
        let own = own.filter(|ply| game.seats[usize::from(ply.seat - 1)].bot == "wordy").count();
        assert_eq!((count(lines, "> error illegal-move move="), count(lines, "> go ")), (own, 2 * own));
        assert!(
            lines.iter().filter(|line| line.starts_with("> error")).all(|line| line.contains(" try=1/3 : "))
        );
        // The question is put again, and the clock has not stopped in between.
        let clocks: Vec<u64> = lines
            .iter()
            .filter(|line| line.starts_with("> go "))
            .map(|line| {
                let seat = if game.seats[0].bot == "wordy" { "p1time" } else { "p2time" };
                let mut words = line.split(' ').skip_while(|word| *word != seat);
                words.nth(1).and_then(|time| time.parse().ok()).expect("a clock")
            })
            .collect();
        assert!(clocks.is_sorted_by(|before, after| before >= after) && clocks[0] == 60_000, "{clocks:?}");
    }
}

#[test]
fn plies_are_told_to_those_who_want_to_know() {
    let (_workshop, games) = play("played", "", "tc: 60\n");
    for (game, lines) in &games {
        let told: Vec<_> = lines.iter().filter_map(|line| line.strip_prefix("> played ")).collect();
        let decided: Vec<_> = game.plies.iter().skip(game.opening as usize).collect();
        assert_eq!(told.len(), decided.len(), "{lines:?}");
        for (told, ply) in told.iter().zip(decided) {
            let expected = format!("p{} {} ms=", ply.seat, ply.ply);
            assert!(told.starts_with(&expected), "{told}: {expected}");
        }
    }
}

#[test]
fn plies_beyond_the_end_of_a_turn_are_dropped_with_a_word() {
    let (_workshop, games) = play("extra", "", "tc: 60\n");
    for (game, lines) in &games {
        assert!(by_rules(game), "{:?}", game.detail);
        let dropped = count(lines, "> error extra-moves dropped=2 : ");
        // The last answer may have ended the game.
        assert!(dropped + 1 >= count(lines, "< bestmove ") && dropped > 0, "{lines:?}");
    }
}

#[test]
fn the_status_after_quit_is_no_fault() {
    let (workshop, games) = play("status", "", "tc: 60\nrestart: always\n");
    for (game, lines) in &games {
        assert!(by_rules(game), "{:?}", game.detail);
        // Each game has a process of its own: the one before was told to quit, and ended with its status.
        assert!(lines.iter().any(|line| line == "> ugi"), "{lines:?}");
    }
    assert!(workshop.read("out/report.txt").contains("No game was lost by a fault."));
}

#[test]
fn a_bot_that_can_be_stopped_is_stopped_at_the_end_of_its_time() {
    let (_workshop, games) = play("stop", "", "tc: movetime 1s\nmargin: 5s\n");
    let (game, lines) = &games[0];
    assert!(by_rules(game), "{:?}", game.detail);
    assert_eq!(count(lines, "> stop"), 1, "{lines:?}");
    let seat = game.seats.iter().find(|seat| seat.bot == "wordy").expect("it played");
    assert_eq!(seat.overruns, 1);
}

#[test]
fn bots_that_can_ponder_where_the_file_says_so() {
    let (workshop, games) = play("ponder", "", "tc: 60\nponder: true\nrounds: 3\n");
    let mut hits = 0;
    for (game, lines) in &games {
        assert!(by_rules(game), "{:?}", game.detail);
        let (asked, hit, stopped) =
            (count(lines, "> go ponder "), count(lines, "> ponderhit"), count(lines, "> stop"));
        assert_eq!(asked, hit + stopped, "{lines:?}");
        assert!(asked > 0, "{lines:?}");
        hits += hit;
        // One answer to each question: nothing else is sent while one is open.
        let mut is_open = false;
        for line in lines {
            match line.split(' ').take(2).collect::<Vec<_>>()[..] {
                [">", "go"] => assert!(!std::mem::replace(&mut is_open, true), "{lines:?}"),
                ["<", "bestmove"] => is_open = false,
                [">", "stop" | "ponderhit" | "gameover"] => {}
                [">", _] => assert!(!is_open, "{line}: {lines:?}"),
                _ => {}
            }
        }
    }
    assert!(hits > 0, "the bot never guessed a ply");
    let run = &record::read(&workshop.path("out")).expect("a journal").runs[0];
    assert_eq!(run.config.settings.ponder, settings::Ponder::Yes);
    let (_workshop, games) = play("ponder", "", "tc: 60\n");
    assert!(games.iter().all(|(_, lines)| count(lines, "> go ponder") == 0));
}

#[test]
fn processes_are_started_anew_as_the_file_says() {
    for (restart, greetings) in [("auto", [1, 0]), ("always", [1, 1]), ("never", [1, 0])] {
        let (_workshop, games) = play("plain", "", &format!("tc: 60\nrestart: {restart}\n"));
        let ugi: Vec<_> =
            games.iter().map(|(_, lines)| lines.iter().filter(|line| *line == "> ugi").count()).collect();
        assert_eq!(ugi, greetings, "{restart}");
    }
}

#[test]
fn a_bot_that_is_greeted_in_vain_is_told_which_greeting_it_answers() {
    let workshop = Workshop::new();
    let bot = |hears: &str, says: &str| {
        let script = format!(
            "import sys\nfor line in sys.stdin:\n    if line.strip() == '{hears}': print('id name X\\n{says}', flush=True)\n"
        );
        workshop.write(&format!("{hears}-{says}.py"), &script);
    };
    bot("uci", "uciok");
    bot("ugi", "uciok");
    bot("ugi", "ugiok");
    bot("x", "x");
    workshop.write(
        "cup.yaml",
        "games: [farook]\nconcurrency: 2\nbots:\n  - {name: engine, cmd: [python3, uci-uciok.py]}\n  \
         - {name: half, cmd: [python3, ugi-uciok.py]}\n  \
         - {name: native, cmd: [python3, ugi-ugiok.py], hello: uci}\n  - {name: mute, cmd: [python3, x-x.py]}\n",
    );
    let told = workshop.run(&["plan", "cup.yaml", "--try"]).expect(3).stderr;
    for (bot, fault, hint) in [
        ("engine", "did not send `ugiok` within 10s", "Add `hello: uci` to its entry"),
        ("half", "did not send `ugiok` within 10s", "Add `hello: uci` to its entry"),
        ("native", "did not send `uciok` within 10s", "Add `hello: ugi` to its entry"),
        ("mute", "did not send `ugiok` within 10s", "does what takes long before `readyok`"),
    ] {
        let (_, after) =
            told.split_once(&format!("bot `{bot}` cannot play: {fault}")).unwrap_or_else(|| panic!("{told}"));
        let own = after.split("error:").next().unwrap_or_default();
        assert!(own.contains(hint), "{bot}: {told}");
    }
}

#[test]
fn the_margin_of_the_file_is_what_is_forgiven() {
    let workshop = Workshop::new();
    let text = format!(
        "games: [farook]\nbots:\n  - {{name: honest, builtin: random}}\n  - {{name: bad, cmd: {}, tc: movetime 1s}}\n\
         tc: 60\nmargin: 200ms\nconcurrency: 1\nout: out\n",
        chaos("hang")
    );
    workshop.write("cup.yaml", &text);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let first = &workshop.games("out")[0];
    assert_eq!(first.reason, Termination::Timeout, "{:?}", first.detail);
    let detail = first.detail.as_deref().unwrap_or_default();
    assert!(detail.contains("the time for its turn") && detail.contains("200 ms"), "{detail}");
}

#[test]
fn thinking_has_a_limit_where_no_clock_does() {
    let workshop = Workshop::new();
    let script = "import sys, time\nfor line in sys.stdin:\n    word = line.split()[0]\n    \
                  if word == 'ugi': print('protocol 1\\ncan nodes\\nugiok', flush=True)\n    \
                  elif word == 'isready': print('readyok', flush=True)\n    \
                  elif word == 'go': time.sleep(3600)\n";
    workshop.write("slow.py", script);
    workshop.write(
        "cup.yaml",
        "games: [farook]\nbots: [{builtin: random}, {name: slow, cmd: [python3, slow.py]}]\ntc: nodes 10\n\
         think-limit: 1s\nout: out\n",
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    for game in workshop.games("out") {
        let detail = game.detail.as_deref().unwrap_or_default();
        assert_eq!(game.reason, Termination::Timeout, "{detail}");
        assert!(detail.contains("the limit on thinking"), "{detail}");
    }
}

#[test]
fn the_arena_decides_for_bots_that_fail_where_the_file_says_so() {
    for vice in ["impossible", "late"] {
        let workshop = Workshop::new();
        let text = format!(
            "games: [farook]\nbots:\n  - {{name: honest, builtin: random}}\n  - {{name: bad, cmd: {}}}\n\
             tc: movetime 2s\non-fail: random\nconcurrency: 1\nout: out\n",
            chaos(vice)
        );
        workshop.write("cup.yaml", &text);
        workshop.run(&["run", "cup.yaml"]).expect(0);
        let games = workshop.games("out");
        assert!(games.iter().all(by_rules), "{vice}: {games:?}");
        let marked = games.iter().flat_map(|game| &game.plies).filter(|ply| ply.fallback).count();
        assert!(marked > 0, "{vice}");
        assert_eq!(workshop.read("out/games.pgn").matches("[%fallback]").count(), marked, "{vice}");
        workshop.run(&["replay", "out", "out/games.pgn"]).expect(0);
    }
}
