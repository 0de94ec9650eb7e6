//! What the server sends a page about a table: everything the page shows, as one line of JSON.

use std::time::Duration;

use hand_play::words;
use record::Termination;
use serde_json::{Value, json};
use settings::TimeControl;

use super::game_table::GameTable;
use super::table_order::TableOrder;

/// How many plies are listed, from the last one.
const MOST_PLIES: usize = 600;

/// Returns the picture of a table.
pub(super) fn picture(table: &GameTable) -> Value {
    let (game, session) = (&table.game, table.game.session());
    let now = game.now();
    let ending = session.ending();
    let late = ending.as_ref().filter(|ending| ending.reason == Termination::Timeout);
    let late = late.and_then(|ending| ending.result.loser());
    let seats = session.sitters().seats().map(|seat| {
        // A limit for each turn is no clock that somebody watches.
        let has_clock = session.sitter(seat).tc.as_ref().is_some_and(TimeControl::has_clock);
        let left = session.time_left(seat, now).filter(|_| has_clock);
        let left = left.map(|left| if late == Some(seat) { Duration::ZERO } else { left });
        json!({
            "name": table.who(seat),
            "isPerson": session.sitter(seat).is_person,
            "clock": left.map(|left| left.as_millis() as u64),
            "search": table.search[seat.index()],
        })
    });
    let seats: Vec<_> = seats.collect();
    let first = session.len().saturating_sub(MOST_PLIES);
    let from = table.stage.seen(table.history.position(first).unwrap_or(&table.start));
    let position = session.position();
    let is_open = game.is_open_to_person();
    let task = rules::prompt(session.setup(), &position, &session.legal());
    json!({
        "game": game.number(),
        "at": session.len(),
        "ahead": session.taken_back(),
        "seats": seats,
        "decider": session.decider().map(|seat| seat.index() + 1),
        "told": jiff::Timestamp::now().as_millisecond(),
        "from": from,
        "plies": plies(table, first),
        "texts": table.stage.is_plain().then(|| texts(table, first)),
        "clicks": is_open.then(|| table.stage.clicks(&position, &session.clicks())),
        "task": task,
        "thinks": game.asked().map(|(name, _)| name),
        "waits": game.waits(),
        "isHalted": game.is_halted(),
        "unkept": table.unkept,
        "ending": ending.map(|ending| words::ending(session, &ending).trim().to_owned()),
        "end": words::end(session).map(|end| table.stage.end(&end)),
        "said": table.said,
        "isFault": table.is_fault,
        "advice": table.advice.as_ref().map(|advice| json!({ "words": advice.words, "way": advice.way })),
        "position": position,
        "can": TableOrder::words(|order| table.can(order)),
    })
}

/// Returns the position string before the plies from that of this number (from 0) on, and after each of them.
fn texts(table: &GameTable, first: usize) -> Vec<&str> {
    let positions = first..=table.game.session().len();
    positions.map(|plies| table.history.position(plies).unwrap_or(&table.start)).collect()
}

/// Returns the plies from that of this number (from 0) on: each its spelling, the seat, the turn, what the bot said it is
/// worth, and what it did to the board.
fn plies(table: &GameTable, first: usize) -> Vec<Value> {
    let record = table.game.record();
    let plies = record.plies.iter().enumerate().skip(first).map(|(index, ply)| {
        let score = ply.info.as_ref().map(words::score).unwrap_or_default();
        let [changes, way, owners] = table.history.told(index).cloned().unwrap_or_default();
        json!([ply.ply, ply.seat, ply.turn, score, changes, way, owners])
    });
    plies.collect()
}
