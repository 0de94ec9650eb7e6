//! The page of one game of a run: its board, every ply, and what the bots said, while it is in progress and after.

use askama::Template;
use serde_json::json;

use crate::live::{Boards, STYLE_NAME, Stage, in_script, symbols};
use crate::naming::shown;
use crate::rules_drawer::drawer;

/// A game of a run.
#[derive(Clone, Copy, Debug)]
pub struct GamePage<'a> {
    /// The name of the tournament.
    pub run: &'a str,
    /// The number of the game.
    pub number: u64,
    /// Its board.
    pub stage: &'a Stage,
    /// Whether games can be played by hand from its positions.
    pub takes_orders: bool,
}

#[derive(Template)]
#[template(path = "watch.html")]
struct WatchTemplate {
    style: &'static str,
    run: String,
    number: u64,
    label: String,
    game: &'static str,
    rules: String,
    symbols: String,
    backgrounds: String,
    data: String,
    takes_orders: bool,
}

impl GamePage<'_> {
    /// Returns the page. It asks its own server for the picture of the game (`events`), for positions (`position`), and with the
    /// token for the lines between the arena and the bots (`transcript`).
    #[must_use]
    pub fn render(&self) -> String {
        let boards = Boards::of([(0, self.stage)].into_iter());
        let game = self.stage.setup().game();
        let page = WatchTemplate {
            style: STYLE_NAME,
            run: shown(self.run),
            number: self.number,
            label: shown(&self.stage.setup().label()),
            game: game.id,
            rules: drawer(std::iter::once(self.stage.setup().game_ref())),
            symbols: symbols(),
            backgrounds: boards.backgrounds,
            data: in_script(&json!({ "bots": [], "boards": boards.data })),
            takes_orders: self.takes_orders,
        };
        page.render().expect("strings can be written into a string")
    }
}

/// Returns a thinking time, in microseconds, as people write it: `1.2 ms`, `350 ms`, `12.4 s`, `2:05`.
#[must_use]
pub fn thinking_time(micros: u64) -> String {
    let millis = micros as f64 / 1000.0;
    match millis {
        ..9.95 => format!("{millis:.1} ms"),
        ..999.5 => format!("{millis:.0} ms"),
        ..59_950.0 => format!("{:.1} s", millis / 1000.0),
        _ => {
            let seconds = (millis / 1000.0).round() as u64;
            format!("{}:{:02}", seconds / 60, seconds % 60)
        }
    }
}

#[cfg(test)]
mod tests {
    use rules::Catalogue;

    use super::*;

    #[test]
    fn times_are_written_as_people_write_them() {
        let told =
            [900, 9_940, 9_960, 999_400, 1_006_600, 59_949_000, 60_000_000, 125_400_000].map(thinking_time);
        assert_eq!(told, ["0.9 ms", "9.9 ms", "10 ms", "999 ms", "1.0 s", "59.9 s", "1:00", "2:05"]);
    }

    #[test]
    fn a_name_stays_text() {
        let stage = Stage::named("farook", &Catalogue::default()).expect("a stage");
        let page = GamePage { run: "<img src=x>", number: 3, stage: &stage, takes_orders: true }.render();
        assert!(!page.contains("<img") && page.contains("Game 3") && page.contains("data-rules=\"farook\""));
    }
}
