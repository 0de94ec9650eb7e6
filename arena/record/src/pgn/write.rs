//! Writing a game in PGN's export format.

use rules::Seat;

use crate::pgn::command::Command;
use crate::pgn::{PgnForm, PgnGame, text};

/// Lines of movetext are shorter than this.
const WIDTH: usize = 80;

/// Returns the text of a game.
pub(super) fn game(game: &PgnGame, form: PgnForm) -> String {
    let mut out = String::new();
    for (name, value) in &game.tags {
        let value = text::value(value).replace('\\', "\\\\").replace('"', "\\\"");
        out.push_str(&format!("[{name} \"{value}\"]\n"));
    }
    out.push('\n');
    let mut lines = Lines { out, column: 0 };
    movetext(game, form, &mut lines);
    let mut out = lines.out;
    out.push_str("\n\n");
    out
}

fn movetext(game: &PgnGame, form: PgnForm, lines: &mut Lines) {
    let mut number = 0_u32;
    let mut before = None;
    for ply in &game.plies {
        let turn = (ply.turn, ply.owner);
        if before != Some(turn) {
            // A number covers a turn of p1 and the turn of p2 that follows it.
            let is_reply = matches!(before, Some((_, Seat::P1))) && ply.owner == Seat::P2;
            number += u32::from(!is_reply);
            before = Some(turn);
            let dots = if ply.owner == Seat::P1 { "." } else { "..." };
            lines.word(&format!("{number}{dots}"));
        }
        if ply.seat != ply.owner {
            lines.comment(&[Command::Seat(ply.seat).write()]);
        }
        match form {
            PgnForm::Native => lines.word(&text::token(&ply.ply)),
            PgnForm::Safe => lines.word("--"),
        }
        let commands: Vec<_> = Command::after(ply, form).iter().map(Command::write).collect();
        lines.comment(&commands);
    }
    if let Some(comment) = &game.comment {
        let comment = text::comment(comment);
        let words: Vec<_> = comment.split_whitespace().map(str::to_owned).collect();
        lines.comment(&words);
    }
    lines.word(game.result.pgn());
}

/// Words put into lines.
struct Lines {
    out: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let length = word.chars().count();
        if self.column > 0 && self.column + 1 + length < WIDTH {
            self.out.push(' ');
            self.column += 1;
        } else if self.column > 0 {
            self.out.push('\n');
            self.column = 0;
        }
        self.out.push_str(word);
        self.column += length;
    }

    /// Writes words in braces; nothing where there are none. A command counts as one word.
    fn comment(&mut self, words: &[String]) {
        let last = words.len().saturating_sub(1);
        for (i, word) in words.iter().enumerate() {
            let open = if i == 0 { "{" } else { "" };
            let close = if i == last { "}" } else { "" };
            self.word(&format!("{open}{word}{close}"));
        }
    }
}
