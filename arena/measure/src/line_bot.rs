//! The bot of the measurements: it knows no rules and no clock, and plays the plies that it was told.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use crate::echo::think_for;

/// A bot that plays the same game again and again.
#[derive(Debug)]
pub struct LineBot<'a> {
    /// The plies of the whole game; where they end, it resigns.
    pub plies: &'a [String],
    /// How long it keeps the processor busy before every answer.
    pub think: Duration,
    /// Whether it asks for the list of legal plies with every question.
    pub wants_legal: bool,
    /// Whether it says that it plays every game: without, it sits at no table of more than two seats.
    pub plays_all: bool,
}

impl LineBot<'_> {
    /// Plays until the input ends or `quit` comes.
    ///
    /// # Errors
    /// When reading or writing fails.
    pub fn play(&self, mut input: impl BufRead, mut output: impl Write) -> io::Result<()> {
        let answers: Vec<_> = self.plies.iter().map(|ply| format!("bestmove {ply}\n")).collect();
        let mut line = Vec::new();
        let mut played = 0;
        while input.read_until(b'\n', &mut line)? > 0 {
            let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
            match word {
                b"position" => played = plies(&line),
                b"go" => {
                    let answer = answers.get(played).map_or("bestmove resign\n", String::as_str);
                    think_for(self.think);
                    output.write_all(answer.as_bytes())?;
                    output.flush()?;
                }
                b"isready" => {
                    output.write_all(b"readyok\n")?;
                    output.flush()?;
                }
                b"ugi" => {
                    let want = if self.wants_legal { "want legal\n" } else { "" };
                    let plays = if self.plays_all { "plays *\n" } else { "" };
                    write!(output, "id name instant\nprotocol 1\ncan depth nodes\n{plays}{want}ugiok\n")?;
                    output.flush()?;
                }
                b"quit" => break,
                _ => {}
            }
            line.clear();
        }
        Ok(())
    }
}

/// Counts the plies after the start in a line `position`: each has a space before it.
fn plies(line: &[u8]) -> usize {
    const MOVES: &[u8] = b" moves";
    let start = line.windows(MOVES.len()).position(|word| word == MOVES);
    start.map_or(0, |start| line[start + MOVES.len()..].iter().filter(|byte| **byte == b' ').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_plies_of_a_position_are_counted() {
        let lines = [("position startpos\n", 0), ("position startpos moves a1 b2\n", 2)];
        for (line, count) in lines {
            assert_eq!(plies(line.as_bytes()), count);
        }
        assert_eq!(plies(b"position fen 3/3 p1 n=0 moves a1\n"), 1);
    }
}
