//! Writing a game in PGN's export format.

use rules::Seat;

use crate::pgn::command::Command;
use crate::pgn::{Facts, PgnForm, PgnGame, text};

/// Lines of movetext are shorter than this.
const WIDTH: usize = 80;

/// Adds the text of a game.
pub(super) fn game(game: &PgnGame, form: PgnForm, out: &mut Vec<u8>) {
    for (name, value) in &game.tags {
        tag(name, value, out);
    }
    let plies = game.plies.iter().map(|ply| (ply.ply.as_str(), Facts::from(ply)));
    movetext(plies, game.comment.as_deref(), game.result.pgn(), form, out);
}

/// Adds a tag.
pub(super) fn tag(name: &str, value: &str, out: &mut Vec<u8>) {
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

/// Adds the empty line after the tags, the moves, and the empty line after them.
pub(super) fn movetext<'a>(
    plies: impl Iterator<Item = (&'a str, Facts)>,
    comment: Option<&str>,
    result: &str,
    form: PgnForm,
    out: &mut Vec<u8>,
) {
    out.push(b'\n');
    let mut lines = Lines { out, column: 0, gap: None };
    let mut number = 0_u32;
    let mut before = None;
    for (ply, facts) in plies {
        let turn = (facts.turn, facts.owner);
        if before != Some(turn) {
            // A number covers a turn of p1 and the turn of p2 that follows it.
            let is_reply = matches!(before, Some((_, Seat::P1))) && facts.owner == Seat::P2;
            number += u32::from(!is_reply);
            before = Some(turn);
            lines.word(|out| {
                text::decimal(number.into(), out);
                out.extend_from_slice(if facts.owner == Seat::P1 { b"." } else { b"..." });
            });
        }
        if facts.seat != facts.owner {
            lines.comment(std::iter::once(Command::Seat(facts.seat)), Command::write);
        }
        match form {
            PgnForm::Native => lines.word(|out| text::push_token(ply, out)),
            PgnForm::Safe => lines.word(|out| out.extend_from_slice(b"--")),
        }
        lines.comment(Command::after(ply, &facts, form), Command::write);
    }
    if let Some(words) = comment {
        let words = text::comment(words);
        lines.comment(words.split_whitespace(), |word, out| out.extend_from_slice(word.as_bytes()));
    }
    lines.word(|out| out.extend_from_slice(result.as_bytes()));
    lines.out.extend_from_slice(b"\n\n");
}

/// Words put into lines.
struct Lines<'o> {
    out: &'o mut Vec<u8>,
    /// How many characters the last line has.
    column: usize,
    /// Where the space before the last word is, if one is there.
    gap: Option<usize>,
}

impl<'o> Lines<'o> {
    /// Adds the word that `write` writes.
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

    /// Adds a closing brace to the last word.
    fn close(&mut self) {
        self.out.push(b'}');
        self.column += 1;
        self.wrap();
    }

    /// Puts the last word on a line of its own if it does not fit.
    fn wrap(&mut self) {
        if self.column >= WIDTH
            && let Some(gap) = self.gap.take()
        {
            self.out[gap] = b'\n';
            self.column = characters(&self.out[gap + 1..]);
        }
    }

    /// Adds things in braces, each written by `write` as one word; nothing where there are none.
    fn comment<T>(&mut self, things: impl Iterator<Item = T>, write: impl Fn(&T, &mut Vec<u8>)) {
        let mut is_first = true;
        for thing in things {
            self.word(|out| {
                if is_first {
                    out.push(b'{');
                }
                write(&thing, out);
            });
            is_first = false;
        }
        if !is_first {
            self.close();
        }
    }
}

/// How many characters a text has.
fn characters(text: &[u8]) -> usize {
    // All bytes of a character but the first are of the form 10xxxxxx.
    text.iter().filter(|byte| **byte & 0xc0 != 0x80).count()
}
