//! The life of one bot under its guard.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Instant;

use processes::Direct;
use runner::{Caught, Control, ExitReport, Wires};

use crate::place::{PATIENCE, Place, line};

/// Runs a script until it says `ready`, kills it, and looks that nothing is left.
#[track_caller]
fn leaves_nothing(script: &str) -> ExitReport {
    let place = Place::new();
    let mut wire = place.start(script);
    while line(&mut wire) != "ready" {}
    assert!(!place.running().is_empty(), "it runs with its mark");
    let remains = wire.kill();
    // The guard has gone only after everybody else.
    assert_eq!(place.running(), Vec::<std::path::PathBuf>::new());
    remains
}

#[test]
fn a_daemon_of_its_own_session_dies_with_its_bot() {
    leaves_nothing("(setsid setsid tail -f /dev/null >/dev/null 2>&1 &)\necho ready\nexec tail -f /dev/null");
}

#[test]
fn who_ignores_signals_dies() {
    leaves_nothing("trap '' TERM INT HUP QUIT\ntail -f /dev/null &\necho ready\nwhile :; do wait; done");
}

#[test]
fn who_is_stopped_dies() {
    leaves_nothing("sh -c 'kill -STOP $$' &\nsetsid sh -c 'kill -STOP $$' &\necho ready\nkill -STOP $$");
}

#[test]
fn a_chain_of_processes_that_each_start_the_next_one_and_end_comes_to_its_end() {
    // Every link is a session of its own, and lives for a moment only.
    let chain = "printf '#!/bin/sh\\nsetsid \"$0\" >/dev/null 2>&1 &\\n' > chain\nchmod +x chain\n./chain\n\
                 echo ready\nexec tail -f /dev/null";
    leaves_nothing(chain);
}

#[test]
fn a_crowd_dies() {
    let crowd =
        "i=0\nwhile [ $i -lt 100 ]; do setsid tail -f /dev/null & i=$((i + 1)); done\necho ready\nwait";
    leaves_nothing(crowd);
}

#[test]
fn a_grandchild_that_holds_the_pipes_does_not_hide_the_end_of_its_bot() {
    let place = Place::new();
    let mut wire = place.start("setsid tail -f /dev/null &\necho ready\nexit 7");
    assert_eq!(line(&mut wire), "ready");
    let (caught, _) = wire.receive(Instant::now() + PATIENCE);
    assert_eq!(caught, Caught::Broken("ended"));
    assert_eq!(wire.ended(Instant::now() + PATIENCE).as_deref(), Some("exit 7"));
    assert_eq!(wire.kill().exit.as_deref(), Some("exit 7"));
    assert!(place.running().is_empty());
}

#[test]
fn how_a_bot_ended_is_told_faithfully() {
    for (end, told) in [("exit 0", "exit 0"), ("exit 255", "exit 255"), ("kill -TERM $$", "signal 15")] {
        let place = Place::new();
        let mut wire = place.start(&format!("echo last words >&2\n{end}"));
        assert_eq!(wire.ended(Instant::now() + PATIENCE).as_deref(), Some(told));
        let remains = wire.kill();
        assert_eq!((remains.exit.as_deref(), &*remains.stderr), (Some(told), &["last words".to_owned()][..]));
    }
}

#[test]
fn a_bot_that_was_killed_by_its_guard_has_not_ended_by_itself() {
    let remains = leaves_nothing("echo ready\nexec tail -f /dev/null");
    assert_eq!(remains.exit, None);
}

#[test]
fn what_cannot_be_started_fails_as_without_a_guard() {
    let place = Place::new();
    place.write("text", "no program");
    let mut nowhere = place.launch("/bin/sh", &["-c", "exit"]);
    nowhere.dir = place.path().join("nowhere");
    let launches = [place.launch("/no/such/program", &[]), place.launch("./text", &[]), nowhere];
    for launch in launches {
        let direct = Wires::new(&Direct, Control::new()).expect("a runtime").open(&launch, PATIENCE);
        let (direct, guarded) =
            (direct.err().expect("no process"), place.open(&launch).err().expect("no process"));
        assert_eq!(guarded.to_string(), direct.to_string());
        assert_eq!(guarded.raw_os_error(), direct.raw_os_error());
        assert!(place.running().is_empty());
    }
}

#[test]
fn a_bot_has_a_private_directory_while_it_runs() {
    let place = Place::new();
    let mut wire = place.start(
        "echo $TMPDIR\nmkdir -p $TMPDIR/a/b && echo text > $TMPDIR/a/b/file && chmod 0 $TMPDIR/a\nexec tail -f /dev/null",
    );
    let room = line(&mut wire);
    let mode = fs::metadata(&room).expect("it is there").permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
    let _ = wire.kill();
    assert!(!Path::new(&room).exists());
}

#[test]
fn a_private_directory_is_a_home_where_that_is_asked_for() {
    let place = Place::new();
    place.write("bot.sh", "echo $TMPDIR\necho $HOME\n");
    let mut launch = place.launch("/bin/sh", &["bot.sh"]);
    launch.is_private = true;
    let mut wire = place.open(&launch).expect("it starts");
    assert_eq!(line(&mut wire), line(&mut wire));
    let _ = wire.kill();
}

#[test]
fn a_prefix_stands_before_the_program() {
    let place = Place::new();
    let mut launch = place.launch("/bin/echo", &["a b"]);
    launch.prefix = ["/usr/bin/env", "-u", "ABP"].map(Into::into).to_vec();
    let mut wire = place.open(&launch).expect("it starts");
    assert_eq!(line(&mut wire), "a b");
    let _ = wire.kill();
}

#[test]
fn a_bot_has_no_descriptors_but_its_streams_and_no_terminal() {
    let place = Place::new();
    place.write("secret", "");
    // One that this process was given on purpose to be handed on, as a careless caller of the arena might do.
    let leak = fs::File::open(place.path().join("secret")).expect("it opens");
    rustix::io::fcntl_setfd(&leak, rustix::io::FdFlags::empty()).expect("it can be inherited");
    place.write("bot.sh", "ls -l /proc/$$/fd | grep -c /secret\nps -o tty=,pgid= -p $$ | tr -d ' '\necho $$");
    let launch = place.launch("/bin/sh", &["bot.sh"]);
    let mut direct =
        Wires::new(&Direct, Control::new()).expect("a runtime").open(&launch, PATIENCE).expect("it starts");
    assert_eq!(line(&mut direct), "1");
    let _ = direct.kill();
    let mut guarded = place.open(&launch).expect("it starts");
    assert_eq!(line(&mut guarded), "0");
    let (terminal, number) = (line(&mut guarded), line(&mut guarded));
    assert_eq!(terminal, format!("?{number}"));
    let _ = guarded.kill();
}

#[test]
fn a_guard_that_was_stopped_goes_on_when_it_is_needed() {
    let place = Place::new();
    let mut wire = place.start(
        "setsid tail -f /dev/null &\nread -r line\nkill -STOP $PPID\necho ready\nexec tail -f /dev/null",
    );
    // Not before its guard has told that it has started.
    wire.send("go\n");
    assert_eq!(line(&mut wire), "ready");
    let _ = wire.kill();
    assert!(place.running().is_empty());
}

#[test]
fn who_has_lost_its_guard_dies_by_the_arena() {
    let place = Place::new();
    let mut wire = place.start(
        "setsid tail -f /dev/null &\nread -r line\necho $TMPDIR\nkill -KILL $PPID\nexec tail -f /dev/null",
    );
    wire.send("go\n");
    let room = line(&mut wire);
    let (caught, _) = wire.receive(Instant::now() + PATIENCE);
    assert_eq!(caught, Caught::Broken("ended"));
    let remains = wire.kill();
    assert_eq!(remains.exit, None);
    place.wait_until_empty();
    assert!(!Path::new(&room).exists());
}
