//! The pages of `arena serve`: a run while it goes on, and the list of runs. They hold boards and headings; what changes is
//! told by a server.

pub(crate) mod watch;

use askama::Template;
use board::{Drawing, Marks, Scene};
use record::Exits;
use rules::{Catalogue, End, Setup};
use serde_json::{Value, json};

use crate::games::end_value;
use crate::games::{backgrounds, describe, two_digits};
use crate::naming::shown;
use crate::rules_drawer::drawer;

/// The name of the style sheet among the [`asset`]s.
pub(crate) const STYLE_NAME: &str = "style.css";

/// The name of the script that shows the chosen theme before anything is drawn.
pub(crate) const FIRST_NAME: &str = "first.js";

/// A board that can be shown again and again: a game with its options, and what is drawn of it.
#[derive(Debug)]
pub struct Stage {
    pub(crate) setup: Setup,
    pub(crate) drawing: Drawing,
    is_plain: bool,
}

impl Stage {
    /// Returns the stage of a game with its options; `None` for a game that nobody has drawn.
    #[must_use]
    pub fn of(setup: &Setup) -> Option<Self> {
        Some(Self { setup: setup.clone(), drawing: Drawing::of(setup)?, is_plain: false })
    }

    /// Returns the stage of a game that is played by hand. Where nobody has drawn it, the page shows position strings instead of
    /// a board ([`Stage::is_plain`]).
    #[must_use]
    pub fn or_plain(setup: &Setup) -> Self {
        let plain = || Self { setup: setup.clone(), drawing: Drawing::blank(setup), is_plain: true };
        Self::of(setup).unwrap_or_else(plain)
    }

    /// Returns whether there is no board: positions are shown as text, and plies are chosen from a list.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.is_plain
    }

    pub(crate) fn scene(&self, position: &str) -> Option<Scene> {
        if self.is_plain { Some(Scene::blank(&self.drawing)) } else { Scene::of(&self.drawing, position) }
    }

    /// Returns the stage of a label: a game's name and the options that are not the defaults. `None` also where the catalogue has
    /// no such game.
    #[must_use]
    pub fn named(label: &str, catalogue: &Catalogue) -> Option<Self> {
        Self::of(&catalogue.labelled(label)?)
    }

    /// Returns the game with its options.
    #[must_use]
    pub const fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Returns what is seen after some plies from a start, as the script of the pages reads it: `letters` by place, those
    /// `before` the last ply, the ways of the plies of the last turn (`ways`), the piece of each seat (`owners`), and the `end`
    /// where the game is over by its rules. `exits` are the seats that went out between the plies. `None` where the rules of this arena do
    /// not take the plies.
    #[must_use]
    pub fn view(&self, start: Option<&str>, plies: &[&str], exits: &Exits) -> Option<Value> {
        let mut referee = self.setup.referee(start).ok()?;
        let mut turn = Vec::new();
        for (played, ply) in plies.iter().enumerate() {
            exits.apply(&mut *referee, played).ok()?;
            if referee.turn().is_fresh {
                turn.clear();
            }
            turn.push((referee.position(), *ply));
            referee.submit(ply).ok()?;
        }
        exits.apply(&mut *referee, plies.len()).ok()?;
        let positions: Vec<_> =
            turn.iter().map(|(position, _)| position.clone()).chain([referee.position()]).collect();
        let seen = |position: &String| self.scene(position);
        let scenes = positions.iter().map(seen).collect::<Option<Vec<_>>>()?;
        let ways: Vec<_> = scenes
            .windows(2)
            .zip(&turn)
            .map(|(scenes, (_, ply))| {
                crate::games::way(&Marks::of(&self.drawing, &scenes[0], ply, &scenes[1]))
            })
            .collect();
        let after = scenes.last()?;
        let before = scenes.iter().nth_back(1).unwrap_or(after);
        Some(json!({
            "letters": text(after.letters()),
            "before": text(before.letters()),
            "owners": text(after.owners()),
            "ways": ways,
            "end": referee.end().map(|end| self.end(&end)),
        }))
    }

    /// Returns the end of a game as the script of the pages reads it: the words for it, and what shows it on the board.
    #[must_use]
    pub fn end(&self, end: &End) -> Value {
        end_value(&self.drawing, end)
    }

    /// Returns what is seen of a position, as [`Stage::view`] does: `letters` by place and the piece of each seat (`owners`).
    /// `None` for what is no position of the game.
    #[must_use]
    pub fn seen(&self, position: &str) -> Option<Value> {
        let scene = self.scene(position)?;
        Some(json!({ "letters": text(scene.letters()), "owners": text(scene.owners()) }))
    }

    /// Returns what a ply changed between two positions, as the script of the pages reads it: `[changes, way, owners]`, the
    /// new letters by place, its way, and the piece of each seat where that has changed. `None` for what are no positions of
    /// the game.
    #[must_use]
    pub fn step(&self, before: &str, ply: &str, after: &str) -> Option<[String; 3]> {
        let [before, after] = [self.scene(before)?, self.scene(after)?];
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
        Some(String::from_iter(two_digits(place)))
    }
}

fn text(letters: &[char]) -> String {
    letters.iter().collect()
}

/// The boards of a page, by number.
pub(crate) struct Boards {
    pub(crate) data: Value,
    pub(crate) backgrounds: String,
}

impl Boards {
    pub(crate) fn of<'a>(stages: impl Iterator<Item = (usize, &'a Stage)>) -> Self {
        let drawings: Vec<_> = stages.map(|(number, stage)| (number.to_string(), &stage.drawing)).collect();
        let boards = drawings.iter().map(|(name, drawing)| (name.clone(), describe(drawing)));
        Self { data: Value::Object(boards.collect()), backgrounds: backgrounds(drawings.into_iter()) }
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
    /// Whether a stopped run can be continued from the page.
    pub is_continuable: bool,
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
    rules: String,
    files: &'a [&'a str],
    takes_orders: bool,
    is_continuable: bool,
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
            rules: drawer_of(self.stages),
            files: self.files,
            takes_orders: self.takes_orders,
            is_continuable: self.is_continuable,
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
            return Some(("text/css; charset=utf-8", crate::script::style(own)));
        }
        FIRST_NAME => crate::script::THEME,
        "data.js" => include_str!("../assets/data.js"),
        "feed.js" => include_str!("../assets/feed.js"),
        "hub.js" => include_str!("../assets/hub.js"),
        "worker.js" => include_str!("../assets/worker.js"),
        "graph.js" => include_str!("../assets/graph.js"),
        "focus.js" => include_str!("../assets/focus.js"),
        "board.js" => include_str!("../assets/board.js"),
        "theme.js" => include_str!("../assets/theme.js"),
        "token.js" => include_str!("../assets/token.js"),
        "seat.js" => include_str!("../assets/seat.js"),
        "live.js" => include_str!("../assets/live.js"),
        "begin.js" => include_str!("../assets/begin.js"),
        "cells.js" => include_str!("../assets/cells.js"),
        "drag.js" => include_str!("../assets/drag.js"),
        "kept.js" => include_str!("../assets/kept.js"),
        "past.js" => include_str!("../assets/past.js"),
        "play.js" => include_str!("../assets/play.js"),
        "sure.js" => include_str!("../assets/sure.js"),
        "share.js" => include_str!("../assets/share.js"),
        "rules.js" => include_str!("../assets/rules.js"),
        "rows.js" => include_str!("../assets/rows.js"),
        "watch.js" => include_str!("../assets/watch.js"),
        "copy.js" => include_str!("../assets/copy.js"),
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

/// Returns the drawer with the rules of the games of these stages, each once.
pub(crate) fn drawer_of(stages: &[Option<Stage>]) -> String {
    let mut games: Vec<rules::GameRef> = Vec::new();
    for stage in stages.iter().flatten() {
        let game = stage.setup().game_ref();
        if games.iter().all(|known| known.id != game.id) {
            games.push(game);
        }
    }
    drawer(games.into_iter())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_view_tells_the_last_turn_and_the_end() {
        let stage = Stage::named("faust size=4", &Catalogue::default()).expect("a stage");
        let start = stage.view(None, &[], &Exits::default()).expect("a view");
        assert_eq!((&start["ways"], &start["letters"]), (&json!([]), &start["before"]));
        let ply = stage.setup.referee(None).expect("a start").legal().remove(0);
        let view = stage.view(None, &[&ply], &Exits::default()).expect("a view");
        assert_ne!(view["letters"], view["before"]);
        assert_eq!((view["ways"].as_array().map(Vec::len), &view["end"]), (Some(1), &Value::Null));
        assert_eq!(stage.view(None, &["no ply"], &Exits::default()), None);
        assert_eq!((stage.place("b1").as_deref(), stage.place("z9")), (Some("01"), None));
    }

    #[test]
    fn every_ply_of_a_turn_has_its_way() {
        let stage = Stage::named("2-frenzy", &Catalogue::default()).expect("a stage");
        let plies = ["Sd7", "Se7", "Sd2", "Se2", "d7d6", "e7e6"];
        let ways = |count: usize| {
            stage.view(None, &plies[..count], &Exits::default()).expect("a view")["ways"].clone()
        };
        assert_eq!([1, 2, 3].map(ways), [json!(["1f"]), json!(["1f", "1g"]), json!(["0b"])]);
        assert_eq!([5, 6].map(ways), [json!(["1f17"]), json!(["1f17", "1g18"])]);
    }

    #[test]
    fn an_end_is_told_with_its_places() {
        let stage = Stage::named("farook", &Catalogue::default()).expect("a stage");
        let plies = ["a1", "a4", "b1", "b4", "c1", "c4", "d1"];
        assert_eq!(stage.view(None, &plies[..6], &Exits::default()).expect("a view")["end"], Value::Null);
        let end = stage.view(None, &plies, &Exits::default()).expect("a view")["end"].clone();
        assert_eq!(end, json!(["p1 has the row a1 b1 c1 d1", [["row", "00010203", 0]]]));
    }

    #[test]
    fn a_label_of_every_game_leads_to_its_stage() {
        for game in rules::GAMES {
            let setup = game.setup(&[]).expect("the defaults are options");
            assert_eq!(
                Stage::named(&setup.label(), &Catalogue::default()).map(|stage| stage.setup.label()),
                Some(setup.label())
            );
        }
        assert!(
            Stage::named("faust size", &Catalogue::default()).is_none()
                && Stage::named("chess", &Catalogue::default()).is_none()
        );
    }

    #[test]
    fn names_stay_text() {
        let hostile = "</script><img src=x>\u{1b}[2J";
        let stages = [Stage::named("farook", &Catalogue::default())];
        let live = LivePage {
            name: hostile,
            stages: &stages,
            files: &["games.csv"],
            takes_orders: true,
            is_continuable: true,
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
            "data.js",
            "feed.js",
            "hub.js",
            "worker.js",
            "board.js",
            "graph.js",
            "theme.js",
            "token.js",
            "seat.js",
            "live.js",
            "runs.js",
            "begin.js",
            "cells.js",
            "drag.js",
            "kept.js",
            "past.js",
            "play.js",
            "copy.js",
            "rows.js",
            "rules.js",
            "watch.js",
            "share.js",
            "sure.js",
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
