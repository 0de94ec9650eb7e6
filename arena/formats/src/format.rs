//! Formats that decide by results.

use std::fmt::Debug;

use record::{PackedGames, RunConfig};

use crate::{Meeting, PlayedMeeting};

/// A format whose meetings are decided during a run.
///
/// The same calls always give the same answers.
pub trait FeedbackFormat: Debug {
    /// Returns the meetings of the next batch; none when everything was played.
    fn next(&self) -> Vec<Meeting>;

    /// Takes the results of a batch, in the order in which [`FeedbackFormat::next`] gave it.
    fn take(&mut self, batch: &[PlayedMeeting]);

    /// Takes up the games that were played before this configuration, in a format whose bots may change.
    fn resume(&mut self, config: &RunConfig, games: &PackedGames) {
        let _ = (config, games);
    }

    /// Returns how many meetings are still to be played at most, those of the next batch included.
    fn most_left(&self) -> u64;

    /// Says in a few words how far it is: `round 3 of 5`.
    fn stage(&self) -> String;
}
