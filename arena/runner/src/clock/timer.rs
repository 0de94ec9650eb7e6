//! One timer for all the deadlines of a bot.
//!
//! Setting a timer wakes the runtime again, and most deadlines are cancelled long before they are due. So the timer stays
//! unchanged as long as it fires no later than the current deadline, and is moved if it fires too early.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep, sleep_until};

/// A timer for one deadline at a time.
#[derive(Debug, Default)]
pub(crate) struct DeadlineTimer(Option<Pin<Box<Sleep>>>);

impl DeadlineTimer {
    /// Completes after the deadline. Until then the task is woken when it passes.
    pub(crate) fn poll(&mut self, deadline: Instant, cx: &mut Context<'_>) -> Poll<()> {
        let sleep = self.0.get_or_insert_with(|| Box::pin(sleep_until(deadline)));
        if deadline < sleep.deadline() {
            sleep.as_mut().reset(deadline);
        }
        loop {
            ready!(sleep.as_mut().poll(cx));
            if sleep.deadline() >= deadline {
                return Poll::Ready(());
            }
            sleep.as_mut().reset(deadline);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::future::poll_fn;
    use std::time::Duration;

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn every_deadline_is_kept_whatever_came_before() {
        let (mut timer, start) = (DeadlineTimer::default(), Instant::now());
        for seconds in [5, 9, 10, 600] {
            // The deadline is cancelled, so nothing happens.
            poll_fn(|cx| {
                assert!(timer.poll(start + Duration::from_secs(1000), cx).is_pending());
                Poll::Ready(())
            })
            .await;
            let deadline = start + Duration::from_secs(seconds);
            poll_fn(|cx| timer.poll(deadline, cx)).await;
            assert!(Instant::now() >= deadline && Instant::now() < deadline + Duration::from_millis(10));
            // A past deadline completes at once.
            poll_fn(|cx| timer.poll(deadline, cx)).await;
        }
    }
}
