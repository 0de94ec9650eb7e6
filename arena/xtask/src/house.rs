//! The shape of the workspace, counted: lines of every crate, files of every folder, import circles inside a crate, names
//! that several crates export, and which crate names which. `arena/docs/crates.md` has the limits.

mod circles;
mod crates;
mod imports;
mod map;
mod names;

use std::path::Path;

use crate::house::crates::Crate;
use crate::shell::{self, ChoreError};

/// The most lines of a crate, tests aside.
const MOST_LINES: usize = 12_000;

/// The most lines of the command line, tests aside.
const MOST_LINES_OF_THE_COMMAND_LINE: usize = 10_000;

/// The most source files of one folder, those of its sub-folders aside.
const MOST_FILES: usize = 15;

/// The crate of the executable.
const COMMAND_LINE: &str = "arena";

/// Prints the shape of the workspace.
///
/// # Errors
/// When a crate, a folder or an import breaks a limit, or the map of the crates does not hold.
pub(crate) fn check() -> Result<(), ChoreError> {
    let root = shell::root();
    let crates = crates::read(&root)?;
    println!("{:>7} {:>6}  crate", "lines", "files");
    for unit in &crates {
        println!("{:>7} {:>6}  {} ({})", unit.lines(), unit.files.len(), unit.name, unit.below(&root));
    }
    let breaches = breaches(&root, &crates);
    breaches.iter().for_each(|breach| println!("{breach}"));
    if breaches.is_empty() {
        Ok(())
    } else {
        Err(ChoreError(format!("{} limits are broken", breaches.len())))
    }
}

/// Returns what breaks a limit, in words.
fn breaches(root: &Path, crates: &[Crate]) -> Vec<String> {
    let mut breaches = Vec::new();
    for unit in crates {
        let most = if unit.name == COMMAND_LINE { MOST_LINES_OF_THE_COMMAND_LINE } else { MOST_LINES };
        if unit.lines() > most {
            breaches.push(format!("{} has {} lines, and may have {most}", unit.name, unit.lines()));
        }
        for (folder, count) in unit.folders() {
            if count > MOST_FILES {
                let folder = folder.strip_prefix(root).unwrap_or(&folder).display().to_string();
                breaches.push(format!("{folder} holds {count} files, and may hold {MOST_FILES}"));
            }
        }
        for circle in circles::of(unit) {
            breaches.push(format!("in {}, these import each other: {}", unit.name, circle.join(", ")));
        }
    }
    breaches.extend(names::breaches(crates));
    breaches.extend(map::differences(root, crates));
    breaches
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_keeps_its_limits() {
        let root = shell::root();
        let crates = crates::read(&root).unwrap();
        assert_eq!(breaches(&root, &crates), Vec::<String>::new());
    }
}
