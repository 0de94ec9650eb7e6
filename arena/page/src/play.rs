//! The pages on which games are played by hand: the one where a game is chosen, and the board. What is legal and what
//! happens is told by a server: the pages know no rules.

use askama::Template;
use rules::{Catalogue, Click, OptionSpec, PLAYERS_OPTION, Seat, Values};
use serde_json::{Value, json};

use crate::games::changes;
use crate::live::{Boards, STYLE_NAME, Stage, in_script, symbols};
use crate::naming::shown;
use crate::rules_drawer::drawer;

/// A bot that can be chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedBot {
    /// The name by which it is chosen.
    pub name: String,
    /// What it does, in a phrase; empty where nothing is known.
    pub about: String,
    /// The games, by their ids, that it cannot play.
    pub lacks: Vec<&'static str>,
}

#[derive(Template)]
#[template(path = "begin.html")]
struct BeginTemplate<'a> {
    style: &'static str,
    symbols: String,
    rules: String,
    games: Vec<ListedGame>,
    seats: Vec<ListedSeat>,
    bots: &'a [ListedBot],
}

/// A game that can be chosen.
struct ListedGame {
    id: &'static str,
    title: &'static str,
    about: &'static str,
    options: Vec<ListedOption>,
}

/// An option of a game, with the words or the range that it allows.
struct ListedOption {
    name: &'static str,
    default: &'static str,
    about: &'static str,
    words: &'static [&'static str],
    range: Option<(u32, u32)>,
}

impl ListedOption {
    const fn of(spec: &OptionSpec) -> Self {
        let (words, range): (&[&str], _) = match spec.values {
            Values::Words(words) => (words, None),
            Values::Range(low, high) => (&[], Some((low, high))),
        };
        Self { name: spec.name, default: spec.default, about: spec.about, words, range }
    }
}

/// A seat, and who sits there unless somebody else is chosen: a bot, or with an empty name a person.
struct ListedSeat {
    number: usize,
    title: &'static str,
    bot: &'static str,
}

/// What the seats are called.
const SEATS: [&str; Seat::MOST] = [
    "First seat",
    "Second seat",
    "Third seat",
    "Fourth seat",
    "Fifth seat",
    "Sixth seat",
    "Seventh seat",
    "Eighth seat",
];

/// Returns how many seats a table of a game may have.
fn most_seats(options: &[OptionSpec]) -> usize {
    let players = options.iter().find(|option| option.name == PLAYERS_OPTION);
    players.map_or(2, |option| match option.values {
        Values::Words(words) => words.iter().filter_map(|word| word.parse().ok()).max().unwrap_or(2),
        Values::Range(_, high) => high as usize,
    })
}

/// Returns the page where a game is chosen, with the games of the catalogue and these bots, each for the games that it can play. It
/// sends what was chosen to its own server (`games`), which says where the board is.
#[must_use]
pub fn begin_page(bots: &[ListedBot], catalogue: &Catalogue) -> String {
    let games = catalogue.games().map(|game| ListedGame {
        id: game.id,
        title: game.title,
        about: game.about,
        options: game.options.iter().map(ListedOption::of).collect(),
    });
    let page = BeginTemplate {
        style: STYLE_NAME,
        symbols: symbols(),
        rules: drawer(catalogue.games()),
        games: games.collect(),
        seats: (1..)
            .zip(SEATS)
            .take(catalogue.games().map(|game| most_seats(game.options)).max().unwrap_or(2))
            .map(|(number, title)| ListedSeat {
                number,
                title,
                bot: if number == 1 { "" } else { "alphabeta" },
            })
            .collect(),
        bots,
    };
    page.render().expect("strings can be written into a string")
}

#[derive(Template)]
#[template(path = "play.html")]
struct PlayTemplate {
    style: &'static str,
    game: &'static str,
    rules: String,
    title: String,
    is_plain: bool,
    symbols: String,
    backgrounds: String,
    data: String,
}

/// Returns the page with the board of a game. It asks its own server for the picture of the game (`events`), sends what the
/// user does (`orders`), and offers the game as a file (`game.pgn`).
#[must_use]
pub fn play_page(title: &str, stage: &Stage) -> String {
    let boards = Boards::of([(0, stage)].into_iter());
    let game = stage.setup.game();
    let page = PlayTemplate {
        style: STYLE_NAME,
        game: game.id,
        rules: drawer(std::iter::once(stage.setup.game_ref())),
        title: shown(title),
        is_plain: stage.is_plain(),
        symbols: symbols(),
        backgrounds: boards.backgrounds,
        data: in_script(&json!({ "bots": [], "boards": boards.data })),
    };
    page.render().expect("strings can be written into a string")
}

impl Stage {
    /// Returns the clicks that can be made in a position as the script reads them: each its code, what a choice means, the
    /// places where it may fall, the ply that it completes, the clicks that can follow, and what the board changes to if nothing
    /// follows ([`Click::so_far`]), unless it is the same as without the click.
    #[must_use]
    pub fn clicks(&self, position: &str, clicks: &[Click]) -> Value {
        let referee = self.setup.referee(Some(position)).ok();
        let scene = self.scene(position);
        let changes = |ply: &str| {
            let mut next = referee.as_ref()?.fork();
            next.submit(ply).ok()?;
            Some(changes(scene.as_ref()?, &self.scene(&next.position())?))
        };
        self.told(clicks, None, &changes)
    }

    /// `before` is the ply that is played if none of the clicks is made.
    fn told(
        &self,
        clicks: &[Click],
        before: Option<&str>,
        changes: &impl Fn(&str) -> Option<String>,
    ) -> Value {
        let click = |click: &Click| {
            // A choice may lie beyond the board: its button is left.
            let places: String = click.cells.iter().filter_map(|cell| self.place(cell)).collect();
            let so_far = click.so_far();
            let next = self.told(&click.next, so_far, changes);
            let changes = so_far.filter(|ply| Some(*ply) != before).and_then(changes).unwrap_or_default();
            json!([click.code, click.label, places, click.ply, next, changes])
        };
        clicks.iter().map(click).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_and_option_can_be_chosen_and_names_stay_text() {
        let hostile = "</script><img src=x>";
        let page = begin_page(
            &[
                ListedBot { name: hostile.to_owned(), about: hostile.to_owned(), lacks: Vec::new() },
                ListedBot { name: "choosy".to_owned(), about: String::new(), lacks: vec!["faust", "farook"] },
            ],
            &Catalogue::default(),
        );
        assert!(!page.contains("<img"), "{page}");
        // At each of the four seats that 2-Frenzy may have, and where hints come from.
        assert_eq!(
            page.matches("<option value=\"choosy\" data-lacks=\"faust farook\">").count(),
            5,
            "{page}"
        );
        assert_eq!(page.matches("data-lacks").count(), 5, "{page}");
        for game in rules::GAMES {
            assert!(page.contains(&format!("value=\"{}\"", game.id)), "{}", game.id);
            for option in game.options {
                assert!(page.contains(&format!("name=\"{}\"", option.name)), "{} {}", game.id, option.name);
            }
        }
        let stage = Stage::named("farook", &Catalogue::default()).expect("a stage");
        assert!(!play_page(hostile, &stage).contains("<img"));
    }

    #[test]
    fn clicks_are_told_by_place() {
        let stage = Stage::named("fanorona", &Catalogue::default()).expect("a stage");
        let from = "6b2/5b3/9/3w5/2b6 p1 quiet=4";
        let legal = stage.setup.referee(Some(from)).unwrap().legal();
        let told = stage.clicks(from, &rules::clicks(&stage.setup, from, &legal));
        let choices = json!([
            ["+", "by approach", "0w", "d2e3+", [], "0c.0mw0w.16."],
            ["-", "by withdrawal", "02", "d2e3-", [], "02.0c.0mw"],
        ]);
        assert_eq!(told, json!([["d2", null, "0c", null, [["e3", null, "0m", null, choices, ""]], ""]]));
    }

    #[test]
    fn a_begun_chain_tells_what_it_has_taken() {
        let stage = Stage::named("fanorona", &Catalogue::default()).expect("a stage");
        let from = "4b4/1b1b5/2b1w4/9/8b p1 quiet=3";
        let legal = stage.setup.referee(Some(from)).unwrap().legal();
        let told = stage.clicks(from, &rules::clicks(&stage.setup, from, &legal));
        let to_d3 = &told[0][4][0];
        assert_eq!((to_d3[0].as_str(), to_d3[5].as_str()), (Some("d3"), Some("0k.0lw0m.")));
        let to_d2 = &to_d3[4][1];
        assert_eq!((to_d2[0].as_str(), to_d2[5].as_str()), (Some("d2"), Some("0cw0k.0m.0u.")));
    }
}
