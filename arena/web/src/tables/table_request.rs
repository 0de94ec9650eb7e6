//! What a browser wants to be played, and what that means.

use std::collections::BTreeMap;
use std::time::Duration;

use hand_play::Seating;
use rules::Setup;
use runner::{Bot, Session, Settings, Sitter};
use serde::{Deserialize, Serialize};
use settings::TimeControl;

use super::offered_bots::OfferedBots;

/// How long the name of a person may be, in characters.
const LONGEST_NAME: usize = 40;

/// What a browser wants to be played.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct TableRequest {
    game: String,
    #[serde(default)]
    options: BTreeMap<String, String>,
    seats: [RequestedSeat; 2],
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    /// The time control of both seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tc: Option<String>,
    /// What limits bots where there is no time control, and hints always.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    think: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    adviser: Option<String>,
}

/// Who is to sit somewhere.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RequestedSeat {
    /// A person of this name; empty for one without.
    Person(String),
    /// The bot with this name.
    Bot(String),
}

/// What was wanted, and can be had.
#[derive(Debug)]
pub(crate) struct CheckedRequest {
    pub setup: Setup,
    pub start: Option<String>,
    pub chairs: Seating,
    pub settings: Settings,
    /// What was wanted.
    pub request: TableRequest,
    /// The seed of everything random.
    pub seed: u64,
}

impl TableRequest {
    /// Says what it means, with this seed for everything random.
    ///
    /// # Errors
    /// With the first thing that is wrong.
    pub(crate) fn check(self, offered: &OfferedBots, seed: u64) -> Result<CheckedRequest, String> {
        let game = rules::find(&self.game).map_err(|error| error.to_string())?;
        let pairs: Vec<_> = self.options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let setup = game.setup(&pairs).map_err(|error| error.to_string())?;
        if let Some(position) = &self.position {
            setup.referee(Some(position)).map_err(|error| {
                let usual = setup.referee(None).map(|referee| referee.position()).unwrap_or_default();
                format!("not a position of `{}`: {error}; the game starts from `{usual}`", setup.label())
            })?;
        }
        let tc = self.tc.as_deref().map(|text| control("time control", text)).transpose()?;
        let think = self.think.as_deref().map(|text| control("limit of bots", text)).transpose()?;
        if think.as_ref().is_some_and(TimeControl::has_clock) {
            return Err("the limit of bots is one for each turn: `movetime 1s`, `nodes 10000` or `depth 4`"
                .to_owned());
        }
        let request = self.clone();
        let mut settings = Settings::new(seed);
        if tc.is_none() {
            // Nobody's game is lost because the machine was busy.
            settings.conditions.margin = Duration::from_secs(5);
        }
        let (mut sitters, mut bots) = (Vec::new(), Vec::new());
        for who in &self.seats {
            let (sitter, bot) = who.sit(offered, tc.as_ref(), think.as_ref())?;
            sitters.push(sitter);
            bots.push(bot);
        }
        let adviser = match (&self.adviser, bots.iter().flatten().next()) {
            (Some(name), _) => offered.find(name)?,
            // Of two bots, the first.
            (None, Some(bot)) => bot.clone(),
            (None, None) => offered.find("alphabeta")?,
        };
        let two = "there are two seats";
        let chairs = Seating {
            sitters: sitters.try_into().map_err(|_| two)?,
            bots: bots.try_into().map_err(|_| two)?,
            adviser,
            advice: think.unwrap_or_else(Session::usual_control),
        };
        Ok(CheckedRequest { setup, start: self.position, chairs, settings, request, seed })
    }

    /// Exchanges the seats.
    pub(crate) fn swap(&mut self) {
        self.seats.swap(0, 1);
    }
}

impl RequestedSeat {
    fn sit(
        &self,
        offered: &OfferedBots,
        tc: Option<&TimeControl>,
        think: Option<&TimeControl>,
    ) -> Result<(Sitter, Option<Bot>), String> {
        match self {
            Self::Person(name) => {
                let name = protocol::printable_capped(name.trim(), LONGEST_NAME);
                let name = if name.is_empty() { "human".to_owned() } else { name };
                let (version, digest) = (String::new(), String::new());
                Ok((Sitter { name, version, digest, is_person: true, tc: tc.cloned() }, None))
            }
            Self::Bot(name) => {
                let bot = offered.find(name)?;
                let sitter = Sitter {
                    name: bot.name.clone(),
                    version: bot.version.clone().unwrap_or_default(),
                    digest: bot.digest.clone(),
                    is_person: false,
                    tc: tc.or(think).cloned(),
                };
                Ok((sitter, Some(bot)))
            }
        }
    }
}

fn control(what: &str, text: &str) -> Result<TimeControl, String> {
    text.parse().map_err(|error| format!("{what} `{text}`: {error}"))
}
