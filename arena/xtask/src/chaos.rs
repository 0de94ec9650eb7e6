//! Misbehaving bots: the whole table of `tests/chaos`, at the levels that are asked for.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::shell::{ChoreError, root};

/// Every level of protection.
const LEVELS: [&str; 4] = ["none", "basic", "contest", "strict"];

/// Plays the attacks whose names hold a word, all of them without one, for `rounds` rounds, and prints the table of what came of them.
/// They are played against `arena`, if it is given, else against the debug build.
pub(crate) fn check(
    levels: &[String],
    only: Option<&str>,
    rounds: u32,
    arena: Option<&Path>,
) -> Result<(), ChoreError> {
    if let Some(unknown) = levels.iter().find(|level| !LEVELS.contains(&level.as_str())) {
        return Err(ChoreError(format!("no level is called `{unknown}`: {}", LEVELS.join(", "))));
    }
    let levels = if levels.is_empty() { LEVELS.join(",") } else { levels.join(",") };
    let folder = root().join("target").join("chaos");
    fs::create_dir_all(&folder)?;
    let table = folder.join("table.md");
    if table.exists() {
        fs::remove_file(&table)?;
    }
    let words = ["test", "--locked", "--quiet", "--test", "chaos", "longer_run", "--", "--nocapture"];
    let mut command = Command::new("cargo");
    command.args(words).current_dir(root()).stdin(Stdio::null());
    command.env("ARENA_CHAOS_LEVELS", &levels).env("ARENA_CHAOS_TABLE", &table);
    command.env("ARENA_CHAOS_ROUNDS", rounds.to_string());
    if let Some(arena) = arena {
        command.env("ARENA_UNDER_TEST", arena);
    }
    if let Some(word) = only {
        command.env("ARENA_CHAOS_ONLY", word);
    }
    println!("$ ARENA_CHAOS_LEVELS={levels} cargo {}", words.join(" "));
    let status = command.status()?;
    if let Ok(text) = fs::read_to_string(&table) {
        println!("{text}");
    }
    if status.success() { Ok(()) } else { Err(ChoreError(format!("the attacks at {levels}: {status}"))) }
}
