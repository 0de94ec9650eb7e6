//! The licences of everything that is linked into the executables.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::dist::dependencies::Dependency;
use crate::shell::ChoreError;

/// Licences that are permissive: one alternative of every package is made of these alone.
const PERMISSIVE: [&str; 13] = [
    "0BSD",
    "Apache-2.0",
    "BSD-1-Clause",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "CDLA-Permissive-2.0",
    "ISC",
    "MIT",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// How the files begin that hold a licence.
const FILES: [&str; 5] = ["license", "licence", "copying", "notice", "unlicense"];

/// Returns the licences of all packages, each with the texts that it brings.
///
/// # Errors
/// When a package has a licence that is not permissive.
pub(super) fn text(packages: &[Dependency]) -> Result<String, ChoreError> {
    let mut text = String::from(
        "The executables contain the packages below, besides the arena itself (LICENSE-MIT, LICENSE-APACHE) and the standard library\n\
         of Rust (MIT OR Apache-2.0) with musl (MIT). What follows each is the text that its authors publish with it.\n",
    );
    for package in packages.iter().filter(|package| !package.is_ours()) {
        let Dependency { name, version, license, authors, folder, .. } = package;
        if !is_permissive(license) {
            return Err(ChoreError(format!(
                "{name} {version} has the licence `{license}`, which is not known to be permissive"
            )));
        }
        let _ = write!(text, "\n{}\n{name} {version}: {license}\n", "=".repeat(100));
        if !authors.is_empty() {
            let _ = writeln!(text, "by {}", authors.join(", "));
        }
        let files = files(folder)?;
        if files.is_empty() {
            text.push_str("\nIts archive holds no text of the licence.\n");
        }
        for (name, content) in files {
            let _ = write!(text, "\n--- {name}\n{}\n", content.trim_end());
        }
    }
    Ok(text)
}

/// Returns the files of a package that hold its licence.
fn files(folder: &Path) -> Result<Vec<(String, String)>, ChoreError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let is_text = FILES.iter().any(|start| name.to_lowercase().starts_with(start));
        if is_text && entry.file_type()?.is_file() && !name.ends_with(".rs") {
            files.push((name, String::from_utf8_lossy(&fs::read(entry.path())?).into_owned()));
        }
    }
    files.sort();
    Ok(files)
}

/// Returns whether one alternative of an expression has permissive licences alone. Exceptions only permit more.
fn is_permissive(expression: &str) -> bool {
    let plain = expression.replace('/', " OR ").replace(['(', ')'], " ");
    let is_known = |licence: &str| {
        let licence = licence.split(" WITH ").next().unwrap_or_default().trim();
        PERMISSIVE.contains(&licence)
    };
    // Parentheses aside: where every licence is known the grouping does not matter, else one whole alternative must be.
    plain.split(" AND ").all(|all| all.split(" OR ").any(is_known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_read_as_alternatives() {
        for licence in [
            "MIT",
            "MIT OR Apache-2.0",
            "Apache-2.0/MIT",
            "(MIT OR Apache-2.0) AND Unicode-3.0",
            "Apache-2.0 WITH LLVM-exception",
            "GPL-3.0 OR MIT",
        ] {
            assert!(is_permissive(licence), "{licence}");
        }
        for licence in ["", "GPL-3.0", "MIT AND GPL-3.0", "MPL-2.0"] {
            assert!(!is_permissive(licence), "{licence}");
        }
    }
}
