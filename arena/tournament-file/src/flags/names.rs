//! Flags without a key of their own that messages name.

/// The flag that says how many pairs a test plays at most.
pub const MAX_PAIRS: &str = "--max-pairs";
