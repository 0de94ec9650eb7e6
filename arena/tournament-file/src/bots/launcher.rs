//! Who starts the processes of bots: guards where the system has what they need.

use diagnostic::Failure;
use processes::Launcher;

/// Returns what starts bots in this process, made ready for it.
///
/// # Errors
/// When the system refuses what guards need.
#[cfg(target_os = "linux")]
pub fn launcher() -> Result<&'static dyn Launcher, Failure> {
    use std::sync::OnceLock;

    use processes::Guarded;

    static GUARDED: OnceLock<Guarded> = OnceLock::new();
    if let Some(guarded) = GUARDED.get() {
        return Ok(guarded);
    }
    let guarded = Guarded::prepare().map_err(|error| {
        Failure::io("failed to prepare for starting bots", &error)
            .hint("the guards of bots need a mounted `/proc` and Linux 5.4 or newer")
    })?;
    Ok(GUARDED.get_or_init(|| guarded))
}

/// Returns what starts bots in this process, and says once what this system lacks.
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub fn launcher() -> Result<&'static dyn Launcher, Failure> {
    use std::sync::Once;

    static TOLD: Once = Once::new();
    TOLD.call_once(|| {
        diagnostic::say(
            "no guards on this system: what a bot leaves behind outside its process group, or after a kill of the arena, \
             goes on running",
        );
    });
    Ok(&processes::Direct)
}
