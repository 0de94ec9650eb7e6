//! Chess as a game of one's own: a program that answers the arena's questions about positions, format 2 of the
//! rules server.
//!
//! `cozy-chess` knows which moves are legal. What is decided here: how positions and plies are written, which results end a game, and
//! the notation of game logs.

mod answer;
mod game;
mod notation;
mod position;
mod request;
mod serve;

use std::io::{self, BufReader, BufWriter};
use std::process::ExitCode;

fn main() -> ExitCode {
    let input = BufReader::with_capacity(1 << 16, io::stdin().lock());
    let output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    match serve::serve(input, output) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("chess: {error}");
            ExitCode::FAILURE
        }
    }
}
