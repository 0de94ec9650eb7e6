//! The state machine of a dialogue.

use super::ask::Ask;
use super::event::{Event, State};
use super::handshake::Handshake;
use super::identity::{Ability, Identity, Want};
use super::profile::Profile;
use super::settings::SetOptionError;
use crate::lexical::words::{Words, normalise};
use crate::message::one_line;
use crate::{
    AnnouncedResult, AnswerError, ArenaData, ArenaMessage, BestMove, BotMessage, ErrorNotice, GameSetup,
    LineError, PROTOCOL, Pair, Pairs, SeatNumber, printable_capped,
};

/// The most characters of a text sent with `error`.
const MAX_ERROR_TEXT: usize = 1024;

/// The arena's side of the conversation with one process of one bot.
///
/// Methods that send return the text to write, every line with its line feed. An empty text means that this bot gets no
/// message. Calling them in an order that makes no sense is an error of the caller but never panics. [`Dialogue::receive`]
/// reads the lines that come back.
///
/// ```
/// use protocol::{Dialogue, Event, Profile};
///
/// let mut dialogue = Dialogue::new(Profile::default());
/// assert_eq!(dialogue.hello(), "ugi\n");
/// dialogue.receive("id name Piranha 0.3");
/// dialogue.receive("protocol 1");
/// assert_eq!(dialogue.receive("ugiok"), Event::HelloDone);
/// assert_eq!(dialogue.identity().name.as_deref(), Some("Piranha 0.3"));
/// ```
#[derive(Clone, Debug)]
pub struct Dialogue {
    profile: Profile,
    hello_ok: String,
    handshake: Handshake,
    state: State,
    you: Option<SeatNumber>,
    /// The `id` sent with the open question.
    id: Option<u64>,
    is_stopped: bool,
    /// How many `readyok` are due.
    ready_due: u32,
    /// How many answers to abandoned questions may still come.
    answers_due: u32,
    /// How many `response` are due.
    responses_due: u32,
    has_refused: bool,
    /// The highest `id` so far.
    serial: u64,
}

impl Dialogue {
    /// Returns a dialogue before any message.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        Self {
            hello_ok: profile.hello.hello_ok(),
            profile,
            handshake: Handshake::default(),
            state: State::Start,
            you: None,
            id: None,
            is_stopped: false,
            ready_due: 0,
            answers_due: 0,
            responses_due: 0,
            has_refused: false,
            serial: 0,
        }
    }

    /// Returns the word that ends the handshake: `ugiok`.
    #[must_use]
    pub fn hello_ok(&self) -> &str {
        &self.hello_ok
    }

    /// Sends the greeting: `ugi`. The bot answers with its declarations and `ugiok`.
    pub fn hello(&mut self) -> String {
        self.state = State::Handshake;
        line(self.profile.hello.hello())
    }

    /// Introduces the arena and sets the bot's options after the handshake. It leaves out an empty name or version.
    ///
    /// # Errors
    /// If the bot did not declare an option or does not accept its value. Then send nothing.
    pub fn after_hello(
        &mut self,
        options: &[(String, String)],
        arena_name: &str,
        arena_version: &str,
    ) -> Result<String, SetOptionError> {
        let mut text = String::new();
        if self.protocol() > 0 {
            let given = [("name", arena_name), ("version", arena_version)];
            let pairs = given.iter().filter(|(_, value)| !value.is_empty());
            let pairs = pairs.map(|(key, value)| Pair::new(key, value)).collect();
            text = line(&ArenaMessage::Arena(ArenaData { protocol: PROTOCOL.into(), pairs }).to_string());
        }
        for (name, value) in options {
            text.push_str(&self.set_option(name, value)?);
        }
        Ok(text)
    }

    /// Sets one of the bot's options, after the handshake or between games.
    ///
    /// # Errors
    /// If the bot did not declare the option or does not accept the value.
    pub fn set_option(&self, name: &str, value: &str) -> Result<String, SetOptionError> {
        let setting = self.identity().setting(name, value)?;
        Ok(line(&setting.to_string()))
    }

    /// Sets up a game. The bot answers `readyok`, or `reject` if it cannot play it.
    pub fn set_up(&mut self, game: &GameSetup) -> String {
        self.give_up_question();
        self.state = State::SetUp;
        self.you = game.you;
        self.ready_due += 1;
        let mut text = String::new();
        // SPEC 6.8: `game` goes to plain UGI bots too, which ignore it, unless the profile is quiet.
        if self.protocol() > 0 || !self.profile.quiet {
            text.push_str(&line(&game.to_string()));
        }
        text.push_str(&line(&self.profile.hello.new_game()));
        text.push_str("isready\n");
        text
    }

    /// Resynchronizes at any moment: `isready`. Everything before `readyok` is dropped, and an open question is abandoned.
    pub fn ready_check(&mut self) -> String {
        self.give_up_question();
        self.state = State::Resync;
        self.ready_due += 1;
        "isready\n".to_owned()
    }

    /// Checks that the bot is alive without closing an open question: `isready`. A thinking bot answers at once only if it can
    /// [`Ability::Stop`].
    pub fn ping(&mut self) -> String {
        self.ready_due += 1;
        "isready\n".to_owned()
    }

    /// Asks a question: `position`, `board`, `legal` and `after` if wanted, `go`.
    ///
    /// The question has an `id` while an answer to an earlier question may still come, so the arena can recognize a bot that
    /// echoes it. Every question to a bot that can [`Ability::Stop`] has one too, because such a bot may send `readyok` for the
    /// next game before its old answer.
    pub fn ask(&mut self, ask: &Ask<'_>) -> String {
        let mut text = String::new();
        self.ask_into(ask, &mut text);
        text
    }

    /// Appends the text of [`Dialogue::ask`] to `text`. Returns where in it the line `go` begins.
    pub fn ask_into(&mut self, ask: &Ask<'_>, text: &mut String) -> usize {
        self.give_up_question();
        self.state = State::Thinking;
        self.is_stopped = false;
        let mut ask = *ask;
        // SPEC 6.4.14.
        if ask.id.is_none() && (self.answers_due > 0 || self.identity().can(Ability::Stop)) {
            ask.id = Some(self.serial.wrapping_add(1));
        }
        self.serial = self.serial.max(ask.id.unwrap_or(0));
        self.id = ask.id.filter(|_| self.protocol() > 0);
        ask.write(text, self.identity(), &self.profile, self.you)
    }

    /// Asks for the answer now, or returns `None` if the bot cannot be stopped, was stopped already, or has
    /// no question to answer. The `bestmove` is still due.
    pub fn stop(&mut self) -> Option<String> {
        if self.state != State::Thinking || self.is_stopped || !self.identity().can(Ability::Stop) {
            return None;
        }
        self.is_stopped = true;
        Some("stop\n".to_owned())
    }

    /// Announces that the expected ply was played, or returns `None` if the bot is not thinking or cannot ponder.
    pub fn ponder_hit(&mut self) -> Option<String> {
        let is_pondering = self.state == State::Thinking && self.identity().can(Ability::Ponder);
        is_pondering.then(|| "ponderhit\n".to_owned())
    }

    /// Asks about the rules, or returns `None` if the bot does not support that. The bot answers `response`.
    pub fn query(&mut self, question: &str) -> Option<String> {
        if !self.identity().can(Ability::Query) {
            return None;
        }
        self.responses_due += 1;
        Some(line(&format!("query {}", one_line(question))))
    }

    /// Announces an accepted ply, or returns `None` if the bot did not ask for that.
    #[must_use]
    pub fn played(&self, seat: SeatNumber, ply: &str, pairs: &Pairs) -> Option<String> {
        self.identity().wants(Want::Played).then(|| line(&format!("played {seat} {}{pairs}", one_line(ply))))
    }

    /// Announces that a seat is out. If it is the bot's own seat, an open question is abandoned. Empty in plain UGI, which has
    /// no such line.
    pub fn out(&mut self, seat: SeatNumber, code: &str, is_own: bool) -> String {
        if is_own {
            self.give_up_question();
        }
        if self.protocol() == 0 {
            return String::new();
        }
        line(&format!("out {seat} {code}"))
    }

    /// Reports an error to the bot; empty in plain UGI, which has no such line.
    #[must_use]
    pub fn error(&self, code: &str, pairs: &Pairs, text: &str) -> String {
        if self.protocol() == 0 {
            return String::new();
        }
        let text = printable_capped(one_line(text).as_ref(), MAX_ERROR_TEXT);
        line(&ErrorNotice { code: code.to_owned(), pairs: pairs.clone(), text: Some(text) }.to_string())
    }

    /// Ends the game and abandons an open question; empty in plain UGI, which has no such line.
    pub fn game_over(&mut self, outcome: &AnnouncedResult, code: &str, pairs: &Pairs) -> String {
        self.give_up_question();
        if self.protocol() == 0 {
            return String::new();
        }
        line(&format!("gameover {outcome} {code}{pairs}"))
    }

    /// Asks the bot to exit.
    #[must_use]
    pub fn quit(&self) -> String {
        "quit\n".to_owned()
    }

    /// Returns what the bot declared.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        self.handshake.identity()
    }

    /// Returns the version that both sides use; 0 is plain UGI.
    #[must_use]
    pub fn protocol(&self) -> u32 {
        self.identity().protocol()
    }

    /// Returns the state of the dialogue.
    #[must_use]
    pub const fn state(&self) -> State {
        self.state
    }

    /// Returns whether the bot owes an answer, even to an abandoned question, or a `readyok`.
    #[must_use]
    pub const fn is_waiting(&self) -> bool {
        matches!(self.state, State::Handshake | State::Thinking)
            || self.answers_due > 0
            || self.ready_due > 0
            || self.responses_due > 0
    }

    /// Returns whether the bot has ever refused a game. Some bots send `readyok` after `reject` and some do not, so nobody can know
    /// which `isready` its next `readyok` answers: only a new process is surely in step.
    #[must_use]
    pub const fn has_refused(&self) -> bool {
        self.has_refused
    }

    /// Reads a line of the bot, without its line feed, and returns what it means now.
    pub fn receive(&mut self, line: &str) -> Event {
        let message = match BotMessage::parse_with(line, &self.hello_ok) {
            Ok(message) => message,
            Err(LineError::Answer(fault)) => return self.take_answer(Err(fault), id_of(line).as_deref()),
            Err(error) => return Event::Malformed(error),
        };
        match message {
            BotMessage::Log(_) => Event::Log,
            BotMessage::Info(info) if self.state == State::Thinking => Event::Info(info),
            BotMessage::Info(_) => Event::Log,
            BotMessage::BestMove(answer) => {
                let id = answer.pairs.get("id").map(str::to_owned);
                self.take_answer(Ok(answer), id.as_deref())
            }
            BotMessage::ReadyOk => self.take_ready(),
            BotMessage::HelloOk if self.state == State::Handshake => {
                self.state = State::Idle;
                Event::HelloDone
            }
            BotMessage::Reject(reject) if self.state == State::SetUp => {
                self.has_refused = true;
                self.ready_due = 0;
                self.state = State::Idle;
                Event::Rejected(reject)
            }
            BotMessage::Response(text) if self.responses_due > 0 => {
                self.responses_due -= 1;
                Event::Response(text)
            }
            BotMessage::Error(error) => Event::Complaint(error),
            BotMessage::HelloOk | BotMessage::Reject(_) | BotMessage::Response(_) => Event::Unexpected,
            declaration => self.take_declaration(declaration, line.len()),
        }
    }

    fn take_declaration(&mut self, declaration: BotMessage, bytes: usize) -> Event {
        let is_kept = self.state == State::Handshake
            && self.handshake.admits(bytes)
            && self.handshake.declare(declaration);
        if is_kept { Event::Declared } else { Event::Unexpected }
    }

    fn take_ready(&mut self) -> Event {
        self.ready_due = match self.ready_due.checked_sub(1) {
            None => return Event::Stale,
            Some(0) => 0,
            Some(due) => {
                self.ready_due = due;
                return Event::Stale;
            }
        };
        let is_new_game = self.state == State::SetUp;
        if matches!(self.state, State::SetUp | State::Resync) {
            self.state = State::Idle;
        }
        // A bot that reads only between its answers has sent them all, and any bot forgets them when a new game begins. Only a
        // bot that reads while it thinks may still owe one.
        if is_new_game || !self.identity().can(Ability::Stop) {
            self.answers_due = 0;
        }
        Event::Ready
    }

    fn take_answer(&mut self, answer: Result<BestMove, AnswerError>, id: Option<&str>) -> Event {
        let is_old = match (self.id, id) {
            _ if self.state != State::Thinking => true,
            (Some(asked), Some(echoed)) => asked.to_string() != echoed,
            (Some(_) | None, _) => self.answers_due > 0,
        };
        if is_old {
            self.answers_due = self.answers_due.saturating_sub(1);
            return Event::Stale;
        }
        self.state = State::Idle;
        self.id = None;
        match answer {
            Ok(answer) => Event::Answer(answer),
            Err(fault) => Event::BadAnswer(fault),
        }
    }

    fn give_up_question(&mut self) {
        if self.state == State::Thinking {
            self.state = State::Idle;
            self.id = None;
            self.answers_due += 1;
        }
    }
}

/// Returns the `id` of an answer that could not be read.
fn id_of(line: &str) -> Option<String> {
    let pairs = Pairs::from_words(Words::new(&normalise(line)));
    pairs.get("id").map(str::to_owned)
}

fn line(text: &str) -> String {
    format!("{text}\n")
}
