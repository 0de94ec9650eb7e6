//! Where the user looks.

use live::{GameState, LiveState};

/// What is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ScreenPage {
    /// The games in progress, the standings, the log.
    #[default]
    Overview,
    /// One game.
    Game,
    /// The standings.
    Standings,
    /// The faults.
    Faults,
    /// The log.
    Log,
    /// The keys.
    Help,
}

/// Where the user looks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Selection {
    /// What is shown.
    pub page: ScreenPage,
    /// The slot whose game is looked at: it stays when the game changes.
    pub slot: usize,
    /// How many lines the page is scrolled: from its end, where lines come at the end.
    pub scroll: usize,
}

impl Selection {
    /// Opens a page, or goes back to the overview from it.
    pub(crate) fn toggle(&mut self, page: ScreenPage) {
        self.page = if self.page == page { ScreenPage::Overview } else { page };
        self.scroll = 0;
    }

    /// Looks at the game of the next slot, or of the one before.
    pub(crate) fn next_game(&mut self, state: &LiveState, is_forward: bool) {
        let slots: Vec<_> = by_slot(state).iter().map(|game| game.slot).collect();
        let next = match slots.iter().position(|slot| *slot == self.slot) {
            Some(at) if is_forward => slots.get(at + 1).or(slots.first()),
            Some(at) => at.checked_sub(1).map_or(slots.last(), |at| slots.get(at)),
            None => slots.first(),
        };
        if let Some(slot) = next {
            self.slot = *slot;
            self.scroll = 0;
        }
    }

    /// Scrolls by this many lines: towards the start of what is shown, or away from it.
    pub(crate) fn scroll(&mut self, lines: usize, is_up: bool) {
        // Where lines come at the end, the end is where one looks first.
        let counts_from_end = matches!(
            self.page,
            ScreenPage::Log | ScreenPage::Faults | ScreenPage::Game | ScreenPage::Overview
        );
        self.scroll = if is_up == counts_from_end {
            self.scroll.saturating_add(lines)
        } else {
            self.scroll.saturating_sub(lines)
        };
    }

    /// Returns the game that is looked at: that of the slot, or else the first one.
    pub(crate) fn game<'a>(&self, state: &'a LiveState) -> Option<&'a GameState> {
        state.games.iter().find(|game| game.slot == self.slot).or_else(|| by_slot(state).first().copied())
    }
}

/// Returns the games in progress by slot: a game that begins takes the place of the one that ended.
pub(crate) fn by_slot(state: &LiveState) -> Vec<&GameState> {
    let mut games: Vec<_> = state.games.iter().collect();
    games.sort_by_key(|game| game.slot);
    games
}
