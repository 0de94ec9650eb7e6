//! The bot's side of the conversation, without I/O: it turns lines of the arena into requests.

use std::time::Duration;

use crate::{
    After, ArenaData, ArenaMessage, BestMove, ErrorNotice, GameEnd, GameSetup, GoLimits, LineError,
    OutNotice, Pairs, Played, PlyToken, PositionMessage, Query, SetOption,
};

/// A request of the arena to a bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Request {
    /// Introduce yourself, then `ugiok`.
    Hello,
    /// The arena introduces itself.
    Arena(ArenaData),
    /// Set an option.
    SetOption(SetOption),
    /// Forget everything: a new game begins, the one that the last `game` line named, if there was one.
    NewGame(Option<GameSetup>),
    /// Answer `readyok` at once.
    IsReady,
    /// The start of the game and every ply since.
    Position(PositionMessage),
    /// The current position string.
    Board(String),
    /// Every legal ply.
    Legal(Vec<PlyToken>),
    /// One legal ply and the position that it leads to.
    After(After),
    /// Decide.
    Go(Question),
    /// Answer now.
    Stop,
    /// The expected ply was played.
    PonderHit,
    /// Answer a question about the rules.
    Query(Query),
    /// A ply was accepted.
    Played(Played),
    /// Something was wrong.
    Error(ErrorNotice),
    /// A seat is out, and the others play on.
    Out(OutNotice),
    /// The game has ended.
    GameOver(GameEnd),
    /// Exit.
    Quit,
}

/// A question, with everything that the arena sent before it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The start and plies of the game, if the arena sent them.
    pub position: Option<PositionMessage>,
    /// The current position string, if the arena sent it after the position.
    pub board: Option<String>,
    /// Every legal ply, if the arena sent them after the position.
    pub legal: Option<Vec<PlyToken>>,
    /// Every legal ply with the position after it; empty unless the arena sent them after the position.
    pub after: Vec<After>,
    /// The limits on the decision.
    pub limits: GoLimits,
    /// How long to think, if the arena advises it.
    pub budget: Option<Duration>,
    /// All pairs of the question.
    pub pairs: Pairs,
}

/// Combines the lines of the arena into requests.
#[derive(Clone, Debug, Default)]
pub struct RequestReader {
    game: Option<GameSetup>,
    position: Option<PositionMessage>,
    board: Option<String>,
    legal: Option<Vec<PlyToken>>,
    after: Vec<After>,
}

impl RequestReader {
    /// Returns a reader that has received nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Reads a line of the arena, without its line feed. Returns `None` for a line without a request: an empty line, a comment,
    /// an unknown line, or the `game` line before [`Request::NewGame`].
    ///
    /// # Errors
    /// If the first word of the line is known and the rest is malformed. Reading continues. Names what is wrong with a line
    /// whose first word is known. Reading continues.
    pub fn receive(&mut self, line: &str) -> Result<Option<Request>, LineError> {
        let message = match ArenaMessage::parse(line) {
            Ok(message) => message,
            Err(LineError::Blank | LineError::Unknown { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        Ok(Some(match message {
            ArenaMessage::Hello => Request::Hello,
            ArenaMessage::Arena(data) => Request::Arena(data),
            ArenaMessage::SetOption(option) => Request::SetOption(option),
            ArenaMessage::IsReady => Request::IsReady,
            ArenaMessage::Game(setup) => {
                self.game = Some(setup);
                return Ok(None);
            }
            ArenaMessage::NewGame => {
                (self.position, self.board, self.legal) = (None, None, None);
                self.after.clear();
                Request::NewGame(self.game.take())
            }
            ArenaMessage::Position(position) => {
                (self.board, self.legal) = (None, None);
                self.after.clear();
                self.position = Some(position.clone());
                Request::Position(position)
            }
            ArenaMessage::Board(board) => {
                self.board = Some(board.clone());
                Request::Board(board)
            }
            ArenaMessage::Legal(legal) => {
                self.legal = Some(legal.clone());
                Request::Legal(legal)
            }
            ArenaMessage::After(after) => {
                self.after.push(after.clone());
                Request::After(after)
            }
            ArenaMessage::Go(go) => Request::Go(Question {
                position: self.position.clone(),
                board: self.board.clone(),
                legal: self.legal.clone(),
                after: self.after.clone(),
                budget: go.budget(),
                limits: go.limits,
                pairs: go.pairs,
            }),
            ArenaMessage::Stop => Request::Stop,
            ArenaMessage::PonderHit => Request::PonderHit,
            ArenaMessage::Query(query) => Request::Query(query),
            ArenaMessage::Played(played) => Request::Played(played),
            ArenaMessage::Error(error) => Request::Error(error),
            ArenaMessage::Out(out) => Request::Out(out),
            ArenaMessage::GameOver(end) => Request::GameOver(end),
            ArenaMessage::Quit => Request::Quit,
        }))
    }
}

impl Question {
    /// Returns the answer to this question, with its `id` if it has one.
    #[must_use]
    pub fn answer(&self, ply: PlyToken) -> BestMove {
        let mut answer = BestMove::new(ply);
        if let Some(id) = self.pairs.get("id") {
            answer.pairs = Pairs::new().with("id", id);
        }
        answer
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(session: &mut RequestReader, lines: &[&str]) -> Option<Request> {
        lines.iter().map(|line| session.receive(line).expect("the lines are valid")).last().flatten()
    }

    #[test]
    fn a_question_brings_what_was_said_before_it() {
        let mut session = RequestReader::new();
        let lines = [
            "position startpos moves a1",
            "board 2/b1 p2 n=1",
            "legal a2 b1",
            "after a2 b1/b1 p1 n=2",
            "after b1 2/bw p1 n=2 gameover draw max-moves",
            "go movetime 100 budget=80 id=7",
        ];
        let Some(Request::Go(question)) = ask(&mut session, &lines) else { panic!("a question") };
        assert_eq!(question.board.as_deref(), Some("2/b1 p2 n=1"));
        assert_eq!(question.legal.as_ref().map(Vec::len), Some(2));
        let ends = question.after.iter().map(|after| (after.board.as_str(), after.end.is_some()));
        assert_eq!(ends.collect::<Vec<_>>(), [("b1/b1 p1 n=2", false), ("2/bw p1 n=2", true)]);
        assert_eq!(question.budget, Some(Duration::from_millis(80)));
        let ply = "a2".parse().expect("a move");
        assert_eq!(question.answer(ply).to_string(), "bestmove a2 id=7");
    }

    #[test]
    fn a_new_position_makes_the_old_lists_void() {
        let mut session = RequestReader::new();
        let lines = ["legal a1", "board 1 p1", "after a1 1 p2", "position startpos", "go"];
        let Some(Request::Go(question)) = ask(&mut session, &lines) else { panic!("a question") };
        assert_eq!((question.board, question.legal), (None, None));
        assert_eq!(question.after, []);
    }

    #[test]
    fn a_game_line_belongs_to_the_next_new_game_only() {
        let mut session = RequestReader::new();
        let request = ask(&mut session, &["game faust size=2 players=2 you=p2", "uginewgame"]);
        let Some(Request::NewGame(Some(game))) = request else { panic!("a game") };
        assert_eq!((game.game.as_str(), game.options.get("size")), ("faust", Some("2")));
        assert_eq!(ask(&mut session, &["uginewgame"]), Some(Request::NewGame(None)));
    }

    #[test]
    fn unknown_lines_ask_nothing_and_wrong_ones_are_named() {
        let mut session = RequestReader::new();
        for line in ["", "# go", "x-foo bar=1"] {
            assert_eq!(session.receive(line), Ok(None), "{line}");
        }
        assert!(session.receive("legal").is_err());
        assert_eq!(session.receive("isready"), Ok(Some(Request::IsReady)));
    }
}
