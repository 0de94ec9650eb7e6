//! When a bot's process is restarted.

use super::declare::word_enum;

word_enum! {
    /// When a bot's process is restarted.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Restart {
        /// After a failure, where `isready` does not bring the bot back.
        #[default]
        Auto = "auto",
        /// For every game.
        Always = "always",
        /// Only when the process has ended.
        Never = "never",
    }
}
