//! Position strings composed at random: any stones anywhere, counters near the caps, and some strings that
//! contradict themselves.

use rand::RngExt;
use rand::rngs::ChaCha8Rng;

use crate::board::{self, Stones};
use crate::farook::{self, SIDE};
use crate::{fanorona, sophia};

/// Composes a position of Farook.
pub(crate) fn farook(options: &farook::Options, rng: &mut ChaCha8Rng) -> String {
    let density = if rng.random_bool(0.2) { 1.0 } else { rng.random_range(0.2..1.0) };
    let wild_share = rng.random_range(0.0..0.5);
    let mut stones = Stones::new();
    for cell in board::cells(SIDE, SIDE) {
        if rng.random_bool(density) {
            let own = if rng.random_bool(0.5) { 'w' } else { 'b' };
            stones.insert(cell, if rng.random_bool(wild_share) { 'x' } else { own });
        }
    }
    let is_odd = rng.random_bool(0.15);
    let seat = rng.random_range(0..2);
    let mut hand = [0, 1, 2].map(|i| if i < 2 { rng.random_range(0..=6) } else { rng.random_range(0..=2) });
    if rng.random_bool(0.5) {
        hand[rng.random_range(0..3)] = 0;
    }
    if rng.random_bool(0.3) {
        hand = [0, 0, 0];
    }
    if is_odd {
        hand[rng.random_range(0..3)] += rng.random_range(0..4);
    }
    let last = ["w", "b"].map(|own| {
        let is_fit = |letter: char| own.contains(letter) || letter == 'x' || is_odd;
        let fit: Vec<_> =
            stones.iter().filter(|(_, letter)| is_fit(**letter)).map(|(cell, _)| *cell).collect();
        let is_some = !fit.is_empty() && rng.random_bool(0.7);
        is_some.then(|| fit[rng.random_range(0..fit.len())])
    });
    let stepped = last[1 - seat].filter(|cell| stones[cell] == 'x' || rng.random_bool(0.05));
    let mut ko = "-".to_owned();
    if let Some(cell) = stepped.filter(|_| rng.random_bool(0.8)) {
        let from: Vec<_> = farook::neighbours(cell)
            .into_iter()
            .filter(|next| !stones.contains_key(next) || rng.random_bool(0.05))
            .collect();
        if !from.is_empty() {
            ko = board::name(cell) + &board::name(from[rng.random_range(0..from.len())]);
        }
    }
    let near = options.max_moves.saturating_sub(rng.random_range(0..4));
    let n = if rng.random_bool(0.3) { near } else { rng.random_range(0..20) };
    format!(
        "{} {} stock={},{},{} last={},{} ko={ko} n={n}",
        board::write_rows(&stones, SIDE, SIDE),
        ["p1", "p2"][seat],
        hand[0],
        hand[1],
        hand[2],
        farook::cell_or_dash(last[0]),
        farook::cell_or_dash(last[1]),
    )
}

/// Composes a position of Sophia.
pub(crate) fn sophia(options: &sophia::Options, rng: &mut ChaCha8Rng) -> String {
    let density = match rng.random_range(0..5) {
        0 => 1.0,
        1 => rng.random_range(0.05..0.3),
        _ => rng.random_range(0.3..1.0),
    };
    let dark = rng.random_range(0.1..0.9);
    let mut stones = Stones::new();
    for cell in board::cells(options.size, options.size) {
        if rng.random_bool(density) {
            let letters = if rng.random_bool(dark) { ['a', 'b'] } else { ['A', 'B'] };
            stones.insert(cell, letters[rng.random_range(0..2)]);
        }
    }
    if rng.random_bool(0.1) {
        plant(&mut stones, options.size, rng);
    }
    let mut hand = [0, 0];
    if rng.random_bool(0.3) {
        hand = [0, 1].map(|_| rng.random_range(0..=options.stones));
    }
    if rng.random_bool(0.05) {
        hand[rng.random_range(0..2)] += rng.random_range(1..=options.stones);
    }
    let is_swapped = rng.random_bool(if options.has_swap { 0.5 } else { 0.1 });
    let left = if rng.random_bool(0.5) { 8 } else { rng.random_range(0..12) };
    let near = options.max_moves.saturating_sub(left);
    let n = match rng.random_range(0..3) {
        0 => near,
        1 => rng.random_range(2..20),
        _ if is_swapped => 2,
        _ => 1,
    };
    format!(
        "{} {} stock={},{} c={} n={n}",
        board::write_rows(&stones, options.size, options.size),
        ["p1", "p2"][rng.random_range(0..2)],
        hand[0],
        hand[1],
        if is_swapped { "BA" } else { "AB" },
    )
}

/// Composes a position of Fanorona.
pub(crate) fn fanorona(options: &fanorona::Options, rng: &mut ChaCha8Rng) -> String {
    let density = match rng.random_range(0..4) {
        0 => rng.random_range(0.7..1.0),
        1 => rng.random_range(0.02..0.2),
        _ => rng.random_range(0.2..0.7),
    };
    let black = rng.random_range(0.05..0.95);
    let mut stones = Stones::new();
    for cell in board::cells(options.width, options.height) {
        if rng.random_bool(density) {
            stones.insert(cell, if rng.random_bool(black) { 'b' } else { 'w' });
        }
    }
    let left = if rng.random_bool(0.5) { 8 } else { rng.random_range(0..12) };
    let near = options.quiet_cap.saturating_sub(left);
    let quiet = if rng.random_bool(0.3) { near } else { 0 };
    let spare = if rng.random_bool(0.03) { "0" } else { "" };
    let rows = board::write_rows(&stones, options.width, options.height);
    format!("{rows} {} quiet={spare}{quiet}", ["p1", "p2"][rng.random_range(0..2)])
}

/// Plants a jump that makes a light and a dark row at once, if nothing else comes first.
fn plant(stones: &mut Stones, size: i32, rng: &mut ChaCha8Rng) {
    let (file, rank) = (rng.random_range(0..size), rng.random_range(1..size - 1));
    let light = ['A', 'B'][rng.random_range(0..2)];
    let dark = ['a', 'b'][rng.random_range(0..2)];
    for i in 0..size {
        stones.insert((i, rank), light);
        stones.insert((i, rank - 1), dark);
    }
    stones.remove(&(file, rank - 1));
    stones.insert((file, rank), ['a', 'b'][rng.random_range(0..2)]);
    stones.insert((file, rank + 1), dark);
}
