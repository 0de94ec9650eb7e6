//! The result of a run: the sentence that begins every report, and the time of play.

mod played_time;
mod sentence;

pub use played_time::PlayedTime;
pub use sentence::outcome;
