//! Pseudorandom numbers for the choice of plies.

/// A stream of numbers that a seed determines, the same on every platform (SplitMix64, Steele, Lea and Flood 2014). It is fast
/// and suffices for choosing plies; it is not cryptographic.
#[derive(Clone, Debug)]
pub struct Dice(u64);

impl Dice {
    /// Returns the stream of this seed.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Returns a number below `count`.
    pub const fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((mixed as u128 * count as u128) >> 64) as usize
    }
}
