//! `arena ctl DIR pause`: steers a run in progress.

use std::io;
use std::path::PathBuf;

use clap::Args;
use diagnostic::Exit;
use diagnostic::{Diagnostic, Failure, output};
use live::{ControlOrder, SocketError};

/// The arguments of `arena ctl`.
#[derive(Debug, Args)]
#[command(after_help = "Orders:\n  \
    status         say how the run stands\n  \
    pause          begin no new games; those in progress continue\n  \
    resume         begin games again\n  \
    stop           end as at the first Ctrl-C: games in progress finish\n  \
    concurrency N  play N games at once; `auto` is what fits this machine\n  \
    workers        say how the workers of a run on many machines stand\n  \
    worker NAME pause|resume|drain\n                 \
    let a worker begin no further pairs, or again, or end what it plays and leave\n\n\
    Exit codes: 0 done, 1 the run refuses, 3 nothing runs there.")]
pub(crate) struct Arguments {
    /// The run's directory: where its journal is
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    /// The order to the run
    #[arg(value_name = "ORDER", num_args = 1.., required = true)]
    order: Vec<String>,
    /// With `status`: the whole picture as JSON (protocol-spec/live.md)
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Tells the run.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let words = self.order.join(" ");
        let order: ControlOrder = words
            .parse()
            .map_err(|fault| Failure::usage(format!("`{words}` is no order for a run: {fault}")))?;
        if self.json && order != ControlOrder::Status {
            return Err(Failure::usage("`--json` goes with `status` only"));
        }
        if !self.directory.is_dir() {
            let directory = output::path(&self.directory);
            return Err(Failure::usage(format!("there is no directory `{directory}`")).hint(
                "it is the one of `out` in the tournament file: `results/NAME` where that says nothing",
            ));
        }
        if self.json {
            return self.picture();
        }
        match live::ask(&self.directory, &order) {
            Ok(answer) => output::print(&format!("{answer}\n")).map(|()| Exit::Done),
            Err(error @ SocketError::Refused(_)) => Err(self.failure(Exit::No, &error)),
            Err(error @ SocketError::NobodyThere) => Err(self
                .failure(Exit::NoVerdict, &error)
                .hint("a run can be reached from its first game on, until its last one is over")),
            Err(error @ SocketError::Forbidden) => Err(self.failure(Exit::Io, &error)),
            Err(error @ SocketError::NoAnswer(_)) => {
                Err(self.failure(Exit::Io, &error).hint("the run may just have ended"))
            }
        }
    }

    /// Prints `live.json`.
    fn picture(&self) -> Result<Exit, Failure> {
        let read = live::read(&self.directory);
        let read = read.map_err(|error| {
            Failure::io(format!("failed to read `live.json` in `{}`", output::path(&self.directory)), &error)
        })?;
        let state = read.ok_or_else(|| self.failure(Exit::NoVerdict, &SocketError::NobodyThere))?;
        let text = serde_json::to_string(&state).map_err(|error| {
            Failure::io("failed to write the picture of the run", &io::Error::from(error))
        })?;
        output::print(&format!("{text}\n"))?;
        Ok(Exit::Done)
    }

    fn failure(&self, exit: Exit, error: &SocketError) -> Failure {
        Failure::new(exit, vec![Diagnostic::new(format!("`{}`: {error}", output::path(&self.directory)))])
    }
}
