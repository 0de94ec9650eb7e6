//! What the keys do.

use live::{ControlOrder, LiveState, RunStage};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use crate::selection::{ScreenPage, Selection};

/// How far a page key scrolls, in lines.
const LEAP: usize = 10;

/// The keys and what they do, for the page that says so.
pub(crate) const KEYS: [(&str, &str); 13] = [
    ("up, down, k, j", "the game before, the next game; on other pages a line"),
    ("enter", "look into the game"),
    ("tab, right, left", "the next game, the game before"),
    ("s", "standings"),
    ("f", "faults"),
    ("l", "log"),
    ("page up, page down", "scroll; home and end go to the ends"),
    ("esc", "back to the overview"),
    ("p", "pause: no new games begin; again to resume"),
    ("+, -", "one game more, one game less at once"),
    ("q, ctrl-c", "stop: games in progress finish; again: they are abandoned"),
    ("", "a third time: the arena ends at once"),
    ("?, h", "this page"),
];

/// What is to be done because of a key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// Nothing but to redraw.
    Look,
    /// The run is told something.
    Tell(ControlOrder),
    /// The run is interrupted, as by a signal.
    Interrupt,
}

/// Follows a key.
pub(crate) fn follow(key: KeyEvent, selection: &mut Selection, state: Option<&LiveState>) -> Action {
    if key.kind == KeyEventKind::Release {
        return Action::Look;
    }
    match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Action::Interrupt,
        KeyCode::Char('q') => return Action::Interrupt,
        KeyCode::Char('s') => selection.toggle(ScreenPage::Standings),
        KeyCode::Char('f') => selection.toggle(ScreenPage::Faults),
        KeyCode::Char('l') => selection.toggle(ScreenPage::Log),
        KeyCode::Char('?' | 'h') => selection.toggle(ScreenPage::Help),
        KeyCode::Enter => selection.toggle(ScreenPage::Game),
        KeyCode::Esc | KeyCode::Backspace => {
            *selection = Selection { slot: selection.slot, ..Selection::default() }
        }
        KeyCode::PageUp => selection.scroll(LEAP, true),
        KeyCode::PageDown => selection.scroll(LEAP, false),
        KeyCode::Home => selection.scroll(usize::MAX, true),
        KeyCode::End => selection.scroll(usize::MAX, false),
        KeyCode::Up | KeyCode::Char('k') if selection.page != ScreenPage::Overview => {
            selection.scroll(1, true);
        }
        KeyCode::Down | KeyCode::Char('j') if selection.page != ScreenPage::Overview => {
            selection.scroll(1, false);
        }
        _ => return state.map_or(Action::Look, |state| steer(key.code, selection, state)),
    }
    Action::Look
}

/// Follows a key whose meaning depends on the run.
fn steer(key: KeyCode, selection: &mut Selection, state: &LiveState) -> Action {
    match key {
        KeyCode::Up | KeyCode::Left | KeyCode::BackTab | KeyCode::Char('k') => {
            selection.next_game(state, false);
        }
        KeyCode::Down | KeyCode::Right | KeyCode::Tab | KeyCode::Char('j') => {
            selection.next_game(state, true);
        }
        KeyCode::Char('p') if state.stage == RunStage::Paused => return Action::Tell(ControlOrder::Resume),
        KeyCode::Char('p') => return Action::Tell(ControlOrder::Pause),
        KeyCode::Char('+' | '=') => return slots(state.concurrency + 1),
        KeyCode::Char('-') => return slots(state.concurrency - 1),
        _ => {}
    }
    Action::Look
}

/// Plays this many games at once, where that is allowed.
fn slots(number: usize) -> Action {
    ControlOrder::concurrency(number).map_or(Action::Look, Action::Tell)
}
