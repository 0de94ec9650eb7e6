//! What is kept to cores of its own.

use super::declare::word_enum;

word_enum! {
    /// What is kept to cores of its own.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Pin {
        /// Games of quick bots, each to one processor, while they answer at once.
        #[default]
        Auto = "auto",
        /// Nothing: the system decides where bots run.
        Off = "off",
        /// Each game to one core, which its bots share.
        Game = "game",
        /// Each bot of a game to one core.
        Bot = "bot",
    }
}
