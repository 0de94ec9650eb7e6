//! The positions that are tried: starts, random games, and the position strings of `protocol-spec/vectors/`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};
use rules::{Game, Setup};

/// Options other than the defaults under which random games are played.
const VARIANTS: &[(&str, &str)] = &[
    ("farook", "wilds=pattern"),
    ("farook", "max-moves=12"),
    ("faust", "size=2"),
    ("faust", "size=3 swap=off"),
    ("faust", "size=5 perimeter=walls"),
    ("faust", "size=6"),
    ("frenzy", "max-turns=40"),
    ("2-frenzy", "max-turns=40"),
    ("2-frenzy", "max-turns=10"),
    ("2-frenzy", "players=3 max-turns=30"),
    ("2-frenzy", "players=4 max-turns=30"),
    ("sophia", "stones=3 swap=on"),
    ("sophia", "drop=goal both=opponent swap=on"),
    ("sophia", "size=5 moves=orthogonal lines=orthogonal line=3"),
    ("fanorona", "size=3x3"),
    ("fanorona", "size=3x5"),
    ("fanorona", "size=5x3"),
    ("fanorona", "size=5x5 quiet-cap=6"),
    ("fanorona", "size=5x7"),
    ("fanorona", "size=7x7"),
    ("fanorona", "size=9x3"),
];

const GAMES_EACH: usize = 4;
const PLIES_EACH: usize = 60;

/// A position string with the set-up to which it belongs.
pub(crate) type Placed = (Setup, String);

/// Returns the set-up of a game with options written `key=value key=value`, or `-` for none.
pub(crate) fn setup(game: &'static Game, options: &str) -> Setup {
    let pairs: Vec<_> = options.split_whitespace().filter_map(|pair| pair.split_once('=')).collect();
    game.setup(&pairs).unwrap_or_else(|error| panic!("{} {options}: {error}", game.id))
}

/// Returns positions of random games, with the defaults and with each of the variants.
pub(crate) fn random(game: &'static Game) -> Vec<Placed> {
    let variants = VARIANTS.iter().filter(|(name, _)| *name == game.id).map(|(_, options)| *options);
    let mut positions = Vec::new();
    for (seed, options) in ["-"].into_iter().chain(variants).enumerate() {
        let mut rng = ChaCha8Rng::seed_from_u64(seed as u64);
        let setup = setup(game, options);
        for _ in 0..GAMES_EACH {
            let mut table = setup.referee(None).expect("the start is valid");
            // Neighbours in a game are much alike, so some plies are passed over; never the start.
            let stride = rng.random_range(2..6);
            for ply in 0..PLIES_EACH {
                if ply % stride == 0 {
                    positions.push((setup.clone(), table.position()));
                }
                let legal = table.legal();
                if legal.is_empty() {
                    positions.push((setup.clone(), table.position()));
                    break;
                }
                table.submit(&legal[rng.random_range(0..legal.len())]).expect("a legal ply plays");
            }
        }
    }
    once(positions)
}

/// Returns the position strings of the game's scripts and tables of counts.
pub(crate) fn published(game: &'static Game) -> Vec<Placed> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol-spec/vectors");
    let read = |kind: &str| {
        let path = folder.join(kind).join(format!("{}.txt", game.id));
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let mut positions = Vec::new();
    let mut current = setup(game, "-");
    for line in read("positions").lines() {
        match line.split_once(' ') {
            _ if line == "options" => current = setup(game, "-"),
            Some(("options", options)) => current = setup(game, options),
            Some(("from" | "position", text)) if text != "start" => {
                positions.push((current.clone(), text.to_owned()));
            }
            _ => {}
        }
    }
    for line in read("perft").lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split("; ");
        if let (Some(options), Some(text)) = (fields.next(), fields.next()) {
            positions.push((setup(game, options), text.to_owned()));
        }
    }
    once(positions)
}

/// Returns every position once, in the order of their first occurrences.
fn once(mut positions: Vec<Placed>) -> Vec<Placed> {
    let mut seen = BTreeSet::new();
    positions.retain(|(setup, text)| seen.insert((setup.label(), text.clone())));
    positions
}
