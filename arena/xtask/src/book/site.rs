//! mdBook: where it comes from, and what it is run on.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::book::MDBOOK;
use crate::shell::{ChoreError, root, run};

/// Returns the path of mdBook. The first call builds it from its sources, with the search and without its server and without
/// optimisation, which takes a minute; `target/tools` keeps it.
///
/// # Errors
/// When it cannot be built.
pub(super) fn mdbook() -> Result<PathBuf, ChoreError> {
    let tools = root().join("target/tools");
    let path = tools.join("bin/mdbook");
    let version = Command::new(&path).arg("--version").output();
    let wanted = format!("mdbook v{MDBOOK}");
    if !version.is_ok_and(|output| String::from_utf8_lossy(&output.stdout).trim() == wanted) {
        // Nobody debugs it, and its target folder is thrown away.
        run(
            &format!(
                "CARGO_PROFILE_DEV_DEBUG=0 CARGO_INCREMENTAL=0 cargo install mdbook@{MDBOOK} --locked --quiet --force --debug \
                 --no-default-features --features search --root '{}'",
                tools.display()
            ),
            &root(),
        )?;
    }
    Ok(path)
}

/// Makes the site of a folder with `book.toml`. A warning of mdBook is an error: a page is not as its author meant it.
///
/// # Errors
/// When mdBook fails or warns.
pub(super) fn build(mdbook: &Path, book: &Path) -> Result<(), ChoreError> {
    println!("$ {} build {}", mdbook.display(), book.display());
    let output = Command::new(mdbook).arg("build").arg(book).stdin(Stdio::null()).output()?;
    let told = String::from_utf8_lossy(&output.stderr);
    let is_quiet = !told.lines().any(|line| line.contains("WARN") || line.contains("ERROR"));
    if output.status.success() && is_quiet {
        return Ok(());
    }
    Err(ChoreError(format!("mdBook ({}) says:\n{told}", output.status)))
}
