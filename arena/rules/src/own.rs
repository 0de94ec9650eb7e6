//! Games of one's own: rules that are not built in, but answer the same questions.

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
    /// When the position string is wrong, or the rules fail.
    fn referee(&self, options: &OptionPairs, from: Option<&str>) -> Result<Box<dyn Referee>, StartError>;

    /// Returns how many seats the table has with valid options: 2 to [`Seat::MOST`](crate::Seat::MOST).
    fn seats(&self, _options: &OptionPairs) -> usize {
        2
    }

    /// Returns the number of lines of exactly `depth` plies that begin with each ply, in byte order of the plies. A line that ends
    /// earlier counts only at its own length, and repetition is ignored. `depth` is at least 1.
    ///
    /// # Errors
    /// When the position string is wrong, or the rules fail.
    fn divide(
        &self,
        options: &OptionPairs,
        from: Option<&str>,
        depth: u32,
    ) -> Result<Vec<(String, u64)>, StartError>;

    /// Returns the digest that tells these rules from all others: that of a module's bytes, or of a command and its files.
    fn identity(&self) -> &str;

    /// Returns where the rules came from.
    fn source(&self) -> &RulesSource;

    /// Returns the id that the rules give the game, which may be played under another one.
    fn own_id(&self) -> &str;

    /// Returns the bytes of a module; `None` of a program.
    fn module(&self) -> Option<&[u8]>;

    /// Returns the rules as text for people, in Markdown; empty where the game has none.
    fn rules(&self) -> &'static str;

    /// Returns how a ply is written, in a line for people; empty where the game does not say.
    fn notation(&self) -> &'static str;

    /// Returns whether the game is chess as every reader of PGN knows it: its game logs have the tags of chess then.
    fn is_chess(&self) -> bool {
        false
    }

    /// Ends the questions in progress: whoever waits for an answer learns at once that none comes. Later questions are asked as
    /// usual. What cannot be ended takes no longer than its limit.
    fn interrupt(&self) {}

    /// Returns what the game looks like at a table of so many seats, as many as usual if none are given; `None` where it does not
    /// say, and is shown as text.
    fn look(&self, _seats: Option<usize>) -> Option<&GameLook> {
        None
    }
}

/// Where the rules of a game of one's own are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RulesSource {
    /// A WebAssembly module in this file.
    Module(PathBuf),
    /// A program.
    Program {
        /// The command: the program and its arguments.
        command: Vec<String>,
        /// The directory in which it is started.
        directory: PathBuf,
        /// Files that it reads besides those of the command, as written.
        files: Vec<String>,
    },
}
