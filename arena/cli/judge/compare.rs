//! `arena compare RUN1 RUN2`: did anything change between two runs with the same bots?

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use diagnostic::Exit;
use diagnostic::{Diagnostic, Failure, output};
use diagnostic::{say, say_torn};
use record::JournalReader;
use report::{Comparer, Comparison, Which};

use crate::output_format::{Output, TableFormat};
use crate::terminal;

/// How much is read at a time.
const CHUNK: usize = 1 << 18;

/// Says what changed between two runs with the same bots: strength, faults, time, node counts, set-up.
///
/// Bots are the same by name, games by their name with options. Journals are read once, both together.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit codes: 0 nothing significant changed, 1 something did (a strength or a share of faults with an \
    adjusted p of 0.05 at most, or a bot that ought to repeat its node counts and did not), 3 nothing can be compared. \
    Different settings are shown and never count as a change."
)]
pub(crate) struct Arguments {
    /// The run to compare with: its directory or its journal
    #[arg(value_name = "RUN1")]
    before: PathBuf,
    /// The run to judge
    #[arg(value_name = "RUN2")]
    after: PathBuf,
    #[command(flatten)]
    output: Output<TableFormat>,
    /// Say in words what each column means and which model made it; on standard error with `csv` and `json`
    #[arg(long)]
    explain: bool,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let comparison = self.read()?;
        let look = terminal::look_at_output();
        let explanation = if self.explain { comparison.explanation() } else { Vec::new() };
        let explanation = terminal::paragraphs(&explanation, &look);
        match self.output.format() {
            TableFormat::Text => {
                output::print(&(comparison.to_text(&look) + &explanation))?;
            }
            TableFormat::Markdown => {
                let explanation =
                    if self.explain { comparison.explanation_markdown() } else { String::new() };
                output::print(&(comparison.to_markdown() + &explanation))?;
            }
            TableFormat::Csv => output::print(&String::from_utf8_lossy(&comparison.to_csv()))?,
            TableFormat::Json => output::print(&comparison.to_json())?,
        }
        if self.explain && matches!(self.output.format(), TableFormat::Csv | TableFormat::Json) {
            say(explanation.trim());
        }
        Ok(if !comparison.findings().is_empty() {
            Exit::No
        } else if comparison.is_comparable() {
            Exit::Done
        } else {
            Exit::NoVerdict
        })
    }

    /// Reads both journals, a line of one and a line of the other, so that the same games come together.
    fn read(&self) -> Result<Comparison, Failure> {
        let mut journals = [open(&self.before)?, open(&self.after)?];
        let mut comparer = Comparer::default();
        let mut is_open = [true; 2];
        while is_open != [false; 2] {
            for (run, which) in [Which::Before, Which::After].into_iter().enumerate() {
                match journals[run].1.next() {
                    Some(Ok((_, line))) => comparer.take(which, &line),
                    Some(Err(error)) => return Err(tournament::failure(&error)),
                    None => is_open[run] = false,
                }
            }
        }
        for (path, journal) in &journals {
            say_torn(path, journal.torn());
        }
        Ok(comparer.comparison())
    }
}

fn open(path: &Path) -> Result<(PathBuf, JournalReader<BufReader<File>>), Failure> {
    let (path, file) = record::open_games(path).map_err(|error| {
        let text = format!("cannot read `{}`: {error}", path.display());
        Failure::new(Exit::Io, vec![Diagnostic::new(text)])
            .hint("a run is a directory with the file `journal.jsonl`, or that file")
    })?;
    let reader = JournalReader::new(BufReader::with_capacity(CHUNK, file), &path);
    Ok((path, reader))
}
