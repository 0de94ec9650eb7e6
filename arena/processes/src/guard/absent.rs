//! Where there are no guards.

use std::convert::Infallible;
use std::fs;
use std::future::Future;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::time::Instant;

use crate::ExceededLimit;
use crate::owner::own_prefix;

/// There is no guard to be forgotten.
pub(crate) fn forget_guard(_number: Option<u32>, _is_done: bool) {}

/// Makes a private directory of this process.
///
/// # Errors
/// When the system refuses.
pub(crate) fn make_own_dir() -> io::Result<PathBuf> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    let directory = std::env::temp_dir().join(format!("{}-{count}", own_prefix()));
    fs::create_dir(&directory)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(&directory, fs::Permissions::from_mode(0o700))?;
    }
    Ok(directory)
}

/// Removes a private directory.
///
/// # Errors
/// When something in it cannot be removed.
pub(crate) fn remove_dir(directory: &Path) -> io::Result<()> {
    fs::remove_dir_all(directory)
}

/// The arena's end of the link to a guard: there is none.
#[derive(Debug)]
pub(crate) struct GuardLink(Infallible);

impl GuardLink {
    pub(crate) fn ended(&self) -> Pin<Box<dyn Future<Output = ()>>> {
        match self.0 {}
    }

    pub(crate) fn status(&self) -> Option<String> {
        match self.0 {}
    }

    pub(crate) fn is_lost(&self) -> bool {
        match self.0 {}
    }

    pub(crate) fn excess(&self) -> Option<ExceededLimit> {
        match self.0 {}
    }

    pub(crate) fn stops(&self) -> u32 {
        match self.0 {}
    }

    pub(crate) fn freeze(&self, _is_frozen: bool) {
        match self.0 {}
    }

    pub(crate) fn restart_cpu_count(&self) {
        match self.0 {}
    }

    pub(crate) fn cut(&self) {
        match self.0 {}
    }

    pub(crate) async fn drain(&mut self, _deadline: Instant) {
        match self.0 {}
    }
}
