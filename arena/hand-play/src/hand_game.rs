//! A game with those who play it: the session, the bots at its seats and the one that advises, and the question that is
//! open. A front end (a terminal, a page) hands on what happens and is told what came of it.

mod restore;

use std::sync::Arc;
use std::time::Duration;

use diagnostic::Failure;
use record::{GameRecord, InfoRecord};
use rules::{Seat, Setup, StartError};
use runner::{
    InteractiveGame, Note, Partner, PartnerEvent, PartnerFailure, PartnerReply, PartnerReport, PlannedBot,
    PlaySettings, Refusal,
};
use settings::TimeControl;
use tournament_file::launcher;

use crate::seating::Seating;
use crate::stopwatch::Stopwatch;

pub use self::restore::KeptGame;

/// Is told what bots say, each by its place: that of its seat, from 0, or the adviser's, after the seats. It is called on threads
/// of the bots and must not wait for them.
pub type TellEvent = Arc<dyn Fn(usize, PartnerEvent) + Send + Sync>;

/// A game with those who play it.
pub struct HandGame {
    session: InteractiveGame,
    start: Option<String>,
    settings: PlaySettings,
    number: u64,
    /// The bot of each seat, then the adviser.
    bots: Vec<PlannedBot>,
    partners: Vec<Option<Partner>>,
    advice: TimeControl,
    tell: TellEvent,
    open: Option<OpenQuestion>,
    serial: u64,
    /// Whether the bot that decides waits for the user's word: two bots play, or it has failed.
    waits: bool,
    /// The time of the session, and what it showed when this game began.
    watch: Stopwatch,
    game_began: Duration,
    started: String,
}

/// A question that is open.
#[derive(Clone, Copy, Debug)]
struct OpenQuestion {
    who: usize,
    id: u64,
    what: Purpose,
}

/// What a question is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// The bot that decides plays.
    Play,
    /// A good ply.
    Hint,
    /// What the position is worth.
    Eval,
}

/// What came of a question, with the name of the bot, fit to be shown.
#[derive(Debug)]
pub struct PartnerNews {
    /// The name of the bot.
    pub name: String,
    /// The seat that decides where the question was put.
    pub seat: Option<Seat>,
    /// What came.
    pub what: PartnerAct,
}

/// What a bot said or did.
#[derive(Debug)]
pub enum PartnerAct {
    /// It says this of its search so far.
    Thinks(PartnerReport),
    /// It cannot be asked to answer at once.
    GoesOn,
    /// These plies of its answer were played.
    Played(Vec<String>, PartnerReply),
    /// It gave the game up.
    Resigned,
    /// Its answer came after its clock had run out: it has lost.
    Late,
    /// Its answer is not legal, for this reason: the game stands, and the bot waits.
    Illegal(Vec<String>, Refusal),
    /// What it advises.
    Advice(Purpose, PartnerReply),
    /// It failed. Where it was to play, the game stands and the bot waits, unless its clock had run out.
    Failed(Purpose, PartnerFailure),
}

/// Which way along the plies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Travel {
    /// Back to the person's decision before.
    Undo,
    /// Back by one ply.
    Back,
    /// Forth to the person's next decision among those taken back.
    Redo,
    /// Forth by one ply.
    Forward,
}

impl HandGame {
    /// Sets a game up; no bot is started before it is asked.
    ///
    /// # Errors
    /// Says what is wrong with the position string.
    pub fn new(
        setup: &Setup,
        start: Option<&str>,
        chairs: Seating,
        settings: PlaySettings,
        tell: TellEvent,
    ) -> Result<Self, StartError> {
        let Seating { sitters, bots, adviser, advice } = chairs;
        let session = InteractiveGame::new(setup, start, sitters, &settings, 1, Duration::ZERO)?;
        let seated = bots.into_iter().map(|bot| bot.unwrap_or_else(|| adviser.clone()));
        let bots: Vec<_> = seated.chain([adviser.clone()]).collect();
        let mut game = Self {
            session,
            start: start.map(str::to_owned),
            settings,
            number: 1,
            partners: bots.iter().map(|_| None).collect(),
            bots,
            advice,
            tell,
            open: None,
            serial: 0,
            waits: false,
            watch: Stopwatch::running(Duration::ZERO),
            game_began: Duration::ZERO,
            started: stamp(),
        };
        game.waits = game.has_two_bots();
        Ok(game)
    }

    /// Returns what is on the board.
    pub const fn session(&self) -> &InteractiveGame {
        &self.session
    }

    /// Returns the number of the game among those played one after the other, from 1.
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Returns the time of the session.
    pub fn now(&self) -> Duration {
        self.watch.now()
    }

    /// Returns the name of the bot that is asked something, fit to be shown, and what it is asked for.
    pub fn asked(&self) -> Option<(String, Purpose)> {
        self.open.map(|open| (self.name(open.who), open.what))
    }

    /// Returns whether the bot that decides waits for the user's word.
    pub fn waits(&self) -> bool {
        self.waits && self.decides_bot()
    }

    /// Returns whether two bots play.
    pub fn has_two_bots(&self) -> bool {
        self.session.sitters().iter().all(|sitter| !sitter.is_person)
    }

    /// Returns whether a person may play a ply now: an own one, or in the place of a bot that waits.
    pub fn is_open_to_person(&self) -> bool {
        let is_asked = self.open.is_some_and(|open| open.what == Purpose::Play);
        let is_free = self.session.decider().is_some() && !is_asked && !self.is_halted();
        is_free && (self.waits || !self.decides_bot())
    }

    /// Returns whether a bot is to be asked now.
    pub fn is_due(&self) -> bool {
        self.open.is_none() && !self.waits && !self.is_halted() && self.decides_bot()
    }

    /// Puts a question to the bot that decides, or to the adviser. Returns whether it was put: nothing is asked once the game
    /// is over, or while another question is open.
    ///
    /// # Errors
    /// When the system refuses what a bot needs.
    pub fn ask(&mut self, wish: Purpose) -> Result<bool, Failure> {
        if self.open.is_some() {
            return Ok(false);
        }
        self.serial += 1;
        let id = self.serial;
        let (who, inquiry) = match wish {
            Purpose::Play => {
                let seat = self.session.decider().map_or(0, Seat::index);
                (seat, self.session.inquiry(id))
            }
            Purpose::Hint | Purpose::Eval => (self.adviser(), self.session.advice(id, &self.advice)),
        };
        let Some(inquiry) = inquiry else { return Ok(false) };
        let partner = match &mut self.partners[who] {
            Some(partner) => partner,
            empty => {
                let tell = Arc::clone(&self.tell);
                let tell = Box::new(move |event| tell(who, event));
                let partner = Partner::new(launcher()?, self.bots[who].clone(), &self.settings, tell);
                empty.insert(partner.map_err(|error| Failure::io("failed to start a thread", &error))?)
            }
        };
        partner.ask(inquiry);
        self.open = Some(OpenQuestion { who, id, what: wish });
        Ok(true)
    }

    /// Takes what a bot said; `None` where it is of no interest any more.
    pub fn hear(&mut self, who: usize, event: PartnerEvent) -> Option<PartnerNews> {
        let (PartnerEvent::Report(id, _)
        | PartnerEvent::Answered(id, _)
        | PartnerEvent::Failed(id, _)
        | PartnerEvent::Unstoppable(id)) = event;
        let open = self.open.filter(|open| open.who == who && open.id == id)?;
        let (name, seat) = (self.name(who), self.session.decider());
        let what = match event {
            PartnerEvent::Report(_, report) => PartnerAct::Thinks(report),
            PartnerEvent::Unstoppable(_) => PartnerAct::GoesOn,
            PartnerEvent::Answered(_, reply) => {
                self.open = None;
                if open.what == Purpose::Play {
                    self.take_answer(reply)
                } else {
                    self.advise(open.what, reply)
                }
            }
            PartnerEvent::Failed(_, failure) => {
                self.open = None;
                let now = self.now();
                let has_lost =
                    failure.is_late && open.what == Purpose::Play && self.session.lose_on_time(now);
                self.waits |= open.what == Purpose::Play && !has_lost;
                PartnerAct::Failed(open.what, failure)
            }
        };
        Some(PartnerNews { name, seat, what })
    }

    fn take_answer(&mut self, reply: PartnerReply) -> PartnerAct {
        if reply.resigns {
            // It was asked, so the game is not over.
            let now = self.now();
            let _ = self.session.resign(now);
            self.changed();
            return PartnerAct::Resigned;
        }
        let (now, before) = (self.now(), self.session.len());
        let info = (reply.report.info != InfoRecord::default()).then(|| reply.report.info.clone());
        match self.session.answer(&reply.plies, info, reply.spent, now) {
            Ok(()) => {
                self.changed();
                let played = self.session.plies().skip(before).take(reply.plies.len());
                PartnerAct::Played(played.map(|(ply, _)| ply.to_owned()).collect(), reply)
            }
            Err(Refusal::Late(_)) => PartnerAct::Late,
            Err(refusal) => {
                self.waits = true;
                PartnerAct::Illegal(reply.plies, refusal)
            }
        }
    }

    fn advise(&mut self, wish: Purpose, reply: PartnerReply) -> PartnerAct {
        if let Some(seat) = self.session.decider() {
            let (by, info, line) =
                (self.name(self.adviser()), reply.report.info.clone(), reply.report.line.clone());
            self.session.note(Note { by, seat, info, line });
        }
        PartnerAct::Advice(wish, reply)
    }

    /// Plays a ply of the person who decides, or of a person in the place of the bot that does.
    ///
    /// # Errors
    /// As [`InteractiveGame::play`].
    pub fn play(&mut self, ply: &str) -> Result<(), Refusal> {
        self.drop_question();
        let now = self.now();
        self.session.play(ply, now)?;
        self.changed();
        Ok(())
    }

    /// Lets the bots play on by themselves.
    pub const fn go(&mut self) {
        self.waits = false;
    }

    /// Has the bot that was asked answer now, and two bots stop after that. Returns whether one was asked.
    pub fn stop(&mut self) -> bool {
        self.waits |= self.has_two_bots();
        let Some(open) = self.open else { return false };
        if let Some(partner) = &self.partners[open.who] {
            partner.stop(open.id);
        }
        true
    }

    /// Goes back or forth along the plies. Returns over how many; `None` where there is nowhere to go.
    pub fn travel(&mut self, way: Travel) -> Option<usize> {
        let now = self.now();
        self.drop_question();
        let plies = match way {
            Travel::Undo => self.session.undo(now),
            Travel::Back => self.session.undo_ply(now),
            Travel::Redo => self.session.redo(now),
            Travel::Forward => self.session.redo_ply(now),
        }?;
        // A bot that is to decide where the user went back to waits for a word.
        self.waits = self.decides_bot();
        Some(plies)
    }

    /// Gives the game up for the seat that decides. At a table of more than two the others play on.
    ///
    /// # Errors
    /// When the game is over.
    pub fn resign(&mut self) -> Result<(), Refusal> {
        let now = self.now();
        self.session.resign(now)?;
        self.drop_question();
        self.changed();
        Ok(())
    }

    /// Ends the game if the time of the person who decides is over. Returns whether it ended now.
    pub fn flag(&mut self) -> bool {
        let now = self.now();
        self.session.flag(now)
    }

    /// Begins another game, with the seats exchanged or not.
    ///
    /// # Errors
    /// Never, since the game was begun from there before.
    pub fn renew(&mut self, swaps: bool) -> Result<(), StartError> {
        self.drop_question();
        let mut sitters = self.session.sitters().clone();
        if swaps {
            // Everybody sits one seat further.
            let adviser = self.adviser();
            sitters.rotate_left(1);
            self.bots[..adviser].rotate_left(1);
            // What a partner says is told by its place.
            self.partners[..adviser].iter_mut().filter_map(Option::take).for_each(Partner::end);
        }
        self.number += 1;
        self.set_going();
        let (setup, now) = (self.session.setup().clone(), self.now());
        self.session =
            InteractiveGame::new(&setup, self.start.as_deref(), sitters, &self.settings, self.number, now)?;
        self.waits = self.has_two_bots();
        (self.game_began, self.started) = (now, stamp());
        Ok(())
    }

    /// Returns the record of the game as it stands.
    pub fn record(&self) -> GameRecord {
        self.session.record(&self.started, self.now().saturating_sub(self.game_began))
    }

    /// Forgets the question that is open, if one is.
    pub fn drop_question(&mut self) {
        if let Some(open) = self.open.take()
            && let Some(partner) = &self.partners[open.who]
        {
            partner.drop_question(open.id);
        }
    }

    /// Lets the bots end politely, so that they may keep what they have learned, and waits for that.
    pub fn end(mut self) {
        self.partners.iter_mut().filter_map(Option::take).for_each(Partner::end);
    }

    /// Returns the place of the adviser among the partners: before it stand the seats.
    fn adviser(&self) -> usize {
        self.session.sitters().len()
    }

    fn changed(&mut self) {
        self.waits = self.waits && self.has_two_bots();
    }

    fn decides_bot(&self) -> bool {
        self.session.decider().is_some_and(|seat| !self.session.sitter(seat).is_person)
    }

    fn name(&self, who: usize) -> String {
        protocol::printable_capped(&self.bots[who].name, 60)
    }
}

/// Returns the time of day, as records have it.
fn stamp() -> String {
    format!("{:.3}", jiff::Timestamp::now())
}
