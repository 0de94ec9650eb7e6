//! What the screen shows, drawn on a screen of memory; and what keys do.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use live::{ControlOrder, GameState, LiveState, RunStage};
use own_games::{CarrierFault, Origin, RulesCarrier, RulesClient, ask_for_game};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use rules::{Catalogue, RulesSource};
use serde_json::json;

use crate::boards::Boards;
use crate::context::DrawContext;
use crate::draw::draw;
use crate::figures::Theme;
use crate::keys::{Action, follow};
use crate::selection::{ScreenPage, Selection};
use crate::shared::SharedRun;

const PLAIN: Theme = Theme { has_color: false, is_ascii: true };

/// A tournament of three bots, one of which has tricks in its name, with two games in progress.
fn state() -> LiveState {
    let standing = |rank: usize, bot: &str, elo: f64, wins: u64, losses: u64| {
        json!({"rank": rank, "bot": bot, "elo": elo, "games": wins + losses + 1, "wins": wins, "draws": 1,
            "losses": losses, "any_time": [0.25, 0.75], "faults": losses / 3, "mean_ms": 5.0})
    };
    let game = |number: u64, slot: usize, label: &str, position: &str, seat: u8| {
        json!({"number": number, "pair": number, "leg": 1, "round": 2, "slot": slot, "game": label.split(' ').next(), "label": label,
            "bots": [{"name": "alpha", "tc": "60+1"}, {"name": "\u{1b}[31mbeta", "tc": "60+1"}],
            "started": 0, "opening": 1, "position": position, "seat": seat, "since": 90_000, "clocks": [59_400, 125_000],
            "plies": [{"ply": "b2", "seat": 1, "turn": 1}, {"ply": "a1", "seat": 2, "turn": 2, "us": 1_250_000,
                "clock": 59_000, "info": {"depth": 7, "cp": 34}}],
            "search": [null, {"depth": 7, "cp": 34, "nodes": 12_345, "nps": 450_000, "pv": ["a1", "c3"],
                "text": "all is well\u{202e}"}],
            "evaluation": {"cp": -34, "by": 2}})
    };
    let state = json!({
        "version": 1, "arena": "0.1.0", "name": "cup", "format": "round-robin", "process": 7, "began": 0, "written": 100_000,
        "stage": "running", "concurrency": 2,
        "counts": {"before": 20, "total": 40, "done": 10, "running": 2, "aborted": 0, "faults": 1},
        "pace": {"games_per_second": 2.5, "seconds_left": 12.0, "is_upper_bound": false},
        "games": [game(31, 1, "faust size=2", "1b/w1 p1 c=bw n=2", 1), game(32, 0, "fanorona size=3x3", "bbb/b1w/www p2 quiet=0", 2)],
        "standings": [standing(1, "alpha", 85.4, 7, 1), standing(2, "\\x1b[31mbeta", -85.4, 1, 7)],
        "faults": [{"game": 12, "bot": "\u{1b}[31mbeta", "seat": 2, "reason": "crash", "detail": "process ended (exit 3) at ply 9",
            "at": 1000}],
        "withdrawn": []
    });
    serde_json::from_value(state).expect("a picture")
}

/// Draws a page on a screen of this size and returns its lines.
fn screen(width: u16, height: u16, state: Option<&LiveState>, selection: &mut Selection) -> String {
    screen_with(&Boards::default(), width, height, state, selection)
}

fn screen_with(
    boards: &Boards,
    width: u16,
    height: u16,
    state: Option<&LiveState>,
    selection: &mut Selection,
) -> String {
    let shared = SharedRun::default();
    shared.say("game 12: `beta`: crash: process ended\nsecond line \u{1b}[2J");
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen of memory");
    terminal
        .draw(|frame| {
            draw(
                frame,
                &mut DrawContext { state, shared: &shared, boards, now: 91_000, selection, theme: PLAIN },
            );
        })
        .expect("it draws");
    let buffer = terminal.backend().buffer();
    let row = |y: u16| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..height).map(row).collect::<Vec<_>>().join("\n")
}

fn page(page: ScreenPage, width: u16, height: u16) -> String {
    screen(width, height, Some(&state()), &mut Selection { page, ..Selection::default() })
}

#[test]
fn the_overview_fits_a_small_terminal() {
    insta::assert_snapshot!(page(ScreenPage::Overview, 80, 24));
}

#[test]
fn the_overview_shows_every_board_on_a_large_terminal() {
    insta::assert_snapshot!(page(ScreenPage::Overview, 160, 40));
}

#[test]
fn a_game_has_its_board_its_bots_and_its_plies() {
    insta::assert_snapshot!(page(ScreenPage::Game, 80, 24));
}

#[test]
fn standings_and_faults_have_pages_of_their_own() {
    insta::assert_snapshot!(format!(
        "{}\n\n{}",
        page(ScreenPage::Standings, 100, 10),
        page(ScreenPage::Faults, 80, 10)
    ));
}

/// The same tournament at tables of three.
fn table_state() -> LiveState {
    let mut state = serde_json::to_value(state()).expect("a picture");
    for game in state["games"].as_array_mut().expect("games") {
        game["bots"].as_array_mut().expect("bots").push(json!({"name": "gamma", "tc": "60+1"}));
        game["clocks"].as_array_mut().expect("clocks").push(json!(7000));
        game["search"].as_array_mut().expect("searches").push(json!({"depth": 3, "cp": 1200, "pv": ["b1"]}));
        game["seat"] = json!(3);
    }
    for row in state["standings"].as_array_mut().expect("rows") {
        // Nine games against two opponents each.
        (row["wins"], row["draws"], row["losses"]) = (json!(11), json!(2), json!(5));
        (row["score"], row["places"], row["any_time"]) = (json!(2.0 / 3.0), json!([5, 1, 3]), json!(null));
    }
    serde_json::from_value(state).expect("a picture")
}

#[test]
fn a_table_of_three_has_all_its_bots_their_places_and_no_share_beyond_all() {
    let state = table_state();
    let all = screen(120, 40, Some(&state), &mut Selection::default());
    assert!(all.contains("1st/2nd/3rd") && !all.contains("W/D/L"), "{all}");
    assert!(all.contains(" 66.7%       5/1/3"), "{all}");
    assert_eq!(all.matches("p3 gamma").count(), 2, "a card each: {all}");
    let game =
        screen(120, 40, Some(&state), &mut Selection { page: ScreenPage::Game, ..Selection::default() });
    assert!(game.contains("*p3 gamma") && game.contains("+12.00"), "{game}");
    let list = screen(80, 24, Some(&state), &mut Selection::default());
    assert!(list.contains("gamma"), "{list}");
}

#[test]
fn a_seat_that_went_out_says_why() {
    let mut state = serde_json::to_value(table_state()).expect("a picture");
    state["games"][1]["out"] = json!([null, {"reason": "crash", "detail": "exit\u{202e} 3", "ply": 3}]);
    let state = serde_json::from_value(state).expect("a picture");
    let mut selection = Selection { page: ScreenPage::Game, ..Selection::default() };
    let game = screen(80, 40, Some(&state), &mut selection);
    assert!(game.contains("out: crash (exit\\u{202e} 3)"), "{game}");
    let all = screen(120, 40, Some(&state), &mut Selection::default());
    assert_eq!(all.matches(" out ").count(), 1, "{all}");
}

/// The same tournament at tables of eight, with places that are hundreds.
fn state_of_eight() -> LiveState {
    let mut state = serde_json::to_value(table_state()).expect("a picture");
    for game in state["games"].as_array_mut().expect("games") {
        for (list, item) in [
            ("bots", json!({"name": "delta", "tc": "60+1"})),
            ("clocks", json!(7000)),
            ("search", json!(null)),
        ] {
            game[list].as_array_mut().expect("a list").extend(vec![item; 5]);
        }
        game["seat"] = json!(8);
    }
    for row in state["standings"].as_array_mut().expect("rows") {
        row["places"] = json!([100, 200, 300, 400, 500, 600, 700, 800]);
    }
    serde_json::from_value(state).expect("a picture")
}

#[test]
fn a_record_of_many_places_is_shown_whole_or_not_at_all() {
    let state = state_of_eight();
    let record = "100/200/300/400/500/600/700/800";
    for width in 60..=160 {
        let text = screen(width, 40, Some(&state), &mut Selection::default());
        let wanted = usize::from(text.contains("1st to 8th")) * state.standings.len();
        assert_eq!(text.matches(record).count(), wanted, "{width}: {text}");
        assert_eq!(text.matches("100/").count(), wanted, "{width}: {text}");
    }
    let mut own = Selection { page: ScreenPage::Standings, ..Selection::default() };
    let wide = screen(120, 40, Some(&state), &mut own);
    assert!(wide.contains("1st to 8th") && wide.contains(record), "{wide}");
}

#[test]
fn a_line_of_a_table_of_eight_names_who_decides() {
    let list = screen(80, 24, Some(&state_of_eight()), &mut Selection::default());
    let lines: Vec<_> = list.lines().filter(|line| line.contains(", 8 seats")).collect();
    assert!(!lines.is_empty() && lines.iter().all(|line| line.contains("*p8 delta")), "{list}");
}

#[test]
fn no_size_and_no_page_is_too_much() {
    let pages = [
        ScreenPage::Overview,
        ScreenPage::Game,
        ScreenPage::Standings,
        ScreenPage::Faults,
        ScreenPage::Log,
        ScreenPage::Help,
    ];
    let empty = LiveState { games: Vec::new(), standings: Vec::new(), faults: Vec::new(), ..state() };
    let crowd = LiveState {
        games: (0..40)
            .map(|slot| GameState { slot, number: slot as u64, ..state().games.remove(0) })
            .collect(),
        ..state()
    };
    for state in [None, Some(&state()), Some(&empty), Some(&crowd)] {
        for (width, height) in [(1, 1), (20, 5), (40, 10), (80, 24), (120, 30), (300, 90)] {
            for page in pages {
                let mut selection = Selection { page, slot: 17, scroll: usize::MAX };
                let text = screen(width, height, state, &mut selection);
                assert!(text.is_ascii(), "{text}");
            }
        }
    }
    assert!(page(ScreenPage::Overview, 39, 10).contains("too small"));
}

#[test]
fn a_terminal_that_is_paused_or_ending_says_so_in_words() {
    for (stage, word) in
        [(RunStage::Paused, "PAUSED"), (RunStage::Finishing, "STOPPING"), (RunStage::Aborting, "ENDING")]
    {
        let state = LiveState { stage, ..state() };
        assert!(screen(80, 24, Some(&state), &mut Selection::default()).contains(word));
    }
}

#[test]
fn the_last_line_says_how_to_stop_at_any_width() {
    let last = |which, width| page(which, width, 24).lines().last().expect("a line").to_owned();
    for which in
        [ScreenPage::Overview, ScreenPage::Game, ScreenPage::Standings, ScreenPage::Faults, ScreenPage::Log]
    {
        for width in 40..=100 {
            let line = last(which, width);
            assert!(line.ends_with("  q stop"), "{width}: {line}");
            assert!(line.starts_with("? help  ") || line.starts_with("esc back  "), "{width}: {line}");
        }
    }
    assert_eq!(last(ScreenPage::Overview, 60), "? help  enter game  s table  p pause  +/- games  q stop");
    assert_eq!(last(ScreenPage::Overview, 40), "? help  enter game  p pause  q stop");
}

#[test]
fn the_standings_of_a_large_terminal_have_room_for_names() {
    let mut state = state();
    let names = ["a_name_of_thirty_five_characters_xy", "日本語ボット"];
    for (row, name) in state.standings.iter_mut().zip(names) {
        row.bot = name.to_owned();
    }
    let text = screen(200, 40, Some(&state), &mut Selection::default());
    assert!(text.contains(names[0]), "{text}");
    // A cell of the screen is a character here, and a wide character has an empty cell after it.
    let score = |mark: &str| {
        let line = text.lines().find(|line| line.contains(mark)).expect("its row");
        line.chars().position(|letter| letter == '%').expect("its score")
    };
    assert_eq!(score(names[0]), score("日"), "{text}");
}

/// Rules of a game on a row of four cells, which count what they are asked about positions. Its strings do not say who decides.
#[derive(Debug, Default)]
struct CountingRules {
    asked: AtomicUsize,
}

impl RulesCarrier for CountingRules {
    fn ask(&self, question: &str) -> Result<String, CarrierFault> {
        let answer = match question {
            "about" => json!({"format": 2}),
            "games" => json!([{"game": "row", "look": {
                "board": {"kind": "cells", "width": 4, "height": 1},
                "pieces": {"x": {"shape": "cross", "colour": "red", "name": "cross"}},
            }}]),
            _ => {
                self.asked.fetch_add(1, Ordering::SeqCst);
                let position = question.split_once(" fen ").map_or("4", |(_, position)| position);
                if position == "broken" {
                    return Ok("no JSON".to_owned());
                }
                json!({"position": position, "seat": "p2", "legal": ["a1"]})
            }
        };
        Ok(answer.to_string())
    }
}

#[test]
fn a_game_of_ones_own_has_its_board_and_is_asked_once_a_position() {
    let rules = Arc::new(CountingRules::default());
    let source = RulesSource::Program {
        command: vec!["row".to_owned()],
        directory: PathBuf::new(),
        files: Vec::new(),
    };
    let origin = Origin { digest: String::new(), source, module: None };
    let carrier: Arc<dyn RulesCarrier> = Arc::clone(&rules) as _;
    let game = ask_for_game(&RulesClient::new(carrier, "row"), None, None, origin).expect("a game");
    let mut catalogue = Catalogue::default();
    catalogue.add(game).expect("an id of its own");
    let boards = Boards::new(catalogue);
    let mut state = state();
    let before = rules.asked.load(Ordering::SeqCst);
    for (position, board, asked) in
        [("1x2", "1  . x . .", 1), ("1x1x", "1  . x . x", 2), ("broken", "broken", 3)]
    {
        for game in &mut state.games {
            "row".clone_into(&mut game.label);
            game.position = Some(position.to_owned());
        }
        for which in [ScreenPage::Overview, ScreenPage::Game, ScreenPage::Overview] {
            let mut selection = Selection { page: which, ..Selection::default() };
            let text = screen_with(&boards, 160, 40, Some(&state), &mut selection);
            assert!(text.contains(board), "{text}");
            if which == ScreenPage::Game && position != "broken" {
                assert!(text.contains("p2 decides"), "{text}");
            }
        }
        // Once for each of the two games.
        assert_eq!(rules.asked.load(Ordering::SeqCst) - before, 2 * asked, "{position}");
    }
}

fn press(code: KeyCode, selection: &mut Selection, state: &LiveState) -> Action {
    follow(KeyEvent::new(code, KeyModifiers::NONE), selection, Some(state))
}

#[test]
fn keys_open_pages_and_go_back() {
    let (mut selection, state) = (Selection::default(), state());
    for (key, page) in [
        ('s', ScreenPage::Standings),
        ('f', ScreenPage::Faults),
        ('l', ScreenPage::Log),
        ('?', ScreenPage::Help),
    ] {
        assert_eq!(press(KeyCode::Char(key), &mut selection, &state), Action::Look);
        assert_eq!(selection.page, page);
        press(KeyCode::Esc, &mut selection, &state);
        assert_eq!(selection.page, ScreenPage::Overview);
    }
    assert_eq!(selection.game(&state).map(|game| game.number), Some(32));
    press(KeyCode::Down, &mut selection, &state);
    press(KeyCode::Enter, &mut selection, &state);
    assert_eq!(
        (selection.page, selection.game(&state).map(|game| game.number)),
        (ScreenPage::Game, Some(31))
    );
    press(KeyCode::Tab, &mut selection, &state);
    assert_eq!(selection.game(&state).map(|game| game.number), Some(32));
}

#[test]
fn keys_steer_the_run_as_orders_do() {
    let (mut selection, state) = (Selection::default(), state());
    let paused = LiveState { stage: RunStage::Paused, concurrency: 1, ..state.clone() };
    let slots = |number| Action::Tell(ControlOrder::Concurrency(NonZeroUsize::new(number).expect("not 0")));
    assert_eq!(press(KeyCode::Char('p'), &mut selection, &state), Action::Tell(ControlOrder::Pause));
    assert_eq!(press(KeyCode::Char('p'), &mut selection, &paused), Action::Tell(ControlOrder::Resume));
    assert_eq!(press(KeyCode::Char('+'), &mut selection, &state), slots(3));
    assert_eq!(press(KeyCode::Char('-'), &mut selection, &state), slots(1));
    assert_eq!(press(KeyCode::Char('-'), &mut selection, &paused), Action::Look);
    assert_eq!(press(KeyCode::Char('q'), &mut selection, &state), Action::Interrupt);
    let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
    assert_eq!(follow(control_c, &mut selection, None), Action::Interrupt);
}
