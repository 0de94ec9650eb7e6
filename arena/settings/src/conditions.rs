//! How games are played: what is recorded among the settings of a run.

use std::num::NonZeroU32;
use std::time::Duration;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::reading::{duration, number, number_or_none, or_none, truth};
use crate::setting::{self, Settings as _, settings};
use crate::{
    Change, Complaint, Flag, Illegal, Key, KeyValues, OnFail, Pin, Ponder, Record, Restart, Synonyms, Unread,
    format_duration,
};

/// The most faults that may be allowed.
const MOST_FAULTS: u32 = 1_000_000;
/// The most times that a game can be played again.
const MOST_REPLAYS: u32 = 100;
/// The most characters that a journal may keep of what a bot says about a ply.
const MOST_INFO_STRING: u32 = 1000;

settings! {
    /// The conditions under which games are played.
    ///
    /// Each field is a key at the top of a tournament file; what the file does not say is [`Conditions::default`].
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Conditions {
        /// How far a clock may be overrun without losing the game.
        pub margin: Duration = Duration::from_millis(50) => {
            key: Key {
                details: "`arena doctor` measures what this machine needs.",
                flag: Some(Flag::of("--margin", "DURATION")),
                change: Change::Announced,
                values: KeyValues::Duration(&[]), synonyms: &[Synonyms { line: "margin: 50ms", names: &["time-margin", "move-overhead", "overhead", "grace"] }], ..Key::new("margin", "50ms", "")
            },
            read: |text| duration(text, Duration::ZERO..=Duration::from_secs(60), "50ms"),
            write: |time| format_duration(*time),
            record: Record::Millis("margin_ms"),
        },
        /// How long a decision may take where no clock limits it.
        pub think_limit: Duration = Duration::from_secs(60) => {
            key: Key {
                flag: Some(Flag::of("--think-limit", "DURATION")),
                change: Change::Announced,
                values: KeyValues::Duration(&[]), synonyms: &[Synonyms { line: "think-limit: 60s", names: &["timeout", "max-time"] }], ..Key::new("think-limit", "60s", "")
            },
            read: |text| duration(text, Duration::from_millis(1)..=Duration::from_secs(24 * 60 * 60), "60s"),
            write: |time| format_duration(*time),
            record: Record::Millis("think_limit_ms"),
        },
        /// What an illegal ply costs: the game (`forfeit`), or only time, up to N times in one decision (`retry:N`).
        pub illegal: Illegal = Illegal::Forfeit => {
            key: Key {
                flag: Some(Flag::of("--illegal", "RULE")),
                change: Change::Announced,
                values: KeyValues::Pattern("forfeit|retry:[0-9]+"), ..Key::new("illegal", "forfeit", "")
            },
            read: |text| text.parse().map_err(Complaint::from),
            write: ToString::to_string,
            record: Record::Text("illegal"),
        },
        /// When a bot's process is restarted: after a failure (`auto`), for every game (`always`) or only when it has ended
        /// or refused a game (`never`).
        pub restart: Restart = Restart::Auto => {
            key: Key {
                flag: Some(Flag::of("--restart", "WHEN")),
                change: Change::Announced,
                values: KeyValues::Words(Restart::WORDS), ..Key::new("restart", "auto", "")
            },
            read: |text| text.parse().map_err(Complaint::from),
            write: ToString::to_string,
            record: Record::Text("restart"),
        },
        /// Whether every bot plays the same game from the same seed, whatever limits it: `arena verify` compares such
        /// games.
        pub reproducible: bool = false => {
            key: Key {
                flag: Some(Flag {
                    about: Some("Say that every bot plays the same game from the same seed."),
                    ..Flag::truth("--reproducible")
                }),
                change: Change::Announced,
                values: KeyValues::Truth, synonyms: &[Synonyms { line: "reproducible: true", names: &["deterministic"] }], ..Key::new("reproducible", "true", "")
            },
            read: truth,
            write: ToString::to_string,
            record: Record::Truths(&[("true", "reproducible")]),
        },
        /// Whether bots that declare `can ponder stop` may think in their opponents' time (`true`); `freeze` stops every
        /// process of a bot meanwhile.
        pub ponder: Ponder = Ponder::No => {
            key: Key {
                flag: Some(Flag {
                    about: Some("Let bots that can think in their opponents' time."),
                    ..Flag::truth("--ponder")
                }),
                change: Change::Announced,
                values: KeyValues::Words(Ponder::WORDS), synonyms: &[Synonyms { line: "ponder: true", names: &["pondering", "permanent-brain"] }], ..Key::new("ponder", "true", "")
            },
            read: |text| text.parse().map_err(|_| Complaint::not(text, "it can be `true`, `false` or `freeze`")),
            write: ToString::to_string,
            record: Record::Truths(&[("true", "ponder"), ("freeze", "freeze")]),
        },
        /// What happens when a bot fails to make a decision (late, illegal, no ply): it loses (`lose`), or the arena
        /// plays a random legal ply (`random`), for teaching.
        pub on_fail: OnFail = OnFail::Lose => {
            key: Key {
                flag: Some(Flag {
                    about: Some("What happens when a bot fails to make a decision: `lose` or `random`."),
                    ..Flag::of("--on-fail", "WHAT")
                }),
                change: Change::Announced,
                values: KeyValues::Words(OnFail::WORDS), ..Key::new("on-fail", "lose", "")
            },
            read: |text| text.parse().map_err(Complaint::from),
            write: ToString::to_string,
            record: Record::TextIfUnusual("on_fail"),
        },
        /// The number of faults after which a bot is withdrawn, or `none`.
        pub max_faults: Option<NonZeroU32> = None => {
            key: Key {
                details: "[More](running.md#bots-that-fail).",
                missing: "20; `none` where two bots play",
                flag: Some(Flag::number("--max-faults")),
                change: Change::Announced,
                values: KeyValues::Whole(1, &["none"]), synonyms: &[Synonyms { line: "max-faults: 20", names: &["max-errors", "max-crashes", "strikes"] }], ..Key::new("max-faults", "20", "")
            },
            read: |text| number_or_none(text, MOST_FAULTS, "20"),
            write: |faults| or_none(*faults),
            record: Record::NumberIfUnusual("max_faults"),
        },
        /// How often a game is replayed that a bot lost on time while the machine kept it waiting for a processor: a number
        /// or `none`.
        pub replay_noisy: Option<NonZeroU32> = None => {
            key: Key {
                details: "[Which games](time-controls.md#who-was-late).",
                flag: Some(Flag::number("--replay-noisy")),
                change: Change::Announced,
                values: KeyValues::Whole(1, &["none"]), ..Key::new("replay-noisy", "2", "")
            },
            read: |text| number_or_none(text, MOST_REPLAYS, "2"),
            write: |times| or_none(*times),
            record: Record::NumberIfUnusual("replay_noisy"),
        },
        /// What gets processor cores of its own: each `game`, each `bot` of a game, nothing (`off`), or only games whose bots answer at
        /// once (`auto`).
        pub pin: Pin = Pin::Auto => {
            key: Key {
                details: "No two games share a core. [More](running.md#dedicated-cores).",
                flag: Some(Flag::of("--pin", "WHAT")),
                values: KeyValues::Words(Pin::WORDS), synonyms: &[Synonyms { line: "pin: game", names: &["affinity", "cores", "cpus"] }], ..Key::new("pin", "game", "")
            },
            read: |text| text.parse().map_err(Complaint::from),
            write: ToString::to_string,
            record: Record::TextIfUnusual("pin"),
        },
        /// The least time between two starts of bots' processes, so that they do not all start at once: a duration or `none`.
        pub stagger: Option<Duration> = None => {
            key: Key {
                flag: Some(Flag::of("--stagger", "DURATION")),
                values: KeyValues::Duration(&["none"]), ..Key::new("stagger", "200ms", "")
            },
            read: |text| match text {
                "none" => Ok(None),
                _ => duration(text, Duration::from_millis(1)..=Duration::from_secs(60), "200ms").map(Some),
            },
            write: |time| time.map_or_else(|| "none".to_owned(), format_duration),
            record: Record::TextIfUnusual("stagger"),
        },
        /// How many characters the journal keeps of a bot's last `info string` before each answer; 0 keeps none.
        pub info_string: u32 = 200 => {
            key: Key {
                details: "The report, the replay and the game log show them beside the ply.",
                flag: Some(Flag::number("--info-string")),
                values: KeyValues::Whole(0, &[]), ..Key::new("info-string", "80", "")
            },
            read: |text| number(text, 0..=MOST_INFO_STRING, "80"),
            write: ToString::to_string,
            record: Record::NumberIfUnusual("info_string"),
        },
        ;
        /// What a journal says of them that this version cannot read: the fields have their usual values instead.
        pub unread: Vec<Unread>,
    }
}

impl Conditions {
    /// Returns the value of a key as a text, also where this version cannot read what the journal has; nothing where
    /// there is no such key.
    #[must_use]
    pub fn text(&self, key: &str) -> String {
        match self.unread.iter().find(|unread| unread.key == key) {
            Some(unread) => unread.text.clone(),
            None => Self::find(key).map_or_else(String::new, |setting| (setting.write)(self)),
        }
    }
}

impl Serialize for Conditions {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        setting::record(self, &self.unread, serializer)
    }
}

impl<'de> Deserialize<'de> for Conditions {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (conditions, unread) = setting::recall::<Self, D>(deserializer)?;
        Ok(Self { unread, ..conditions })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USUAL: &str = r#"{"margin_ms":50,"think_limit_ms":60000,"illegal":"forfeit","restart":"auto"}"#;

    #[test]
    fn usual_conditions_leave_what_they_always_left() {
        assert_eq!(serde_json::to_string(&Conditions::default()).unwrap(), USUAL);
        assert_eq!(serde_json::from_str::<Conditions>(USUAL).unwrap(), Conditions::default());
    }

    #[test]
    fn what_is_recorded_comes_back() {
        let text = r#"{"margin_ms":80,"think_limit_ms":1500,"illegal":"retry:2","restart":"never","reproducible":true,"freeze":true,"on_fail":"random","max_faults":3,"replay_noisy":2,"pin":"bot"}"#;
        let conditions: Conditions = serde_json::from_str(text).unwrap();
        assert_eq!(conditions.illegal, Illegal::Retry(NonZeroU32::new(2).unwrap()));
        assert_eq!((conditions.ponder, conditions.reproducible), (Ponder::Freeze, true));
        assert_eq!((conditions.pin, conditions.max_faults), (Pin::Bot, NonZeroU32::new(3)));
        assert_eq!(serde_json::to_string(&conditions).unwrap(), text);
    }

    #[test]
    fn what_a_newer_arena_recorded_is_kept_and_known_as_unread() {
        let text = USUAL.replace("forfeit", "warn:3").replace('}', r#","on_fail":"pass"}"#);
        let newer = text.replace('}', r#","mood":["calm"]}"#);
        let conditions: Conditions = serde_json::from_str(&newer).unwrap();
        let unread = |key, text: &str| Unread { key, text: text.to_owned() };
        assert_eq!(conditions.unread, [unread("illegal", "warn:3"), unread("on-fail", "pass")]);
        assert_eq!(serde_json::to_string(&conditions).unwrap(), text);
    }

    #[test]
    fn a_record_without_what_every_journal_has_is_refused() {
        for (from, to) in [("\"margin_ms\":50,", ""), ("\"forfeit\"", "7"), ("50", "\"50\"")] {
            assert!(serde_json::from_str::<Conditions>(&USUAL.replace(from, to)).is_err(), "{from}");
        }
    }

    #[test]
    fn every_value_is_read_as_it_is_written() {
        for setting in Conditions::ALL {
            for text in [setting.key.example.to_owned(), (setting.write)(&Conditions::default())] {
                let mut conditions = Conditions::default();
                (setting.read)(&mut conditions, &text).expect(&text);
                assert_eq!((setting.write)(&conditions), text, "{}", setting.key.name);
            }
        }
    }
}
