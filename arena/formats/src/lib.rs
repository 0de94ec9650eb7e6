//! Who meets whom: the formats of a tournament, without processes, files or clocks.
//!
//! A format without feedback is a list of [`pairings()`], known before the first game. One with feedback is a
//! [`FeedbackFormat`]: it decides a batch of [`Meeting`]s from the results of all batches before it. What is decided depends on
//! the configuration and on results alone, so that the same results always lead to the same games. A bot is named by its
//! place in the list of bots of the configuration.

mod configured;
mod format;
mod knockout;
mod ladder;
mod meeting;
mod pairings;
mod played;
mod swiss;

pub use configured::{Limits, format, is_over, replay};
pub use format::FeedbackFormat;
pub use knockout::{Bout, Knockout, MOST_EXTRA};
pub use ladder::Ladder;
pub use meeting::Meeting;
pub use pairings::{pairings, round_robin};
pub use played::{Played, meeting_halves, played, results};
pub use swiss::{Place, Swiss};
