//! Every line that the arena writes and a bot reads.

use std::fmt;

use super::after::After;
use super::notice::{ErrorNotice, GameEnd, OutNotice, Played};
use super::position::{PositionMessage, take_fen, take_moves};
use super::text::one_line;
use super::text::write_plies;
use super::{GameSetup, Go};
use crate::lexical::token;
use crate::lexical::words::{Words, normalise};
use crate::{LineError, Pairs, PlyToken};

/// A line from the arena to a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ArenaMessage {
    /// `ugi`: asks the bot to introduce itself.
    Hello,
    /// `arena`: the arena introduces itself.
    Arena(ArenaData),
    /// `setoption`: an option of the bot.
    SetOption(SetOption),
    /// `isready`: answer `readyok` at once.
    IsReady,
    /// `game`: the next game.
    Game(GameSetup),
    /// `uginewgame`: forget everything.
    NewGame,
    /// `position`: the start of the game and every ply since.
    Position(PositionMessage),
    /// `board`: the current position string.
    Board(String),
    /// `legal`: every legal ply.
    Legal(Vec<PlyToken>),
    /// `after`: one legal ply and the position that it leads to.
    After(After),
    /// `go`: decide.
    Go(Go),
    /// `stop`: answer now.
    Stop,
    /// `ponderhit`: the expected ply was played.
    PonderHit,
    /// `query`: a question about the rules.
    Query(Query),
    /// `played`: a ply was accepted.
    Played(Played),
    /// `error`: something was wrong.
    Error(ErrorNotice),
    /// `out`: a seat is out, and the others play on.
    Out(OutNotice),
    /// `gameover`: the game has ended.
    GameOver(GameEnd),
    /// `quit`: exit.
    Quit,
}

/// `arena`: the arena's own data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArenaData {
    /// The highest version of the protocol that the arena speaks.
    pub protocol: u64,
    /// `name`, `version` and others.
    pub pairs: Pairs,
}

/// `setoption`: the value of an option that the bot declared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SetOption {
    /// The name of the option: one word, except for bots of other dialects.
    pub name: String,
    /// The value. A button has none, and a text may be empty.
    pub value: Option<String>,
}

/// `query`: a question about the rules, such as `perft 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The subject of the question.
    pub what: String,
    /// The details.
    pub arguments: Vec<String>,
}

impl ArenaMessage {
    /// Reads a line.
    ///
    /// # Errors
    /// [`LineError::Blank`] and [`LineError::Unknown`] are lines to skip. The others name the malformed part.
    pub fn parse(line: &str) -> Result<Self, LineError> {
        let line = normalise(line);
        let mut words = Words::new(&line);
        let Some(first) = words.next().filter(|_| !line.starts_with('#')) else {
            return Err(LineError::Blank);
        };
        Ok(match first {
            "ugi" => Self::Hello,
            "arena" => Self::Arena(ArenaData::parse(words)?),
            "setoption" => Self::SetOption(SetOption::parse(words)?),
            "isready" => Self::IsReady,
            "game" => Self::Game(GameSetup::parse(words)?),
            "uginewgame" => Self::NewGame,
            "position" => Self::Position(PositionMessage::parse(words)?),
            "board" => Self::Board(take_fen("board", &mut words, None)?),
            "legal" => Self::Legal(parse_legal(words)?),
            "after" => Self::After(After::parse(words)?),
            "go" => Self::Go(Go::parse(words)?),
            "stop" => Self::Stop,
            "ponderhit" => Self::PonderHit,
            "query" => Self::Query(Query::parse(words)?),
            "played" => Self::Played(Played::parse(words)?),
            "error" => Self::Error(ErrorNotice::parse(words)?),
            "out" => Self::Out(OutNotice::parse(words)?),
            "gameover" => Self::GameOver(GameEnd::parse(words)?),
            "quit" => Self::Quit,
            other => return Err(LineError::unknown(other)),
        })
    }
}

impl ArenaData {
    fn parse(words: Words<'_>) -> Result<Self, LineError> {
        let all = Pairs::from_words(words);
        let protocol = all.get("proto").ok_or(LineError::Missing { message: "arena", what: "`proto`" })?;
        let protocol =
            token::int(protocol).ok_or_else(|| LineError::invalid("arena", "`proto`", protocol))?;
        let pairs = all.iter().filter(|pair| pair.key() != "proto").cloned().collect();
        Ok(Self { protocol, pairs })
    }
}

impl SetOption {
    fn parse(mut words: Words<'_>) -> Result<Self, LineError> {
        const MISSING: LineError = LineError::Missing { message: "setoption", what: "a name" };
        if words.next() != Some("name") {
            return Err(MISSING);
        }
        let mut name = words.next().ok_or(MISSING)?.to_owned();
        while let Some(word) = words.next() {
            if word == "value" {
                return Ok(Self { name, value: Some(words.text().unwrap_or_default().to_owned()) });
            }
            name.push(' ');
            name.push_str(word);
        }
        Ok(Self { name, value: None })
    }
}

impl Query {
    fn parse(mut words: Words<'_>) -> Result<Self, LineError> {
        let what = words.next().ok_or(LineError::Missing { message: "query", what: "a word" })?;
        if !token::is_word(what) {
            return Err(LineError::invalid("query", "the word", what));
        }
        Ok(Self { what: what.to_owned(), arguments: words.map(str::to_owned).collect() })
    }
}

fn parse_legal(words: Words<'_>) -> Result<Vec<PlyToken>, LineError> {
    let moves = take_moves("legal", words)?;
    if moves.is_empty() { Err(LineError::Missing { message: "legal", what: "a ply" }) } else { Ok(moves) }
}

impl fmt::Display for ArenaMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello => f.write_str("ugi"),
            Self::Arena(data) => write!(f, "arena proto={}{}", data.protocol, data.pairs),
            Self::SetOption(option) => write!(f, "{option}"),
            Self::IsReady => f.write_str("isready"),
            Self::Game(setup) => write!(f, "{setup}"),
            Self::NewGame => f.write_str("uginewgame"),
            Self::Position(position) => write!(f, "{position}"),
            Self::Board(fen) => write!(f, "board {}", one_line(fen)),
            Self::Legal(moves) => {
                f.write_str("legal")?;
                write_plies(f, moves)
            }
            Self::After(after) => write!(f, "{after}"),
            Self::Go(go) => write!(f, "{go}"),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Query(query) => write!(f, "{query}"),
            Self::Played(played) => write!(f, "{played}"),
            Self::Error(error) => write!(f, "{error}"),
            Self::Out(out) => write!(f, "{out}"),
            Self::GameOver(end) => write!(f, "{end}"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for SetOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "setoption name {}", one_line(&self.name))?;
        match self.value.as_deref().map(one_line) {
            Some(value) if !value.is_empty() => write!(f, " value {value}"),
            Some(_) => f.write_str(" value"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Query {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "query {}", one_line(&self.what))?;
        self.arguments.iter().try_for_each(|argument| write!(f, " {}", one_line(argument)))
    }
}
