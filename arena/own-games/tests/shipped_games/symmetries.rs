//! The symmetries that the page of each game in `arena/games` names: whatever the rules say of a position, they say it of its
//! images.

use rules::{BoardMap, Diagram, Dice, Outcome, Seat, Setup, Verdict};

use crate::shipped;

/// How many positions of a game are tried.
const POSITIONS: usize = 24;

/// How many lines are counted from a position at most, about.
const MOST_LINES: u64 = 400;

/// The image of a position: its string, and whether the seats have changed places.
type Image = (String, bool);

/// Returns the images of a position of a shipped game.
fn images(game: &str, text: &str) -> Vec<Image> {
    if game == "chess" {
        return vec![(other_side(text), true)];
    }
    let of = |map: BoardMap, is_exchanged: bool| {
        let mut image = Diagram::parse(text).unwrap_or_else(|| panic!("{text}"));
        map.apply(&mut image, &[]);
        if is_exchanged {
            image.exchange(|letter| match letter {
                'w' => 'b',
                'b' => 'w',
                other => other,
            });
            image.seat = if image.seat == "p1" { "p2".to_owned() } else { "p1".to_owned() };
        }
        (image.to_string(), is_exchanged)
    };
    let half_turn = BoardMap { turns_files: true, turns_ranks: true, ..BoardMap::IDENTITY };
    let mirror = BoardMap { turns_files: true, ..BoardMap::IDENTITY };
    match game {
        "dao" | "othello" => BoardMap::all(true)
            .flat_map(|map| [false, true].map(|is_exchanged| of(map, is_exchanged)))
            .collect(),
        "telo" | "trails" => BoardMap::all(true).map(|map| of(map, false)).collect(),
        "connect-four" => vec![of(mirror, false)],
        "hex" => vec![of(half_turn, false)],
        other => panic!("which symmetries has `{other}`?"),
    }
}

/// Returns a position of chess seen from the other side: ranks turned round, colours exchanged.
fn other_side(fen: &str) -> String {
    let swapped = |text: &str| -> String {
        let other =
            |c: char| if c.is_ascii_uppercase() { c.to_ascii_lowercase() } else { c.to_ascii_uppercase() };
        text.chars().map(other).collect()
    };
    let fields: Vec<_> = fen.split(' ').collect();
    let ranks: Vec<_> = fields[0].rsplit('/').map(swapped).collect();
    let seat = if fields[1] == "w" { "b" } else { "w" };
    let mut castling: Vec<char> = swapped(fields[2]).chars().collect();
    castling.sort_unstable();
    let castling: String = castling.into_iter().collect();
    let passing = fields[3].replace('6', "x").replace('3', "6").replace('x', "3");
    format!("{} {seat} {castling} {passing} {} {}", ranks.join("/"), fields[4], fields[5])
}

/// Returns the numbers of lines of 1 plies, 2 plies and on, as long as there are not many.
fn counts(setup: &Setup, text: &str) -> Vec<u64> {
    let mut counts = Vec::new();
    for depth in 1..=3 {
        let count = setup.perft(Some(text), depth).unwrap_or_else(|error| panic!("{text}: {error}"));
        counts.push(count);
        if count * counts[0].max(1) > MOST_LINES {
            break;
        }
    }
    counts
}

fn verdict(setup: &Setup, text: &str) -> Option<Verdict> {
    setup.referee(Some(text)).unwrap_or_else(|error| panic!("{}: {text}: {error}", setup.label())).outcome()
}

/// Returns positions of random games.
fn positions(setup: &Setup) -> Vec<String> {
    let mut dice = Dice::new(7);
    let mut positions = Vec::new();
    while positions.len() < POSITIONS {
        let mut game = setup.referee(None).expect("every game has a start");
        loop {
            let legal = game.legal();
            // Every few plies, and the end.
            if legal.is_empty() || dice.below(4) == 0 {
                positions.push(game.position());
            }
            if legal.is_empty() || positions.len() == POSITIONS {
                break;
            }
            game.submit(&legal[dice.below(legal.len())]).expect("a legal ply is accepted");
        }
    }
    positions
}

#[test]
fn shipped_games_have_the_symmetries_of_their_boards() {
    for setup in shipped::all() {
        let mut decided = 0;
        for text in positions(&setup) {
            let (expected, lines) = (verdict(&setup, &text), counts(&setup, &text));
            decided += usize::from(expected.is_some());
            for (image, is_exchanged) in images(setup.game().id, &text) {
                let expected = expected.map(|verdict| match verdict.outcome {
                    Outcome::Win(seat) if is_exchanged => {
                        let other = if seat == Seat::P1 { Seat::P2 } else { Seat::P1 };
                        Verdict { outcome: Outcome::Win(other), ..verdict }
                    }
                    _ => verdict,
                });
                let place = format!("{}: {text}\n {image}", setup.label());
                assert_eq!(verdict(&setup, &image), expected, "{place}");
                assert_eq!(counts(&setup, &image), lines, "{place}");
            }
        }
        // Games of chess by lot take long.
        assert!(decided > 0 || setup.game().id == "chess", "{}: no game has ended", setup.label());
    }
}
