//! A game from a bot's chair: from the words of the protocol to positions and back.

use protocol::{GameSetup, Info, PositionMessage, Start};
use rules::{
    Catalogue, PLAYERS_OPTION, Position, Referee, Rejection, RulesFault, Setup, StartError, Verdict, Visitor,
};

use crate::bot::{Bot, Decision, Player, Thinking};
use crate::game_position::OwnPosition;

/// A game being played by some bot, whatever its types.
pub(crate) trait Game {
    /// Goes to the position that a `position` line names.
    ///
    /// # Errors
    /// Says what is wrong with it.
    fn go_to(&mut self, message: &PositionMessage) -> Result<(), Indecision>;

    /// Chooses a ply of the current position.
    ///
    /// # Errors
    /// When the game is over there.
    fn choose(&mut self, thinking: Thinking, say: &mut dyn FnMut(Info)) -> Result<String, Indecision>;
}

/// Why a bot has no ply.
#[derive(Debug)]
pub(crate) enum Indecision {
    /// It was asked what it cannot answer.
    Question(String),
    /// The rules of a game of one's own have failed: it cannot play on.
    Rules(RulesFault),
}

impl From<String> for Indecision {
    fn from(words: String) -> Self {
        Self::Question(words)
    }
}

impl From<StartError> for Indecision {
    fn from(error: StartError) -> Self {
        match error {
            StartError::Position(error) => Self::Question(error.to_string()),
            StartError::Rules(fault) => Self::Rules(fault),
        }
    }
}

/// Why a game cannot be played: a code for `reject`, and words.
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) text: String,
}

/// Sits a bot down to a game of the catalogue.
pub(crate) fn sit_down<B: Bot>(
    bot: &B,
    catalogue: &Catalogue,
    setup: &GameSetup,
    seed: u64,
) -> Result<Box<dyn Game>, Refusal> {
    let game = catalogue
        .find(&setup.game)
        .map_err(|error| Refusal { code: "unknown-game", text: error.to_string() })?;
    // SPEC 6.3.5: an option that is not known is refused. SPEC 9.2: what starts with `x-` is no option.
    let mut options: Vec<(&str, &str)> = Vec::new();
    for pair in setup.options.iter().filter(|pair| !pair.key().starts_with("x-")) {
        // SPEC 5.6: of a key given twice the first counts.
        if options.iter().all(|(key, _)| *key != pair.key()) {
            options.push((pair.key(), pair.value()));
        }
    }
    // The number of seats has a pair of its own.
    let players = setup.players.to_string();
    if setup.players != 2 && game.options.iter().any(|option| option.name == PLAYERS_OPTION) {
        options.push((PLAYERS_OPTION, &players));
    }
    let setup: Setup =
        game.setup(&options).map_err(|error| Refusal { code: "bad-option", text: error.to_string() })?;
    if let Some(game) = setup.visit(SitDown { bot, seed }) {
        return Ok(game);
    }
    let referee =
        setup.referee(None).map_err(|error| Refusal { code: "rules-failed", text: error.to_string() })?;
    let player = bot.sit_down::<OwnPosition>(seed);
    Ok(Box::new(OwnChair { setup, player, line: Line::default(), referee }))
}

/// Where a game began, and the plies since.
struct Line {
    from: Start,
    moves: Vec<String>,
}

impl Default for Line {
    fn default() -> Self {
        Self { from: Start::StartPosition, moves: Vec::new() }
    }
}

impl Line {
    /// Returns how many of the plies of `message` were played already; `None` if it is another line.
    fn known(&self, message: &PositionMessage) -> Option<usize> {
        let is_continued = message.start == self.from
            && message.moves.len() >= self.moves.len()
            && message.moves.iter().zip(&self.moves).all(|(new, old)| new.as_str() == old);
        is_continued.then_some(self.moves.len())
    }
}

/// A game of one's own: its rules are asked.
struct OwnChair {
    setup: Setup,
    player: Box<dyn Player<OwnPosition>>,
    line: Line,
    referee: Box<dyn Referee>,
}

impl Game for OwnChair {
    fn go_to(&mut self, message: &PositionMessage) -> Result<(), Indecision> {
        let known = match self.line.known(message) {
            Some(known) => known,
            None => {
                let from = match &message.start {
                    Start::StartPosition => None,
                    Start::Fen(text) => Some(text.as_str()),
                };
                self.referee = self.setup.referee(from)?;
                self.line = Line { from: message.start.clone(), moves: Vec::new() };
                0
            }
        };
        for ply in &message.moves[known..] {
            self.referee.submit(ply.as_str()).map_err(|rejection| match rejection {
                Rejection::Rules(fault) => Indecision::Rules(*fault),
                rejection => format!("`{ply}`: {rejection}").into(),
            })?;
            self.line.moves.push(ply.as_str().to_owned());
        }
        Ok(())
    }

    fn choose(&mut self, thinking: Thinking, say: &mut dyn FnMut(Info)) -> Result<String, Indecision> {
        must_go_on(self.referee.outcome())?;
        let stop = thinking.limits.stop.clone().unwrap_or_default();
        let position = OwnPosition::new(self.referee.fork(), stop);
        let ply = self.player.choose(&Decision { position: &position, past: &[], thinking }, say);
        match position.fault() {
            Some(fault) => Err(Indecision::Rules(fault)),
            None => Ok(ply.to_string()),
        }
    }
}

fn must_go_on(outcome: Option<Verdict>) -> Result<(), Indecision> {
    match outcome {
        Some(verdict) => Err(format!("the game is over ({})", verdict.reason).into()),
        None => Ok(()),
    }
}

struct SitDown<'a, B> {
    bot: &'a B,
    seed: u64,
}

impl<B: Bot> Visitor for SitDown<'_, B> {
    type Output = Box<dyn Game>;

    fn visit<P: Position>(self, options: &P::Options) -> Box<dyn Game> {
        let start = P::start(options);
        Box::new(Chair {
            options: options.clone(),
            player: self.bot.sit_down::<P>(self.seed),
            line: Line::default(),
            past: past_of(&start),
            position: start,
        })
    }
}

struct Chair<P: Position> {
    options: P::Options,
    player: Box<dyn Player<P>>,
    line: Line,
    position: P,
    /// The keys of the positions that count for repetition.
    past: Vec<u64>,
}

fn past_of<P: Position>(start: &P) -> Vec<u64> {
    if start.counts_for_repetition() { vec![start.key()] } else { Vec::new() }
}

impl<P: Position> Chair<P> {
    fn restart(&mut self, from: &Start) -> Result<(), String> {
        self.position = match from {
            Start::StartPosition => P::start(&self.options),
            Start::Fen(text) => P::read(&self.options, text).map_err(|error| error.to_string())?,
        };
        self.line = Line { from: from.clone(), moves: Vec::new() };
        self.past = past_of(&self.position);
        Ok(())
    }
}

impl<P: Position> Game for Chair<P> {
    fn go_to(&mut self, message: &PositionMessage) -> Result<(), Indecision> {
        let known = match self.line.known(message) {
            Some(known) => known,
            None => {
                self.restart(&message.start)?;
                0
            }
        };
        for ply in &message.moves[known..] {
            self.position.play(ply.as_str()).map_err(|rejection| format!("`{ply}`: {rejection}"))?;
            self.line.moves.push(ply.as_str().to_owned());
            if self.position.counts_for_repetition() {
                self.past.push(self.position.key());
            }
        }
        Ok(())
    }

    fn choose(&mut self, thinking: Thinking, say: &mut dyn FnMut(Info)) -> Result<String, Indecision> {
        must_go_on(self.position.outcome())?;
        let decision = Decision { position: &self.position, past: &self.past, thinking };
        Ok(self.player.choose(&decision, say).to_string())
    }
}
