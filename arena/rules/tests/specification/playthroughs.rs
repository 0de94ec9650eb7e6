//! Whole games to the letter: `protocol-spec/vectors/playthroughs/`, one random game for every game and set of
//! options. The files are described in `protocol-spec/vectors/README.md` and written by `cargo xtask bless`.

use std::fmt::Write as _;
use std::fs;

use rules::{GAMES, Setup, find};

use crate::golden::compare;
use crate::specification;

/// The sets of options, beside the defaults of every game.
const VARIANTS: [(&str, &str); 19] = [
    ("farook", "wilds=pattern"),
    ("farook", "max-moves=12"),
    ("faust", "size=5"),
    ("faust", "size=4 perimeter=walls"),
    ("faust", "size=3 swap=off"),
    ("frenzy", "max-turns=40"),
    ("2-frenzy", "max-turns=40"),
    ("2-frenzy", "players=3"),
    ("2-frenzy", "players=4"),
    ("sophia", "drop=goal"),
    ("sophia", "both=opponent swap=on"),
    ("sophia", "moves=orthogonal"),
    ("sophia", "lines=orthogonal"),
    ("sophia", "size=5 line=5"),
    ("sophia", "stones=3"),
    ("fanorona", "size=3x3"),
    ("fanorona", "size=5x5"),
    ("fanorona", "size=7x5"),
    ("fanorona", "size=3x5 quiet-cap=6"),
];

fn setups() -> Vec<Setup> {
    let variants = VARIANTS.iter().map(|(game, options)| {
        let pairs = options.split(' ').map(|pair| pair.split_once('=').expect("a pair")).collect::<Vec<_>>();
        find(game).expect("a game").setup(&pairs).expect("its options")
    });
    GAMES.iter().map(|game| game.setup(&[]).expect("the defaults")).chain(variants).collect()
}

/// FNV-1a with 64 bits: short to write down in any language.
fn fnv(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// The stream of numbers that plies are drawn with (SplitMix64).
struct Stream(u64);

impl Stream {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut number = self.0;
        number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        number ^ (number >> 31)
    }
}

/// Plays a random game and writes it down.
fn playthrough(setup: &Setup) -> String {
    let mut text = format!("game {}\n", setup.game().id);
    let options: Vec<_> = setup.options().iter().map(|(key, value)| format!("{key}={value}")).collect();
    let mut table = setup.referee(None).expect("the start");
    let _ = writeln!(text, "options {}\nposition {}", options.join(" "), table.position());
    let mut stream = Stream(fnv(&setup.label()));
    loop {
        let legal = table.legal();
        if let Some(verdict) = table.outcome() {
            assert!(legal.is_empty(), "{}: plies after the end", setup.label());
            let _ = writeln!(text, "result {} {}", verdict.outcome, verdict.reason);
            return text;
        }
        let ply = &legal[(stream.next() % legal.len() as u64) as usize];
        let (seat, count, digest) = (table.seat(), legal.len(), fnv(&legal.join(" ")));
        let turn = table.turn();
        let turn = format!("{}{}", turn.seat, if turn.is_fresh { "" } else { "+" });
        table.submit(ply).expect("a legal ply");
        let _ = writeln!(text, "{seat} {turn} {count} {digest:016x} {ply} {}", table.position());
    }
}

#[test]
fn random_games_of_every_game_are_played_to_the_letter() {
    let folder = specification("vectors/playthroughs");
    let mut faults = Vec::new();
    let mut names = Vec::new();
    for setup in setups() {
        let name = format!("{}.txt", setup.label().replace(' ', "-"));
        faults.extend(compare(&folder.join(&name), &playthrough(&setup)).err());
        names.push(name);
    }
    let found = fs::read_dir(&folder).expect("the folder").map(|entry| entry.expect("an entry").file_name());
    for name in found {
        let name = name.to_string_lossy();
        if !names.iter().any(|other| *other == name) {
            faults.push(format!("{}: no game writes this file", folder.join(&*name).display()));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
