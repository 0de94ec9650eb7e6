//! A table: a game, and what was said at it last.

use diagnostic::Failure;
use hand_play::words;
use hand_play::{HandGame, PartnerAct, PartnerNews, Purpose, Seating, TellEvent, Travel};
use page::Stage;
use rules::{Seat, Setup};
use runner::{PartnerEvent, PlaySettings, Refusal};

use super::board_history::BoardHistory;
use super::saved_table::{SavedAdvice, SavedTable, TableSummary};
use super::table_order::TableOrder;
use super::table_request::{CheckedRequest, TableRequest};

/// What is said when the time of a person has run out.
const LATE: &str = "the time was over";

/// A table.
pub(crate) struct GameTable {
    pub game: HandGame,
    pub stage: Stage,
    /// The position in which its games begin.
    pub start: String,
    /// What the plies on the board did.
    pub history: BoardHistory,
    /// What happened last, in words.
    pub said: String,
    /// Whether that is a fault of a bot.
    pub is_fault: bool,
    /// What the bot of each seat said last of its search, or played.
    pub search: Vec<String>,
    pub advice: Option<GivenAdvice>,
    /// Why the table cannot be kept; empty where it can.
    pub unkept: String,
    /// What was wanted, with the seats as they are.
    request: TableRequest,
    seed: u64,
}

/// What was advised in the position on the board.
#[derive(Debug)]
pub(crate) struct GivenAdvice {
    pub words: String,
    /// The ply, of a hint.
    ply: Option<String>,
    /// Its way on the board, as the script of the page reads it; empty where it has none.
    pub way: String,
}

impl GameTable {
    /// Sets a table up, and asks the bot that is to begin.
    ///
    /// # Errors
    /// In words, when the rules fail, or the system refuses what is needed.
    pub(crate) fn new(plan: CheckedRequest, tell: TellEvent) -> Result<Self, String> {
        Self::with(plan, "the game begins", |setup, start, chairs, settings| {
            HandGame::new(setup, start, chairs, settings, tell).map_err(|error| error.to_string())
        })
    }

    /// Sets a kept table up again. No bot is asked and no person's clock runs until the players continue the game.
    ///
    /// # Errors
    /// As [`GameTable::new`], and when what was kept does not fit the game.
    pub(crate) fn restore(plan: CheckedRequest, saved: &SavedTable, tell: TellEvent) -> Result<Self, String> {
        let said = "the game continues where it was left";
        let mut table = Self::with(plan, said, |setup, start, chairs, settings| {
            let game = HandGame::restore(setup, start, chairs, settings, tell, saved.game());
            game.map_err(|error| error.to_string())
        })?;
        if let Some(SavedAdvice { words, ply }) = &saved.advice {
            table.advise(words, ply.clone());
        }
        Ok(table)
    }

    fn with(
        plan: CheckedRequest,
        said: &str,
        game: impl FnOnce(&Setup, Option<&str>, Seating, PlaySettings) -> Result<HandGame, String>,
    ) -> Result<Self, String> {
        let CheckedRequest { setup, start, chairs, settings, request, seed } = plan;
        let stage = Stage::or_plain(&setup);
        let game = game(&setup, start.as_deref(), chairs, settings)?;
        let start = start.map_or_else(|| setup.referee(None).map(|referee| referee.position()), Ok);
        let start = start.map_err(|error| error.to_string())?;
        let search = vec![String::new(); game.session().sitters().len()];
        let mut table = Self {
            game,
            stage,
            start,
            history: BoardHistory::default(),
            said: String::new(),
            is_fault: false,
            search,
            advice: None,
            unkept: String::new(),
            request,
            seed,
        };
        table.say(said);
        table.go_on();
        Ok(table)
    }

    /// Carries an order out.
    ///
    /// # Errors
    /// Says why it cannot be done now; nothing has changed then, but where the time turned out to be over.
    pub(crate) fn obey(&mut self, order: &TableOrder) -> Result<(), String> {
        if let TableOrder::Play(_, Some(at)) = order
            && *at != self.game.session().len()
        {
            return Err("the game has gone on meanwhile".to_owned());
        }
        if !self.can(order) {
            return Err(self.refusal(order));
        }
        match order {
            TableOrder::Play(ply, _) => self.play(ply)?,
            TableOrder::Travel(way) => self.travel(*way),
            TableOrder::Ask(purpose) => self.ask(*purpose),
            TableOrder::Go => self.game.go(),
            TableOrder::Stop => {
                self.game.stop();
            }
            TableOrder::Resign => self.game.resign().map_err(|refusal| refusal.to_string())?,
            TableOrder::New(swaps) => {
                self.game.renew(*swaps).map_err(|error| error.to_string())?;
                if *swaps {
                    self.request.swap();
                }
                self.forget();
                self.search.iter_mut().for_each(String::clear);
                self.say("another game begins");
            }
            TableOrder::Resume => {
                self.game.set_going();
                self.say("the clocks run again");
            }
            // The owner of the table does it.
            TableOrder::Leave | TableOrder::Remove => {}
        }
        self.go_on();
        Ok(())
    }

    /// Returns whether an order makes sense now.
    pub(crate) fn can(&self, order: &TableOrder) -> bool {
        let (game, session) = (&self.game, self.game.session());
        let decider = session.decider();
        if game.is_halted() {
            return matches!(
                order,
                TableOrder::Resume | TableOrder::New(_) | TableOrder::Leave | TableOrder::Remove
            );
        }
        match order {
            TableOrder::Play(..) => game.is_open_to_person(),
            TableOrder::Travel(Travel::Undo | Travel::Back) => !session.is_empty() || decider.is_none(),
            TableOrder::Travel(Travel::Redo | Travel::Forward) => session.taken_back() > 0,
            TableOrder::Ask(Purpose::Play) => game.waits() && game.asked().is_none(),
            TableOrder::Ask(Purpose::Hint | Purpose::Eval) => decider.is_some() && game.asked().is_none(),
            TableOrder::Go => game.waits(),
            TableOrder::Stop => game.asked().is_some() || (game.has_two_bots() && game.is_due()),
            TableOrder::Resign => decider.is_some_and(|seat| session.sitter(seat).is_person),
            TableOrder::Resume => false,
            TableOrder::New(_) | TableOrder::Leave | TableOrder::Remove => true,
        }
    }

    fn refusal(&self, order: &TableOrder) -> String {
        match (self.game.asked(), order) {
            _ if self.game.is_halted() => "the clocks stand still: choose “Go on” first".to_owned(),
            _ if self.game.session().decider().is_none() => "the game is over".to_owned(),
            (Some((name, Purpose::Play)), _) => format!("{name} decides: stop it, or take your ply back"),
            (Some((name, _)), _) => format!("{name} is thinking: wait for it, or stop it"),
            (None, TableOrder::Travel(Travel::Undo | Travel::Back)) => {
                "there is nothing to take back".to_owned()
            }
            (None, TableOrder::Travel(_)) => "nothing was taken back".to_owned(),
            (None, TableOrder::Resign) => "it is not your decision".to_owned(),
            (None, _) => "that cannot be done now".to_owned(),
        }
    }

    fn play(&mut self, ply: &str) -> Result<(), String> {
        let seat = self.game.session().decider();
        match self.game.play(ply) {
            Ok(()) => {
                self.forget();
                let name = seat.map(|seat| self.who(seat)).unwrap_or_default();
                // What is legal has a spelling of ours.
                self.say(&format!("{name} plays {ply}"));
                Ok(())
            }
            Err(Refusal::Late(_)) => {
                self.say(LATE);
                Ok(())
            }
            Err(refusal) => {
                let ply = protocol::printable_capped(ply, 80);
                Err(format!("`{ply}`: {}", protocol::printable_capped(&refusal.to_string(), 200)))
            }
        }
    }

    fn travel(&mut self, way: Travel) {
        let Some(plies) = self.game.travel(way) else {
            self.say("there is nothing further that way");
            return;
        };
        self.forget();
        let word = if plies == 1 { "ply" } else { "plies" };
        let verb = if matches!(way, Travel::Undo | Travel::Back) { "taken back" } else { "played again" };
        self.say(&format!("{plies} {word} {verb}"));
    }

    fn ask(&mut self, purpose: Purpose) {
        match self.game.ask(purpose) {
            Ok(_) => {}
            Err(failure) => self.fail(&failure),
        }
    }

    /// Asks the bot that is to decide, where one is.
    pub(crate) fn go_on(&mut self) {
        self.history.follow(&self.stage, &self.start, self.game.session());
        if self.game.is_due() {
            self.ask(Purpose::Play);
        }
    }

    /// Ends the game if the time of the person who decides is over. Returns whether it ended now.
    pub(crate) fn flag(&mut self) -> bool {
        let has_ended = self.game.flag();
        if has_ended {
            self.say(LATE);
        }
        has_ended
    }

    /// Takes what a bot said. Returns whether anything changed.
    pub(crate) fn hear(&mut self, who: usize, event: PartnerEvent) -> bool {
        let Some(PartnerNews { name, seat, what }) = self.game.hear(who, event) else { return false };
        let (index, is_seated) = (who.min(self.search.len() - 1), who < self.search.len());
        match what {
            PartnerAct::Thinks(report) if is_seated => self.search[index] = words::thoughts(&report),
            PartnerAct::Thinks(_) => {}
            PartnerAct::GoesOn => self.say(&format!("{name} cannot be stopped: it continues")),
            PartnerAct::Played(plies, reply) => {
                self.forget();
                self.search[index] = words::thoughts(&reply.report);
                self.say(&words::played(&name, &plies, &reply.report, reply.spent));
            }
            PartnerAct::Resigned => self.say(&format!("{name} resigns")),
            PartnerAct::Late => self.say(&format!("the time of {name} was over")),
            PartnerAct::Illegal(plies, refusal) => {
                let plies = protocol::printable_capped(&plies.join(" "), 80);
                let fault = protocol::printable_capped(&refusal.to_string(), 200);
                self.blame(&format!("{name} answered `{plies}`, which is not legal: {fault}"));
            }
            PartnerAct::Advice(purpose, reply) => {
                let is_hint = purpose == Purpose::Hint;
                let seat = seat.map_or_else(String::new, |seat| format!(" for {seat}"));
                let thoughts = words::report(&format!("{name}{seat}"), &reply.report);
                let plies = protocol::printable_capped(&reply.plies.join(" "), 80);
                let words = match (is_hint, reply.resigns) {
                    (true, true) => format!("{name} would resign"),
                    (true, false) => format!("hint: {plies}\n{thoughts}"),
                    (false, _) => thoughts,
                };
                self.advise(&words, reply.plies.into_iter().next().filter(|_| is_hint));
            }
            PartnerAct::Failed(_, failure) => self.blame(&words::failure(&name, &failure)),
        }
        self.go_on();
        true
    }

    /// Takes advice for the position on the board, with the ply where it names one.
    fn advise(&mut self, words: &str, ply: Option<String>) {
        let way = ply.as_ref().and_then(|ply| self.way(ply)).unwrap_or_default();
        self.advice = Some(GivenAdvice { words: words.trim().to_owned(), ply, way });
    }

    /// Returns the way of a ply on the board; `None` where it is not legal.
    fn way(&self, ply: &str) -> Option<String> {
        let session = self.game.session();
        let position = session.position();
        let mut referee = session.setup().referee(Some(&position)).ok()?;
        referee.submit(ply).ok()?;
        let [_, way, _] = self.stage.step(&position, ply, &referee.position())?;
        Some(way)
    }

    /// Returns the name of who sits at a seat, fit to be shown.
    pub(crate) fn who(&self, seat: Seat) -> String {
        protocol::printable_capped(&self.game.session().sitter(seat).name, 60)
    }

    /// Returns what is kept of it.
    pub(crate) fn saved(&self) -> SavedTable {
        let session = self.game.session();
        let state = match (session.ending(), session.decider()) {
            (Some(ending), _) => words::ending(session, &ending).trim().to_owned(),
            (None, Some(seat)) => format!("{seat} ({}) decides", self.who(seat)),
            (None, None) => String::new(),
        };
        let (game, plies) = (session.setup().label(), session.len());
        let names = Seat::all(session.setup().seats()).map(|seat| self.who(seat)).collect();
        let summary = TableSummary { game, names, plies, state };
        let advice = self.advice.as_ref();
        let advice =
            advice.map(|advice| SavedAdvice { words: advice.words.clone(), ply: advice.ply.clone() });
        SavedTable::of(summary, self.request.clone(), self.seed, self.game.kept(), advice)
    }

    fn forget(&mut self) {
        self.advice = None;
    }

    fn say(&mut self, words: &str) {
        words.trim().clone_into(&mut self.said);
        self.is_fault = false;
    }

    fn blame(&mut self, words: &str) {
        self.say(words);
        self.is_fault = true;
    }

    fn fail(&mut self, failure: &Failure) {
        self.blame(&failure.first());
    }
}
