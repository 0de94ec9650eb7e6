//! Whether bots may think in their opponents' time.

use super::declare::word_enum;

word_enum! {
    /// Whether bots may think in their opponents' time.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Ponder {
        /// They are not asked to.
        #[default]
        No = "false",
        /// Those that can are asked to.
        Yes = "true",
        /// They are not asked to, and their processes are stopped while their opponents decide.
        Freeze = "freeze",
    }
}
