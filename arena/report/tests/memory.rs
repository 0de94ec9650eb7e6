//! Tables hold little of every game while they are made.

use allocation_counter::measure;
use record::{RunSummary, Summarizer};
use report::{Asked, Tally};
use serde_json::json;

/// How many games there are, few and many: powers of two, up to which lists grow without spare room.
const GAMES: [u64; 2] = [1 << 9, 1 << 13];

/// What one more game may cost while a live table is made, in bytes: its place, and room to sort, where games did not end in
/// their order; and what tells copies and shared openings.
const MOST_LIVE: u64 = 20;

/// What it may cost in a table of a run that is over: what tells all duplicates apart, besides.
const MOST: u64 = 20;

/// What it may cost in either where every pair has an opening of its own, which the rated sample holds.
const MOST_WITH_OPENINGS: u64 = 23;

/// What games share with others.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Shared {
    Nothing,
    /// An opening, with the other game of the pair.
    Opening,
    /// All plies, with the games of the same bots in other rounds.
    Everything,
}

/// Returns a run of four bots: six pairings a round, a pair each. Of each two games the second ended first.
fn run(games: u64, shared: Shared) -> RunSummary {
    let mut summarizer = Summarizer::default();
    for index in 0..games {
        let number = (index ^ 1) + 1;
        let (pair, pairing) = (number.div_ceil(2), (number - 1) / 2 % 6);
        let (one, two) = [(0, 1), (2, 3), (0, 2), (1, 3), (0, 3), (1, 2)][pairing as usize];
        let (one, two) = if number % 2 == 1 { (one, two) } else { (two, one) };
        let seat = |bot: u64| json!({"bot": format!("bot {bot}"), "version": "", "digest": "d", "tc": "1", "seed": 1});
        let ply = |ply: String| json!({"ply": ply, "seat": 1, "turn": 1, "us": 5});
        let plies = match shared {
            Shared::Nothing => vec![ply(format!("a{number}"))],
            Shared::Opening => vec![ply(format!("a{pair}")), ply(format!("b{number}"))],
            Shared::Everything => vec![ply(format!("a{}", pair % 6)), ply(format!("b{}", number % 12))],
        };
        let game = json!({
            "number": number, "pair": pair, "leg": 2 - number % 2, "round": (pair - 1) / 6 + 1, "game": "farook",
            "options": {}, "label": "farook", "seats": [seat(one), seat(two)], "opening": 1,
            "result": "draw", "reason": "line", "started": "", "seconds": 1.0,
            "plies": plies,
        });
        summarizer.push(&serde_json::from_value(game).expect("a game"), 0);
    }
    summarizer.run().clone()
}

#[test]
fn a_table_holds_little_of_every_game() {
    let asked = Asked::default();
    let cases = [
        (Shared::Nothing, [MOST_LIVE, MOST]),
        (Shared::Opening, [MOST_WITH_OPENINGS; 2]),
        (Shared::Everything, [MOST_LIVE, MOST]),
    ];
    for (shared, most) in cases {
        let peaks = GAMES.map(|games| {
            let run = run(games, shared);
            let live = measure(|| drop(asked.tally(&run.games).live_standings())).bytes_max;
            let whole = measure(|| assert!(!Tally::of(&run).standings(None).is_live)).bytes_max;
            [live, whole]
        });
        for (which, most) in most.into_iter().enumerate() {
            let more = peaks[1][which].saturating_sub(peaks[0][which]) as f64 / (GAMES[1] - GAMES[0]) as f64;
            println!("{shared:?}: {more:.1} bytes a game");
            assert!(more <= most as f64, "{shared:?}: {more} bytes a game, {peaks:?}");
        }
    }
}
