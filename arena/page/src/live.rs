//! The pages of `arena serve`: a run while it goes on, and the list of runs. They hold boards and headings; what changes is
//! told by a server.

use askama::Template;
use board::{Drawing, Marks, Scene};
use rules::Setup;
use serde_json::{Value, json};

use crate::games::{describe, two_digits};
use crate::naming::shown;

/// The name of the style sheet among the [`asset`]s.
pub(crate) const STYLE_NAME: &str = "style.css";

/// A board that can be shown again and again: a game with its options, and what is drawn of it.
#[derive(Debug)]
pub struct Stage {
    pub(crate) setup: Setup,
    pub(crate) drawing: Drawing,
}

impl Stage {
    /// Returns the stage of a game with its options; `None` for a game that nobody has drawn.
    #[must_use]
    pub fn of(setup: &Setup) -> Option<Self> {
        Some(Self { setup: setup.clone(), drawing: Drawing::of(setup)? })
    }

    /// Returns the stage of a label: a game's name and the options that are not the defaults.
    #[must_use]
    pub fn named(label: &str) -> Option<Self> {
        let mut words = label.split(' ');
        let game = rules::find(words.next()?).ok()?;
        let options: Option<Vec<_>> = words.map(|word| word.split_once('=')).collect();
        Self::of(&game.setup(&options?).ok()?)
    }

    /// Returns what is seen after some plies from a start, as the script of the pages reads it: `letters` by place, those
    /// `before` the last ply, its `way`, and the piece of each seat (`owners`). `None` where the rules of this arena do not
    /// take the plies.
    #[must_use]
    pub fn view(&self, start: Option<&str>, plies: &[&str]) -> Option<Value> {
        let mut referee = self.setup.referee(start).ok()?;
        let Some((last, earlier)) = plies.split_last() else { return self.seen(&referee.position(), None) };
        for ply in earlier {
            referee.submit(ply).ok()?;
        }
        let before = referee.position();
        referee.submit(last).ok()?;
        self.seen(&before, Some((last, &referee.position())))
    }

    /// Returns what is seen of a position, and of the one after a ply where there was one: as [`Stage::view`]. `None` for what
    /// are no positions of the game.
    #[must_use]
    pub fn seen(&self, position: &str, next: Option<(&str, &str)>) -> Option<Value> {
        let before = Scene::of(&self.drawing, position)?;
        let (after, way) = match next {
            Some((ply, after)) => {
                let after = Scene::of(&self.drawing, after)?;
                let way = crate::games::way(&Marks::of(&self.drawing, &before, ply, &after));
                (after, way)
            }
            None => (before.clone(), String::new()),
        };
        let text = |scene: &Scene| scene.letters().iter().collect::<String>();
        Some(json!({
            "letters": text(&after),
            "before": text(&before),
            "owners": after.owners().iter().collect::<String>(),
            "way": way,
        }))
    }

    /// Returns what a ply changed between two positions, as the script of the pages reads it: `[changes, way, owners]`, the
    /// new letters by place, its way, and the piece of each seat where that has changed. `None` for what are no positions of
    /// the game.
    #[must_use]
    pub fn step(&self, before: &str, ply: &str, after: &str) -> Option<[String; 3]> {
        let [before, after] = [Scene::of(&self.drawing, before)?, Scene::of(&self.drawing, after)?];
        let way = crate::games::way(&Marks::of(&self.drawing, &before, ply, &after));
        let is_same = before.owners() == after.owners();
        let owners = if is_same { String::new() } else { after.owners().iter().collect() };
        Some([crate::games::changes(&before, &after), way, owners])
    }

    /// Returns the number of a cell among the places of the board, as the script writes it; `None` for a name of no cell.
    #[must_use]
    pub fn place(&self, cell: &str) -> Option<String> {
        let place =
            self.drawing.places()[..self.drawing.cells()].iter().position(|place| place.name == cell)?;
        Some(two_digits(place))
    }
}

/// The boards of a page, by number.
pub(crate) struct Boards {
    pub(crate) data: Value,
    pub(crate) backgrounds: String,
}

impl Boards {
    pub(crate) fn of<'a>(stages: impl Iterator<Item = (usize, &'a Stage)>) -> Self {
        let mut boards = serde_json::Map::new();
        let mut backgrounds = String::new();
        for (number, stage) in stages {
            boards.insert(number.to_string(), describe(&stage.drawing));
            backgrounds += &format!("<g id=\"board-{number}\">{}</g>", stage.drawing.background());
        }
        Self { data: Value::Object(boards), backgrounds }
    }
}

/// A run that is shown while it goes on.
#[derive(Debug)]
pub struct LivePage<'a> {
    /// The name of the run's directory.
    pub name: &'a str,
    /// The boards of its games, by the numbers by which pictures name them; none for a game that nobody has drawn.
    pub stages: &'a [Option<Stage>],
    /// The files that can be had.
    pub files: &'a [&'a str],
    /// Whether orders are taken from those who know the token.
    pub takes_orders: bool,
    /// Whether there is a list of runs to go back to.
    pub has_list: bool,
}

#[derive(Template)]
#[template(path = "live.html")]
struct LiveTemplate<'a> {
    style: &'static str,
    name: String,
    symbols: String,
    backgrounds: String,
    data: String,
    files: &'a [&'a str],
    takes_orders: bool,
    has_list: bool,
}

impl LivePage<'_> {
    /// Returns the page. It asks its own server for the picture of the run (`events`), for its parts ([`asset`]), and where
    /// orders are taken sends them (`orders`).
    #[must_use]
    pub fn render(&self) -> String {
        let stages = self.stages.iter().enumerate();
        let boards = Boards::of(stages.filter_map(|(number, stage)| Some((number, stage.as_ref()?))));
        let page = LiveTemplate {
            style: STYLE_NAME,
            name: shown(self.name),
            symbols: symbols(),
            backgrounds: boards.backgrounds,
            data: in_script(&json!({ "bots": [], "boards": boards.data })),
            files: self.files,
            takes_orders: self.takes_orders,
            has_list: self.has_list,
        };
        page.render().expect("strings can be written into a string")
    }
}

/// A run in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedRun {
    /// The name of its directory.
    pub name: String,
    /// Where its page is.
    pub link: String,
    /// Its state, in a word or two.
    pub state: String,
    /// How many games there are, in words.
    pub games: String,
    /// What is played there, in words.
    pub about: String,
}

impl ListedRun {
    /// Returns the same as the script of the list reads it.
    #[must_use]
    pub fn value(&self) -> Value {
        json!([shown(&self.name), self.link, self.state, self.games, shown(&self.about)])
    }
}

#[derive(Template)]
#[template(path = "runs.html")]
struct ListTemplate<'a> {
    style: &'static str,
    title: String,
    runs: &'a [ListedRun],
    takes_orders: bool,
}

/// Returns the page with a list of runs, which asks its own server for changes (`events`). Where orders are taken it leads to
/// the games that are played by hand.
#[must_use]
pub fn list_page(title: &str, runs: &[ListedRun], takes_orders: bool) -> String {
    let shown_runs: Vec<_> = runs
        .iter()
        .map(|run| ListedRun { name: shown(&run.name), about: shown(&run.about), ..run.clone() })
        .collect();
    let page = ListTemplate { style: STYLE_NAME, title: shown(title), runs: &shown_runs, takes_orders };
    page.render().expect("strings can be written into a string")
}

/// Returns the kind (a media type) and the text of a part of these pages: a script or the style sheet.
#[must_use]
pub fn asset(name: &str) -> Option<(&'static str, String)> {
    const SCRIPT: &str = "text/javascript; charset=utf-8";
    let script = match name {
        STYLE_NAME => {
            let own = include_str!("../assets/live.css");
            return Some(("text/css; charset=utf-8", crate::script::style() + own));
        }
        "data.js" => include_str!("../assets/data.js"),
        "feed.js" => include_str!("../assets/feed.js"),
        "board.js" => include_str!("../assets/board.js"),
        "theme.js" => include_str!("../assets/theme.js"),
        "token.js" => include_str!("../assets/token.js"),
        "seat.js" => include_str!("../assets/seat.js"),
        "live.js" => include_str!("../assets/live.js"),
        "begin.js" => include_str!("../assets/begin.js"),
        "cells.js" => include_str!("../assets/cells.js"),
        "drag.js" => include_str!("../assets/drag.js"),
        "past.js" => include_str!("../assets/past.js"),
        "play.js" => include_str!("../assets/play.js"),
        "sure.js" => include_str!("../assets/sure.js"),
        "runs.js" => include_str!("../assets/runs.js"),
        _ => return None,
    };
    Some((SCRIPT, script.to_owned()))
}

pub(crate) fn symbols() -> String {
    format!("{}{}", Drawing::symbols(), board::mark_symbols())
}

/// Returns JSON as it may stand within a script element: nothing but this letter could end it.
pub(crate) fn in_script(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_tells_the_last_ply() {
        let stage = Stage::named("faust size=4").expect("a stage");
        let start = stage.view(None, &[]).expect("a view");
        assert_eq!((start["way"].as_str(), &start["letters"]), (Some(""), &start["before"]));
        let ply = stage.setup.referee(None).expect("a start").legal().remove(0);
        let view = stage.view(None, &[&ply]).expect("a view");
        assert_ne!(view["letters"], view["before"]);
        assert_eq!(stage.view(None, &["no ply"]), None);
        assert_eq!((stage.place("b1").as_deref(), stage.place("z9")), (Some("01"), None));
    }

    #[test]
    fn a_label_of_every_game_leads_to_its_stage() {
        for game in rules::GAMES {
            let setup = game.setup(&[]).expect("the defaults are options");
            assert_eq!(Stage::named(&setup.label()).map(|stage| stage.setup.label()), Some(setup.label()));
        }
        assert!(Stage::named("faust size").is_none() && Stage::named("chess").is_none());
    }

    #[test]
    fn names_stay_text() {
        let hostile = "</script><img src=x>\u{1b}[2J";
        let stages = [Stage::named("farook")];
        let live = LivePage {
            name: hostile,
            stages: &stages,
            files: &["games.csv"],
            takes_orders: true,
            has_list: true,
        };
        let run = ListedRun {
            name: hostile.to_owned(),
            link: "runs/x/".to_owned(),
            state: "finished".to_owned(),
            games: "3 games".to_owned(),
            about: hostile.to_owned(),
        };
        for page in [live.render(), list_page(hostile, &[run], true)] {
            assert!(!page.contains("<img") && !page.contains('\u{1b}'), "{page}");
        }
    }

    #[test]
    fn scripts_make_no_markup_of_text_and_know_no_other_server() {
        for name in [
            "data.js", "board.js", "theme.js", "token.js", "seat.js", "live.js", "runs.js", "begin.js",
            "cells.js", "drag.js", "past.js", "play.js", "sure.js",
        ] {
            let (_, text) = asset(name).expect("an asset");
            let text = text.replace("http://www.w3.org/2000/svg", "");
            for word in
                ["innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "http:", "https:"]
            {
                assert!(!text.contains(word), "{name}: {word}");
            }
        }
    }
}
