//! Tables of more than two seats: schedules, faults, resuming, shards, replays.

use record::{GameRecord, GameResult, Termination};
use rules::Seat;
use serde_json::Value;

use crate::resume::{kill_in_the_middle, timeless};
use crate::watching::picture;
use crate::workshop::{Ended, Workshop, chaos, wait_until};

/// Six bots at tables of four. Limited by nodes, they play the same games whatever happens to the arena.
const CUP: &str = "\
name: tables
games: [{game: 2-frenzy, options: {players: 4}, openings: {plies: 2}}]
bots:
  - {name: a, builtin: random}
  - {name: b, builtin: random}
  - {name: c, builtin: random}
  - {name: d, builtin: greedy}
  - {name: e, builtin: greedy}
  - {name: f, builtin: greedy}
rounds: 2
tc: nodes 50
seed: 3
out: cup
";

/// Returns the places of a game.
fn places(game: &GameRecord) -> rules::Places {
    match game.result {
        GameResult::Places(places) => places,
        other => panic!("game {}: {other}", game.number),
    }
}

#[test]
fn a_run_that_is_killed_and_one_in_shards_are_the_run_of_one_arena() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("cup");
    // Two rounds of 15 pairs of bots, six of which sit at a table: five blocks of four games.
    assert_eq!(games.len(), 20);
    for block in games.chunks(4) {
        assert!(block.iter().all(|game| game.pair == block[0].pair));
        for bot in &block[0].seats {
            let sat = |seat: Seat| block.iter().filter(|game| game.seats[seat].bot == bot.bot).count();
            assert_eq!(Seat::all(4).map(sat).collect::<Vec<_>>(), [1; 4], "{} sits everywhere once", bot.bot);
        }
    }
    let plan = workshop.run(&["plan", "cup.yaml", "--pairs", "--out", "nowhere"]).expect(0).stdout;
    assert!(plan.contains("5 blocks of 4 games; any two bots sit together in 1 to 3 of them"), "{plan}");
    workshop.run(&["replay", "cup", "cup/games.pgn"]).expect(0);
    let verified = workshop.run(&["verify", "cup", "--sample", "4"]).expect(0);
    assert!(verified.stdout.contains("4 the same, 0 different"), "{}", verified.stdout);

    let words = ["run", "cup.yaml", "--out", "killed"];
    kill_in_the_middle(&workshop, &words, "killed", 3, 20);
    workshop.run(&words).expect(0);
    assert_eq!(timeless(&workshop.games("killed")), timeless(&games));

    for shard in ["1/2", "2/2"] {
        workshop.run(&["run", "cup.yaml", "--shard", shard]).expect(0);
    }
    workshop.run(&["merge", "cup.shard-0-of-2", "cup.shard-1-of-2", "-o", "merged"]).expect(0);
    assert_eq!(timeless(&workshop.games("merged")), timeless(&games));
}

#[test]
fn a_bot_that_crashes_goes_out_and_the_others_play_on() {
    let workshop = Workshop::new();
    let text = format!(
        "games: [{{game: 2-frenzy, options: {{players: 4}}, openings: {{plies: 0}}}}]\nbots:\n  - {{name: bad, cmd: {}}}\n  \
         - {{name: greedy, builtin: greedy}}\n  - {{name: one, builtin: random}}\n  - {{name: two, builtin: random}}\n\
         tc: 120+1\nconcurrency: 1\nout: out\n",
        chaos("crash")
    );
    workshop.write("cup.yaml", &text);
    let ended = workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 4, "{}", ended.stderr);
    let first = &games[0];
    let out = first.seats[Seat::P1].out.as_ref().expect("the bot has crashed");
    assert_eq!(out.reason, Termination::Crash);
    assert_eq!((first.fault(), places(first).of_seat(Seat::P1)), (Some(Seat::P1), Some(4)));
    assert!(first.plies.len() > out.ply as usize, "the others play on");
    assert!(games.iter().all(|game| matches!(game.reason, Termination::Rules(_))), "{games:?}");
    assert!(workshop.path("out/faults/1-p1.txt").is_file());
    // The name of a page says whose lines are sent again.
    let second = &first.seats[Seat::P2].bot;
    for (page, words) in
        [("1-p1", "p1 `bad` against `"), ("1-p2", &format!("p2 `{second}` against `bad`, `"))]
    {
        let page = format!("out/faults/{page}.txt");
        let again = workshop.run(&["repro", &page, "--config", "cup.yaml"]);
        assert!(again.stdout.contains(words), "{page}: {}{}", again.stdout, again.stderr);
    }
    workshop.run(&["report", "out", "--bot", "bad"]).expect(0);
    let page = workshop.read("out/authors/bad/index.html");
    for words in ["place 4 of 4", "<td>p3</td>", "`bad`: crash"] {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(workshop.path("out/authors/bad/faults/1-p1.txt").is_file());
    let page = workshop.read("out/report.html");
    assert!(page.contains("<td>p1</td><td>4 of 4</td><td>crash</td>"), "{page}");
    workshop.run(&["replay", "out", "out/games.pgn"]).expect(0);
    let safe = workshop.run(&["report", "out", "--pgn", "safe"]).expect(0);
    assert_eq!(safe.stdout, "");
    assert!(safe.stderr.contains("4 games of more than two players left out"), "{}", safe.stderr);
}

#[test]
fn who_watches_a_table_sees_who_is_out_and_why() {
    let workshop = Workshop::new();
    workshop.write(
        "waiting.py",
        "import os, sys, time\nis_out = False\nfor line in sys.stdin:\n    word, *rest = line.split() or ['']\n    \
         if word == 'ugi': print('protocol 1\\nplays *\\nwant legal\\nugiok')\n    \
         elif word == 'isready': print('readyok')\n    elif word == 'legal': legal = rest\n    \
         elif word == 'out': is_out = True\n    \
         elif word == 'go':\n        while is_out and not os.path.exists('seen'): time.sleep(0.02)\n        \
         print('bestmove', legal[0])\n    elif word == 'quit': break\n    sys.stdout.flush()\n",
    );
    let text = format!(
        "games: [{{game: 2-frenzy, options: {{players: 3}}, openings: {{plies: 0}}}}]\nbots:\n  - {{name: bad, cmd: {}}}\n  \
         - {{name: one, cmd: [python3, waiting.py], sandbox: none}}\n  - {{name: two, builtin: random}}\n\
         tc: 120+1\nconcurrency: 1\nout: out\n",
        chaos("crash")
    );
    workshop.write("cup.yaml", &text);
    let run = workshop.start(&["run", "cup.yaml"]);
    let mut game = Value::Null;
    let is_out = || {
        game = picture(&workshop, "out/live.json")["games"][0].clone();
        game["out"].is_array()
    };
    assert!(wait_until(is_out), "{game}");
    let bots = game["bots"].as_array().expect("bots");
    let bad = bots.iter().position(|bot| bot["name"] == "bad").expect("it plays");
    for (seat, exit) in game["out"].as_array().expect("a list").iter().enumerate() {
        let reason = if seat == bad { "crash".into() } else { Value::Null };
        assert_eq!(&exit["reason"], &reason, "{game}");
    }
    let watch = workshop.start(&["report", "out", "--watch", "--to", "public"]);
    let mut seen = Value::Null;
    let is_told = || {
        seen = picture(&workshop, "public/picture.json")["picture"]["games"][0].clone();
        seen["search"][bad].as_str().is_some_and(|words| words.starts_with("out: crash \u{b7} "))
    };
    assert!(wait_until(is_told), "{seen}");
    // Its fish are neutral, and the board is there.
    assert!(seen["view"]["letters"].as_str().is_some_and(|letters| letters.contains('n')), "{seen}");
    workshop.write("seen", "");
    Ended::new(run.wait_with_output().expect("it ends")).expect(0);
    Ended::new(watch.wait_with_output().expect("it ends")).expect(0);
}

#[test]
fn false_claims_are_told_from_every_seat() {
    let workshop = Workshop::new();
    workshop.write(
        "liar.py",
        "import sys\nfor line in sys.stdin:\n    word, *rest = line.split() or ['']\n    \
         if word == 'ugi': print('protocol 1\\nplays *\\nwant legal\\nugiok')\n    \
         elif word == 'isready': print('readyok')\n    elif word == 'legal': legal = rest\n    \
         elif word == 'go': print('info depth 1 pv z9\\nbestmove', legal[0])\n    elif word == 'quit': break\n    \
         sys.stdout.flush()\n",
    );
    workshop.write(
        "cup.yaml",
        "games: [{game: 2-frenzy, options: {players: 3}, openings: {plies: 0}}]\nbots:\n  \
         - {name: liar, cmd: [python3, liar.py]}\n  - {name: one, builtin: random}\n  - {name: two, builtin: random}\n\
         tc: 60+1\nout: out\n",
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    let told = games.iter().flat_map(|game| &game.seats).flat_map(|seat| &seat.warnings);
    let count: u32 = told.map(|warning| warning.count).sum();
    assert_eq!(games.len(), 3);
    let report = workshop.read("out/report.txt");
    let line =
        report.lines().find(|line| line.starts_with("liar") && line.contains("illegal")).expect("a row");
    let numbers: Vec<u32> = line.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    assert_eq!(numbers[..2], [count, 3], "{report}");
}

#[test]
fn nobody_sits_down_at_a_table_that_it_does_not_know() {
    let workshop = Workshop::new();
    workshop.write(
        "bot.py",
        "import sys\nfor line in sys.stdin:\n    word = line.split()[0]\n    \
         if word == 'ugi': print('protocol 1\\nplays 2-frenzy\\nwant legal\\nugiok', flush=True)\n    \
         if word == 'isready': print('readyok', flush=True)\n    if word == 'quit': break\n",
    );
    let bot = "python3 bot.py";
    let words = ["match", bot, "random", "random", "--game", "2-frenzy:players=3", "--sandbox", "none"];
    let ended = workshop.run(&words);
    assert!(ended.stderr.contains("does not play 2-frenzy players=3; it plays 2-frenzy"), "{}", ended.stderr);
    let words = ["match", "random", "greedy", "random", "--game", "2-frenzy players=3", "--tc", "nodes 20"];
    workshop.run(&words).expect(0);
}

/// The same bots at tables of three: two tables a round.
fn results_decide(format: &str) -> String {
    CUP.replace("players: 4", "players: 3").replace("rounds: 2\n", "rounds: 3\n")
        + &format!("format: {format}\n")
}

#[test]
fn a_swiss_at_tables_seats_like_scores_and_a_kill_changes_nothing() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &results_decide("swiss"));
    let plan = workshop.run(&["plan", "cup.yaml", "--pairs"]).expect(0).stdout;
    assert!(plan.contains("swiss, 3 rounds, 0 games recorded, at most 18 games to be played"), "{plan}");
    assert!(plan.contains("results decide what follows"), "{plan}");
    let whole = workshop.run(&["run", "cup.yaml", "--concurrency", "1"]).expect(0);
    assert!(whole.stdout.contains("Swiss table after 3 of 3 rounds"), "{}", whole.stdout);
    assert!(whole.stdout.contains("a point for every opponent that it beats"), "{}", whole.stdout);
    let games = workshop.games("cup");
    assert_eq!(games.len(), 3 * 2 * 3);
    for round in games.chunks(6) {
        let bots: std::collections::BTreeSet<_> = [&round[0], &round[3]]
            .into_iter()
            .flat_map(|game| game.seats.iter().map(|seat| &seat.bot))
            .collect();
        assert_eq!(bots.len(), 6, "everybody sits at one of two tables");
    }
    let words = ["run", "cup.yaml", "--out", "killed"];
    kill_in_the_middle(&workshop, &words, "killed", 8, 18);
    let again = workshop.run(&words).expect(0);
    assert_eq!(timeless(&workshop.games("killed")), timeless(&games));
    let table = |text: &str| text.split("\nRatings\n").next().map(str::to_owned);
    assert_eq!(table(&again.stdout), table(&whole.stdout));
    // Seven bots: one stands out in every round.
    let with_one = ["run", "cup.yaml", "--out", "seven", "--bots"];
    let seven = CUP.replace("  - {name: f", "  - {name: g, builtin: random}\n  - {name: f");
    workshop.write(
        "cup.yaml",
        &seven.replace("players: 4", "players: 3").replace("seed: 3\n", "seed: 3\nformat: swiss\n"),
    );
    let run = workshop.run(&[&with_one[..], &["a,b,c,d,e,f,g"]].concat()).expect(0);
    assert!(run.stdout.contains("A bye is worth 3 points"), "{}", run.stdout);
}

#[test]
fn a_ladder_at_tables_seats_neighbours_and_goes_on_after_a_kill() {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", &results_decide("ladder"));
    let whole = workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(whole.stdout.contains("Ladder after round 3"), "{}", whole.stdout);
    let games = workshop.games("cup");
    // Two tables, then one in the middle, then two.
    assert_eq!(
        games.iter().map(|game| game.round).collect::<Vec<_>>(),
        [[1; 6].to_vec(), [2; 3].to_vec(), [3; 6].to_vec()].concat()
    );
    let words = ["run", "cup.yaml", "--out", "killed"];
    kill_in_the_middle(&workshop, &words, "killed", 4, 15);
    workshop.run(&words).expect(0);
    assert_eq!(timeless(&workshop.games("killed")), timeless(&games));
}

#[test]
fn what_is_for_two_is_refused_with_what_to_use() {
    let workshop = Workshop::new();
    for (more, message) in [
        (
            "format: knockout",
            "a `knockout` is between two bots at a time, and 2-frenzy players=4 has 4 seats",
        ),
        ("format: list\nmatches: [[a, b]]", "a match is between 4 bots, not 2"),
        ("schedule: rank", "a `schedule` chooses meetings of two bots"),
        ("adjudicate: {resign: {score: 500, turns: 3}}", "what bots say ends games of two only"),
    ] {
        workshop.write("cup.yaml", &format!("{CUP}{more}\n"));
        let ended = workshop.run(&["plan", "cup.yaml"]).expect(2);
        assert!(ended.stderr.contains(message), "{more}: {}", ended.stderr);
    }
    let sizes = |format: &str, games: &str| {
        let bots = "bots:\n  - {name: new, builtin: greedy}\n  - {name: base, builtin: random}\n";
        workshop.write(
            "sizes.yaml",
            &format!("format: {format}\ngames: {games}\n{bots}tc: nodes 50\nout: out\n"),
        );
        workshop.run(&["plan", "sizes.yaml"]).expect(2).stderr
    };
    let [three, four] = [3, 4].map(|seats| format!("{{game: 2-frenzy, options: {{players: {seats}}}}}"));
    let told = sizes("sprt", &format!("[farook, {three}]"));
    assert!(told.contains("a `sprt` needs tables of one size, and its games have 2 and 3"), "{told}");
    let told = sizes("swiss", &format!("[{three}, {four}]"));
    assert!(told.contains("a `swiss` needs tables of one size, and its games have 3 and 4"), "{told}");
    workshop.write("cup.yaml", &CUP.replace("tc: nodes 50", "tc: hourglass 10s"));
    let told = workshop.run(&["plan", "cup.yaml"]).expect(2).stderr;
    assert!(told.contains("an hourglass has two sides"), "{told}");
}
