//! A hash that is fixed for ever, unlike those of the standard library.

/// FNV-1a of 64 bits.
pub(super) struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digest {
    /// Feeds a text and its end.
    pub(super) fn feed(&mut self, text: &str) {
        self.feed_bytes(text.bytes().chain([0]));
    }

    /// Feeds bytes.
    pub(super) fn feed_bytes(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Returns the hash of what was fed.
    pub(super) const fn value(&self) -> u64 {
        self.0
    }
}
