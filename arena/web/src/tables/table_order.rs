//! What a browser may have done at a table.

use hand_play::{Purpose, Travel};
use serde::Deserialize;

/// What is sent with an order.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct SentTableOrder {
    order: String,
    /// The ply, where one is played.
    #[serde(default)]
    ply: Option<String>,
    /// How many plies the board had on which it was clicked.
    #[serde(default)]
    at: Option<usize>,
}

/// What is to be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum TableOrder {
    /// Play a ply on the board after this many plies.
    Play(String, Option<usize>),
    /// Plies are taken back, or played again.
    Travel(Travel),
    /// A bot is asked: one that waits for its ply, or the adviser.
    Ask(Purpose),
    /// Bots play on by themselves.
    Go,
    /// They stop; one that thinks answers at once.
    Stop,
    /// The person who decides gives up.
    Resign,
    /// Another game; with the seats exchanged or not.
    New(bool),
    /// The clocks that stand still run.
    Resume,
    /// The table is left: it is kept, if anything was played.
    Leave,
    /// The table is left, and what was kept of it is taken away.
    Remove,
}

/// Every order without a ply, by its word.
const WORDS: [(&str, TableOrder); 15] = [
    ("undo", TableOrder::Travel(Travel::Undo)),
    ("redo", TableOrder::Travel(Travel::Redo)),
    ("back", TableOrder::Travel(Travel::Back)),
    ("forward", TableOrder::Travel(Travel::Forward)),
    ("hint", TableOrder::Ask(Purpose::Hint)),
    ("eval", TableOrder::Ask(Purpose::Eval)),
    ("step", TableOrder::Ask(Purpose::Play)),
    ("go", TableOrder::Go),
    ("stop", TableOrder::Stop),
    ("resign", TableOrder::Resign),
    ("new", TableOrder::New(false)),
    ("swap", TableOrder::New(true)),
    ("resume", TableOrder::Resume),
    ("leave", TableOrder::Leave),
    ("remove", TableOrder::Remove),
];

impl TableOrder {
    /// Reads what was sent.
    ///
    /// # Errors
    /// Says what is known.
    pub(crate) fn read(sent: &[u8]) -> Result<Self, String> {
        let Ok(SentTableOrder { order, ply, at }) = serde_json::from_slice(sent) else {
            return Err(
                "expected `{\"order\": \"undo\"}` or `{\"order\": \"play\", \"ply\": \"a1\"}`".to_owned()
            );
        };
        match (ply, WORDS.into_iter().find(|(word, _)| *word == order)) {
            (Some(ply), None) if order == "play" => Ok(Self::Play(ply, at)),
            (None, Some((_, order))) => Ok(order),
            _ => {
                let words: Vec<_> = WORDS.iter().map(|(word, _)| *word).collect();
                Err(format!("expected `play` with a ply, or without one {}", words.join(", ")))
            }
        }
    }

    /// Returns every order that needs no ply and can be carried out, by its word.
    pub(crate) fn words(can: impl Fn(&Self) -> bool) -> Vec<&'static str> {
        WORDS.iter().filter(|(_, order)| can(order)).map(|(word, _)| *word).collect()
    }
}
