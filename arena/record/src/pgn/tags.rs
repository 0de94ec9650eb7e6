//! The tags of a game.

use std::borrow::Cow;

use rules::{Catalogue, Seat};

use crate::{GameRecord, GameResult, PlyRecord, RunRecord};

/// The tag that names the game.
pub(super) const VARIANT: &str = "Variant";

/// Its name in the safe form and in logs of chess, whose readers reject unknown variants.
pub(super) const SAFE_VARIANT: &str = "ArenaVariant";

/// The tag with the places of a table of more than two seats, in the order of seats.
pub(super) const PLACES: &str = "Places";

/// Its value if the game does not count.
pub(super) const NO_PLACES: &str = "-";

/// What the tags of each player begin with in games of two.
const SIDES: [&str; 2] = ["White", "Black"];

/// What they begin with at larger tables.
const PLAYERS: [&str; Seat::MOST] =
    ["Player1", "Player2", "Player3", "Player4", "Player5", "Player6", "Player7", "Player8"];

/// Passes the tags of a recorded game to `tag`, in the order of the log. `start` is its start. A log of chess omits the usual
/// start and gives any other as `FEN`.
pub(super) fn each<T: AsRef<str> + Ord, C: AsRef<str>>(
    game: &GameRecord<T, Vec<PlyRecord<T>>, C>,
    run: Option<&RunRecord>,
    start: Option<&str>,
    is_chess: bool,
    mut tag: impl FnMut(&str, &str),
) {
    let is_table = game.seats.len() > 2;
    // PGN's own tags are for two players.
    let players: &[&str] = if is_table { &PLAYERS } else { &SIDES };
    // Millions of games need no text of their own for each.
    let mut text = String::with_capacity(64);
    let mut of_seat = |tag: &mut dyn FnMut(&str, &str), seat: Seat, what: &str, value: &str| {
        tag(joined(&mut text, [players[seat.index()], what]), value);
    };
    let (mut room, mut number) = (String::with_capacity(64), itoa::Buffer::new());
    tag("Event", run.map_or("?", |run| run.config.name.as_str()));
    tag("Site", run.map_or("?", |run| joined(&mut room, ["arena ", run.arena.as_str()])));
    let date = date(game.started.as_ref());
    tag(
        "Date",
        date.map_or("????.??.??", |[year, month, day]| joined(&mut room, [year, ".", month, ".", day])),
    );
    let (round, leg) = (number.format(game.round), &mut itoa::Buffer::new());
    tag("Round", joined(&mut room, [round, ".", leg.format(game.leg)]));
    for (seat, record) in game.seats.by_seat() {
        tag(players[seat.index()], record.bot.as_ref());
    }
    tag("Result", game.result.pgn());
    match game.result {
        GameResult::Places(places) => tag(PLACES, &places.to_string()),
        _ if is_table => tag(PLACES, NO_PLACES),
        _ => {}
    }
    tag(if is_chess { SAFE_VARIANT } else { VARIANT }, game.game.as_ref());
    tag("GameOptions", &options(game));
    match (is_chess, &game.start) {
        (false, _) => tag("StartPosition", start.unwrap_or("?")),
        (true, Some(start)) => {
            tag("SetUp", "1");
            tag("FEN", start.as_ref());
        }
        (true, None) => {}
    }
    let limits = game.seats.each_ref().map(|seat| Limits::of(seat.tc.as_ref()));
    if limits.iter().all(|limit| limit.clock == limits[0].clock) {
        tag("TimeControl", &limits[0].clock);
    } else {
        for (seat, limit) in limits.by_seat() {
            of_seat(&mut tag, seat, "TimeControl", &limit.clock);
        }
    }
    if limits.iter().any(|limit| limit.others != limits[0].others) {
        for (seat, limit) in limits.by_seat() {
            of_seat(&mut tag, seat, "Limits", &limit.others);
        }
    } else if !limits[0].others.is_empty() {
        tag("Limits", &limits[0].others);
    }
    if let Some(factor) = game.worker.as_ref().and_then(|worker| worker.factor) {
        tag("TimeFactor", &factor.to_string());
    }
    for (seat, record) in game.seats.by_seat() {
        if let Some(out) = &record.out {
            of_seat(&mut tag, seat, "Out", &format!("{} {}", out.reason, out.ply));
        }
    }
    tag("Termination", game.reason.pgn());
    tag("Reason", game.reason.code());
    tag("PlyCount", number.format(game.plies.len()));
    tag("GameNumber", number.format(game.number));
    if let Some(time) = time(game.started.as_ref()) {
        tag("UTCTime", time);
    }
    for (seat, record) in game.seats.by_seat() {
        let version = record.version.as_ref();
        if !version.is_empty() {
            of_seat(&mut tag, seat, "Version", version);
        }
    }
}

/// Writes parts one after the other into `text`, in place of what it had.
fn joined<'t, const N: usize>(text: &'t mut String, parts: [&str; N]) -> &'t str {
    text.clear();
    parts.iter().for_each(|part| text.push_str(part));
    text
}

/// All options with their values, because other readers do not know the defaults.
fn options<T: AsRef<str> + Ord, P, C>(game: &GameRecord<T, P, C>) -> String {
    let text = game.written_options();
    if text.is_empty() { "-".to_owned() } else { text }
}

/// Returns whether the rules declare that a game is chess: according to the journal, or to the catalogue if no run recorded it.
pub(super) fn is_chess<T: AsRef<str> + Ord, P, C>(
    game: &GameRecord<T, P, C>,
    run: Option<&RunRecord>,
    catalogue: &Catalogue,
) -> bool {
    let id = game.game.as_ref();
    let recorded = run.and_then(|run| run.config.games.iter().find(|known| known.game == id));
    match recorded {
        Some(known) => known.rules.as_ref().is_some_and(|rules| rules.pgn.is_some()),
        None => {
            let known = catalogue.find(id);
            known.is_ok_and(|known| known.own_rules().is_some_and(|rules| rules.is_chess()))
        }
    }
}

/// Returns the recorded start, or the game's own if the catalogue has the game.
pub(super) fn start<T: AsRef<str> + Ord, P, C>(
    game: &GameRecord<T, P, C>,
    catalogue: &Catalogue,
) -> Option<String> {
    if let Some(start) = &game.start {
        return Some(start.as_ref().to_owned());
    }
    let options: Vec<_> = game.options().collect();
    let setup = catalogue.find(game.game.as_ref()).ok()?.setup(&options).ok()?;
    Some(setup.referee(None).ok()?.position())
}

/// A time control, split into the part that PGN's `TimeControl` can express and the rest.
struct Limits<'a> {
    /// The clock in PGN's syntax, `-` if there is none.
    clock: Cow<'a, str>,
    /// The other limits, as written.
    others: Cow<'a, str>,
}

impl<'a> Limits<'a> {
    fn of(tc: &'a str) -> Self {
        let is_clock = |part: &str| {
            part.starts_with(|c: char| c.is_ascii_digit())
                && part.bytes().all(|c| c.is_ascii_digit() || matches!(c, b'.' | b'/' | b':' | b'+'))
        };
        let parts = tc.split(',').map(str::trim).filter(|part| !part.is_empty());
        let (mut clock, mut others) = (Cow::Borrowed(""), Cow::Borrowed(""));
        for part in parts {
            let (list, gap) = if is_clock(part) { (&mut clock, ":") } else { (&mut others, ", ") };
            if list.is_empty() {
                *list = Cow::Borrowed(part);
            } else {
                *list += gap;
                *list += part;
            }
        }
        if clock.is_empty() {
            clock = Cow::Borrowed("-");
        }
        Self { clock, others }
    }
}

/// Returns the year, month and day of an instant.
fn date(instant: &str) -> Option<[&str; 3]> {
    let date = instant.get(..10).filter(|date| has_shape(date, "0000-00-00"))?;
    Some([&date[..4], &date[5..7], &date[8..]])
}

/// Returns the time of day of an RFC 3339 instant, in whole seconds.
fn time(instant: &str) -> Option<&str> {
    instant.get(11..19).filter(|time| has_shape(time, "00:00:00"))
}

/// Returns whether `text` has a digit wherever `shape` has one, and is otherwise the same.
fn has_shape(text: &str, shape: &str) -> bool {
    let fits = |(c, model): (u8, u8)| if model == b'0' { c.is_ascii_digit() } else { c == model };
    text.len() == shape.len() && text.bytes().zip(shape.bytes()).all(fits)
}
