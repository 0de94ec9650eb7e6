//! The games as JSON.

use std::collections::BTreeMap;

use rulebook::Rulebook;
use rules::{GAMES, Game, OptionSpec, PLAYERS_OPTION, Position, Reason, Values, Visitor};
use serde::Serialize;
use serde_json::Value;

/// The occurrence of a position at which a game with repetition is drawn.
const OCCURRENCES: u32 = 3;

/// A game as JSON. Programs rely on these keys: `protocol-spec/rules-server.md`.
#[derive(Serialize)]
struct GameLine<'a> {
    game: &'a str,
    title: &'a str,
    about: &'a str,
    options: Vec<OptionLine<'a>>,
    seats: [u32; 2],
    repetition: u32,
    pass: bool,
    caps: Vec<&'a str>,
    notation: &'a str,
    rules: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    look: Option<Value>,
    /// The looks of larger tables, by the number of seats, where they are others.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    looks: BTreeMap<u32, Value>,
}

/// What is known of a game by the type of its positions.
struct GameTraits {
    repetition: u32,
    has_passes: bool,
    notation: &'static str,
}

/// Asks a built-in game for its [`GameTraits`].
struct TraitsVisitor;

impl Visitor for TraitsVisitor {
    type Output = GameTraits;

    fn visit<P: Position>(self, _: &P::Options) -> GameTraits {
        let repetition = if P::HAS_REPETITION { OCCURRENCES } else { 0 };
        GameTraits { repetition, has_passes: P::HAS_PASSES, notation: P::NOTATION }
    }
}

/// An option as JSON: `values` for one of several words, `min` and `max` for a number; `derived` where the default is told in
/// words, because it depends on other options.
#[derive(Serialize)]
struct OptionLine<'a> {
    name: &'a str,
    default: &'a str,
    #[serde(skip_serializing_if = "is_false")]
    derived: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    values: Option<&'a [&'a str]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    min: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max: Option<u32>,
    about: &'a str,
}

/// Returns the built-in games as one JSON array on a line: the answer to `games`.
///
/// # Panics
/// Never: strings and numbers can be written as JSON.
#[must_use]
pub fn games_json() -> String {
    let lines: Vec<_> = GAMES.iter().filter_map(line).collect();
    serde_json::to_string(&lines).expect("strings and numbers can be written as JSON") + "\n"
}

fn line(game: &'static Game) -> Option<GameLine<'static>> {
    let GameTraits { repetition, has_passes, notation } = game.setup(&[]).ok()?.visit(TraitsVisitor)?;
    let is_cap = |spec: &&OptionSpec| spec.name.parse().is_ok_and(Reason::is_cap);
    Some(GameLine {
        game: game.id,
        title: game.title,
        about: game.about,
        options: game.options.iter().map(option).collect(),
        seats: seats(game),
        repetition,
        pass: has_passes,
        // Every cap is an option, by the same name.
        caps: game.options.iter().filter(is_cap).map(|spec| spec.name).collect(),
        notation,
        rules: Rulebook::of(game).map(|book| book.to_markdown()).unwrap_or_default(),
        look: game.look().map(board::look_value),
        looks: looks(game),
    })
}

/// Returns how few and how many seats a table of the game has: where there is a choice, an option says it.
fn seats(game: &Game) -> [u32; 2] {
    let players = game.options.iter().find(|spec| spec.name == PLAYERS_OPTION);
    match players.map(|spec| spec.values) {
        Some(Values::Range(least, most)) => [least, most],
        Some(Values::Words(_)) | None => [2, 2],
    }
}

/// Returns the looks of tables that have another one than the usual table.
fn looks(game: &'static Game) -> BTreeMap<u32, Value> {
    let [least, most] = seats(game);
    let look = |seats: u32| {
        let setup = game.setup(&[(PLAYERS_OPTION, &seats.to_string())]).ok()?;
        let look = setup.look().filter(|look| Some(*look) != game.look())?;
        Some((seats, board::look_value(look)))
    };
    (least + 1..=most).filter_map(look).collect()
}

fn option(spec: &'static OptionSpec) -> OptionLine<'static> {
    let (values, min, max) = match spec.values {
        Values::Words(words) => (Some(words), None, None),
        Values::Range(min, max) => (None, Some(min), Some(max)),
    };
    OptionLine {
        name: spec.name,
        default: spec.default,
        derived: !spec.has_fixed_default(),
        values,
        min,
        max,
        about: spec.about,
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
const fn is_false(flag: &bool) -> bool {
    !*flag
}
