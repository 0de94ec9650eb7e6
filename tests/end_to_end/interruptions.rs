//! Whatever ends a run: no game is lost, none is there twice, and the same command goes on.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use record::{Journal, RunSummary};
use runner::pending;
use rustix::process::{Pid, Signal, getuid, kill_process};

use crate::resume::{timeless, wait_for_games};
use crate::workshop::{Ended, Workshop, executable, is_second_stage, wait_until};

/// A round robin whose games take a moment each.
const CUP: &str = "\
name: cup
games: [farook]
bots:
  - {name: ab, builtin: alphabeta}
  - {name: greedy, builtin: greedy}
  - {name: random, builtin: random}
rounds: 4
tc: nodes 400
seed: 5
concurrency: 2
out: out
";

/// How many games these are.
const GAMES: usize = 24;

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("cup.yaml", CUP);
    workshop
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).expect("the arena runs");
}

/// Fails unless every game is there, once.
#[track_caller]
fn is_whole(workshop: &Workshop, count: usize) {
    let numbers: Vec<u64> = workshop.games("out").iter().map(|game| game.number).collect();
    assert_eq!(numbers, (1..=count as u64).collect::<Vec<_>>());
}

/// Waits for a line of standard error, and keeps reading after it so that the arena never waits for us.
fn wait_for_line(lines: &mut impl Iterator<Item = String>, start: &str) {
    assert!(lines.any(|line| line.starts_with(start)), "no line begins with `{start}`");
}

#[test]
fn a_termination_signal_is_an_interrupt() {
    let workshop = workshop();
    let child = workshop.start(&["run", "cup.yaml", "--rounds", "200"]);
    wait_for_games(&workshop, "out", 3);
    signal(&child, Signal::TERM);
    let ended = Ended::new(child.wait_with_output().expect("it ends")).expect(130);
    assert!(ended.stderr.contains("to continue:"), "{}", ended.stderr);
    let count = workshop.games("out").len();
    assert!((3..1200).contains(&count), "{count}");
}

#[test]
fn a_measurement_that_is_ended_leaves_no_arena_that_plays() {
    let workshop = Workshop::new();
    let child = workshop.start(&["bench", "fairness", "--game", "farook", "--pairs", "100000"]);
    let (id, mut player) = (child.id(), String::new());
    let plays = |player: &mut String| {
        let children = fs::read_to_string(format!("/proc/{id}/task/{id}/children")).unwrap_or_default();
        *player = format!("/proc/{}", children.trim());
        fs::read_to_string(format!("{player}/cmdline")).is_ok_and(|words| words.contains("run\0bench.yaml"))
    };
    assert!(wait_until(|| plays(&mut player)));
    signal(&child, Signal::TERM);
    Ended::new(child.wait_with_output().expect("it ends")).expect(130);
    assert!(!fs::exists(&player).expect("a file system of processes"), "{player}");
}

#[test]
fn a_hang_up_changes_how_many_games_are_played_at_once_and_loses_none() {
    let workshop = workshop();
    // So many that it is not over before the last of three signals.
    let rounds = 200;
    let write = |concurrency: &str| {
        workshop.write(
            "cup.yaml",
            &CUP.replace("rounds: 4", &format!("rounds: {rounds}")).replace("concurrency: 2", concurrency),
        )
    };
    write("concurrency: 1");
    let mut child = workshop.start(&["run", "cup.yaml"]);
    let stderr = child.stderr.take().expect("standard error is a pipe");
    let mut lines = BufReader::new(stderr).lines().map_while(Result::ok);
    wait_for_games(&workshop, "out", 2);
    write("concurrency: 3");
    signal(&child, Signal::HUP);
    wait_for_line(&mut lines, "hang-up: concurrency is 3 instead of 1");
    let slots = || {
        let tasks = fs::read_dir(format!("/proc/{}/task", child.id())).into_iter().flatten().flatten();
        let names = tasks.filter_map(|task| fs::read_to_string(task.path().join("comm")).ok());
        names.filter(|name| name.starts_with("slot-")).count()
    };
    assert!(wait_until(|| slots() == 3), "{} slots", slots());
    write("concurrency: many");
    signal(&child, Signal::HUP);
    wait_for_line(&mut lines, "hang-up: the file has errors, concurrency stays 3");
    write("concurrency: 1");
    signal(&child, Signal::HUP);
    wait_for_line(&mut lines, "hang-up: concurrency is 1 instead of 3");
    assert!(wait_until(|| slots() <= 1), "{} slots", slots());
    lines.for_each(drop);
    let mut page = String::new();
    child.stdout.take().expect("a pipe").read_to_string(&mut page).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    is_whole(&workshop, rounds * 6);
}

#[test]
fn a_hang_up_of_a_run_without_a_file_is_an_interrupt() {
    let workshop = Workshop::new();
    let words = ["match", "random", "greedy", "--game", "farook", "--rounds", "2000", "--out", "out"];
    let child = workshop.start(&words);
    wait_for_games(&workshop, "out", 2);
    signal(&child, Signal::HUP);
    Ended::new(child.wait_with_output().expect("it ends")).expect(130);
}

#[test]
fn a_reader_that_goes_away_costs_the_page_and_nothing_else() {
    let workshop = workshop();
    let mut child = workshop.start(&["run", "cup.yaml"]);
    drop(child.stdout.take());
    let ended = Ended::new(child.wait_with_output().expect("it ends")).expect(0);
    assert!(ended.stderr.contains("written to out: journal.jsonl"), "{}", ended.stderr);
    is_whole(&workshop, GAMES);
}

#[test]
fn a_run_that_is_killed_at_five_instants_loses_no_game() {
    let workshop = workshop();
    workshop.run(&["run", "cup.yaml", "--out", "whole"]).expect(0);
    for delay in [150, 300, 450, 600, 750] {
        let mut child = workshop.start(&["run", "cup.yaml"]);
        let path = workshop.path("out/journal.jsonl");
        wait_until(|| path.metadata().is_ok_and(|file| file.len() > 0));
        thread::park_timeout(Duration::from_millis(delay));
        // It may have ended already.
        let _ = child.kill();
        child.wait().expect("it ended");
    }
    workshop.run(&["run", "cup.yaml"]).expect(0);
    is_whole(&workshop, GAMES);
    assert_eq!(timeless(&workshop.games("out")), timeless(&workshop.games("whole")));
}

/// Returns the numbers of the games that a run with these contents would still play.
fn to_play(contents: &RunSummary) -> Vec<u64> {
    let history: Vec<_> = contents.runs.iter().map(|run| &run.config).collect();
    pending(&history, contents.games.iter().map(|game| game.number)).map(|fixture| fixture.number).collect()
}

#[test]
fn a_journal_cut_at_any_byte_loses_the_line_that_was_cut_and_nothing_else() {
    let workshop = workshop();
    workshop.run(&["run", "cup.yaml", "--rounds", "1", "--concurrency", "1"]).expect(0);
    let path = workshop.path("out/journal.jsonl");
    let bytes = fs::read(&path).expect("the journal");
    let ends: Vec<usize> =
        bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1).collect();
    let (run_line, last) = (ends[0], ends[ends.len() - 2]);
    // Every byte of the run's line, and every byte of the last game: what is left is known exactly.
    for end in (0..run_line).chain(last..bytes.len()) {
        fs::write(&path, &bytes[..end]).expect("the journal");
        let (journal, contents) = Journal::open(&workshop.path("out")).expect("a torn line is dropped");
        drop(journal);
        let kept = ends.iter().filter(|line| **line <= end).count();
        assert_eq!((contents.runs.len(), contents.games.len()), (kept.min(1), kept.saturating_sub(1)));
        assert_eq!(to_play(&contents), if kept == 0 { vec![] } else { vec![6] }, "cut at {end}");
        let rest = if kept == 0 { 0 } else { ends[kept - 1] };
        assert_eq!(fs::read(&path).expect("the journal"), bytes[..rest], "cut at {end}");
    }
    // Some are played on.
    for end in
        [0, 1, run_line / 2, run_line - 1, run_line, last + 1, (last + bytes.len()) / 2, bytes.len() - 1]
    {
        fs::write(&path, &bytes[..end]).expect("the journal");
        let again = workshop.run(&["run", "cup.yaml", "--rounds", "1"]).expect(0);
        is_whole(&workshop, 6);
        let is_torn = end != 0 && !ends.contains(&end);
        assert_eq!(again.stderr.contains("dropped an unfinished last line"), is_torn, "{}", again.stderr);
    }
}

#[test]
fn a_directory_that_is_a_file_or_cannot_be_made_is_told() {
    let workshop = workshop();
    workshop.write("file", "");
    let refused = workshop.run(&["run", "cup.yaml", "--out", "file/out"]).expect(4);
    assert!(refused.stderr.contains("file/out"), "{}", refused.stderr);
}

/// Returns a command that runs a script of the shell where it may mount file systems; nothing where the system does
/// not let us, which only the second stage of CI counts as a failure.
fn with_mounts(workshop: &Workshop, script: &str) -> Option<Command> {
    let own = ["--user", "--map-root-user"];
    let words: Vec<&str> = if getuid().is_root() { vec![] } else { own.to_vec() };
    let unshare = |script: &str| {
        let mut command = workshop.command("unshare", &words);
        command.args(["--mount", "sh", "-c", script]).env("ARENA", executable());
        command
    };
    fs::create_dir_all(workshop.path("out")).expect("a folder");
    let mut attempt = unshare("mount -t tmpfs tmpfs out");
    let may_mount = attempt.stderr(Stdio::null()).status().is_ok_and(|status| status.success());
    if !may_mount {
        assert!(!is_second_stage(), "the second stage needs `unshare` and the right to mount");
        eprintln!("no file systems can be mounted here: not tested");
        return None;
    }
    Some(unshare(script))
}

#[test]
fn a_full_disk_ends_the_run_and_more_room_lets_it_go_on() {
    let workshop = workshop();
    // 12 KiB hold some of the games; the same directory with more room takes the others.
    let script = "mount -t tmpfs -o size=12k tmpfs out; \"$ARENA\" run cup.yaml; echo code $?; \
                  cp out/journal.jsonl full.jsonl; mount -o remount,size=64m out; \
                  \"$ARENA\" run cup.yaml; echo code $?; cp out/journal.jsonl whole.jsonl";
    let Some(mut command) = with_mounts(&workshop, script) else { return };
    let ended = Ended::new(command.output().expect("it runs")).expect(0);
    let codes: Vec<_> = ended.stdout.lines().filter(|line| line.starts_with("code ")).collect();
    assert_eq!(codes, ["code 4", "code 0"], "{}\n{}", ended.stdout, ended.stderr);
    assert!(ended.stderr.contains("No space left on device"), "{}", ended.stderr);
    assert!(ended.stderr.contains("the same command continues from there"), "{}", ended.stderr);
    let full = workshop.read("full.jsonl");
    assert!(full.ends_with('\n'), "what did not fit was taken back");
    let whole = workshop.read("whole.jsonl");
    assert!(whole.starts_with(&full));
    let games: Vec<_> = whole.lines().filter(|line| line.contains("\"type\":\"game\"")).collect();
    let numbers: BTreeSet<u64> = games
        .iter()
        .map(|line| serde_json::from_str::<record::GameRecord>(line).expect("a game").number)
        .collect();
    assert_eq!((games.len(), numbers), (GAMES, (1..=GAMES as u64).collect()));
}

#[test]
fn a_directory_that_cannot_be_written_is_told_before_anything_is_played() {
    let workshop = workshop();
    let script = "mount -t tmpfs -o ro tmpfs out; exec \"$ARENA\" run cup.yaml";
    let Some(mut command) = with_mounts(&workshop, script) else { return };
    let ended = Ended::new(command.output().expect("it runs")).expect(4);
    for word in ["cannot open `out/journal.jsonl`", "Read-only file system"] {
        assert!(ended.stderr.contains(word), "{}", ended.stderr);
    }
}

#[test]
fn an_exclusive_bot_plays_one_game_at_once() {
    let workshop = Workshop::new();
    // It cannot start while another one of it lives.
    let bot = include_str!("../../bots/python/random_bot.py");
    workshop.write("bot.py", bot);
    let guard = "import fcntl, runpy\nlock = open('lock', 'w')\nfcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)\n\
                 runpy.run_path('bot.py', run_name='__main__')\n";
    workshop.write("guarded.py", guard);
    workshop.write(
        "cup.yaml",
        "games: [farook]\nbots:\n  - {name: alone, cmd: [python3, guarded.py], exclusive: true, sandbox: {write: [.]}}\n  \
         - {builtin: random}\n  - {builtin: greedy}\nrounds: 3\ntc: movetime 20s\nconcurrency: 4\nout: out\n",
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let games = workshop.games("out");
    assert_eq!(games.len(), 18);
    assert!(games.iter().all(|game| matches!(game.reason, record::Termination::Rules(_))));
}
