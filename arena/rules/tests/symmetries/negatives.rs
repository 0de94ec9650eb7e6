//! What one might take for a symmetry and is none, each with a position that shows it.

use rules::{BoardMap, find};

use crate::law::{successors, verdict};
use crate::positions::setup;
use crate::symmetry::{Exchange, Symmetry};

/// Returns whether results and the positions after every ply go along with an exchange.
fn goes_along(game: &'static str, options: &str, text: &str, exchange: Exchange) -> bool {
    let setup = setup(find(game).expect("it is in the list"), options);
    let symmetry = Symmetry { map: BoardMap::IDENTITY, exchange };
    let image = symmetry.apply(game, text);
    let mut images: Vec<_> = successors(&setup, text).iter().map(|next| symmetry.apply(game, next)).collect();
    images.sort_unstable();
    verdict(&setup, text).is_some() == verdict(&setup, &image).is_some()
        && successors(&setup, &image) == images
}

#[test]
fn colours_and_seats_are_bound_as_long_as_a_swap_may_come() {
    for (game, second, third) in [
        ("faust", "3/1b1/3 p2 c=bw n=1", "w2/1b1/3 p1 c=bw n=2"),
        ("sophia", "4/1A2/4/4 p2 stock=6,7 c=AB n=1", "B3/1A2/4/4 p1 stock=6,6 c=AB n=2"),
    ] {
        let options = if game == "faust" { "size=3" } else { "swap=on" };
        for exchange in [Exchange::SeatsAlone, Exchange::Sets] {
            assert!(!goes_along(game, options, second, exchange), "{game} {exchange:?}");
            assert!(goes_along(game, options, third, exchange), "{game} {exchange:?}");
        }
        assert!(goes_along(game, options, second, Exchange::Seats), "{game}");
    }
}

#[test]
fn placing_sharks_goes_from_p1_to_p2() {
    let placing = "ffffffff/ffffffff/ffffffff/ffffffff/FFFFFFFF/FFFFFFFF/FFFFFFFF/FFFFFFFF p1 phase=sharks \
                   left=1 used=- n=0";
    assert!(!goes_along("2-frenzy", "-", placing, Exchange::Seats));
}

#[test]
fn placing_sharks_begins_with_p1_at_larger_tables_too() {
    let placing = "gggggggg/gggggggg/gggggggg/gggggggg/ffffGGGG/ffffGGGG/FFFFGGGG/FFFFGGGG p4 phase=sharks \
                   left=1 used=- out=- n=0";
    assert!(!goes_along("2-frenzy", "players=4", placing, Exchange::Cycle(1)));
}

#[test]
fn sharks_and_fish_are_not_alike() {
    let setup = setup(find("frenzy").expect("it is in the list"), "-");
    let hunted = "8/8/8/3f4/3s4/8/8/8 p1 phase=play n=2";
    let hunting = "8/8/8/3s4/3f4/8/8/8 p2 phase=play n=2";
    assert_eq!(successors(&setup, hunted).len(), 1, "a shark eats and does no more");
    assert_eq!(successors(&setup, hunting).len(), 7, "a fish goes where it likes");
}

#[test]
fn the_lines_of_fanorona_do_not_move_along_with_the_stones() {
    let setup = setup(find("fanorona").expect("it is in the list"), "-");
    let even = successors(&setup, "9/9/4w4/9/b8 p1 quiet=0");
    let odd = successors(&setup, "9/9/3w5/9/b8 p1 quiet=0");
    assert_eq!((even.len(), odd.len()), (8, 4), "a point next to one with diagonals has none");
}
