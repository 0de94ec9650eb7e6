//! Writing a look.

use rules::{
    BoardExtent, BoardKind, BoardLines, BoardTheme, GameLook, HandLook, PieceColour, PieceLook, PieceOwner,
    PieceSource, PlyEntry, PlyKind,
};
use serde_json::{Map, Value, json};

/// Returns a look as [`crate::read_look`] reads it, without what it takes for granted.
#[must_use]
pub fn look_value(look: &GameLook) -> Value {
    let mut value = Map::new();
    value.insert("board".to_owned(), board(look));
    if look.source == PieceSource::Cells {
        value.insert("from".to_owned(), json!("cells"));
    }
    let pieces = look.pieces.iter().map(|piece| (piece.letter.to_string(), self::piece(look, piece)));
    value.insert("pieces".to_owned(), Value::Object(pieces.collect()));
    match &look.hand {
        HandLook::None => {}
        HandLook::Told(count) => drop(value.insert("hand".to_owned(), json!(count))),
        HandLook::Key(key, parts) => {
            let parts: Vec<_> = parts.iter().map(|part| json!([part.piece, owner(part.owner)])).collect();
            value.insert("hand".to_owned(), json!({ "key": key, "parts": parts }));
        }
    }
    let enter = PlyEntry::ALL.iter().find(|(entry, _)| *entry == look.entry).map(|(_, name)| *name);
    value.insert("enter".to_owned(), json!(enter));
    if !look.kinds.is_empty() {
        value.insert("kinds".to_owned(), look.kinds.iter().map(kind).collect());
    }
    if let Some(letter) = look.neutral {
        value.insert("neutral".to_owned(), json!(letter));
    }
    if !look.group_prefix.is_empty() {
        value.insert("groups".to_owned(), json!(look.group_prefix));
    }
    if !look.has_coordinates {
        value.insert("coordinates".to_owned(), json!(false));
    }
    Value::Object(value)
}

fn board(look: &GameLook) -> Value {
    let ground = look.ground;
    let extent = |extent: &BoardExtent| match extent {
        BoardExtent::Fixed(size) => json!(size),
        BoardExtent::Option(name) => json!(name),
    };
    let (kind, lines) = match ground.kind {
        BoardKind::Cells | BoardKind::Checkered => ("cells", None),
        BoardKind::Hexagons => ("hex", None),
        BoardKind::Points(BoardLines::Orthogonal) => ("points", Some("orthogonal")),
        BoardKind::Points(BoardLines::Diagonal) => ("points", Some("diagonal")),
        BoardKind::Points(BoardLines::Alternate) => ("points", Some("alternate")),
        BoardKind::Points(BoardLines::None) => ("points", Some("none")),
    };
    let mut value = Map::new();
    value.insert("kind".to_owned(), json!(kind));
    value.insert("width".to_owned(), extent(&look.width));
    value.insert("height".to_owned(), extent(&look.height));
    value.extend(lines.map(|lines| ("lines".to_owned(), json!(lines))));
    if ground.half_shifts > 0 || ground.kind == BoardKind::Hexagons {
        value.insert("shift".to_owned(), json!(f64::from(ground.half_shifts) / 2.0));
    }
    if ground.kind == BoardKind::Checkered {
        value.insert("checkered".to_owned(), json!(true));
    }
    if ground.wraps {
        value.insert("wraps".to_owned(), json!(true));
    }
    let theme = BoardTheme::ALL.iter().find(|(theme, _)| *theme == ground.theme).map(|(_, name)| *name);
    value.insert("theme".to_owned(), json!(theme));
    Value::Object(value)
}

fn piece(look: &GameLook, piece: &PieceLook) -> Value {
    let colour = match piece.colour {
        PieceColour::Named(name) => name.to_owned(),
        PieceColour::Rgb([red, green, blue]) => format!("#{red:02x}{green:02x}{blue:02x}"),
    };
    let mut value = Map::new();
    value.insert("shape".to_owned(), json!(piece.shape.name()));
    value.insert("colour".to_owned(), json!(colour));
    value.insert("name".to_owned(), json!(piece.name));
    if piece.short_name != piece.name {
        value.insert("short".to_owned(), json!(piece.short_name));
    }
    if piece.owner != PieceOwner::Nobody {
        value.insert("seat".to_owned(), owner(piece.owner));
    }
    let first = look.pieces.iter().find(|other| other.owner == piece.owner);
    if piece.is_emblem && first != Some(piece) {
        value.insert("emblem".to_owned(), json!(true));
    }
    Value::Object(value)
}

fn owner(owner: PieceOwner) -> Value {
    match owner {
        PieceOwner::Seat(seat) => json!(seat.to_string()),
        PieceOwner::Colour(letter) => json!(format!("c={letter}")),
        PieceOwner::Nobody => Value::Null,
    }
}

fn kind(kind: &PlyKind) -> Value {
    let PlyKind { rest, code, words, is_on_cell, is_region } = kind;
    let mut value = json!({ "rest": rest, "code": code, "words": words });
    for (key, flag) in [("cell", is_on_cell), ("region", is_region)] {
        if *flag {
            value[key] = json!(true);
        }
    }
    value
}
