//! `arena run [FILE]`: a tournament, from its first game or from where it stopped.

use std::path::{Path, PathBuf};

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use fleet::WorkersFlags;
use report::RunReport;
use tournament::Store;
use tournament_file::Overrides;
use tournament_file::Shard;

use crate::look::summary;
use crate::play::progress::{Show, Watching};
use crate::play::{main_job, plan};

/// The arguments of `arena run`.
#[derive(Debug, Args)]
#[command(
    after_help = "Without FILE it plays the main job: a round robin of the built-in bots over all games.\n\
    If the output directory holds a run already, that run continues where it stopped; a finished run is \
    extended when more rounds, bots or games are asked for. `arena plan FILE` shows what would be played."
)]
pub(crate) struct Arguments {
    /// The tournament file
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Play a part of the schedule: the pairs whose number leaves I when divided by N, into `OUT.shard-I-of-N`.
    /// `auto/N` takes I from an array job, `auto` N as well (arena/docs/sharding.md).
    #[arg(long, value_name = "I/N", requires = "file")]
    shard: Option<String>,
    // What `arena plan FILE --try` was called.
    #[arg(long, requires = "file", conflicts_with_all = ["explain", "tui"], hide = true)]
    dry_run: bool,
    #[command(flatten)]
    watching: Watching,
    // Its heading holds for all that follows without one.
    #[command(flatten)]
    workers: WorkersFlags,
    #[command(flatten)]
    overrides: Overrides,
}

impl Arguments {
    /// Plays the tournament.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let show = Show::asked(self.watching.tui)?;
        let mut plan = match &self.file {
            Some(file) if file.is_dir() => {
                return Err(Failure::usage(format!(
                    "`{}` is a directory, not a tournament file",
                    output::path(file)
                ))
                .hint("a run continues when its tournament file is run again: `arena run FILE`")
                .hint("`arena report DIR` writes its tables again"));
            }
            Some(file) => tournament_file::load(file, &self.overrides)?,
            None => main_job::plan(Path::new(main_job::out(&self.overrides)), &self.overrides)?,
        };
        if let Some(text) = &self.shard {
            let shard = Shard::parse(text)?;
            plan.cut(shard)?;
            say(&format!("shard {shard}: {}, into {}", shard.pairs(), output::path(&plan.out)));
        }
        if self.dry_run {
            say("`arena run FILE --dry-run` is called `arena plan FILE --try` now");
            return plan::try_out(&plan);
        }
        let (store, contents) = Store::open(&plan.out)?;
        let played = self.workers.play(&plan, contents, store, &show)?;
        let report = RunReport::of(&played.contents);
        let files = tournament::write_files(&plan.out, &report, None)?;
        if played.now == 0 && !played.is_interrupted {
            say("nothing is left to play: the tables are written again");
        }
        summary::print_end(&report, &self.watching)?;
        let names: Vec<_> = [record::JOURNAL].into_iter().chain(files).collect();
        say(&format!("\nwritten to {}: {}", output::path(&plan.out), names.join(", ")));
        if self.watching.verbose {
            played.tell_effort();
        }
        played.tell_rest();
        match plan.shard {
            // More shards than pairs: an empty one is as done as the others.
            Some(_) if played.contents.games.is_empty() && played.left == 0 => Ok(Exit::Done),
            _ => Ok(played.exit()),
        }
    }
}
