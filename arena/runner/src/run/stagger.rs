//! The least time between two starts of bots' processes.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::{Instant, sleep_until};

/// Starts processes one after the other, so that many costly ones do not start at once.
#[derive(Debug)]
pub(crate) struct Stagger {
    /// The least time between two starts; `None` if they may start at once.
    least: Option<Duration>,
    /// The earliest time at which the next process may start.
    next: Mutex<Instant>,
}

impl Stagger {
    pub(crate) fn new(least: Option<Duration>) -> Self {
        Self { least, next: Mutex::new(Instant::now()) }
    }

    /// Waits until a process may start. A caller that stops waiting leaves its turn unused.
    pub(crate) async fn turn(&self) {
        let Some(least) = self.least else { return };
        let start = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            let start = (*next).max(Instant::now());
            *next = start + least;
            start
        };
        sleep_until(start).await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::join_all::join_all;

    async fn starts(least: Option<Duration>, count: usize) -> Vec<Duration> {
        let (stagger, began) = (Stagger::new(least), Instant::now());
        let turns = (0..count).map(|_| async {
            stagger.turn().await;
            began.elapsed()
        });
        join_all(turns.collect::<Vec<_>>()).await
    }

    #[tokio::test(start_paused = true)]
    async fn processes_start_one_after_the_other() {
        let ms = Duration::from_millis;
        assert_eq!(starts(Some(ms(200)), 4).await, [ms(0), ms(200), ms(400), ms(600)]);
        assert_eq!(starts(None, 3).await, [ms(0); 3]);
    }

    #[tokio::test(start_paused = true)]
    async fn nobody_waits_where_the_last_start_is_long_ago() {
        let stagger = Stagger::new(Some(Duration::from_millis(200)));
        stagger.turn().await;
        tokio::time::advance(Duration::from_secs(5)).await;
        let before = Instant::now();
        stagger.turn().await;
        assert_eq!(before.elapsed(), Duration::ZERO);
    }
}
