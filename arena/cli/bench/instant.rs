//! The bot of the measurements: it knows no rules and no clock, and plays the plies that it was told.

use std::io::{self, BufRead as _, Write as _};
use std::time::Duration;

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;

use super::echo::think_for;

/// What `arena bench bot` is told.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The plies of the whole game, with commas between them; where they end, it resigns
    #[arg(long, value_name = "PLIES", value_delimiter = ',', required = true)]
    plies: Vec<String>,
    /// Keep the processor busy for so many microseconds before every answer
    #[arg(long, value_name = "MICROSECONDS", default_value = "0")]
    think: u32,
    /// Ask for the list of legal plies with every question
    #[arg(long)]
    legal: bool,
}

impl Arguments {
    /// Plays until the input ends or `quit` comes.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        self.serve().map_err(|error| Failure::io("the bot of a measurement failed", &error))?;
        Ok(Exit::Done)
    }

    #[expect(clippy::disallowed_methods, reason = "a bot speaks to the arena")]
    fn serve(&self) -> io::Result<()> {
        let answers: Vec<_> = self.plies.iter().map(|ply| format!("bestmove {ply}\n")).collect();
        let mut input = io::BufReader::with_capacity(64 * 1024, io::stdin().lock());
        let mut output = io::stdout().lock();
        let mut line = Vec::new();
        let think = Duration::from_micros(self.think.into());
        let mut played = 0;
        while input.read_until(b'\n', &mut line)? > 0 {
            let word = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
            match word {
                b"position" => played = plies(&line),
                b"go" => {
                    let answer = answers.get(played).map_or("bestmove resign\n", String::as_str);
                    think_for(think);
                    output.write_all(answer.as_bytes())?;
                    output.flush()?;
                }
                b"isready" => {
                    output.write_all(b"readyok\n")?;
                    output.flush()?;
                }
                b"ugi" => {
                    let want = if self.legal { "want legal\n" } else { "" };
                    write!(output, "id name instant\nprotocol 1\ncan depth nodes\n{want}ugiok\n")?;
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
