//! How a bot is started and addressed, besides its command.

use protocol::{ClockWords, Family, PositionKeyword};
use serde::{Deserialize, Serialize};
use settings::{Carrier, Recorded};

/// How a bot is started and addressed, besides its command; what is usual is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct StartConfig {
    /// The names of the variables that its environment has besides those of the arena, in ascending order. Their values
    /// may be secrets: only the digest of the bot depends on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// The word that greets it.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub hello: Recorded<Family>,
    /// The words by which it is told its time.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub clock: Recorded<ClockWords>,
    /// The word that announces a position to it.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub position_keyword: Recorded<PositionKeyword>,
    /// Whether it is spared the `game` line.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub quiet: bool,
    /// How lines reach it.
    #[serde(default, skip_serializing_if = "is_usual")]
    pub io: Recorded<Carrier>,
}

fn is_usual<T: Default + PartialEq>(value: &Recorded<T>) -> bool {
    *value == T::default()
}

impl StartConfig {
    /// Returns whether everything is as usual.
    #[must_use]
    pub fn is_usual(&self) -> bool {
        *self == Self::default()
    }

    /// Returns what is not usual, as a tournament file says it; of a variable only its name is known.
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
