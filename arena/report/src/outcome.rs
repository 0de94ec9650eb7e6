//! What a run answers: the sentence that every report begins with, and when it was played.

mod played_time;
mod sentence;

pub use played_time::PlayedTime;
pub use sentence::outcome;
