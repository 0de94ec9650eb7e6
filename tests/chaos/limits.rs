//! The arena where the system gives it little: descriptors, processes; and a thousand bots at once.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::programs::Programs;
use crate::traces::peak_memory;
use crate::user::User;

/// The most memory that the arena may hold with a thousand bots, in KiB, in a build without optimisation.
const MOST_MEMORY_KIB: u64 = 128 * 1024;

/// How many bots there are: every one is tried before the first game, which takes a while for the thousand of the second
/// stage of CI.
fn many() -> usize {
    if std::env::var_os("ARENA_SECOND_STAGE").is_some() { 1000 } else { 60 }
}

const CUP: &str = "\
games: [{game: farook, options: {max-moves: 6}}]
bots:
  - {name: a, builtin: random}
  - {name: b, builtin: random}
  - {name: c, builtin: random}
rounds: 4
tc: 600+10
concurrency: 4
out: out
";

/// How many games these are.
const GAMES: usize = 24;

/// A folder of an ordinary user.
struct Folder {
    programs: Programs,
    user: User,
    folder: TempDir,
}

impl Folder {
    fn new(cup: &str) -> Self {
        let folder = tempfile::Builder::new().prefix("arena-chaos-").tempdir().expect("a temporary folder");
        fs::write(folder.path().join("cup.yaml"), cup).expect("the tournament");
        let user = User::new();
        user.own(folder.path()).expect("root may give files away");
        Self { programs: Programs::new(), user, folder }
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Returns a shell that sets a limit and then runs the tournament.
    fn limited(&self, limit: &str) -> Command {
        let mut command = Command::new("bash");
        command
            .args(["-c", &format!("{limit}; exec \"$ARENA\" run cup.yaml")])
            .env("ARENA", self.programs.arena());
        command.current_dir(self.path()).stdin(Stdio::null()).env("HOME", self.path());
        self.user.run(&mut command);
        command
    }

    fn play(&self, limit: &str) -> Output {
        self.limited(limit).output().expect("bash is there")
    }

    fn games(&self) -> usize {
        record::read(&self.path().join("out")).map_or(0, |contents| contents.games.len())
    }
}

/// A limit leads to a clear message, no loss to any bot, and a run that goes on without it.
fn expect_message(limit: &str, words: &str) {
    let folder = Folder::new(CUP);
    let output = folder.play(limit);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(matches!(output.status.code(), Some(3 | 4)), "{limit}: {:?}\n{stderr}", output.status);
    assert!(stderr.contains(words), "{limit}: {stderr}");
    let whole = folder.play(":");
    let stderr = String::from_utf8_lossy(&whole.stderr).into_owned();
    assert_eq!(whole.status.code(), Some(0), "{limit}, then none: {stderr}");
    let contents = record::read(&folder.path().join("out")).expect("the journal is whole");
    assert_eq!(
        contents.games.iter().map(|game| game.number).collect::<Vec<_>>(),
        (1..=GAMES as u64).collect::<Vec<_>>()
    );
    assert!(contents.games.iter().all(|game| game.fault().is_none()), "somebody is blamed for the limit");
}

#[test]
fn too_few_descriptors_are_told_and_nothing_is_lost() {
    for count in [12, 20, 40] {
        expect_message(&format!("ulimit -n {count}"), "Too many open files");
    }
}

#[test]
fn too_few_processes_are_told_and_nothing_is_lost() {
    // The limit counts what a user runs: it binds one whom nobody else is.
    if !User::new().is_own() {
        eprintln!("needs a user of its own: not tested");
        return;
    }
    expect_message("ulimit -u 2", "Resource temporarily unavailable");
}

#[test]
fn dates_that_jump_change_neither_tables_nor_what_is_played() {
    let folder = Folder::new(CUP);
    assert_eq!(folder.play(":").status.code(), Some(0));
    let read =
        |name: &str| fs::read_to_string(folder.path().join("out").join(name)).expect("the run has left it");
    let tables = || ["standings.csv", "crosstable.csv"].map(read);
    let (before, journal) = (tables(), read("journal.jsonl"));
    // The clock of the wall goes back by ten years with every line.
    let lines = journal.lines().zip((0..).map(|n| 2200 - 10 * n)).map(|(line, year)| {
        let mut line: serde_json::Value = serde_json::from_str(line).expect("a line of the journal");
        // A line that is changed is one of an earlier format, which has no checksums.
        line.as_object_mut().expect("an object").remove("crc");
        if let Some(format) = line.get_mut("format") {
            *format = 2.into();
        }
        for key in ["started", "written"] {
            if let Some(date) = line.get_mut(key) {
                *date = format!("{year:04}-01-01T00:00:00Z").into();
            }
        }
        format!("{line}\n")
    });
    fs::write(folder.path().join("out/journal.jsonl"), lines.collect::<String>()).expect("the journal");
    let report =
        Command::new(folder.programs.arena()).args(["report", "out"]).current_dir(folder.path()).output();
    assert!(report.is_ok_and(|report| report.status.success()));
    assert_eq!(tables(), before);
    fs::write(folder.path().join("cup.yaml"), CUP.replace("rounds: 4", "rounds: 5")).expect("the tournament");
    let again = folder.play(":");
    assert_eq!(again.status.code(), Some(0), "{}", String::from_utf8_lossy(&again.stderr));
    assert_eq!(folder.games(), GAMES / 4 * 5);
}

#[test]
fn many_bots_play_with_as_many_processes_as_are_needed() {
    let mut cup =
        "games: [{game: farook, options: {max-moves: 6}}]\nformat: gauntlet\nseeds: [b0]\nrounds: 4\n\
                   tc: 600+10\nconcurrency: 2\nout: out\nbots:\n"
            .to_owned();
    for n in 0..many() {
        let _ = writeln!(cup, "  - {{name: b{n}, builtin: random}}");
    }
    let folder = Folder::new(&cup);
    let mut child =
        folder.limited(":").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("bash is there");
    let (mut peak, mut most) = (0, 0);
    // Some games are enough: each costs two processes.
    while folder.games() < 20 && child.try_wait().expect("it is our child").is_none() {
        peak = peak_memory(child.id()).unwrap_or(0).max(peak);
        most = below(child.id()).max(most);
        thread::park_timeout(Duration::from_millis(50));
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&child), rustix::process::Signal::TERM)
        .expect("it still plays");
    let ended = child.wait_with_output().expect("it is our child");
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    assert!((1..MOST_MEMORY_KIB).contains(&peak), "{peak} KiB");
    assert!(most < 40, "{most} processes at once");
}

/// How many rounds of two games are played to see whether descriptors add up: thousands in the second stage of CI, or as many as
/// `ARENA_ROUNDS` says.
fn long_run() -> usize {
    let said = std::env::var("ARENA_ROUNDS").ok().and_then(|text| text.parse().ok());
    said.unwrap_or(if std::env::var_os("ARENA_SECOND_STAGE").is_some() { 2000 } else { 100 })
}

/// Plays; every other process of it crashes at its first decision.
const FRAIL: &str = r#"
while read -r word rest; do
  case $word in
    ugi) echo "protocol 1"; echo "want legal"; echo ugiok ;;
    isready) echo readyok ;;
    legal) set -- $rest; ply=$1 ;;
    go) [ $(($$ % 2)) = 0 ] && exit 3; echo "bestmove $ply" ;;
    quit) exit ;;
  esac
done
"#;

#[test]
fn a_long_run_opens_no_more_descriptors_than_a_short_one() {
    let rounds = long_run();
    // Every game starts both bots anew, and leaves a transcript.
    let cup = format!(
        "games: [{{game: farook, options: {{max-moves: 6}}}}]\nrounds: {rounds}\ntc: 600+10\nconcurrency: 2\nout: out\n\
         restart: always\nmax-faults: none\ntranscripts: true\nlimits: {{memory: 1GiB}}\nbots:\n  - {{name: a, builtin: random}}\n  \
         - {{name: b, cmd: [sh, bot.sh], sandbox: none}}\n"
    );
    let folder = Folder::new(&cup);
    fs::write(folder.path().join("bot.sh"), FRAIL).expect("the bot");
    let mut child =
        folder.limited(":").stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("bash is there");
    let mut counts = Vec::new();
    while child.try_wait().expect("it is our child").is_none() {
        // Root alone may look: an arena lets nobody of its user look into it.
        let open = fs::read_dir(format!("/proc/{}/fd", child.id())).map_or(0, Iterator::count);
        counts.extend(Some(open).filter(|open| *open > 0));
        thread::park_timeout(Duration::from_millis(10));
    }
    assert!(child.wait().is_ok_and(|status| status.success()));
    assert_eq!(folder.games(), 2 * rounds);
    let most = |part: &[usize]| part.iter().copied().max().unwrap_or(0);
    let (early, late) = counts.split_at(counts.len() / 2);
    let (early, late) = (most(early), most(late));
    println!(
        "judged: {} games: at most {early} descriptors in the first half, {late} in the second",
        2 * rounds
    );
    assert!(late <= early + 8, "{early} {late}");
}

/// Returns how many processes live below one.
fn below(root: u32) -> usize {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    let parent = |number: u32| {
        let stat = fs::read_to_string(format!("/proc/{number}/stat")).ok()?;
        stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse::<u32>().ok()
    };
    let is_below = |number: u32| {
        std::iter::successors(Some(number), |number| parent(*number))
            .skip(1)
            .take(16)
            .any(|number| number == root)
    };
    numbers.filter(|number| is_below(*number)).count()
}
