//! The table: what is typed, what bots say, what the game makes of it.

mod answers;
mod keeping;
mod looking;

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::harmless::{Stream, is_terminal};
use diagnostic::output;
use hand_play::words;
use hand_play::{GameLogFile, HandGame, Purpose, Seating, Travel, TypedPly};
use report::Look;
use rules::{Seat, Setup};
use runner::{PlaySettings, Refusal};
use tournament_file::game_options;

use super::command::{HELP, PlayCommand};
use super::input::{Happening, Happenings};
use super::show;
use crate::terminal;

/// How often the clock of a person is looked at.
const TICK: Duration = Duration::from_millis(200);

/// A game that is being played.
pub(super) struct TerminalGame {
    game: HandGame,
    log: Option<GameLogFile>,
    shows_info: bool,
    is_terminal: bool,
    look: Look,
    happenings: Happenings,
    /// Lines that were typed and not yet taken.
    lines: VecDeque<String>,
    has_ended: bool,
    entry: TypedPly,
    /// Whether something was played since the game was written.
    is_unsaved: bool,
    /// Whether the user was told so.
    is_warned: bool,
    /// Whether the user said that it need not be.
    is_given_up: bool,
    is_prompted: bool,
    has_told_end: bool,
}

impl TerminalGame {
    /// Sets a game up.
    ///
    /// # Errors
    /// When the position is none of the game's, or the system refuses what is needed.
    pub(super) fn new(
        setup: &Setup,
        start: Option<&str>,
        chairs: Seating,
        settings: PlaySettings,
        log: Option<GameLogFile>,
        shows_info: bool,
    ) -> Result<Self, Failure> {
        let happenings = Happenings::listen()?;
        let sender = happenings.sender();
        // Nobody is left to be told when this fails.
        let tell = Arc::new(move |who, event| drop(sender.send(Happening::Bot(who, event))));
        let game = HandGame::new(setup, start, chairs, settings, tell)
            .map_err(|error| game_options::position_error(setup, &error))?;
        let is_terminal = io::stdin().is_terminal() && is_terminal(Stream::Out);
        Ok(Self {
            game,
            log,
            shows_info,
            is_terminal,
            look: terminal::look_at_output(),
            happenings,
            lines: VecDeque::new(),
            has_ended: false,
            entry: TypedPly::default(),
            is_unsaved: false,
            is_warned: false,
            is_given_up: false,
            is_prompted: false,
            has_told_end: false,
        })
    }

    /// Plays until the game is left.
    ///
    /// # Errors
    /// When nothing can be written.
    pub(super) fn run(mut self) -> Result<Exit, Failure> {
        let exit = self.play();
        // Politely, so that a bot may keep what it has learned.
        self.game.end();
        exit
    }

    fn play(&mut self) -> Result<Exit, Failure> {
        self.greet()?;
        loop {
            self.tell_end()?;
            if self.game.is_due() {
                self.ask(Purpose::Play)?;
            }
            let is_asked = self.game.asked().is_some();
            if !is_asked {
                self.prompt()?;
            }
            // Over a pipe a line waits until the bot has answered: a script means what it says.
            if (self.is_terminal || !is_asked)
                && let Some(line) = self.lines.pop_front()
            {
                self.is_prompted = false;
                if self.obey(&line)? {
                    return self.leave(Exit::Done);
                }
                continue;
            }
            if self.has_ended && (self.is_terminal || !is_asked) {
                return self.leave(Exit::Done);
            }
            match self.happenings.receiver().recv_timeout(TICK) {
                Ok(Happening::Line(line)) => self.lines.push_back(line),
                Ok(Happening::End) => self.has_ended = true,
                Ok(Happening::Bot(who, event)) => self.hear(who, event)?,
                Ok(Happening::Interrupt) => {
                    if !self.interrupt()? {
                        return self.leave(Exit::Interrupted);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    self.game.flag();
                }
                Err(RecvTimeoutError::Disconnected) => self.has_ended = true,
            }
        }
    }

    fn greet(&mut self) -> Result<(), Failure> {
        let session = self.game.session();
        let names =
            Seat::all(session.setup().seats()).map(|seat| format!("{seat} {}", words::who(session, seat)));
        let names = names.collect::<Vec<_>>().join(", ");
        let label = session.setup().label();
        self.say(&format!("{label}: {names}; `help` lists what can be typed\n"))?;
        self.board()
    }

    fn prompt(&mut self) -> Result<(), Failure> {
        if !self.is_terminal || std::mem::replace(&mut self.is_prompted, true) {
            return Ok(());
        }
        let text = match self.game.session().decider() {
            _ if self.entry.is_begun() => "... > ".to_owned(),
            Some(seat) => format!("{seat} {}> ", words::who(self.game.session(), seat)),
            None => "over> ".to_owned(),
        };
        output::print(&text)
    }

    /// Tells the end of the game, once, and writes the game where that was asked for.
    fn tell_end(&mut self) -> Result<(), Failure> {
        let ending = self.game.session().ending();
        let is_news = ending.is_some() && !self.has_told_end;
        self.has_told_end = ending.is_some();
        let Some(ending) = ending.filter(|_| is_news) else { return Ok(()) };
        self.entry.clear();
        if self.is_terminal {
            self.board()?;
        }
        let session = self.game.session();
        let why = words::end(session).map_or_else(String::new, |end| format!("{}\n", end.words()));
        self.say(&format!("{}{why}", words::ending(session, &ending)))?;
        if self.log.is_some() { self.save(None) } else { Ok(()) }
    }

    /// Does what a line says and returns whether the game is left.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let command = PlayCommand::read(line);
        if command != PlayCommand::Quit {
            self.is_warned = false;
        }
        let session = self.game.session();
        match command {
            PlayCommand::Empty => self.go_on()?,
            PlayCommand::Help => self.say(HELP)?,
            PlayCommand::Board => self.board()?,
            PlayCommand::Look(look) => self.look_back(look)?,
            PlayCommand::Legal(start) => {
                self.say(&show::legal(self.game.session(), &start, self.look.width))?;
            }
            PlayCommand::Position => self.say(&format!("{}\n", self.game.session().position()))?,
            PlayCommand::Moves => self.say(&show::moves(self.game.session()))?,
            PlayCommand::Undo => self.travel(Travel::Undo, "there is nothing to take back")?,
            PlayCommand::Back => self.travel(Travel::Back, "there is nothing to take back")?,
            PlayCommand::Redo => self.travel(Travel::Redo, "nothing was taken back")?,
            PlayCommand::Forward => self.travel(Travel::Forward, "nothing was taken back")?,
            PlayCommand::Hint => self.ask(Purpose::Hint)?,
            PlayCommand::Eval => self.ask(Purpose::Eval)?,
            PlayCommand::Clock => self.say(&show::clocks(session, self.game.now()))?,
            PlayCommand::Save(path) => self.save(path)?,
            PlayCommand::Resign => self.resign()?,
            PlayCommand::New(swaps) => self.renew(swaps)?,
            PlayCommand::Play => self.set_going()?,
            // A chain that was begun stops, no matter who thinks.
            PlayCommand::Stop if self.entry.is_begun() => self.enter("stop")?,
            PlayCommand::Stop => self.stop()?,
            PlayCommand::Quit => return self.quit(),
            PlayCommand::Ply(text) => self.enter(&text)?,
        }
        Ok(false)
    }

    /// Takes a ply, or a part of one.
    fn enter(&mut self, text: &str) -> Result<(), Failure> {
        let session = self.game.session();
        let Some(seat) = session.decider() else {
            return self.say("the game is over: `new` begins another one, `undo` takes a ply back\n");
        };
        if !self.game.is_open_to_person() {
            let name = words::who(session, seat);
            return self.say(&format!("{name} decides; `stop` has it answer, `undo` takes your ply back\n"));
        }
        match self.entry.take(text, &session.clicks(), &session.legal()) {
            Ok(Some(ply)) => self.play_ply(seat, &ply),
            Ok(None) => self.tell_begun(),
            Err(fault) => self.say(&format!("{fault}\n")),
        }
    }

    fn play_ply(&mut self, seat: Seat, ply: &str) -> Result<(), Failure> {
        match self.game.play(ply) {
            Ok(()) => {
                self.changed();
                let name = words::who(self.game.session(), seat);
                self.say(&format!("{name} plays {ply}\n"))?;
                self.board_for_person()
            }
            Err(Refusal::Late(_)) => Ok(()),
            Err(refusal) => self.say(&format!("{refusal}\n")),
        }
    }

    /// What Enter does.
    fn go_on(&mut self) -> Result<(), Failure> {
        if self.entry.is_begun() {
            self.entry.back();
            return if self.entry.is_begun() { self.tell_begun() } else { Ok(()) };
        }
        if self.game.waits() && self.game.asked().is_none() { self.ask(Purpose::Play) } else { self.board() }
    }

    fn set_going(&mut self) -> Result<(), Failure> {
        if self.game.session().ending().is_some() {
            return self.say("the game is over: `new` begins another one\n");
        }
        self.game.go();
        if self.is_asking() { Ok(()) } else { self.say("it is your decision\n") }
    }

    fn stop(&mut self) -> Result<(), Failure> {
        if self.game.stop() { Ok(()) } else { self.say("nobody is thinking\n") }
    }

    /// A signal has a bot that thinks answer; returns false where nobody thinks, and the game is to be left.
    fn interrupt(&mut self) -> Result<bool, Failure> {
        if !self.is_terminal || self.game.asked().is_none() || self.is_warned {
            return Ok(false);
        }
        self.is_warned = true;
        self.say("\nit is to answer now; a second Ctrl-C leaves the game\n")?;
        self.stop()?;
        Ok(true)
    }

    /// Goes back or forth along the plies.
    fn travel(&mut self, way: Travel, otherwise: &str) -> Result<(), Failure> {
        self.entry.clear();
        let Some(plies) = self.game.travel(way) else { return self.say(&format!("{otherwise}\n")) };
        self.has_told_end = false;
        self.is_unsaved = true;
        let word = |count: usize| if count == 1 { "ply" } else { "plies" };
        let at = self.game.session().len();
        self.say(&format!("went over {plies} {}: {at} {} on the board\n", word(plies), word(at)))?;
        if self.is_terminal { self.board() } else { Ok(()) }
    }

    fn resign(&mut self) -> Result<(), Failure> {
        let session = self.game.session();
        if session.decider().is_some_and(|seat| !session.sitter(seat).is_person) {
            return self.say("it is not your decision: resign when it is\n");
        }
        match self.game.resign() {
            Ok(()) => {
                self.is_unsaved = true;
                match self.game.session().decider() {
                    Some(_) => self.say("you are out, and the others play on; `undo` takes that back\n"),
                    None => Ok(()),
                }
            }
            Err(refusal) => self.say(&format!("{refusal}\n")),
        }
    }

    fn changed(&mut self) {
        self.entry.clear();
        self.is_unsaved = true;
    }

    /// A question was answered, or will not be.
    fn close(&mut self) {
        self.is_prompted = false;
        self.is_warned = false;
    }

    /// Returns whether a bot is asked for its ply, or about to be.
    fn is_asking(&self) -> bool {
        self.game.is_due() || matches!(self.game.asked(), Some((_, Purpose::Play)))
    }

    fn board(&self) -> Result<(), Failure> {
        output::print(&show::board(self.game.session(), &self.look))
    }

    /// Draws the board at a terminal, where somebody looks at it next.
    fn board_for_person(&self) -> Result<(), Failure> {
        let is_looked_at = self.is_terminal && self.game.session().decider().is_some() && !self.game.is_due();
        if is_looked_at { self.board() } else { Ok(()) }
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        output::print(text)
    }
}
