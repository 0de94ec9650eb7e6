//! What misfortunes cost: for each, how many games were expected, recorded, lost and recorded twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use record::{JOURNAL, JournalLine};

use crate::shell::{ChoreError, executable, root};

/// How often the arena is killed.
const KILLS: u64 = 50;

/// A tournament of honest bots and one that may have a vice. Bots limited by nodes play games of some length.
const CUP: &str = "\
games: [farook]
bots:
  - {name: ab, builtin: alphabeta}
  - {name: greedy, builtin: greedy}
  - {name: other, OTHER}
tc: nodes 400
max-faults: none
concurrency: 2
out: out
";

/// What was in a journal at the end.
struct Count {
    misfortune: String,
    expected: u64,
    recorded: u64,
    lost: u64,
    twice: u64,
}

/// Lets every misfortune happen and prints what it cost. A game that is lost or there twice is an error.
pub(crate) fn check() -> Result<(), ChoreError> {
    let arena = executable("arena")?;
    let work = root().join("target").join("losses");
    if work.exists() {
        fs::remove_dir_all(&work)?;
    }
    let mut counts = Vec::new();
    for vice in ["crash", "hang", "torrent"] {
        counts.push(Site::new(&arena, &work, vice, 4)?.with_vice()?);
    }
    counts.push(Site::new(&arena, &work, "kill -9", 100)?.killed()?);
    counts.push(Site::new(&arena, &work, "disk full", 10)?.full()?);
    counts.push(Site::new(&arena, &work, "torn journal", 1)?.torn()?);
    println!("misfortune      expected  recorded  lost  twice");
    for Count { misfortune, expected, recorded, lost, twice } in &counts {
        println!("{misfortune:<14}  {expected:>8}  {recorded:>8}  {lost:>4}  {twice:>5}");
    }
    if counts.iter().any(|count| count.lost + count.twice > 0) {
        return Err(ChoreError("games are lost or there twice".to_owned()));
    }
    Ok(())
}

/// A folder with a tournament.
struct Site {
    arena: PathBuf,
    folder: PathBuf,
    misfortune: String,
    rounds: u64,
}

impl Site {
    fn new(arena: &Path, work: &Path, misfortune: &str, rounds: u64) -> Result<Self, ChoreError> {
        let folder = work.join(misfortune.replace(' ', "-"));
        fs::create_dir_all(folder.join("out"))?;
        fs::write(folder.join("cup.yaml"), CUP.replace("OTHER", "builtin: random"))?;
        Ok(Self { arena: arena.to_owned(), folder, misfortune: misfortune.to_owned(), rounds })
    }

    /// Two games a round for each of three pairings.
    const fn expected(&self) -> u64 {
        self.rounds * 3 * 2
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.folder).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command
    }

    fn start(&self) -> Result<Child, ChoreError> {
        let rounds = self.rounds.to_string();
        Ok(self.command(&self.arena).args(["run", "cup.yaml", "--rounds", &rounds]).spawn()?)
    }

    /// Plays to the end, which has to be a good one.
    fn finish(&self) -> Result<(), ChoreError> {
        let status = self.start()?.wait()?;
        let is_good = status.success();
        if is_good {
            Ok(())
        } else {
            Err(ChoreError(format!("{}: the last run ends with {status}", self.misfortune)))
        }
    }

    /// A bot whose vice breaks out at its second decision in every game.
    fn with_vice(self) -> Result<Count, ChoreError> {
        let script = fs::read_to_string(root().join("tests").join("bots").join("chaos.py"))?;
        // No mark is left, and decisions are counted anew.
        let script = script.replace("breaks_out(f\"{game} {plies}\")", "not (answers := 0)");
        fs::write(self.folder.join("chaos.py"), script)?;
        let bot = format!("cmd: [python3, chaos.py, {}], tc: movetime 1s", self.misfortune);
        fs::write(self.folder.join("cup.yaml"), CUP.replace("OTHER", &bot))?;
        self.finish()?;
        self.count()
    }

    /// Kills the arena at instants that spread over its start and its games.
    fn killed(self) -> Result<Count, ChoreError> {
        let mut state = 1_u64;
        for _ in 0..KILLS {
            let mut child = self.start()?;
            // A linear congruential generator (Knuth, The Art of Computer Programming, volume 2): any spread will do.
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            thread::park_timeout(Duration::from_millis(20 + (state >> 33) % 400));
            child.kill()?;
            child.wait()?;
        }
        self.finish()?;
        self.count()
    }

    /// Plays on a file system without room, then continues with more.
    fn full(self) -> Result<Count, ChoreError> {
        let script = "mount -t tmpfs -o size=12k tmpfs out && \
                      { \"$ARENA\" run cup.yaml --rounds \"$ROUNDS\"; test $? -eq 4; } && \
                      mount -o remount,size=64m out && \"$ARENA\" run cup.yaml --rounds \"$ROUNDS\" && \
                      cp out/journal.jsonl kept.jsonl";
        let mut command = self.command("unshare");
        command.args(["--user", "--map-root-user", "--mount", "sh", "-c", script]);
        let status = command.env("ARENA", &self.arena).env("ROUNDS", self.rounds.to_string()).status()?;
        if !status.success() {
            return Err(ChoreError(format!(
                "disk full: {status}; it needs `unshare` and the right to mount"
            )));
        }
        fs::copy(self.folder.join("kept.jsonl"), self.folder.join("out").join(JOURNAL))?;
        self.count()
    }

    /// Cuts the journal at bytes of its last two lines and continues each time.
    fn torn(self) -> Result<Count, ChoreError> {
        self.finish()?;
        let path = self.folder.join("out").join(JOURNAL);
        let bytes = fs::read(&path)?;
        let mut ends =
            bytes.iter().enumerate().rev().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        let start = ends.nth(2).unwrap_or(0);
        for end in (start..bytes.len()).step_by(211) {
            fs::write(&path, &bytes[..end])?;
            self.finish()?;
            let count = self.count()?;
            if count.lost + count.twice > 0 {
                return Ok(count);
            }
        }
        self.count()
    }

    /// Counts the games of the journal by their numbers, without the checks of the arena's own reader.
    fn count(&self) -> Result<Count, ChoreError> {
        let text = fs::read_to_string(self.folder.join("out").join(JOURNAL))?;
        let mut games: BTreeMap<u64, u64> = BTreeMap::new();
        for line in text.lines() {
            let line = serde_json::from_str(line);
            let line = line.map_err(|error| {
                ChoreError(format!("{}: a line of the journal: {error}", self.misfortune))
            })?;
            if let JournalLine::Game(game) = line {
                *games.entry(game.number).or_default() += 1;
            }
        }
        let expected = self.expected();
        Ok(Count {
            misfortune: self.misfortune.clone(),
            expected,
            recorded: games.values().sum(),
            lost: (1..=expected).filter(|number| !games.contains_key(number)).count() as u64,
            twice: games.values().filter(|count| **count > 1).count() as u64,
        })
    }
}
