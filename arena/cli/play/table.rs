//! The table: what is typed, what bots say, what the game makes of it.

use std::collections::VecDeque;
use std::io::{self, IsTerminal as _};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use report::Look;
use rules::{Seat, Setup};
use runner::{
    Bot, Direct, Note, Partner, PartnerEvent, PartnerFailure, PartnerReply, Refusal, Session, Settings,
    TimeControl,
};

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

/// Where a game goes that is left by a signal or the end of the input at a terminal, unless it was saved.
const RESCUE: &str = "arena-play.pgn";

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
        setup: Setup,
        start: Option<&str>,
        chairs: Chairs,
        settings: Settings,
        log: Option<Log>,
        shows_info: bool,
    ) -> Result<Self, Failure> {
        let Chairs { sitters, bots: [first, second], adviser, advice } = chairs;
        let session = Session::new(&setup, start, sitters, &settings, 1, Duration::ZERO)
            .map_err(|error| options::position_fault(&setup, &error))?;
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

    /// Begins another game.
    fn renew(&mut self, swaps: bool) -> Result<(), Failure> {
        self.drop_question();
        if self.log.is_some() && self.is_unsaved {
            self.save(None)?;
        }
        let mut sitters = self.session.sitters().clone();
        if swaps {
            sitters.swap(0, 1);
            self.bots.swap(0, 1);
            self.partners.swap(0, 1);
        }
        // Each is told what its partner says by its place.
        if swaps {
            self.partners[..ADVISER].iter_mut().filter_map(Option::take).for_each(Partner::end);
        }
        self.number += 1;
        let (setup, now) = (self.session.setup().clone(), self.now());
        let begun = Session::new(&setup, self.start.as_deref(), sitters, &self.settings, self.number, now);
        self.session = begun.map_err(|error| options::position_fault(&setup, &error))?;
        self.waits = self.has_two_bots();
        (self.game_began, self.started) = (Instant::now(), stamp());
        (self.is_unsaved, self.has_told_end) = (false, false);
        self.entry.clear();
        self.greet()
    }

    /// Puts a question to the bot that decides, or to the adviser.
    fn ask(&mut self, wish: Wish) -> Result<(), Failure> {
        if let Some(open) = self.open {
            let name = self.name(open.who);
            return self.say(&format!("{name} is thinking: wait for it, or `stop`\n"));
        }
        self.serial += 1;
        let id = self.serial;
        let (who, inquiry) = match wish {
            Wish::Play => {
                let seat = self.session.decider().map_or(0, Seat::index);
                (seat, self.session.inquiry(id))
            }
            Wish::Hint | Wish::Eval => (ADVISER, self.session.advice(id, &self.advice)),
        };
        let Some(inquiry) = inquiry else { return self.say("the game is over\n") };
        let partner = match &mut self.partners[who] {
            Some(partner) => partner,
            empty => {
                let sender = self.happenings.sender();
                // Nobody is left to be told when this fails.
                let tell = Box::new(move |event| drop(sender.send(Happening::Bot(who, event))));
                let partner = Partner::new(Arc::new(Direct), self.bots[who].clone(), &self.settings, tell);
                empty.insert(partner.map_err(|error| Failure::io("failed to start a thread", &error))?)
            }
        };
        partner.ask(inquiry);
        self.open = Some(Open { who, id, what: wish });
        if self.is_terminal {
            let name = self.name(who);
            self.say(&format!("{name} thinks\n"))?;
        }
        Ok(())
    }

    /// Takes what a bot said.
    fn hear(&mut self, who: usize, event: PartnerEvent) -> Result<(), Failure> {
        let (PartnerEvent::Report(id, _)
        | PartnerEvent::Answered(id, _)
        | PartnerEvent::Failed(id, _)
        | PartnerEvent::Unstoppable(id)) = event;
        // What was forgotten meanwhile is of no interest.
        let Some(open) = self.open.filter(|open| open.who == who && open.id == id) else { return Ok(()) };
        match event {
            PartnerEvent::Report(_, report) => {
                if self.shows_info {
                    self.say(&show::report(&self.name(who), &report))
                } else {
                    Ok(())
                }
            }
            PartnerEvent::Unstoppable(_) => {
                let name = self.name(who);
                self.say(&format!("{name} cannot be stopped: it goes on\n"))
            }
            PartnerEvent::Answered(_, reply) => {
                self.close();
                if open.what == Wish::Play {
                    self.take_answer(who, reply)
                } else {
                    self.advise(open.what, &reply)
                }
            }
            PartnerEvent::Failed(_, failure) => {
                self.close();
                self.fail(open, &failure)
            }
        }
    }

    fn take_answer(&mut self, who: usize, reply: PartnerReply) -> Result<(), Failure> {
        let name = self.name(who);
        if reply.resigns {
            let _ = self.session.resign();
            self.is_unsaved = true;
            return self.say(&format!("{name} resigns\n"));
        }
        let (now, seat, before) = (self.now(), self.session.decider(), self.session.len());
        let info = (reply.report.info != record::InfoRecord::default()).then(|| reply.report.info.clone());
        match self.session.answer(&reply.plies, info.clone(), reply.spent, now) {
            Ok(()) => {
                self.changed();
                let played: Vec<_> = self
                    .session
                    .plies()
                    .skip(before)
                    .take(reply.plies.len())
                    .map(|(ply, _)| ply.to_owned())
                    .collect();
                self.say(&show::played(&name, &played, &reply.report, reply.spent))?;
                self.board_for_person()
            }
            Err(Refusal::Late(_)) => {
                self.is_unsaved = true;
                Ok(())
            }
            Err(refusal) => {
                let plies = protocol::printable_capped(&reply.plies.join(" "), 80);
                self.waits = true;
                self.say(&format!("{name} answered `{plies}`, which is not legal"))?;
                let seat = seat.map(|seat| seat.to_string()).unwrap_or_default();
                self.say(&format!(": {refusal}\n{}\n", what_now(&seat)))
            }
        }
    }

    /// Says what a bot advises.
    fn advise(&mut self, wish: Wish, reply: &PartnerReply) -> Result<(), Failure> {
        let name = self.name(ADVISER);
        if let Some(seat) = self.session.decider() {
            let (info, line) = (reply.report.info.clone(), reply.report.line.clone());
            self.session.note(Note { by: name.clone(), seat, info, line });
        }
        let report = show::report(&name, &reply.report);
        match wish {
            Wish::Hint if reply.resigns => self.say(&format!("{name} would resign\n")),
            Wish::Hint => {
                let ply = protocol::printable_capped(&reply.plies.join(" "), 80);
                self.say(&format!("hint: {ply}\n{report}"))
            }
            Wish::Eval | Wish::Play => self.say(&report),
        }
    }

    /// Tells how a bot failed. The game stands as it was, unless it lost on its clock.
    fn fail(&mut self, open: Open, failure: &PartnerFailure) -> Result<(), Failure> {
        let name = self.name(open.who);
        self.say(&show::failure(&name, failure))?;
        if open.what != Wish::Play {
            return Ok(());
        }
        if failure.is_late && self.session.lose_on_time() {
            self.is_unsaved = true;
            return Ok(());
        }
        self.waits = true;
        let seat = self.session.decider().map(|seat| seat.to_string()).unwrap_or_default();
        self.say(&format!("{}\n", what_now(&seat)))
    }

    fn save(&mut self, path: Option<PathBuf>) -> Result<(), Failure> {
        if let Some(path) = path.filter(|path| self.log.as_ref().is_none_or(|log| log.path() != path)) {
            match Log::new(path) {
                Ok(log) => self.log = Some(log),
                Err(failure) => return self.say(&failure.to_string()),
            }
        }
        let record = self.session.record(&self.started, self.game_began.elapsed());
        let Some(log) = &mut self.log else { return self.say("`save FILE` says where to\n") };
        let said = match log.write(&record) {
            Ok(()) => format!("written to {}\n", log.path().display()),
            Err(fault) => format!("{fault}\n"),
        };
        self.is_unsaved &= said.starts_with("cannot");
        self.say(&said)
    }

    /// Leaves, unless the user should first hear that the game is not saved.
    fn quit(&mut self) -> Result<bool, Failure> {
        let is_lost = self.is_terminal && self.is_unsaved && self.log.is_none() && !self.is_warned;
        if is_lost {
            self.is_warned = true;
            self.say("the game is not saved: `save FILE` keeps it, `quit` once more leaves it\n")?;
        }
        Ok(!is_lost)
    }

    fn leave(&mut self, exit: Exit) -> Result<Exit, Failure> {
        self.drop_question();
        let is_rescued = self.is_terminal && !self.is_warned && self.log.is_none();
        if self.is_unsaved && (self.log.is_some() || is_rescued) {
            let path = self.log.is_none().then(|| PathBuf::from(RESCUE));
            // There may be nobody left to read this.
            let _ = self.save(path);
        }
        Ok(exit)
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

/// Says what can be done where a bot has failed.
fn what_now(seat: &str) -> String {
    format!("the game stands: Enter asks once more, a ply plays for {seat}, `undo` takes plies back")
}

/// Returns the time of day, as records have it.
fn stamp() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}
