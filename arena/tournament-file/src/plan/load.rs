//! Reading a tournament file from the disk.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{self, Path};

use diagnostic::Failure;

use crate::flags::overrides::Overrides;
use crate::plan::{Plan, Source, parse};

/// The most bytes of a tournament file.
const MOST_BYTES: u64 = 1 << 20;

/// Reads a tournament file; the overrides come first.
///
/// # Errors
/// When the file cannot be read, and with everything that is wrong in it.
pub fn load(file: &Path, overrides: &Overrides) -> Result<Plan, Failure> {
    let name = file.display().to_string();
    let failed = |error: &io::Error| {
        let failure = Failure::usage(format!("failed to read the tournament file `{name}`: {error}"));
        match error.kind() {
            io::ErrorKind::IsADirectory => failure.hint("name the file, not its directory"),
            io::ErrorKind::NotFound => failure.hint(match nearest(file) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("`arena init {}` writes one to begin with", protocol::printable(&name)),
            }),
            io::ErrorKind::FileTooLarge => {
                Failure::usage(format!("`{name}` is too long for a tournament file"))
                    .hint(format!("at most {MOST_BYTES} bytes are read"))
            }
            _ => failure,
        }
    };
    let bytes = record::read_named(file, MOST_BYTES).map_err(|error| failed(&error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let start = error.utf8_error().valid_up_to();
        let line = 1 + error.as_bytes()[..start].iter().filter(|byte| **byte == b'\n').count();
        Failure::usage(format!("`{name}` is not UTF-8 text: line {line}")).hint("save the file as UTF-8")
    })?;
    let absolute = path::absolute(file).map_err(|error| failed(&error))?;
    let plan = parse(&text, &name, absolute.parent().unwrap_or(&absolute), overrides)?;
    let source = Some(Source { file: file.to_path_buf(), overrides: overrides.clone() });
    Ok(Plan { source, ..plan })
}

/// Returns a YAML file of the same directory whose name is nearly that of `file`, as the user would write it.
fn nearest(file: &Path) -> Option<String> {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
    let is_yaml = |name: &String| {
        let ending = Path::new(name).extension().and_then(OsStr::to_str);
        ending.is_some_and(|ending| ["yaml", "yml"].contains(&ending))
    };
    let entries = fs::read_dir(folder.unwrap_or(Path::new("."))).ok()?;
    let mut names: Vec<_> =
        entries.flatten().filter_map(|entry| entry.file_name().into_string().ok()).collect();
    names.retain(is_yaml);
    names.sort();
    let near = rules::nearest(file.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    let path = folder.map_or_else(|| Path::new(near).to_path_buf(), |folder| folder.join(near));
    Some(protocol::printable(&path.display().to_string()).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns what is said of a file that is not there, beside one of this name.
    fn check(there: &str, asked: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(there), "").unwrap();
        let told = load(&folder.path().join(asked), &Overrides::default()).expect_err("no file").to_string();
        told.replace(&*folder.path().to_string_lossy(), "DIR")
    }

    #[test]
    fn a_file_with_nearly_that_name_is_named() {
        assert!(check("cup.yaml", "cup.yml").contains("hint: did you mean `DIR/cup.yaml`?"));
        assert!(check("cup.txt", "cup.yml").contains("hint: `arena init DIR/cup.yml` writes one"));
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_file_without_an_end_is_not_read_to_it() {
        let told = load(Path::new("/dev/zero"), &Overrides::default()).expect_err("no text").to_string();
        assert!(told.contains("`/dev/zero` is too long for a tournament file"), "{told}");
    }
}
