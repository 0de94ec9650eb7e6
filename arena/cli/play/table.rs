//! The table: what is typed, what bots say, what the game makes of it.

mod answers;
mod keeping;

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _};
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use report::Look;
use rules::{Seat, Setup};
use runner::{Bot, Partner, Refusal, Session, Settings, TimeControl};

use super::entry::Entry;
use super::input::{Happening, Happenings};
use super::save::Log;
use super::seats::Chairs;
use super::show;
use super::talk::{Command, HELP};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::{options, output};

/// How often the clock of a person is looked at.
const TICK: Duration = Duration::from_millis(200);

/// The place of the adviser among the partners; before it stand the seats.
const ADVISER: usize = 2;

/// A game that is being played.
pub(super) struct Table {
    session: Session,
    start: Option<String>,
    settings: Settings,
    number: u64,
    bots: [Bot; 3],
    partners: [Option<Partner>; 3],
    advice: TimeControl,
    log: Option<Log>,
    shows_info: bool,
    is_terminal: bool,
    look: Look,
    happenings: Happenings,
    /// Lines that were typed and not yet taken.
    lines: VecDeque<String>,
    has_ended: bool,
    entry: Entry,
    open: Option<Open>,
    serial: u64,
    /// Whether the bot that decides waits until it is told to: two bots play, or it has failed.
    waits: bool,
    began: Instant,
    /// When the game began.
    game_began: Instant,
    started: String,
    /// Whether something was played since the game was written.
    is_unsaved: bool,
    /// Whether the user was told so.
    is_warned: bool,
    is_prompted: bool,
    has_told_end: bool,
}

/// A question that is open.
#[derive(Clone, Copy, Debug)]
struct Open {
    who: usize,
    id: u64,
    what: Wish,
}

/// What a question is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    Play,
    Hint,
    Eval,
}

impl Table {
    /// Sets a game up.
    ///
    /// # Errors
    /// When the position is none of the game's, or the system refuses what is needed.
    pub(super) fn new(
        setup: &Setup,
        start: Option<&str>,
        chairs: Chairs,
        settings: Settings,
        log: Option<Log>,
        shows_info: bool,
    ) -> Result<Self, Failure> {
        let Chairs { sitters, bots: [first, second], adviser, advice } = chairs;
        let session = Session::new(setup, start, sitters, &settings, 1, Duration::ZERO)
            .map_err(|error| options::position_fault(setup, &error))?;
        let happenings =
            Happenings::listen().map_err(|error| Failure::io("failed to listen to the input", &error))?;
        let is_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
        let now = Instant::now();
        let waits = session.sitters().iter().all(|sitter| !sitter.is_person);
        Ok(Self {
            session,
            start: start.map(str::to_owned),
            settings,
            number: 1,
            bots: [
                first.unwrap_or_else(|| adviser.clone()),
                second.unwrap_or_else(|| adviser.clone()),
                adviser,
            ],
            partners: [None, None, None],
            advice,
            log,
            shows_info,
            is_terminal,
            look: output::look(io::stdout().is_terminal()),
            happenings,
            lines: VecDeque::new(),
            has_ended: false,
            entry: Entry::default(),
            open: None,
            serial: 0,
            waits,
            began: now,
            game_began: now,
            started: stamp(),
            is_unsaved: false,
            is_warned: false,
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
        self.partners.iter_mut().filter_map(Option::take).for_each(Partner::end);
        exit
    }

    fn play(&mut self) -> Result<Exit, Failure> {
        self.greet()?;
        loop {
            self.tell_end()?;
            if self.open.is_none() && self.is_due() {
                self.ask(Wish::Play)?;
            }
            if self.open.is_none() {
                self.prompt()?;
            }
            // Over a pipe a line waits until the bot has answered: a script means what it says.
            if (self.is_terminal || self.open.is_none())
                && let Some(line) = self.lines.pop_front()
            {
                self.is_prompted = false;
                if self.obey(&line)? {
                    return self.leave(Exit::Done);
                }
                continue;
            }
            if self.has_ended && (self.is_terminal || self.open.is_none()) {
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
                    let now = self.now();
                    self.session.flag(now);
                }
                Err(RecvTimeoutError::Disconnected) => self.has_ended = true,
            }
        }
    }

    fn greet(&mut self) -> Result<(), Failure> {
        let names = Seat::BOTH.map(|seat| format!("{seat} {}", show::who(&self.session, seat)));
        let label = self.session.setup().label();
        self.say(&format!("{label}: {}, {}; `help` lists what can be typed\n", names[0], names[1]))?;
        self.board()
    }

    /// Returns whether a bot is to be asked now.
    fn is_due(&self) -> bool {
        let is_bot = |seat: Seat| !self.session.sitter(seat).is_person;
        !self.waits && self.session.decider().is_some_and(is_bot)
    }

    fn prompt(&mut self) -> Result<(), Failure> {
        if !self.is_terminal || std::mem::replace(&mut self.is_prompted, true) {
            return Ok(());
        }
        let text = match self.session.decider() {
            _ if self.entry.is_begun() => "... > ".to_owned(),
            Some(seat) => format!("{seat} {}> ", show::who(&self.session, seat)),
            None => "over> ".to_owned(),
        };
        output::print(&text)
    }

    /// Tells the end of the game, once, and writes the game where that was asked for.
    fn tell_end(&mut self) -> Result<(), Failure> {
        let ending = self.session.ending();
        let is_news = ending.is_some() && !self.has_told_end;
        self.has_told_end = ending.is_some();
        let Some(ending) = ending.filter(|_| is_news) else { return Ok(()) };
        self.entry.clear();
        if self.is_terminal {
            self.board()?;
        }
        self.say(&show::ending(&self.session, &ending))?;
        if self.log.is_some() { self.save(None) } else { Ok(()) }
    }

    /// Does what a line says and returns whether the game is left.
    fn obey(&mut self, line: &str) -> Result<bool, Failure> {
        let command = Command::read(line);
        if command != Command::Quit {
            self.is_warned = false;
        }
        let now = self.now();
        match command {
            Command::Empty => self.go_on()?,
            Command::Help => self.say(HELP)?,
            Command::Board => self.board()?,
            Command::Legal(start) => self.say(&show::legal(&self.session, &start, self.look.width))?,
            Command::Position => self.say(&format!("{}\n", self.session.position()))?,
            Command::Moves => self.say(&show::moves(&self.session))?,
            Command::Undo => self.travel(Session::undo, "there is nothing to take back")?,
            Command::Back => self.travel(Session::undo_ply, "there is nothing to take back")?,
            Command::Redo => self.travel(Session::redo, "nothing was taken back")?,
            Command::Forward => self.travel(Session::redo_ply, "nothing was taken back")?,
            Command::Hint => self.ask(Wish::Hint)?,
            Command::Eval => self.ask(Wish::Eval)?,
            Command::Clock => self.say(&show::clocks(&self.session, now))?,
            Command::Save(path) => self.save(path)?,
            Command::Resign => self.resign()?,
            Command::New(swaps) => self.renew(swaps)?,
            Command::Play => self.set_going()?,
            Command::Stop => self.stop()?,
            Command::Quit => return self.quit(),
            Command::Ply(text) => self.enter(&text)?,
        }
        Ok(false)
    }

    /// Takes a ply, or a part of one.
    fn enter(&mut self, text: &str) -> Result<(), Failure> {
        let Some(seat) = self.session.decider() else {
            return self.say("the game is over: `new` begins another one, `undo` takes a ply back\n");
        };
        let is_bot = !self.session.sitter(seat).is_person;
        if is_bot && (self.open.is_some() || !self.waits) {
            let name = show::who(&self.session, seat);
            return self.say(&format!("{name} decides; `stop` has it answer, `undo` takes your ply back\n"));
        }
        match self.entry.take(text, &self.session.clicks(), &self.session.legal()) {
            Ok(Some(ply)) => self.play_ply(seat, &ply),
            Ok(None) => {
                let asked = self.entry.describe();
                self.say(&format!("{asked}\n"))
            }
            Err(fault) => self.say(&format!("{fault}\n")),
        }
    }

    fn play_ply(&mut self, seat: Seat, ply: &str) -> Result<(), Failure> {
        self.drop_question();
        let now = self.now();
        match self.session.play(ply, now) {
            Ok(()) => {
                self.changed();
                let name = show::who(&self.session, seat);
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
            return if self.entry.is_begun() {
                let asked = self.entry.describe();
                self.say(&format!("{asked}\n"))
            } else {
                Ok(())
            };
        }
        let is_bot = self.session.decider().is_some_and(|seat| !self.session.sitter(seat).is_person);
        if is_bot && self.waits && self.open.is_none() { self.ask(Wish::Play) } else { self.board() }
    }

    fn set_going(&mut self) -> Result<(), Failure> {
        if self.session.ending().is_some() {
            return self.say("the game is over: `new` begins another one\n");
        }
        self.waits = false;
        if self.is_due() { Ok(()) } else { self.say("it is your decision\n") }
    }

    fn stop(&mut self) -> Result<(), Failure> {
        self.waits |= self.has_two_bots();
        match self.open {
            Some(open) => {
                if let Some(partner) = &self.partners[open.who] {
                    partner.stop(open.id);
                }
                Ok(())
            }
            None => self.say("nobody is thinking\n"),
        }
    }

    /// A signal has a bot that thinks answer; returns false where nobody thinks, and the game is to be left.
    fn interrupt(&mut self) -> Result<bool, Failure> {
        if !self.is_terminal || self.open.is_none() || self.is_warned {
            return Ok(false);
        }
        self.is_warned = true;
        self.say("\nit is to answer now; once more leaves the game\n")?;
        self.stop()?;
        Ok(true)
    }

    /// Goes back or forth along the plies.
    fn travel(
        &mut self,
        how: fn(&mut Session, Duration) -> Option<usize>,
        otherwise: &str,
    ) -> Result<(), Failure> {
        let now = self.now();
        self.drop_question();
        self.entry.clear();
        let Some(plies) = how(&mut self.session, now) else { return self.say(&format!("{otherwise}\n")) };
        self.has_told_end = false;
        self.is_unsaved = true;
        // A bot that is to decide where the user went back to waits for a word.
        self.waits = self.session.decider().is_some_and(|seat| !self.session.sitter(seat).is_person);
        let at = self.session.len();
        self.say(&format!(
            "{}, {at} on the board\n",
            output::count(plies as u64, "ply").replace("plys", "plies")
        ))?;
        if self.is_terminal { self.board() } else { Ok(()) }
    }

    fn resign(&mut self) -> Result<(), Failure> {
        match self.session.decider() {
            Some(seat) if !self.session.sitter(seat).is_person => {
                self.say("it is not your decision: resign when it is\n")
            }
            _ => match self.session.resign() {
                Ok(()) => {
                    self.drop_question();
                    self.is_unsaved = true;
                    Ok(())
                }
                Err(refusal) => self.say(&format!("{refusal}\n")),
            },
        }
    }

    fn changed(&mut self) {
        self.entry.clear();
        self.is_unsaved = true;
        self.waits = self.waits && self.has_two_bots();
    }

    fn close(&mut self) {
        self.open = None;
        self.is_prompted = false;
        self.is_warned = false;
    }

    fn drop_question(&mut self) {
        if let Some(open) = self.open.take()
            && let Some(partner) = &self.partners[open.who]
        {
            partner.drop_question(open.id);
        }
    }

    fn has_two_bots(&self) -> bool {
        self.session.sitters().iter().all(|sitter| !sitter.is_person)
    }

    fn name(&self, who: usize) -> String {
        protocol::printable_capped(&self.bots[who].name, 60)
    }

    fn board(&self) -> Result<(), Failure> {
        output::print(&show::board(&self.session, &self.look))
    }

    /// Draws the board at a terminal, where somebody looks at it next.
    fn board_for_person(&self) -> Result<(), Failure> {
        let is_looked_at = self.is_terminal && self.session.decider().is_some() && !self.is_due();
        if is_looked_at { self.board() } else { Ok(()) }
    }

    fn say(&self, text: &str) -> Result<(), Failure> {
        output::print(text)
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
}

/// Returns the time of day, as records have it.
fn stamp() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}
