//! A game from a bot's chair: from the words of the protocol to typed positions and back.

use protocol::{GameSetup, Info, PositionMessage, Start};
use rules::{Position, Setup, Visitor, find};

use crate::bot::{Bot, Decision, Player, Thinking};

/// A game being played by some bot, whatever its types.
pub(crate) trait Game {
    /// Goes to the position that a `position` line names.
    ///
    /// # Errors
    /// Says what is wrong with it.
    fn go_to(&mut self, message: &PositionMessage) -> Result<(), String>;

    /// Chooses a ply of the current position.
    ///
    /// # Errors
    /// When the game is over there.
    fn choose(&mut self, thinking: Thinking, say: &mut dyn FnMut(Info)) -> Result<String, String>;
}

/// Why a game cannot be played: a code for `reject`, and words.
pub(crate) struct Refusal {
    pub(crate) code: &'static str,
    pub(crate) text: String,
}

/// Sits a bot down to a game.
pub(crate) fn sit_down<B: Bot>(bot: &B, setup: &GameSetup, seed: u64) -> Result<Box<dyn Game>, Refusal> {
    let game =
        find(&setup.game).map_err(|error| Refusal { code: "unknown-game", text: error.to_string() })?;
    // SPEC 6.3.5: an option that is not known is refused. SPEC 9.2: what starts with `x-` is no option.
    let mut options: Vec<(&str, &str)> = Vec::new();
    for pair in setup.options.iter().filter(|pair| !pair.key().starts_with("x-")) {
        // SPEC 5.6: of a key given twice the first counts.
        if options.iter().all(|(key, _)| *key != pair.key()) {
            options.push((pair.key(), pair.value()));
        }
    }
    let setup: Setup =
        game.setup(&options).map_err(|error| Refusal { code: "bad-option", text: error.to_string() })?;
    // `find` knows the built-in games alone.
    setup.visit(SitDown { bot, seed }).ok_or_else(|| Refusal {
        code: "unknown-game",
        text: format!("`{}` has no rules that a bot of the kit can search", setup.game().id),
    })
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
            from: Start::StartPosition,
            moves: Vec::new(),
            past: past_of(&start),
            position: start,
        })
    }
}

struct Chair<P: Position> {
    options: P::Options,
    player: Box<dyn Player<P>>,
    /// Where the game began, and the plies since.
    from: Start,
    moves: Vec<String>,
    position: P,
    /// The keys of the positions that count for repetition.
    past: Vec<u64>,
}

fn past_of<P: Position>(start: &P) -> Vec<u64> {
    if start.counts_for_repetition() { vec![start.key()] } else { Vec::new() }
}

impl<P: Position> Chair<P> {
    /// Returns how many of the plies of `message` were played already.
    fn known(&self, message: &PositionMessage) -> Option<usize> {
        let is_continued = message.start == self.from
            && message.moves.len() >= self.moves.len()
            && message.moves.iter().zip(&self.moves).all(|(new, old)| new.as_str() == old);
        is_continued.then_some(self.moves.len())
    }

    fn restart(&mut self, from: &Start) -> Result<(), String> {
        self.position = match from {
            Start::StartPosition => P::start(&self.options),
            Start::Fen(text) => P::read(&self.options, text).map_err(|error| error.to_string())?,
        };
        self.from = from.clone();
        self.moves.clear();
        self.past = past_of(&self.position);
        Ok(())
    }
}

impl<P: Position> Game for Chair<P> {
    fn go_to(&mut self, message: &PositionMessage) -> Result<(), String> {
        let known = match self.known(message) {
            Some(known) => known,
            None => {
                self.restart(&message.start)?;
                0
            }
        };
        for ply in &message.moves[known..] {
            self.position.play(ply.as_str()).map_err(|rejection| format!("`{ply}`: {rejection}"))?;
            self.moves.push(ply.as_str().to_owned());
            if self.position.counts_for_repetition() {
                self.past.push(self.position.key());
            }
        }
        Ok(())
    }

    fn choose(&mut self, thinking: Thinking, say: &mut dyn FnMut(Info)) -> Result<String, String> {
        if let Some(verdict) = self.position.outcome() {
            return Err(format!("the game is over ({})", verdict.reason));
        }
        let decision = Decision { position: &self.position, past: &self.past, thinking };
        Ok(self.player.choose(&decision, say).to_string())
    }
}
