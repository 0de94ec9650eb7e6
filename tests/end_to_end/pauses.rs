//! An arena that is stopped for a while (Ctrl-Z, a laptop that sleeps) blames no bot for that.
#![cfg(target_os = "linux")]

use std::fs;

use record::{Contents, GameResult, Termination};
use rustix::process::{Pid, Signal, kill_process};

use crate::workshop::{Ended, Workshop, wait_until};

/// A bot that plays its first legal ply. Once, it says that it was asked, waits until the arena is stopped, answers, and says
/// three seconds later that the arena may go on.
const BOT: &str = "\
import os, sys, threading, time
def tell(name):
    open(name, 'w').close()
for line in sys.stdin:
    word = line.split()[:1]
    if word == ['ugi']:
        print('protocol 1\\nplays *\\nwant legal\\nugiok', flush=True)
    elif word == ['isready']:
        print('readyok', flush=True)
    elif word == ['legal']:
        legal = line.split()[1:]
    elif word == ['go']:
        if not os.path.exists('asked'):
            tell('asked')
            while not os.path.exists('stopped'):
                time.sleep(0.01)
            threading.Timer(3, tell, ['go-on']).start()
        print('bestmove ' + legal[0], flush=True)
    elif word == ['quit']:
        break
";

fn cup() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("bot.py", BOT);
    let text = "games: [farook]\nbots:\n  - {name: mine, cmd: [python3, bot.py]}\n  - {builtin: random}\nrounds: 1\n\
                tc: movetime 2s\nconcurrency: 1\nsandbox: none\nout: out\n";
    workshop.write("cup.yaml", text);
    workshop
}

/// Returns whether every thread of a process is stopped.
fn is_stopped(process: u32) -> bool {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).expect("it runs");
    tasks.flatten().all(|task| {
        let status = fs::read_to_string(task.path().join("status")).unwrap_or_default();
        status.lines().any(|line| line.starts_with("State:\tT"))
    })
}

/// Runs the arena with these words, and stops it for three seconds and more while the bot decides.
fn stopped(workshop: &Workshop, words: &[&str]) -> Ended {
    let run = workshop.start(words);
    let arena = Pid::from_child(&run);
    assert!(wait_until(|| workshop.path("asked").exists()), "the bot was not asked");
    kill_process(arena, Signal::STOP).expect("the arena runs");
    // A busy machine stops its threads one after the other.
    assert!(wait_until(|| is_stopped(run.id())), "the arena is not stopped");
    workshop.write("stopped", "");
    assert!(wait_until(|| workshop.path("go-on").exists()), "the bot did not answer");
    kill_process(arena, Signal::CONT).expect("the arena is stopped");
    Ended::new(run.wait_with_output().expect("the arena ends"))
}

#[test]
fn a_decision_in_which_the_arena_was_stopped_is_played_again() {
    let workshop = cup();
    let stderr = stopped(&workshop, &["run", "cup.yaml"]).expect(0).stderr;
    assert!(stderr.contains(": void, the arena itself did not run for "), "{stderr}");
    assert!(stderr.contains(" was decided; it is played again"), "{stderr}");
    let Contents { games, void, .. } = record::read(&workshop.path("out")).expect("the journal is whole");
    assert!(!void.is_empty() && games.len() == 2, "{games:?} {void:?}");
    for game in &void {
        assert_eq!(
            (game.reason, game.result, game.failed),
            (Termination::ArenaError, GameResult::None, None)
        );
    }
    assert!(games.iter().all(|game| matches!(game.reason, Termination::Rules(_))), "{games:?}");
    // Nobody had a fault, and every reader of the journal knows such a game.
    assert!(!workshop.path("out/faults").exists());
    assert!(workshop.read("out/report.html").contains("the arena itself did not run"));
    workshop.run(&["report", "out"]).expect(0);
    workshop.run(&["replay", "out"]).expect(0);
}

#[test]
fn a_question_that_is_put_again_does_not_count_a_pause_either() {
    let workshop = cup();
    workshop.write("asked", "");
    workshop.run(&["run", "cup.yaml"]).expect(0);
    fs::remove_file(workshop.path("asked")).expect("it was there");
    let words = ["repro", "out", "1", "--seat", "p1", "--yes", "--sandbox", "recorded"];
    let seat =
        record::read(&workshop.path("out")).expect("the journal is whole").games[0].seats[0].bot.clone();
    let words = words.map(|word| if word == "p1" && seat != "mine" { "p2" } else { word });
    let ended = stopped(&workshop, &words).expect(0);
    assert!(ended.stdout.contains(" 0 faults"), "{}", ended.stdout);
}
