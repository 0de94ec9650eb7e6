//! `arena run [FILE]`: a tournament, from its first game or from where it stopped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use clap::Args;
use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use record::Journal;
use report::RunReport;
use tournament::Store;
use tournament_file::Shard;
use tournament_file::{Overrides, Plan};

use crate::look::summary;
use crate::play::plan;
use crate::play::progress::{Show, Watching};

/// The main job, played when no file is given.
const DEFAULT: &str = include_str!("../default.yaml");

/// The stranger among the bots of the main job.
const PYTHON_BOT: &str = include_str!("../../../bots/python/random_bot.py");

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
            None => main_job(&self.overrides)?,
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
        let (journal, contents) = Journal::open(&plan.out).map_err(|error| tournament::failure(&error))?;
        if contents.torn > 0 {
            say(&format!("dropped an unfinished last line of {} bytes from the journal", contents.torn));
        }
        let played = tournament::play(&plan, contents, Store::Directory(Box::new(journal)), &show)?;
        let report = RunReport::of(&played.contents);
        let files = tournament::write_files(&plan.out, &report)?;
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

/// Returns the plan of the main job. Its Python bot is written into the run's directory; where there is no
/// Python, the job is played without it.
fn main_job(overrides: &Overrides) -> Result<Plan, Failure> {
    let out = overrides.value("out").unwrap_or("results/default");
    let directory = Path::new(out);
    let text = if has_python() {
        write_python_bot(directory)?;
        DEFAULT.to_owned()
    } else {
        say("`python3` does not run here: the main job is played without `python-random`");
        DEFAULT.lines().filter(|line| !line.contains("python3")).flat_map(|line| [line, "\n"]).collect()
    };
    let overrides = overrides.clone().with("out", out);
    tournament_file::parse(&text, "the main job", directory, &overrides)
}

fn has_python() -> bool {
    let mut python = Command::new("python3");
    python.args(["-c", "pass"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    python.status().is_ok_and(|status| status.success())
}

fn write_python_bot(out: &Path) -> Result<(), Failure> {
    let path = out.join("bots").join("random_bot.py");
    fs::create_dir_all(out.join("bots"))
        .and_then(|()| fs::write(&path, PYTHON_BOT))
        .map_err(|error| Failure::io(format!("failed to write `{}`", output::path(&path)), &error))
}
