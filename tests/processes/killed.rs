//! The arena is killed, or its guards are.

use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use record::Termination;
use runner::control_groups;

use crate::place::{Place, groups_of, wait_until};

/// Leaves a daemon and a child behind before it plays.
const MESSY: &str = r#"
(setsid tail -f /dev/null >/dev/null 2>&1 &)
tail -f /dev/null &
mkdir -p "$TMPDIR/kept"
trap '' TERM
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo "want legal"; echo ugiok ;;
    isready) echo readyok ;;
    legal) set -- $rest; ply=$1 ;;
    go) echo "bestmove $ply" ;;
  esac
done
"#;

/// Kills its own guard in its second decision.
const TREACHEROUS: &str = r#"
count=0
setsid tail -f /dev/null &
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo "want legal"; echo ugiok ;;
    isready) echo readyok ;;
    legal) set -- $rest; ply=$1 ;;
    go) count=$((count + 1)); if [ $count -gt 1 ]; then kill -KILL $PPID; sleep 1000; fi; echo "bestmove $ply" ;;
    quit) exit ;;
  esac
done
"#;

fn start(place: &Place, bot: &str) -> Child {
    place.write("bot.sh", bot);
    place.play(
        "name: cup\nsandbox: none\nlimits: {memory: 1GiB, cpu: 1h, processes: 100}\ngames: [farook]\nbots:\n  - {name: bad, cmd: [sh, bot.sh]}\n  - {name: good, builtin: greedy}\n\
         rounds: 2\ntc: 60+1\nconcurrency: 2\nout: out\n",
        Stdio::null(),
    )
}

#[track_caller]
fn assert_tidy(place: &Place, arena: u32) {
    place.wait_until_empty();
    // A guard removes the directory of its bot last of all; it carries the mark itself, but hides what it carries.
    let rooms = place.path().join("rooms");
    let is_empty = || fs::read_dir(&rooms).expect("the directory").next().is_none();
    assert!(wait_until(is_empty), "a private directory is left");
    assert!(wait_until(|| groups_of(&[arena]).is_empty()), "{:?} are left", groups_of(&[arena]));
}

#[test]
fn a_killed_arena_leaves_nothing() {
    // From the very start of the first process to the middle of a game.
    for delay in [1, 3, 5, 8, 12, 20, 35, 60, 100, 170, 300] {
        let place = Place::new();
        let mut arena = start(&place, MESSY);
        thread::sleep(Duration::from_millis(delay));
        arena.kill().expect("it is killed");
        arena.wait().expect("it is reaped");
        assert_tidy(&place, arena.id());
    }
}

#[test]
fn a_finished_run_leaves_nothing() {
    let place = Place::new();
    let mut arena = start(&place, MESSY);
    assert!(arena.wait().expect("it ends").success());
    assert_tidy(&place, arena.id());
}

#[test]
fn a_game_whose_guard_was_killed_does_not_count_and_nobody_is_blamed() {
    let place = Place::new();
    let mut arena = start(&place, TREACHEROUS);
    arena.wait().expect("it ends");
    let contents = record::read(&place.path().join("out")).expect("a journal");
    assert_eq!(contents.games.len(), 4);
    for game in &contents.games {
        assert_eq!(game.reason, Termination::ArenaError, "{:?}", game.detail);
        assert_eq!(game.result, record::Result::None);
        let detail = game.detail.as_deref().unwrap_or_default();
        assert!(detail.starts_with("`bad` lost the guard of its process"), "{detail}");
    }
    assert_tidy(&place, arena.id());
}

/// Kills its own guard and the arena, unless another one has killed that before, and goes on.
const RUTHLESS: &str = r#"
setsid tail -f /dev/null &
arena=$(ps -o ppid= -p $PPID)
grep -q cup.yaml /proc/$arena/cmdline && kill -KILL $PPID $arena
exec tail -f /dev/null
"#;

#[test]
fn who_has_killed_its_guard_and_the_arena_is_ended_by_the_next_arena() {
    let place = Place::new();
    let mut arena = start(&place, RUTHLESS);
    arena.wait().expect("it is killed");
    let kill = control_groups().in_force().is_some_and(|what| what.contains("kill"));
    println!("judged: that the next arena ends what two murders have left: {kill}");
    if kill {
        // Of any tournament, as soon as it starts somebody who is limited: that of another test may have done it already.
        assert!(start(&place.another(), MESSY).wait().expect("it ends").success());
        place.wait_until_empty();
        assert!(wait_until(|| groups_of(&[arena.id()]).is_empty()), "{:?}", groups_of(&[arena.id()]));
    } else {
        // Nothing is promised of that without groups.
        for process in place.running() {
            let number = process.file_name().and_then(|name| name.to_str()?.parse().ok());
            let number = number.and_then(rustix::process::Pid::from_raw).expect("a number");
            // Another guard may have killed it meanwhile.
            let _ = rustix::process::kill_process(number, rustix::process::Signal::KILL);
        }
        place.wait_until_empty();
    }
}
