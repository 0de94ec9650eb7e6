//! `cargo bench -p report`: how fast a journal is read, for ratings and in full.
//!
//! A million games of 40 bots with clocks, 24 plies each, written as the arena writes them and read from a file that the
//! system has in memory. `-- GAMES` takes another number. The fastest of several runs counts, since other programs can only
//! slow a run down. `copy` reads the file and does nothing else: the bound that the machine sets.

use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use record::{JournalReader, Line, OutcomeReader};
use report::{By, Filter, Pool};
use serde_json::json;

const GAMES: u64 = 1_000_000;
const BOTS: u64 = 40;
const PLIES: u64 = 24;
const RUNS: usize = 3;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let games = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(GAMES);
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("journal.jsonl");
    write(&path, games)?;
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
        OutcomeReader::new(BufReader::with_capacity(1 << 20, File::open(&path)?), &path).visit(
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
    })
}

/// Writes a journal of so many games.
fn write(path: &Path, games: u64) -> Result<(), Box<dyn std::error::Error>> {
    let mut file = BufWriter::new(File::create(path)?);
    writeln!(
        file,
        "{}",
        json!({
            "type": "run", "format": 1, "arena": "0.1.0", "rules": "1", "written": "2026-11-21T09:30:00Z",
            "config": {
                "name": "cup", "format": "round-robin", "rounds": 1, "seed": 1, "games": [], "bots": [],
                "settings": {
                    "margin_ms": 50, "think_limit_ms": 60_000, "illegal": "forfeit", "restart": "auto",
                    "reproducible": false, "ponder": false,
                },
            },
        })
    )?;
    for number in 1..=games {
        let pair = number.div_ceil(2);
        let (one, two) = (pair % BOTS, (pair / BOTS + pair + 1) % BOTS);
        let (one, two) = if one == two { (one, (two + 1) % BOTS) } else { (one, two) };
        let (one, two) = if number % 2 == 0 { (two, one) } else { (one, two) };
        let seat = |bot: u64| {
            json!({
                "bot": format!("bot-{bot}"), "version": "1.2.0", "digest": format!("{:016x}", bot + 77), "tc": "10+0.1",
                "seed": number * 7, "cpu_ms": 412, "peak_kib": 8192,
            })
        };
        let ply = |index: u64| {
            json!({
                "ply": "a1", "seat": 1 + index % 2, "turn": index + 1, "us": 1234 + index,
                "used": {"cpu_us": 1200, "wait_us": 12}, "clock": 9000 - index,
                "info": {"depth": 6, "cp": 12, "nodes": 123_456},
            })
        };
        // Any figures will do; these look as if by chance.
        let result = ["p1win", "p2win", "draw"][((number * 2_654_435_761) >> 7) as usize % 3];
        let line: Line = serde_json::from_value(json!({
            "type": "game", "number": number, "pair": pair, "leg": 1 + (number - 1) % 2, "round": 1, "game": "farook",
            "options": {}, "label": "farook", "seats": [seat(one), seat(two)], "opening": 2,
            "plies": (0..PLIES).map(ply).collect::<Vec<_>>(),
            "result": result, "reason": "line",
            "started": "2026-11-21T09:30:05.123Z", "seconds": 1.25,
        }))?;
        serde_json::to_writer(&mut file, &line)?;
        file.write_all(b"\n")?;
    }
    file.flush()?;
    Ok(())
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
