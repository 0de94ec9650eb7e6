//! The commands that can be typed while a game is played.

use std::path::PathBuf;

/// A command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlayCommand {
    /// Nothing was typed.
    Empty,
    /// What can be typed.
    Help,
    /// The board.
    Board,
    /// The board after a number of plies, or a number of plies ago.
    Look(EarlierBoard),
    /// The legal plies that begin so.
    Legal(String),
    /// The string of the position.
    Position,
    /// The plies so far.
    Moves,
    /// Back to the own decision before.
    Undo,
    /// Back by one ply.
    Back,
    /// What was taken back, again.
    Redo,
    /// The same by one ply.
    Forward,
    /// A good ply.
    Hint,
    /// What the position is worth.
    Eval,
    /// The clocks.
    Clock,
    /// Writes the game.
    Save(Option<PathBuf>),
    /// Gives up.
    Resign,
    /// Another game; with the seats exchanged or not.
    New(bool),
    /// Two bots continue by themselves.
    Play,
    /// The bot that thinks answers now; bots that continue by themselves stop.
    Stop,
    /// Leaves.
    Quit,
    /// A ply, or a part of one.
    Ply(String),
}

/// Which earlier board is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EarlierBoard {
    /// The one after a number of plies.
    At(usize),
    /// The one a number of plies ago.
    Ago(usize),
}

/// What `help` says.
pub(super) const HELP: &str = "\
a ply       as `legal` lists it, its start where no other ply begins so, or its
            parts: `e3` shows what can follow from there, a number picks one of
            these, Enter takes a part back
legal, l    the legal plies; `legal e3` those that begin so
board, b    the board
look 12     the board after ply 12, `look -2` that of two plies ago: nothing changes
moves, m    the plies so far, with what the adviser said of the positions
position    the position string
clock       what is left of the time
undo, u     back to your decision before (`back`: by one ply)
redo, r     what was taken back, again (`forward`: by one ply)
hint, h     what the adviser would play; `eval`: what it says of the position
Enter       where two bots play, or a bot has failed: the bot that decides plays
play        two bots continue by themselves
stop        they stop; a bot that thinks answers at once
resign      gives the game up
save FILE   adds the game to a game log, which `arena replay` reads; without
            FILE to the same log as before
new         another game; `new swap`: with the seats exchanged
quit, q     leaves
";

impl PlayCommand {
    /// Reads a line. What is no command is a ply, or a part of one.
    pub(super) fn read(line: &str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match (word.to_ascii_lowercase().as_str(), rest) {
            ("", _) => Self::Empty,
            ("help" | "?", "") => Self::Help,
            ("board" | "b", "") => Self::Board,
            ("look", plies) => match plies
                .strip_prefix('-')
                .map_or_else(|| plies.parse().map(EarlierBoard::At), |ago| ago.parse().map(EarlierBoard::Ago))
            {
                Ok(look) => Self::Look(look),
                Err(_) => Self::Ply(line.to_owned()),
            },
            ("legal" | "l", start) => Self::Legal(start.to_owned()),
            ("position" | "pos", "") => Self::Position,
            ("moves" | "m", "") => Self::Moves,
            ("undo" | "u", "") => Self::Undo,
            ("back", "") => Self::Back,
            ("redo" | "r", "") => Self::Redo,
            ("forward", "") => Self::Forward,
            ("hint" | "h", "") => Self::Hint,
            ("eval" | "e", "") => Self::Eval,
            ("clock", "") => Self::Clock,
            ("save", "") => Self::Save(None),
            ("save", file) => Self::Save(Some(PathBuf::from(file))),
            ("resign", "") => Self::Resign,
            ("new", "") => Self::New(false),
            ("new", "swap") => Self::New(true),
            ("play", "") => Self::Play,
            ("stop", "") => Self::Stop,
            ("quit" | "q" | "exit", "") => Self::Quit,
            _ => Self::Ply(line.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_command_is_a_ply() {
        assert_eq!(PlayCommand::read(" Undo "), PlayCommand::Undo);
        assert_eq!(PlayCommand::read("save my games.pgn"), PlayCommand::Save(Some("my games.pgn".into())));
        assert_eq!(PlayCommand::read("look 12"), PlayCommand::Look(EarlierBoard::At(12)));
        assert_eq!(PlayCommand::read("look -2"), PlayCommand::Look(EarlierBoard::Ago(2)));
        assert_eq!(PlayCommand::read("look at"), PlayCommand::Ply("look at".to_owned()));
        assert_eq!(PlayCommand::read("e3 d3"), PlayCommand::Ply("e3 d3".to_owned()));
        assert_eq!(
            (PlayCommand::read(""), PlayCommand::read("b1")),
            (PlayCommand::Empty, PlayCommand::Ply("b1".to_owned()))
        );
    }

    #[test]
    fn no_ply_is_a_command() {
        for game in rules::GAMES {
            let referee = game.setup(&[]).unwrap().referee(None).unwrap();
            for ply in referee.legal().iter().map(String::as_str).chain(["pass", "swap", "keep=a1"]) {
                assert_eq!(PlayCommand::read(ply), PlayCommand::Ply(ply.to_owned()));
            }
        }
    }
}
