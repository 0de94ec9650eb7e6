//! How fast the arena is beside other programs that play matches, built from sources that the user has: instant bots under each
//! of them by turns. Nothing is downloaded, and nothing of theirs is in the tree.
//!
//! All exchange a question and an answer for a ply, and check each ply by the rules. The chess programs play a line of chess,
//! cuteataxx one of Ataxx and the arena one of Fanorona that are as long.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use clap::Args;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::json;

use crate::shell::{ChoreError, root, run, target};

/// The arguments of `cargo xtask peers`.
#[derive(Args)]
pub(crate) struct Request {
    /// The folder that holds the sources: `c-chess-cli`, `fastchess`, `cuteataxx`
    directory: PathBuf,
    /// How many games a measurement has for each game at once
    #[arg(long, value_name = "N", default_value = "200", value_parser = clap::value_parser!(u32).range(2..))]
    games: u32,
    /// How many times all measurements are made; the fastest counts
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..))]
    repeat: u32,
}

/// How many games are played at once.
const AT_ONCE: [u32; 3] = [1, 2, 8];

/// How many plies the game of the bots of chess has: 32 moves of pawns, then knights that come out and go home until the
/// position has occurred three times.
const PLIES: usize = 40;

/// Another program.
struct Peer {
    name: &'static str,
    /// What builds it, in its folder.
    build: &'static str,
    /// The executable, in its folder.
    executable: &'static str,
    /// The words that make it play these games.
    words: fn(&Match<'_>) -> Result<Vec<String>, ChoreError>,
    /// What it prints when all games are over, where its exit status does not tell.
    end: &'static str,
}

/// What another program plays: games between copies of a bot.
struct Match<'a> {
    /// The executable of the bot.
    bot: &'a str,
    games: u32,
    at_once: u32,
    /// Where a file of settings may be written.
    folder: &'a Path,
}

const PEERS: [Peer; 3] = [
    Peer {
        name: "c-chess-cli",
        build: "python3 make.py",
        executable: "c-chess-cli",
        words: |Match { bot, games, at_once, .. }| {
            let [games, at_once] = [games, at_once].map(ToString::to_string);
            let cmd = format!("cmd={bot} line-bot");
            let words = ["-each", &cmd, "depth=1", "-engine", "name=one", "-engine", "name=two"];
            let more = ["-games", &games, "-concurrency", &at_once];
            Ok(words.into_iter().chain(more).map(str::to_owned).collect())
        },
        end: "",
    },
    Peer {
        name: "fastchess",
        build: "make -C app BINARY_PATH=../",
        executable: "fastchess",
        words: |Match { bot, games, at_once, .. }| {
            let [rounds, at_once] = [games / 2, *at_once].map(|number| number.to_string());
            let cmd = format!("cmd={bot}");
            let one = ["-engine", &cmd, "args=line-bot", "name=one"];
            let two = ["-engine", &cmd, "args=line-bot", "name=two"];
            let more =
                ["-each", "proto=uci", "depth=1", "-games", "2", "-rounds", &rounds, "-force-concurrency"];
            let words = one.into_iter().chain(two).chain(more).chain(["-concurrency", &at_once]);
            Ok(words.map(str::to_owned).collect())
        },
        end: "",
    },
    Peer {
        name: "cuteataxx",
        // Its own way of building downloads three libraries.
        build: "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release -DFETCHCONTENT_FULLY_DISCONNECTED=ON \
                -DFETCHCONTENT_SOURCE_DIR_LIBATAXX=\"$PWD/../libataxx\" \
                -DFETCHCONTENT_SOURCE_DIR_JSON=\"$PWD/../json\" \
                -DFETCHCONTENT_SOURCE_DIR_DOCTEST=\"$PWD/../doctest\" \
                && cmake --build build --target cuteataxx-cli",
        executable: "build/cuteataxx-cli",
        words: |Match { bot, games, at_once, folder }| {
            let engine =
                |name| json!({"name": name, "path": bot, "protocol": "UAI", "arguments": "line-bot"});
            let openings = folder.join("ataxx.txt");
            fs::write(&openings, "x5o/7/7/7/7/7/o5x x 0 1\n")?;
            let settings = json!({
                "games": games,
                "concurrency": at_once,
                "ratinginterval": games,
                "openings": {"path": openings},
                "timecontrol": {"depth": 1},
                // A game ends before the move of this number: two plies each, counted from 1.
                "adjudicate": {"gamelength": PLIES / 2 + 1},
                "engines": [engine("one"), engine("two")],
            });
            let path = folder.join("cuteataxx.json");
            fs::write(&path, settings.to_string())?;
            Ok(vec![path.display().to_string()])
        },
        end: "games/sec",
    },
];

/// A program that is there, as it is called.
struct Runner {
    name: &'static str,
    executable: PathBuf,
    words: Box<dyn Fn(u32, u32) -> Result<Vec<String>, ChoreError>>,
    end: &'static str,
    /// The fastest measurements: unpinned, then pinned, each for one, two and eight games at once.
    fastest: [[Duration; AT_ONCE.len()]; 2],
}

/// Builds what is there, measures, and prints ratios.
pub(crate) fn compare(request: &Request) -> Result<(), ChoreError> {
    let sources = request.directory.canonicalize().map_err(|error| {
        ChoreError(format!("cannot read the folder `{}`: {error}", request.directory.display()))
    })?;
    let has_taskset = Command::new("taskset").arg("--version").stdout(Stdio::null()).status().is_ok();
    if !has_taskset {
        println!("missing: `taskset` (util-linux), so nothing is pinned");
    }
    // Optimised bots for all of them: those of a debug build would be measured themselves.
    run("cargo build --release --locked --quiet --package arena --package xtask", &root())?;
    let target = target();
    let bot = target.join("release/xtask").display().to_string();
    let folder = target.join("peers");
    fs::create_dir_all(&folder)?;
    let mut runners = vec![arena(target.join("release/arena"), &folder)?];
    for Peer { name, build, executable, words, end } in PEERS {
        let source = sources.join(name);
        if !source.is_dir() {
            println!("missing: `{}`, so {name} is left out", source.display());
            continue;
        }
        if let Err(error) = run(build, &source) {
            println!("missing: {name} is left out, since it cannot be built: {error}");
            continue;
        }
        let (bot, folder) = (bot.clone(), folder.clone());
        runners.push(Runner {
            name,
            executable: source.join(executable),
            words: Box::new(move |games, at_once| {
                words(&Match { bot: &bot, games, at_once, folder: &folder })
            }),
            end,
            fastest: [[Duration::MAX; AT_ONCE.len()]; 2],
        });
    }
    for _ in 0..request.repeat {
        for (place, at_once) in AT_ONCE.into_iter().enumerate() {
            for (is_pinned, pinning) in
                [false, true].into_iter().take(1 + usize::from(has_taskset)).enumerate()
            {
                for runner in &mut runners {
                    let took = runner.measure(pinning, even(request.games) * at_once, at_once, &folder)?;
                    let fastest = &mut runner.fastest[is_pinned][place];
                    *fastest = took.min(*fastest);
                }
            }
        }
    }
    print(&runners, even(request.games), has_taskset);
    Ok(())
}

/// Prints plies a second, and how many times as many the arena has.
fn print(runners: &[Runner], games: u32, has_taskset: bool) {
    println!(
        "plies a second, whole commands of games of {PLIES} plies; in brackets: how many times as many the arena plays"
    );
    for (pinning, words) in ["on any processor", "all on one processor"].into_iter().enumerate() {
        if pinning == 1 && !has_taskset {
            break;
        }
        println!(
            "{words:<22}{}",
            AT_ONCE.map(|count| format!("{:>18}", format!("{count} at once"))).concat()
        );
        for runner in runners {
            let cells = (0..AT_ONCE.len()).map(|place| {
                let own = runner.fastest[pinning][place].as_secs_f64();
                let plies = f64::from(games * AT_ONCE[place]) * PLIES as f64 / own;
                let ratio = own / runners[0].fastest[pinning][place].as_secs_f64();
                format!("{:>18}", format!("{plies:.0} ({ratio:.1})"))
            });
            println!("{:<22}{}", runner.name, cells.collect::<String>());
        }
    }
}

/// Games come in pairs.
const fn even(games: u32) -> u32 {
    games / 2 * 2
}

/// Returns the arena with its tournament.
fn arena(executable: PathBuf, folder: &Path) -> Result<Runner, ChoreError> {
    let line = fanorona()?.join(",");
    let (bot, folder) = (executable.display().to_string(), folder.to_owned());
    let words = move |games: u32, at_once: u32| {
        let cmd = [&bot, "bench", "bot", "--plies", &line];
        let file = json!({
            "name": "peers",
            "games": ["fanorona"],
            "bots": [{"name": "one", "cmd": cmd}, {"name": "two", "cmd": cmd}],
            "rounds": games / 2,
            "openings": {"plies": 0, "repeat": true},
            "tc": "nodes 1",
            "concurrency": at_once,
            "seed": 1,
        });
        let out = folder.join("run");
        if out.exists() {
            fs::remove_dir_all(&out)?;
        }
        let path = folder.join("peers.yaml");
        fs::write(&path, file.to_string())?;
        let words =
            ["run".to_owned(), path.display().to_string(), "--out".to_owned(), out.display().to_string()];
        Ok(words.to_vec())
    };
    let fastest = [[Duration::MAX; AT_ONCE.len()]; 2];
    Ok(Runner { name: "arena", executable, words: Box::new(words), end: "", fastest })
}

/// Returns the first plies of a random game of Fanorona that is longer.
fn fanorona() -> Result<Vec<String>, ChoreError> {
    let fault = |error: &dyn std::fmt::Display| ChoreError(error.to_string());
    let game = rules::find("fanorona").map_err(|error| fault(&error))?;
    let setup = game.setup(&[]).map_err(|error| fault(&error))?;
    let mut random = ChaCha8Rng::seed_from_u64(1);
    loop {
        let mut referee = setup.referee(None).map_err(|error| fault(&error))?;
        let mut plies = Vec::new();
        while referee.outcome().is_none() && plies.len() <= PLIES {
            let legal = referee.legal();
            let ply = legal[random.random_range(0..legal.len())].clone();
            referee.submit(&ply).map_err(|error| fault(&error))?;
            plies.push(ply);
        }
        if plies.len() > PLIES {
            plies.truncate(PLIES);
            return Ok(plies);
        }
    }
}

impl Runner {
    /// Plays, and returns how long the whole command took.
    fn measure(
        &self,
        is_pinned: bool,
        games: u32,
        at_once: u32,
        folder: &Path,
    ) -> Result<Duration, ChoreError> {
        let words = (self.words)(games, at_once)?;
        let mut command = match is_pinned {
            true => Command::new("taskset"),
            false => Command::new(&self.executable),
        };
        if is_pinned {
            command.args(["--cpu-list", "0"]).arg(&self.executable);
        }
        command.args(words).current_dir(folder).stdin(Stdio::null());
        let start = Instant::now();
        let output = command.output().map_err(|error| {
            ChoreError(format!("cannot start {} (`{}`): {error}", self.name, self.executable.display()))
        })?;
        let took = start.elapsed();
        let told =
            [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        // Games that end with a wrong ply are short, and no measurement.
        let are_whole = !["infraction", "illegal"].iter().any(|word| told.to_lowercase().contains(word));
        if output.status.success() && are_whole && told.contains(self.end) {
            return Ok(took);
        }
        Err(ChoreError(format!("{}: {}\n{told}", self.name, output.status)))
    }
}

/// Plays the line of chess, or that of Ataxx, on standard input and output, at once.
pub(crate) fn line_bot() -> Result<(), ChoreError> {
    play(io::stdin().lock(), io::stdout().lock()).map_err(ChoreError::from)
}

fn play(mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
    let mut line = chess();
    let (mut text, mut played) = (String::new(), 0);
    while input.read_line(&mut text)? > 0 {
        match text.split_ascii_whitespace().next().unwrap_or_default() {
            "uci" => output.write_all(b"id name instant\nid author arena\nuciok\n")?,
            "uai" => {
                line = ataxx();
                output.write_all(b"id name instant\nid author arena\nuaiok\n")?;
            }
            "isready" => output.write_all(b"readyok\n")?,
            "position" => {
                played = plies(&text);
            }
            "go" => {
                let ply = line.get(played).map_or("0000", String::as_str);
                writeln!(output, "info depth 1 score cp 0\nbestmove {ply}")?;
            }
            "quit" => break,
            _ => {}
        }
        output.flush()?;
        text.clear();
    }
    Ok(())
}

/// Counts the plies before a position: those that it names, and those before its FEN, whose last word is the number of the move.
fn plies(position: &str) -> usize {
    let (start, moves) = position.split_once(" moves ").unwrap_or((position, ""));
    let words: Vec<_> = start.split_ascii_whitespace().collect();
    let before = match words[..] {
        [_, "fen", _, side, .., number] => {
            let is_second = matches!(side, "b" | "o");
            2 * number.parse::<usize>().unwrap_or(1).saturating_sub(1) + usize::from(is_second)
        }
        _ => 0,
    };
    before + moves.split_ascii_whitespace().count()
}

/// Returns a legal game of chess that ends with a position's third occurrence.
fn chess() -> Vec<String> {
    let pawns =
        [("2", "3", "7", "6"), ("3", "4", "6", "5")].into_iter().flat_map(|(from, to, other, reply)| {
            ('a'..='h').flat_map(move |file| {
                [format!("{file}{from}{file}{to}"), format!("{file}{other}{file}{reply}")]
            })
        });
    let knights = ["g1f3", "g8f6", "f3g1", "f6g8"].into_iter().cycle().map(str::to_owned);
    pawns.chain(knights).take(PLIES).collect()
}

/// Returns a legal game of Ataxx, in which both sides jump to and fro and capture nothing.
fn ataxx() -> Vec<String> {
    ["a7a5", "g7g5", "a5a7", "g5g7"].into_iter().cycle().map(str::to_owned).take(PLIES).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bot_plays_its_line_from_any_position_of_it() {
        let line = chess();
        assert_eq!((line.len(), line[0].as_str(), line[31].as_str()), (PLIES, "a2a3", "h6h5"));
        let asked = format!(
            "uci\nposition startpos moves {}\ngo depth 1\nposition startpos\ngo\nquit\n",
            line[..32].join(" ")
        );
        let mut told = Vec::new();
        play(asked.as_bytes(), &mut told).expect("memory takes everything");
        let told = String::from_utf8(told).expect("text");
        let moves: Vec<_> = told.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        assert_eq!(moves, ["g1f3", "a2a3"]);
    }

    #[test]
    fn the_bot_plays_ataxx_where_it_is_greeted_so() {
        let asked = "uai\nposition fen 6o/7/x6/7/7/7/o5x o 1 1\ngo depth 1\nposition fen 7/7/x5o/7/7/7/o5x x 2 2\ngo depth 1\n";
        let mut told = Vec::new();
        play(asked.as_bytes(), &mut told).expect("memory takes everything");
        let told = String::from_utf8(told).expect("text");
        let moves: Vec<_> = told.lines().filter_map(|line| line.strip_prefix("bestmove ")).collect();
        assert_eq!(moves, ["g7g5", "a5a7"]);
    }

    #[test]
    fn plies_before_a_fen_count() {
        assert_eq!(plies("position fen 8/8/8/8/8/8/8/8 w KQkq - 0 1\n"), 0);
        assert_eq!(plies("position fen 8/8/8/8/8/8/8/8 b - - 0 17 moves g8f6 f3g1\n"), 35);
    }

    #[test]
    fn the_line_of_the_arena_is_as_long() {
        assert_eq!(fanorona().expect("the rules are there").len(), PLIES);
    }
}
