//! How lines reach a bot.

use super::declare::word_enum;

word_enum! {
    /// How lines reach a bot.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
    pub enum Carrier {
        /// By its standard input and output.
        #[default]
        Pipe = "pipe",
        /// By a connection that it opens to the port of this machine that `ABP_PORT` names; what it writes to its
        /// standard output counts as log.
        Tcp = "tcp",
    }
}
