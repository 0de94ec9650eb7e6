//! Dialogues that somebody has written down, as steps. `protocol-spec/vectors/README.md` describes the format.

use std::time::Duration;

use thiserror::Error;

/// The words that directions for arenas on trial begin with, events among them: they say nothing to a bot.
const ASIDE: [&str; 22] = [
    "bot-only",
    "greeted",
    "can",
    "you",
    "dialect",
    "resync",
    "withheld",
    "refused",
    "tolerated",
    "declared",
    "hello",
    "ready",
    "rejected",
    "info",
    "answer",
    "bad-answer",
    "response",
    "complaint",
    "stale",
    "unexpected",
    "malformed",
    "log",
];

/// A dialogue, to be held with a bot.
///
/// ```
/// use conformance::Script;
///
/// let script = Script::read("greeting", "> ugi\n< ugiok\n! within 2s\n> quit\n! ends\n")?;
/// assert!(!script.is_for_arenas());
/// assert!(Script::read("greeting", "? ugi\n").is_err());
/// # Ok::<(), conformance::ScriptError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Where it stands, for messages.
    pub name: String,
    pub(crate) steps: Vec<Step>,
}

/// One line of a dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Step {
    /// Its number, from 1.
    pub(crate) line: usize,
    /// The line.
    pub(crate) text: String,
    /// What happens.
    pub(crate) act: Act,
}

/// What happens in a dialogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    /// This line is sent.
    Tell(String),
    /// The bot answers with a line of this pattern.
    Expect(String),
    /// The dialogue is only for arenas.
    ArenaOnly,
    /// The dialogue is only for bots of which this holds.
    Need(Need),
    /// The next answer must come in this time.
    Within(Duration),
    /// No answer may come in this time.
    Silence(Duration),
    /// The input is closed.
    Close,
    /// The process ends.
    Ends,
}

/// What a dialogue needs of a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Need {
    /// It plays this game with these options.
    Plays(String, Vec<(String, String)>),
    /// It declares these words under `can`.
    Can(Vec<String>),
    /// It declares these words under `want`.
    Want(Vec<String>),
}

/// A line that is not of the format.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("{name}:{line}: {what}")]
pub struct ScriptError {
    /// The name of the dialogue.
    pub name: String,
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub what: String,
}

impl Script {
    /// Reads a dialogue.
    ///
    /// # Errors
    /// Names the first line that is not of the format.
    pub fn read(name: &str, text: &str) -> Result<Self, ScriptError> {
        let mut steps = Vec::new();
        for (index, text) in text.lines().enumerate() {
            let line = index + 1;
            let wrong = |what: String| ScriptError { name: name.to_owned(), line, what };
            let act = match text.split_at_checked(2) {
                Some(("> ", line)) => Act::Tell(line.to_owned()),
                Some(("< ", pattern)) => Act::Expect(pattern.to_owned()),
                Some(("! ", words)) => match direction(words).map_err(wrong)? {
                    Some(act) => act,
                    None => continue,
                },
                _ if text.trim().is_empty() || text.starts_with('#') => continue,
                _ => return Err(wrong("a line begins with `> `, `< `, `! ` or `#`".to_owned())),
            };
            steps.push(Step { line, text: text.to_owned(), act });
        }
        Ok(Self { name: name.to_owned(), steps })
    }

    /// Returns whether only an arena can be put on trial with it.
    #[must_use]
    pub fn is_for_arenas(&self) -> bool {
        self.steps.iter().any(|step| step.act == Act::ArenaOnly)
    }
}

/// Reads a direction; one that says nothing to a bot is `None`.
fn direction(text: &str) -> Result<Option<Act>, String> {
    let mut words = text.split_whitespace();
    let word = words.next().unwrap_or_default();
    let mut time = || {
        let text = words.next().unwrap_or_default();
        parse_time(text).ok_or_else(|| format!("`{text}` is no time such as `500ms` or `2s`"))
    };
    Ok(Some(match word {
        "arena-only" => Act::ArenaOnly,
        "within" => Act::Within(time()?),
        "silence" => Act::Silence(time()?),
        "close" => Act::Close,
        "ends" => Act::Ends,
        "needs" => Act::Need(need(&words.map(str::to_owned).collect::<Vec<_>>())?),
        word if ASIDE.contains(&word) => return Ok(None),
        word => return Err(format!("unknown direction `{word}`")),
    }))
}

fn need(words: &[String]) -> Result<Need, String> {
    match words.split_first() {
        Some((what, words)) if what == "can" && !words.is_empty() => Ok(Need::Can(words.to_vec())),
        Some((what, words)) if what == "want" && !words.is_empty() => Ok(Need::Want(words.to_vec())),
        Some((what, [game, options @ ..])) if what == "plays" => {
            let option = |word: &String| {
                let (key, value) =
                    word.split_once('=').ok_or_else(|| format!("`{word}` is not written `KEY=VALUE`"))?;
                Ok((key.to_owned(), value.to_owned()))
            };
            Ok(Need::Plays(game.clone(), options.iter().map(option).collect::<Result<_, String>>()?))
        }
        _ => Err("`needs` is followed by `plays GAME`, `can WORD` or `want WORD`".to_owned()),
    }
}

fn parse_time(text: &str) -> Option<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 1),
        None => (text.strip_suffix('s')?, 1000),
    };
    Some(Duration::from_millis(number.parse::<u32>().ok().map(u64::from)? * unit))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn acts(text: &str) -> Vec<Act> {
        Script::read("a.abp", text).unwrap().steps.into_iter().map(|step| step.act).collect()
    }

    #[test]
    fn every_line_has_its_meaning_and_remarks_have_none() {
        let text = "# a remark\n\n> go depth 1\n< bestmove %legal\n! answer\n! within 500ms\n! silence 2s\n! close\n! ends\n";
        assert_eq!(
            acts(text),
            [
                Act::Tell("go depth 1".to_owned()),
                Act::Expect("bestmove %legal".to_owned()),
                Act::Within(Duration::from_millis(500)),
                Act::Silence(Duration::from_secs(2)),
                Act::Close,
                Act::Ends,
            ]
        );
        let options = vec![("size".to_owned(), "5x5".to_owned())];
        let plays = Act::Need(Need::Plays("fanorona".to_owned(), options));
        assert_eq!(acts("! needs plays fanorona size=5x5"), [plays]);
        assert_eq!(acts("! needs can stop"), [Act::Need(Need::Can(vec!["stop".to_owned()]))]);
        assert!(Script::read("a", "! arena-only").unwrap().is_for_arenas());
    }

    #[test]
    fn a_line_of_no_format_is_told_with_its_place() {
        let check = |text: &str, expected: &str| {
            assert_eq!(Script::read("a.abp", text).unwrap_err().to_string(), expected);
        };
        check("> ugi\nugiok", "a.abp:2: a line begins with `> `, `< `, `! ` or `#`");
        check("! whitin 1s", "a.abp:1: unknown direction `whitin`");
        check("! within soon", "a.abp:1: `soon` is no time such as `500ms` or `2s`");
        check("! within", "a.abp:1: `` is no time such as `500ms` or `2s`");
        check("! needs can", "a.abp:1: `needs` is followed by `plays GAME`, `can WORD` or `want WORD`");
        check("! needs plays faust 4", "a.abp:1: `4` is not written `KEY=VALUE`");
    }
}
