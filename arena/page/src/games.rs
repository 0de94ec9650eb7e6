//! The games as the page's script reads them: compressed, in chunks, with every board worked out.

mod end;
mod json_text;

use std::collections::BTreeMap;
use std::io::Write as _;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use board::{Drawing, Marks, Scene};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use protocol::printable;
use record::{Exits, GameResult, GameSummary, LineGame, PlyRecord};
use rules::{Catalogue, Setup};
use serde_json::{Value, json};

use crate::games::json_text::Values;
use crate::naming::{Naming, shown};
pub(crate) use end::end_value;

/// How many games a chunk has: one is unpacked when a game of it is looked at.
pub(crate) const CHUNK: usize = 50;

/// How many bytes of compressed games a page holds at most. Those that do not fit are in the list, without a replay.
const MOST_BYTES: usize = 24 << 20;

/// How hard games are packed, on the scale of deflate: 6 takes three times as long and saves a twelfth.
const LEVEL: Compression = Compression::new(4);

/// How many bytes of the list of games are packed at a time.
const PIECE: usize = 1 << 16;

const IN_MEMORY: &str = "memory takes all bytes";

/// The games of a page.
pub(crate) struct Games {
    /// The boards, as JSON.
    pub(crate) boards: Value,
    /// The boards without pieces, as SVG, each a group with the id `board-` and the number of its game's label.
    pub(crate) backgrounds: String,
    /// Chunks of whole games: compressed JSON as text.
    pub(crate) chunks: Vec<String>,
    /// How many games have a replay.
    pub(crate) replayed: usize,
}

/// Takes chunks of games, by number, until they fill a page.
#[derive(Default)]
pub(crate) struct Packing {
    tables: BTreeMap<usize, Arc<Table>>,
    chunks: Vec<String>,
    bytes: usize,
    replayed: usize,
}

/// Some games that follow each other, compressed.
pub(crate) struct Chunk {
    text: String,
    games: usize,
    /// What was drawn first for each label.
    tables: BTreeMap<usize, Arc<Table>>,
}

/// A game with the number of its label.
type Labelled<'g> = (&'g LineGame<'g>, usize);

/// What is drawn for a label: the set-up of its games, and the board, where there is one.
struct Table {
    setup: Setup,
    drawing: Drawing,
}

/// What is drawn for games, by their ids and options.
#[derive(Clone, Default)]
pub(crate) struct Tables {
    known: Vec<Known>,
}

/// What is drawn for the games of an id and options, if anything is.
#[derive(Clone)]
struct Known {
    game: String,
    options: BTreeMap<String, String>,
    table: Option<Arc<Table>>,
}

impl Packing {
    /// Returns whether no more games fit.
    pub(crate) const fn is_full(&self) -> bool {
        self.bytes >= MOST_BYTES
    }

    /// Takes the next chunk, unless the page is full.
    pub(crate) fn push(&mut self, chunk: Chunk) {
        if self.is_full() {
            return;
        }
        for (label, table) in chunk.tables {
            self.tables.entry(label).or_insert(table);
        }
        self.replayed += chunk.games;
        self.bytes += chunk.text.len();
        self.chunks.push(chunk.text);
    }

    /// Returns what was packed.
    pub(crate) fn finish(self) -> Games {
        let tables = self.tables.iter();
        let backgrounds = backgrounds(tables.map(|(label, table)| (label.to_string(), &table.drawing)));
        let boards = self.tables.iter().map(|(label, table)| (label.to_string(), describe(&table.drawing)));
        Games {
            boards: Value::Object(boards.collect()),
            backgrounds,
            chunks: self.chunks,
            replayed: self.replayed,
        }
    }
}

impl Chunk {
    /// Packs games, each with the number of its label.
    pub(crate) fn of(games: &[Labelled<'_>], known: &mut Tables, catalogue: &Catalogue) -> Self {
        let mut tables = BTreeMap::new();
        let plies: usize = games.iter().map(|(game, _)| game.plies.len()).sum();
        let mut replays = String::with_capacity(64 * plies + 256 * games.len());
        replays.push('[');
        for (game, label) in games {
            let table = known.of(game, catalogue);
            json_text::separate(&mut replays);
            replay(game, table.as_deref(), &mut replays);
            if let Some(table) = table {
                tables.entry(*label).or_insert(table);
            }
        }
        replays.push(']');
        Self { text: pack(&replays), games: games.len(), tables }
    }
}

impl Tables {
    fn of(&mut self, game: &LineGame<'_>, catalogue: &Catalogue) -> Option<Arc<Table>> {
        let is_it = |known: &&Known| known.game == game.game.as_ref() && game.has_options(&known.options);
        if let Some(known) = self.known.iter().find(is_it) {
            return known.table.clone();
        }
        let table = Table::of(game, catalogue).map(Arc::new);
        let options = game.options().map(|(key, value)| (key.to_owned(), value.to_owned())).collect();
        self.known.push(Known { game: game.game.as_ref().to_owned(), options, table: table.clone() });
        table
    }
}

/// Returns the list of all games, by number: compressed JSON as text.
pub(crate) fn index<'a>(
    games: impl Iterator<Item = GameSummary<'a>>,
    labels: &[String],
    naming: &Naming,
) -> String {
    // Packed as it is written: of a million games the text would take fifty megabytes.
    let (mut packer, mut text) = (Packer::new(), "[".to_owned());
    for game in games {
        json_text::separate(&mut text);
        let label = labels.iter().position(|label| *label == game.label()).unwrap_or(0);
        entry(&game, label, naming, &mut text);
        if text.len() >= PIECE {
            packer.push(&text);
            text.clear();
        }
    }
    text.push(']');
    packer.push(&text);
    packer.finish()
}

impl Table {
    fn of(game: &LineGame<'_>, catalogue: &Catalogue) -> Option<Self> {
        let options: Vec<_> = game.options().collect();
        let setup = catalogue.find(game.game.as_ref()).ok()?.setup(&options).ok()?;
        let drawing = Drawing::of(&setup)?;
        Some(Self { setup, drawing })
    }
}

/// Returns the boards without pieces as SVG, each a group with the id `board-` and its name, and the drawings of those pieces
/// that no other board has.
pub(crate) fn backgrounds<'a>(drawings: impl Iterator<Item = (String, &'a Drawing)>) -> String {
    let (mut svg, mut symbols) = (String::new(), BTreeMap::new());
    for (name, drawing) in drawings {
        svg += &format!("<g id=\"board-{name}\">{}</g>", drawing.background());
        symbols.extend(drawing.own_symbols());
    }
    symbols.values().for_each(|symbol| svg.push_str(symbol));
    svg
}

/// What the script needs to know of a board.
pub(crate) fn describe(drawing: &Drawing) -> Value {
    let (width, height) = drawing.size();
    let (skew, margin) = drawing.skew();
    let places: Vec<Value> = drawing
        .places()
        .iter()
        .map(|place| json!([round(place.x), round(place.y), round(place.scale), place.name]))
        .collect();
    let pieces: BTreeMap<String, Value> = drawing
        .pieces()
        .iter()
        .map(|piece| (piece.letter.to_string(), json!([piece.symbol, piece.name])))
        .collect();
    json!({
        "size": [width, height],
        "skew": [skew, margin],
        "class": drawing.class(),
        "last": drawing.last_symbol(),
        "cells": drawing.cells(),
        "places": places,
        "pieces": pieces,
    })
}

fn round(value: f64) -> f64 {
    (value * 1000.0).round() / 1000.0
}

/// Adds what the list shows of a game.
fn entry(game: &GameSummary<'_>, label: usize, naming: &Naming, out: &mut String) {
    let seat = |seat: usize| naming.seated(&game.seats()[seat]);
    let result: u8 = match game.result {
        GameResult::P1Win => 1,
        GameResult::P2Win => 2,
        GameResult::Draw => 0,
        GameResult::None | GameResult::Places(_) => 3,
    };
    let fault = game.faults().next().map_or(0, |(seat, _)| seat.index() + 1);
    let mut values = Values::begin(out);
    values.number(game.number);
    values.number(label);
    values.optional(seat(0));
    values.optional(seat(1));
    values.number(result);
    values.text(game.reason.code());
    values.number(game.plies);
    values.number(game.round);
    values.number(fault);
    // At larger tables also who has the other seats, and the places of all.
    if game.seats().len() > 2 {
        let others: Vec<_> = (2..game.seats().len()).map(seat).collect();
        values.json(&json!(others).to_string());
        if let GameResult::Places(places) = game.result {
            values.text(&places.to_string());
        }
    }
    values.end();
}

/// What a game looks like that was played through; its plies are JSON.
struct Played {
    start: String,
    owners: String,
    plies: String,
    end: Value,
}

/// Adds a whole game: its number, opening, time controls, detail, first scene, plies, and its end.
fn replay(game: &LineGame<'_>, table: Option<&Table>, out: &mut String) {
    let Played { start, owners, plies, end } =
        table.and_then(|table| played(game, table)).unwrap_or_else(|| {
            let mut plies = "[".to_owned();
            game.plies.iter().for_each(|ply| push_ply(ply, "", "", "", &mut plies));
            plies.push(']');
            Played { start: String::new(), owners: String::new(), plies, end: Value::Null }
        });
    let controls = game.seats.each_ref().map(|seat| shown(seat.tc.as_ref()));
    let mut values = Values::begin(out);
    values.number(game.number);
    values.number(game.opening);
    values.json(&json!(&*controls).to_string());
    match &game.detail {
        Some(detail) => values.text(&shown(detail.as_ref())),
        None => values.json("null"),
    }
    values.text(&start);
    values.text(&owners);
    values.json(&plies);
    values.json(&end.to_string());
    values.end();
}

/// Plays a game through. `None` where the rules of this arena do not take it, which `arena replay` explains.
fn played(game: &LineGame<'_>, table: &Table) -> Option<Played> {
    let mut referee = table.setup.referee(game.start.as_deref()).ok()?;
    let mut before = Scene::of(&table.drawing, &referee.position())?;
    let start = before.letters().iter().collect();
    let owners = before.owners().iter().collect();
    let mut plies = String::with_capacity(64 * game.plies.len() + 2);
    plies.push('[');
    let exits = Exits::of(game);
    for (played, ply) in game.plies.iter().enumerate() {
        exits.apply(&mut *referee, played).ok()?;
        referee.submit(ply.ply.as_ref()).ok()?;
        let after = Scene::of(&table.drawing, &referee.position())?;
        let marks = Marks::of(&table.drawing, &before, ply.ply.as_ref(), &after);
        let changes = changes(&before, &after);
        let way = way(&marks);
        let turned =
            if before.owners() == after.owners() { String::new() } else { after.owners().iter().collect() };
        push_ply(ply, &changes, &way, &turned, &mut plies);
        before = after;
    }
    plies.push(']');
    exits.apply(&mut *referee, game.plies.len()).ok()?;
    let end = referee.end().map_or(Value::Null, |end| end_value(&table.drawing, &end));
    Some(Played { start, owners, plies, end })
}

/// Returns the places where two scenes differ, each followed by the letter of the later one.
pub(crate) fn changes(before: &Scene, after: &Scene) -> String {
    let mut changes = String::with_capacity(16);
    for (place, (old, new)) in before.letters().iter().zip(after.letters()).enumerate() {
        if old != new {
            changes.extend(two_digits(place));
            changes.push(*new);
        }
    }
    changes
}

/// Returns the way of a ply: its cells one after the other, or after an `x` two corners of a rectangle.
pub(crate) fn way(marks: &Marks) -> String {
    match marks.region {
        Some((low, high)) => ['x'].into_iter().chain([low, high].into_iter().flat_map(two_digits)).collect(),
        None => marks.path.iter().copied().flat_map(two_digits).collect(),
    }
}

/// Adds a ply: what it is, whose, in which turn, what changed, its way, the new owners, and what the bot said; without what
/// is unknown at the end.
fn push_ply<T: AsRef<str>>(ply: &PlyRecord<T>, changes: &str, way: &str, owners: &str, out: &mut String) {
    let info = ply.info.as_ref();
    json_text::separate(out);
    let mut values = Values::begin(out);
    values.text(&printable(ply.ply.as_ref()));
    values.number(ply.seat);
    values.number(ply.turn);
    values.text(changes);
    values.text(way);
    values.text(owners);
    values.optional(ply.us);
    values.optional(ply.clock);
    values.optional(info.and_then(|info| info.cp));
    values.optional(info.and_then(|info| info.mate));
    values.optional(info.and_then(|info| info.depth));
    values.optional(info.and_then(|info| info.nodes));
    values.number(u8::from(ply.fallback));
    values.text(
        &info.and_then(|info| info.text.as_ref()).map(|text| printable(text.as_ref())).unwrap_or_default(),
    );
    values.end_known();
}

/// Returns the number of a place as two digits of base 36.
pub(crate) fn two_digits(place: usize) -> [char; 2] {
    let digit = |value: usize| char::from_digit((value % 36) as u32, 36).unwrap_or('0');
    [digit(place / 36), digit(place)]
}

/// Packs JSON that comes in pieces.
struct Packer(DeflateEncoder<Vec<u8>>);

impl Packer {
    fn new() -> Self {
        Self(DeflateEncoder::new(Vec::new(), LEVEL))
    }

    /// Takes the next piece.
    fn push(&mut self, piece: &str) {
        self.0.write_all(piece.as_bytes()).expect(IN_MEMORY);
    }

    /// Returns all pieces, deflated, as base 64.
    fn finish(self) -> String {
        STANDARD.encode(self.0.finish().expect(IN_MEMORY))
    }
}

/// Returns JSON, deflated, as base 64.
fn pack(json: &str) -> String {
    let mut packer = Packer::new();
    packer.push(json);
    packer.finish()
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::DeflateDecoder;

    use super::*;

    #[test]
    fn places_have_two_digits() {
        assert_eq!(
            [0, 35, 36, 360, 1295].map(|place| String::from_iter(two_digits(place))),
            ["00", "0z", "10", "a0", "zz"]
        );
    }

    #[test]
    fn what_is_packed_comes_back() {
        let text: String = (0..100_000_u32).map(|i| format!("{},", i.wrapping_mul(2_654_435_761))).collect();
        let mut packer = Packer::new();
        let (pieces, rest) = text.as_bytes().as_chunks::<99>();
        let pieces = pieces.iter().map(<[u8; 99]>::as_slice).chain([rest]);
        pieces.for_each(|piece| packer.push(str::from_utf8(piece).expect("digits")));
        let packed = packer.finish();
        assert_eq!(packed, pack(&text), "pieces make no difference");
        let bytes = STANDARD.decode(packed).expect("base 64");
        let mut unpacked = String::new();
        DeflateDecoder::new(&*bytes).read_to_string(&mut unpacked).expect("deflate");
        assert_eq!(unpacked, text);
    }
}
