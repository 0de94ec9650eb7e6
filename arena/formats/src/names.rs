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

/// Who loses a match is out.
pub const KNOCKOUT: &str = "knockout";
/// Who loses two matches is out.
pub const DOUBLE_KNOCKOUT: &str = "double-knockout";
/// Neighbours by rating meet, without end.
pub const LADDER: &str = "ladder";

/// All of them.
pub const FORMATS: &[&str] = &[ROUND_ROBIN, GAUNTLET, LIST, SWISS, KNOCKOUT, DOUBLE_KNOCKOUT, LADDER, SPRT];

/// Returns whether results decide who meets next in a format.
#[must_use]
pub fn has_feedback(format: &str) -> bool {
    matches!(format, SWISS | KNOCKOUT | DOUBLE_KNOCKOUT | LADDER)
}

/// Returns whether the bots of a format with feedback may change while it goes on.
#[must_use]
pub fn is_open(format: &str) -> bool {
    format == LADDER
}

/// Returns whether a format with feedback ends sooner or later by its number of rounds alone.
#[must_use]
pub fn ends_by_rounds(format: &str) -> bool {
    matches!(format, SWISS | LADDER)
}
