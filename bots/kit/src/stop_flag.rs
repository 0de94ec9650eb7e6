//! How a search is told to end.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A wish that one decision be made now. Its clones are the same wish.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Asks for the decision.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns whether the decision is asked for.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
