//! Reading games from a log.

use rules::Seat;
use thiserror::Error;

use crate::GameResult;
use crate::pgn::command::Command;
use crate::pgn::lex::{Lexer, Token};
use crate::pgn::tags::{NO_PLACES, PLACES, SAFE_VARIANT, VARIANT};
use crate::pgn::{PgnGame, PgnPly};

/// What is wrong with a game log.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {fault}")]
pub struct PgnError {
    /// The number of the line, from 1.
    pub line: usize,
    /// What is wrong.
    pub fault: String,
}

/// Reads the games of a log, one after the other. It returns nothing after an error.
///
/// It understands both forms. It skips variations, annotations of plies, lines that begin with `%` and commands of other
/// programs. A number begins a turn, so every turn needs its own: `1. a1 1... b2`.
///
/// ```
/// let text = "[Variant \"faust\"]\n\n1. a1 {[%emt 0:00:00.500]} 1... swap *\n";
/// let game = record::PgnReader::new(text).next().unwrap().unwrap();
/// assert_eq!(game.tag("Variant"), Some("faust"));
/// assert_eq!(game.plies[1].ply, "swap");
/// ```
#[derive(Clone, Debug)]
pub struct PgnReader<'a> {
    lexer: Lexer<'a>,
    peeked: Option<(usize, Token<'a>)>,
    is_done: bool,
}

impl<'a> PgnReader<'a> {
    /// Starts to read a log.
    #[must_use]
    pub fn new(text: &'a str) -> Self {
        Self { lexer: Lexer::new(text), peeked: None, is_done: false }
    }

    /// Returns the number of the line reached so far, from 1.
    #[must_use]
    pub const fn line(&self) -> usize {
        self.lexer.line()
    }

    fn take(&mut self) -> Result<Option<(usize, Token<'a>)>, PgnError> {
        if let Some(token) = self.peeked.take() {
            return Ok(Some(token));
        }
        self.lexer.next().map_err(|(line, fault)| PgnError { line, fault })
    }

    fn game(&mut self) -> Result<Option<PgnGame>, PgnError> {
        let tags = self.tags()?;
        if tags.is_empty() {
            match self.take()? {
                None => return Ok(None),
                other => self.peeked = other,
            }
        }
        let mut movetext = Movetext::default();
        let mut depth = 0_usize;
        loop {
            let Some((line, token)) = self.take()? else {
                return Err(self.fault("the game ends without a result".to_owned()));
            };
            let fault = |fault: String| PgnError { line, fault };
            match token {
                Token::Begin => depth += 1,
                Token::End if depth == 0 => return Err(fault("a `)` without its `(`".to_owned())),
                Token::End => depth -= 1,
                // A variation: nothing in it was played.
                _ if depth > 0 => {}
                Token::Comment(text) => movetext.comment(text).map_err(fault)?,
                Token::Symbol(symbol) => {
                    if let Some(result) = result(symbol) {
                        let game = movetext.end(tags, result).map_err(fault)?;
                        return Ok(Some(game));
                    }
                    movetext.symbol(symbol).map_err(fault)?;
                }
                Token::Dots(count) => movetext.dots(count),
                Token::Glyph => {}
                Token::Open | Token::Close | Token::Text(_) => {
                    return Err(fault("a tag before the result of the game above".to_owned()));
                }
            }
        }
    }

    fn tags(&mut self) -> Result<Vec<(String, String)>, PgnError> {
        let mut tags = Vec::new();
        loop {
            match self.take()? {
                Some((_, Token::Open)) => {}
                Some((_, Token::Comment(_))) if tags.is_empty() => continue,
                other => {
                    self.peeked = other;
                    return Ok(tags);
                }
            }
            let Some((_, Token::Symbol(name))) = self.take()? else {
                return Err(self.fault("a tag without a name".to_owned()));
            };
            let Some((_, Token::Text(value))) = self.take()? else {
                return Err(self.fault(format!("the tag `{name}` has no value in quotes")));
            };
            let Some((_, Token::Close)) = self.take()? else {
                return Err(self.fault(format!("the tag `{name}` is not closed")));
            };
            tags.push((name.to_owned(), value));
        }
    }

    /// Returns an error at the current line.
    fn fault(&self, fault: String) -> PgnError {
        PgnError { line: self.lexer.line(), fault }
    }
}

impl Iterator for PgnReader<'_> {
    type Item = Result<PgnGame, PgnError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.is_done {
            return None;
        }
        let game = self.game().transpose();
        self.is_done = !matches!(game, Some(Ok(_)));
        game
    }
}

/// The movetext of a game, as far as it is read.
#[derive(Default)]
struct Movetext {
    plies: Vec<PgnPly>,
    comment: String,
    turn: u32,
    /// The number and the owner of the current turn.
    current: Option<(u32, Seat)>,
    /// A number whose dots have not come yet.
    number: Option<u32>,
    /// The seat that a command named for the next ply.
    seat: Option<Seat>,
}

impl Movetext {
    /// Handles a number or a ply.
    fn symbol(&mut self, symbol: &str) -> Result<(), String> {
        self.check_token()?;
        if symbol.bytes().all(|byte| byte.is_ascii_digit()) {
            let number = symbol.parse();
            let number = number.map_err(|_| format!("`{symbol}` is too large for the number of a turn"))?;
            self.number = Some(number);
            return Ok(());
        }
        if symbol.starts_with(|c: char| c.is_ascii_digit()) || symbol.contains('/') {
            return Err(format!("`{symbol}` is neither a ply nor a result"));
        }
        self.dots(1);
        let Some((_, owner)) = self.current else {
            return Err(format!("the ply `{symbol}` before the number of its turn"));
        };
        self.plies.push(PgnPly {
            ply: symbol.to_owned(),
            san: None,
            turn: self.turn,
            seat: self.seat.take().unwrap_or(owner),
            owner,
            is_opening: false,
            is_fallback: false,
            eval: None,
            spent: None,
            clock: None,
            text: None,
        });
        Ok(())
    }

    /// Begins the turn of the number before these dots, unless it has begun. One dot means `p1`, more dots mean `p2`.
    fn dots(&mut self, count: usize) {
        let Some(number) = self.number.take() else { return };
        let turn = Some((number, if count > 1 { Seat::P2 } else { Seat::P1 }));
        if self.current != turn {
            self.current = turn;
            self.turn = self.turn.saturating_add(1);
        }
    }

    fn comment(&mut self, text: &str) -> Result<(), String> {
        let mut rest = text;
        let mut is_said = false;
        while let Some((words, after)) = rest.split_once("[%") {
            self.words(words, is_said);
            let Some((command, after)) = after.split_once(']') else {
                return Err("a command that is not closed by `]`".to_owned());
            };
            rest = after;
            if let Some(command) = Command::read(command)? {
                is_said |= command == Command::Said;
                self.command(command)?;
            }
        }
        self.words(rest, is_said);
        Ok(())
    }

    /// Handles the words of a comment: what the bot wrote about the last ply, or a remark on the game.
    fn words(&mut self, text: &str, is_said: bool) {
        for word in text.split_whitespace() {
            let words = match self.plies.last_mut().filter(|_| is_said) {
                Some(ply) => ply.text.get_or_insert_default(),
                None => &mut self.comment,
            };
            if !words.is_empty() {
                words.push(' ');
            }
            words.push_str(word);
        }
    }

    fn command(&mut self, command: Command) -> Result<(), String> {
        match command {
            Command::Seat(seat) => {
                self.seat = Some(seat);
                return Ok(());
            }
            Command::Turn(seat) => {
                self.dots(1);
                if let Some((_, owner)) = &mut self.current {
                    *owner = seat;
                }
                return Ok(());
            }
            _ => {}
        }
        let Some(ply) = self.plies.last_mut() else {
            return Err(format!("`{}` before the first ply", command.text()));
        };
        match command {
            Command::Move(token) => ply.ply = token,
            Command::Ply(token) => ply.san = Some(std::mem::replace(&mut ply.ply, token)),
            Command::Opening => ply.is_opening = true,
            Command::Fallback => ply.is_fallback = true,
            Command::Eval(eval) => ply.eval = Some(eval),
            Command::Spent(time) => ply.spent = Some(time),
            Command::Clock(time) => ply.clock = Some(time),
            Command::Seat(_) | Command::Turn(_) | Command::Said => {}
        }
        Ok(())
    }

    /// Checks that a command named the last ply if that is a null move.
    fn check_token(&self) -> Result<(), String> {
        match self.plies.last() {
            Some(ply) if ply.ply == "--" => Err("a null move without its ply in `%mv`".to_owned()),
            _ => Ok(()),
        }
    }

    fn end(self, mut tags: Vec<(String, String)>, result: GameResult) -> Result<PgnGame, String> {
        self.check_token()?;
        // PGN cannot express the result of more than two players.
        let places = tags.iter().find(|(name, value)| name == PLACES && value != NO_PLACES);
        let result = match places {
            Some((_, places)) => {
                GameResult::Places(places.parse().map_err(|error| format!("`{PLACES}`: {error}"))?)
            }
            None => result,
        };
        // In a log of chess with its own spelling it is the name. In the safe form it replaces the usual name.
        if self.plies.iter().all(|ply| ply.san.is_none()) {
            tags.iter_mut()
                .filter(|(name, _)| name == SAFE_VARIANT)
                .for_each(|(name, _)| VARIANT.clone_into(name));
        }
        let comment = Some(self.comment).filter(|comment| !comment.is_empty());
        let game = PgnGame { tags, plies: self.plies, comment, result };
        match game.tag("Result") {
            Some(tag) if tag != result.pgn() => Err(format!(
                "the result is `{}` here and `{}` in the tags",
                result.pgn(),
                protocol::printable_capped(tag, 20)
            )),
            _ => Ok(game),
        }
    }
}

fn result(symbol: &str) -> Option<GameResult> {
    let all = [GameResult::P1Win, GameResult::P2Win, GameResult::Draw, GameResult::None];
    all.into_iter().find(|result| result.pgn() == symbol)
}
