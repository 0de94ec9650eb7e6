//! Games of one's own: rules that are not built in but have the same interface.

use std::fmt::Debug;
use std::path::PathBuf;

use crate::{GameLook, Referee, StartError};

/// Options with their values, in the game's order.
pub type OptionPairs = [(&'static str, String)];

/// The rules of a game that is not built in: a module or a program that answers questions.
pub trait OwnRules: Debug + Send + Sync {
    /// Starts a game with valid options, from the start or from a position string.
    ///
    /// # Errors
    /// If the position string is wrong, or if the rules fail.
    fn referee(&self, options: &OptionPairs, from: Option<&str>) -> Result<Box<dyn Referee>, StartError>;

    /// Returns how many seats the table has with valid options: 2 to [`Seat::MOST`](crate::Seat::MOST).
    fn seats(&self, _options: &OptionPairs) -> usize {
        2
    }

    /// Returns the number of lines of exactly `depth` plies that begin with each ply, in byte order of the plies. A line that
    /// ends earlier counts only at its own length, and repetition is ignored. `depth` is at least 1.
    ///
    /// # Errors
    /// If the position string is wrong, or if the rules fail.
    fn divide(
        &self,
        options: &OptionPairs,
        from: Option<&str>,
        depth: u32,
    ) -> Result<Vec<(String, u64)>, StartError>;

    /// Returns the digest that identifies these rules: that of a module's bytes, or of a command and its files.
    fn identity(&self) -> &str;

    /// Returns the source of the rules.
    fn source(&self) -> &RulesSource;

    /// Returns the id that the rules declare. The game may be played under another id.
    fn own_id(&self) -> &str;

    /// Returns the bytes of a module; `None` for a program.
    fn module(&self) -> Option<&[u8]>;

    /// Returns the rules for people, in Markdown; empty if there are none.
    fn rules(&self) -> &'static str;

    /// Returns a line that explains how plies are written; empty if there is none.
    fn notation(&self) -> &'static str;

    /// Returns whether the game is standard chess, as PGN readers know it. Its game logs then have the tags of chess.
    fn is_chess(&self) -> bool {
        false
    }

    /// Aborts the questions in progress: their callers learn at once that no answer comes. Later questions are asked as usual.
    /// A question that cannot be aborted ends at its limit.
    fn interrupt(&self) {}

    /// Returns the look of the game at a table of so many seats, as many as usual if none are given; `None` if it declares none and is shown
    /// as text.
    fn look(&self, _seats: Option<usize>) -> Option<&GameLook> {
        None
    }
}

/// The source of the rules of a game of one's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesSource {
    /// A WebAssembly module in this file.
    Module(PathBuf),
    /// A program.
    Program {
        /// The command: the program and its arguments.
        command: Vec<String>,
        /// The working directory.
        directory: PathBuf,
        /// Files that it reads besides those of the command, as written.
        files: Vec<String>,
    },
}
