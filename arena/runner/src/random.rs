//! All randomness, from the one seed of a run.
//!
//! A stream belongs to a purpose, never to the number of a game, so neither the order of games nor the number of games at once
//! changes anything. The numbers are the same on every platform and with every version of the library, because only the raw
//! output of ChaCha8 is used.

use rand::SeedableRng;
use rand::rand_core::Rng;
use rand::rngs::ChaCha8Rng;
use rules::Fnv64;

/// A portable stream of random numbers.
#[derive(Debug)]
pub(crate) struct RandomStream(ChaCha8Rng);

impl RandomStream {
    /// Returns the stream of a run for a purpose, given as words.
    pub(crate) fn new(seed: u64, purpose: &[&str]) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        let mut rng = ChaCha8Rng::from_seed(key);
        rng.set_stream(hash(purpose));
        Self(rng)
    }

    /// Returns a number below `bound`, which is at least 1.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        // The multiplication prefers no number by more than one part in 2^64 / bound.
        let product = u128::from(self.0.next_u64()) * bound as u128;
        usize::try_from(product >> 64).expect("below a bound that is a usize")
    }
}

/// Returns the seed for one bot in one game: from 1 to 2^31 - 1, safe in every language.
pub(crate) fn bot_seed(seed: u64, label: &str, names: &[&str], game: (u32, u8), seat: rules::Seat) -> u64 {
    let (round, leg, seat) = (game.0.to_string(), game.1.to_string(), seat.to_string());
    let mut words = vec!["bot", label];
    words.extend(names);
    words.extend([round.as_str(), &leg, &seat]);
    let mut stream = RandomStream::new(seed, &words);
    stream.below(0x7fff_ffff) as u64 + 1
}

/// Returns a hash of the words, including their lengths, which never changes.
pub(crate) fn hash(words: &[&str]) -> u64 {
    let mut hash = Fnv64::default();
    for word in words {
        hash.feed((word.len() as u64).to_le_bytes());
        hash.feed(word.bytes());
    }
    hash.value()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rules::Seat;

    use super::*;

    #[test]
    fn the_numbers_are_the_same_for_ever() {
        let mut stream = RandomStream::new(7, &["opening", "farook"]);
        let numbers: Vec<_> = (0..6).map(|_| stream.below(100)).collect();
        assert_eq!(numbers, [0, 40, 35, 88, 57, 50]);
        assert_eq!(bot_seed(7, "farook", &["a", "b"], (1, 1), Seat::P1), 1_686_374_312);
    }

    #[test]
    fn every_bot_of_every_game_has_a_seed_of_its_own() {
        let one = bot_seed(7, "farook", &["a", "b"], (1, 1), Seat::P1);
        let others = [
            bot_seed(8, "farook", &["a", "b"], (1, 1), Seat::P1),
            bot_seed(7, "faust", &["a", "b"], (1, 1), Seat::P1),
            bot_seed(7, "farook", &["ab", ""], (1, 1), Seat::P1),
            bot_seed(7, "farook", &["a", "b"], (2, 1), Seat::P1),
            bot_seed(7, "farook", &["a", "b"], (1, 2), Seat::P1),
            bot_seed(7, "farook", &["a", "b"], (1, 1), Seat::P2),
        ];
        assert!(others.iter().all(|other| *other != one));
    }

    proptest! {
        #[test]
        fn numbers_stay_below_their_bound(seed: u64, bound in 1..1000_usize) {
            prop_assert!(RandomStream::new(seed, &[]).below(bound) < bound);
            prop_assert!((1..=0x7fff_ffff).contains(&bot_seed(seed, "x", &["a", "b"], (1, 1), Seat::P1)));
        }
    }
}
