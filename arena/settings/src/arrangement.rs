//! What is played, and where: keys with a single value that stand elsewhere in a record than among the conditions.

use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;

use crate::keys::TC_SYNONYMS;
use crate::reading::{label, number, truth};
use crate::setting::settings;
use crate::{
    Change, Complaint, Flag, Format, Key, KeyValues, OnStartFailure, Reading, Record, Schedule, Synonyms,
    TimeControl,
};

/// The most games at once.
pub const MOST_GAMES_AT_ONCE: usize = 1024;

/// The most rounds of a tournament.
pub const MOST_ROUNDS: u32 = 100_000;

settings! {
    /// How a tournament is arranged: what is played, and where.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Arrangement {
        /// The name of the tournament.
        pub name: Option<String> = None => {
            key: Key {
                missing: "the name of the file",
                flag: Some(Flag::of("--name", "NAME")),
                change: Change::Announced,
                synonyms: &[Synonyms { line: "name: spring cup", names: &["title", "event"] }], ..Key::new("name", "spring cup", "")
            },
            read: |text| label(text, "spring cup").map(Some),
            write: |name| name.clone().unwrap_or_default(),
            record: Record::Elsewhere,
        },
        /// How opponents meet: `round-robin`, `gauntlet`, `list`, `swiss`, `knockout`, `double-knockout`, `ladder`, or
        /// `sprt`: two bots, the new one and the base, until a test of strength has a verdict.
        pub format: Format = Format::RoundRobin => {
            key: Key {
                details: "[What they do](formats.md).",
                flag: Some(Flag {
                    about: Some(
                        "How opponents meet: `round-robin`, `gauntlet`, `list`, `swiss`, `knockout`, `double-knockout`, \
                         `ladder`, `sprt`.",
                    ),
                    ..Flag::of("--format", "FORMAT")
                }),
                change: Change::Never,
                values: KeyValues::Words(Format::WORDS), synonyms: &[Synonyms { line: "format: gauntlet", names: &["type", "mode", "tournament", "system"] }], ..Key::new("format", "round-robin", "")
            },
            read: format,
            write: ToString::to_string,
            record: Record::Elsewhere,
        },
        /// Whether the seeds of a gauntlet meet each other too.
        pub seeds_meet: bool = false => {
            key: Key {
                missing: "`false`",
                flag: Some(Flag {
                    about: Some("Let the seeds of a gauntlet meet each other too."),
                    ..Flag::truth("--seeds-meet")
                }),
                change: Change::Announced,
                values: KeyValues::Truth, ..Key::new("seeds-meet", "true", "")
            },
            read: truth,
            write: ToString::to_string,
            record: Record::Elsewhere,
        },
        /// How meetings are chosen: all of them (`round-robin`), or by the results until the order (`rank`) or the best bot
        /// (`best`) is settled, with the chance of a false verdict if wanted (`rank:0.01`).
        pub schedule: Option<Schedule> = None => {
            key: Key {
                details: "[More](statistics-beyond.md).",
                flag: Some(Flag::of("--schedule", "SCHEDULE")),
                change: Change::Never,
                values: KeyValues::Pattern(Schedule::PATTERN), ..Key::new("schedule", "rank", "")
            },
            read: Schedule::read,
            write: |schedule| Schedule::write(schedule.as_ref()),
            record: Record::Elsewhere,
        },
        /// Pairs of games per pairing of bots and game.
        pub rounds: Option<NonZeroU32> = None => {
            key: Key {
                details: "With `rank` or `best`, at most this many on average; in a Swiss or ladder its rounds, in knockouts the meetings of a match.",
                missing: "1; a test takes what it needs, a Swiss enough to find the winner, a ladder continues until Ctrl-C",
                flag: Some(Flag::number("--rounds")),
                change: Change::Announced,
                values: KeyValues::Whole(1, &[]), synonyms: &[Synonyms { line: "rounds: 10", names: &["pairs", "repeat", "cycles", "games-per-pairing", "number-of-games"] }], ..Key::new("rounds", "10", "")
            },
            read: |text| number(text, 1..=MOST_ROUNDS, "10").map(NonZeroU32::new),
            write: |rounds| rounds.map_or_else(String::new, |rounds| rounds.to_string()),
            record: Record::Elsewhere,
        },
        /// The time control of games and bots without one of their own.
        pub tc: TimeControl = usual_time_control() => {
            key: Key {
                details: "`60+0.6`, `40/60:30+1`, `60, delay 2s`, `60, bronstein 2s`, `600, byoyomi 5x30s`, `hourglass 60s`, \
                          `movetime 100ms`, `nodes 10000`, `depth 6`, or several with commas; `bank 3x500ms` forgives three \
                          overruns, `cpu` counts processor time ([all of them](time-controls.md)).",
                flag: Some(Flag::of("--tc", "CONTROL")),
                change: Change::Never,
                values: KeyValues::NumberOr(TimeControl::PATTERN), synonyms: TC_SYNONYMS, ..Key::new("tc", "10+0.1", "")
            },
            read: time_control,
            write: ToString::to_string,
            record: Record::Elsewhere,
        },
        /// The seed of everything random.
        pub seed: u64 = 1 => {
            key: Key {
                flag: Some(Flag::number("--seed")),
                change: Change::Never,
                values: KeyValues::Whole(0, &[]), synonyms: &[Synonyms { line: "seed: 42", names: &["srand", "random-seed", "rng"] }], ..Key::new("seed", "42", "")
            },
            read: |text| number(text, 0..=u64::MAX, "42"),
            write: ToString::to_string,
            record: Record::Elsewhere,
        },
        /// The number of games played at once, or `auto`.
        pub concurrency: Option<NonZeroUsize> = None => {
            key: Key {
                details: "`auto`: the physical cores minus one, at least one.",
                flag: Some(Flag::number("--concurrency")),
                values: KeyValues::Whole(1, &["auto"]), synonyms: &[Synonyms { line: "concurrency: 2", names: &["threads", "workers", "jobs", "parallel", "processes"] }], ..Key::new("concurrency", "2", "")
            },
            read: concurrency,
            write: |games| games.map_or_else(|| "auto".to_owned(), |games| games.to_string()),
            record: Record::Elsewhere,
        },
        /// What happens when a bot cannot start before the first game: `stop`, or `skip` to play without it.
        pub on_start_failure: OnStartFailure = OnStartFailure::Stop => {
            key: Key {
                flag: Some(Flag::of("--on-start-failure", "WHAT")),
                values: KeyValues::Words(OnStartFailure::WORDS), ..Key::new("on-start-failure", "stop", "")
            },
            read: |text| {
                text.parse().map_err(|_| {
                    Complaint::not(text, "it can be `stop`, or `skip` to play without bots that cannot start")
                })
            },
            write: ToString::to_string,
            record: Record::Elsewhere,
        },
        /// Whether every line between the arena and the bots is kept, in one file per game in `transcripts/` of the results.
        pub transcripts: bool = false => {
            key: Key {
                flag: Some(Flag {
                    about: Some(
                        "Keep every line between the arena and the bots, in one file per game in `transcripts/` of the results.",
                    ),
                    ..Flag::truth("--transcripts")
                }),
                values: KeyValues::Truth, synonyms: &[Synonyms { line: "transcripts: true", names: &["log", "logs", "debug"] }], ..Key::new("transcripts", "true", "")
            },
            read: truth,
            write: ToString::to_string,
            record: Record::Elsewhere,
        },
        /// A command that is told of events: a run starts, ends or stops, a test has a verdict, a bot is withdrawn.
        pub on_event: Option<String> = None => {
            key: Key {
                details: "It gets each event as JSON on standard input. [More](running.md#events).",
                missing: "nobody is told",
                flag: Some(Flag::of("--on-event", "COMMAND")),
                synonyms: &[Synonyms { line: "on-event: ./tell.sh", names: &["notify", "hook", "hooks", "events", "on-finish"] }], ..Key::new("on-event", "./tell.sh", "")
            },
            read: some_text,
            write: |command| command.clone().unwrap_or_default(),
            record: Record::Elsewhere,
        },
        /// An address to which events are posted as JSON, for executables that are built with it.
        pub webhook: Option<String> = None => {
            key: Key {
                details: "[More](running.md#events).",
                missing: "nobody is told",
                flag: Some(Flag::of("--webhook", "URL")),
                ..Key::new("webhook", "https://chat.example/hook", "")
            },
            read: some_text,
            write: |url| url.clone().unwrap_or_default(),
            record: Record::Elsewhere,
        },
        /// The directory of the results.
        pub out: Option<PathBuf> = None => {
            key: Key {
                missing: "`results/` and the name",
                flag: Some(Flag::of("--out", "DIR")),
                synonyms: &[Synonyms { line: "out: results/spring-cup", names: &["output", "outdir", "out-dir", "results", "directory", "dir"] }], ..Key::new("out", "results/spring-cup", "")
            },
            read: directory,
            write: |out| out.as_ref().map_or_else(String::new, |out| out.display().to_string()),
            record: Record::Elsewhere,
        },
    }
}

fn usual_time_control() -> TimeControl {
    "10+0.1".parse().expect("it is the example that every page shows")
}

fn format(text: &str) -> Reading<Format> {
    text.parse().map_err(|_| {
        let hint = match rules::nearest(text, Format::WORDS.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("allowed: {}", Format::WORDS.join(", ")),
        };
        Complaint::not(text, hint)
    })
}

/// Reads a time control.
///
/// # Errors
/// When it is none: says which part is wrong, and what was meant if that can be guessed.
pub fn time_control(text: &str) -> Reading<TimeControl> {
    text.parse().map_err(|error: crate::TimeControlError| {
        let predicate = if error.part == text {
            format!("cannot be `{text}`: it {}", error.fault)
        } else {
            format!("cannot be `{text}`: `{}` {}", error.part, error.fault)
        };
        if let Some((meant, fault)) = TimeControl::intended(text) {
            return Complaint::new(
                format!("cannot be `{}`: {fault}", text.escape_debug()),
                format!("did you mean `{meant}`?"),
            );
        }
        Complaint::new(
            predicate,
            "for example `60+0.6`, `40/60:30+1`, `60, delay 2s`, `600, byoyomi 5x30s`, `movetime 100ms`, `nodes 10000`, `depth 6`, or several with commas",
        )
    })
}

/// Reads how many games are played at once; `None` is what the cores have room for.
///
/// # Errors
/// When it is neither a number nor `auto`.
pub fn concurrency(text: &str) -> Reading<Option<NonZeroUsize>> {
    if text == "auto" {
        return Ok(None);
    }
    number(text, 1..=MOST_GAMES_AT_ONCE, "2")
        .map(NonZeroUsize::new)
        .map_err(|complaint| Complaint::new(complaint.predicate, "`auto`, or for example `2`"))
}

fn some_text(text: &str) -> Reading<Option<String>> {
    if text.trim().is_empty() || text.contains('\0') {
        return Err(Complaint::new("is empty".to_owned(), "leave the key out"));
    }
    Ok(Some(text.to_owned()))
}

fn directory(text: &str) -> Reading<Option<PathBuf>> {
    if text.is_empty() || text.contains('\0') {
        return Err(Complaint::not(text, "for example `results/spring-cup`"));
    }
    Ok(Some(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings as _;

    #[test]
    fn every_example_is_read_and_written_the_same() {
        for setting in Arrangement::ALL {
            let mut arrangement = Arrangement::default();
            (setting.read)(&mut arrangement, setting.key.example).expect(setting.key.example);
            let written = (setting.write)(&arrangement);
            let usual = if setting.key.name == "schedule" { "rank:0.05" } else { setting.key.example };
            assert_eq!(written, usual, "{}", setting.key.name);
        }
    }
}
