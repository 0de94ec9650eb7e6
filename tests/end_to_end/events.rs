//! Events of runs, told to a command: `on-event`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::time::{Duration, Instant};

use boon::{Compiler, Schemas};
use rustix::process::Signal;
use serde_json::Value;

use crate::resume::signal;
use crate::workshop::{Ended, Workshop, executable, wait_until};

/// Two bots, and a command that is told.
fn cup(command: &str, settings: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("tell.sh", "cat >> told.jsonl\n");
    let text = format!(
        "games: [farook]\nbots: [{{builtin: random}}, {{builtin: greedy}}]\nrounds: 3\ntc: nodes 100\nout: out\non-event: {command}\n\
         {settings}"
    );
    workshop.write("cup.yaml", &text);
    workshop
}

/// Returns what was told: each event fits `arena/docs/event.schema.json`.
fn told(workshop: &Workshop) -> Vec<Value> {
    let text = fs::read_to_string(workshop.path("told.jsonl")).expect("somebody was told");
    let schema = fs::read_to_string("arena/docs/event.schema.json").expect("the schema is there");
    let (mut compiler, mut schemas) = (Compiler::new(), Schemas::new());
    let schema = serde_json::from_str(&schema).expect("the schema is JSON");
    compiler.add_resource("event.json", schema).expect("the schema can be added");
    let index = compiler.compile("event.json", &mut schemas).expect("the schema can be compiled");
    let events: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    for event in &events {
        schemas.validate(event, index).unwrap_or_else(|error| panic!("{event}: {error:#}"));
    }
    events
}

fn words(events: &[Value]) -> Vec<&str> {
    events.iter().filter_map(|event| event["event"].as_str()).collect()
}

#[test]
fn a_run_tells_its_start_and_its_end_and_a_run_with_nothing_to_play_tells_nothing() {
    let workshop = cup("sh tell.sh", "");
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let events = told(&workshop);
    assert_eq!(words(&events), ["run-started", "run-ended"]);
    assert_eq!((&events[0]["games_left"], &events[1]["games_recorded"]), (&6.into(), &6.into()));
    assert_eq!(events[0]["run"]["name"], "cup");
    assert!(
        events[0]["run"]["directory"]
            .as_str()
            .is_some_and(|path| path.starts_with('/') && path.ends_with("/out"))
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    assert_eq!(told(&workshop).len(), 2);
    workshop.run(&["run", "cup.yaml", "--rounds", "4", "--on-event", "sh tell.sh"]).expect(0);
    assert_eq!(told(&workshop)[2]["games_recorded"], 6);
}

#[test]
fn a_verdict_is_told_once() {
    let workshop = cup("sh tell.sh", "format: sprt\nsprt: {elo0: 0, elo1: 200}\n");
    workshop.write(
        "cup.yaml",
        &fs::read_to_string(workshop.path("cup.yaml")).expect("it was written").replace(
            "[{builtin: random}, {builtin: greedy}]\nrounds: 3\n",
            "[{builtin: greedy}, {builtin: random}]\nrounds: 200\n",
        ),
    );
    workshop.run(&["run", "cup.yaml"]).expect(0);
    let events = told(&workshop);
    assert_eq!(words(&events), ["run-started", "test-verdict", "run-ended"]);
    assert_eq!((&events[1]["verdict"], &events[1]["new"]), (&"passed".into(), &"greedy".into()));
    assert!(events[1]["llr"].as_f64().is_some_and(|llr| llr > 2.9), "{}", events[1]);
}

#[test]
fn commands_without_a_file_tell_of_events_too() {
    let workshop = cup("sh tell.sh", "");
    let flags = "--game farook --on-event 'sh tell.sh' --out out";
    let run = |line: &str, code: i32| {
        let shell = format!("{} {line}", executable());
        Ended::new(workshop.command("sh", &["-c", &shell]).output().expect("there is a shell")).expect(code)
    };
    run(&format!("sprt --new greedy --base random --elo0 0 --elo1 200 {flags}/sprt"), 0);
    run(&format!("match greedy random {flags}/match"), 0);
    let events = told(&workshop);
    assert_eq!(words(&events), ["run-started", "test-verdict", "run-ended", "run-started", "run-ended"]);
    let nowhere = run("match greedy random --game farook --on-event 'sh tell.sh'", 2).stderr;
    assert!(nowhere.contains("--out DIR"), "{nowhere}");
    let unused = run("sprt --counts 10,20,35,25,12 --elo0 0 --elo1 5 --on-event 'sh tell.sh'", 2).stderr;
    assert!(unused.contains("`--on-event` cannot be used with `--counts`"), "{unused}");
}

#[test]
fn a_bot_that_cannot_start_and_one_that_is_withdrawn_are_told() {
    let workshop = cup("sh tell.sh", "");
    workshop.write("end.sh", "exit 3\n");
    workshop.write(
        "crash.sh",
        "while read -r line; do case $line in ugi) printf 'protocol 1\\nplays *\\nugiok\\n';; \
                                isready) echo readyok;; go*) exit 1;; esac; done\n",
    );
    let bots = |more: &str| {
        format!(
            "games: [farook]\nbots: [{{builtin: random}}, {{builtin: greedy}}, {more}]\nrounds: 3\ntc: movetime 20s\nout: out\n\
             max-faults: 2\non-event: sh tell.sh\n"
        )
    };
    workshop.write("cup.yaml", &bots("{name: broken, cmd: [sh, end.sh]}"));
    workshop.run(&["run", "cup.yaml"]).expect(3);
    let events = told(&workshop);
    assert_eq!((words(&events), &events[0]["reason"]), (vec!["run-stopped"], &"start-failure".into()));
    assert!(events[0]["detail"].as_str().is_some_and(|detail| detail.contains("broken")), "{}", events[0]);
    workshop.write("cup.yaml", &bots("{name: crashing, cmd: [sh, crash.sh]}"));
    workshop.run(&["run", "cup.yaml"]).expect(5);
    let events = told(&workshop);
    assert_eq!(words(&events)[1..], ["run-started", "bot-withdrawn", "run-ended"]);
    assert_eq!((&events[2]["bot"], &events[2]["faults"]), (&"crashing".into(), &2.into()));
}

#[test]
fn a_command_that_fails_is_told_of_and_changes_nothing() {
    let workshop = cup("sh -c 'echo no route >&2; exit 7'", "");
    let end = workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(end.stderr.contains("`on-event` (run-started): exit status: 7: no route"), "{}", end.stderr);
    assert_eq!(workshop.games("out").len(), 6);
}

#[test]
fn a_command_that_hangs_holds_up_no_game_and_is_killed() {
    let workshop = cup("sh -c 'sleep 600'", "");
    let began = Instant::now();
    let end = workshop.run(&["run", "cup.yaml"]).expect(0);
    assert!(
        end.stderr.contains("`on-event` (run-started): it did not end within 10s and was killed"),
        "{}",
        end.stderr
    );
    // Two events wait for a deadline of ten seconds each, after the last game.
    assert!(began.elapsed() < Duration::from_secs(90), "{:?}", began.elapsed());
    let games = workshop.games("out");
    assert_eq!(games.len(), 6);
}

#[test]
fn a_second_interrupt_kills_a_command_that_hangs() {
    let workshop = cup("sh hang.sh", "");
    workshop.write("hang.sh", "sleep 600 & echo $! > new; mv new child; sleep 600\n");
    let mut run = workshop.start(&["run", "cup.yaml", "--rounds", "2000"]);
    assert!(wait_until(|| workshop.path("child").exists()), "the command was not started");
    let mut lines = BufReader::new(run.stderr.take().expect("it is a pipe")).lines().map_while(Result::ok);
    signal(&run, Signal::INT);
    let first = lines.by_ref().find(|line| line.starts_with("interrupted"));
    assert!(first.is_some_and(|line| line.contains("running games finish")));
    signal(&run, Signal::INT);
    let rest: Vec<_> = lines.collect();
    assert_eq!(run.wait().expect("it ends").code(), Some(130));
    for told in [
        "`on-event` (run-started): it was killed: the run was interrupted",
        "`run-stopped` is not told: the run was interrupted",
    ] {
        assert!(rest.iter().any(|line| line == told), "{told}: {rest:#?}");
    }
    let child = workshop.read("child");
    let status = || fs::read_to_string(format!("/proc/{}/status", child.trim())).unwrap_or_default();
    assert!(wait_until(|| status().is_empty() || status().contains("State:\tZ")), "{}", status());
}

#[test]
fn an_interrupt_after_the_last_game_ends_the_wait_for_a_command_and_nothing_else() {
    let workshop = cup("sh hang.sh", "");
    workshop.write("hang.sh", "case $ARENA_EVENT in run-ended) echo > waits; sleep 600;; esac\n");
    let run = workshop.start(&["run", "cup.yaml"]);
    assert!(wait_until(|| workshop.path("waits").exists()), "the end was not told");
    signal(&run, Signal::INT);
    let end = Ended::new(run.wait_with_output().expect("it ends")).expect(0);
    assert!(
        end.stderr.contains("`on-event` (run-ended): it was killed: the run was interrupted"),
        "{}",
        end.stderr
    );
    assert_eq!(workshop.games("out").len(), 6);
}

#[test]
fn an_interrupt_before_the_first_game_is_told_as_such() {
    let workshop = cup("sh tell.sh", "");
    workshop.write("silent.sh", "echo > tried; sleep 600\n");
    let file = workshop
        .read("cup.yaml")
        .replace("{builtin: greedy}", "{name: silent, cmd: sh silent.sh, sandbox: none}");
    workshop.write("cup.yaml", &file);
    let run = workshop.start(&["run", "cup.yaml"]);
    assert!(wait_until(|| workshop.path("tried").exists()), "the bot was not started");
    signal(&run, Signal::INT);
    Ended::new(run.wait_with_output().expect("it ends")).expect(130);
    let events = told(&workshop);
    assert_eq!((words(&events), &events[0]["reason"]), (vec!["run-stopped"], &"interrupted".into()));
    assert_eq!(events[0]["detail"], "interrupted while the bots were tried");
}

#[test]
fn who_cannot_be_told_is_refused_before_the_run() {
    let workshop = cup("./none.sh", "");
    let end = workshop.run(&["run", "cup.yaml"]).expect(2);
    assert!(end.stderr.contains("on-event") && end.stderr.contains("none.sh"), "{}", end.stderr);
    let end = workshop.run(&["run", "cup.yaml", "--on-event", "./none.sh"]).expect(2);
    assert_eq!(end.stderr.matches("on-event").count(), 1, "{}", end.stderr);
    assert!(end.stderr.contains("`--on-event`") && end.stderr.contains("none.sh"), "{}", end.stderr);
    let workshop = cup("sh tell.sh", "webhook: chat.example\n");
    let end = workshop.run(&["run", "cup.yaml"]).expect(2);
    assert!(end.stderr.contains("this is no address that begins with `https://`"), "{}", end.stderr);
    let end = workshop.run(&["run", "cup.yaml", "--webhook", "chat.example"]).expect(2);
    assert_eq!(end.stderr.matches("webhook").count(), 1, "{}", end.stderr);
    // What is no command for a program is told as it is written on one line, which is all that the key takes.
    let end = workshop.run(&["run", "cup.yaml", "--on-event", "cat > told"]).expect(2);
    assert!(end.stderr.contains("`sh -c 'cat > told'` starts one"), "{}", end.stderr);
    let end = workshop.run(&["run", "cup.yaml", "--on-event", "sh none.sh"]).expect(2);
    assert!(end.stderr.contains("file `none.sh` does not exist"), "{}", end.stderr);
}
