//! Games between real processes: little programs for `sh`.
#![cfg(unix)]

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use processes::{Direct, Launcher, Process, ProcessSpec};
use record::{GameRecord, Termination};
use runner::{
    BotFailure, Contest, Control, EventError, GamePlan, Host, Launch, Listener, OpeningLength, OpeningSource,
    PairPlace, PlannedBot, PlaySettings, RunEvent, Task, TraceLine, play, probe, rehearse,
};
use settings::{OpeningScope, Restart};
use tempfile::TempDir;

/// Plays the first legal ply, at once.
const FIRST: &str = r#"
while read -r word rest; do
  case $word in
    ugi) echo "id name First"; echo "id version 1.5"; echo "protocol 1"; echo "want legal"
         echo "can nodes"; echo "option name Level type spin default 1 min 1 max 9"; echo ugiok ;;
    isready) echo readyok ;;
    legal) set -- $rest; ply=$1 ;;
    go) echo "info depth 1 nodes 7 score cp 3"; echo "bestmove $ply" ;;
    quit) exit 0 ;;
  esac
done
"#;

/// Has a child that outlives it and holds the pipes, and dies in its second decision.
const DYING: &str = r#"
tail -f /dev/null &
echo "a child of $$" >&2
count=0
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo "want legal"; echo ugiok ;;
    isready) echo readyok ;;
    legal) set -- $rest; ply=$1 ;;
    go) count=$((count + 1)); if [ $count -gt 1 ]; then echo "no more" >&2; exit 3; fi; echo "bestmove $ply" ;;
  esac
done
"#;

/// Does not take `quit` for an answer.
const STUBBORN: &str = r#"
trap '' TERM
while true; do
  while read -r word rest; do
    case $word in
      ugi) echo "protocol 1"; echo "want legal"; echo ugiok ;;
      isready) echo readyok ;;
      legal) set -- $rest; ply=$1 ;;
      go) echo "bestmove $ply" ;;
    esac
  done
  read -r nothing < /dev/null || tail -f /dev/null
done
"#;

struct Hall {
    dir: TempDir,
    plan: GamePlan,
}

impl Hall {
    fn new(scripts: &[(&str, &str)]) -> Self {
        let dir = tempfile::tempdir().expect("a directory");
        let bots = scripts.iter().map(|(name, script)| {
            std::fs::write(dir.path().join(name), script).expect("a script is written");
            bot(name, dir.path())
        });
        let setup = rules::find("frenzy").expect("a game").setup(&[]).expect("its defaults");
        let openings = OpeningSource::Random { length: OpeningLength::Plies(2), deepens: false };
        let contest = Contest {
            label: setup.label(),
            setup,
            tc: "60+1".parse().expect("a control"),
            openings,
            per: OpeningScope::Round,
        };
        let plan = GamePlan { bots: bots.collect(), contests: vec![contest], settings: PlaySettings::new(7) };
        Self { dir, plan }
    }

    fn play(&self, tasks: Vec<Task>) -> Seen {
        let mut seen = Seen::default();
        let summary = play(&Direct, &self.plan, tasks, &Control::new(), &mut seen).expect("a run");
        assert_eq!(summary.played as usize, seen.games.len());
        self.assert_nothing_runs();
        seen
    }

    /// Every process that was started here carries the path of the directory in its environment. The system
    /// may take a moment to carry out a kill where nobody waits for the process.
    fn assert_nothing_runs(&self) {
        let deadline = Instant::now() + Duration::from_secs(10);
        while let Some(process) = self.running() {
            assert!(Instant::now() < deadline, "{} still runs", process.display());
            std::thread::yield_now();
        }
    }

    fn running(&self) -> Option<PathBuf> {
        let mark = format!("HALL={}", self.dir.path().display());
        let mut processes =
            std::fs::read_dir("/proc").into_iter().flatten().flatten().map(|entry| entry.path());
        processes.find(|process| {
            let environment = std::fs::read(process.join("environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|pair| pair == mark.as_bytes())
        })
    }
}

fn bot(name: &str, dir: &Path) -> PlannedBot {
    PlannedBot {
        at_once: None,
        files: Vec::new(),
        name: name.to_owned(),
        version: None,
        launch: Launch {
            program: "/bin/sh".into(),
            args: vec![OsString::from(name)],
            dir: dir.to_owned(),
            env: vec![("HALL".to_owned(), dir.display().to_string())],
            io: settings::Carrier::Pipe,
            prefix: Vec::new(),
            quota: settings::Quota::default(),
            is_private: false,
        },
        dialect: protocol::Profile::default(),
        options: Vec::new(),
        tc: None,
        digest: format!("digest of {name}"),
    }
}

fn tasks(count: u64, bots: [usize; 2]) -> Vec<Task> {
    let task = |number: u64| {
        let leg = 2 - (number % 2) as u8;
        let seats = if leg == 1 { bots } else { [bots[1], bots[0]] };
        let pair = number.div_ceil(2);
        Task {
            number,
            pair,
            leg,
            round: pair as u32,
            place: PairPlace::default(),
            contest: 0,
            seats: seats.into(),
        }
    };
    (1..=count).map(task).collect()
}

#[derive(Default)]
struct Seen {
    games: Vec<GameRecord>,
    failures: Vec<BotFailure>,
    started: Vec<u64>,
    lines: Vec<TraceLine>,
    /// Fails at the game with this number.
    full_at: Option<u64>,
    abort: Option<Control>,
    finish: Option<Control>,
}

impl Listener for Seen {
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError> {
        match event {
            RunEvent::GameStarted { task, .. } => {
                self.started.push(task.number);
                if let Some(control) = &self.abort {
                    control.abort();
                }
                if let Some(control) = &self.finish {
                    control.finish();
                }
            }
            RunEvent::GameFinished(game) if self.full_at == Some(game.number) => {
                return Err("no space left".into());
            }
            RunEvent::GameFinished(game) => self.games.push(*game),
            RunEvent::Trace(line) => self.lines.push(line),
            RunEvent::BotFailed(failure) => self.failures.push(*failure),
            _ => {}
        }
        Ok(())
    }
}

impl Host for Seen {}

/// What must be the same in every run, by number.
fn essence(games: &[GameRecord]) -> BTreeMap<u64, (Vec<String>, Vec<u64>, Termination)> {
    let essence = |game: &GameRecord| {
        let plies = game.plies.iter().map(|ply| ply.ply.clone()).collect();
        (game.number, (plies, game.seats.iter().map(|seat| seat.seed).collect(), game.reason))
    };
    games.iter().map(essence).collect()
}

#[test]
fn games_are_played_to_their_end_and_recorded() {
    let mut hall = Hall::new(&[("first", FIRST), ("other", FIRST)]);
    hall.plan.bots[0].options = vec![("Level".to_owned(), "3".to_owned())];
    let seen = hall.play(tasks(4, [0, 1]));
    assert_eq!(seen.started, [1, 2, 3, 4]);
    assert!(seen.failures.is_empty(), "{:?}", seen.failures);
    let game = &seen.games[0];
    assert!(matches!(game.reason, Termination::Rules(_)), "{game:?}");
    assert_eq!((game.opening, game.plies[0].us, game.plies[2].info.as_ref().unwrap().cp), (2, None, Some(3)));
    assert_eq!(game.seats[0].version, "1.5");
    assert_eq!(game.seats.each_ref().map(|seat| seat.bot.as_str()), ["first", "other"]);
    // Both games of a pair begin alike, the next pair does not.
    let opening = |i: usize| seen.games[i].plies[..2].iter().map(|ply| &ply.ply).collect::<Vec<_>>();
    assert_eq!(opening(0), opening(1));
    assert_ne!(opening(0), opening(2));
}

#[test]
fn neither_concurrency_nor_fresh_processes_change_the_games() {
    let mut hall = Hall::new(&[("first", FIRST), ("other", FIRST)]);
    hall.plan.contests[0].tc = "nodes 100".parse().unwrap();
    let one = essence(&hall.play(tasks(8, [0, 1])).games);
    hall.plan.settings.concurrency = NonZeroUsize::new(4).unwrap();
    let four = essence(&hall.play(tasks(8, [0, 1])).games);
    hall.plan.settings.conditions.restart = Restart::Always;
    assert_eq!(one.len(), 8);
    assert_eq!(one, four);
    assert_eq!(one, essence(&hall.play(tasks(8, [0, 1])).games));
}

#[test]
fn processes_start_with_the_time_between_them_that_is_asked_for() {
    let mut hall = Hall::new(&[("first", FIRST), ("other", FIRST)]);
    let stagger = Duration::from_millis(300);
    hall.plan.settings.conditions.stagger = Some(stagger);
    hall.plan.settings.conditions.restart = Restart::Always;
    hall.plan.settings.concurrency = NonZeroUsize::new(2).unwrap();
    let began = Instant::now();
    assert_eq!(hall.play(tasks(2, [0, 1])).games.len(), 2);
    // Two games start four processes, the last of them after three waits.
    assert!(began.elapsed() >= 3 * stagger, "{:?}", began.elapsed());
}

/// Refuses every game, and answers `isready` long after that. Asked all the same, it plays.
const LATE_REFUSING: &str = r#"
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo "want legal"; echo ugiok ;;
    game) echo "reject game : not today"; sleep 0.2 ;;
    isready) echo readyok ;;
    legal) set -- $rest; ply=$1 ;;
    go) echo "bestmove $ply" ;;
    quit) exit 0 ;;
  esac
done
"#;

#[test]
fn an_old_readyok_of_a_bot_that_refused_a_game_answers_nothing_in_the_next_one() {
    for restart in [Restart::Auto, Restart::Never] {
        for other in [FIRST, LATE_REFUSING] {
            let mut hall = Hall::new(&[("refusing", LATE_REFUSING), ("other", other)]);
            hall.plan.settings.conditions.restart = restart;
            let games = hall.play(tasks(4, [0, 1])).games;
            let ends: Vec<_> = games.iter().map(|game| game.reason).collect();
            assert_eq!(ends, [Termination::Rejected; 4]);
        }
    }
}

/// Refuses every game.
const REFUSING: &str = r#"
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo ugiok ;;
    game) refused=yes ;;
    isready) if [ "$refused" ]; then echo "reject game : not today"; fi; echo readyok ;;
    quit) exit 0 ;;
  esac
done
"#;

#[test]
fn a_bot_that_is_started_again_while_it_is_tried_out_waits_for_its_turn_too() {
    let mut hall = Hall::new(&[("refusing", REFUSING)]);
    let stagger = Duration::from_millis(300);
    hall.plan.settings.conditions.stagger = Some(stagger);
    let contests = vec![hall.plan.contests[0].clone(); 3];
    let began = Instant::now();
    let results = rehearse(&Direct, &hall.plan.bots, &contests, &hall.plan.settings, &Control::new());
    let refused = results.expect("nobody ended it")[0].outcome.clone().expect_err("it refuses");
    assert_eq!(refused.fault.matches("not today").count(), 3, "{refused}");
    // One process for each game, and two waits between them.
    assert!(began.elapsed() >= 2 * stagger, "{:?}", began.elapsed());
}

#[test]
fn a_bot_that_dies_loses_and_takes_its_children_with_it() {
    let hall = Hall::new(&[("first", FIRST), ("dying", DYING)]);
    let seen = hall.play(tasks(2, [0, 1]));
    for game in &seen.games {
        assert_eq!(game.reason, Termination::Crash);
        let fault = game.fault().unwrap();
        assert_eq!(game.seats[fault.index()].bot, "dying");
        assert_eq!(game.seats[fault.index()].exit.as_deref(), Some("exit 3"));
        let detail = game.detail.as_ref().unwrap();
        assert!(detail.starts_with("process ended (exit 3) at ply "), "{detail}");
    }
    assert_eq!(seen.failures.len(), 2);
    assert_eq!(seen.failures[0].stderr.last().map(String::as_str), Some("no more"));
}

#[test]
fn a_bot_that_clings_to_life_is_killed() {
    let mut hall = Hall::new(&[("first", FIRST), ("stubborn", STUBBORN)]);
    let timeouts = &mut hall.plan.settings.timeouts;
    (timeouts.quit, timeouts.terminate) = (Duration::from_millis(50), Duration::from_millis(50));
    let seen = hall.play(tasks(1, [0, 1]));
    assert!(matches!(seen.games[0].reason, Termination::Rules(_)));
}

#[test]
fn a_bot_that_ends_after_every_game_is_started_again() {
    let once = FIRST.replace("quit)", "gameover)");
    let seen = Hall::new(&[("first", FIRST), ("once", &once)]).play(tasks(4, [0, 1]));
    assert!(
        seen.games.iter().all(|game| matches!(game.reason, Termination::Rules(_))),
        "{:?}",
        seen.failures
    );
}

#[test]
fn a_bot_that_hangs_loses_its_games_only() {
    let hanging = FIRST.replace("go)", "go) tail -f /dev/null ;; never)");
    let mut hall = Hall::new(&[("first", FIRST), ("hanging", &hanging), ("third", FIRST)]);
    hall.plan.bots[1].tc = Some("movetime 100ms".parse().unwrap());
    hall.plan.settings.timeouts.ready = Duration::from_secs(1);
    let mut games = tasks(3, [0, 1]);
    games[1].seats = [0, 2].into();
    let seen = hall.play(games);
    let reasons: Vec<_> = seen.games.iter().map(|game| game.reason).collect();
    assert_eq!((reasons[0], reasons[2]), (Termination::Timeout, Termination::Timeout));
    assert!(matches!(reasons[1], Termination::Rules(_)), "{reasons:?}");
    assert_eq!(seen.games[0].seats.each_ref().map(|seat| seat.tc.as_str()), ["60+1", "movetime 100ms"]);
}

/// Thinks for ever, and says so.
const OBSESSED: &str = r#"
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo ugiok ;;
    isready) echo readyok ;;
    go) echo $$ > thinks; while true; do :; done ;;
  esac
done
"#;

#[test]
fn a_bot_that_thinks_on_after_its_game_does_not_live_to_disturb_the_next() {
    let witness = FIRST.replace("go)", "go) if kill -0 $(cat thinks); then touch disturbed; fi; ");
    let mut hall = Hall::new(&[("first", FIRST), ("obsessed", OBSESSED), ("witness", &witness)]);
    hall.plan.bots[1].tc = Some("movetime 100ms".parse().unwrap());
    hall.plan.settings.timeouts.ready = Duration::from_millis(500);
    let mut games = tasks(2, [0, 1]);
    games[1].seats = [0, 2].into();
    let seen = hall.play(games);
    assert_eq!(seen.games[0].reason, Termination::Timeout);
    assert!(matches!(seen.games[1].reason, Termination::Rules(_)));
    assert!(hall.dir.path().join("thinks").exists() && !hall.dir.path().join("disturbed").exists());
}

#[test]
fn a_command_that_does_not_exist_costs_nobody_the_game() {
    let mut hall = Hall::new(&[("first", FIRST), ("missing", FIRST)]);
    hall.plan.bots[1].launch.program = "/no/such/program".into();
    let seen = hall.play(tasks(2, [0, 1]));
    assert_eq!(seen.games.iter().map(|game| game.reason).collect::<Vec<_>>(), [Termination::SpawnFailed; 2]);
    assert_eq!(seen.games[0].result, record::GameResult::None);
    let detail = seen.games[0].detail.as_ref().unwrap();
    assert!(detail.starts_with("`missing` could not be started: "), "{detail}");
}

#[test]
fn a_run_stops_when_records_cannot_be_kept() {
    let hall = Hall::new(&[("first", FIRST), ("other", FIRST)]);
    let mut seen = Seen { full_at: Some(2), ..Seen::default() };
    let error = play(&Direct, &hall.plan, tasks(8, [0, 1]), &Control::new(), &mut seen).unwrap_err();
    assert_eq!(error.to_string(), "cannot store the record of game 2");
    assert_eq!(seen.started, [1, 2]);
    hall.assert_nothing_runs();
}

#[test]
fn an_aborted_run_leaves_no_record_and_no_process() {
    let hall = Hall::new(&[("first", "sleep 1000"), ("other", STUBBORN)]);
    let control = Control::new();
    let mut seen = Seen { abort: Some(control.clone()), ..Seen::default() };
    let summary = play(&Direct, &hall.plan, tasks(3, [0, 1]), &control, &mut seen).unwrap();
    assert_eq!((summary.played, summary.left, seen.games.len()), (0, 2, 0));
    hall.assert_nothing_runs();
}

#[test]
fn a_run_that_is_to_finish_finishes_its_games() {
    let hall = Hall::new(&[("first", FIRST), ("other", FIRST)]);
    let control = Control::new();
    let mut seen = Seen { finish: Some(control.clone()), ..Seen::default() };
    let summary = play(&Direct, &hall.plan, tasks(3, [0, 1]), &control, &mut seen).unwrap();
    assert_eq!((summary.played, summary.abandoned, summary.left), (1, 0, 2));
    hall.assert_nothing_runs();
}

/// Starts one process and then fails in the worst way.
struct Bomb(AtomicBool);

impl Launcher for Bomb {
    fn launch(&self, spec: &ProcessSpec) -> io::Result<Process> {
        assert!(!self.0.swap(true, Ordering::Relaxed), "the fuse has burnt down");
        Process::spawn(spec.to_command())
    }
}

/// Finds no room for a process.
struct Full;

impl Launcher for Full {
    fn launch(&self, _spec: &ProcessSpec) -> io::Result<Process> {
        const EMFILE: i32 = 24;
        Err(io::Error::from_raw_os_error(EMFILE))
    }
}

#[test]
fn no_bot_is_blamed_for_what_the_arena_lacks() {
    let hall = Hall::new(&[("first", FIRST), ("other", FIRST)]);
    let mut seen = Seen::default();
    let error = play(&Full, &hall.plan, tasks(2, [0, 1]), &Control::new(), &mut seen).unwrap_err();
    assert_eq!(error.to_string(), "the system lacks the resources for another game at once");
    assert!(seen.games.is_empty() && seen.failures.is_empty(), "{:?}", seen.failures);
}

#[test]
fn a_panic_of_the_arena_leaves_no_process() {
    let hall = Hall::new(&[("first", DYING), ("other", FIRST)]);
    let bomb = Bomb(AtomicBool::new(false));
    let panic = catch_unwind(AssertUnwindSafe(|| {
        play(&bomb, &hall.plan, tasks(3, [0, 1]), &Control::new(), &mut Seen::default())
    }));
    assert_eq!(panic.unwrap_err().downcast_ref(), Some(&"the fuse has burnt down"));
    hall.assert_nothing_runs();
}

#[test]
fn lines_are_traced_on_request() {
    let mut hall = Hall::new(&[("first", FIRST), ("other", FIRST)]);
    hall.plan.settings.trace = true;
    let seen = hall.play(tasks(1, [0, 1]));
    let lines: Vec<_> = seen.lines.iter().filter(|line| line.seat == 1).take(3).collect();
    let shown: Vec<_> = lines.iter().map(|line| format!("{} {}", line.direction.sign(), line.text)).collect();
    assert_eq!(shown, ["> ugi", "< id name First", "< id version 1.5"]);
    assert!(seen.lines.iter().any(|line| line.text.starts_with("gameover ")));
}

#[test]
fn a_probe_can_be_abandoned() {
    let hall = Hall::new(&[("silent", "trap '' TERM INT; tail -f /dev/null")]);
    for end in [Control::finish, Control::abort] {
        let control = Control::new();
        let since = Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while hall.running().is_none() {
                    std::thread::yield_now();
                }
                end(&control);
            });
            let mut settings = hall.plan.settings.clone();
            settings.timeouts.hello = Duration::from_secs(600);
            assert_eq!(probe(&Direct, &hall.plan.bots, &hall.plan.contests, &settings, &control), None);
        });
        assert!(since.elapsed() < Duration::from_secs(60));
        hall.assert_nothing_runs();
    }
}

#[test]
fn a_probe_says_who_can_play_and_why_not() {
    let mut hall = Hall::new(&[
        ("first", FIRST),
        ("gone", "echo no interpreter >&2; exit 7"),
        (
            "elsewhere",
            "read -r x; echo protocol 1; echo plays chess; echo ugiok; while read -r x; do [ $x = isready ] && echo readyok; done",
        ),
        ("second", FIRST),
    ]);
    hall.plan.bots[3].options = vec![("Levle".to_owned(), "3".to_owned())];
    let results =
        probe(&Direct, &hall.plan.bots, &hall.plan.contests, &hall.plan.settings, &Control::new()).unwrap();
    hall.assert_nothing_runs();
    assert_eq!(results[0].outcome.as_ref().unwrap().name.as_deref(), Some("First"));
    let failures: Vec<_> = results[1..].iter().map(|result| result.outcome.as_ref().unwrap_err()).collect();
    assert_eq!(failures[0].fault, "process ended (exit 7) before `ugiok`");
    assert_eq!((failures[0].command.as_str(), failures[0].exit.as_deref()), ("/bin/sh gone", Some("exit 7")));
    assert_eq!(failures[0].stderr, ["no interpreter"]);
    assert_eq!(failures[1].fault, "does not play frenzy; it plays chess");
    assert_eq!(failures[2].fault, "the bot has no option `Levle` (did you mean `Level`?)");
    hall.plan.contests[0].tc = "depth 3".parse().unwrap();
    let results =
        probe(&Direct, &hall.plan.bots[..1], &hall.plan.contests, &hall.plan.settings, &Control::new())
            .unwrap();
    let failure = results[0].outcome.as_ref().unwrap_err();
    assert!(failure.fault.contains("does not declare `can depth`"), "{}", failure.fault);
}

#[test]
fn as_many_are_tried_at_once_as_play_at_once() {
    // Two wait for each other, the third one for both to have gone.
    let meet =
        |own: &str, other: &str| format!("touch {own}; until [ -e {other} ]; do sleep 0.01; done\n{FIRST}");
    let late = format!("[ -e one ] && [ -e two ] || exit 9\n{FIRST}");
    let hall = Hall::new(&[("a", &meet("one", "two")), ("b", &meet("two", "one")), ("c", &late)]);
    assert_eq!(hall.plan.settings.concurrency.get(), 1);
    let results =
        probe(&Direct, &hall.plan.bots, &hall.plan.contests, &hall.plan.settings, &Control::new()).unwrap();
    let tried: Vec<_> = results.iter().map(|result| (result.bot.as_str(), result.outcome.is_ok())).collect();
    assert_eq!(tried, [("a", true), ("b", true), ("c", true)]);
    hall.assert_nothing_runs();
}
