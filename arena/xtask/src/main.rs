//! `cargo xtask`: the chores of the project.
//!
//! * `readme` runs the console blocks of the README and the pages that continue it in a fresh clone.
//! * `ci` is the second stage of CI: what needs more than a Rust toolchain, a C compiler and Python 3.
//! * `fuzz` looks for inputs that the readers of positions, lines and logs cannot stand.
//! * `book` makes a site of the pages, which can be searched.
//! * `books` writes the books of openings in the executable again.
//! * `chaos` plays every attack of a misbehaving bot at every level of protection, and prints what came of it.
//! * `losses` counts the games that crashes, kills and full disks lose or play twice.
//! * `statistics` measures how often intervals, comparisons and tests keep their promises.
//! * `peers` builds other programs that play matches, and plays instant bots under them and the arena by turns.
//! * `shards` plays by the recipes for shards, a part of the second stage.
//! * `games` builds the games of one's own in `arena/games` that need a compiler.
//! * `dist` builds the executables that are given away, and makes packages of them.
//! * `house` counts the shape of the workspace: lines, files, import circles, and which crate names which.
//! * `bless` writes the golden files again, and is the only way to change them.

mod book;
mod books;
mod chaos;
mod dist;
mod fuzz;
mod game_logs;
mod games;
mod house;
mod kits;
mod losses;
mod peers;
mod readme;
mod second_stage;
mod shards;
mod shell;
mod statistics;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::shell::{ChoreError, run};

#[derive(Parser)]
#[command(name = "cargo xtask", about = "The chores of the project.")]
struct Arguments {
    #[command(subcommand)]
    chore: Chore,
}

#[derive(Subcommand)]
enum Chore {
    /// Runs the console blocks of the README and the pages that continue it in a fresh clone of what is committed.
    Readme,
    /// Runs the second stage of CI, which installs what it needs.
    Ci {
        /// Only these parts, by name, one after the other; a name that there is not lists them.
        parts: Vec<String>,
        /// The executable that the parts use; if none is given, it is built as users build it.
        #[arg(long, value_name = "PATH")]
        arena: Option<PathBuf>,
    },
    /// Runs the fuzz targets, with a nightly compiler and cargo-fuzz, which is installed if it is missing.
    Fuzz {
        /// The target: `positions`, `lines` or `logs`; all of them if none is given.
        target: Option<String>,
        /// How long each target runs, after it is built.
        #[arg(long, value_name = "N", default_value = "60")]
        seconds: u32,
    },
    /// Makes a site of all pages and of the commands' help in `target/book/site`; see arena/docs/contributing.md.
    Book {
        /// First take the pictures in `arena/docs/images` anew, with Chromium; look at them before you commit them.
        #[arg(long)]
        pictures: bool,
    },
    /// Writes the books of openings in the executable again; look at the difference before you commit it.
    Books,
    /// Plays every attack of `tests/chaos` and prints what came of each as a table; see arena/docs/chaos.md.
    Chaos {
        /// The level of protection: `none`, `basic`, `contest`, `strict`; all of them if none is given.
        #[arg(long, value_name = "LEVEL")]
        level: Vec<String>,
        /// Only the attacks whose names hold this word.
        #[arg(long, value_name = "WORD")]
        only: Option<String>,
        /// How many rounds of two games each attack is played for.
        #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
        rounds: u32,
    },
    /// Lets bots crash, hang and flood, kills the arena, fills its disk and tears its journal; prints how many games that
    /// lost (none).
    Losses,
    /// Prints how often figures keep their promises: in simulation, in real runs and against oracles; see
    /// arena/docs/statistics-beyond.md.
    Statistics(statistics::Request),
    /// Builds c-chess-cli, fastchess and cuteataxx from a folder with their sources, and prints how fast instant bots play under
    /// them and under the arena; see arena/docs/performance.md.
    Peers(peers::Request),
    /// Is the bot of `peers`.
    #[command(hide = true)]
    LineBot,
    /// Plays by the recipes for shards: GNU parallel, and Slurm on a cluster of this machine alone.
    Shards,
    /// Builds the games of `arena/games` that need a compiler into `target/games`.
    Games {
        /// Only these, by name; a name that there is not lists them.
        names: Vec<String>,
    },
    /// Builds the static executables and makes an archive, a Debian package, a wheel and an image of them, into `target/packages`; see
    /// arena/docs/installing.md.
    Dist {
        /// The system: `x86_64-unknown-linux-musl` or `aarch64-unknown-linux-musl`.
        #[arg(long, default_value = dist::TARGET)]
        target: String,
        /// Build everything once more in another folder: the bytes must be the same.
        #[arg(long)]
        twice: bool,
    },
    /// Prints the lines of every crate, and what breaks the limits of arena/docs/crates.md.
    House,
    /// Writes the golden files of the tests again; look at the difference before you commit it.
    Bless,
}

fn main() -> ExitCode {
    let result = match Arguments::parse().chore {
        Chore::Readme => readme::check(),
        Chore::Ci { parts, arena } => second_stage::check(&parts, arena),
        Chore::Fuzz { target, seconds } => fuzz::check(target.as_deref(), seconds),
        Chore::Book { pictures } => book::make(pictures),
        Chore::Books => books::write(),
        Chore::Chaos { level, only, rounds } => chaos::check(&level, only.as_deref(), rounds, None),
        Chore::Losses => losses::check(),
        Chore::Statistics(request) => statistics::check(&request),
        Chore::Peers(request) => peers::compare(&request),
        Chore::LineBot => peers::line_bot(),
        Chore::Shards => shards::check_alone(),
        Chore::Games { names } => games::build(&names),
        Chore::Dist { target, twice } => dist::make(&target, twice),
        Chore::House => house::check(),
        Chore::Bless => bless(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn bless() -> Result<(), ChoreError> {
    let root = shell::root();
    // Inline snapshots are written by cargo-insta only.
    run("cargo insta --version || cargo install --locked cargo-insta", &root)?;
    run("ARENA_BLESS=1 TRYCMD=overwrite cargo insta test --accept --workspace", &root)?;
    run("git status --short", &root)
}
