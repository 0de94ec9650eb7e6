//! What is told of the machine: `arena doctor`, and what it gave each bot.

use std::fs;

use serde_json::Value;

use crate::workshop::{Ended, Workshop};

#[test]
fn the_machine_is_measured_and_judged() {
    let workshop = Workshop::new();
    let ended = workshop.run(&["doctor", "--concurrency", "2", "--json"]);
    let told: Value = serde_json::from_str(&ended.stdout).expect("one object");
    // Whether a machine that compiles other things is fit is not for a test to say, but the code goes with the word.
    assert_eq!(ended.code, i32::from(told["fit"] != Value::Bool(true)), "{}{}", ended.stdout, ended.stderr);
    assert_eq!(told["fit"], Value::Bool(told["advice"]["unfit"].as_array().expect("a list").is_empty()));
    assert_eq!(told["games"], 2);
    for what in ["timers", "round_trips"] {
        let figure = |name: &str| told[what][name].as_f64().expect("a figure");
        assert!(figure("measured") >= 2.0, "{told}");
        assert!(figure("median_ms") <= figure("p99_ms") && figure("p99_ms") <= figure("max_ms"), "{told}");
    }
    for what in ["bare_start", "guarded_start", "bare_end", "guarded_end", "freeze"] {
        let figure = |name: &str| told["processes"][what][name].as_f64().expect("a figure");
        assert!(figure("measured") >= 10.0 && figure("median_ms") > 0.0, "{told}");
    }
    let margin = told["advice"]["margin_ms"].as_f64().expect("a margin");
    let most = told["timers"]["max_ms"]
        .as_f64()
        .expect("a figure")
        .max(told["round_trips"]["max_ms"].as_f64().expect("a figure"));
    assert!(margin >= 2.0 * most.floor(), "{told}");
    assert!(told["advice"]["concurrency"].as_u64().expect("a number") >= 1, "{told}");
    // A level is in force or refused with a reason, and what is in force has a price.
    assert!(told["sandbox"]["bare_ms"].as_f64().expect("a figure") > 0.0, "{told}");
    let levels = told["sandbox"]["levels"].as_array().expect("a list");
    let names: Vec<_> = levels.iter().map(|level| level["level"].as_str().expect("a word")).collect();
    assert_eq!(names, ["basic", "contest", "strict"]);
    for level in levels {
        assert_eq!(
            level["refused"].is_null(),
            level["median_ms"].is_f64() && level["in_force"].is_string(),
            "{told}"
        );
    }
    // So are control groups: each of the four duties is in force, or it is said why one is not.
    let groups = &told["sandbox"]["cgroups"];
    let in_force = groups["in_force"].as_str().unwrap_or_default();
    let has_all = ["memory v", "processes v", "time v", "kill v"].iter().all(|duty| in_force.contains(duty));
    assert_eq!(has_all, groups["lacking"].is_null(), "{groups}");
    println!("judged: control groups {groups}");
}

#[test]
fn more_games_than_processors_are_unfit() {
    let workshop = Workshop::new();
    let processors = std::thread::available_parallelism().expect("a number").get();
    let ended = workshop.run(&["doctor", "--concurrency", &(processors + 1).to_string()]);
    assert_eq!(ended.code, 1, "{}", ended.stdout);
    assert!(ended.stdout.contains("unfit: ") && ended.stdout.contains("round trips"), "{}", ended.stdout);
    let refused = workshop.run(&["doctor", "--concurrency", "none"]).expect(2).stderr;
    assert!(refused.contains("it must be a whole number"), "{refused}");
}

#[test]
#[cfg(target_os = "linux")]
fn what_the_system_gave_a_bot_is_recorded_where_time_limits_it() {
    let workshop = Workshop::new();
    let bots = "games: [fanorona]\nbots: [{builtin: alphabeta}, {builtin: random}]\n";
    workshop.write("cup.yaml", bots);
    workshop
        .run(&[
            "run",
            "cup.yaml",
            "--tc",
            "movetime 40ms",
            "--max-plies",
            "12",
            "--margin",
            "20s",
            "--out",
            "timed",
        ])
        .expect(0);
    workshop
        .run(&["run", "cup.yaml", "--tc", "nodes 100", "--max-plies", "12", "--out", "counted"])
        .expect(0);
    let decisions = |out: &str| {
        let games = workshop.games(out);
        games.into_iter().flat_map(|game| game.plies).filter(|ply| ply.us.is_some()).collect::<Vec<_>>()
    };
    let timed = decisions("timed");
    // A bot that answers at once again and again is not measured every time.
    assert!(timed.iter().all(|ply| ply.used.is_some() || ply.us <= Some(500)), "{timed:?}");
    // Whoever searches for 40 ms gets a processor or waits for one.
    let busiest = timed.iter().filter_map(|ply| ply.used).map(|used| used.cpu_us + used.wait_us).max();
    assert!(busiest > Some(10_000), "{busiest:?}");
    assert!(decisions("counted").iter().all(|ply| ply.used.is_none()));
    workshop.run(&["replay", "timed"]).expect(0);
}

#[test]
fn a_report_of_a_bug_tells_what_happened_and_nothing_private() {
    let workshop = Workshop::new();
    let home = workshop.path("homes/quetzal");
    fs::create_dir_all(home.join("thesis-on-eels")).expect("folders");
    // The bot tells on its standard error whatever it knows, and ends.
    let bot = "import os, sys
for line in sys.stdin:
    word = line.split()[0]
    if word == 'ugi':
        print('protocol 1', 'plays *', 'option name Hash type spin default 1 min 1 max 64', 'option name Licence type string', 'ugiok', sep='\\n', flush=True)
    elif word == 'isready':
        print('readyok', flush=True)
    elif word == 'go':
        sys.exit(f'saw {__file__} {sys.argv} {os.environ}')
";
    let bot = workshop.write("homes/quetzal/thesis-on-eels/bot.py", bot);
    let cup = format!(
        "games: [farook]\nbots:\n  - {{name: mine, cmd: [python3, '{}', --token=s3cr3t-of-mine, --threads, '2', \
         --told, 'https://hooks.example.net/plugh', --broker, 'tls://me:xyzzy@box:4222', --header, 'Authorization: Bearer frotz'], env: {{FAVOURITE: \
         teal-elephant}}, options: {{Hash: 16, Licence: q-plates}}}}\n  - {{builtin: random}}\non-event: sh -c 'test https://hooks.example.net/plugh'\n",
        bot.display()
    );
    workshop.write("cup.yaml", &cup);
    let run = |words: &[&str]| {
        let mut command = workshop.arena(words);
        command.env("HOME", &home).env("USER", "quetzal").env("HOSTNAME", "box-of-eels.example.org");
        command.env("BROKER_PASSWORD", "open-sesame-77").env("MOOD", "teal-elephant");
        Ended::new(command.output().expect("the executable starts"))
    };
    run(&["run", "cup.yaml", "--rounds", "1", "--out", "cup"]).expect(0);
    let report = run(&["doctor", "--report", "cup"]).expect(0).stdout;
    for part in [
        "### What I did",
        &format!("| arena | {}, ", env!("CARGO_PKG_VERSION")),
        "| features | with none; without nats, webhook, jit |",
        "| programs | ",
        "python3/3",
        "timers late",
        "sandbox      ",
        "### The run",
        "\"name\": \"mine\"",
        "--token=… --threads 2 --told https://… --broker tls://… --header Authorization:…",
        "\"Hash\": \"16\"",
        "\"Licence\": \"…\"",
        "bot.py",
        "* ends: crash 2\n",
        "mine - random: p2win, crash",
    ] {
        assert!(report.contains(part), "{part}:\n{report}");
    }
    // The host of this test has its own name, which is not to be there either.
    let host = workshop.command("uname", &["-n"]).output().expect("uname starts").stdout;
    let host = String::from_utf8_lossy(&host).trim().to_owned();
    let mut private = vec![
        "quetzal",
        "thesis-on-eels",
        "box-of-eels",
        "example.org",
        "sesame",
        "s3cr3t",
        "teal",
        "q-plates",
        "plugh",
        "xyzzy",
        "frotz",
    ];
    // One that is an ordinary word may be a part of another.
    if host.len() > 3 && host.contains(|c: char| c.is_ascii_digit()) {
        private.push(&host);
    }
    for word in private {
        assert!(!report.contains(word), "{word}:\n{report}");
    }
    assert!(!report.contains("/tmp/"), "{report}");
    let nowhere = run(&["doctor", "--report", "nowhere"]).expect(2).stderr;
    assert!(nowhere.contains("`nowhere` holds no journal.jsonl"), "{nowhere}");
    workshop.write("cup/journal.jsonl", "this is no journal\n");
    let broken = run(&["doctor", "--report", "cup"]).expect(0).stdout;
    assert!(broken.contains("the journal cannot be read: "), "{broken}");
}
