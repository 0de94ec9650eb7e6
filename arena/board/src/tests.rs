//! The boards of all games, in every size.

use rules::{Referee, Setup};

use crate::{Caption, Drawing, Marks, Scene, Story, picture};

fn setup(game: &str, options: &[(&str, &str)]) -> Setup {
    rules::find(game).expect("a game").setup(options).expect("options")
}

/// Every game with its default options, and every size of those that have sizes.
fn setups() -> Vec<Setup> {
    let mut all: Vec<_> = rules::GAMES.iter().map(|game| game.setup(&[]).expect("defaults")).collect();
    for size in 2..=19 {
        all.push(setup("faust", &[("size", &size.to_string())]));
    }
    for size in 4..=9 {
        all.push(setup("sophia", &[("size", &size.to_string())]));
    }
    for size in ["3x3", "3x5", "3x7", "5x3", "5x5", "5x7", "7x3", "7x5", "7x7", "9x3", "9x5", "9x7"] {
        all.push(setup("fanorona", &[("size", size)]));
    }
    all
}

fn scene(drawing: &Drawing, referee: &dyn Referee) -> Scene {
    let position = referee.position();
    Scene::of(drawing, &position).unwrap_or_else(|| panic!("`{position}` is drawn"))
}

/// Plays plies and returns what the last one did, cells by their names.
fn marks(game: &str, from: Option<&str>, plies: &[&str]) -> [String; 5] {
    let setup = setup(game, &[]);
    let drawing = Drawing::of(&setup).expect("a drawing");
    let mut referee = setup.referee(from).expect("a position");
    let (last, first) = plies.split_last().expect("a ply");
    for ply in first {
        referee.submit(ply).expect("legal");
    }
    let before = scene(&drawing, &*referee);
    referee.submit(last).expect("legal");
    let marks = Marks::of(&drawing, &before, last, &scene(&drawing, &*referee));
    let names = |cells: &[usize]| {
        cells.iter().map(|cell| drawing.places()[*cell].name.as_str()).collect::<Vec<_>>().join(" ")
    };
    let region: Vec<usize> = marks.region.into_iter().flat_map(|(low, high)| [low, high]).collect();
    [&marks.path, &region, &marks.removed, &marks.turned, &marks.added].map(|cells| names(cells))
}

#[test]
fn every_position_of_a_game_is_drawn_in_every_size() {
    for setup in setups() {
        let drawing = Drawing::of(&setup).expect("every game is drawn");
        let mut referee = setup.referee(None).expect("a start");
        // Plies from all over the list, so that every kind of them comes.
        for number in 0..120_usize {
            let now = scene(&drawing, &*referee);
            let svg = picture(&drawing, &now, &Story::default(), &Caption::default());
            let shown = now.letters().iter().filter(|letter| **letter != '.').count();
            assert_eq!(svg.matches("<use href").count(), shown, "{}", setup.label());
            let legal = referee.legal();
            if legal.is_empty() {
                break;
            }
            let ply = legal[number * 7919 % legal.len()].clone();
            referee.submit(&ply).expect("legal");
            let after = scene(&drawing, &*referee);
            assert_ne!((&now, ply.as_str()), (&after, ""), "{}", setup.label());
            let marks = Marks::of(&drawing, &now, &ply, &after);
            assert!(
                ply == "pass" || ply == "swap" || !marks.path.is_empty() || marks.region.is_some(),
                "{ply}"
            );
        }
    }
}

#[test]
fn every_piece_has_a_symbol() {
    let symbols = Drawing::symbols();
    for setup in setups() {
        let drawing = Drawing::of(&setup).expect("a drawing");
        for piece in drawing.pieces() {
            assert!(symbols.contains(&format!("<g id=\"{}\">", piece.symbol)), "{}", piece.symbol);
        }
        assert!(crate::mark_symbols().contains(&format!("<g id=\"{}\">", drawing.last_symbol())));
    }
}

#[test]
fn a_board_that_is_turned_round_has_the_same_places() {
    for setup in setups() {
        let drawing = Drawing::of(&setup).expect("a drawing");
        let (width, height) = drawing.size();
        for place in &drawing.places()[..drawing.cells()] {
            let is_other = |other: &&crate::PieceLocation| {
                (other.x + place.x - width).abs() < 0.01 && (other.y + place.y - height).abs() < 0.01
            };
            assert_eq!(drawing.places()[..drawing.cells()].iter().filter(is_other).count(), 1);
        }
        for place in drawing.places() {
            assert!(place.x > 0.0 && place.x < width && place.y > 0.0 && place.y < height, "{place:?}");
        }
    }
}

#[test]
fn a_drop_marks_its_cell() {
    assert_eq!(marks("farook", None, &["c4"]), ["c4", "", "", "", ""]);
}

#[test]
fn a_capture_marks_what_it_took() {
    assert_eq!(marks("fanorona", None, &["d2e3+"]), ["d2 e3", "", "f4 g5", "", ""]);
}

#[test]
fn a_chain_has_its_whole_way() {
    let setup = setup("fanorona", &[]);
    let drawing = Drawing::of(&setup).expect("a drawing");
    let mut referee = setup.referee(None).expect("a start");
    let signs = |ply: &str| ply.matches(['+', '-']).count();
    let mut longest = 0;
    while let Some(ply) = referee.legal().into_iter().max_by_key(|ply| signs(ply)) {
        let before = scene(&drawing, &*referee);
        referee.submit(&ply).expect("legal");
        let marks = Marks::of(&drawing, &before, &ply, &scene(&drawing, &*referee));
        assert_eq!(marks.path.len(), 1 + signs(&ply).max(1), "{ply}");
        assert_eq!(marks.removed.is_empty(), signs(&ply) == 0, "{ply}");
        longest = longest.max(signs(&ply));
    }
    assert!(longest >= 3, "{longest}");
}

#[test]
fn a_rectangle_is_marked_with_its_discs() {
    let from = "3/wbw/www p1 c=wb n=9";
    let setup = setup("faust", &[("size", "3")]);
    let drawing = Drawing::of(&setup).expect("a drawing");
    let before = Scene::of(&drawing, from).expect("a position");
    let after = Scene::of(&drawing, "3/www/www p2 c=wb n=10").expect("a position");
    let marks = Marks::of(&drawing, &before, "b2xb2", &after);
    assert_eq!((marks.region, marks.turned, marks.path), (Some((4, 4)), vec![4], vec![]));
}

#[test]
fn a_jumped_stone_is_marked_as_turned() {
    let from = "4/4/4/Ab2 p1 stock=0,0 c=AB n=14";
    assert_eq!(marks("sophia", Some(from), &["a1c1"]), ["a1 c1", "", "", "b1", ""]);
}

#[test]
fn fish_that_die_with_their_group_are_marked() {
    let from = "8/6s1/8/f1f5/1f1f4/2fs4/f1f5/1f1f4 p1 phase=play n=9";
    let [path, _, removed, ..] = marks("frenzy", Some(from), &["d3c3", "keep=a2"]);
    assert_eq!((path.as_str(), removed.as_str()), ("a2", "b4 d4 a5 c5"));
}

#[test]
fn stones_in_hand_lie_before_those_who_have_them() {
    let drawing = Drawing::of(&setup("sophia", &[("swap", "on")])).expect("a drawing");
    let hand = |position: &str| -> String {
        let scene = Scene::of(&drawing, position).expect("a position");
        scene.letters()[drawing.cells()..].iter().collect()
    };
    // The places of the round stones before p1 and p2, then of the square ones.
    assert_eq!(hand("4/4/4/4 p1 stock=7,7 c=AB n=0"), "hhhhhhh..............kkkkkkk");
    assert_eq!(hand("4/4/4/A3 p1 stock=6,7 c=BA n=2"), ".......hhhhhh.kkkkkkk.......");
}

#[test]
fn a_table_has_a_colour_for_every_seat_and_one_for_neutral_fish() {
    let scene = |players, position: &str| {
        let drawing = Drawing::of(&setup("2-frenzy", &[("players", players)])).expect("a drawing");
        let scene = Scene::of(&drawing, position).expect("a position");
        (scene.words(&drawing), scene.owners().iter().collect::<String>())
    };
    let (words, owners) = scene("4", "ff6/2T4G/7G/6g1/8/8/t7/FF3S2 p1 phase=play left=2 used=- out=p2:4 n=8");
    assert_eq!(owners, "FfGg");
    assert!(words.contains("red sharks: c7; yellow fish: g5; yellow sharks: a2"), "{words}");
    assert!(words.ends_with("neutral fish: a8, b8"), "{words}");
    let (_, owners) = scene("3", "9/9/9/9/9/9/9/FsTSf3G p1 phase=play left=2 used=- out=- n=0");
    assert_eq!(owners, "FfG");
}

#[test]
fn seats_that_swap_change_the_piece_that_stands_for_them() {
    let owners = |game: &str, position: &str| {
        let drawing = Drawing::of(&setup(game, &[("size", "4")])).expect("a drawing");
        Scene::of(&drawing, position).expect("a position").owners().to_vec()
    };
    assert_eq!(owners("faust", "4/4/4/4 p1 c=bw n=0"), ['b', 'w']);
    assert_eq!(owners("faust", "4/4/4/4 p1 c=wb n=2"), ['w', 'b']);
    // Who has the other set wants dark stones.
    assert_eq!(owners("sophia", "4/4/4/4 p1 stock=7,7 c=AB n=0"), ['A', 'b']);
    assert_eq!(owners("sophia", "4/4/4/4 p1 stock=7,7 c=BA n=0"), ['b', 'A']);
}

#[test]
fn what_is_no_position_of_the_game_is_not_drawn() {
    let drawing = Drawing::of(&setup("farook", &[])).expect("a drawing");
    for position in [
        "",
        "4/4/4/4",
        "4/4/4 p1 stock=6,6,2",
        "4/4/4/q3 p1 stock=6,6,2",
        "4/4/4/4 p1 n=0",
        "4/4/4/4 p1 stock=a",
    ] {
        assert_eq!(Scene::of(&drawing, position), None, "{position}");
    }
}

#[test]
fn words_name_what_stands_where() {
    let drawing = Drawing::of(&setup("farook", &[])).expect("a drawing");
    let scene = Scene::of(&drawing, "2w1/4/b3/w2x p1 stock=4,5,1 last=-,- ko=- n=4").expect("a position");
    assert_eq!(scene.words(&drawing), "white: a1, c4; black: a2; wild: d1");
}

#[test]
fn captions_stay_text() {
    let drawing = Drawing::of(&setup("farook", &[])).expect("a drawing");
    let scene = Scene::of(&drawing, "4/4/4/4 p1 stock=6,6,2 last=-,- ko=- n=0").expect("a position");
    let caption = Caption { title: "</title><script>".to_owned(), description: "a&b".to_owned() };
    let svg = picture(&drawing, &scene, &Story::default(), &caption);
    assert!(
        svg.contains("&lt;/title&gt;&lt;script&gt;") && svg.contains("a&amp;b") && !svg.contains("<script")
    );
}
