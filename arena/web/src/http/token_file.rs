//! Where the token of a served directory is kept between two starts of the server: a file of the user alone, outside the
//! directory, so that it is not published with the results.

use std::path::{Path, PathBuf};

use diagnostic::Failure;

use super::guard::AccessToken;

/// Returns the folder in which this user's programs keep what outlives them (`XDG_STATE_HOME`, or `~/.local/state`); `None`
/// where the environment names none.
pub(crate) fn state_folder() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")))
}

/// Returns the token of a served directory: the kept one, or a new one that is kept from now on. With `renews`, the kept one
/// is given up. `state` is the [`state_folder`]; where it cannot hold the token, the token lasts as long as the server, and
/// the second value says why.
///
/// # Errors
/// When the system has no random numbers.
pub(crate) fn token_of(
    directory: &Path,
    state: Option<&Path>,
    renews: bool,
) -> Result<(AccessToken, Option<String>), Failure> {
    let fresh = AccessToken::random()?;
    let Some(state) = state else {
        return Ok((fresh, Some("neither XDG_STATE_HOME nor HOME names a folder".to_owned())));
    };
    match kept::keep(directory, state, renews, &fresh) {
        Ok(Some(kept)) => Ok((kept, None)),
        Ok(None) => Ok((fresh, None)),
        Err(error) => Ok((fresh, Some(format!("`{}`: {error}", state.display())))),
    }
}

/// Only where a file can be hidden from other users is a token kept.
#[cfg(not(unix))]
mod kept {
    use std::io;
    use std::path::Path;

    use super::AccessToken;

    pub(super) fn keep(_: &Path, _: &Path, _: bool, _: &AccessToken) -> io::Result<Option<AccessToken>> {
        Err(io::Error::new(io::ErrorKind::Unsupported, "this system does not hide files from other users"))
    }
}

#[cfg(unix)]
mod kept {
    use std::fs::{self, DirBuilder, OpenOptions};
    use std::io::{self, Read as _, Write as _};
    use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _};
    use std::path::Path;

    use sha2::{Digest as _, Sha256};

    use super::AccessToken;

    /// How much of a file is read: a token and the end of its line.
    const MOST: u64 = 100;

    /// Keeps the fresh token, or returns the one that is kept.
    pub(super) fn keep(
        directory: &Path,
        state: &Path,
        renews: bool,
        fresh: &AccessToken,
    ) -> io::Result<Option<AccessToken>> {
        let folder = state.join("arena/serve");
        DirBuilder::new().recursive(true).mode(0o700).create(&folder)?;
        let whole = directory.canonicalize().or_else(|_| std::path::absolute(directory))?;
        let digest = Sha256::digest(whole.as_os_str().as_encoded_bytes());
        let name: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let path = folder.join(name);
        if !renews && let Some(kept) = read(&path)? {
            return Ok(Some(kept));
        }
        // Another server may begin at the same time: each sees a whole token, and the later one holds for both from their next
        // start on.
        let beside = path.with_extension(format!("{}.new", std::process::id()));
        // What a killed process of the same number has left.
        let _ = fs::remove_file(&beside);
        let written = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&beside);
        written.and_then(|mut file| writeln!(file, "{}", fresh.words()))?;
        fs::rename(&beside, &path)?;
        Ok(None)
    }

    /// Reads a kept token; `None` where there is none, or none that this user alone could read and write.
    fn read(path: &Path) -> io::Result<Option<AccessToken>> {
        let metadata = match fs::symlink_metadata(path) {
            Ok(metadata) => metadata,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let is_private = metadata.is_file()
            && metadata.mode() & 0o077 == 0
            && metadata.uid() == rustix::process::geteuid().as_raw();
        if !is_private {
            return Ok(None);
        }
        let mut text = String::new();
        record::open_regular(path)?.take(MOST).read_to_string(&mut text)?;
        Ok(AccessToken::read(text.trim_end()))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};

    use super::*;

    fn words(directory: &Path, state: &Path, renews: bool) -> String {
        let (token, unkept) = token_of(directory, Some(state), renews).expect("a token");
        assert_eq!(unkept, None);
        token.words().to_owned()
    }

    #[test]
    fn a_token_stays_until_it_is_renewed_and_belongs_to_one_directory() {
        let state = tempfile::tempdir().expect("a folder");
        let [one, two] = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
        let kept = words(one.path(), state.path(), false);
        assert_eq!(words(one.path(), state.path(), false), kept);
        assert_ne!(words(two.path(), state.path(), false), kept);
        let renewed = words(one.path(), state.path(), true);
        assert_ne!(renewed, kept);
        assert_eq!(words(one.path(), state.path(), false), renewed);
    }

    #[test]
    fn a_token_that_others_could_read_or_that_is_none_is_given_up() {
        let state = tempfile::tempdir().expect("a folder");
        let served = tempfile::tempdir().expect("a folder");
        let kept = words(served.path(), state.path(), false);
        let folder = state.path().join("arena/serve");
        assert_eq!(fs::metadata(&folder).expect("a folder").mode() & 0o777, 0o700);
        let files: Vec<_> =
            fs::read_dir(&folder).expect("a folder").map(|it| it.expect("a file").path()).collect();
        let [file] = files.as_slice() else { panic!("{files:?}") };
        assert_eq!(fs::metadata(file).expect("a file").mode() & 0o777, 0o600);
        fs::set_permissions(file, fs::Permissions::from_mode(0o644)).expect("it is ours");
        let next = words(served.path(), state.path(), false);
        assert_ne!(next, kept);
        fs::write(file, "12").expect("it is ours");
        assert_eq!(words(served.path(), state.path(), false).len(), 64);
        // Somebody else's file behind a link is not ours to trust.
        fs::remove_file(file).expect("it is ours");
        fs::write(served.path().join("planted"), "0".repeat(64)).expect("a file");
        std::os::unix::fs::symlink(served.path().join("planted"), file).expect("a link");
        assert_ne!(words(served.path(), state.path(), false), "0".repeat(64));
    }

    #[test]
    fn without_a_folder_a_token_lasts_as_long_as_the_server() {
        let served = tempfile::tempdir().expect("a folder");
        let (_, unkept) = token_of(served.path(), None, false).expect("a token");
        assert!(unkept.is_some());
        let file = served.path().join("file");
        fs::write(&file, "").expect("a file");
        let (_, unkept) = token_of(served.path(), Some(&file), false).expect("a token");
        assert!(unkept.is_some());
    }
}
