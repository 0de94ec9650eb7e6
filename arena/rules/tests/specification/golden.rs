//! Golden files: compared, and written only by `cargo xtask bless`.

use std::path::Path;
use std::{env, fs};

/// Compares a text with a golden file, or writes it there when golden files are blessed.
///
/// # Errors
/// Says where the first difference is.
pub(crate) fn compare(path: &Path, text: &str) -> Result<(), String> {
    if env::var_os("ARENA_BLESS").is_some_and(|value| value == "1") {
        return fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()));
    }
    let golden = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    if golden == text {
        return Ok(());
    }
    let lines = golden.lines().zip(text.lines());
    let same = lines.take_while(|(golden, text)| golden == text).count();
    let [golden, text] = [&golden, text].map(|text| text.lines().nth(same).unwrap_or("(the end)").to_owned());
    Err(format!("{}:{}:\n  expected {golden}\n  found    {text}", path.display(), same + 1))
}
