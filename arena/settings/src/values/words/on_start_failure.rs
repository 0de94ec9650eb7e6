//! What a bot that cannot start means for the run.

use super::declare::word_enum;

word_enum! {
    /// What a bot that cannot start before the first game means for the run.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum OnStartFailure {
        /// Nothing is played.
        #[default]
        Stop = "stop",
        /// The others play; its games stay to be played.
        Skip = "skip",
    }
}
