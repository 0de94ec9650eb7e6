//! What bots use, and what they may use.

use std::process::{Command, Stdio};

use processes::control_groups;
use record::{GameRecord, Termination, WarningKind};

use crate::place::{MARK, Place, groups_of, wait_until};

/// Says on standard output what the system has that is judged here.
fn tell() {
    println!("judged: limits held by guards and these control groups: {:?}", control_groups().in_force());
}

/// Plays the first legal ply; `@` stands for what it does before that.
const BOT: &str = r#"
import subprocess, sys, time
kept = []
for line in sys.stdin:
    words = line.split()
    if words[0] == "ugi":
        print("protocol 1\nwant legal\nugiok")
    elif words[0] == "isready":
        print("readyok")
    elif words[0] == "legal":
        ply = words[1]
    elif words[0] == "go":
        @
        print("bestmove", ply)
    elif words[0] == "quit":
        break
"#;

/// Plays a short game of a bot against a slow one; returns it from the point of view of the bot, as first seat.
fn play(act: &str, keys: &str) -> GameRecord {
    play_in(&Place::new(), act, keys)
}

/// The same in a place.
fn play_in(place: &Place, act: &str, keys: &str) -> GameRecord {
    place.write("bad.py", &BOT.replace('@', act));
    place.write("slow.py", &BOT.replace('@', "time.sleep(0.4)"));
    place.write(
        "cup.yaml",
        &format!(
            "name: cup\ngames: [farook]\nbots:\n  - {{name: bad, cmd: [python3, bad.py]}}\n  \
             - {{name: slow, cmd: [python3, slow.py], limits: {{memory: 4GiB, cpu: 10m, processes: 100}}}}\nrounds: 1\n\
             tc: 60+1\nconcurrency: 1\nadjudicate: {{plies: 12}}\nout: out\n{keys}\n"
        ),
    );
    let child = Command::new(env!("CARGO_BIN_EXE_arena"))
        .args(["run", "cup.yaml"])
        .current_dir(place.path())
        .env(MARK, place.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the arena starts");
    let number = child.id();
    let output = child.wait_with_output().expect("the arena ends");
    let contents = record::read(&place.path().join("out")).expect("a journal");
    // What is in force is told, and recorded for who is limited.
    let groups = control_groups();
    let told = String::from_utf8_lossy(&output.stderr);
    let words = groups.in_force().unwrap_or_else(|| "no control groups: ".to_owned());
    assert!(told.contains("limits: held by guards") && told.contains(&words), "{told}");
    let run = contents.runs.last().expect("a run");
    assert!(run.config.bots.iter().all(|bot| bot.limits.is_empty() || bot.cgroups == groups.in_force()));
    assert!(wait_until(|| groups_of(&[number]).is_empty()), "{:?}", groups_of(&[number]));
    tell();
    let games = contents.games;
    let game = games.into_iter().find(|game| game.seats[0].bot == "bad");
    assert!(place.running().is_empty());
    game.unwrap_or_else(|| panic!("{}", String::from_utf8_lossy(&output.stderr)))
}

#[track_caller]
fn loses(act: &str, keys: &str, words: &str) {
    let game = play(act, keys);
    let detail = game.detail.as_deref().unwrap_or_default();
    assert_eq!((game.reason, game.result), (Termination::Resource, record::GameResult::P2Win), "{detail}");
    assert!(detail.starts_with(words), "{detail}");
}

#[test]
fn a_bot_that_takes_too_much_memory_loses() {
    let act = "kept.append(bytearray(b'x') * 300_000_000); time.sleep(30)";
    loses(act, "limits: {memory: 100MiB}", "exceeded its limit of 100MiB of memory");
}

#[test]
fn the_memory_of_its_children_counts() {
    let child = "import time; kept = bytearray(b\"x\") * 60_000_000; time.sleep(30)";
    let act =
        format!("[subprocess.Popen([sys.executable, '-c', '{child}']) for _ in range(4)]; time.sleep(30)");
    loses(&act, "limits: {memory: 150MiB}", "exceeded its limit of 150MiB of memory");
}

#[test]
fn a_bot_that_computes_too_long_loses() {
    let act = "end = time.process_time() + 20\n        while time.process_time() < end: pass";
    loses(act, "limits: {cpu: 1s}", "exceeded its limit of 1s of processor time in a game");
}

#[test]
fn a_bot_that_starts_too_many_processes_loses() {
    let act =
        "[subprocess.Popen(['sleep', '100'], start_new_session=True) for _ in range(40)]; time.sleep(30)";
    // Only without a sandbox may they have sessions of their own.
    loses(act, "sandbox: none\nlimits: {processes: 20}", "exceeded its limit of 20 processes");
}

#[test]
fn what_comes_and_goes_between_two_looks_counts_too() {
    if control_groups().in_force().is_none_or(|what| !what.contains("memory")) {
        tell();
        // Only the kernel sees it: what is judged here is that the guard alone has no verdict on what it has not seen.
        return;
    }
    let child = "kept = bytearray(b\"x\") * 200_000_000";
    let act = format!("subprocess.run([sys.executable, '-c', '{child}']); time.sleep(30)");
    loses(&act, "limits: {memory: 100MiB}", "exceeded its limit of 100MiB of memory");
}

#[test]
fn a_fork_bomb_loses_and_leaves_nobody() {
    let act = "\n        while True:\n            os.fork()";
    let keys = "sandbox: none\nlimits: {processes: 30}";
    let game = play_in(&Place::alone(), &act.replace("os.fork", "__import__('os').fork"), keys);
    let detail = game.detail.as_deref().unwrap_or_default();
    assert_eq!((game.reason, game.result), (Termination::Resource, record::GameResult::P2Win), "{detail}");
    assert!(
        detail.starts_with("exceeded its limit of 30 processes")
            || detail.starts_with("exceeded its limit of 1024"),
        "{detail}"
    );
}

/// Has a child that never rests.
const BUSY: &str = "kept or kept.append(subprocess.Popen(['sh', '-c', 'while :; do :; done']))";

#[test]
fn what_a_bot_does_in_its_opponents_time_is_told_and_counted() {
    let game = play(BUSY, "");
    assert_eq!(game.reason, Termination::PlyLimit, "{:?}", game.detail);
    let kinds =
        |seat: usize| game.seats[seat].warnings.iter().map(|warning| warning.kind).collect::<Vec<_>>();
    assert_eq!((kinds(0), kinds(1)), (vec![WarningKind::Background], Vec::new()));
    let [busy, slow] = [0, 1].map(|seat| game.seats[seat].cpu_ms.expect("the system tells"));
    assert!(busy > slow && busy > 200, "{busy} {slow}");
}

#[test]
fn a_bot_that_is_stopped_meanwhile_does_nothing_in_its_opponents_time() {
    let game = play(BUSY, "ponder: freeze");
    assert_eq!(game.reason, Termination::PlyLimit, "{:?}", game.detail);
    assert!(game.seats.iter().all(|seat| seat.warnings.is_empty()), "{:?}", game.seats);
}
