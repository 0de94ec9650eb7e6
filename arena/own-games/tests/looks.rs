//! Looks of games of one's own, from the JSON that rules answer to pictures, text and clicks.
//!
//! The pictures are in `tests/looks/`; `ARENA_BLESS=1` writes them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use board::{Caption, Drawing, Marks, Scene, Story};
use own_games::{CarrierFault, Origin, RulesCarrier, RulesClient, ask_for_game};
use rules::{GameRef, RulesSource, Setup};
use serde_json::{Value, json};

/// Rules that know some positions of one game, and nothing else.
#[derive(Debug)]
struct KnownPositions {
    look: Value,
    /// What `games` says of game logs, or nothing.
    pgn: Value,
    /// The start first.
    positions: Vec<Value>,
}

impl RulesCarrier for KnownPositions {
    fn ask(&self, question: &str) -> Result<String, CarrierFault> {
        let words: Vec<_> = question.split(' ').collect();
        let answer = match words.as_slice() {
            ["about"] => json!({"format": 2}),
            ["games"] => json!([{"game": "sample", "look": self.look, "pgn": self.pgn}]),
            [_, _, "startpos"] => self.positions[0].clone(),
            [_, _, "fen", position @ ..] => {
                let position = position.join(" ");
                let known = self.positions.iter().find(|known| known["position"] == position);
                known.cloned().unwrap_or_else(|| json!({"error": "bad-position", "message": "is not known"}))
            }
            _ => json!({"error": "bad-request", "message": "is not known"}),
        };
        Ok(answer.to_string())
    }
}

fn origin() -> Origin {
    let source = RulesSource::Program {
        command: vec!["sample".to_owned()],
        directory: PathBuf::new(),
        files: Vec::new(),
    };
    Origin { digest: String::new(), source, module: None }
}

fn setup(look: Value, positions: Vec<Value>) -> Setup {
    let client = RulesClient::new(Arc::new(KnownPositions { look, pgn: Value::Null, positions }), "sample");
    let game = ask_for_game(&client, None, None, origin()).expect("a game");
    GameRef::Own(game).setup(&[]).expect("no options")
}

fn position(text: &str, legal: &[&str]) -> Value {
    json!({"position": text, "seat": "p1", "legal": legal})
}

#[test]
fn chess_without_san_is_refused() {
    let load = |start: Value| {
        let rules = KnownPositions { look: Value::Null, pgn: json!("chess"), positions: vec![start] };
        ask_for_game(&RulesClient::new(Arc::new(rules), "sample"), None, None, origin())
    };
    let mut start = position(START, &["e2e4"]);
    let fault = load(start.clone()).expect_err("its game logs could not be written");
    assert!(fault.what.contains("positions have no `san`"), "{}", fault.what);
    start["san"] = json!(["e4"]);
    load(start).expect("chess with its notation");
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const PROMOTES: &str = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1";

fn chess() -> Setup {
    let mut pieces = serde_json::Map::new();
    for (letter, shape) in
        [('K', "king"), ('Q', "queen"), ('R', "rook"), ('B', "bishop"), ('N', "knight"), ('P', "pawn")]
    {
        for (letter, colour, seat) in [(letter, "white", "p1"), (letter.to_ascii_lowercase(), "black", "p2")]
        {
            let name = format!("{colour} {shape}");
            let piece = json!({"shape": shape, "colour": colour, "name": name, "seat": seat});
            pieces.insert(letter.to_string(), piece);
        }
    }
    let look = json!({
        "board": {"kind": "cells", "width": 8, "height": 8, "checkered": true},
        "pieces": pieces,
        "enter": "from-to",
        "kinds": [{"rest": "n", "words": "promote to a knight"}, {"rest": "q", "words": "promote to a queen"}],
    });
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    let promotes = ["a7a8n", "a7a8q", "e1g1", "h1h2"];
    setup(
        look,
        vec![position(START, &["e2e3", "e2e4"]), position(after, &["e7e5"]), position(PROMOTES, &promotes)],
    )
}

fn hex() -> Setup {
    let look = json!({
        "board": {"kind": "hex", "width": 5, "height": 5},
        "pieces": {
            "r": {"shape": "stone", "colour": "red", "name": "red stone", "seat": "c=r"},
            "b": {"shape": "stone", "colour": "blue", "name": "blue stone", "seat": "c=b"},
        },
        "enter": "to",
    });
    let swapped = position("5/2b2/1rr2/5/4b p1 c=br", &["a1", "b1", "swap"]);
    setup(look, vec![position("5/5/5/5/5 p1 c=rb", &["a1"]), swapped])
}

fn telo() -> Setup {
    let look = json!({
        "board": {"kind": "points", "width": 3, "height": 3, "lines": "diagonal"},
        "from": "cells",
        "pieces": {
            "x": {"shape": "cross", "colour": "#207050", "name": "cross", "seat": "p1"},
            "o": {"shape": "ring", "colour": "orange", "name": "ring", "seat": "p2"},
        },
        "hand": 3,
        "enter": "path",
    });
    let mut placed = position("anything at all", &["a1", "b2b3", "b2c3"]);
    placed["cells"] = json!([["b2", "x"], ["c1", "o"]]);
    placed["hand"] = json!([["p1", "x", 2], ["p2", "o", 2]]);
    let mut start = position("begin", &["a1"]);
    start["hand"] = json!([["p1", "x", 3], ["p2", "o", 3]]);
    setup(look, vec![start, placed])
}

/// Compares the picture of a position with the one that is kept.
fn check(name: &str, setup: &Setup, position: &str, last: Option<(&str, &str)>) {
    let drawing = Drawing::of(setup).expect("a drawing");
    let scene = Scene::of(&drawing, position).expect("a scene");
    let marks = |(before, ply): (&str, &str)| {
        Marks::of(&drawing, &Scene::of(&drawing, before).expect("a scene"), ply, &scene)
    };
    let story = Story { turn: last.map(marks).into_iter().collect(), end: None };
    let svg = board::picture(&drawing, &scene, &story, &Caption::default());
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/looks").join(name);
    if env::var_os("ARENA_BLESS").is_some_and(|value| value == "1") {
        fs::write(&path, &svg).expect("the picture can be written");
    }
    let kept = fs::read_to_string(&path).expect("the picture is kept");
    assert!(kept == svg, "{name} has changed: look at what `ARENA_BLESS=1` makes of it");
    // Whatever a picture refers to is in it.
    for part in svg.split("href=\"#").skip(1).chain(svg.split("url(#").skip(1)) {
        let id = part.split(['"', ')']).next().unwrap_or_default();
        assert!(svg.contains(&format!("id=\"{id}\"")), "{name}: {id}");
    }
}

#[test]
fn men_stand_on_a_checkered_board() {
    let after = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    check("chess.svg", &chess(), after, Some((START, "e2e4")));
}

#[test]
fn stones_stand_on_hexagons() {
    check("hex.svg", &hex(), "5/2b2/1rr2/5/4b p1 c=br", None);
}

#[test]
fn what_the_rules_tell_stands_on_points_and_in_hand() {
    check("telo.svg", &telo(), "anything at all", Some(("begin", "b2")));
}

#[test]
fn a_board_that_is_turned_round_has_the_same_places() {
    for setup in [chess(), hex(), telo()] {
        let drawing = Drawing::of(&setup).expect("a drawing");
        let (width, height) = drawing.size();
        for place in drawing.places() {
            let is_other = |other: &&board::PieceLocation| {
                (other.x + place.x - width).abs() < 0.11 && (other.y + place.y - height).abs() < 0.11
            };
            assert!(drawing.places().iter().any(|other| is_other(&other)), "{place:?}");
            assert!(place.x > 0.0 && place.x < width && place.y > 0.0 && place.y < height, "{place:?}");
        }
    }
}

#[test]
fn a_piece_stands_for_the_seat_that_has_swapped() {
    let drawing = Drawing::of(&hex()).expect("a drawing");
    let owners = |position| Scene::of(&drawing, position).map(|scene| scene.owners().to_vec());
    assert_eq!(owners("5/5/5/5/5 p1 c=rb"), Some(vec!['r', 'b']));
    assert_eq!(owners("5/2b2/1rr2/5/4b p1 c=br"), Some(vec!['b', 'r']));
    assert_eq!(owners("5/5/5/5 p1 c=rb"), None);
}

/// Returns the clicks that lead to plies, as words: the code of each, and in parentheses what can follow it.
fn clicks(setup: &Setup, position: &str) -> String {
    fn words(clicks: &[rules::Click]) -> String {
        let word = |click: &rules::Click| match click.next.is_empty() {
            true => click.code.clone(),
            false => format!("{}({})", click.code, words(&click.next)),
        };
        clicks.iter().map(word).collect::<Vec<_>>().join(" ")
    }
    let legal = setup.referee(Some(position)).expect("a position").legal();
    words(&rules::clicks(setup, position, &legal))
}

#[test]
fn plies_are_entered_as_the_look_says() {
    assert_eq!(clicks(&chess(), PROMOTES), "a7(a8(n q)) e1(g1) h1(h2)");
    assert_eq!(clicks(&hex(), "5/2b2/1rr2/5/4b p1 c=br"), "a1 b1 swap");
    assert_eq!(clicks(&telo(), "anything at all"), "a1 b2(b3 c3)");
}

#[test]
fn plies_that_clicks_cannot_tell_apart_are_chosen_from_a_list() {
    let look = |enter: &str| {
        json!({
            "board": {"kind": "cells", "width": 5, "height": 1},
            "pieces": {"m": {"colour": "red"}},
            "enter": enter,
        })
    };
    let legal = ["a1b1c1", "a1d1c1", "c1", "f1", "pass"];
    let words = |enter: &str| clicks(&setup(look(enter), vec![position("5 p1", &legal)]), "5 p1");
    assert_eq!(words("path"), "a1(b1(c1) d1(c1)) c1 f1 pass");
    assert_eq!(words("from-to"), "a1(c1(a1b1c1 a1d1c1)) c1 f1 pass");
    assert_eq!(words("to"), "c1(a1b1c1 a1d1c1 c1) f1 pass");
    assert_eq!(words("list"), "a1b1c1 a1d1c1 c1 f1 pass");
}

#[test]
fn terminals_show_the_same_boards() {
    let look = report::Look { width: 80, color: false, ascii: true };
    let text = |setup: &Setup, position: &str| report::board_text(setup, position, None, &look);
    let board = text(&chess(), PROMOTES).expect("a board");
    assert!(
        board.starts_with("8  . . . . k . . .\n7  P . . . . . . .\n") && board.contains("\np1 decides\n"),
        "{board}"
    );
    let expected = "
5      . . . . .
4     . . b . .
3    . r r . .
2   . . . . .
1  . . . . b
   a b c d e

p1 decides, c=br
b p1 blue stone, r p2 red stone
";
    let board = text(&hex(), "5/2b2/1rr2/5/4b p1 c=br").expect("a board");
    assert_eq!(board, expected[1..]);
    let expected = "
3  .---.---.
   | X | X |
2  .---x---.
   | X | X |
1  .---.---o
   a   b   c

p1 decides
x p1 cross, o p2 ring
";
    assert_eq!(text(&telo(), "anything at all").as_deref(), Some(&expected[1..]));
}

#[test]
fn a_look_that_is_wrong_is_refused_with_its_place() {
    let look = json!({"board": {"kind": "cells", "width": 8, "height": 8}, "pieces": {"k": {"shape": "kin", "colour": "red"}}});
    let rules = KnownPositions { look, pgn: Value::Null, positions: vec![position("8 p1", &["a1"])] };
    let error = ask_for_game(&RulesClient::new(Arc::new(rules), "sample"), None, None, origin());
    let words = error.expect_err("a fault").to_string();
    assert!(
        words.contains("`look`: look.pieces.k.shape: `kin` is none of")
            && words.contains("did you mean `king`"),
        "{words}"
    );
}
