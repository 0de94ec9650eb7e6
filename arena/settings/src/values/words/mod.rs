//! Values that are one of a few words.

mod carrier;
mod declare;
mod format;
mod on_fail;
mod on_start_failure;
mod opening_words;
mod pin;
mod ponder;
mod preset;
mod restart;

pub use carrier::Carrier;
pub use declare::WordError;
pub(super) use declare::word_enum;
pub use format::Format;
pub use on_fail::OnFail;
pub use on_start_failure::OnStartFailure;
pub use opening_words::{ArenaBook, BookOrder};
pub use pin::Pin;
pub use ponder::Ponder;
pub use preset::{ERROR_RATE, Preset};
pub use restart::Restart;
