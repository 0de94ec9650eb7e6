//! `cargo bench -p report`: how fast a journal is read and written.
//!
//! A million random games of Farook between 40 bots with clocks, written as the arena writes them and read from a file that
//! the system has in memory. `-- GAMES` takes another number. The fastest of several runs counts, since other programs can
//! only slow a run down. `copy` reads the file and does nothing else: the bound that the machine sets. `-- GAMES DIRECTORY`
//! only writes the journal there, for whatever reads the directory of a run: `arena rate`, `arena report`.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use record::{JOURNAL, Journal, JournalLine, JournalReader, LoggedGameReader};
use report::{By, Filter, Pool};
use serde_json::{Value, json};

const GAMES: u64 = 1_000_000;
const BOTS: u64 = 40;
const RUNS: usize = 3;

/// How many different games there are: that they come again makes no difference to what is measured.
const LINES: u64 = 1000;

/// How many games are written as a run writes them, one by one and to the disk.
const WRITTEN: u64 = 50_000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let words: Vec<_> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let games = words.first().map_or(Ok(GAMES), |word| word.parse())?;
    let lines: Vec<_> = (0..LINES).map(random_game).collect::<Result<_, _>>()?;
    if let Some(directory) = words.get(1) {
        std::fs::create_dir_all(directory)?;
        return write(&Path::new(directory).join(JOURNAL), games, &lines);
    }
    let directory = tempfile::tempdir()?;
    let path = directory.path().join(JOURNAL);
    write(&path, games, &lines)?;
    let bytes = path.metadata()?.len();
    println!("{games} games, {:.1} MB, {} bytes a game", bytes as f64 / 1e6, bytes / games.max(1));
    measure("copy", bytes, || {
        let mut file = BufReader::with_capacity(1 << 20, File::open(&path)?);
        let (mut line, mut lines) = (Vec::new(), 0);
        while file.by_ref().read_until(b'\n', &mut line)? > 0 {
            line.clear();
            lines += 1;
        }
        Ok(lines)
    })?;
    measure("outcomes", bytes, || {
        let mut pool = Pool::new(By::Version, Filter::default());
        let mut count = 0;
        LoggedGameReader::new(BufReader::with_capacity(1 << 20, File::open(&path)?), &path).visit(
            |outcome| {
                pool.add(outcome);
                count += 1;
            },
        )?;
        Ok(count)
    })?;
    measure("records", bytes, || {
        let reader = JournalReader::new(BufReader::with_capacity(1 << 20, File::open(&path)?), &path);
        reader.map(|line| line.map(|_| 1)).sum::<Result<u64, _>>().map_err(Into::into)
    })?;
    measure("summaries", bytes, || Ok(record::summarize(directory.path())?.games.len() as u64))?;
    append(games.min(WRITTEN), &lines)
}

/// Measures how fast a run writes its journal: a write for each game, and a wait for the disk once a second.
fn append(games: u64, lines: &[Vec<String>]) -> Result<(), Box<dyn std::error::Error>> {
    let made: Vec<_> = (1..=games).map(|number| game(number, lines)).collect::<Result<_, _>>()?;
    let (mut fastest, mut bytes) = (Duration::MAX, 0);
    for _ in 0..RUNS {
        // Beside the executable: a temporary directory may be no disk.
        let directory = tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR"))?;
        let (mut journal, _) = Journal::open(directory.path())?;
        journal.append(&run(games)?)?;
        let start = Instant::now();
        for game in &made {
            journal.append(game)?;
        }
        journal.sync()?;
        fastest = fastest.min(start.elapsed());
        bytes = directory.path().join(JOURNAL).metadata()?.len();
    }
    let seconds = fastest.as_secs_f64();
    println!(
        "{:>9}: {:7.0} MB/s, {:.0} games/s",
        "append",
        bytes as f64 / 1e6 / seconds,
        games as f64 / seconds
    );
    Ok(())
}

/// Writes a journal of so many games.
fn write(path: &Path, games: u64, lines: &[Vec<String>]) -> Result<(), Box<dyn std::error::Error>> {
    let mut file = BufWriter::new(File::create(path)?);
    let all = std::iter::once(run(games)).chain((1..=games).map(|number| game(number, lines)));
    for line in all {
        file.write_all(line?.to_text()?.as_bytes())?;
    }
    file.flush()?;
    Ok(())
}

/// Returns a configuration that asks for at least so many games.
fn run(games: u64) -> serde_json::Result<JournalLine> {
    let bot = |bot: u64| json!({"name": format!("bot-{bot}"), "command": ["bot"], "digest": digest(bot)});
    serde_json::from_value(json!({
        "type": "run", "format": record::FORMAT, "arena": "0.1.0", "rules": "1", "written": "2026-11-21T09:30:00Z",
        "config": {
            "name": "cup", "format": "round-robin", "rounds": games.div_ceil(BOTS * (BOTS - 1)), "seed": 1,
            "games": [
                {"game": "farook", "options": {}, "label": "farook", "tc": "10+0.1", "openings": {"plies": 2}}
            ],
            "bots": (0..BOTS).map(bot).collect::<Vec<_>>(),
            "settings": {
                "margin_ms": 50, "think_limit_ms": 60_000, "illegal": "forfeit", "restart": "auto",
                "reproducible": false, "ponder": false,
            },
        },
    }))
}

/// Returns the game of a number, which has the plies of one of the lines.
fn game(number: u64, lines: &[Vec<String>]) -> serde_json::Result<JournalLine> {
    let pair = number.div_ceil(2);
    let pairings = BOTS * (BOTS - 1) / 2;
    let (round, place) = ((pair - 1) / pairings + 1, (pair - 1) % pairings);
    // Every bot meets every other one once in a round: those at a distance of 1, then at 2, and so on.
    let (distance, one) = (place / BOTS + 1, place % BOTS);
    let (one, two) = (one, (one + distance) % BOTS);
    let (one, two) = if number.is_multiple_of(2) { (two, one) } else { (one, two) };
    let seat = |bot: u64| {
        json!({
            "bot": format!("bot-{bot}"), "version": "1.2.0", "digest": digest(bot), "tc": "10+0.1",
            "seed": number * 7, "cpu_ms": 412, "peak_kib": 8192,
        })
    };
    let ply = |(index, ply): (u64, &String)| {
        let us = 1000 + mixed(number * 64 + index) % 9000;
        match index {
            0 | 1 => json!({"ply": ply, "seat": 1 + index % 2, "turn": index + 1}),
            _ => json!({
                "ply": ply, "seat": 1 + index % 2, "turn": index + 1, "us": us,
                "used": {"cpu_us": us - 40, "wait_us": 12}, "clock": 9000 - index,
                "info": {"depth": 6, "cp": 12, "nodes": us * 100},
            }),
        }
    };
    let line = &lines[(mixed(number) % LINES) as usize];
    let plies: Vec<Value> = (0..).zip(line).map(ply).collect();
    let result = ["p1win", "p2win", "draw"][mixed(number + 1) as usize % 3];
    serde_json::from_value(json!({
        "type": "game", "number": number, "pair": pair, "leg": 2 - number % 2, "round": round, "game": "farook",
        "options": {}, "label": "farook", "seats": [seat(one), seat(two)], "opening": 2, "plies": plies,
        "result": result, "reason": "line",
        "started": "2026-11-21T09:30:05.123Z", "seconds": 0.25,
    }))
}

fn digest(bot: u64) -> String {
    format!("{:016x}", bot + 77)
}

/// Returns the plies of a random game of Farook.
fn random_game(seed: u64) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let mut referee = rules::find("farook")?.setup(&[])?.referee(None)?;
    let mut plies: Vec<String> = Vec::new();
    while referee.outcome().is_none() {
        let legal = referee.legal();
        let ply = &legal[mixed(seed * 1000 + plies.len() as u64) as usize % legal.len()];
        if referee.submit(ply).is_err() {
            break;
        }
        plies.push(ply.clone());
    }
    Ok(plies)
}

/// Figures that look as if by chance: the finalizer of SplitMix64.
const fn mixed(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

/// Prints the rate of the fastest of several runs, each of which returns how many games it met.
fn measure(
    name: &str,
    bytes: u64,
    mut run: impl FnMut() -> Result<u64, Box<dyn std::error::Error>>,
) -> Result<(), Box<dyn std::error::Error>> {
    let (mut fastest, mut met) = (Duration::MAX, 0);
    for _ in 0..RUNS {
        let start = Instant::now();
        met = run()?;
        fastest = fastest.min(start.elapsed());
    }
    let seconds = fastest.as_secs_f64();
    println!("{name:>9}: {:7.0} MB/s, {:6.3} s, {met} lines", bytes as f64 / 1e6 / seconds, seconds);
    Ok(())
}
