//! Lines made by the grammar, and lines made of those by spoiling them: both sides accept the same ones, and read the
//! same fields.

use std::sync::LazyLock;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use protocol::{ArenaMessage, BotMessage, LineError, normalise};

use crate::abnf::{Choices, Grammar};

pub(crate) static GRAMMAR: LazyLock<Grammar> =
    LazyLock::new(|| Grammar::new(include_str!("../../../../protocol-spec/grammar.abnf")));

/// Who writes a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Writer {
    Arena,
    Bot,
}

/// What a reader makes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// A message.
    Message,
    /// A message that is written wrongly.
    Fault,
    /// Nothing: it is skipped.
    Nothing,
}

impl Writer {
    /// Returns the rules for what is written, for what is read, and for the first words.
    pub(crate) const fn rules(self) -> [&'static str; 3] {
        match self {
            Self::Arena => ["arena-line", "arena-read", "arena-word"],
            Self::Bot => ["bot-line", "bot-read", "bot-word"],
        }
    }

    /// Returns what the parser makes of a line, and how it writes it.
    pub(crate) fn parse(self, line: &str) -> (Reading, Option<String>) {
        match self {
            Self::Arena => match ArenaMessage::parse(line) {
                Ok(message) => (Reading::Message, Some(message.to_string())),
                Err(LineError::Blank | LineError::Unknown { .. }) => (Reading::Nothing, None),
                Err(_) => (Reading::Fault, None),
            },
            Self::Bot => match BotMessage::parse(line) {
                Ok(BotMessage::Log(_)) => (Reading::Nothing, None),
                Ok(message) => (Reading::Message, Some(message.to_string())),
                Err(_) => (Reading::Fault, None),
            },
        }
    }

    /// Returns what the grammar makes of a line.
    pub(crate) fn read(self, line: &str) -> Reading {
        let line = normalise(line);
        let [_, read, word] = self.rules();
        let first = line.split(' ').next().unwrap_or_default();
        if GRAMMAR.matches(read, &line) {
            Reading::Message
        } else if GRAMMAR.matches(word, first) {
            Reading::Fault
        } else {
            Reading::Nothing
        }
    }
}

fn choices() -> impl Strategy<Value = Vec<u8>> {
    vec(any::<u8>(), 0..160)
}

/// A line that one of these rules makes, with its writer.
fn line_of(rules: &'static [(Writer, &'static str)]) -> impl Strategy<Value = (Writer, String)> {
    (select(rules), choices()).prop_filter_map("an excluded string", |((writer, rule), choices)| {
        Some((writer, GRAMMAR.derive(rule, &mut Choices::new(&choices))?))
    })
}

/// A line that is written. The rules with the most ways are taken more often.
fn written() -> impl Strategy<Value = (Writer, String)> {
    line_of(&[
        (Writer::Arena, "arena-line"),
        (Writer::Arena, "game"),
        (Writer::Arena, "go"),
        (Writer::Arena, "position"),
        (Writer::Bot, "bot-line"),
        (Writer::Bot, "option"),
        (Writer::Bot, "info"),
        (Writer::Bot, "bestmove"),
    ])
}

/// A line that is read, whether anybody writes it or not.
fn readable() -> impl Strategy<Value = (Writer, String)> {
    line_of(&[
        (Writer::Arena, "arena-read"),
        (Writer::Arena, "go-read"),
        (Writer::Arena, "position-read"),
        (Writer::Bot, "bot-read"),
        (Writer::Bot, "option-read"),
    ])
}

/// A way to spoil a line.
#[derive(Clone, Debug)]
enum Spoil {
    /// A token goes.
    Drop(Index),
    /// A token stands there twice.
    Double(Index),
    /// Two tokens change places.
    Swap(Index, Index),
    /// A token comes in.
    Insert(Index, String),
    /// A token is replaced.
    Replace(Index, String),
    /// A character is replaced.
    Letter(Index, char),
    /// The line ends early.
    Cut(Index),
}

fn spoil() -> impl Strategy<Value = Spoil> {
    let index = any::<Index>;
    let words: Vec<String> = ["arena-read", "bot-read", "arena-line", "bot-line"]
        .into_iter()
        .flat_map(|rule| GRAMMAR.words(rule))
        .chain(
            ["a1", "e8=q", "keep=a2", "keep=x", "x", "id=7", "a=", "p1", "p0", "p256", "p01", "0", "-3", ":"]
                .map(str::to_owned),
        )
        .chain(
            ["players=0", "you=x", "movetime=", "proto=x", "proto=2", "2/2", "Zug", "\u{e4}1", "p1time"]
                .map(str::to_owned),
        )
        .chain(
            ["12345678901234567890", "1234567890123456789", "moves", "true", "default", "var"]
                .map(str::to_owned),
        )
        .collect();
    let word = || select(words.clone());
    prop_oneof![
        2 => index().prop_map(Spoil::Drop),
        1 => index().prop_map(Spoil::Double),
        2 => (index(), index()).prop_map(|(one, other)| Spoil::Swap(one, other)),
        3 => (index(), word()).prop_map(|(place, word)| Spoil::Insert(place, word)),
        3 => (index(), word()).prop_map(|(place, word)| Spoil::Replace(place, word)),
        2 => (index(), "[ -~]|\t|\u{0}|\u{e4}").prop_map(|(place, text)| {
            Spoil::Letter(place, text.chars().next().unwrap_or(' '))
        }),
        1 => index().prop_map(Spoil::Cut),
    ]
}

impl Spoil {
    fn apply(&self, line: &str) -> String {
        let mut tokens: Vec<&str> = line.split(' ').collect();
        let count = tokens.len();
        match self {
            Self::Drop(place) => drop(tokens.remove(place.index(count))),
            Self::Double(place) => tokens.insert(place.index(count), tokens[place.index(count)]),
            Self::Swap(one, other) => tokens.swap(one.index(count), other.index(count)),
            Self::Insert(place, word) => tokens.insert(place.index(count + 1), word),
            Self::Replace(place, word) => tokens[place.index(count)] = word,
            Self::Letter(place, letter) => {
                let mut letters: Vec<char> = line.chars().collect();
                if !letters.is_empty() {
                    let place = place.index(letters.len());
                    letters[place] = *letter;
                }
                return letters.into_iter().collect();
            }
            Self::Cut(place) => {
                let kept = place.index(line.chars().count() + 1);
                return line.chars().take(kept).collect();
            }
        }
        tokens.join(" ")
    }
}

/// Returns the tokens of a line, sorted, its numbers without what does not change them: the fields of a message
/// whatever their order.
fn fields(line: &str) -> Vec<String> {
    let mut fields: Vec<String> = line.split(' ').map(without_zeros).collect();
    fields.sort();
    fields
}

fn without_zeros(token: &str) -> String {
    let (key, number) = token.rsplit_once('=').map_or(("", token), |(key, number)| (key, number));
    let (sign, digits) = match number.strip_prefix('+') {
        Some(digits) => ("", digits),
        None => number.strip_prefix('-').map_or(("", number), |digits| ("-", digits)),
    };
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return token.to_owned();
    }
    let digits = match digits.trim_start_matches('0') {
        "" => "0",
        digits => digits,
    };
    let sign = if digits == "0" { "" } else { sign };
    format!("{key}={sign}{digits}")
}

/// Returns whether a key or word that says something once stands there twice, or a number is too large for 64 bits:
/// then fields are lost, and rightly.
fn is_beyond(writer: Writer, line: &str) -> bool {
    let tokens: Vec<&str> = line.split(' ').collect();
    let digits = |token: &str| token.bytes().filter(u8::is_ascii_digit).count();
    let repeats = tokens.iter().enumerate().any(|(i, token)| {
        let is_key = match writer {
            Writer::Arena => tokens[0] == "go" && !token.contains('='),
            Writer::Bot => tokens[0] == "info" && tokens.get(1) != Some(&"string"),
        };
        is_key && GRAMMAR.matches("word", token) && tokens[..i].contains(token)
    });
    repeats || tokens.iter().any(|token| digits(token) >= 19)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_of_the_grammar_are_read_and_nothing_of_them_is_lost((writer, line) in written()) {
        let (reading, written) = writer.parse(&line);
        prop_assert_eq!(reading, Reading::Message, "{}", line);
        prop_assert_eq!(writer.read(&line), Reading::Message, "what is written is read: {}", line);
        let written = written.unwrap_or_default();
        prop_assert!(GRAMMAR.matches(writer.rules()[0], &written), "{} is written as {}", line, written);
        if !is_beyond(writer, &line) {
            prop_assert_eq!(fields(&written), fields(&line), "{} is written as {}", line, written);
        }
    }

    #[test]
    fn lines_of_the_reading_grammar_are_read((writer, line) in readable()) {
        prop_assert_eq!(writer.parse(&line).0, Reading::Message, "{}", line);
        prop_assert_eq!(writer.read(&line), Reading::Message, "{}", line);
    }

    #[test]
    fn spoilt_lines_are_accepted_by_both_or_by_none(
        (writer, line) in prop_oneof![written(), readable()],
        spoils in vec(spoil(), 1..4),
    ) {
        let line = spoils.iter().fold(line, |line, spoil| spoil.apply(&line));
        let other = if writer == Writer::Arena { Writer::Bot } else { Writer::Arena };
        for reader in [writer, other] {
            let (reading, written) = reader.parse(&line);
            prop_assert_eq!(reading, reader.read(&line), "{:?}: {}", reader, line);
            if let Some(written) = written {
                let is_line = GRAMMAR.matches(reader.rules()[0], &written);
                prop_assert!(is_line || is_tolerated(&written), "{} is written as {}", line, written);
            }
        }
    }
}

/// Returns whether a message that was read holds what only other dialects write: names and values of several words, or
/// of signs that no word has; or what is never written at all: a line without content.
fn is_tolerated(written: &str) -> bool {
    ["option name ", "setoption name "].iter().any(|start| written.starts_with(start))
        || written == "info"
        || (written.starts_with("info ") && written.contains(" string "))
        || (written.starts_with("query ") && !written.is_ascii())
        || (written.starts_with("info pv "))
        // A position with a word that ends positions elsewhere: nobody writes one.
        || (["board ", "after "].iter().any(|start| written.starts_with(start))
            && written.split(' ').any(|word| ["moves", "gameover"].contains(&word)))
        || (written.starts_with("position ") && written.split(' ').any(|word| word == "gameover"))
}
