//! `arena rules`: the rules as a server on standard input and output, for programs in any language.

use std::io::{self, BufReader, BufWriter};

use diagnostic::Exit;
use diagnostic::Failure;

/// Answers questions about positions: one line of JSON for every line.
///
/// `position GAME [KEY=VALUE…] startpos|fen STRING [moves PLY…]` is answered with the legal plies, the position
/// after each of them and the result; `legal …` is the same without the positions after. Several requests on a
/// line, separated by `;`, are answered by one array. `games` and `about` tell what there is. Ends with the
/// input or `quit`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {}

impl Arguments {
    /// Runs the command.
    #[expect(
        clippy::disallowed_methods,
        reason = "lines of JSON for programs, each made harmless where it is written"
    )]
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let input = BufReader::with_capacity(1 << 16, io::stdin().lock());
        let output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
        match rules_server::serve(input, output) {
            Ok(()) => Ok(Exit::Done),
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Failure::quiet()),
            Err(error) => Err(Failure::io("the rules server failed", &error)),
        }
    }
}
