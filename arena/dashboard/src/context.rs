//! What a page is drawn from.

use live::LiveState;

use crate::boards::Boards;
use crate::figures::Theme;
use crate::selection::Selection;
use crate::shared::SharedRun;

/// What is drawn.
pub(crate) struct DrawContext<'a> {
    /// The run; `None` before its first picture.
    pub(crate) state: Option<&'a LiveState>,
    /// Its log.
    pub(crate) shared: &'a SharedRun,
    /// The boards of its games.
    pub(crate) boards: &'a Boards,
    /// The time, in milliseconds since 1970.
    pub(crate) now: i64,
    /// Where the user looks.
    pub(crate) selection: &'a mut Selection,
    /// What the terminal can show.
    pub(crate) theme: Theme,
}
