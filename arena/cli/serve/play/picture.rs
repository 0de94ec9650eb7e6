//! What a page is told of a table: everything that it shows, as JSON in one line.

use std::time::Duration;

use record::Termination;
use rules::Seat;
use runner::TimeControl;
use serde_json::{Value, json};

use super::order::Order;
use super::table::Table;
use crate::play::show;

/// How many plies are listed, from the last one.
const MOST_PLIES: usize = 600;

/// Returns the picture of a table.
pub(super) fn picture(table: &Table) -> Value {
    let (game, session) = (&table.game, table.game.session());
    let now = game.now();
    let ending = session.ending();
    let late = ending.as_ref().filter(|ending| ending.reason == Termination::Timeout);
    let late = late.and_then(|ending| ending.result.loser());
    let seats = Seat::BOTH.map(|seat| {
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
    let mut positions = session.plies().rev();
    let view = match (positions.next(), positions.next()) {
        (None, _) => table.stage.seen(&table.start, None),
        (Some(last), None) => table.stage.seen(&table.start, Some(last)),
        (Some(last), Some((_, before))) => table.stage.seen(before, Some(last)),
    };
    let is_open = game.is_open_to_person();
    json!({
        "game": game.number(),
        "at": session.len(),
        "ahead": session.taken_back(),
        "seats": seats,
        "decider": session.decider().map(|seat| seat.index() + 1),
        "told": jiff::Timestamp::now().as_millisecond(),
        "view": view,
        "plies": plies(table),
        "clicks": is_open.then(|| table.stage.clicks(&session.clicks())),
        "thinks": game.asked().map(|(name, _)| name),
        "waits": game.waits(),
        "ending": ending.map(|ending| show::ending(session, &ending).trim().to_owned()),
        "said": table.said,
        "isFault": table.is_fault,
        "advice": table.advice.as_ref().map(|advice| json!({ "words": advice.words, "way": advice.way })),
        "position": session.position(),
        "can": Order::words(|order| table.can(order)),
    })
}

/// Returns the plies: each its spelling, the seat, the turn, and what the bot said it is worth.
fn plies(table: &Table) -> Vec<Value> {
    let record = table.game.record();
    let first = record.plies.len().saturating_sub(MOST_PLIES);
    let plies = record.plies[first..].iter().map(|ply| {
        let score = ply.info.as_ref().map(show::score).unwrap_or_default();
        json!([ply.ply, ply.seat, ply.turn, score])
    });
    plies.collect()
}
