//! The main loop: requests of the arena in, answers out. Another thread reads the lines, so that the bot can be stopped.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::io::{self, BufRead, Write};
use std::panic::resume_unwind;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Instant;

use protocol::{
    BotMessage, ErrorNotice, GameSetup, GameSpec, IdField, Pairs, Question, Reject, Request, SeatNumber,
};
use rules::{Catalogue, Dice, GameRef, OptionSpec, PLAYERS_OPTION, Values};

use crate::bot::{Bot, Thinking};
use crate::game::{Game, Indecision, Refusal, sit_down};
use crate::output::write_line;
use crate::reader::{Open, TimedRequest, read};
use crate::search::SearchLimits;
use crate::time;

/// Plays until the input ends or `quit` comes. Every line is flushed. While the bot thinks, `isready` is answered at
/// once, and `stop` and `quit` raise the [`crate::StopFlag`] of its limits: a bot that looks at it declares `can stop`.
///
/// # Errors
/// When reading or writing fails; a reader that has gone away ends the loop like `quit`.
pub fn serve<B: Bot>(bot: B, input: impl BufRead + Send, output: impl Write + Send) -> io::Result<()> {
    serve_games(bot, OwnGames::None, input, output)
}

/// Which games of one's own a bot plays.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum OwnGames {
    /// None.
    #[default]
    None,
    /// Every one, by lot from the lists of legal plies that the arena sends.
    ByLot,
    /// Those of this catalogue, whose rules it asks.
    Known(Catalogue),
}

/// Serves a bot that plays games of one's own, too. If the rules of one fail, it says so and ends.
pub(crate) fn serve_games<B: Bot>(
    bot: B,
    own_games: OwnGames,
    input: impl BufRead + Send,
    output: impl Write + Send,
) -> io::Result<()> {
    let output = Mutex::new(output);
    let (sender, requests) = channel();
    let served = thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let sender = sender;
            read(input, &output, &sender)
        });
        let (catalogue, takes_any) = match own_games {
            OwnGames::Known(catalogue) => (catalogue, false),
            other => (Catalogue::default(), other == OwnGames::ByLot),
        };
        let output = &output;
        let mut server =
            Server { bot, output, catalogue, takes_any, game: None, dice: None, refusal: None, you: None };
        let served = server.work(&requests);
        // The reader ends with the input, or with the next line that nobody takes.
        drop(requests);
        let read = reader.join().unwrap_or_else(|panic| resume_unwind(panic));
        served.and(read)
    });
    match served {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}

/// A bot at work.
struct Server<'a, B, W> {
    bot: B,
    output: &'a Mutex<W>,
    /// The games that it has rules of.
    catalogue: Catalogue,
    /// Whether it plays games that it has no rules of.
    takes_any: bool,
    game: Option<Box<dyn Game>>,
    /// What chooses among the legal plies of such a game.
    dice: Option<Dice>,
    /// Why the game that was set up last cannot be played; sent instead of `readyok`.
    refusal: Option<Refusal>,
    you: Option<SeatNumber>,
}

impl<B: Bot, W: Write> Server<'_, B, W> {
    /// Does what is asked, one request after the other.
    fn work(&mut self, requests: &Receiver<TimedRequest>) -> io::Result<()> {
        for TimedRequest { request, since, question } in requests {
            match request {
                Ok(Request::Quit) => return Ok(()),
                Ok(request) => self.answer(request, since, &question)?,
                Err(error) => self.complain("bad-line", error.to_string())?,
            }
        }
        Ok(())
    }

    fn answer(&mut self, request: Request, since: Instant, open: &Open) -> io::Result<()> {
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
            Request::Go(question) => {
                let done = self.decide(&question, since, open);
                open.close();
                done
            }
            // Nothing is asked: what matters of these comes again with the question.
            _ => Ok(()),
        }
    }

    fn introduce(&mut self) -> io::Result<()> {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let spec = |game: GameRef| match game.options.iter().find(|option| option.name == PLAYERS_OPTION) {
            Some(OptionSpec { values: Values::Range(fewest, most), .. }) => {
                let counts: Vec<_> = (*fewest..=*most).map(|count| count.to_string()).collect();
                format!("{}:{PLAYERS_OPTION}={}", game.id, counts.join("|"))
            }
            _ => game.id.to_owned(),
        };
        let specs = self.catalogue.games().map(spec).chain(self.takes_any.then(|| "*".to_owned()));
        let plays = specs.map(|spec| spec.parse::<GameSpec>().expect("ids are game specs"));
        let mut messages = vec![
            BotMessage::Id(IdField::Name, self.bot.name().to_owned()),
            BotMessage::Id(IdField::Author, "the arena contributors".to_owned()),
            BotMessage::Id(IdField::Version, env!("CARGO_PKG_VERSION").to_owned()),
            BotMessage::Id(IdField::Language, "Rust".to_owned()),
            BotMessage::Protocol(protocol::PROTOCOL.into()),
            BotMessage::Plays(plays.collect()),
            BotMessage::Can(words(self.bot.abilities())),
        ];
        if self.takes_any {
            messages.push(BotMessage::Want(words(&["legal"])));
        }
        messages.extend(self.bot.options().into_iter().map(BotMessage::Option));
        messages.push(BotMessage::HelloOk);
        messages.iter().try_for_each(|message| self.say(message))
    }

    fn sit_down(&mut self, setup: Option<GameSetup>) {
        (self.game, self.dice) = (None, None);
        self.refusal = None;
        let Some(setup) = setup else {
            let text = "no `game` line came before `uginewgame`".to_owned();
            self.refusal = Some(Refusal { code: "no-game", text });
            return;
        };
        let seed = setup.seed.unwrap_or_else(|| RandomState::new().build_hasher().finish());
        match sit_down(&self.bot, &self.catalogue, &setup, seed) {
            Ok(game) => self.game = Some(game),
            Err(Refusal { code: "unknown-game", .. }) if self.takes_any => self.dice = Some(Dice::new(seed)),
            Err(refusal) => self.refusal = Some(refusal),
        }
        self.you = setup.you;
    }

    fn decide(&mut self, question: &Question, since: Instant, open: &Open) -> io::Result<()> {
        let seat = self.you.unwrap_or(SeatNumber::P1);
        let limits = SearchLimits { stop: Some(open.stop.clone()), ..time::limits(question, seat, since) };
        let thinking = Thinking { since, limits };
        let mut written = Ok(());
        let listed = question.legal.as_deref().unwrap_or_default();
        let choice = match (&mut self.game, &question.position) {
            (None, _) if self.dice.is_some() => {
                let dice = self.dice.as_mut().filter(|_| !listed.is_empty());
                let ply = dice.and_then(|dice| listed.get(dice.below(listed.len())));
                ply.map(|ply| ply.as_str().to_owned())
                    .ok_or_else(|| "`go` without a list of legal plies".to_owned().into())
            }
            (Some(game), Some(position)) => game.go_to(position).and_then(|()| {
                game.choose(thinking, &mut |info| {
                    if written.is_ok() {
                        written = write_line(self.output, &BotMessage::Info(info));
                    }
                })
            }),
            (None, _) => Err("`go` without a game".to_owned().into()),
            (_, None) => Err("`go` without a position".to_owned().into()),
        };
        written?;
        match choice.and_then(|ply| ply.parse().map_err(|_| format!("`{ply}` is no ply").into())) {
            Ok(ply) => self.say(&BotMessage::BestMove(question.answer(ply))),
            Err(Indecision::Rules(fault)) => {
                // Nothing that it says of this game would be true any more.
                self.complain("rules-failed", fault.to_string())?;
                Err(io::Error::other(fault))
            }
            Err(Indecision::Question(text)) => {
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
        write_line(self.output, message)
    }
}
