//! Who meets whom: the formats of a tournament, without processes, files or clocks.
//!
//! A format without feedback is a list of [`pairings()`], known before the first game. One with feedback is a
//! [`FeedbackFormat`]: it decides a batch of [`Meeting`]s from the results of all batches before it. What is decided depends on
//! the configuration and on results alone, so that the same results always lead to the same games. A bot is named by its
//! place in the list of bots of the configuration.
//!
//! ```
//! use formats::{FeedbackFormat, PlayedMeeting, Swiss, round_robin};
//!
//! // Four bots, every two of which meet once.
//! assert_eq!(round_robin(4), [(0, 3), (1, 2), (1, 0), (2, 3), (0, 2), (3, 1)]);
//!
//! // A Swiss tournament of four bots and two rounds, in which the lower number always wins.
//! let mut swiss = Swiss::new(4, 2, 4);
//! while let batch @ [_, ..] = &swiss.next()[..] {
//!     let played = batch.iter().map(|meeting| {
//!         let bots = meeting.sorted();
//!         PlayedMeeting { bots, round: meeting.round, halves: [4, 0] }
//!     });
//!     let played: Vec<_> = played.collect();
//!     swiss.take(&played);
//! }
//! let points: Vec<_> = swiss.table().iter().map(|place| (place.bot, place.halves)).collect();
//! assert_eq!(points, [(0, 8), (1, 4), (2, 4), (3, 0)]);
//! ```

mod configured;
mod design;
mod format;
mod knockout;
mod ladder;
mod meeting;
mod pairings;
mod played;
mod swiss;
mod swiss_tables;
mod tables;

pub use configured::{MeetingCount, format, is_over, replay};
pub use format::FeedbackFormat;
pub use knockout::{Bout, Knockout, MOST_EXTRA};
pub use ladder::Ladder;
pub use meeting::Meeting;
pub use pairings::{pairings, round_robin};
pub use played::{PlayedMeeting, meeting_halves, played, results};
pub use swiss::{Swiss, SwissStanding};
pub use tables::{Evenness, Lineups, seats_of};
