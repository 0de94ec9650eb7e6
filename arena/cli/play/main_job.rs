//! The main job: the tournament of `arena run` and `arena plan` if no file is given.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use diagnostic::{Failure, output, say};
use tournament_file::{Overrides, Plan};

/// The tournament.
const TEXT: &str = include_str!("../default.yaml");

/// The stranger among its bots.
const PYTHON_BOT: &str = include_str!("../../../bots/python/random_bot.py");

/// Returns the directory of its results.
pub(super) fn out(overrides: &Overrides) -> &str {
    overrides.value("out").unwrap_or("results/default")
}

/// Returns its plan. The Python bot is written into `directory`; without Python, the plan leaves the bot out.
///
/// # Errors
/// When the bot cannot be written, or a flag does not fit.
pub(super) fn plan(directory: &Path, overrides: &Overrides) -> Result<Plan, Failure> {
    let text = if has_python() {
        write_python_bot(directory)?;
        TEXT.to_owned()
    } else {
        say("`python3` does not run here: the main job is played without `python-random`");
        TEXT.lines().filter(|line| !line.contains("python3")).flat_map(|line| [line, "\n"]).collect()
    };
    let overrides = overrides.clone().with("out", out(overrides));
    tournament_file::parse(&text, "the main job", directory, &overrides)
}

fn has_python() -> bool {
    let mut python = Command::new("python3");
    python.args(["-c", "pass"]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    python.status().is_ok_and(|status| status.success())
}

fn write_python_bot(directory: &Path) -> Result<(), Failure> {
    let path = directory.join("bots").join("random_bot.py");
    fs::create_dir_all(directory.join("bots"))
        .and_then(|()| fs::write(&path, PYTHON_BOT))
        .map_err(|error| Failure::io(format!("failed to write `{}`", output::path(&path)), &error))
}
