//! Writing a game in PGN's export format.

use rules::Seat;

use crate::pgn::command::Command;
use crate::pgn::lines::Lines;
use crate::pgn::tags::{PLACES, SAFE_VARIANT, VARIANT};
use crate::pgn::{Facts, PgnForm, PgnGame, text};

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
    let lines = Lines::at_end_of(out);
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
            lines.begin();
            lines.decimal((*number).into());
            if *is_table || facts.owner == Seat::P1 {
                lines.add(b".");
            } else {
                lines.add(b"...");
            }
            lines.end();
            if *is_table && facts.owner != Seat::P1 {
                let mut comment = Comment::new(lines);
                comment.command(&Command::Turn(facts.owner));
                comment.end();
            }
        }
        if facts.seat != facts.owner {
            let mut comment = Comment::new(lines);
            comment.command(&Command::Seat(facts.seat));
            comment.end();
        }
        match form {
            PgnForm::Native => lines.word(&text::token(facts.san.unwrap_or(ply))),
            PgnForm::Safe => lines.word(knight),
        }
        let mut comment = Comment::new(lines);
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
            let mut comment = Comment::new(&mut lines);
            comment.words(&text::comment(words));
            comment.end();
        }
        lines.word(end.result);
        lines.finish().extend_from_slice(b"\n\n");
    }
}

/// A comment while it is written: in braces, or nothing if it has no pieces. A piece is not broken across lines.
struct Comment<'l, 'o> {
    lines: &'l mut Lines<'o>,
    is_empty: bool,
}

impl<'l, 'o> Comment<'l, 'o> {
    /// Begins a comment.
    const fn new(lines: &'l mut Lines<'o>) -> Self {
        Self { lines, is_empty: true }
    }

    /// Appends a command.
    #[inline(always)]
    fn command(&mut self, command: &Command) {
        self.begin();
        command.write(self.lines);
        self.lines.end();
    }

    /// Appends what [`text::comment`] returns.
    fn words(&mut self, text: &str) {
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let before = usize::from(self.is_empty);
            self.begin();
            self.lines.extend(word.as_bytes());
            self.lines.end_of(before + word.chars().count());
        }
    }

    /// Begins a piece.
    #[inline(always)]
    fn begin(&mut self) {
        self.lines.begin();
        if std::mem::take(&mut self.is_empty) {
            self.lines.add(b"{");
        }
    }

    /// Adds the closing brace to the last word, and moves both to a line of their own if they do not fit.
    #[inline(always)]
    fn end(self) {
        if !self.is_empty {
            self.lines.add(b"}");
            self.lines.end_of(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::lines::WIDTH;

    #[test]
    fn lines_are_as_long_as_they_may_be_and_words_stay_whole() {
        let mut text = b"[Tag \"1\"]\n".to_vec();
        let mut words: Vec<String> = Vec::new();
        let mut lines = Lines::at_end_of(&mut text);
        for number in 0..3000_usize {
            // Of any length, also longer than a line or the room that is there.
            let length = if number.is_multiple_of(97) { number } else { number * number % 23 };
            let word = "w".repeat(length + 1);
            lines.word(&word);
            words.push(word);
            Comment::new(&mut lines).end();
            if number.is_multiple_of(3) {
                let mut comment = Comment::new(&mut lines);
                comment.words(&"\u{e9}".repeat(number % 79 + 1));
                comment.command(&Command::Said);
                comment.end();
                words.extend([format!("{{{}", "\u{e9}".repeat(number % 79 + 1)), "[%said]}".to_owned()]);
            }
        }
        lines.finish();
        let text = String::from_utf8(text).expect("text");
        let all: Vec<&str> = text.lines().skip(1).collect();
        assert_eq!(all.join(" "), words.join(" "));
        let length = |text: &str| text.chars().count();
        for two in all.windows(2) {
            let first = two[1].split(' ').next().unwrap_or_default();
            assert!(length(two[0]) < WIDTH || !two[0].contains(' '), "{}", two[0]);
            assert!(length(two[0]) + 1 + length(first) >= WIDTH, "{two:?}");
        }
    }
}
