//! Farook: a pattern that the opponent does not block is worth the more, the more of it is there.

use rules::{Farook, Seat};

/// Four in a row, 2x2 squares and the corners, as sets of cells: bit 0 is a1, bit 4 is a2.
const PATTERNS: [u16; 20] = patterns();

const fn patterns() -> [u16; 20] {
    let mut patterns = [0; 20];
    let mut i = 0;
    while i < 4 {
        patterns[i] = 0x000f << (4 * i);
        patterns[4 + i] = 0x1111 << i;
        i += 1;
    }
    patterns[8] = 0x8421;
    patterns[9] = 0x1248;
    patterns[10] = 0x9009;
    let mut i = 0;
    while i < 9 {
        patterns[11 + i] = 0x0033 << (4 * (i / 3) + i % 3);
        i += 1;
    }
    patterns
}

/// What a pattern is worth, by the number of its four cells that are held.
const WORTH: [i32; 5] = [0, 2, 12, 60, 60];

pub(super) fn evaluate(position: &Farook) -> i32 {
    let [p1, p2] = Seat::BOTH.map(|seat| position.stones(seat));
    let wild = position.wild_stones();
    let worth = |own: u16, other: u16| -> i32 {
        let open = PATTERNS.iter().filter(|pattern| *pattern & other == 0);
        open.map(|pattern| WORTH[(pattern & (own | wild)).count_ones() as usize]).sum()
    };
    worth(p1, p2) - worth(p2, p1)
}
