//! A question and the lines that ask it.

use std::fmt::Write as _;

use super::identity::{Identity, Want};
use super::profile::Profile;
use crate::lexical::token;
use crate::message::one_line;
use crate::{After, GoLimits, MAX_ARENA_LINE, Moves, Pair, Pairs, SeatNumber, Start, advise_limits};

/// Bytes to reserve for the words of a question besides plies and positions; usually enough.
const ROOM: usize = 256;

/// The content of a question to a bot. What the bot did not ask for or cannot handle is left out of the text.
#[derive(Clone, Copy, Debug)]
pub struct Ask<'a> {
    /// The start of the game.
    pub start: &'a Start,
    /// Every ply since, including the opening.
    pub moves: &'a Moves,
    /// The current position string.
    pub board: &'a str,
    /// Every legal ply, in byte order, never empty.
    pub legal: &'a [String],
    /// Every legal ply with the position after it, in the same order. These are costly to calculate and may be empty unless the
    /// bot declared [`Want::After`].
    pub after: &'a [After],
    /// The limits on the decision.
    pub limits: &'a GoLimits,
    /// Further pairs of `go`, such as `delay`. A `budget` here replaces the usual advice.
    pub pairs: &'a Pairs,
    /// A number that the bot may echo with its answer.
    pub id: Option<u64>,
}

impl Ask<'_> {
    /// Appends the question to `text`, for the bot with this identity in seat `you`. Returns where in it the line `go` begins.
    pub(super) fn write(
        &self,
        text: &mut String,
        identity: &Identity,
        profile: &Profile,
        you: Option<SeatNumber>,
    ) -> usize {
        self.write_within(text, identity, profile, you, MAX_ARENA_LINE)
    }

    fn write_within(
        &self,
        text: &mut String,
        identity: &Identity,
        profile: &Profile,
        you: Option<SeatNumber>,
        max_line: usize,
    ) -> usize {
        text.reserve(self.moves.as_str().len() + self.board.len() + ROOM);
        self.push_position(text, profile, max_line);
        text.push('\n');
        if identity.wants(Want::Board) {
            text.push_str("board ");
            text.push_str(self.board);
            text.push('\n');
        }
        let mut omitted = Pairs::new();
        if identity.wants(Want::Legal) && !self.legal.is_empty() {
            let length = "legal".len() + self.legal.iter().map(|ply| 1 + ply.len()).sum::<usize>();
            if length > max_line {
                omitted.push(Pair::new("legal-omitted", self.legal.len()));
            } else {
                text.reserve(length + ROOM);
                text.push_str("legal");
                push_moves(text, self.legal);
                text.push('\n');
            }
        }
        if identity.wants(Want::After) && !self.push_after(text, max_line) {
            omitted.push(Pair::new("after-omitted", self.after.len()));
        }
        let go = text.len();
        text.push_str("go");
        self.limits.write(text, profile.clock.names(), |ability| identity.can(ability));
        // SPEC 6.8: no pairs in plain UGI.
        if identity.protocol() > 0 {
            self.push_pairs(text, you, &omitted);
        }
        text.push('\n');
        go
    }

    /// Writes a line for every ply and returns `true`, or writes nothing and returns `false` if they exceed the limit together.
    ///
    /// A single line cannot be longer than all of them, so none exceeds the limit of a line either.
    fn push_after(&self, text: &mut String, limit: usize) -> bool {
        let start = text.len();
        for after in self.after {
            writeln!(text, "{after}").expect("writing to a string cannot fail");
            if text.len() - start > limit {
                text.truncate(start);
                return false;
            }
        }
        true
    }

    fn push_position(&self, text: &mut String, profile: &Profile, max_line: usize) {
        let begin = text.len();
        let position = |text: &mut String, board: &str| {
            for part in ["position ", profile.position_keyword.word(), " ", board] {
                text.push_str(part);
            }
        };
        match self.start {
            Start::StartPosition => text.push_str("position startpos"),
            Start::Fen(fen) => position(text, &one_line(fen)),
        }
        if !self.moves.is_empty() {
            text.push_str(" moves");
            text.push_str(self.moves.as_str());
        }
        // SPEC 6.4: a line over its limit is replaced.
        if text.len() - begin > max_line {
            text.truncate(begin);
            position(text, self.board);
        }
    }

    fn push_pairs(&self, text: &mut String, you: Option<SeatNumber>, omitted: &Pairs) {
        let number = |text: &mut String, words: &str, number: u64| {
            text.push_str(words);
            token::push_int(text, number);
        };
        if self.pairs.get("budget").is_none()
            && let Some(advice) = you.and_then(|you| advise_limits(self.limits, you))
        {
            number(text, " budget=", token::to_milliseconds(advice));
        }
        for pair in self.pairs.iter().chain(omitted) {
            for part in [" ", pair.key(), "=", pair.value()] {
                text.push_str(part);
            }
        }
        if let Some(id) = self.id {
            number(text, " id=", id);
        }
    }
}

fn push_moves(text: &mut String, moves: &[String]) {
    for ply in moves {
        text.push(' ');
        text.push_str(ply);
    }
}
