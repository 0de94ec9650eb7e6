//! How the arena starts and addresses a bot, besides its command.

use protocol::{ClockWords, Family, PositionKeyword};
use serde::{Deserialize, Serialize};
use settings::{Carrier, Recorded};

/// How the arena starts and addresses a bot, besides its command. Defaults are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct StartConfig {
    /// The names of the environment variables that the user adds for the bot, in ascending order. Their values may be secrets,
    /// so only the bot's digest depends on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// The greeting that opens the handshake.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub hello: Recorded<Family>,
    /// The words that give the bot its time.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub clock: Recorded<ClockWords>,
    /// The word that announces a position.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub position_keyword: Recorded<PositionKeyword>,
    /// Whether the arena leaves out the `game` line.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quiet: bool,
    /// What carries the lines to the bot.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub io: Recorded<Carrier>,
}

fn is_usual<T: Default + PartialEq>(value: &Recorded<T>) -> bool {
    *value == T::default()
}

impl StartConfig {
    /// Returns whether every value is the default.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the values that are not defaults, as a tournament file writes them. For variables it returns only the names.
    #[must_use]
    pub fn words(&self) -> Vec<(&'static str, String)> {
        let mut words = Vec::new();
        if !self.env.is_empty() {
            words.push(("env", self.env.join(", ")));
        }
        for (key, text, is_usual) in [
            ("hello", self.hello.to_string(), is_usual(&self.hello)),
            ("clock", self.clock.to_string(), is_usual(&self.clock)),
            ("position-keyword", self.position_keyword.to_string(), is_usual(&self.position_keyword)),
            ("quiet", self.quiet.to_string(), !self.quiet),
            ("io", self.io.to_string(), is_usual(&self.io)),
        ] {
            if !is_usual {
                words.push((key, text));
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_not_usual_is_written() {
        assert_eq!(serde_json::to_string(&StartConfig::default()).unwrap(), "{}");
        let text = r#"{"env":["LEVEL"],"hello":"uci","clock":"wb","position-keyword":"sfen","quiet":true,"io":"tcp"}"#;
        let start: StartConfig = serde_json::from_str(text).unwrap();
        assert_eq!(start.position_keyword, PositionKeyword::Sfen);
        assert_eq!(serde_json::to_string(&start).unwrap(), text);
        let words: Vec<_> = start.words().into_iter().map(|(key, text)| format!("{key}={text}")).collect();
        assert_eq!(words.join(" "), "env=LEVEL hello=uci clock=wb position-keyword=sfen quiet=true io=tcp");
    }

    #[test]
    fn a_word_of_a_newer_arena_is_kept() {
        let start: StartConfig = serde_json::from_str(r#"{"io":"shared-memory"}"#).unwrap();
        assert!(!start.is_usual() && start.io.known().is_none());
        assert_eq!(serde_json::to_string(&start).unwrap(), r#"{"io":"shared-memory"}"#);
    }
}
