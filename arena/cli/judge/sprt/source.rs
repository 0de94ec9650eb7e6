//! Where the two versions come from: programs that are there, or commits that are built first.

use std::env;
use std::path::{Path, PathBuf};

use diagnostic::Failure;
use diagnostic::say;
use tournament_file::TypedBot;

use super::bench;
use super::build::Builder;

/// What a commit is called on the command line.
const COMMIT: &str = "git:";

/// How bots of commits come to be, and how versions are compared before they play.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Commits and builds")]
pub(super) struct SourceArguments {
    /// How a bot of a commit is run, in the directory of that commit: for example `./bot` or `python3 bot.py`
    #[arg(long, value_name = "CMD", requires = "new", conflicts_with = "counts")]
    run: Option<String>,
    /// How it is built there, a line for the shell: for example `make -j`; left out, it needs no build
    #[arg(long, value_name = "CMD", requires = "run", conflicts_with = "counts")]
    build: Option<String>,
    /// Where builds are kept, by commit [default: `arena/builds` in the user's cache directory]
    #[arg(long, value_name = "DIR", requires = "run", conflicts_with = "counts")]
    builds: Option<PathBuf>,
    /// A line for the shell that prints a node signature of the bot in `$BOT`, for example `$BOT bench`; where both
    /// versions print the same, nothing is played
    #[arg(long, value_name = "CMD", requires = "new", conflicts_with = "counts")]
    bench: Option<String>,
}

impl SourceArguments {
    /// Returns the bots that `--new` and `--base` mean, those of commits built.
    ///
    /// # Errors
    /// When a commit does not exist or cannot be built.
    pub(super) fn bots(&self, new: &str, base: &str) -> Result<[TypedBot; 2], Failure> {
        let sides = [("--new", "new", new), ("--base", "base", base)];
        if !sides.iter().any(|(_, _, program)| program.starts_with(COMMIT)) {
            if self.run.is_some() {
                return Err(Failure::usage("`--run` is for commits, and neither bot is one")
                    .hint("commits are written `git:HEAD`, `git:origin/main`, `git:` and a hash"));
            }
            return Ok(sides.map(|(flag, name, program)| TypedBot::new(flag, name, program)));
        }
        let Some(run) = &self.run else {
            return Err(Failure::usage("nothing says how the bot of a commit is run")
                .hint("add for example `--run ./bot`; add `--build 'make -j'` if it must be built first"));
        };
        let cache = self.builds.clone().unwrap_or_else(cache);
        let builder = Builder::new(&cache, self.build.as_deref())?;
        let repository = builder.repository();
        // Both are looked up before either is built: a wrong name shows at once.
        let find =
            |program: &str| program.strip_prefix(COMMIT).map(|name| repository.commit(name)).transpose();
        let commits = [find(new)?, find(base)?];
        if let [Some(one), Some(two)] = &commits
            && one == two
        {
            say(&format!("`--new` and `--base` are the same commit, {}", one.short));
        }
        let head = repository.commit("HEAD").ok();
        if commits.iter().flatten().any(|commit| Some(commit) == head.as_ref()) && repository.is_dirty()? {
            say(
                "the working tree has changes that are not committed: `git:HEAD` is the commit, without them",
            );
        }
        let [new_commit, base_commit] = commits;
        let bot = |(flag, name, program): (&'static str, &str, &str), commit| {
            let Some(commit) = commit else { return Ok(TypedBot::new(flag, name, program)) };
            let checkout = Some(builder.build(&commit)?);
            Ok::<_, Failure>(TypedBot { checkout, ..TypedBot::new(flag, name, run) })
        };
        let [new, base] = sides;
        Ok([bot(new, new_commit)?, bot(base, base_commit)?])
    }

    /// Returns the node signature of both bots, where `--bench` asks for it and it is the same.
    ///
    /// # Errors
    /// When the bench of a bot fails.
    pub(super) fn same_signature(&self, bots: &[TypedBot; 2], out: &Path) -> Result<Option<u64>, Failure> {
        let Some(line) = &self.bench else { return Ok(None) };
        let [new, base] = [bench::measure(line, &bots[0], out)?, bench::measure(line, &bots[1], out)?];
        if new == base {
            return Ok(Some(new));
        }
        say(&format!("node signatures: new {new}, base {base}"));
        Ok(None)
    }
}

/// Returns where builds are kept if nothing else is said: in the user's cache, else among the results.
fn cache() -> PathBuf {
    let variable = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = variable("XDG_CACHE_HOME").or_else(|| Some(variable("HOME")?.join(".cache")));
    cache.map_or_else(|| PathBuf::from("results/builds"), |cache| cache.join("arena").join("builds"))
}
