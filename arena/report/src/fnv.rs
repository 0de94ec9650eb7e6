//! The hash FNV-1a of 128 bits, which is fixed for ever.

/// The hash of nothing.
pub(crate) const EMPTY: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;

/// Returns the hash of what `hash` is of and of these bytes after it.
pub(crate) fn with(hash: u128, bytes: impl IntoIterator<Item = u8>) -> u128 {
    let next = |hash: u128, byte: u8| {
        (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    };
    bytes.into_iter().fold(hash, next)
}
