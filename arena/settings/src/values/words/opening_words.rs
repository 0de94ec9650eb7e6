//! Which openings of a list are played, in words.

use super::declare::word_enum;

word_enum! {
    /// The order of the openings of a file or book.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum BookOrder {
        /// As they stand.
        #[default]
        InOrder = "in-order",
        /// By the seed of the run.
        Shuffled = "shuffled",
    }
}

word_enum! {
    /// A book of openings that the arena brings along.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum ArenaBook {
        /// Balanced openings.
        Standard = "standard",
    }
}
