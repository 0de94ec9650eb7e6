//! What a run holds does not grow with the number of its games beyond what these are.

use allocation_counter::measure;
use record::RunConfig;
use runner::{OpeningLength, OpeningSource, Openings, pending};
use serde_json::json;

/// Returns a round robin of four bots.
fn config(rounds: u32) -> RunConfig {
    let bot = |name: &str| json!({"name": name, "command": ["bot"], "digest": name});
    let config = json!({
        "name": "cup", "format": "round-robin", "rounds": rounds, "seed": 1,
        "games": [{"game": "farook", "options": {}, "label": "farook", "tc": "1", "openings": {"plies": 2}}],
        "bots": (["a", "b", "c", "d"].map(bot)),
        "settings": {"margin_ms": 50, "think_limit_ms": 1, "illegal": "forfeit", "restart": "auto"},
    });
    serde_json::from_value(config).expect("a configuration")
}

/// Returns how many games are to be played after a quarter of them, and the most bytes that were held meanwhile.
fn walk(rounds: u32) -> (u64, u64) {
    let (before, now) = (config(rounds / 2), config(rounds));
    let mut count = 0;
    let info = measure(|| {
        let finished = 1..=3 * u64::from(rounds);
        count = pending(&[&before, &now], finished).count() as u64;
    });
    (count, info.bytes_max)
}

/// Returns what this many openings hold, in bytes.
fn held(count: u32) -> i64 {
    let setup = rules::find("farook").expect("a game").setup(&[]).expect("its defaults");
    let source = OpeningSource::Random { length: OpeningLength::Plies(6), deepens: false };
    let mut openings = None;
    let info = measure(|| {
        let openings = openings.insert(Openings::new(&setup, &source, 1));
        assert_eq!(openings.count(count), Ok(count));
    });
    info.bytes_current
}

#[test]
fn an_opening_takes_few_bytes() {
    // As many as tables of hashes hold before they grow.
    let counts = [448, 3584].map(|count| (count, held(count)));
    let [(few, small), (many, large)] = counts;
    let each = (large - small) as f64 / f64::from(many - few);
    // Six plies of three letters and a hash; what grows has up to as much in reserve.
    assert!(each < 64.0, "{each} bytes an opening, {counts:?}");
}

#[test]
fn a_schedule_of_many_games_takes_no_more_memory_than_one_of_few() {
    let ((few, small), (many, large)) = (walk(4), walk(4000));
    assert_eq!((few, many), (36, 36_000));
    assert!(large <= small, "{small} bytes for {few} games, {large} for {many}");
}
