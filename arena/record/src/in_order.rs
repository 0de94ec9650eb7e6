//! Work shared among threads, with results in the order of the items.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, Scope, ScopedJoinHandle};

/// The most threads. More would idle, because one thread hands out all items and takes all results.
const MOST_THREADS: usize = 8;

/// How many items a thread may hold before its results are taken. This bounds the memory, and evens out items that take longer
/// than others.
const AHEAD: usize = 3;

/// Hands the items of `next` to `work` on as many threads as this process has cores, and the results to `take` in the order of
/// the items. Every thread has its own state, made by `begin`; all states are returned at the end.
///
/// This thread calls `next` and `take`, and reads a few items ahead. On one core it does all the work.
///
/// # Errors
/// Those of `next`, once all earlier results are taken, and those of `take`. Work stops at the first error.
///
/// # Panics
/// If `work` panics.
pub fn in_order<I: Send, T: Send, S: Send, E>(
    next: impl FnMut() -> Result<Option<I>, E>,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> T + Sync,
    take: impl FnMut(T) -> Result<(), E>,
) -> Result<Vec<S>, E> {
    let cores = thread::available_parallelism().map_or(1, NonZeroUsize::get);
    on_threads(cores.min(MOST_THREADS), next, begin, work, take)
}

fn on_threads<I: Send, T: Send, S: Send, E>(
    threads: usize,
    mut next: impl FnMut() -> Result<Option<I>, E>,
    begin: impl Fn() -> S + Sync,
    work: impl Fn(&mut S, I) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<Vec<S>, E> {
    if threads < 2 {
        let mut state = begin();
        while let Some(item) = next()? {
            take(work(&mut state, item))?;
        }
        return Ok(vec![state]);
    }
    thread::scope(|scope| {
        let mut workers: Vec<Worker<'_, I, T, S>> = Vec::new();
        let (mut handed, mut taken) = (0, 0);
        let mut end = None;
        loop {
            while end.is_none() && handed - taken < threads * AHEAD {
                match next() {
                    Ok(Some(item)) => {
                        // A short job does not need all threads.
                        if workers.len() < threads {
                            workers.push(Worker::start(scope, &begin, &work));
                        }
                        if workers[handed % threads].items.send(item).is_err() {
                            break;
                        }
                        handed += 1;
                    }
                    Ok(None) => end = Some(Ok(())),
                    Err(error) => end = Some(Err(error)),
                }
            }
            if taken == handed {
                break;
            }
            // A missing thread has panicked. The join below reports it.
            let Ok(result) = workers[taken % threads].results.recv() else { break };
            taken += 1;
            take(result)?;
        }
        let states = workers.into_iter().map(Worker::finish).collect();
        end.unwrap_or(Ok(())).map(|()| states)
    })
}

/// A worker thread and the channels to and from it.
struct Worker<'s, I, T, S> {
    items: SyncSender<I>,
    results: Receiver<T>,
    thread: ScopedJoinHandle<'s, S>,
}

impl<'s, I: Send + 's, T: Send + 's, S: Send + 's> Worker<'s, I, T, S> {
    fn start<'e>(
        scope: &'s Scope<'s, 'e>,
        begin: &'s (impl Fn() -> S + Sync),
        work: &'s (impl Fn(&mut S, I) -> T + Sync),
    ) -> Self {
        // Neither end ever waits for room, because at most this many items are in progress.
        let (items, to_do) = sync_channel::<I>(AHEAD);
        let (done, results) = sync_channel(AHEAD);
        let thread = scope.spawn(move || {
            let mut state = begin();
            for item in to_do {
                if done.send(work(&mut state, item)).is_err() {
                    break;
                }
            }
            state
        });
        Self { items, results, thread }
    }

    fn finish(self) -> S {
        let Self { items, results, thread } = self;
        drop((items, results));
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Squares the numbers below `count`. The item and the result named in `wrong` are errors.
    fn squares(threads: usize, count: u64, wrong: [Option<u64>; 2]) -> (Result<u64, String>, Vec<u64>) {
        let (mut number, mut taken) = (0, Vec::new());
        let next = || {
            number += 1;
            match number - 1 {
                item if Some(item) == wrong[0] => Err(format!("item {item}")),
                item => Ok((item < count).then_some(item)),
            }
        };
        let work = |seen: &mut u64, item: u64| {
            // Later items finish earlier.
            if item.is_multiple_of(2) {
                thread::yield_now();
            }
            *seen += 1;
            item * item
        };
        let take = |square: u64| {
            if wrong[1].is_some_and(|wrong| wrong * wrong == square) {
                return Err(format!("result {square}"));
            }
            taken.push(square);
            Ok(())
        };
        let states = on_threads(threads, next, || 0, work, take);
        (states.map(|states| states.into_iter().sum()), taken)
    }

    #[test]
    fn results_come_in_the_order_of_the_items() {
        for threads in [1, 2, 3, 8] {
            for count in [0, 1, 2, 5, 1000] {
                let (done, taken) = squares(threads, count, [None; 2]);
                assert_eq!((done, taken), (Ok(count), (0..count).map(|item| item * item).collect()));
            }
        }
    }

    #[test]
    fn what_comes_before_an_error_is_taken_and_nothing_after_it() {
        for threads in [1, 2, 8] {
            let expected: Vec<u64> = (0..10).map(|item| item * item).collect();
            let (done, taken) = squares(threads, 1000, [Some(10), None]);
            assert_eq!((done, &taken), (Err("item 10".to_owned()), &expected));
            let (done, taken) = squares(threads, 1000, [None, Some(10)]);
            assert_eq!((done, &taken), (Err("result 100".to_owned()), &expected));
            // The earlier of two errors counts, however far ahead items were read.
            let (done, taken) = squares(threads, 1000, [Some(11), Some(10)]);
            assert_eq!((done, &taken), (Err("result 100".to_owned()), &expected));
        }
    }

    #[test]
    fn a_panic_of_the_work_is_passed_on() {
        for threads in [1, 2] {
            let mut left = 100;
            let next = || {
                left -= 1;
                Ok::<_, ()>((left > 0).then_some(left))
            };
            let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                on_threads(threads, next, || (), |(), item| assert_ne!(item, 50), |()| Ok(()))
            }));
            assert!(panicked.is_err());
        }
    }
}
