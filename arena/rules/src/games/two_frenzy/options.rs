//! The options of 2-Frenzy.

use crate::options::CAP;
use crate::{Given, OptionError, OptionSpec, Options, Values};

/// The option for the number of seats, in every game that has one.
pub const PLAYERS_OPTION: &str = "players";

/// The options of 2-Frenzy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TwoFrenzyOptions {
    players: usize,
    max_turns: u32,
}

impl TwoFrenzyOptions {
    /// Returns how many seats the table has, 2 to 4.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// Returns the number of turns, counted over all seats, after which the game ends undecided.
    #[must_use]
    pub const fn max_turns(&self) -> u32 {
        self.max_turns
    }
}

impl Default for TwoFrenzyOptions {
    fn default() -> Self {
        Self { players: 2, max_turns: 300 }
    }
}

impl Options for TwoFrenzyOptions {
    const SPECS: &'static [OptionSpec] = &[
        OptionSpec {
            name: PLAYERS_OPTION,
            default: "2",
            values: Values::Range(2, 4),
            about: "seats at the table: three play on a ring of 9x8, four on 8x8",
        },
        OptionSpec {
            name: "max-turns",
            default: "300",
            values: CAP,
            about: "the game is a draw after this many turns of all seats, placing not counted",
        },
    ];

    fn take(given: &Given<'_>) -> Result<Self, OptionError> {
        let plain = Self::default();
        Ok(Self {
            players: given.number(PLAYERS_OPTION).map_or(plain.players, |players| players as usize),
            max_turns: given.number("max-turns").unwrap_or(plain.max_turns),
        })
    }

    fn value(&self, index: usize) -> String {
        if index == 0 { self.players.to_string() } else { self.max_turns.to_string() }
    }

    /// Omits `players=2`, so that a game for two seats is recorded as before other tables existed.
    fn to_pairs(&self) -> Vec<(&'static str, String)> {
        let pairs = Self::SPECS.iter().enumerate().map(|(index, spec)| (spec.name, self.value(index)));
        pairs.filter(|(key, _)| *key != PLAYERS_OPTION || self.players != Self::default().players).collect()
    }
}
