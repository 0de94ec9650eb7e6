//! One measurement of the arena: a tournament of one bot per seat that play a known line, played by an executable of the
//! arena in a directory of its own, as any user would play it.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use processes::PrivateDirectory;
use record::{GameRecord, JOURNAL, JournalLine, JournalReader, RulesConfig};
use rules::{RulesSource, Setup};
use runner::{Control, HarnessCost};
use serde_json::{Map, Value, json};

/// The names of the first bots; further ones have numbers.
const BOT_NAMES: [&str; 2] = ["one", "two"];

/// What is to be played.
#[derive(Clone, Debug)]
pub(crate) struct BenchRun<'a> {
    /// The executable that plays. The bots are always those of this one.
    pub arena: &'a Path,
    /// The game with its options.
    pub setup: &'a Setup,
    /// The plies of every game; after them every bot but the last resigns when it is to move.
    pub line: &'a [String],
    /// How many pairs of games; at larger tables, how many blocks.
    pub pairs: u64,
    /// How many games at once.
    pub concurrency: usize,
    /// Whether the bots have a clock.
    pub is_timed: bool,
    /// Whether the bots want the list of legal plies.
    pub wants_legal: bool,
    /// How long the first bot thinks, by the clock, and how long all others.
    pub think: [Duration; 2],
    /// What is kept to cores, in the words of `--pin`; `None` for what happens by itself.
    pub pin: Option<&'a str>,
    /// How many workers of this machine play; `None` for the process of the run itself.
    pub workers: Option<usize>,
    /// Ends the measurement.
    pub control: &'a Control,
}

/// How long a signal may wait until it ends the measurement. A look takes time from what is measured, so there are few.
const LOOK: Duration = Duration::from_millis(200);

/// What came of it. The directory is removed with it.
#[derive(Debug)]
pub(crate) struct FinishedBenchRun {
    /// What the arena counted.
    pub effort: HarnessCost,
    directory: PrivateDirectory,
}

impl BenchRun<'_> {
    /// Plays.
    ///
    /// # Errors
    /// When the arena cannot be started, fails, does not tell what it counted, or was ended ([`io::ErrorKind::Interrupted`]).
    pub(crate) fn play(&self) -> io::Result<FinishedBenchRun> {
        if self.control.is_finishing() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let directory = PrivateDirectory::make()?;
        std::fs::write(directory.path().join("bench.yaml"), self.tournament()?)?;
        let mut command = Command::new(self.arena);
        command.args(["run", "bench.yaml", "--out", "run", "--verbose"]).current_dir(directory.path());
        if let Some(workers) = self.workers {
            command.args(["--workers", &format!("local:{workers}")]);
        }
        let (status, told) = self.watched(&mut command)?;
        if !status.success() {
            // What follows the first line of the error is about a file that the user has not written.
            let error = told.lines().find_map(|line| line.strip_prefix("error: "));
            let words = protocol::printable_capped(error.unwrap_or(told.trim_end()), 2000);
            return Err(io::Error::other(format!(
                "`{}` ended with {}: {words}",
                self.arena.display(),
                status
            )));
        }
        let effort = told.lines().find_map(HarnessCost::parse);
        let effort = effort.ok_or_else(|| {
            io::Error::other(format!(
                "`{}` does not tell what it counts (`run --verbose`)",
                self.arena.display()
            ))
        })?;
        Ok(FinishedBenchRun { effort, directory })
    }

    /// Runs a command to its end, or to that of the measurement, and returns what it has written to its standard error.
    fn watched(&self, command: &mut Command) -> io::Result<(ExitStatus, String)> {
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
        let (told, end) = mpsc::channel();
        let stderr = child.stderr.take();
        // It ends when nobody is left that could write.
        thread::spawn(move || {
            let mut bytes = Vec::new();
            let read = stderr.map_or(Ok(0), |mut stderr| stderr.read_to_end(&mut bytes));
            let _ = told.send(read.map(|_| String::from_utf8_lossy(&bytes).into_owned()));
        });
        let mut is_asked = false;
        let told = loop {
            match end.recv_timeout(LOOK) {
                Ok(told) => break told?,
                Err(RecvTimeoutError::Disconnected) => break String::new(),
                Err(RecvTimeoutError::Timeout) if self.control.is_aborting() => child.kill()?,
                Err(RecvTimeoutError::Timeout) if self.control.is_finishing() && !is_asked => {
                    is_asked = true;
                    terminate(&mut child)?;
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        };
        let status = child.wait()?;
        if self.control.is_finishing() { Err(io::ErrorKind::Interrupted.into()) } else { Ok((status, told)) }
    }

    /// Writes the tournament file, in the part of YAML that is JSON.
    fn tournament(&self) -> io::Result<String> {
        let exe = std::env::current_exe()?;
        let seats = self.setup.seats();
        let bot = |number: usize| {
            let think = self.think[usize::from(number > 0)];
            let name = BOT_NAMES.get(number).map_or_else(|| (number + 1).to_string(), ToString::to_string);
            let mut words = vec![exe.display().to_string(), "bench".to_owned(), "bot".to_owned()];
            words.extend(["--plies".to_owned(), self.line.join(",")]);
            words.extend(["--think".to_owned(), think.as_micros().to_string()]);
            words.extend(self.wants_legal.then(|| "--legal".to_owned()));
            words.extend((seats > 2).then(|| "--any-game".to_owned()));
            json!({"name": name, "cmd": words})
        };
        let mut file = json!({
            "name": "bench",
            "games": [game_item(self.setup)?],
            "bots": (0..seats).map(bot).collect::<Vec<_>>(),
            "rounds": self.pairs,
            "openings": {"plies": 0, "repeat": true},
            "tc": if self.is_timed { "600+1" } else { "nodes 1" },
            "concurrency": self.concurrency,
            "seed": 1,
        });
        if let Some(pin) = self.pin {
            file["pin"] = pin.into();
        }
        Ok(file.to_string())
    }

    /// Returns how many decisions a game has, with those to resign.
    pub(crate) fn decisions(&self, whole: usize) -> f64 {
        let resign = if self.line.len() < whole { self.setup.seats() - 1 } else { 0 };
        (self.line.len() + resign) as f64
    }

    /// Returns how many games are played.
    pub(crate) fn games(&self) -> u64 {
        self.pairs * self.setup.seats() as u64
    }
}

impl FinishedBenchRun {
    /// Hands what was charged in every game, with the number of its pair, to `take`: one game after the other, as they
    /// ended.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(crate) fn each_game(&self, mut take: impl FnMut(u64, Charged)) -> io::Result<()> {
        let path = self.run().join(JOURNAL);
        for line in JournalReader::new(BufReader::new(File::open(&path)?), &path) {
            if let JournalLine::Game(game) = line.map_err(io::Error::other)?.1 {
                take(game.pair, Charged::of(&game));
            }
        }
        Ok(())
    }

    /// Hands the two games of every whole pair to `take`, as the pairs became whole.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(crate) fn each_pair(&self, mut take: impl FnMut(&[Charged; 2])) -> io::Result<()> {
        let mut halves = BTreeMap::new();
        self.each_game(|pair, game| match halves.remove(&pair) {
            Some(other) => take(&[other, game]),
            None => {
                halves.insert(pair, game);
            }
        })
    }

    fn run(&self) -> PathBuf {
        self.directory.path().join("run")
    }
}

/// Asks a run to end. Its workers and bots end with it.
#[cfg(unix)]
fn terminate(child: &mut Child) -> io::Result<()> {
    use rustix::process::{Pid, Signal, kill_process};

    Ok(kill_process(Pid::from_child(child), Signal::TERM)?)
}

/// Ends a run: its system cannot ask it to.
#[cfg(not(unix))]
fn terminate(child: &mut Child) -> io::Result<()> {
    child.kill()
}

/// Returns a game as an item of `games`, wherever the tournament file lies: the paths in it are absolute.
fn game_item(setup: &Setup) -> io::Result<Value> {
    let game = setup.game();
    let options: Map<_, _> =
        setup.changed_options().into_iter().map(|(key, value)| (key.to_owned(), value.into())).collect();
    let mut item = json!({"game": game.id, "options": options});
    if let Some(rules) = game.own_rules() {
        let mut words = match rules.source() {
            RulesSource::Module(file) => vec![file.canonicalize()?.display().to_string()],
            RulesSource::Program { .. } => {
                RulesConfig::of(game).map(|rules| rules.command_anywhere()).unwrap_or_default()
            }
        };
        // Which of the games that the rules know.
        words.push(format!("#{}", rules.own_id()));
        item["rules"] = words.into();
    }
    Ok(item)
}

/// What was charged in one game, in microseconds.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Charged {
    /// By seat.
    pub seats: Vec<Vec<f64>>,
    /// Whether the bot `one` had the second seat.
    pub is_swapped: bool,
}

impl Charged {
    fn of(game: &GameRecord) -> Self {
        let seats = vec![Vec::new(); game.seats.len()];
        let mut charged = Self { seats, is_swapped: game.seats[0].bot != BOT_NAMES[0] };
        for ply in &game.plies {
            if let (Some(us), Some(seat)) =
                (ply.us, charged.seats.get_mut(usize::from(ply.seat.saturating_sub(1))))
            {
                seat.push(us as f64);
            }
        }
        charged
    }
}
