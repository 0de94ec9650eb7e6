//! What makes counting fast changes no count: threads, the table, and the benchmark's own counts.

use std::num::NonZeroUsize;

use rules::{
    BENCH_POSITIONS, GAMES, PerftResources, TABLE_BENCH_POSITIONS, benchmark_playouts, benchmark_signature,
    find,
};

/// A game, its options and a depth.
type Variant = (&'static str, &'static [(&'static str, &'static str)], u32);

/// Options with which caps are near or lines differ.
const VARIANTS: &[Variant] = &[
    ("farook", &[], 4),
    ("farook", &[("wilds", "pattern"), ("max-moves", "3")], 4),
    ("faust", &[("size", "3")], 6),
    ("faust", &[("size", "2"), ("max-moves", "5")], 8),
    ("faust", &[("size", "4"), ("swap", "off"), ("perimeter", "walls")], 4),
    ("frenzy", &[], 3),
    ("2-frenzy", &[], 2),
    ("2-frenzy", &[("players", "3")], 2),
    ("2-frenzy", &[("players", "4"), ("max-turns", "1")], 2),
    ("sophia", &[("swap", "on")], 3),
    ("sophia", &[("stones", "1"), ("max-moves", "5")], 6),
    ("sophia", &[("stones", "1"), ("size", "7")], 3),
    ("fanorona", &[], 4),
    ("fanorona", &[("size", "3x3"), ("quiet-cap", "1")], 8),
    ("fanorona", &[("size", "3x5"), ("quiet-cap", "2")], 6),
    ("fanorona", &[("size", "3x7"), ("quiet-cap", "3")], 5),
];

fn efforts() -> impl Iterator<Item = PerftResources> {
    let threads = |count| NonZeroUsize::new(count).expect("a count");
    // A table of one byte is one bucket: nearly everything is forgotten.
    [(2, 0), (3, 1 << 20), (1, 1), (1, 1 << 12), (1, 1 << 22), (8, 1 << 14)]
        .map(|(count, table)| PerftResources { threads: threads(count), table })
        .into_iter()
}

fn check(game: &str, options: &[(&str, &str)], from: Option<&str>, depth: u32) {
    let setup = find(game).expect("a game").setup(options).expect("options");
    for depth in 0..=depth {
        let nodes = setup.perft(from, depth).expect("a position");
        let parts = setup.divide(from, depth).expect("a position");
        for effort in efforts() {
            let name = format!("{} {from:?} {depth} {effort:?}", setup.label());
            assert_eq!(setup.perft_with(from, depth, effort).expect("a position"), nodes, "{name}");
            assert_eq!(setup.divide_with(from, depth, effort).expect("a position"), parts, "{name}");
        }
    }
}

#[test]
fn threads_and_tables_change_no_count() {
    for (game, options, depth) in VARIANTS {
        check(game, options, None, *depth);
    }
}

#[test]
fn threads_and_tables_change_no_count_later_in_a_game() {
    for task in BENCH_POSITIONS.iter().filter(|task| task.from.is_some()) {
        check(task.game, &[], task.from, task.depth.min(2));
    }
    for task in TABLE_BENCH_POSITIONS.iter().filter(|task| task.from.is_some()) {
        let (game, players) = task.game.split_once(" players=").expect("a table");
        check(game, &[("players", players)], task.from, task.depth.min(2));
    }
}

#[test]
fn a_cap_that_is_reached_on_one_way_and_not_on_another_is_seen() {
    // Captures begin the count of quiet plies anew: equal positions are at different distances from the cap.
    let from = Some("1b7/7b1/4w4/7w1/ww7 p1 quiet=1");
    for cap in ["2", "3", "4", "5"] {
        check("fanorona", &[("quiet-cap", cap)], from, 5);
    }
    // A tie costs a ply and no turn.
    let from = Some("8/2f5/1f1sf3/2ff4/1f6/1ff5/2s5/8 p2 phase=play n=32");
    for cap in ["33", "34", "35"] {
        check("frenzy", &[("max-turns", cap)], from, 4);
    }
    let from = Some("1ff5/1S6/8/8/4F3/1F2F3/2FF1s2/sFFFF3 p2 phase=play left=2 used=- n=33");
    for cap in ["34", "35"] {
        check("2-frenzy", &[("max-turns", cap)], from, 4);
    }
}

#[test]
fn the_benchmark_counts_what_it_should() {
    let counts = BENCH_POSITIONS.iter().map(|task| {
        let nodes = task.count();
        assert_eq!(nodes, task.nodes, "{} {}", task.game, task.name);
        nodes
    });
    assert_eq!(benchmark_signature(counts), "781a7e7b3f32e601");
    for task in TABLE_BENCH_POSITIONS {
        assert_eq!(task.count(), task.nodes, "{} {}", task.game, task.name);
    }
}

#[test]
fn the_benchmark_has_positions_and_playouts_of_every_game() {
    for game in GAMES {
        let tasks: Vec<_> = BENCH_POSITIONS.iter().filter(|task| task.game == game.id).collect();
        assert!(tasks.len() >= 3 && tasks[0].from.is_none(), "{}", game.id);
        let played = benchmark_playouts(game);
        assert_eq!(played, benchmark_playouts(game));
        assert!(played.plies > 5 * played.games && played.wins.iter().sum::<u64>() <= played.games);
    }
}
