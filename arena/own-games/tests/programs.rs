//! Programs of all kinds, mostly broken ones: what each comes to, and that no process stays.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use own_games::CarrierFaultKind::{self, Arena, Died, Interrupted, NotAnAnswer, Start, TooSlow};
use own_games::{ProgramLimits, RulesCarrier as _, RulesProgram};
use processes::{Direct, ProcessSpec};
use tempfile::TempDir;

/// Long enough for a program on a busy machine.
const PATIENT: ProgramLimits = ProgramLimits { answer: Duration::from_secs(60) };

/// Short enough to wait for.
const HASTY: ProgramLimits = ProgramLimits { answer: Duration::from_millis(400) };

/// Answers every line with itself.
const ECHO: &str = r#"while read -r line; do printf '%s\n' "$line"; done"#;

/// A program for `sh`, in a directory of its own in which every process leaves its number.
struct Site {
    dir: TempDir,
    program: RulesProgram,
}

impl Site {
    fn new(script: &str, limits: ProgramLimits) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let script = format!("echo $$ >> processes\n{script}");
        let spec =
            ProcessSpec { args: vec!["-c".into(), script.into()], ..ProcessSpec::new("/bin/sh", dir.path()) };
        let program = RulesProgram::new(spec, &Direct, limits).expect("a thread");
        Self { dir, program }
    }

    /// Returns the numbers of all processes that were started.
    fn processes(&self) -> Vec<i32> {
        let text = fs::read_to_string(self.dir.path().join("processes")).unwrap_or_default();
        text.lines().map(|line| line.parse().expect("a number")).collect()
    }
}

fn is_running(process: i32) -> bool {
    let process = rustix::process::Pid::from_raw(process).expect("a number of a process");
    rustix::process::test_kill_process(process).is_ok()
}

/// Asks until there is no answer; returns how often there was one, and what was wrong then.
fn fault(script: &str, limits: ProgramLimits) -> (usize, CarrierFaultKind, String, Vec<String>) {
    let site = Site::new(script, limits);
    for count in 0..10 {
        match site.program.ask("position dao startpos") {
            Ok(answer) => assert_eq!(answer, "position dao startpos"),
            Err(fault) => {
                // The process that failed is gone before anybody is told.
                assert_eq!(site.processes().into_iter().filter(|it| is_running(*it)).count(), 0, "{script}");
                return (count, fault.kind(), fault.to_string(), fault.stderr().to_vec());
            }
        }
    }
    panic!("nothing is wrong with {script}");
}

#[test]
fn a_program_answers_and_is_started_once() {
    let site = Site::new(ECHO, PATIENT);
    for question in ["about", "position dao startpos; legal dao startpos moves é", &"x".repeat(60_000)] {
        assert_eq!(site.program.ask(question).as_deref(), Ok(question));
    }
    let processes = site.processes();
    assert_eq!(processes.len(), 1);
    assert!(is_running(processes[0]));
    drop(site.program);
    assert!(!is_running(processes[0]));
}

#[test]
fn long_lines_pass_in_both_directions() {
    // More than a pipe holds: nobody may wait for the other.
    let site = Site::new("cat", PATIENT);
    let question = "x".repeat(1024 * 1024);
    for _ in 0..3 {
        assert_eq!(site.program.ask(&question).as_ref().map(String::len), Ok(question.len()));
    }
    // A carriage return at the end belongs to the end of the line.
    let site = Site::new(r#"while read -r line; do printf '%s\r\n' "$line"; done"#, PATIENT);
    assert_eq!(site.program.ask("about").as_deref(), Ok("about"));
}

#[test]
fn a_program_that_does_not_answer_is_told_apart_by_what_it_does_instead() {
    let answer = r#"read -r line; printf '%s\n' "$line""#;
    let stderr = |lines: &[&str]| lines.iter().map(|line| (*line).to_owned()).collect::<Vec<_>>();
    let too_long = "answered with more than 1 MiB";
    let cases: Vec<(String, usize, CarrierFaultKind, &str, Vec<String>)> = vec![
        ("exit 3".into(), 0, Died, "ended (exit 3) instead of answering", stderr(&[])),
        (
            "echo 'no board' >&2; read -r line; echo \"no $line\" >&2; exit 1".into(),
            0,
            Died,
            "ended (exit 1) instead of answering",
            stderr(&["no board", "no position dao startpos"]),
        ),
        (
            format!("{answer}; {answer}; {answer}"),
            3,
            Died,
            "ended (exit 0) instead of answering",
            stderr(&[]),
        ),
        (
            "read -r line; kill -SEGV $$".into(),
            0,
            Died,
            "ended (signal 11) instead of answering",
            stderr(&[]),
        ),
        (
            "read -r line; printf '{\"game\":'; exit 0".into(),
            0,
            Died,
            "ended (exit 0) instead of answering, after a line that has no end: `{\"game\":`",
            stderr(&[]),
        ),
        // A child holds its pipes.
        (
            "sleep 60 & read -r line; exit 3".into(),
            0,
            Died,
            "ended (exit 3) instead of answering",
            stderr(&[]),
        ),
        (
            "read -r line; exec >&-; sleep 60".into(),
            0,
            Died,
            "closed their standard output instead of answering",
            stderr(&[]),
        ),
        (
            format!(r#"{answer}; {answer}; read -r line; printf '%s\nagain\n' "$line"; sleep 60"#),
            2,
            NotAnAnswer,
            "wrote what nobody had asked for: `again\\x0a`",
            stderr(&[]),
        ),
        (
            "read -r line; printf '{}\\n{}\\n'; sleep 60".into(),
            0,
            NotAnAnswer,
            "wrote what nobody had asked for: `{}\\x0a`",
            stderr(&[]),
        ),
        ("read -r line; echo; sleep 60".into(), 0, NotAnAnswer, "answered an empty line", stderr(&[])),
        (
            "read -r line; printf '{\\377}\\n'; sleep 60".into(),
            0,
            NotAnAnswer,
            "answered what is not UTF-8 from byte 1 on: `\\xff}`",
            stderr(&[]),
        ),
        (
            "read -r line; printf '{}\\r{}\\n'; sleep 60".into(),
            0,
            NotAnAnswer,
            "answered with a line break at byte 2: `{}\\x0d{}`",
            stderr(&[]),
        ),
        (
            "read -r line; head -c 1048577 /dev/zero; echo; sleep 60".into(),
            0,
            NotAnAnswer,
            too_long,
            stderr(&[]),
        ),
        ("read -r line; cat /dev/zero".into(), 0, NotAnAnswer, too_long, stderr(&[])),
        ("read -r line; tr '\\0' x < /dev/zero".into(), 0, NotAnAnswer, too_long, stderr(&[])),
    ];
    for (script, answers, kind, words, stderr) in cases {
        let found = fault(&script, PATIENT);
        assert_eq!(found, (answers, kind, words.to_owned(), stderr), "{script}");
    }
}

#[test]
fn a_line_after_the_answer_is_found_before_the_next_question() {
    let wait = "until [ -e go ]; do sleep 0.01; done";
    let script = format!(r#"read -r line; printf '%s\n' "$line"; {wait}; echo again; : > said; sleep 60"#);
    let site = Site::new(&script, PATIENT);
    assert_eq!(site.program.ask("about").as_deref(), Ok("about"));
    fs::write(site.dir.path().join("go"), "").expect("a file is written");
    while !site.dir.path().join("said").exists() {
        thread::yield_now();
    }
    let fault = site.program.ask("games").expect_err("a line waits that answers nothing");
    assert_eq!(fault.to_string(), r"wrote what nobody had asked for: `again\x0a`");
}

#[test]
fn a_program_that_takes_too_long_is_ended() {
    for (script, words) in [
        ("sleep 60", "did not answer within 400ms"),
        ("read -r line; sleep 60", "did not answer within 400ms"),
        ("read -r line; printf '{\"game\":'; sleep 60", "did not answer within 400ms"),
        // Every byte in time, the line never.
        ("read -r line; while printf .; do sleep 0.05; done", "did not answer within 400ms"),
        ("trap '' TERM HUP INT; while :; do sleep 1; done", "did not answer within 400ms"),
        ("while :; do :; done", "did not answer within 400ms"),
        (
            "while read -r line; do kept=$line; done; echo \"$kept\"",
            "did not answer within 400ms, but when their input was closed: flush stdout after every line",
        ),
    ] {
        let began = Instant::now();
        let (_, kind, found, _) = fault(script, HASTY);
        assert_eq!((kind, found.as_str()), (TooSlow, words), "{script}");
        assert!(began.elapsed() >= HASTY.answer);
    }
}

#[test]
fn a_program_that_complains_without_end_answers_all_the_same() {
    let script = format!("(while :; do echo 'I must say'; done >&2) & {ECHO}");
    let site = Site::new(&script, PATIENT);
    for number in 0..200 {
        let question = format!("question {number}");
        assert_eq!(site.program.ask(&question).as_deref(), Ok(&*question));
    }
}

#[test]
fn what_cannot_be_started_is_a_fault_of_the_start() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("rules.sh");
    fs::write(&file, "#!/bin/sh\ncat\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    let broken = dir.path().join("broken");
    fs::write(&broken, "#!/nowhere/python3\n").unwrap();
    fs::set_permissions(&broken, fs::Permissions::from_mode(0o755)).unwrap();
    let ask = |path: &Path, dir: &Path| {
        let program = RulesProgram::new(ProcessSpec::new(path, dir), &Direct, PATIENT).unwrap();
        let fault = program.ask("about").expect_err("it cannot be started");
        (fault.kind(), fault.to_string())
    };
    let missing = "cannot be started: No such file or directory (os error 2)".to_owned();
    let forbidden = "cannot be started: Permission denied (os error 13)".to_owned();
    assert_eq!(ask("/nowhere/rules".as_ref(), dir.path()), (Start, missing.clone()));
    assert_eq!(ask(&broken, dir.path()), (Start, missing.clone()));
    assert_eq!(ask("/bin/cat".as_ref(), "/nowhere".as_ref()), (Start, missing));
    assert_eq!(ask(&file, dir.path()), (Start, forbidden.clone()));
    assert_eq!(ask(dir.path(), dir.path()), (Start, forbidden));
}

#[test]
fn after_a_fault_the_next_question_is_put_to_a_new_process() {
    // Fails at the second question of each process.
    let script = r#"read -r line; printf '%s\n' "$line"; read -r line; exit 7"#;
    let site = Site::new(script, PATIENT);
    for number in 0..6 {
        let answer = site.program.ask("about");
        let expected = if number % 2 == 0 { Ok("about") } else { Err(Died) };
        assert_eq!(answer.as_deref().map_err(own_games::CarrierFault::kind), expected);
    }
    assert_eq!(site.processes().len(), 3);
}

#[test]
fn questions_at_one_time_go_to_processes_of_their_own() {
    let site = Arc::new(Site::new(&format!("sleep 0.2; {ECHO}"), PATIENT));
    let askers = (0..6).map(|asker| {
        let site = Arc::clone(&site);
        thread::spawn(move || {
            for number in 0..50 {
                let question = format!("{asker} asks {number}");
                assert_eq!(site.program.ask(&question).as_deref(), Ok(&*question));
            }
        })
    });
    askers.collect::<Vec<_>>().into_iter().for_each(|asker| asker.join().expect("every answer is right"));
    let processes = site.processes();
    assert!((2..=6).contains(&processes.len()), "{processes:?}");
    drop(site);
    assert!(!processes.into_iter().any(is_running));
}

#[test]
fn a_question_that_is_interrupted_keeps_nobody_waiting() {
    let site = Arc::new(Site::new("read -r line; sleep 60", PATIENT));
    let asker = {
        let site = Arc::clone(&site);
        thread::spawn(move || site.program.ask("about").map_err(|fault| fault.kind()))
    };
    while site.processes().is_empty() {
        thread::yield_now();
    }
    site.program.interrupt();
    assert_eq!(site.processes().into_iter().filter(|process| is_running(*process)).count(), 0);
    assert_eq!(asker.join().expect("it is told"), Err(Interrupted));
    // What comes after that is asked of another process.
    let asker = {
        let site = Arc::clone(&site);
        thread::spawn(move || site.program.ask("about").map_err(|fault| fault.kind()))
    };
    while site.processes().len() < 2 {
        thread::yield_now();
    }
    site.program.interrupt();
    assert_eq!(asker.join().expect("it is told"), Err(Interrupted));
}

#[test]
fn a_question_of_two_lines_is_never_asked() {
    let site = Site::new(ECHO, PATIENT);
    assert_eq!(site.program.ask("about\ngames").map_err(|fault| fault.kind()), Err(Arena));
    assert!(site.processes().is_empty());
}

/// Where the system tells of processes, a busy machine or a rest makes no rules slow.
#[test]
#[cfg(target_os = "linux")]
fn the_processor_time_of_a_program_is_that_of_its_work_and_not_of_its_waiting() {
    let site = Site::new(
        r#"while read -r line; do
            if [ "$line" = work ]; then i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; else sleep 1; fi
            printf '%s\n' "$line"
        done"#,
        PATIENT,
    );
    assert_eq!(site.program.cpu(), None, "no process has been started");
    let used = |question: &str| {
        let before = site.program.cpu().unwrap_or_default();
        site.program.ask(question).expect("an answer");
        site.program.cpu().expect("a process that runs").saturating_sub(before)
    };
    let (rest, work) = (used("rest"), used("work"));
    assert!(rest < Duration::from_millis(500), "a second of sleep took {rest:?}");
    assert!(work > Duration::from_millis(10), "{work:?}");
}
