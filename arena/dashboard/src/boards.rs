//! The boards of the games in progress, each drawn once a position.

use std::cell::RefCell;
use std::collections::BTreeMap;

use live::GameState;
use protocol::printable;
use report::Look;
use rules::Catalogue;

use crate::figures::Theme;

/// Draws boards and keeps the last one of each slot: the rules of a game of one's own may have to be asked for it, and the screen
/// is drawn many times a ply.
#[derive(Debug, Default)]
pub(crate) struct Boards {
    catalogue: Catalogue,
    kept: RefCell<BTreeMap<usize, KeptBoard>>,
}

#[derive(Debug)]
struct KeptBoard {
    label: String,
    position: String,
    text: String,
}

impl Boards {
    /// Draws boards of the games of this catalogue.
    pub(crate) const fn new(catalogue: Catalogue) -> Self {
        Self { catalogue, kept: RefCell::new(BTreeMap::new()) }
    }

    /// Returns the drawing of the position of a game, or the position string where it cannot be drawn; `None` while the bots come
    /// to the board.
    pub(crate) fn drawing(&self, game: &GameState, theme: Theme) -> Option<String> {
        let position = game.position.as_deref()?;
        let mut kept = self.kept.borrow_mut();
        match kept.get(&game.slot) {
            Some(board) if board.position == position && board.label == game.label => {
                Some(board.text.clone())
            }
            _ => {
                let text = self.draw(&game.label, position, theme);
                let board = KeptBoard {
                    label: game.label.clone(),
                    position: position.to_owned(),
                    text: text.clone(),
                };
                kept.insert(game.slot, board);
                Some(text)
            }
        }
    }

    fn draw(&self, label: &str, position: &str, theme: Theme) -> String {
        let look = Look { width: 80, color: false, ascii: theme.is_ascii };
        let setup = self.catalogue.labelled(label);
        let board = setup.and_then(|setup| report::board_text(&setup, position, None, &look));
        board.unwrap_or_else(|| format!("{}\n", printable(position)))
    }
}
