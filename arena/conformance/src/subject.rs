//! How a bot is tested: the settings, the games, and the positions of each.

use std::time::Duration;

use protocol::{GameSetup, GameSpec, Identity, Pairs, Profile};
use rules::{RulesFault, Seat, Setup};

use crate::positions::{Spot, Spots, number};

/// How many variants of one `plays` item are tested.
const MOST_VARIANTS: usize = 4;

/// How the suite is run.
#[derive(Clone, Debug)]
pub struct SuiteSettings {
    /// The bot's command as one would type it: it tells the language.
    pub command: String,
    /// The arena's version, which the bot is told.
    pub version: String,
    /// The games to test; empty: those that the bot says it plays.
    pub games: Vec<Setup>,
    /// The numbers of the tests to run; empty: all.
    pub only: Vec<u8>,
    /// The seed of positions and of `seed=`.
    pub seed: u64,
    /// Whether a tenth of the positions and one game for tests of time will do.
    pub is_quick: bool,
    /// How far a limit of time may be overrun.
    pub margin: Duration,
    /// The words by which the bot is addressed.
    pub profile: Profile,
}

impl SuiteSettings {
    /// How many random positions of each game are asked about.
    const POSITIONS: usize = 100;

    /// Returns the number of random positions of each game.
    pub(crate) const fn positions(&self) -> usize {
        if self.is_quick { Self::POSITIONS / 10 } else { Self::POSITIONS }
    }
}

/// A game that the bot is tested in.
pub(crate) struct Case {
    /// The rules.
    pub(crate) setup: Setup,
    /// The game with the options that are not the defaults.
    pub(crate) label: String,
    /// The start of a game.
    start: Spot,
    /// Positions to ask about.
    pub(crate) spots: Spots,
}

impl Case {
    /// Returns a game with positions of it.
    ///
    /// # Errors
    /// When the rules of a game of one's own fail.
    pub(crate) fn new(setup: Setup, seed: u64, count: usize) -> Result<Self, RulesFault> {
        let start = Spot::start(&setup)?;
        let (label, spots) = (setup.label(), Spots::find(&start, seed, count)?);
        Ok(Self { setup, label, start, spots })
    }

    /// Returns the start of a game.
    pub(crate) fn start(&self) -> Spot {
        self.start.fork()
    }

    /// Returns the `game` line for a seat.
    pub(crate) fn game(&self, seat: Seat, seed: u64) -> GameSetup {
        let options = self.setup.options().iter().filter(|(key, _)| *key != rules::PLAYERS_OPTION);
        GameSetup {
            players: self.setup.seats() as u8,
            options: options.fold(Pairs::new(), |pairs, (key, value)| pairs.with(key, value)),
            you: Some(number(seat)),
            time_control: Some("60+0.5".to_owned()),
            opponent: Some("check".to_owned()),
            seed: Some(seed),
            id: Some("1".to_owned()),
            ..GameSetup::new(self.setup.game().id)
        }
    }

    /// Returns the word that names the game to the tools of the arena.
    pub(crate) fn words(&self) -> String {
        let options = self.setup.changed_options();
        let options: Vec<_> = options.iter().map(|(key, value)| format!("{key}={value}")).collect();
        let id = self.setup.game().id;
        if options.is_empty() { id.to_owned() } else { format!("{id}:{}", options.join(",")) }
    }
}

/// Returns the set-ups that a bot says it plays: of an item with constraints, the first few values of each, every
/// value once; of one without, the defaults.
pub(crate) fn declared(identity: &Identity) -> Vec<Setup> {
    let all = || rules::GAMES.iter().filter_map(|game| game.setup(&[]).ok()).collect();
    let Some(specs) = &identity.plays else { return all() };
    let mut setups: Vec<Setup> = Vec::new();
    for spec in specs {
        let meant = if spec.game.is_none() { all() } else { variants(spec).unwrap_or_default() };
        for setup in meant {
            if !setups.contains(&setup) {
                setups.push(setup);
            }
        }
    }
    setups
}

/// Returns the set-ups that an item of `plays` names.
///
/// # Errors
/// Says what is wrong with the item.
pub(crate) fn variants(spec: &GameSpec) -> Result<Vec<Setup>, String> {
    let Some(id) = &spec.game else { return Ok(Vec::new()) };
    let game = rules::find(id).map_err(|error| error.to_string())?;
    let given: Vec<_> = spec
        .constraints
        .iter()
        .filter(|constraint| constraint.key != "*" && constraint.values.iter().all(|value| value != "*"))
        .collect();
    let count = given.iter().map(|constraint| constraint.values.len()).max().unwrap_or(1).max(1);
    let mut setups = Vec::new();
    for index in 0..count.min(MOST_VARIANTS) {
        let value = |values: &[String]| values.get(index.min(values.len().saturating_sub(1))).cloned();
        let pairs: Vec<_> = given
            .iter()
            .map(|constraint| (constraint.key.as_str(), value(&constraint.values).unwrap_or_default()))
            .collect();
        let pairs: Vec<_> = pairs.iter().map(|(key, value)| (*key, value.as_str())).collect();
        setups.push(game.setup(&pairs).map_err(|error| format!("game `{id}`: {error}"))?);
    }
    Ok(setups)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(plays: &str) -> Vec<String> {
        let plays = Some(plays.split(' ').map(|spec| spec.parse().unwrap()).collect());
        let setups = declared(&Identity { plays, ..Identity::default() });
        setups.iter().map(Setup::label).collect()
    }

    #[test]
    fn every_value_of_a_constraint_is_tested_and_nothing_twice() {
        assert_eq!(
            labels("farook fanorona:size=9x5|5x5|3x3"),
            ["farook", "fanorona", "fanorona size=5x5", "fanorona size=3x3"]
        );
        assert_eq!(labels("fanorona:size=* fanorona:*"), ["fanorona"]);
        assert_eq!(labels("*").len(), rules::GAMES.len());
        assert_eq!(labels("faust *").len(), rules::GAMES.len());
    }

    #[test]
    fn what_names_no_game_is_told() {
        let fault = |spec: &str| variants(&spec.parse().unwrap()).unwrap_err();
        assert!(fault("farok").contains("did you mean `farook`?"));
        assert!(fault("fanorona:size=4x4").contains("cannot be `4x4`"));
        assert!(fault("fanorona:9x5").contains("unknown option `9x5`"));
    }
}
