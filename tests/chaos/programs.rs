//! The executable and the attacker in C, where every user can run them.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// A folder with the programs; it goes with this.
pub(crate) struct Programs {
    _folder: TempDir,
    arena: PathBuf,
    attacker: PathBuf,
}

impl Programs {
    pub(crate) fn new() -> Self {
        let folder =
            tempfile::Builder::new().prefix("arena-programs-").tempdir().expect("a temporary folder");
        fs::set_permissions(folder.path(), fs::Permissions::from_mode(0o755)).expect("rights");
        let place = |name: &str| folder.path().join(name);
        let (arena, attacker, source) = (place("arena"), place("attacker"), place("attacker.c"));
        // The second stage of CI uses the executable that users have.
        let given = env::var_os("ARENA_UNDER_TEST").map(PathBuf::from);
        let built = given.unwrap_or_else(|| env!("CARGO_BIN_EXE_arena").into());
        if fs::hard_link(&built, &arena).is_err() {
            fs::copy(&built, &arena).expect("room for a copy of the executable");
        }
        fs::write(&source, include_str!("attacker.c")).expect("a file");
        fs::write(place("memory.c"), include_str!("attacker/memory.c")).expect("a file");
        // Its faults are meant: the compiler neither warns of them nor mends them.
        let words = ["-O0", "-w", "-o"];
        let status = Command::new("cc").args(words).arg(&attacker).arg(&source).status();
        assert!(status.is_ok_and(|status| status.success()), "a C compiler is needed");
        Self { _folder: folder, arena, attacker }
    }

    pub(crate) fn arena(&self) -> &Path {
        &self.arena
    }

    pub(crate) fn attacker(&self) -> &Path {
        &self.attacker
    }
}
