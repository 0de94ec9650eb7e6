//! Every line that a bot writes and the arena reads.

use std::fmt;

use super::notice::{ErrorNotice, take_code, write_text};
use super::option::OptionDeclaration;
use super::text::{one_line, split_text};
use super::{BestMove, GameSpec, Info};
use crate::LineError;
use crate::lexical::token;
use crate::lexical::words::{Words, normalise};

/// A line from a bot to the arena.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotMessage {
    /// `id`: the bot introduces itself.
    Id(IdField, String),
    /// `protocol`: the highest version that the bot speaks.
    Protocol(u64),
    /// `plays`: which games the bot knows.
    Plays(Vec<GameSpec>),
    /// `want`: the lines that the bot asks for.
    Want(Vec<String>),
    /// `can`: the abilities of the bot.
    Can(Vec<String>),
    /// `option`: a setting that the bot offers.
    Option(OptionDeclaration),
    /// `ugiok`, or the word of another dialect: the handshake is complete.
    HelloOk,
    /// `readyok`: the bot is ready.
    ReadyOk,
    /// `info`: the state of the search.
    Info(Info),
    /// `bestmove`: the answer.
    BestMove(BestMove),
    /// `response`: the answer to a `query`.
    Response(String),
    /// `reject`: the bot cannot play the game.
    Reject(Reject),
    /// `error`: the bot complains.
    Error(ErrorNotice),
    /// Any other line: log output, never an error.
    Log(String),
}

/// The field of an `id` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdField {
    /// The name of the bot.
    Name,
    /// Who wrote it.
    Author,
    /// Its version.
    Version,
    /// The language it is written in.
    Language,
}

/// `reject`: why a bot cannot play a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reject {
    /// The reason, as a code.
    pub code: String,
    /// The reason, in words.
    pub text: Option<String>,
}

impl BotMessage {
    /// Reads a line. A line that is no message is [`BotMessage::Log`].
    ///
    /// # Errors
    /// If the first word of the line is known and the rest is malformed.
    pub fn parse(line: &str) -> Result<Self, LineError> {
        Self::parse_with(line, "ugiok")
    }

    /// Reads a line of a bot that ends its handshake with the word `hello_ok`.
    pub(crate) fn parse_with(line: &str, hello_ok: &str) -> Result<Self, LineError> {
        let line = normalise(line);
        let mut words = Words::new(&line);
        Ok(match words.next().unwrap_or_default() {
            "id" => parse_id(words)?,
            "protocol" => Self::Protocol(parse_protocol(words)?),
            "plays" => Self::Plays(parse_plays(words)?),
            "want" => Self::Want(parse_words("want", words)?),
            "can" => Self::Can(parse_words("can", words)?),
            "option" => Self::Option(OptionDeclaration::parse(words)?),
            "readyok" => Self::ReadyOk,
            "info" => Self::Info(Info::parse(words)),
            "bestmove" => Self::BestMove(BestMove::parse(words)?),
            "response" => {
                let text = words.text().ok_or(LineError::Missing { message: "response", what: "a text" })?;
                Self::Response(text.to_owned())
            }
            "reject" => {
                let (mut words, text) = split_text(words);
                Self::Reject(Reject { code: take_code("reject", &mut words)?, text: text.map(str::to_owned) })
            }
            "error" => Self::Error(ErrorNotice::parse(words)?),
            word if word == hello_ok => Self::HelloOk,
            _ => Self::Log(line.into_owned()),
        })
    }
}

fn parse_id(mut words: Words<'_>) -> Result<BotMessage, LineError> {
    let field = match words.next().ok_or(LineError::Missing { message: "id", what: "a field" })? {
        "name" => IdField::Name,
        "author" => IdField::Author,
        "version" => IdField::Version,
        "lang" => IdField::Language,
        other => return Err(LineError::invalid("id", "the field", other)),
    };
    let text = words.text().ok_or(LineError::Missing { message: "id", what: "a text" })?;
    Ok(BotMessage::Id(field, text.to_owned()))
}

fn parse_protocol(mut words: Words<'_>) -> Result<u64, LineError> {
    let version = words.next().ok_or(LineError::Missing { message: "protocol", what: "a number" })?;
    token::int(version).ok_or_else(|| LineError::invalid("protocol", "the number", version))
}

fn parse_plays(words: Words<'_>) -> Result<Vec<GameSpec>, LineError> {
    take_known("plays", "a game", words, |word| word.parse().ok())
}

fn parse_words(message: &'static str, words: Words<'_>) -> Result<Vec<String>, LineError> {
    take_known(message, "a word", words, |word| token::is_word(word).then(|| word.to_owned()))
}

/// Collects the words that can be read and skips the others. At least one must be readable.
fn take_known<T>(
    message: &'static str,
    what: &'static str,
    words: Words<'_>,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Vec<T>, LineError> {
    let first = words.peek().ok_or(LineError::Missing { message, what })?;
    let known: Vec<T> = words.filter_map(read).collect();
    if known.is_empty() { Err(LineError::invalid(message, what, first)) } else { Ok(known) }
}

impl fmt::Display for BotMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(field, text) => write!(f, "id {field} {}", one_line(text)),
            Self::Protocol(version) => write!(f, "protocol {version}"),
            Self::Plays(games) => write_list(f, "plays", games),
            Self::Want(words) => write_list(f, "want", words),
            Self::Can(words) => write_list(f, "can", words),
            Self::Option(option) => write!(f, "{option}"),
            Self::HelloOk => f.write_str("ugiok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::Info(info) => write!(f, "{info}"),
            Self::BestMove(answer) => write!(f, "{answer}"),
            Self::Response(text) => write!(f, "response {}", one_line(text)),
            Self::Reject(reject) => {
                write!(f, "reject {}", reject.code)?;
                write_text(f, reject.text.as_deref())
            }
            Self::Error(error) => write!(f, "{error}"),
            Self::Log(text) => f.write_str(&one_line(text)),
        }
    }
}

fn write_list(f: &mut fmt::Formatter<'_>, word: &str, items: &[impl fmt::Display]) -> fmt::Result {
    f.write_str(word)?;
    items.iter().try_for_each(|item| write!(f, " {item}"))
}

impl fmt::Display for IdField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Name => "name",
            Self::Author => "author",
            Self::Version => "version",
            Self::Language => "lang",
        })
    }
}
