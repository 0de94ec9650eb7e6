//! Guards and bots are killed at random instants while a tournament goes on.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Duration;

use record::Termination;
use rustix::process::{Pid, Signal, kill_process};

use crate::place::{Place, groups_of, wait_until};

/// How many processes are killed, where nobody says it with `ARENA_KILLS`.
const KILLS: usize = 30;

/// The longest pause between two kills, in milliseconds.
const PAUSE: u64 = 120;

/// Numbers that look random: xorshift64 of G. Marsaglia (Journal of Statistical Software 8, 2003).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

/// Returns a number that somebody has set, or another.
fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name)
        .ok()
        .map_or(otherwise, |text| text.parse().unwrap_or_else(|_| panic!("{name}={text}")))
}

/// Returns the guards below an arena, and the processes of the bot `greedy`.
fn targets(arena: u32) -> (Vec<i32>, Vec<i32>) {
    let children = |process: i32| {
        let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
        let lists = tasks.filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
        let numbers: Vec<i32> = lists
            .flat_map(|list| list.split_whitespace().filter_map(|it| it.parse().ok()).collect::<Vec<_>>())
            .collect();
        numbers
    };
    let guards = children(i32::try_from(arena).expect("a number"));
    let bots = guards.iter().flat_map(|guard| children(*guard)).filter(|bot| {
        let words = fs::read(format!("/proc/{bot}/cmdline")).unwrap_or_default();
        words.split(|byte| *byte == 0).any(|word| word == b"greedy")
    });
    let bots = bots.collect();
    (guards, bots)
}

/// `greedy` and any guard are killed; `random` is not, and so is never to blame. The sandbox and limits are those of a contest
/// among strangers, where bots have control groups if the system has them.
#[test]
fn a_tournament_bears_kills_at_random_instants() {
    let (kills, seed) = (number("ARENA_KILLS", KILLS as u64), number("ARENA_SEED", 7));
    // On a busy machine whoever kills may be slower than those who play.
    let is_enough = |factor: &u64| bears(kills, seed, kills * factor);
    assert!([3, 12, 48].iter().any(is_enough), "the tournament was always over before");
}

/// Checks a tournament in which so many processes are killed; returns whether so many were, before it was over.
fn bears(kills: u64, seed: u64, rounds: u64) -> bool {
    let place = Place::new();
    let rooms = place.path().join("rooms");
    let stderr = fs::File::create(place.path().join("stderr")).expect("a file");
    let mut child = place.play(
        &format!(
            "name: cup\ngames: [fanorona]\nbots: [{{builtin: greedy}}, {{builtin: random}}]\nrounds: {rounds}\ntc: 600+10\n\
             limits: {{memory: 2GiB, processes: 50}}\nconcurrency: 2\nmax-faults: none\nopenings: {{plies: 0, repeat: true}}\n\
             out: out\n"
        ),
        stderr.into(),
    );
    let arena = child.id();
    // Who cannot start at all stops a run before its first game, and rightly so.
    let has_begun =
        || record::read(&place.path().join("out")).is_ok_and(|contents| !contents.games.is_empty());
    assert!(wait_until(|| has_begun() || child.try_wait().is_ok_and(|status| status.is_some())));
    let mut chance = Chance(seed | 1);
    let (mut guards_killed, mut bots_killed) = (0, 0);
    while guards_killed + bots_killed < kills && child.try_wait().expect("it is our child").is_none() {
        thread::park_timeout(Duration::from_millis(chance.below(PAUSE)));
        let (guards, bots) = targets(arena);
        let is_guard = chance.below(2) == 0;
        let among = if is_guard { guards } else { bots };
        if among.is_empty() {
            continue;
        }
        let victim = among[usize::try_from(chance.below(among.len() as u64)).expect("a number")];
        if Pid::from_raw(victim).is_some_and(|victim| kill_process(victim, Signal::KILL).is_ok()) {
            *(if is_guard { &mut guards_killed } else { &mut bots_killed }) += 1;
        }
    }
    let status = child.wait().expect("it ends");
    let told = fs::read_to_string(place.path().join("stderr")).expect("it is there");
    println!("killed with seed {seed}: {guards_killed} guards, {bots_killed} bots; {status}");
    assert!(matches!(status.code(), Some(0 | 5)), "{status}: {told}");

    let contents = record::read(&place.path().join("out")).expect("a journal");
    assert_eq!(contents.torn, 0);
    let mut numbers: Vec<_> = contents.games.iter().map(|game| game.number).collect();
    numbers.sort_unstable();
    assert!(numbers.iter().copied().eq(1..=rounds * 2), "{numbers:?}");
    for game in &contents.games {
        let detail = game.detail.as_deref().unwrap_or_default();
        if game.reason == Termination::ArenaError {
            // Whose guard it was is told, and nobody is blamed.
            assert_eq!((game.result, game.fault()), (record::GameResult::None, None), "{detail}");
        } else if let Some(seat) = game.fault().or(game.failed) {
            assert_eq!(game.seats[seat.index()].bot, "greedy", "{detail}");
        } else {
            assert_ne!(game.result, record::GameResult::None, "{detail}");
        }
    }
    let lost = contents.games.iter().filter(|game| game.reason == Termination::ArenaError).count();
    let is_blamed = |game: &&record::GameRecord| {
        game.reason != Termination::ArenaError && game.fault().or(game.failed).is_some()
    };
    let blamed = contents.games.iter().filter(is_blamed).count();
    println!(
        "of {} games {lost} do not count for want of a guard, and `greedy` failed in {blamed}",
        numbers.len()
    );
    let replay =
        Command::new(env!("CARGO_BIN_EXE_arena")).args(["replay", "out"]).current_dir(place.path()).output();
    let replay = replay.expect("the arena starts");
    assert!(replay.status.success(), "{}", String::from_utf8_lossy(&replay.stdout));
    place.wait_until_empty();
    assert!(
        wait_until(|| fs::read_dir(&rooms).expect("the directory").next().is_none()),
        "a directory is left"
    );
    assert!(wait_until(|| groups_of(&[arena]).is_empty()), "{:?} are left", groups_of(&[arena]));
    guards_killed + bots_killed == kills
}
