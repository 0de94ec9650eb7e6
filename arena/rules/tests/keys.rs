//! Keys of positions, and repetition, held against position strings.
//!
//! A position's identity is its string without the counters `n` and `quiet`. Equality, keys and the count of
//! occurrences must say what comparing identities says, however a position was reached.

use std::collections::BTreeMap;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rules::{GAMES, Position, Reason, Referee, RefereedPosition, Setup, Verdict, Visitor};

/// Positions in which few stones go to and fro, beside the starts.
const SPARSE: &[(&str, &str)] = &[
    ("sophia", "A3/4/4/3B p1 stock=0,0 c=AB n=2"),
    ("sophia", "A2b/4/1a2/3B p2 stock=0,0 c=BA n=30"),
    ("fanorona", "8b/9/9/9/w8 p1 quiet=10"),
    ("fanorona", "bb7/9/9/9/7ww p2 quiet=0"),
    ("2-frenzy players=3", "ffS6/9/9/9/9/G8/9/FFs4TG p1 phase=play left=2 used=- out=- n=10"),
    ("2-frenzy players=4", "ffS5/8/8/8/gS6/8/8/FFs5 p1 phase=play left=2 used=- out=p3:4,p4:3 n=10"),
    ("2-frenzy", "ffS5/8/8/8/8/8/8/FFs5 p1 phase=play left=2 used=- n=10"),
    ("farook", "x3/4/4/3w p1 stock=0,5,1 last=-,- ko=- n=20"),
    ("frenzy", "8/8/8/8/8/2ff4/2fs4/8 p2 phase=play n=4"),
    ("faust", "8/8/8/3w4/2wbw3/3b4/8/8 p1 c=bw n=9"),
    ("faust", "bwbwbwbw/wbwbwbwb/bwbwbwbw/wb4wb/bw4bw/wbwbwbwb/bwbwbwbw/wbwbwbwb p1 c=wb n=80"),
];

/// The greatest number of positions in a tree.
const TREE: usize = 4000;

const GAMES_EACH: u64 = 30;

/// Returns the string of a position without its counters.
fn identity(text: &str) -> String {
    let parts = text.split(' ').filter(|part| !part.starts_with("n=") && !part.starts_with("quiet="));
    parts.collect::<Vec<_>>().join(" ")
}

/// Returns each game with the positions to begin with.
fn beginnings() -> impl Iterator<Item = (Setup, Option<&'static str>)> {
    let starts = GAMES.iter().map(|game| (game.id, None));
    let sparse = SPARSE.iter().map(|(game, text)| (*game, Some(*text)));
    let setup = |game| rules::Catalogue::default().labelled(game).expect("it is in the list");
    starts.chain(sparse).map(move |(game, from)| (setup(game), from))
}

/// Reaches positions by all orders of plies, level by level, and compares keys; returns how many were reached again.
struct Compare(Option<&'static str>);

impl Visitor for Compare {
    type Output = usize;

    fn visit<P: Position>(self, options: &P::Options) -> usize {
        let read = |text: &str| P::read(options, text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let mut known: BTreeMap<String, P> = BTreeMap::new();
        let mut level = vec![self.0.map_or_else(|| P::start(options), read)];
        let (mut count, mut again) = (0, 0);
        while count < TREE && !level.is_empty() {
            let mut next = Vec::new();
            for position in &level {
                count += 1;
                let text = position.to_string();
                let loaded = read(&text);
                assert!(loaded == *position && loaded.key() == position.key(), "{text}");
                match known.get(&identity(&text)) {
                    Some(other) => {
                        again += 1;
                        assert!(other == position && other.key() == position.key(), "{other} and {text}");
                    }
                    None => drop(known.insert(identity(&text), position.clone())),
                }
                if count + next.len() < TREE {
                    position.legal_plies(&mut |ply| {
                        let mut after = position.clone();
                        after.play_unchecked(ply);
                        next.push(after);
                    });
                }
            }
            level = next;
        }
        // Keys of 64 bits that differ nowhere would be a poor hash; none of these few thousand may collide.
        let mut keys = BTreeMap::new();
        for (text, position) in &known {
            if let Some(other) = keys.insert(position.key(), text) {
                panic!("{other} and {text} have the same key");
            }
        }
        let mut all = known.values();
        let mut before = all.next();
        for position in all {
            assert!(before != Some(position), "{position} is two positions");
            before = Some(position);
        }
        again
    }
}

#[test]
fn equal_positions_have_equal_keys_however_they_were_reached() {
    let mut reached_again: BTreeMap<&str, usize> = BTreeMap::new();
    for (setup, from) in beginnings() {
        *reached_again.entry(setup.game().id).or_default() += setup.visit(Compare(from)).unwrap();
    }
    assert_eq!(reached_again.len(), GAMES.len());
    assert!(reached_again.values().all(|count| *count > 50), "{reached_again:?}");
}

/// Plays games in which stones like to go back, and counts occurrences by strings; returns how many ended by
/// repetition.
struct Repeat {
    setup: Setup,
    from: Option<&'static str>,
}

impl Visitor for Repeat {
    type Output = usize;

    fn visit<P: Position>(self, options: &P::Options) -> usize {
        let mut repeated = 0;
        for seed in 0..GAMES_EACH {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let start = self.from.map(|text| P::read(options, text).expect("a position of the game"));
            let mut table = RefereedPosition::new(start.unwrap_or_else(|| P::start(options)));
            let mut occurrences: BTreeMap<String, u32> = BTreeMap::new();
            let mut played: Vec<String> = Vec::new();
            for _ in 0..120 {
                let text = table.position();
                let counts =
                    P::HAS_REPETITION && (!text.contains("left=") || text.contains("phase=play left=2"));
                let occurrence = counts.then(|| {
                    let count = occurrences.entry(identity(&text)).or_default();
                    *count += 1;
                    *count
                });
                let expected = expected(&self.setup, &text, occurrence);
                assert_eq!(table.outcome(), expected, "{}: {text}: {played:?}", self.setup.label());
                if expected.is_some() {
                    repeated += usize::from(expected == Some(Verdict::draw(Reason::Repetition)));
                    break;
                }
                let mut legal = table.legal();
                if rng.random_range(0..8) > 0 && legal.iter().any(|ply| is_way_back(&played, ply)) {
                    legal.retain(|ply| is_way_back(&played, ply));
                }
                let ply = legal.swap_remove(rng.random_range(0..legal.len()));
                table.submit(&ply).expect("a legal ply plays");
                played.push(ply);
            }
        }
        repeated
    }
}

/// Returns the result of a position that occurs for this time, if its game counts occurrences.
fn expected(setup: &Setup, text: &str, occurrence: Option<u32>) -> Option<Verdict> {
    let alone = setup.referee(Some(text)).expect("it was written by the game").outcome();
    match alone {
        Some(verdict) if !["max-moves", "max-turns", "quiet-cap"].contains(&verdict.reason.code()) => alone,
        _ if occurrence.is_some_and(|count| count >= 3) => Some(Verdict::draw(Reason::Repetition)),
        _ => alone,
    }
}

/// Returns whether a ply takes back one of the last plies: `a1b2` after `b2a1`.
fn is_way_back(played: &[String], ply: &str) -> bool {
    let turned = ply.len() == 4 && ply.is_ascii();
    let recent = &played[played.len().saturating_sub(4)..];
    turned && recent.iter().any(|other| other.len() == 4 && other[..2] == ply[2..] && other[2..] == ply[..2])
}

#[test]
fn repetition_is_what_comparing_strings_says() {
    let mut repeated: BTreeMap<&str, usize> = BTreeMap::new();
    for (setup, from) in beginnings() {
        let game = setup.game().id;
        *repeated.entry(game).or_default() += setup.clone().visit(Repeat { setup, from }).unwrap();
    }
    for (game, count) in &repeated {
        let has_repetition = ["2-frenzy", "fanorona", "sophia"].contains(game);
        assert_eq!(*count > 0, has_repetition, "{repeated:?}");
    }
}
