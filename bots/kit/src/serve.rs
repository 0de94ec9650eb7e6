//! The main loop: lines of the arena in, answers out.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};
use std::time::Instant;

use protocol::{
    BotMessage, ErrorNotice, GameSetup, GameSpec, IdField, Pairs, Question, Reject, Request, SeatNumber,
    Session,
};

use crate::bot::{Bot, Thinking};
use crate::game::{Game, Refusal, sit_down};
use crate::time;

/// Plays until the input ends or `quit` comes. Every line is flushed.
///
/// # Errors
/// When reading or writing fails; a reader that has gone away ends the loop like `quit`.
pub fn serve<B: Bot>(bot: B, mut input: impl BufRead, output: impl Write) -> io::Result<()> {
    let mut desk = Desk { bot, output, game: None, refusal: None, you: None };
    let mut session = Session::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let since = Instant::now();
        let text = String::from_utf8_lossy(&line);
        let done = match session.receive(text.trim_end_matches('\n')) {
            Ok(Some(Request::Quit)) => return Ok(()),
            Ok(Some(request)) => desk.answer(request, since),
            Ok(None) => Ok(()),
            Err(error) => desk.complain("bad-line", error.to_string()),
        };
        match done {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            other => other?,
        }
    }
}

/// A bot at work.
struct Desk<B, W> {
    bot: B,
    output: W,
    game: Option<Box<dyn Game>>,
    /// Why the game that was set up last cannot be played; told in place of `readyok`.
    refusal: Option<Refusal>,
    you: Option<SeatNumber>,
}

impl<B: Bot, W: Write> Desk<B, W> {
    fn answer(&mut self, request: Request, since: Instant) -> io::Result<()> {
        match request {
            Request::Hello => self.introduce(),
            Request::SetOption(option) => {
                self.bot.set_option(&option.name, option.value.as_deref().unwrap_or_default());
                Ok(())
            }
            Request::NewGame(setup) => {
                self.sit_down(setup);
                Ok(())
            }
            Request::IsReady => match self.refusal.take() {
                Some(Refusal { code, text }) => {
                    self.say(&BotMessage::Reject(Reject { code: code.to_owned(), text: Some(text) }))
                }
                None => self.say(&BotMessage::ReadyOk),
            },
            Request::Go(question) => self.decide(&question, since),
            // Nothing is asked: what matters of these comes again with the question.
            _ => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let plays = rules::GAMES.iter().map(|game| game.id.parse::<GameSpec>().expect("ids are game specs"));
        let mut messages = vec![
            BotMessage::Id(IdField::Name, self.bot.name().to_owned()),
            BotMessage::Id(IdField::Author, "the arena contributors".to_owned()),
            BotMessage::Id(IdField::Version, env!("CARGO_PKG_VERSION").to_owned()),
            BotMessage::Id(IdField::Language, "Rust".to_owned()),
            BotMessage::Protocol(protocol::PROTOCOL.into()),
            BotMessage::Plays(plays.collect()),
            BotMessage::Can(words(self.bot.abilities())),
        ];
        messages.extend(self.bot.options().into_iter().map(BotMessage::Option));
        messages.push(BotMessage::HelloOk);
        messages.iter().try_for_each(|message| self.say(message))
    }

    fn sit_down(&mut self, setup: Option<GameSetup>) {
        self.game = None;
        self.refusal = None;
        let Some(setup) = setup else {
            let text = "no `game` line came before `uginewgame`".to_owned();
            self.refusal = Some(Refusal { code: "no-game", text });
            return;
        };
        let seed = setup.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        match sit_down(&self.bot, &setup, seed) {
            Ok(game) => self.game = Some(game),
            Err(refusal) => self.refusal = Some(refusal),
        }
        self.you = setup.you;
    }

    fn decide(&mut self, question: &Question, since: Instant) -> io::Result<()> {
        let seat = self.you.unwrap_or(SeatNumber::P1);
        let thinking = Thinking { since, limits: time::limits(question, seat, since) };
        let mut written = Ok(());
        let choice = match (&mut self.game, &question.position) {
            (Some(game), Some(position)) => game.go_to(position).and_then(|()| {
                game.choose(thinking, &mut |info| {
                    if written.is_ok() {
                        written = write_line(&mut self.output, &BotMessage::Info(info));
                    }
                })
            }),
            (None, _) => Err("`go` without a game".to_owned()),
            (_, None) => Err("`go` without a position".to_owned()),
        };
        written?;
        match choice.and_then(|ply| ply.parse().map_err(|_| format!("`{ply}` is no move"))) {
            Ok(ply) => self.say(&BotMessage::BestMove(question.answer(ply))),
            Err(text) => {
                // A question is owed an answer, and this bot has none.
                self.complain("cannot-decide", text)?;
                self.say(&BotMessage::BestMove(protocol::BestMove::resign()))
            }
        }
    }

    fn complain(&mut self, code: &str, text: String) -> io::Result<()> {
        self.say(&BotMessage::Error(ErrorNotice {
            code: code.to_owned(),
            pairs: Pairs::new(),
            text: Some(text),
        }))
    }

    fn say(&mut self, message: &BotMessage) -> io::Result<()> {
        write_line(&mut self.output, message)
    }
}

fn write_line(output: &mut impl Write, message: &BotMessage) -> io::Result<()> {
    output.write_all(format!("{message}\n").as_bytes())?;
    output.flush()
}
