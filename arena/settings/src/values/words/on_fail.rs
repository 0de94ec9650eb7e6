//! What happens when a bot fails to make a decision.

use super::declare::word_enum;

word_enum! {
    /// What happens when a bot fails to make a decision: by its clock, an illegal ply or an answer that is none.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum OnFail {
        /// The game is lost.
        #[default]
        Lose = "lose",
        /// The arena plays a random legal ply for the bot, as long as its process lives: for teaching. The
        /// ply is marked in every record.
        Random = "random",
    }
}
