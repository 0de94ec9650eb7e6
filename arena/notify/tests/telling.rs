//! Commands that do what they should, fail, hang and flood.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use notify::{CommandLine, Notice, Notifier, Recipients, RunName, StopReason};

fn recipients(script: &str, directory: &Path) -> Recipients {
    let words = ["sh", "-c", script].map(str::to_owned).to_vec();
    let command = CommandLine { words, directory: directory.to_owned() };
    Recipients { command: Some(command), deadline: Duration::from_secs(2), ..Recipients::default() }
}

fn run() -> RunName {
    RunName { name: "c\u{fc}p".to_owned(), format: "swiss".to_owned(), directory: "/results/cup".into() }
}

fn stopped() -> Notice {
    let (reason, detail) = (StopReason::Interrupted, "two games are left".to_owned());
    Notice::RunStopped { reason, detail, games_recorded: Some(4), games_left: Some(2) }
}

#[test]
fn a_command_gets_each_event_in_order_as_a_line_of_json() {
    let folder = tempfile::tempdir().expect("there is room");
    let mut notifier =
        Notifier::open(&recipients("{ echo $ARENA_EVENT; cat; } >> told.txt", folder.path()), run(), || 0);
    notifier.tell(&Notice::RunStarted { games_recorded: 0, games_left: 6, bots: 3 });
    notifier.tell(&Notice::BotWithdrawn { bot: "a \"b\"".to_owned(), game: 3, faults: 20 });
    notifier.tell(&stopped());
    assert_eq!(notifier.close(), Vec::<String>::new());
    let told = fs::read_to_string(folder.path().join("told.txt")).expect("the command wrote it");
    let lines: Vec<_> = told.lines().collect();
    assert_eq!([lines[0], lines[2], lines[4]], ["run-started", "bot-withdrawn", "run-stopped"]);
    let event: serde_json::Value = serde_json::from_str(lines[5]).expect("it is JSON");
    assert_eq!(event["event"], "run-stopped");
    assert_eq!((&event["reason"], &event["games_left"]), (&"interrupted".into(), &2.into()));
    assert_eq!((&event["run"]["name"], &event["format"]), (&"c\u{fc}p".into(), &1.into()));
}

#[test]
fn a_command_that_fails_costs_a_complaint_with_its_last_words() {
    let folder = tempfile::tempdir().expect("there is room");
    for (script, part) in [
        ("echo first >&2; echo 'no route to chat' >&2; exit 3", "exit status: 3: no route to chat"),
        ("kill -9 $$", "signal: 9"),
        ("head -c 5000000 /dev/zero >&2; exit 1", "exit status: 1"),
    ] {
        let mut notifier = Notifier::open(&recipients(script, folder.path()), run(), || 0);
        notifier.tell(&stopped());
        let complaints = notifier.close();
        assert!(complaints.len() == 1 && complaints[0].contains(part), "{script}: {complaints:?}");
    }
    let absent = CommandLine { words: vec!["no-such-program".to_owned()], directory: ".".into() };
    let mut notifier =
        Notifier::open(&Recipients { command: Some(absent), ..Recipients::default() }, run(), || 0);
    notifier.tell(&stopped());
    let complaints = notifier.close();
    assert!(complaints.len() == 1 && complaints[0].contains("cannot be started"), "{complaints:?}");
}

#[test]
fn a_command_that_hangs_is_killed_with_what_it_started_and_telling_does_not_wait() {
    let folder = tempfile::tempdir().expect("there is room");
    let mut notifier =
        Notifier::open(&recipients("sleep 600 & echo $! > child; sleep 600", folder.path()), run(), || 0);
    let began = Instant::now();
    for _ in 0..1000 {
        notifier.tell(&stopped());
    }
    assert!(began.elapsed() < Duration::from_secs(1), "{:?}", began.elapsed());
    let complaints = notifier.close();
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    assert!(complaints.iter().any(|complaint| complaint.contains("did not end within 2s")), "{complaints:?}");
    assert!(
        complaints.iter().any(|complaint| complaint.contains("256 events are waiting")),
        "{complaints:?}"
    );
    is_killed(folder.path());
}

#[test]
fn a_second_interruption_kills_what_is_told_and_ends_telling() {
    let folder = tempfile::tempdir().expect("there is room");
    let hanging = CommandLine {
        words: ["sh", "-c", "sleep 600 & echo $! > new; mv new child; sleep 600"].map(str::to_owned).to_vec(),
        directory: folder.path().to_owned(),
    };
    // The deadline of an event is beyond that of this test.
    let deadline = Duration::from_secs(3600);
    let recipients = Recipients { command: Some(hanging), deadline, ..Recipients::default() };
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    let mut notifier = Notifier::open(&recipients, run(), move || counted.load(Ordering::SeqCst));
    notifier.tell(&Notice::RunStarted { games_recorded: 0, games_left: 6, bots: 3 });
    notifier.tell(&Notice::RunEnded { games_recorded: 6, games_left: 0, left_out: Vec::new() });
    let mut complaints = Vec::new();
    let wait = |is_so: &mut dyn FnMut() -> bool| {
        let deadline = Instant::now() + Duration::from_secs(60);
        while !is_so() {
            assert!(Instant::now() < deadline);
            thread::sleep(Duration::from_millis(10));
        }
    };
    wait(&mut || folder.path().join("child").exists());
    count.store(1, Ordering::SeqCst);
    thread::sleep(Duration::from_millis(200));
    assert_eq!(notifier.complaints(), Vec::<String>::new(), "the first lets it go on");
    count.store(2, Ordering::SeqCst);
    // While the run still plays.
    wait(&mut || {
        complaints.extend(notifier.complaints());
        complaints.len() == 2
    });
    is_killed(folder.path());
    notifier.tell(&stopped());
    complaints.extend(notifier.close());
    assert_eq!(
        complaints,
        [
            "`on-event` (run-started): it was killed: the run was interrupted",
            "`run-ended` is not told: the run was interrupted",
            "`run-stopped` is not told: the run was interrupted",
        ]
    );
}

#[test]
fn an_interruption_ends_the_last_wait() {
    let folder = tempfile::tempdir().expect("there is room");
    for before in [0, 1, 5] {
        let deadline = Duration::from_secs(3600);
        let recipients = Recipients { deadline, ..recipients("echo > began; sleep 600", folder.path()) };
        let began = folder.path().join("began");
        let (at, caller) = (began.clone(), thread::current().id());
        // The last wait begins with a first look, and then the user interrupts.
        let has_looked = AtomicBool::new(false);
        let mut notifier = Notifier::open(&recipients, run(), move || {
            let is_waiting = if thread::current().id() == caller {
                has_looked.swap(true, Ordering::SeqCst)
            } else {
                has_looked.load(Ordering::SeqCst)
            };
            before + usize::from(is_waiting && at.exists())
        });
        notifier.tell(&stopped());
        let complaints = notifier.close();
        assert!(
            complaints.len() == 1 && complaints[0].ends_with(": the run was interrupted"),
            "{before}: {complaints:?}"
        );
        let _ = fs::remove_file(began);
    }
}

/// Waits until the child of a command is gone.
fn is_killed(folder: &Path) {
    let child = fs::read_to_string(folder.join("child")).expect("it began");
    // It is killed; on a busy machine it may still have to be scheduled to end.
    let deadline = Instant::now() + Duration::from_secs(30);
    loop {
        let status = fs::read_to_string(format!("/proc/{}/status", child.trim())).unwrap_or_default();
        if status.is_empty() || status.contains("State:\tZ") {
            break;
        }
        assert!(Instant::now() < deadline, "{status}");
        thread::yield_now();
    }
}

#[test]
fn nobody_is_told_at_no_cost() {
    let mut notifier = Notifier::open(&Recipients::default(), run(), || 0);
    notifier.tell(&stopped());
    assert_eq!((notifier.complaints(), notifier.close()), (Vec::new(), Vec::new()));
}
