//! What the keys do.

use std::num::NonZeroUsize;

use live::{ControlOrder, LiveState, RunStage};
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyEventKind, KeyModifiers};

use super::sight::{Page, Sight};

/// How far a page key scrolls, in lines.
const LEAP: usize = 10;

/// The keys and what they do, for the page that says so.
pub(super) const KEYS: [(&str, &str); 13] = [
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Nothing but to draw anew.
    Look,
    /// The run is told something.
    Tell(ControlOrder),
    /// The run is interrupted, as by a signal.
    Interrupt,
}

/// Follows a key.
pub(super) fn follow(key: KeyEvent, sight: &mut Sight, state: Option<&LiveState>) -> Action {
    if key.kind == KeyEventKind::Release {
        return Action::Look;
    }
    match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Action::Interrupt,
        KeyCode::Char('q') => return Action::Interrupt,
        KeyCode::Char('s') => sight.toggle(Page::Standings),
        KeyCode::Char('f') => sight.toggle(Page::Faults),
        KeyCode::Char('l') => sight.toggle(Page::Log),
        KeyCode::Char('?' | 'h') => sight.toggle(Page::Help),
        KeyCode::Enter => sight.toggle(Page::Game),
        KeyCode::Esc | KeyCode::Backspace => *sight = Sight { slot: sight.slot, ..Sight::default() },
        KeyCode::PageUp => sight.scroll(LEAP, true),
        KeyCode::PageDown => sight.scroll(LEAP, false),
        KeyCode::Home => sight.scroll(usize::MAX, true),
        KeyCode::End => sight.scroll(usize::MAX, false),
        KeyCode::Up | KeyCode::Char('k') if sight.page != Page::Overview => sight.scroll(1, true),
        KeyCode::Down | KeyCode::Char('j') if sight.page != Page::Overview => sight.scroll(1, false),
        _ => return state.map_or(Action::Look, |state| steer(key.code, sight, state)),
    }
    Action::Look
}

/// Follows a key whose meaning depends on the run.
fn steer(key: KeyCode, sight: &mut Sight, state: &LiveState) -> Action {
    match key {
        KeyCode::Up | KeyCode::Left | KeyCode::BackTab | KeyCode::Char('k') => sight.next_game(state, false),
        KeyCode::Down | KeyCode::Right | KeyCode::Tab | KeyCode::Char('j') => sight.next_game(state, true),
        KeyCode::Char('p') if state.stage == RunStage::Paused => return Action::Tell(ControlOrder::Resume),
        KeyCode::Char('p') => return Action::Tell(ControlOrder::Pause),
        KeyCode::Char('+' | '=') => return slots(state.concurrency + 1),
        KeyCode::Char('-') => return slots(state.concurrency - 1),
        _ => {}
    }
    Action::Look
}

/// Plays so many games at once, where that is allowed.
fn slots(number: usize) -> Action {
    let allowed = tournament_file::read_concurrency(&number.to_string()).ok();
    allowed.map_or(Action::Look, |number: NonZeroUsize| Action::Tell(ControlOrder::Concurrency(number)))
}
