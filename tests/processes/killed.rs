//! The arena is killed, or its guards are.

use std::fs;
use std::process::{Child, Stdio};
use std::thread;
use std::time::Duration;

use record::Termination;

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
        assert_eq!(game.result, record::GameResult::None);
        let detail = game.detail.as_deref().unwrap_or_default();
        assert!(detail.starts_with("`bad` lost the guard of its process"), "{detail}");
    }
    assert_tidy(&place, arena.id());
}

/// Plays, and says its number.
const VICTIM: &str = r#"
echo $$ > victim
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo "want legal"; echo ugiok ;;
    isready) echo readyok ;;
    legal) set -- $rest; ply=$1 ;;
    go) echo "bestmove $ply" ;;
    quit) exit ;;
  esac
done
"#;

#[test]
fn who_stops_its_opponent_wins_nothing_by_that() {
    let place = Place::new();
    place.write("victim.sh", VICTIM);
    place.write(
        "bad.sh",
        &VICTIM.replace("echo $$ > victim", "").replace("go)", "go) kill -STOP $(cat victim);"),
    );
    let cup = "name: cup\nsandbox: none\ngames: [farook]\nbots:\n  - {name: bad, cmd: [sh, bad.sh]}\n  - {name: victim, cmd: [sh, victim.sh]}\n\
               rounds: 2\ntc: movetime 20s\nout: out\n";
    let mut arena = place.play(cup, Stdio::null());
    assert!(arena.wait().expect("it ends").success());
    let contents = record::read(&place.path().join("out")).expect("a journal");
    assert_eq!(contents.games.len(), 4);
    for game in &contents.games {
        assert!(matches!(game.reason, Termination::Rules(_)), "{}: {:?}", game.reason, game.detail);
    }
    assert_tidy(&place, arena.id());
}

/// Stops its guard, and goes on.
const STOPPING: &str = r#"
setsid tail -f /dev/null &
kill -STOP $PPID
touch stopped
exec tail -f /dev/null
"#;

#[test]
fn who_has_stopped_its_guard_dies_with_the_arena() {
    let place = Place::new();
    let mut arena = start(&place, STOPPING);
    assert!(wait_until(|| place.path().join("stopped").exists()));
    arena.kill().expect("it is killed");
    arena.wait().expect("it is reaped");
    assert_tidy(&place, arena.id());
}

/// Stops its guard again and again, so that it has no time to do anything.
const STUBBORN: &str = r#"
setsid sh -c "while kill -STOP $PPID; do touch stopped; done" &
exec tail -f /dev/null
"#;

#[test]
fn who_goes_on_stopping_its_guard_is_ended_by_the_next_arena() {
    let place = Place::new();
    let mut arena = start(&place, STUBBORN);
    assert!(wait_until(|| place.path().join("stopped").exists()));
    arena.kill().expect("it is killed");
    arena.wait().expect("it is reaped");
    assert!(start(&place.another(), MESSY).wait().expect("it ends").success());
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
    // The next arena with the same temporary files, whatever it plays, finds its private directory and who has it.
    let next = place.another();
    next.write("bot.sh", MESSY);
    let cup = "name: cup\nsandbox: none\ngames: [farook]\nbots:\n  - {name: bad, cmd: [sh, bot.sh]}\n  - {name: good, builtin: greedy}\n\
               rounds: 1\ntc: 60+1\nout: out\n";
    let mut arena_next = next.play_with_rooms(cup, &place.path().join("rooms"), Stdio::null());
    assert!(arena_next.wait().expect("it ends").success());
    place.wait_until_empty();
    assert!(wait_until(|| fs::read_dir(place.path().join("rooms")).expect("it is there").next().is_none()));
    // The first one that limits a bot removes the groups.
    assert!(start(&place.another(), MESSY).wait().expect("it ends").success());
    assert_tidy(&place, arena.id());
}
