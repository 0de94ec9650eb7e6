//! `game`: the next game and its conditions.

use std::fmt;
use std::time::Duration;

use crate::lexical::token;
use crate::lexical::words::Words;
use crate::{LineError, Pair, Pairs, SeatNumber};

/// `game`: the line before every new game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameSetup {
    /// The id of the game.
    pub game: String,
    /// The options of the game: every pair that is not a standard one, as written. If a key appears twice, the first counts.
    /// Keys that start with `x-` are not options.
    pub options: Pairs,
    /// The number of seats.
    pub players: u8,
    /// The seat of the bot that reads this.
    pub you: Option<SeatNumber>,
    /// The time control, as PGN writes it.
    pub time_control: Option<String>,
    /// The time for each turn.
    pub move_time: Option<Duration>,
    /// The name of the opponent.
    pub opponent: Option<String>,
    /// A seed for bots that play reproducibly.
    pub seed: Option<u64>,
    /// The id of this game in the run.
    pub id: Option<String>,
}

impl GameSetup {
    /// Returns the set-up of a game for two players, with everything else absent.
    #[must_use]
    pub fn new(game: &str) -> Self {
        Self {
            game: game.to_owned(),
            options: Pairs::new(),
            players: 2,
            you: None,
            time_control: None,
            move_time: None,
            opponent: None,
            seed: None,
            id: None,
        }
    }

    pub(super) fn parse(mut words: Words<'_>) -> Result<Self, LineError> {
        let game = words.next().ok_or(LineError::Missing { message: "game", what: "a game" })?;
        if !token::is_game_id(game) {
            return Err(LineError::invalid("game", "the game", game));
        }
        let mut setup = Self::new(game);
        let mut players = None;
        for pair in &Pairs::from_words(words) {
            let value = pair.value();
            let invalid = |what| LineError::invalid("game", what, value);
            // SPEC 5.6: if a key appears twice, the first counts.
            match pair.key() {
                "players" => {
                    let count = token::count(value).ok_or_else(|| invalid("`players`"))?;
                    players = players.or(Some(count.get()));
                }
                "you" => {
                    let you = value.parse().map_err(|_| invalid("`you`"))?;
                    setup.you = setup.you.or(Some(you));
                }
                "tc" => set_first(&mut setup.time_control, value),
                "movetime" => {
                    let time = token::milliseconds(value).ok_or_else(|| invalid("`movetime`"))?;
                    setup.move_time = setup.move_time.or(Some(time));
                }
                "opponent" => set_first(&mut setup.opponent, value),
                // A seed that does not fit into 64 bits is not ours, and a bot can do without it.
                "seed" => setup.seed = setup.seed.or(value.parse().ok()),
                "id" => set_first(&mut setup.id, value),
                _ => setup.options.push(pair.clone()),
            }
        }
        setup.players = players.unwrap_or(setup.players);
        Ok(setup)
    }

    fn standard_pairs(&self) -> Pairs {
        let mut pairs = Pairs::new().with("players", self.players);
        let values = [
            ("you", self.you.map(|you| you.to_string())),
            ("tc", self.time_control.clone()),
            ("movetime", self.move_time.map(|time| token::to_milliseconds(time).to_string())),
            ("opponent", self.opponent.clone()),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("id", self.id.clone()),
        ];
        for (key, value) in values {
            if let Some(value) = value {
                pairs.push(Pair::new(key, value));
            }
        }
        pairs
    }
}

fn set_first(place: &mut Option<String>, value: &str) {
    place.get_or_insert_with(|| value.to_owned());
}

impl fmt::Display for GameSetup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}{}{}", self.game, self.options, self.standard_pairs())
    }
}
