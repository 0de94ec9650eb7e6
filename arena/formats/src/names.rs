//! The words that name formats in a tournament file and a journal.

/// Every two bots meet.
pub const ROUND_ROBIN: &str = "round-robin";
/// Two bots meet until a sequential test has a verdict.
pub const SPRT: &str = "sprt";
/// Some bots, the seeds, meet all others.
pub const GAUNTLET: &str = "gauntlet";
/// The matches of a list.
pub const LIST: &str = "list";
/// Bots with like scores meet, round by round.
pub const SWISS: &str = "swiss";

/// All of them.
pub const FORMATS: &[&str] = &[ROUND_ROBIN, SPRT, GAUNTLET, LIST, SWISS];

/// Returns whether results decide who meets next in a format.
#[must_use]
pub fn has_feedback(format: &str) -> bool {
    matches!(format, SWISS)
}
