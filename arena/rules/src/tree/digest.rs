//! A hash of texts and bytes that tells versions of the rules apart.

use crate::Fnv64;

/// FNV-1a of 64 bits over texts, each with its end.
#[derive(Default)]
pub(super) struct Digest(Fnv64);

impl Digest {
    /// Feeds a text and its end.
    pub(super) fn feed(&mut self, text: &str) {
        self.feed_bytes(text.bytes().chain([0]));
    }

    /// Feeds bytes.
    pub(super) fn feed_bytes(&mut self, bytes: impl IntoIterator<Item = u8>) {
        self.0.feed(bytes);
    }

    /// Returns the hash of what was fed.
    pub(super) const fn value(&self) -> u64 {
        self.0.value()
    }
}
