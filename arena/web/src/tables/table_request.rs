//! What a browser wants to be played, and what that means.

use std::collections::BTreeMap;
use std::time::Duration;

use hand_play::{Seating, usual_bot};
use rules::{OptionError, PerSeat, Seat, Setup};
use runner::{InteractiveGame, PlannedBot, PlaySettings, SeatedPlayer};
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
    /// Who sits where, at least two. Who is not named is as the last one that is.
    seats: Vec<RequestedSeat>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    position: Option<String>,
    /// The time control of every seat.
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

/// Why something wanted cannot be had.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Misfit {
    /// What is wrong, for the person who chose it.
    pub words: String,
    /// Where it was chosen on the page: the id of a field, or `option` and the name of an option.
    pub field: Option<String>,
}

impl Misfit {
    fn at(field: &str, words: impl Into<String>) -> Self {
        Self { words: words.into(), field: Some(field.to_owned()) }
    }
}

impl From<String> for Misfit {
    fn from(words: String) -> Self {
        Self { words, field: None }
    }
}

/// What was wanted, and can be had.
#[derive(Debug)]
pub(crate) struct CheckedRequest {
    pub setup: Setup,
    pub start: Option<String>,
    pub chairs: Seating,
    pub settings: PlaySettings,
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
    pub(crate) fn check(mut self, offered: &OfferedBots, seed: u64) -> Result<CheckedRequest, Misfit> {
        let game = offered.catalogue().find(&self.game).map_err(|error| error.to_string())?;
        let pairs: Vec<_> = self.options.iter().map(|(key, value)| (key.as_str(), value.as_str())).collect();
        let setup = game.setup(&pairs).map_err(|error| {
            let (OptionError::Unknown { key, .. }
            | OptionError::Value { key, .. }
            | OptionError::Twice { key }) = &error;
            Misfit::at(&format!("option {key}"), error.to_string())
        })?;
        let seats = setup.seats();
        match self.seats.last().cloned() {
            Some(last) if (2..=seats).contains(&self.seats.len()) => self.seats.resize(seats, last),
            _ => return Err(format!("{} has {seats} seats, not {}", setup.label(), self.seats.len()).into()),
        }
        if let Some(position) = &self.position {
            setup.referee(Some(position)).map_err(|error| {
                let usual = setup.referee(None).map(|referee| referee.position()).unwrap_or_default();
                let label = setup.label();
                Misfit::at(
                    "position",
                    format!("not a position of `{label}`: {error}; the game starts from `{usual}`"),
                )
            })?;
        }
        let tc = self.tc.as_deref().map(|text| control("tc", "time control", text)).transpose()?;
        let think = self.think.as_deref().map(|text| control("think", "limit of bots", text)).transpose()?;
        if think.as_ref().is_some_and(TimeControl::has_clock) {
            return Err(Misfit::at(
                "think",
                "the limit of bots is one for each turn: `movetime 1s`, `nodes 10000` or `depth 4`",
            ));
        }
        let request = self.clone();
        let mut settings = PlaySettings::new(seed);
        if tc.is_none() {
            // Nobody's game is lost because the machine was busy.
            settings.conditions.margin = Duration::from_secs(5);
        }
        let (mut sitters, mut bots) = (Vec::new(), Vec::new());
        for (seat, who) in Seat::all(seats).zip(&self.seats) {
            let seated = who.sit(offered, &setup, tc.as_ref(), think.as_ref());
            let (sitter, bot) = seated.map_err(|words| Misfit::at(&seat.to_string(), words))?;
            sitters.push(sitter);
            bots.push(bot);
        }
        let adviser = match (&self.adviser, bots.iter().flatten().next()) {
            (Some(name), _) => offered.find(name, &setup).map_err(|words| Misfit::at("adviser", words))?,
            // Of several bots, the first.
            (None, Some(bot)) => bot.clone(),
            (None, None) => offered.find(usual_bot(&setup), &setup)?,
        };
        let count = || "there are 2 to 8 seats".to_owned();
        let chairs = Seating {
            sitters: PerSeat::try_from(sitters).map_err(|_| count())?,
            bots: PerSeat::try_from(bots).map_err(|_| count())?,
            adviser,
            advice: think.unwrap_or_else(InteractiveGame::usual_control),
        };
        Ok(CheckedRequest { setup, start: self.position, chairs, settings, request, seed })
    }

    /// Exchanges the seats as [`hand_play::HandGame::renew`] does: everybody sits one seat further.
    pub(crate) fn swap(&mut self) {
        self.seats.rotate_left(1);
    }
}

impl RequestedSeat {
    fn sit(
        &self,
        offered: &OfferedBots,
        setup: &Setup,
        tc: Option<&TimeControl>,
        think: Option<&TimeControl>,
    ) -> Result<(SeatedPlayer, Option<PlannedBot>), String> {
        match self {
            Self::Person(name) => {
                let name = protocol::printable_capped(name.trim(), LONGEST_NAME);
                let name = if name.is_empty() { "human".to_owned() } else { name };
                let (version, digest) = (String::new(), String::new());
                Ok((SeatedPlayer { name, version, digest, is_person: true, tc: tc.cloned() }, None))
            }
            Self::Bot(name) => {
                let bot = offered.find(name, setup)?;
                let sitter = SeatedPlayer {
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

fn control(field: &str, what: &str, text: &str) -> Result<TimeControl, Misfit> {
    text.parse().map_err(|error| Misfit::at(field, format!("{what} `{text}`: {error}")))
}

#[cfg(test)]
mod tests {
    use tournament_file::Confinement;

    use super::*;

    #[track_caller]
    fn check(request: &str, field: Option<&str>) {
        let offered = OfferedBots::read(&[], None, rules::Catalogue::default(), Confinement::default())
            .expect("no words are right");
        let request: TableRequest = serde_json::from_str(request).expect("a request");
        let misfit = request.check(&offered, 1).map(|_| ()).expect_err("it cannot be had");
        assert_eq!(misfit.field.as_deref(), field, "{}", misfit.words);
    }

    #[test]
    fn what_cannot_be_had_names_the_field_where_it_was_chosen() {
        let seats = r#""seats": [{"person": ""}, {"bot": "random"}]"#;
        let asked = |more: &str| format!(r#"{{"game": "faust", {seats}, {more}}}"#);
        check(&asked(r#""options": {"size": "99"}"#), Some("option size"));
        check(&asked(r#""options": {"colour": "red"}"#), Some("option colour"));
        check(&asked(r#""position": "nonsense""#), Some("position"));
        check(&asked(r#""tc": "soon""#), Some("tc"));
        check(&asked(r#""think": "60+1""#), Some("think"));
        check(&asked(r#""think": "long""#), Some("think"));
        check(&asked(r#""adviser": "nobody""#), Some("adviser"));
        check(r#"{"game": "faust", "seats": [{"bot": "nobody"}, {"person": ""}]}"#, Some("p1"));
        let table = r#""game": "2-frenzy", "options": {"players": "3"}"#;
        check(
            &format!(r#"{{{table}, "seats": [{{"person": ""}}, {{"person": ""}}, {{"bot": "nobody"}}]}}"#),
            Some("p3"),
        );
        check(&format!(r#"{{{table}, "seats": []}}"#), None);
        check(r#"{"game": "faust", "seats": [{"person": ""}, {"person": ""}, {"person": ""}]}"#, None);
        check(r#"{"game": "chess", "seats": [{"person": ""}, {"person": ""}]}"#, None);
    }
}
