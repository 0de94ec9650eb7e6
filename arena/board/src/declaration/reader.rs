//! Reading a look. A look that was read is valid, except for the sizes that options give.

use rules::{
    BoardExtent, BoardGround, BoardKind, BoardLines, BoardTheme, GameLook, HandLook, HandPart, PieceColour,
    PieceLook, PieceOwner, PieceShape, PieceSource, PlyEntry, PlyKind, Seat,
};
use serde_json::Value;

use crate::declaration::fields::{Fields, LookError, fault};

/// Reads the look that a game declares.
///
/// ```
/// let json = serde_json::json!({
///     "board": {"kind": "points", "width": 3, "height": 3, "lines": "diagonal"},
///     "pieces": {"x": {"shape": "stone", "colour": "white", "name": "white stone", "seat": "p1"}},
///     "enter": "to",
/// });
/// let look = board::read_look(&json)?;
/// assert_eq!(look.board(&[]).map(|board| board.cells()), Some(9));
/// # Ok::<(), board::LookError>(())
/// ```
///
/// # Errors
/// Names the place of what is wrong, and what would be right. Keys that are not known are passed over.
pub fn read_look(value: &Value) -> Result<GameLook, LookError> {
    let look = Fields::of(value, "look")?;
    let (ground, width, height) = board(look.needed("board")?)?;
    let pieces = pieces(look.needed("pieces")?)?;
    let neutral = look.text("neutral")?.map(|text| {
        let piece = letter(text).filter(|letter| pieces.iter().any(|piece| piece.letter == *letter));
        piece.ok_or_else(|| look.fault("neutral", "the letter of one of the pieces is needed here"))
    });
    Ok(GameLook {
        ground,
        width,
        height,
        has_coordinates: look.flag("coordinates", true)?,
        source: look
            .word("from", &[(PieceSource::Rows, "rows"), (PieceSource::Cells, "cells")])?
            .unwrap_or(PieceSource::Rows),
        hand: hand(&look, &pieces)?,
        entry: look.word("enter", &PlyEntry::ALL)?.unwrap_or(PlyEntry::List),
        kinds: kinds(&look)?,
        neutral: neutral.transpose()?,
        group_prefix: look.text("groups")?.unwrap_or_default().to_owned(),
        pieces,
    })
}

/// What is drawn for each cell, as the key `kind` says it.
#[derive(Clone, Copy)]
enum Kind {
    Cells,
    Points,
    Hexagons,
}

fn board(value: &Value) -> Result<(BoardGround, BoardExtent, BoardExtent), LookError> {
    let board = Fields::of(value, "look.board")?;
    let kinds = [(Kind::Cells, "cells"), (Kind::Points, "points"), (Kind::Hexagons, "hex")];
    let lines = [
        (BoardLines::Orthogonal, "orthogonal"),
        (BoardLines::Diagonal, "diagonal"),
        (BoardLines::Alternate, "alternate"),
        (BoardLines::None, "none"),
    ];
    let lines = board.word("lines", &lines)?.unwrap_or(BoardLines::Orthogonal);
    let is_checkered = board.flag("checkered", false)?;
    let kind = match board.word("kind", &kinds)?.unwrap_or(Kind::Cells) {
        Kind::Cells if is_checkered => BoardKind::Checkered,
        Kind::Cells => BoardKind::Cells,
        Kind::Points => BoardKind::Points(lines),
        Kind::Hexagons => BoardKind::Hexagons,
    };
    let themes = BoardTheme::ALL.map(|(theme, name)| (theme, name));
    let theme = board.word("theme", &themes)?.unwrap_or_else(|| BoardTheme::usual(kind));
    let default = if kind == BoardKind::Hexagons { 0.5 } else { 0.0 };
    let shift = board.get("shift").map_or(Some(default), Value::as_f64);
    let halves = shift.map(|shift| shift * 2.0).filter(|halves| [0.0, 1.0, 2.0].contains(halves));
    let Some(halves) = halves else { return Err(board.fault("shift", "0, 0.5 or 1 is needed here")) };
    let (width, height) = (extent(&board, "width", 26)?, extent(&board, "height", 99)?);
    if let (BoardExtent::Fixed(files), BoardExtent::Fixed(ranks)) = (&width, &height)
        && usize::from(*files) * usize::from(*ranks) > GameLook::MOST_CELLS
    {
        let words = format!("a board that is drawn has at most {} cells", GameLook::MOST_CELLS);
        return Err(board.fault("height", words));
    }
    let wraps = board.flag("wraps", false)?;
    Ok((BoardGround { kind, theme, wraps, half_shifts: halves as u8 }, width, height))
}

fn extent(board: &Fields<'_>, key: &str, most: u8) -> Result<BoardExtent, LookError> {
    if let Some(name) = board.needed(key)?.as_str() {
        return Ok(BoardExtent::Option(name.to_owned()));
    }
    let size = board.needed(key)?.as_u64().and_then(|size| u8::try_from(size).ok());
    let size = size.filter(|size| (1..=most).contains(size));
    let words = || format!("a number from 1 to {most} or the name of an option is needed here");
    size.map(BoardExtent::Fixed).ok_or_else(|| board.fault(key, words()))
}

/// Reads the pieces: those of `p1` first, and of each owner in the order of their letters.
fn pieces(value: &Value) -> Result<Vec<PieceLook>, LookError> {
    const PLACE: &str = "look.pieces";
    let Value::Object(map) = value else { return Err(fault(PLACE, "an object is needed here")) };
    let mut pieces = Vec::new();
    for (key, value) in map {
        let letter = letter(key).ok_or_else(|| {
            fault(PLACE, format!("`{}` is not one letter out of A-Z and a-z", key.escape_debug()))
        })?;
        pieces.push(piece(letter, value)?);
    }
    let rank = |owner: PieceOwner| match owner {
        PieceOwner::Seat(Seat::P1) => (0, '\0'),
        PieceOwner::Colour(letter) => (1, letter),
        PieceOwner::Seat(seat) => (1 + seat.index(), '\0'),
        PieceOwner::Nobody => (1 + Seat::MOST, '\0'),
    };
    pieces.sort_by_key(|piece| (rank(piece.owner), piece.letter));
    // Where none is said to stand for its owner, the first one does.
    for index in 0..pieces.len() {
        let owner = pieces[index].owner;
        let is_same = |piece: &PieceLook| piece.owner == owner;
        let has_emblem = pieces.iter().any(|piece| is_same(piece) && piece.is_emblem);
        pieces[index].is_emblem |= owner != PieceOwner::Nobody && !has_emblem;
    }
    Ok(pieces)
}

fn piece(letter: char, value: &Value) -> Result<PieceLook, LookError> {
    let place = format!("look.pieces.{letter}");
    let piece = Fields::of(value, &place)?;
    let shape = piece.word("shape", &PieceShape::ALL)?.unwrap_or(PieceShape::Letter);
    let colour = piece.text("colour")?.ok_or_else(|| piece.fault("colour", "is missing"))?;
    let colour = PieceColour::read(colour).ok_or_else(|| {
        let names = PieceColour::NAMES.into_iter().chain(["`#` with six digits"]);
        piece.unknown("colour", colour, names)
    })?;
    let name = piece.text("name")?.map_or_else(|| letter.to_string(), str::to_owned);
    let short_name = piece.text("short")?.map_or_else(|| name.clone(), str::to_owned);
    let owner = owner(piece.get("seat"), &piece.place("seat"))?;
    let is_emblem = piece.flag("emblem", false)?;
    Ok(PieceLook { letter, shape, colour, name, short_name, owner, is_emblem })
}

fn owner(value: Option<&Value>, place: &str) -> Result<PieceOwner, LookError> {
    let text = match value {
        None | Some(Value::Null) => return Ok(PieceOwner::Nobody),
        Some(value) => value.as_str().unwrap_or_default(),
    };
    let colour = || text.strip_prefix("c=").and_then(letter).map(PieceOwner::Colour);
    let seat = text.parse().ok().map(PieceOwner::Seat);
    seat.or_else(colour).ok_or_else(|| fault(place, "`p1` to `p8` or `c=` and a letter is needed here"))
}

fn letter(text: &str) -> Option<char> {
    let mut letters = text.chars();
    letters.next().filter(|letter| letter.is_ascii_alphabetic() && letters.next().is_none())
}

fn hand(look: &Fields<'_>, pieces: &[PieceLook]) -> Result<HandLook, LookError> {
    let Some(value) = look.get("hand") else { return Ok(HandLook::None) };
    if value.is_number() {
        let most = GameLook::MOST_IN_HAND;
        let count = value.as_u64().filter(|count| *count <= most as u64);
        let count =
            count.ok_or_else(|| look.fault("hand", format!("a number from 0 to {most} is needed here")));
        return Ok(match count? {
            0 => HandLook::None,
            count => HandLook::Told(count as u8),
        });
    }
    let hand = Fields::of(value, "look.hand")?;
    let key = hand.text("key")?.ok_or_else(|| hand.fault("key", "is missing"))?;
    let words = "pairs of a piece and its seat are needed here";
    let parts = hand.needed("parts")?.as_array().ok_or_else(|| hand.fault("parts", words))?;
    let part = |part: &Value| {
        let [piece, seat] = part.as_array().map(Vec::as_slice)? else { return None };
        let piece = letter(piece.as_str()?).filter(|letter| pieces.iter().any(|p| p.letter == *letter))?;
        Some(owner(Some(seat), "look.hand.parts").map(|owner| HandPart { piece, owner }))
    };
    let parts = parts.iter().map(|value| part(value).ok_or_else(|| hand.fault("parts", words))?);
    Ok(HandLook::Key(key.to_owned(), parts.collect::<Result<_, _>>()?))
}

fn kinds(look: &Fields<'_>) -> Result<Vec<PlyKind>, LookError> {
    let Some(value) = look.get("kinds") else { return Ok(Vec::new()) };
    let list = value.as_array().ok_or_else(|| look.fault("kinds", "a list is needed here"))?;
    let mut kinds: Vec<PlyKind> = Vec::new();
    for (index, value) in list.iter().enumerate() {
        let place = format!("look.kinds[{index}]");
        let kind = Fields::of(value, &place)?;
        let rest = kind.text("rest")?.unwrap_or_default().to_owned();
        let words = kind.text("words")?.filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| kind.fault("words", "is missing"))?.to_owned();
        let code = kind.text("code")?.unwrap_or(if rest.is_empty() { "play" } else { &rest }).to_owned();
        if code.is_empty() || code.contains(char::is_whitespace) {
            return Err(kind.fault("code", "a word is needed here"));
        }
        if kinds.iter().any(|known| known.rest == rest || known.code == code) {
            return Err(kind.fault("rest", "another kind has the same rest or code"));
        }
        let (is_on_cell, is_region) = (kind.flag("cell", false)?, kind.flag("region", false)?);
        kinds.push(PlyKind { rest, code, words, is_on_cell, is_region });
    }
    Ok(kinds)
}
