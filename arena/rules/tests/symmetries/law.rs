//! The law: whatever the rules say of a position, they say it of its images.

use rules::{BoardMap, GAMES, Game, Outcome, Seat, Setup, Verdict, find};

use crate::positions::{Placed, published, random, setup};
use crate::symmetry::{Symmetry, parse};

/// The greatest number of lines that are counted from a position and from each of its images.
const MOST_LINES: u64 = 3000;

/// What was tried, so that no test is empty.
#[derive(Debug, Default)]
struct Tried {
    positions: usize,
    images: usize,
    plies: usize,
    decided: usize,
}

/// Returns the positions after each legal ply, sorted; equal ones stand there as often as they are reached.
pub(crate) fn successors(setup: &Setup, text: &str) -> Vec<String> {
    let table =
        setup.referee(Some(text)).unwrap_or_else(|error| panic!("{}: {text}: {error}", setup.label()));
    let after = |ply: &String| {
        let mut next = table.fork();
        next.submit(ply).expect("a legal ply plays");
        next.position()
    };
    let mut all: Vec<_> = table.legal().iter().map(after).collect();
    all.sort_unstable();
    all
}

/// Returns how the game has ended in a position.
pub(crate) fn verdict(setup: &Setup, text: &str) -> Option<Verdict> {
    setup.referee(Some(text)).unwrap_or_else(|error| panic!("{}: {text}: {error}", setup.label())).outcome()
}

/// Returns the verdict that the images of a position have.
fn image_of(verdict: Verdict, symmetry: Symmetry) -> Verdict {
    let outcome = match verdict.outcome {
        Outcome::Win(Seat::P1) if symmetry.exchanges_winners() => Outcome::Win(Seat::P2),
        Outcome::Win(Seat::P2) if symmetry.exchanges_winners() => Outcome::Win(Seat::P1),
        Outcome::Places(places) => Outcome::Places(symmetry.places(places)),
        other => other,
    };
    Verdict { outcome, ..verdict }
}

/// Returns the numbers of lines of 1 plies, 2 plies and on, as long as there are not many.
fn counts(setup: &Setup, text: &str) -> Vec<u64> {
    let mut counts = Vec::new();
    for depth in 1..=4 {
        let count = setup.perft(Some(text), depth).expect("the position was read before");
        counts.push(count);
        let breadth = counts[0].max(1);
        if count * breadth > MOST_LINES {
            break;
        }
    }
    counts
}

/// Holds one symmetry, from a position of one set-up to its image under another, which is usually the same.
fn check(from: &Setup, to: &Setup, text: &str, symmetry: Symmetry, tried: &mut Tried) {
    let game = from.game().id;
    let image = symmetry.apply(game, text);
    let place = format!("{}: {text}\n {symmetry:?}\n {image}", from.label());
    let expected = verdict(from, text).map(|verdict| image_of(verdict, symmetry));
    assert_eq!(verdict(to, &image), expected, "{place}");
    let after = successors(from, text);
    let mut images: Vec<_> = after.iter().map(|next| symmetry.apply(game, next)).collect();
    images.sort_unstable();
    assert_eq!(successors(to, &image), images, "{place}");
    assert_eq!(counts(to, &image), counts(from, text), "{place}");
    tried.images += 1;
    tried.plies += after.len();
    tried.decided += usize::from(expected.is_some());
}

fn hold(positions: impl Fn(&'static Game) -> Vec<Placed>) {
    for game in GAMES {
        let mut tried = Tried::default();
        for (setup, text) in positions(game) {
            let has_swap = setup.options().contains(&("swap", "on".to_owned()));
            tried.positions += 1;
            for symmetry in Symmetry::of(game.id, &parse(&text), has_swap) {
                check(&setup, &setup, &text, symmetry, &mut tried);
            }
        }
        let Tried { positions, images, plies, decided } = tried;
        assert!(positions >= 20 && images >= 3 * positions, "{}: {tried:?}", game.id);
        assert!(plies > images && decided > 0, "{}: {tried:?}", game.id);
    }
}

#[test]
fn random_games_go_along_with_every_symmetry() {
    hold(random);
}

#[test]
fn a_table_has_as_many_symmetries_as_its_page_says() {
    let game = find("2-frenzy").expect("it is in the list");
    for (players, placing, playing) in [(3, 36, 108), (4, 8, 32)] {
        for (setup, text) in random(game).iter().filter(|(setup, _)| setup.seats() == players) {
            let text = parse(text);
            let count = if text.value("phase") == "sharks" { placing } else { playing };
            // The identity is not listed.
            assert_eq!(Symmetry::of(game.id, &text, false).len(), count - 1, "{}", setup.label());
        }
    }
}

#[test]
fn published_positions_go_along_with_every_symmetry() {
    hold(published);
}

#[test]
fn fanorona_on_a_board_turned_by_a_quarter_is_the_same_game() {
    let game = find("fanorona").expect("it is in the list");
    let mut tried = Tried::default();
    for (from, text) in random(game) {
        let size = parse(&text);
        if size.files() == size.ranks() {
            continue;
        }
        let turned = format!("size={}x{}", size.ranks(), size.files());
        // Boards with more than seven ranks are not offered.
        if size.files() > 7 {
            continue;
        }
        for map in BoardMap::all(true).filter(|map| map.transposes) {
            let symmetry = Symmetry { map, exchange: crate::symmetry::Exchange::Nothing };
            check(&from, &setup(game, &turned), &text, symmetry, &mut tried);
        }
        tried.positions += 1;
    }
    assert!(tried.positions >= 20 && tried.images == 4 * tried.positions, "{tried:?}");
}
