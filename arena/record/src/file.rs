//! Opening files that another user may have put in place.
//!
//! Only regular files are opened, unless the user names a file below `/dev` or `/proc`.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read as _};
use std::path::Path;

/// Opens a regular file for reading. It refuses anything else: a pipe would block without end, a device may never end, and
/// opening one can have side effects.
///
/// # Errors
/// If the file cannot be opened or is not a regular file.
pub fn open_regular(path: &Path) -> io::Result<File> {
    open_regular_with(OpenOptions::new().read(true), path)
}

/// Opens a regular file with `options`, which may create it.
///
/// # Errors
/// As [`open_regular`].
pub(crate) fn open_regular_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    if let Ok(metadata) = fs::metadata(path) {
        check(&metadata)?;
    }
    // After the check above, somebody may have replaced the file: a pipe must not block us.
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;

        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path)?;
    check(&file.metadata()?)?;
    Ok(file)
}

/// Opens a file that the user has named. Below `/dev` and `/proc` it may be of any kind: `/dev/stdin`, or what a shell
/// substitutes for `<(command)`.
///
/// # Errors
/// If the file cannot be opened, or is elsewhere and not a regular file.
pub(crate) fn open_named(path: &Path) -> io::Result<File> {
    if path.starts_with("/dev") || path.starts_with("/proc") { File::open(path) } else { open_regular(path) }
}

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
/// As [`open_regular`], and if the file is longer.
pub fn read_regular(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_to_end(open_regular(path)?, most)
}

/// Reads a file of at most `most` bytes that the user has named.
///
/// # Errors
/// If the file cannot be opened or read, is not a regular file, or is longer.
pub fn read_named(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    read_to_end(open_named(path)?, most)
}

fn read_to_end(file: File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let words = format!("it is longer than {most} bytes");
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, words));
    }
    Ok(bytes)
}

fn check(metadata: &Metadata) -> io::Result<()> {
    let kind = metadata.file_type();
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if kind.is_file() {
        return Ok(());
    }
    Err(io::Error::other(format!("it is {}, not a regular file", word(kind))))
}

#[cfg(unix)]
fn word(kind: fs::FileType) -> &'static str {
    use std::os::unix::fs::FileTypeExt as _;

    if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    }
}

#[cfg(not(unix))]
fn word(_kind: fs::FileType) -> &'static str {
    "something else"
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn only_regular_files_are_opened_and_nothing_is_waited_for() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("file"), "text").unwrap();
        let mode = rustix::fs::Mode::RWXU;
        rustix::fs::mknodat(rustix::fs::CWD, at("pipe"), rustix::fs::FileType::Fifo, mode, 0).unwrap();
        std::os::unix::fs::symlink("pipe", at("link")).unwrap();
        let _socket = std::os::unix::net::UnixListener::bind(at("socket")).unwrap();
        for (path, words) in [
            (at("pipe"), "it is a pipe, not a regular file"),
            (at("link"), "it is a pipe, not a regular file"),
            (at("socket"), "it is a socket, not a regular file"),
            ("/dev/zero".into(), "it is a device, not a regular file"),
            (at(""), "is a directory"),
        ] {
            assert_eq!(open_regular(&path).unwrap_err().to_string(), words, "{path:?}");
            let written = open_regular_with(OpenOptions::new().append(true).create(true), &path);
            assert_eq!(written.unwrap_err().to_string(), words, "{path:?}");
        }
        assert_eq!(read_regular(&at("file"), 4).unwrap(), b"text");
        assert_eq!(read_regular(&at("file"), 3).unwrap_err().kind(), io::ErrorKind::FileTooLarge);
        assert_eq!(open_regular(&at("nothing")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
