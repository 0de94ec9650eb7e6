//! Whether a build depends on where it is made.

use std::fs;
use std::path::{Path, PathBuf};

use crate::dist::{Release, build, fresh, image, packages};
use crate::shell::{ChoreError, output, root, run};

/// Checks that the executables name no folder of this machine: those would differ elsewhere.
///
/// # Errors
/// Names what was found.
pub(super) fn check_paths(release: &Release, stage: &Path) -> Result<(), ChoreError> {
    let home = std::env::var_os("HOME").map_or_else(PathBuf::new, PathBuf::from);
    for folder in [release.source.as_path(), &home.join(".cargo"), &home.join(".rustup")] {
        let line = format!(
            "! strings --all bin/arena bin/arena-chess | grep --fixed-strings --max-count 3 '{}/'",
            folder.display()
        );
        run(&line, stage)?;
    }
    // No interpreter and no libraries: it runs where nothing is installed.
    run("! readelf --program-headers --dynamic bin/arena | grep --extended-regexp 'INTERP|NEEDED'", stage)
}

/// Builds and packs a clone of what is committed in another folder, with nothing that was built before, and compares every
/// archive.
///
/// # Errors
/// When something is not committed, or a file differs.
pub(super) fn check(release: &Release, out: &Path) -> Result<(), ChoreError> {
    let changed = output("git status --porcelain", &release.source)?;
    if !changed.is_empty() {
        return Err(ChoreError(format!(
            "what is built twice is what is committed, and these files are not:\n{changed}"
        )));
    }
    let elsewhere = root().join("target").join("dist-again");
    fresh(&elsewhere)?;
    let clone = elsewhere.join("somewhere").join("else");
    run(
        &format!("git clone --quiet --no-hardlinks '{}' '{}'", release.source.display(), clone.display()),
        &elsewhere,
    )?;
    let again = Release { source: clone, ..release.clone() };
    let second = elsewhere.join("out");
    let stage = build::stage(&again, &second)?;
    packages::archive(&again, &stage, &second)?;
    packages::debian(&again, &stage, &second)?;
    packages::wheel(&again, &stage, &second)?;
    image::build(&again, &stage, &second)?;
    for entry in fs::read_dir(&second)? {
        let name = entry?.file_name();
        let [one, two] = [out, &second].map(|folder| folder.join(&name));
        if two.is_file() && fs::read(&one)? != fs::read(&two)? {
            return Err(ChoreError(format!("`{}` is not the same when it is built twice", name.display())));
        }
    }
    println!("two builds in two folders are the same to the byte");
    Ok(())
}
