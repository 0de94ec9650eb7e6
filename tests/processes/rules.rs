//! Programs with the rules of a game of one's own: whatever they start, none outlives its question, its run, or the arena.

use std::num::NonZeroU32;
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use own_games::CarrierFaultKind::{Died, Resources, TooSlow};
use own_games::{ProgramLimits, RulesCarrier as _, RulesProgram};
use processes::{Guarded, ProcessLimits, ProcessSpec};

use crate::place::{MARK, PATIENCE, Place, wait_until};

/// Returns a script for `sh` as rules, under a guard.
fn rules(place: &Place, script: &str, limits: ProcessLimits, answer: Duration) -> RulesProgram {
    let launcher = Guarded::with_program(env!("CARGO_BIN_EXE_arena")).expect("the system has guards");
    let spec = ProcessSpec {
        args: vec!["-c".into(), script.into()],
        env: vec![(MARK.into(), place.path().into())],
        limits,
        ..ProcessSpec::new("/bin/sh", place.path())
    };
    RulesProgram::new(spec, Box::leak(Box::new(launcher)), ProgramLimits { answer }).expect("a thread")
}

#[test]
fn whatever_rules_start_ends_with_their_fault() {
    let unlimited = ProcessLimits::default();
    let memory = ProcessLimits { memory_kib: Some(64 * 1024), ..unlimited };
    let processes = ProcessLimits { processes: NonZeroU32::new(20), ..unlimited };
    let eater = "python3 -c 'kept = []\nwhile True: kept.append(bytes(1 << 20))'";
    for (script, limits, kind, words) in [
        (
            "setsid tail -f /dev/null & tail -f /dev/null & read -r line; exit 3",
            unlimited,
            Died,
            "ended (exit 3) instead of answering",
        ),
        (
            "(setsid sh -c 'trap \"\" TERM; tail -f /dev/null' >/dev/null 2>&1 &); read -r line; kill -9 $$",
            unlimited,
            Died,
            "ended (signal 9) instead of answering",
        ),
        (
            "read -r line; trap '' TERM INT HUP; while :; do :; done",
            unlimited,
            TooSlow,
            "did not answer within 3s",
        ),
        ("kill -STOP $$; tail -f /dev/null", unlimited, TooSlow, "did not answer within 3s"),
        (eater, memory, Resources, "exceeded their limit of 64 MiB of memory"),
        (
            "n=0; while [ $n -lt 40 ]; do sleep 100 & n=$((n + 1)); done; wait",
            processes,
            Resources,
            "exceeded their limit of 20 processes",
        ),
    ] {
        let place = Place::new();
        let patience = if kind == TooSlow { Duration::from_secs(3) } else { PATIENCE };
        let rules = rules(&place, script, limits, patience);
        let fault = rules.ask("about").expect_err(words);
        assert_eq!((fault.to_string().as_str(), fault.kind()), (words, kind), "{script}");
        assert!(place.running().is_empty(), "{script}: {:?}", place.running());
    }
}

#[test]
fn rules_that_are_not_needed_any_more_leave_nothing() {
    let place = Place::new();
    let script = "setsid tail -f /dev/null & while read -r line; do echo \"$line\"; done; tail -f /dev/null";
    let rules = rules(&place, script, ProcessLimits::default(), PATIENCE);
    assert_eq!(rules.ask("about").as_deref(), Ok("about"));
    assert!(!place.running().is_empty());
    drop(rules);
    assert!(place.running().is_empty(), "{:?}", place.running());
}

/// The rules of a game without an end, which leave a daemon behind and say that they have been asked.
const ENDLESS: &str = r#"
(setsid tail -f /dev/null >/dev/null 2>&1 &)
while read -r word rest; do
  case $word in
    about) echo '{"format":2,"name":"endless"}' ;;
    games) echo '[{"game":"endless","title":"Endless","about":"nobody wins"}]' ;;
    *) echo '{"position":"p","seat":"p1","legal":["a1"]}' ;;
  esac
done
tail -f /dev/null
"#;

/// Plays the only ply, and says so.
const BOT: &str = r#"
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo "plays *"; echo ugiok ;;
    isready) echo readyok ;;
    go) : > played; sleep 0.05; echo "bestmove a1" ;;
    quit) exit ;;
  esac
done
"#;

#[test]
fn rules_end_with_an_arena_that_is_killed_or_interrupted() {
    for signal in [rustix::process::Signal::KILL, rustix::process::Signal::INT] {
        let place = Place::new();
        place.write("endless.sh", ENDLESS);
        place.write("bot.sh", BOT);
        let mut arena = place.play(
            "name: cup\nsandbox: none\ngames: [{rules: [sh, endless.sh]}]\nbots:\n  - {name: one, cmd: [sh, bot.sh]}\n  \
             - {name: two, cmd: [sh, bot.sh]}\nrounds: 2\ntc: 600+1\nconcurrency: 2\nopenings: {plies: 0, repeat: true}\nout: out\n",
            Stdio::null(),
        );
        assert!(wait_until(|| place.path().join("played").exists()), "no ply is played");
        let number = rustix::process::Pid::from_raw(i32::try_from(arena.id()).expect("a number"));
        let number = number.expect("it runs");
        rustix::process::kill_process(number, signal).expect("it is there");
        // The first interruption waits for the games, which have no end; the second does not.
        thread::sleep(Duration::from_millis(500));
        let _ = rustix::process::kill_process(number, signal);
        assert!(wait_until(|| arena.try_wait().expect("it is a child").is_some()), "the arena goes on");
        place.wait_until_empty();
    }
}
