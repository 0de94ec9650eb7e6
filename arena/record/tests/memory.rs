//! What is held of a run does not grow with the plies of its games, and only by little with their number.
#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;

use allocation_counter::measure;
use record::{GameReader, JOURNAL, RunSummary, summarize};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

/// How many games there are, few and many: powers of two, up to which lists grow without spare room.
const GAMES: [u64; 2] = [1 << 8, 1 << 11];

/// What one more game may cost while a journal is read, in bytes: its summary, with room for those that take a little more, and
/// its number.
const MOST_BYTES: u64 = 80;

/// Writes a journal. As text: values would take most of the time of the test.
fn write(directory: &Path, games: u64, plies: u64) {
    let run = r#"{"type":"run","format":1,"arena":"0.1.0","rules":"1","written":"","config":{"name":"cup",
        "format":"round-robin","rounds":1,"seed":1,"games":[],"bots":[],"settings":{"margin_ms":50,"think_limit_ms":1,
        "illegal":"forfeit","restart":"auto"}}}"#;
    let plies: Vec<String> = (1..=plies)
        .map(|turn| {
            format!(r#"{{"ply":"a1","seat":{},"turn":{turn},"us":12,"info":{{"cp":1}}}}"#, 2 - turn % 2)
        })
        .collect();
    let plies = plies.join(",");
    let seat = |bot: u64| format!(r#"{{"bot":"bot {bot}","version":"1","digest":"d","tc":"1","seed":1}}"#);
    let mut text = run.replace('\n', "") + "\n";
    for number in 1..=games {
        let (pair, leg) = (number.div_ceil(2), 2 - number % 2);
        let (one, two) = (seat(number % 7), seat(7 + number % 5));
        text += &format!(
            r#"{{"type":"game","number":{number},"pair":{pair},"leg":{leg},"round":1,"game":"farook","options":{{}},"#
        );
        text += &format!(
            r#""label":"farook","seats":[{one},{two}],"opening":0,"result":"draw","reason":"ply-limit","#
        );
        text += &format!("\"started\":\"\",\"seconds\":1.0,\"plies\":[{plies}]}}\n");
    }
    fs::write(directory.join(JOURNAL), text).expect("a journal");
}

/// Keeps this thread to one core, where journals are read without others: only what this one holds is counted.
fn work_alone() {
    let mut one = CpuSet::new();
    let cores = sched_getaffinity(None).expect("the cores of this thread");
    one.set((0..CpuSet::MAX_CPU).find(|core| cores.is_set(*core)).expect("a core"));
    sched_setaffinity(None, &one).expect("a core of this thread");
}

/// Reads a journal and returns its games with the most bytes that were held meanwhile and those that are held at the end.
fn held(directory: &Path) -> (RunSummary, u64, u64) {
    let mut run = None;
    let info = measure(|| run = Some(summarize(directory).expect("a journal")));
    (run.expect("it was read"), info.bytes_max, info.bytes_current.cast_unsigned())
}

#[test]
fn a_game_costs_little_memory_however_many_plies_it_has() {
    work_alone();
    let mut peaks = Vec::new();
    for (games, plies) in [(GAMES[0], 4), (GAMES[1], 4), (GAMES[1], 40)] {
        let directory = tempfile::tempdir().expect("a directory");
        write(directory.path(), games, plies);
        let (run, most, at_the_end) = held(directory.path());
        assert_eq!(run.games.len() as u64, games);
        assert!(at_the_end <= most);
        peaks.push(most);
    }
    let more = (peaks[1] - peaks[0]) / (GAMES[1] - GAMES[0]);
    assert!((32..=MOST_BYTES).contains(&more), "{more} bytes a game");
    // Ten times the plies: few lines at a time.
    assert!(peaks[2] < peaks[1] + (1 << 16), "{peaks:?}");
}

#[test]
fn reading_whole_games_one_after_the_other_holds_one_of_them() {
    let directory = tempfile::tempdir().expect("a directory");
    write(directory.path(), GAMES[1], 40);
    let (run, ..) = held(directory.path());
    let mut plies = 0;
    let info = measure(|| {
        let mut reader = GameReader::open(directory.path()).expect("a journal");
        for game in &run.games {
            plies += reader.read(&game).expect("a game").plies.len();
        }
    });
    assert_eq!(plies as u64, 40 * GAMES[1]);
    assert!(info.bytes_max < 1 << 20, "{} bytes", info.bytes_max);
}
