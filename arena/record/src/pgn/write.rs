//! Writing a game in PGN's export format.

use rules::Seat;

use crate::pgn::command::Command;
use crate::pgn::tags::{PLACES, SAFE_VARIANT, VARIANT};
use crate::pgn::{Facts, PgnForm, PgnGame, text};

/// Lines of movetext are shorter than this many characters.
const WIDTH: usize = 80;

/// Adds the text of a game.
pub(super) fn game(game: &PgnGame, form: PgnForm, out: &mut Vec<u8>) {
    for (name, value) in &game.tags {
        tag(name, value, form, out);
    }
    // Moves of chess need no safe form.
    let form = if game.is_chess() { PgnForm::Native } else { form };
    let plies = game.plies.iter().map(|ply| (ply.ply.as_str(), Facts::from(ply)));
    let end = End {
        comment: game.comment.as_deref(),
        result: game.result.pgn(),
        is_table: game.tag(PLACES).is_some(),
    };
    movetext(plies, end, form, out);
}

/// What follows the moves, and how turns are distinguished.
#[derive(Clone, Copy)]
pub(super) struct End<'a> {
    pub(super) comment: Option<&'a str>,
    pub(super) result: &'a str,
    /// Whether there are more than two seats. Every turn then has its own number and names its seat.
    pub(super) is_table: bool,
}

/// The moves of the safe form: knights move out and back, which is legal in a game of any length.
const KNIGHTS: [&str; 4] = ["Nf3", "Nf6", "Ng1", "Ng8"];

/// Adds a tag.
pub(super) fn tag(name: &str, value: &str, form: PgnForm, out: &mut Vec<u8>) {
    // A chess program rejects an unknown variant.
    let name = if form == PgnForm::Safe && name == VARIANT { SAFE_VARIANT } else { name };
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    for byte in text::value(value).bytes() {
        if matches!(byte, b'\\' | b'"') {
            out.push(b'\\');
        }
        out.push(byte);
    }
    out.extend_from_slice(b"\"]\n");
}

/// Appends the empty line after the tags, the moves, and the empty line after them.
pub(super) fn movetext<'a>(
    plies: impl Iterator<Item = (&'a str, Facts<'a>)>,
    end: End<'_>,
    form: PgnForm,
    out: &mut Vec<u8>,
) {
    out.push(b'\n');
    let mut lines = Lines { out, column: 0, gap: None };
    let mut number = 0_u32;
    let mut before = None;
    for ((ply, facts), knight) in plies.zip(KNIGHTS.into_iter().cycle()) {
        let turn = (facts.turn, facts.owner);
        if before != Some(turn) {
            // A number covers a turn of p1 and the turn of p2 that follows it.
            let is_reply = !end.is_table && matches!(before, Some((_, Seat::P1))) && facts.owner == Seat::P2;
            number += u32::from(!is_reply);
            before = Some(turn);
            lines.word(|out| {
                text::decimal(number.into(), out);
                out.extend_from_slice(if end.is_table || facts.owner == Seat::P1 { b"." } else { b"..." });
            });
            if end.is_table && facts.owner != Seat::P1 {
                let mut comment = lines.comment();
                comment.command(&Command::Turn(facts.owner));
                comment.end();
            }
        }
        if facts.seat != facts.owner {
            let mut comment = lines.comment();
            comment.command(&Command::Seat(facts.seat));
            comment.end();
        }
        match form {
            PgnForm::Native => lines.word(|out| text::push_token(facts.san.unwrap_or(ply), out)),
            PgnForm::Safe => lines.word(|out| out.extend_from_slice(knight.as_bytes())),
        }
        let mut comment = lines.comment();
        Command::after(ply, &facts, form, |command| comment.command(&command));
        if let Some(said) = facts.text.map(text::comment).filter(|said| !said.is_empty()) {
            comment.command(&Command::Said);
            comment.words(&said);
        }
        comment.end();
    }
    if let Some(words) = end.comment {
        let mut comment = lines.comment();
        comment.words(&text::comment(words));
        comment.end();
    }
    lines.word(|out| out.extend_from_slice(end.result.as_bytes()));
    lines.out.extend_from_slice(b"\n\n");
}

/// Words arranged in lines.
struct Lines<'o> {
    out: &'o mut Vec<u8>,
    /// The length of the last line in characters.
    column: usize,
    /// The position of the space before the last word, if there is one.
    gap: Option<usize>,
}

impl<'o> Lines<'o> {
    /// Appends the word that `write` writes.
    fn word(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.gap = (self.column > 0).then_some(self.out.len());
        if self.gap.is_some() {
            self.out.push(b' ');
            self.column += 1;
        }
        let start = self.out.len();
        write(self.out);
        self.column += characters(&self.out[start..]);
        self.wrap();
    }

    /// Moves the last word to a line of its own if it does not fit.
    fn wrap(&mut self) {
        if self.column >= WIDTH
            && let Some(gap) = self.gap.take()
        {
            self.out[gap] = b'\n';
            self.column = characters(&self.out[gap + 1..]);
        }
    }

    /// Begins a comment.
    const fn comment(&mut self) -> Comment<'_, 'o> {
        Comment { lines: self, is_empty: true }
    }
}

/// A comment while it is written: in braces, or nothing if it has no pieces. A piece is not broken across lines.
struct Comment<'l, 'o> {
    lines: &'l mut Lines<'o>,
    is_empty: bool,
}

impl Comment<'_, '_> {
    fn command(&mut self, command: &Command) {
        self.piece(|out| command.write(out));
    }

    fn words(&mut self, text: &str) {
        text.split_whitespace().for_each(|word| self.piece(|out| out.extend_from_slice(word.as_bytes())));
    }

    fn piece(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        let is_first = std::mem::take(&mut self.is_empty);
        self.lines.word(|out| {
            if is_first {
                out.push(b'{');
            }
            write(out);
        });
    }

    /// Appends the closing brace to the last word.
    fn end(self) {
        if !self.is_empty {
            self.lines.out.push(b'}');
            self.lines.column += 1;
            self.lines.wrap();
        }
    }
}

/// Returns the number of characters in a text.
fn characters(text: &[u8]) -> usize {
    // Every byte of a character except the first has the form 10xxxxxx.
    text.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}
