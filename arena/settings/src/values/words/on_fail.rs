//! What becomes of a decision that a bot fails to make.

use super::declare::word_enum;

word_enum! {
    /// What becomes of a decision that a bot fails to make: by its clock, an illegal ply or an answer that is none.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum OnFail {
        /// The game is lost.
        #[default]
        Lose = "lose",
        /// The arena plays a legal ply by chance in the bot's place, as long as its process lives: for teaching. The
        /// ply is marked in every record.
        Random = "random",
    }
}
