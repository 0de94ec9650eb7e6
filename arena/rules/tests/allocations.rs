//! No ply of any game costs an allocation: neither to list it nor to make it.

use allocation_counter::measure;
use rules::{Dice, GAMES, Position, Visitor, find, perft, playouts};

/// Options other than the defaults that lead through other code.
const VARIANTS: &[(&str, &[(&str, &str)])] = &[
    ("faust", &[("size", "19"), ("max-moves", "500")]),
    ("fanorona", &[("size", "9x7")]),
    ("sophia", &[("size", "9"), ("stones", "5")]),
    ("2-frenzy", &[("players", "3")]),
    ("2-frenzy", &[("players", "4")]),
];

struct Play<'a>(&'a str);

impl Visitor for Play<'_> {
    type Output = ();

    fn visit<P: Position>(self, options: &P::Options) {
        const GAMES: u64 = 4;
        let start = P::start(options);
        let mut plies = Vec::new();
        // The first time the list of plies grows, then it is large enough for the same games.
        let played = playouts(&start, GAMES, &mut Dice::new(1), &mut plies);
        let info = measure(|| {
            let again = playouts(&start, GAMES, &mut Dice::new(1), &mut plies);
            assert_eq!(again, played);
        });
        assert_eq!(info.count_total, 0, "{} in {} plies", self.0, played.plies);
        let info = measure(|| assert!(perft(&start, 2) > 0));
        assert_eq!(info.count_total, 0, "{} in perft", self.0);
    }
}

#[test]
fn no_ply_allocates() {
    for game in GAMES {
        game.setup(&[]).expect("defaults are valid").visit(Play(game.id));
    }
    for (game, options) in VARIANTS {
        find(game).expect("a game").setup(options).expect("options").visit(Play(game));
    }
}

#[test]
fn the_counter_counts() {
    assert!(measure(|| drop(std::hint::black_box(vec![1_u8]))).count_total > 0);
}
