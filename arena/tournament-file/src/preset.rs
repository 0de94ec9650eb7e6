//! What tests of strength are made for: hypotheses by the name of their purpose.

use clap::ValueEnum;

/// How often either error may happen if nothing else is said.
pub const ERROR_RATE: f64 = 0.05;

/// What a test is for. The hypotheses are differences in normalized Elo; either error happens in at most 5 % of tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Preset {
    /// Is it stronger? H0 0, H1 10, at most 16000 pairs
    Gain,
    /// Is it no weaker? H0 -10, H1 0, at most 16000 pairs
    NoRegression,
    /// Is it not much weaker? H0 -100, H1 0, at most 200 pairs
    Smoke,
}

impl Preset {
    /// Returns the preset with this name.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|preset| preset.name() == name)
    }

    /// All presets.
    pub const ALL: [Self; 3] = [Self::Gain, Self::NoRegression, Self::Smoke];

    /// Returns its name, in a file and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gain => "gain",
            Self::NoRegression => "no-regression",
            Self::Smoke => "smoke",
        }
    }

    /// Returns the differences under H0 and H1, in normalized Elo.
    pub const fn elo(self) -> [f64; 2] {
        match self {
            Self::Gain => [0.0, 10.0],
            Self::NoRegression => [-10.0, 0.0],
            Self::Smoke => [-100.0, 0.0],
        }
    }

    /// Returns how many pairs are played at most: about three times what a test takes on average where it is hardest.
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
        for preset in Preset::ALL {
            let [elo0, elo1] = preset.elo();
            let hypotheses = Hypotheses::new(elo0, elo1, ERROR_RATE, ERROR_RATE, Model::Normalized).unwrap();
            let [_, hardest, _] = Length::profile(&hypotheses, 0.3);
            let share = f64::from(preset.max_pairs()) / hardest.pairs;
            assert!((2.5..4.5).contains(&share), "{preset:?}: {share}");
            assert_eq!(Preset::find(preset.name()), Some(preset));
            assert_eq!(Preset::from_str(preset.name(), false), Ok(preset));
        }
    }
}
