//! The shape of the workspace, counted: lines of every crate, files of every folder, import circles inside a crate, and
//! which crate names which. `arena/docs/crates.md` has the limits.

mod circles;
mod crates;
mod imports;
mod map;

use std::path::Path;

use crate::house::crates::Crate;
use crate::shell::{self, Fault};

/// The most lines of a crate, tests aside.
const MOST_LINES: usize = 12_000;

/// The most lines of the command line, tests aside.
const MOST_LINES_OF_THE_COMMAND_LINE: usize = 10_000;

/// The most source files of one folder, those of its sub-folders aside.
const MOST_FILES: usize = 15;

/// Circles that are still to be dissolved: the crate and the first module of each.
const KNOWN_CIRCLES: [(&str, &str); 2] =
    [("tournament-file", "bots::entries"), ("tournament-file", "written::compact")];

/// The crate of the executable.
const COMMAND_LINE: &str = "arena";

/// Prints the shape of the workspace.
///
/// # Errors
/// When a crate, a folder or an import breaks a limit, or the map of the crates does not hold.
pub(crate) fn check() -> Result<(), Fault> {
    let root = shell::root();
    let crates = crates::read(&root)?;
    println!("{:>7} {:>6}  crate", "lines", "files");
    for unit in &crates {
        println!("{:>7} {:>6}  {} ({})", unit.lines(), unit.files.len(), unit.name, unit.below(&root));
    }
    let faults = faults(&root, &crates);
    faults.iter().for_each(|fault| println!("{fault}"));
    if faults.is_empty() { Ok(()) } else { Err(Fault(format!("{} limits are broken", faults.len()))) }
}

/// Returns what breaks a limit, in words.
fn faults(root: &Path, crates: &[Crate]) -> Vec<String> {
    let mut faults = Vec::new();
    for unit in crates {
        let most = if unit.name == COMMAND_LINE { MOST_LINES_OF_THE_COMMAND_LINE } else { MOST_LINES };
        if unit.lines() > most {
            faults.push(format!("{} has {} lines, and may have {most}", unit.name, unit.lines()));
        }
        for (folder, count) in unit.folders() {
            if count > MOST_FILES {
                let folder = folder.strip_prefix(root).unwrap_or(&folder).display().to_string();
                faults.push(format!("{folder} holds {count} files, and may hold {MOST_FILES}"));
            }
        }
        let circles = circles::of(unit);
        for (_, first) in KNOWN_CIRCLES.iter().filter(|(name, _)| *name == unit.name) {
            if !circles.iter().any(|circle| circle[0] == *first) {
                faults.push(format!("in {}, the circle of {first} is gone: forget it", unit.name));
            }
        }
        let is_known = |circle: &[String]| KNOWN_CIRCLES.contains(&(&*unit.name, &*circle[0]));
        for circle in circles.iter().filter(|circle| !is_known(circle)) {
            faults.push(format!("in {}, these import each other: {}", unit.name, circle.join(", ")));
        }
    }
    faults.extend(map::differences(root, crates));
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_house_keeps_its_limits() {
        let root = shell::root();
        let crates = crates::read(&root).unwrap();
        assert_eq!(faults(&root, &crates), Vec::<String>::new());
    }
}
