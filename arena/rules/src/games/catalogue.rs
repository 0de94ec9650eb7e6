//! The available games: the built-in ones, and the games of one's own that were loaded.

use std::ops::Deref;
use std::sync::Arc;

use thiserror::Error;

use crate::options::nearest;
use crate::{GAMES, Game, OptionError, Setup};

/// A game of a [`Catalogue`], cheap to copy.
#[derive(Clone, Debug)]
pub enum GameRef {
    /// One of [`GAMES`].
    BuiltIn(&'static Game),
    /// A game of one's own.
    Own(Arc<Game>),
}

impl Deref for GameRef {
    type Target = Game;

    fn deref(&self) -> &Game {
        match self {
            Self::BuiltIn(game) => game,
            Self::Own(game) => game,
        }
    }
}

impl GameRef {
    /// Sets up the game with these options; the others take their defaults.
    ///
    /// # Errors
    /// If an option is unknown or out of range. The error names it and what is allowed.
    pub fn setup(&self, options: &[(&str, &str)]) -> Result<Setup, OptionError> {
        Ok(Setup { game: self.clone(), pairs: self.pairs(options)? })
    }
}

/// The games that a user can name: the built-in ones, and the games of one's own that were loaded.
#[derive(Clone, Debug, Default)]
pub struct Catalogue {
    own: Vec<Arc<Game>>,
}

impl Catalogue {
    /// Adds a game of one's own.
    ///
    /// # Errors
    /// If a built-in game or another game of one's own has the same id. Then nothing is added.
    pub fn add(&mut self, game: Arc<Game>) -> Result<(), IdTaken> {
        if self.games().any(|known| known.id == game.id) {
            return Err(IdTaken { id: game.id.to_owned(), is_built_in: find(game.id).is_ok() });
        }
        self.own.push(game);
        Ok(())
    }

    /// Returns a catalogue with the games of one's own among these set-ups, each once.
    pub fn of<'a>(setups: impl IntoIterator<Item = &'a Setup>) -> Self {
        let mut catalogue = Self::default();
        for setup in setups {
            if let GameRef::Own(game) = setup.game_ref() {
                // The same game, with other options.
                let _ = catalogue.add(game);
            }
        }
        catalogue
    }

    /// Returns the set-up that a label names: the id of a game and the options that differ from the defaults. Returns `None` if
    /// there is no such game or option.
    #[must_use]
    pub fn labelled(&self, label: &str) -> Option<Setup> {
        let mut words = label.split(' ');
        let game = self.find(words.next()?).ok()?;
        let options: Option<Vec<_>> = words.map(|word| word.split_once('=')).collect();
        game.setup(&options?).ok()
    }

    /// Returns every game: the built-in ones first, then the others in the order of addition.
    pub fn games(&self) -> impl Iterator<Item = GameRef> + '_ {
        GAMES.iter().map(GameRef::BuiltIn).chain(self.own())
    }

    /// Returns the games of one's own, in the order of addition.
    pub fn own(&self) -> impl Iterator<Item = GameRef> + '_ {
        self.own.iter().map(|game| GameRef::Own(Arc::clone(game)))
    }

    /// Finds a game by its id.
    ///
    /// # Errors
    /// If there is none. The error has the nearest existing id.
    pub fn find(&self, id: &str) -> Result<GameRef, UnknownGame> {
        self.games().find(|game| game.id == id).ok_or_else(|| UnknownGame {
            id: id.to_owned(),
            known: self.games().map(|game| game.id).collect(),
        })
    }
}

impl PartialEq for Catalogue {
    /// Two catalogues are equal if they have the same games, by id and rules.
    fn eq(&self, other: &Self) -> bool {
        let games = |catalogue: &Self| -> Vec<_> {
            let identity = |game: &Arc<Game>| game.own_rules().map(|rules| rules.identity().to_owned());
            catalogue.own.iter().map(|game| (game.id, identity(game))).collect()
        };
        games(self) == games(other)
    }
}

impl Eq for Catalogue {}

/// The id is already in use.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the id `{id}` already belongs to {}", if *.is_built_in { "a built-in game" } else { "another game that was loaded" })]
pub struct IdTaken {
    /// The id.
    pub id: String,
    /// Whether a built-in game has it.
    pub is_built_in: bool,
}

/// No game has this name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown game `{id}`{}; the games are {}", self.hint(), self.known.join(", "))]
pub struct UnknownGame {
    /// The given name.
    pub id: String,
    /// The existing names.
    pub known: Vec<&'static str>,
}

impl UnknownGame {
    fn hint(&self) -> String {
        self.nearest().map_or_else(String::new, |id| format!(" (did you mean `{id}`?)"))
    }

    /// Returns the nearest existing name.
    #[must_use]
    pub fn nearest(&self) -> Option<&'static str> {
        nearest(&self.id, self.known.iter().copied())
    }
}

/// Finds a built-in game by its name.
///
/// # Errors
/// If there is none. The error has the nearest existing name.
pub fn find(id: &str) -> Result<&'static Game, UnknownGame> {
    GAMES
        .iter()
        .find(|game| game.id == id)
        .ok_or_else(|| UnknownGame { id: id.to_owned(), known: GAMES.iter().map(|game| game.id).collect() })
}
