//! What tests of strength are made for: hypotheses by the name of their purpose.

use super::declare::word_enum;

/// How often either error may happen if nothing else is said.
pub const ERROR_RATE: f64 = 0.05;

word_enum! {
    /// What a test is for. The hypotheses are differences in normalized Elo; either error happens in at most 5 % of
    /// tests.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Preset {
        /// Is it stronger?
        Gain = "gain",
        /// Is it no weaker?
        NoRegression = "no-regression",
        /// Is it not much weaker?
        Smoke = "smoke",
    }
}

impl Preset {
    /// Says in a few words what it asks, and within which bounds.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Self::Gain => "Is it stronger? H0 0, H1 10, at most 16000 pairs",
            Self::NoRegression => "Is it no weaker? H0 -10, H1 0, at most 16000 pairs",
            Self::Smoke => "Is it not much weaker? H0 -100, H1 0, at most 200 pairs",
        }
    }

    /// Returns the differences under H0 and H1, in normalized Elo.
    #[must_use]
    pub const fn elo(self) -> [f64; 2] {
        match self {
            Self::Gain => [0.0, 10.0],
            Self::NoRegression => [-10.0, 0.0],
            Self::Smoke => [-100.0, 0.0],
        }
    }

    /// Returns how many pairs are played at most: about three times what a test takes on average where it is hardest.
    #[must_use]
    pub const fn max_pairs(self) -> u32 {
        match self {
            Self::Gain | Self::NoRegression => 16_000,
            Self::Smoke => 200,
        }
    }
}

#[cfg(test)]
mod tests {
    use stats::sprt::{Hypotheses, Length, Model};

    use super::*;

    #[test]
    fn a_preset_has_pairs_enough_for_its_hypotheses() {
        for &preset in Preset::ALL {
            let [elo0, elo1] = preset.elo();
            let hypotheses = Hypotheses::new(elo0, elo1, ERROR_RATE, ERROR_RATE, Model::Normalized).unwrap();
            let [_, hardest, _] = Length::profile(&hypotheses, 0.3);
            let share = f64::from(preset.max_pairs()) / hardest.pairs;
            assert!((2.5..4.5).contains(&share), "{preset:?}: {share}");
            assert_eq!(preset.as_str().parse(), Ok(preset));
            let [elo0, elo1] = preset.elo();
            let bounds = format!("H0 {elo0}, H1 {elo1}, at most {} pairs", preset.max_pairs());
            assert!(preset.about().ends_with(&bounds), "{}", preset.about());
        }
    }
}
