//! Writing a whole journal at once.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write as _};
use std::path::Path;

use super::{JOURNAL, JournalError, JournalLine};

/// Writes the journal of a directory that has none, creating the directory if necessary. The journal appears as a whole or not
/// at all: it is written under another name, synced, and then renamed.
///
/// # Errors
/// If the directory has a journal, if something cannot be written, and if a line fails.
pub fn write_whole(
    directory: &Path,
    lines: impl IntoIterator<Item = Result<JournalLine, JournalError>>,
) -> Result<(), JournalError> {
    fs::create_dir_all(directory).map_err(JournalError::io("create", directory))?;
    let path = directory.join(JOURNAL);
    if path.exists() {
        return Err(JournalError::io("create", &path)(io::ErrorKind::AlreadyExists.into()));
    }
    // The number of the process keeps two writers apart.
    let draft = directory.join(format!("{JOURNAL}.{}.new", std::process::id()));
    let failed = || JournalError::io("write", &path);
    let written = write(&draft, lines, failed);
    if let Err(error) = written.and_then(|()| fs::rename(&draft, &path).map_err(failed())) {
        // On a full disk the draft takes up space. If it cannot be removed, it is harmless.
        let _ = fs::remove_file(&draft);
        return Err(error);
    }
    // The new name must survive a power failure too. Not every system can promise that for a directory.
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
    Ok(())
}

fn write<F: FnOnce(io::Error) -> JournalError>(
    draft: &Path,
    lines: impl IntoIterator<Item = Result<JournalLine, JournalError>>,
    failed: impl Fn() -> F,
) -> Result<(), JournalError> {
    let mut file = BufWriter::new(File::create(draft).map_err(failed())?);
    for line in lines {
        let text = line?.to_text().map_err(io::Error::from).map_err(failed())?;
        file.write_all(text.as_bytes()).map_err(failed())?;
    }
    let file = file.into_inner().map_err(io::IntoInnerError::into_error);
    file.and_then(|file| file.sync_all()).map_err(failed())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_journal_is_written_whole_and_never_over_another_one() {
        let directory = tempfile::tempdir().unwrap();
        let out = directory.path().join("new/one");
        write_whole(&out, []).unwrap();
        let names: Vec<_> = fs::read_dir(&out).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, [JOURNAL]);
        fs::write(out.join(JOURNAL), "kept").unwrap();
        let refusal = write_whole(&out, []).unwrap_err();
        assert!(refusal.to_string().contains("cannot create"), "{refusal}");
        assert_eq!(fs::read_to_string(out.join(JOURNAL)).unwrap(), "kept");
    }
}
