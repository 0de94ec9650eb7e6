//! Looks as JSON: what is written comes back, and what is wrong is named with its place.

use rules::{BoardExtent, BoardKind, BoardTheme, PieceColour, PieceOwner, PieceShape, PlyEntry};
use serde_json::{Value, json};

use super::{look_value, read_look};

#[test]
fn the_looks_of_the_built_in_games_come_back() {
    for game in rules::GAMES {
        let look = game.look().expect("every built-in game has a look");
        assert_eq!(read_look(&look_value(look)).as_ref(), Ok(look), "{}", game.id);
    }
}

#[test]
fn what_is_neutral_is_a_piece_and_files_wrap_or_not() {
    let mut value = chess();
    value["neutral"] = json!("q");
    let told = read_look(&value).expect_err("no piece").to_string();
    assert_eq!(told, "look.neutral: the letter of one of the pieces is needed here");
    value["neutral"] = json!("k");
    value["board"]["wraps"] = json!("yes");
    assert!(read_look(&value).expect_err("no flag").to_string().starts_with("look.board.wraps: "));
}

#[test]
fn the_looks_of_tables_come_back() {
    for players in ["3", "4"] {
        let setup = rules::find("2-frenzy").expect("a game").setup(&[("players", players)]).expect("a table");
        let look = setup.look().expect("a look");
        assert!(look.neutral.is_some());
        assert_eq!(read_look(&look_value(look)).as_ref(), Ok(look), "{players}");
    }
}

fn chess() -> Value {
    json!({
        "board": {"kind": "cells", "width": 8, "height": 8, "checkered": true},
        "from": "rows",
        "pieces": {
            "K": {"shape": "king", "colour": "white", "name": "white king", "seat": "p1"},
            "k": {"shape": "king", "colour": "#202020", "name": "black king", "seat": "p2"},
        },
        "enter": "from-to",
        "kinds": [{"rest": "q", "words": "promote to a queen"}],
    })
}

#[test]
fn what_is_left_out_is_taken_for_granted() {
    let look = read_look(&chess()).expect("a look");
    assert_eq!((look.ground.kind, look.ground.theme), (BoardKind::Checkered, BoardTheme::Maple));
    assert_eq!((look.entry, look.kinds[0].code.as_str()), (PlyEntry::FromTo, "q"));
    let king = look.piece('k').expect("a piece");
    assert_eq!((king.shape, king.colour), (PieceShape::King, PieceColour::Rgb([32; 3])));
    assert!(king.is_emblem && king.short_name == "black king" && look.has_coordinates);
    let least = json!({"board": {"width": "size", "height": "size", "kind": "hex"}, "pieces": {}});
    let look = read_look(&least).expect("a look");
    assert_eq!((look.ground.half_shifts, look.entry), (1, PlyEntry::List));
    assert_eq!(look.width, BoardExtent::Option("size".to_owned()));
    assert_eq!(read_look(&look_value(&look)), Ok(look));
}

#[test]
fn pieces_without_a_seat_are_nobodys() {
    let mut value = chess();
    value["pieces"]["x"] = json!({"shape": "cross", "colour": "grey"});
    let look = read_look(&value).expect("a look");
    let cross = look.piece('x').expect("a piece");
    assert_eq!((cross.owner, cross.is_emblem, cross.name.as_str()), (PieceOwner::Nobody, false, "x"));
    assert_eq!(look.pieces.iter().map(|piece| piece.letter).collect::<String>(), "Kkx");
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (pointer, wrong, words) in [
        ("", json!([]), "look: an object is needed here"),
        ("/board", Value::Null, "look.board: is missing"),
        ("/board/kind", json!("squares"), "look.board.kind: `squares` is none of cells, points, hex"),
        ("/board/width", Value::Null, "look.board.width: is missing"),
        ("/board/width", json!(27), "look.board.width: a number from 1 to 26"),
        ("/board/height", json!(0), "look.board.height: a number from 1 to 99"),
        ("/board/height", json!(-1), "look.board.height: a number from 1 to 99"),
        (
            "/board",
            json!({"width": 26, "height": 40}),
            "look.board.height: a board that is drawn has at most 1024",
        ),
        ("/board", json!({"width": 8, "height": 8, "shift": 0.3}), "look.board.shift: 0, 0.5 or 1"),
        ("/board", json!({"width": 8, "height": 8, "theme": "gren"}), "(did you mean `green`?)"),
        ("/board", json!({"width": 8, "height": 8, "lines": "all"}), "look.board.lines: `all` is none of"),
        ("/board/checkered", json!(1), "look.board.checkered: `true` or `false`"),
        ("/from", json!("fen"), "look.from: `fen` is none of rows, cells"),
        ("/pieces", Value::Null, "look.pieces: is missing"),
        ("/pieces", json!({"kk": {}}), "look.pieces: `kk` is not one letter"),
        ("/pieces", json!({"1": {}}), "look.pieces: `1` is not one letter"),
        ("/pieces/K", json!("king"), "look.pieces.K: an object"),
        ("/pieces/K/shape", json!("kingg"), "look.pieces.K.shape: `kingg` is none of disc"),
        ("/pieces/K/colour", Value::Null, "look.pieces.K.colour: is missing"),
        ("/pieces/K/colour", json!("pink"), "look.pieces.K.colour: `pink` is none of black"),
        ("/pieces/K/name", json!("a\u{1b}[2J"), "look.pieces.K.name: a text has at most 60"),
        ("/pieces/K/name", json!("x".repeat(61)), "look.pieces.K.name: a text has at most 60"),
        ("/pieces/K/seat", json!("p9"), "look.pieces.K.seat: `p1` to `p8` or `c=`"),
        ("/pieces/K/seat", json!(1), "look.pieces.K.seat: `p1` to `p8` or `c=`"),
        ("/enter", json!("click"), "look.enter: `click` is none of to, from-to, path, list"),
        ("/kinds", json!({}), "look.kinds: a list"),
        ("/kinds/0/words", Value::Null, "look.kinds[0].words: is missing"),
        ("/kinds/0", json!({"code": "a b", "words": "w"}), "look.kinds[0].code: a word"),
        ("/kinds", json!([{"words": "w"}, {"words": "v"}]), "look.kinds[1].rest: another kind"),
    ] {
        let mut value = chess();
        *value.pointer_mut(pointer).expect("a place") = wrong;
        let error = read_look(&value).expect_err(words).to_string();
        assert!(error.contains(words), "{error}");
    }
    for (hand, words) in [
        (json!(41), "look.hand: a number from 0 to 40"),
        (json!(-1), "look.hand: a number from 0 to 40"),
        (json!({"parts": []}), "look.hand.key: is missing"),
        (json!({"key": "stock", "parts": [["q", "p1"]]}), "look.hand.parts: pairs of a piece and its seat"),
        (json!({"key": "stock", "parts": [["K", "p9"]]}), "look.hand.parts: `p1` to `p8` or `c=`"),
    ] {
        let mut value = chess();
        value["hand"] = hand;
        assert!(read_look(&value).expect_err(words).to_string().contains(words));
    }
}
