//! Simulations on all cores.

use std::ops::AddAssign;
use std::thread;

/// Returns the sum over the seeds from 0: the same whatever the number of cores.
pub(super) fn sum<T: AddAssign + Default + Send>(seeds: u64, play: impl Fn(u64) -> T + Sync) -> T {
    let cores = thread::available_parallelism().map_or(1, |cores| cores.get() as u64);
    let play = &play;
    thread::scope(|scope| {
        let parts: Vec<_> = (0..cores)
            .map(|core| scope.spawn(move || added((core..seeds).step_by(cores as usize).map(play))))
            .collect();
        added(parts.into_iter().map(|part| part.join().expect("a simulation does not panic")))
    })
}

fn added<T: AddAssign + Default>(parts: impl Iterator<Item = T>) -> T {
    let mut whole = T::default();
    parts.for_each(|part| whole += part);
    whole
}
