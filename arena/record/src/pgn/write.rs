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
    out.reserve(name.len() + value.len() + 6);
    out.push(b'[');
    out.extend_from_slice(name.as_bytes());
    out.extend_from_slice(b" \"");
    // Nearly every value, and told by one look.
    let is_plain = |is_plain, byte| is_plain & matches!(byte, b' '..=b'~') & !matches!(byte, b'\\' | b'"');
    if value.bytes().fold(true, is_plain) {
        out.extend_from_slice(value.as_bytes());
    } else {
        for byte in text::value(value).bytes() {
            if matches!(byte, b'\\' | b'"') {
                out.push(b'\\');
            }
            out.push(byte);
        }
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
    let lines = Lines { out, column: 0, gap: None };
    let mut text = Movetext { lines, form, is_table: end.is_table, number: 0, before: None };
    for ((ply, facts), knight) in plies.zip(KNIGHTS.into_iter().cycle()) {
        text.ply(ply, &facts, knight);
    }
    text.end(end);
}

/// The moves while they are written.
struct Movetext<'o> {
    lines: Lines<'o>,
    form: PgnForm,
    is_table: bool,
    /// The number of the last turn.
    number: u32,
    /// The last turn, and whose it was.
    before: Option<(u32, Seat)>,
}

impl Movetext<'_> {
    /// Appends a ply, with its number and its comments. The safe form has a knight's move instead.
    fn ply(&mut self, ply: &str, facts: &Facts<'_>, knight: &str) {
        let Self { lines, form, is_table, number, before } = self;
        let turn = (facts.turn, facts.owner);
        if *before != Some(turn) {
            // A number covers a turn of p1 and the turn of p2 that follows it.
            let is_reply = !*is_table && matches!(before, Some((_, Seat::P1))) && facts.owner == Seat::P2;
            *number += u32::from(!is_reply);
            *before = Some(turn);
            lines.word(|out| {
                text::decimal((*number).into(), out);
                out.extend_from_slice(if *is_table || facts.owner == Seat::P1 { b"." } else { b"..." });
            });
            if *is_table && facts.owner != Seat::P1 {
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
        Command::after(ply, facts, *form, |command| comment.command(&command));
        if let Some(said) = facts.text.map(text::comment).filter(|said| !said.is_empty()) {
            comment.command(&Command::Said);
            comment.words(&said);
        }
        comment.end();
    }

    /// Appends what follows the moves.
    fn end(self, end: End<'_>) {
        let Self { mut lines, .. } = self;
        if let Some(words) = end.comment {
            let mut comment = lines.comment();
            comment.words(&text::comment(words));
            comment.end();
        }
        lines.word(|out| out.extend_from_slice(end.result.as_bytes()));
        lines.out.extend_from_slice(b"\n\n");
    }
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
    /// Appends the word that `write` writes, in ASCII.
    fn word(&mut self, write: impl FnOnce(&mut Vec<u8>)) {
        self.any_word(write, <[u8]>::len);
    }

    /// Appends the word that `write` writes, of as many characters as `count` returns.
    fn any_word(&mut self, write: impl FnOnce(&mut Vec<u8>), count: impl FnOnce(&[u8]) -> usize) {
        self.gap = (self.column > 0).then_some(self.out.len());
        if self.gap.is_some() {
            self.out.push(b' ');
            self.column += 1;
        }
        let start = self.out.len();
        write(self.out);
        self.column += count(&self.out[start..]);
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
        self.piece(|out| command.write(out), <[u8]>::len);
    }

    /// Appends what [`text::comment`] returns.
    fn words(&mut self, text: &str) {
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            self.piece(|out| out.extend_from_slice(word.as_bytes()), characters);
        }
    }

    fn piece(&mut self, write: impl FnOnce(&mut Vec<u8>), count: impl FnOnce(&[u8]) -> usize) {
        let is_first = std::mem::take(&mut self.is_empty);
        let write = |out: &mut Vec<u8>| {
            if is_first {
                out.push(b'{');
            }
            write(out);
        };
        self.lines.any_word(write, count);
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
