//! A hash of texts and bytes that identifies versions of the rules.

use crate::Fnv64;

/// FNV-1a of 64 bits over texts, each with an end mark.
#[derive(Default)]
pub(super) struct Digest(Fnv64);

impl Digest {
    /// Adds a text and an end mark.
    pub(super) fn feed(&mut self, text: &str) {
        self.feed_bytes(text.bytes().chain([0]));
    }

    /// Adds bytes.
    pub(super) fn feed_bytes(&mut self, bytes: impl IntoIterator<Item = u8>) {
        self.0.feed(bytes);
    }

    /// Returns the hash of everything added.
    pub(super) const fn value(&self) -> u64 {
        self.0.value()
    }
}
