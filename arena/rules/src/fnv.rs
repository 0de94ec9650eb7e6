//! FNV-1a: hashes that never change and are the same on every platform, unlike those of the standard library.
//!
//! Records, seeds and signatures contain them. They detect accidents, not deliberate collisions.

/// FNV-1a of 64 bits, fed with bytes.
///
/// ```
/// let mut hash = rules::Fnv64::default();
/// hash.feed("a".bytes());
/// assert_eq!(hash.value(), 0xaf63_dc4c_8601_ec8c);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv64(u64);

impl Default for Fnv64 {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fnv64 {
    /// Adds bytes.
    #[inline]
    pub fn feed(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// Returns the hash of all bytes so far.
    #[must_use]
    pub const fn value(self) -> u64 {
        self.0
    }
}

/// FNV-1a of 128 bits, fed with bytes.
///
/// ```
/// let mut hash = rules::Fnv128::default();
/// hash.feed("a".bytes());
/// assert_eq!(hash.value(), 0xd228_cb69_6f1a_8caf_7891_2b70_4e4a_8964);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fnv128(u128);

impl Default for Fnv128 {
    fn default() -> Self {
        Self(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d)
    }
}

impl Fnv128 {
    /// Adds bytes.
    #[inline]
    pub fn feed(&mut self, bytes: impl IntoIterator<Item = u8>) {
        for byte in bytes {
            self.0 = (self.0 ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
        }
    }

    /// Returns the hash of all bytes so far.
    #[must_use]
    pub const fn value(self) -> u128 {
        self.0
    }
}
