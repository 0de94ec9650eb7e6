//! Games of one's own in the commands that take a game: `bench`, `openings`, `check`, `play`, `sprt`, `intake`, shards and `merge`.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

use crate::own_rules::RULES;
use crate::workshop::{Ended, Workshop, wait_until};

/// Plays the first legal ply of any game.
const BOT: &str = "
import sys
for line in sys.stdin:
    word, *rest = line.split() or ['']
    if word == 'ugi':       print('protocol 1\\nplays *\\nwant legal\\nugiok')
    elif word == 'isready': print('readyok')
    elif word == 'legal':   legal = rest
    elif word == 'go':      print('bestmove', legal[0])
    elif word == 'quit':    break
    sys.stdout.flush()
";

/// Two bots that play Telo.
const CUP: &str = "\
games: [{rules: [python3, telo.py]}]
bots:
  - {name: mine, cmd: [python3, bot.py]}
  - {name: lot, builtin: random}
rounds: 2
tc: 60+1
out: out
";

/// Returns a workshop with copies of these files of `arena/games`.
fn with_copies(files: &[&str]) -> Workshop {
    let workshop = Workshop::new();
    for file in files {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("arena/games").join(file);
        let name = from.file_name().expect("a file has a name").to_string_lossy().into_owned();
        fs::copy(&from, workshop.path(&name)).expect("the file can be copied");
    }
    workshop.write("bot.py", BOT);
    workshop.write("cup.yaml", CUP);
    workshop
}

/// Returns a workshop with Telo, whose rules are a program, and a tournament of it.
pub(crate) fn with_telo() -> Workshop {
    with_copies(&["telo/telo.py", "python/arena_rules.py"])
}

#[test]
fn a_game_that_is_shipped_runs_where_it_is_copied_and_says_what_it_lacks() {
    let workshop = with_telo();
    let count = workshop.run(&["perft", "./telo.py", "3"]).expect(0).stdout;
    assert!(count.contains("448"), "{count}");
    let alone = with_copies(&["telo/telo.py"]);
    let told = alone.run(&["perft", "./telo.py", "3"]).expect(2).stderr;
    assert!(
        told.contains("stderr: telo.py needs the kit `arena_rules.py`: copy it beside telo.py"),
        "{told}"
    );
    assert!(!told.contains("Traceback"), "{told}");
    // A file is not a game by its bare name.
    let told = workshop.run(&["perft", "telo.py", "3"]).expect(2).stderr;
    assert!(told.contains("`./telo.py`"), "{told}");
}

#[test]
fn the_speed_of_rules_is_measured_and_their_openings_are_gathered() {
    let workshop = with_telo();
    let words = ["bench", "--game", "./telo.py:centre=on", "--seconds", "0", "--json"];
    let speed: Value = serde_json::from_str(&workshop.run(&words).expect(0).stdout).expect("a document");
    let game = &speed["games"][0];
    assert_eq!(game["game"], "telo centre=on", "{speed}");
    assert_eq!(game["positions"][0]["depth"], 5, "{speed}");
    assert_eq!(game["positions"][0]["nodes"], 15_120, "{speed}");
    assert!(game["positions"][0]["is_right"].is_null(), "nobody has counted them: {speed}");
    assert!(game["plies_per_playout"].as_f64().is_some_and(|plies| plies >= 5.0), "{speed}");
    let openings = workshop.run(&["openings", "./telo.py", "--plies", "2", "--count", "64"]).expect(0);
    let lines: Vec<_> = openings.stdout.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 64, "all of them: {}", openings.stdout);
    assert!(openings.stdout.starts_with("# game: telo\n"), "{}", openings.stdout);
    // A judge that would have to start the rules cannot; another one judges.
    let words = ["openings", "./telo.py", "--count", "3", "--nodes", "9", "--max-score", "50", "--balance"];
    let told = workshop.run(&[&words[..], &["greedy"]].concat()).expect(2).stderr;
    assert!(told.contains("the bot `greedy` cannot play `telo`: it asks the rules itself"), "{told}");
    workshop.write("judge.py", &BOT.replace("print('bestmove'", "print('info score cp 9\\nbestmove'"));
    let judged = workshop.run(&[&words[..], &["python3 judge.py"]].concat()).expect(0).stdout;
    assert_eq!(judged.lines().filter(|line| line.ends_with("# +9")).count(), 3, "{judged}");
}

#[test]
fn the_built_in_bot_that_can_plays_games_of_ones_own_by_hand_and_in_checks() {
    let workshop = with_telo();
    workshop.run(&["check", "--quick", "--game", "./telo.py", "builtin:random"]).expect(0);
    // Who names no opponent gets one that can play.
    let mut command = workshop.arena(&["play", "./telo.py"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the executable starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"a1\nhint\nquit\n").expect("it reads");
    drop(input);
    let played = Ended::new(child.wait_with_output().expect("it ends")).expect(0).stdout;
    assert!(played.contains("human plays a1"), "{played}");
    assert!(played.contains("random plays "), "{played}");
    assert!(!played.contains("unknown-game"), "{played}");
    // One that cannot is refused before the game begins.
    let told = workshop.run(&["play", "./telo.py", "--p2", "greedy"]).expect(2).stderr;
    assert!(told.contains("the bot `greedy` cannot play `telo`: it asks the rules itself"), "{told}");
    assert!(told.contains("hint: `--p2 random` instead of `greedy`"), "{told}");
}

#[test]
fn a_game_without_a_look_is_played_from_the_list_of_its_plies() {
    let workshop = Workshop::new();
    workshop.write("stones.py", RULES);
    let mut command = workshop.arena(&["play", "./stones.py", "--p2", "human"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the executable starts");
    child.stdin.take().expect("a pipe").write_all(b"t4\nt3\nt3\nundo\nt2\nt2\nquit\n").expect("it reads");
    let played = Ended::new(child.wait_with_output().expect("it ends")).expect(0).stdout;
    for words in ["n=7 p1", "`t4` is not a legal ply here; near it: t1 t2 t3", "p1 (human) wins: last-stone"]
    {
        assert!(played.contains(words), "{words}: {played}");
    }
}

#[test]
fn a_sequential_test_of_a_game_of_ones_own_comes_to_its_end() {
    let workshop = with_telo();
    let words =
        ["sprt", "--new", "python3 bot.py", "--base", "random", "--game", "./telo.py", "--tc", "60+1"];
    let more = ["--elo0", "0", "--elo1", "200", "--max-pairs", "2", "--out", "out"];
    let ended = workshop.run(&[&words[..], &more].concat());
    assert!([0, 1, 3].contains(&ended.code), "{}", ended.stderr);
    assert!(ended.stdout.contains("telo"), "{}", ended.stdout);
    assert!(workshop.games("out").iter().all(|game| game.fault().is_none()), "{}", ended.stderr);
}

#[test]
fn shards_are_merged_with_the_rules_of_their_games() {
    let workshop = with_telo();
    for shard in ["1/2", "2/2"] {
        workshop.run(&["run", "cup.yaml", "--shard", shard]).expect(0);
    }
    let shards = ["out.shard-1-of-2", "out.shard-0-of-2"];
    let told = workshop.run(&["merge", shards[0], shards[1], "--out", "plain"]).expect(0).stderr;
    assert_eq!(told.matches("the rules of `telo` are not known").count(), 1, "told once: {told}");
    let rules = ["--rules", "telo=python3 telo.py"];
    let words = ["merge", shards[0], shards[1], "--out", "merged"];
    let told = workshop.run(&[&words[..], &rules].concat()).expect(0).stderr;
    assert!(!told.contains("not known"), "{told}");
    assert_eq!(workshop.games("merged").len(), 4);
    assert!(
        workshop.read("merged/report.html").len() > workshop.read("plain/report.html").len(),
        "with boards"
    );
    workshop.run(&["replay", "merged", rules[0], rules[1]]).expect(0);
}

#[test]
fn files_of_rules_are_part_of_a_run() {
    let workshop = with_telo();
    workshop.write("cup.yaml", &CUP.replace("telo.py]}", "telo.py], files: [arena_rules.py]}"));
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let told = workshop.run(&["report", "out"]).expect(0).stderr;
    assert!(told.contains("--rules telo='python3 telo.py' --rules-files 'telo=arena_rules.py'"), "{told}");
    let named = ["report", "out", "--rules", "telo=python3 telo.py", "--rules-files", "telo=arena_rules.py"];
    assert_eq!(workshop.run(&named).expect(0).stderr.matches("not known").count(), 0);
    let kit = workshop.read("arena_rules.py");
    workshop.write("arena_rules.py", &format!("{kit}\n# Another kit.\n"));
    let told = workshop.run(&["run", "cup.yaml", "--rounds", "3"]).expect(2).stderr;
    assert!(told.contains("the digest of the rules of telo was"), "{told}");
    let told = workshop.run(&named).expect(0).stderr;
    assert!(
        told.contains("the rules of `telo` are not known: it was played by rules with the digest"),
        "{told}"
    );
    workshop.write("cup.yaml", &CUP.replace("telo.py]}", "telo.py], files: [none.py]}"));
    let told = workshop.run(&["run", "cup.yaml"]).expect(2).stderr;
    assert!(told.contains("file `none.py` does not exist"), "{told}");
    workshop
        .write("cup.yaml", &CUP.replace("{rules: [python3, telo.py]}", "{game: farook, files: [bot.py]}"));
    let told = workshop.run(&["run", "cup.yaml"]).expect(2).stderr;
    assert!(told.contains("this item has no `rules`"), "{told}");
}

#[test]
fn a_course_over_a_game_of_ones_own_ends_in_a_tournament_that_can_be_played() {
    let workshop = with_telo();
    fs::create_dir_all(workshop.path("handed-in/ada")).expect("a folder");
    workshop.write("handed-in/ada/bot.py", BOT);
    workshop.write("handed-in/ada/bot.yaml", "name: ada\nrun: [python3, bot.py]\n");
    let words = ["intake", "handed-in", "--quick", "--game", "./telo.py:centre=on", "--margin", "5s"];
    workshop.run(&words).expect(0);
    let entries = "{from: 'entries/*/bot.yaml'}";
    let file = workshop.read("intake/tournament.yaml");
    workshop.write(
        "intake/tournament.yaml",
        &file.replace(entries, &format!("[{entries}, {{builtin: random}}]")),
    );
    workshop.run(&["run", "intake/tournament.yaml", "--out", "out", "--margin", "5s"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game.fault().is_none()), "{games:?}");
}

#[test]
fn an_abandoned_run_does_not_wait_for_rules_that_do_not_answer() {
    let workshop = with_telo();
    let hanging = "\
import arena_rules, os, telo, time

class Hanging(telo.Telo):
    asked = 0

    def legal(self, state):
        Hanging.asked += 1
        if Hanging.asked > 40:
            open('hangs', 'w').close()
            time.sleep(60)
        return super().legal(state)

arena_rules.serve(Hanging())
";
    workshop.write("hanging.py", hanging);
    let cup = CUP.replace("telo.py]", "hanging.py]") + "sandbox: none\nconcurrency: 1\n";
    workshop.write("cup.yaml", &cup);
    let child = workshop.start(&["run", "cup.yaml"]);
    assert!(wait_until(|| workshop.path("hangs").exists()), "the rules hang");
    let since = Instant::now();
    for _ in 0..2 {
        kill_process(Pid::from_child(&child), Signal::INT).expect("the arena runs");
        // Two signals at one time would be one.
        std::thread::sleep(Duration::from_millis(200));
    }
    let ended = Ended::new(child.wait_with_output().expect("it ends")).expect(130);
    assert!(since.elapsed() < Duration::from_secs(8), "a question may take 10 s: {:?}", since.elapsed());
    assert!(!ended.stderr.contains("error:"), "nobody is to blame: {}", ended.stderr);
    assert!(ended.stderr.contains("to continue:"), "{}", ended.stderr);
}
