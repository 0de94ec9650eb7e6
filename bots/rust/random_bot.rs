//! Plays a random legal ply of any game: it asks the arena for the list of legal plies.
use std::io::{self, BufRead, Write};

/// The generator of Park and Miller: the standard library has none.
struct Random(u64);

impl Random {
    /// Returns a number below `n`.
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0 * 48271 % 2147483647;
        self.0 as usize % n
    }
}

fn main() -> io::Result<()> {
    let mut random = Random(1);
    let mut legal: Vec<String> = Vec::new();
    let mut output = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line?;
        let mut words = line.split_whitespace();
        match words.next().unwrap_or_default() {
            "ugi" => writeln!(output, "id name RustRandom\nprotocol 1\nplays *\nwant legal\nugiok")?,
            "game" => {
                let seed = words.find_map(|word| word.strip_prefix("seed=")?.parse::<u64>().ok());
                random = Random(seed.unwrap_or(0) % 2147483646 + 1);
            }
            "isready" => writeln!(output, "readyok")?,
            "legal" => legal = words.map(str::to_owned).collect(),
            "go" => writeln!(output, "bestmove {}", legal[random.below(legal.len())])?,
            "quit" => break,
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}
