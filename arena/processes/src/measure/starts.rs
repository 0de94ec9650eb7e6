//! What it costs to start a process, to end it, and to stop it for a while: whether guards are worth their price is to
//! be seen, not believed.

use std::io;
use std::time::{Duration, Instant};

use tokio::runtime;

use crate::{Direct, Launcher, Process, ProcessSpec, reap_dropped};

/// How long things took, in ascending order each.
#[derive(Clone, Debug, Default)]
pub struct Starts {
    /// Starting a process as it is, until its program has been loaded.
    pub bare: Vec<Duration>,
    /// The same by the launcher.
    pub launched: Vec<Duration>,
    /// Ending a process as it is, until it is reaped.
    pub bare_ends: Vec<Duration>,
    /// Ending one that the launcher started, until nothing of it is left.
    pub ends: Vec<Duration>,
    /// Stopping all processes of a program and letting them continue.
    pub freezes: Vec<Duration>,
}

/// Starts and ends a program `count` times by `launcher`, and as often without: in turns, so that both meet the same machine.
///
/// ```
/// use processes::{Direct, ProcessSpec, starts};
///
/// let starts = starts(&Direct, &ProcessSpec::new("/bin/cat", "/"), 2)?;
/// assert_eq!((starts.bare.len(), starts.ends.len()), (2, 2));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// When it cannot be started.
pub fn starts(launcher: &dyn Launcher, spec: &ProcessSpec, count: usize) -> io::Result<Starts> {
    let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
    let mut starts = Starts::default();
    let measured = runtime.block_on(async {
        for _ in 0..count {
            let process = timed(&mut starts.bare, || Direct.launch(spec))?;
            end(process, &mut starts.bare_ends).await;
            let process = timed(&mut starts.launched, || launcher.launch(spec))?;
            timed(&mut starts.freezes, || {
                process.freeze(true);
                process.freeze(false);
            });
            end(process, &mut starts.ends).await;
        }
        Ok(())
    });
    runtime.block_on(reap_dropped());
    let Starts { bare, launched, bare_ends, ends, freezes } = &mut starts;
    for list in [bare, launched, bare_ends, ends, freezes] {
        list.sort_unstable();
    }
    measured.map(|()| starts)
}

fn timed<T>(list: &mut Vec<Duration>, act: impl FnOnce() -> T) -> T {
    let since = Instant::now();
    let done = act();
    list.push(since.elapsed());
    done
}

async fn end(process: Process, list: &mut Vec<Duration>) {
    let since = Instant::now();
    process.kill().await;
    list.push(since.elapsed());
}
