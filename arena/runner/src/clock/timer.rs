//! One timer for all the deadlines of a bot.
//!
//! To set a timer wakes the runtime again, and nearly every deadline is gone long before it is due. So the timer is
//! left where it is as long as it rings no later than the deadline that counts, and moved on when it rings too early.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use tokio::time::{Instant, Sleep, sleep_until};

/// A timer for one deadline at a time.
#[derive(Debug, Default)]
pub(crate) struct DeadlineTimer(Option<Pin<Box<Sleep>>>);

impl DeadlineTimer {
    /// Completes once the deadline is past; until then the task is woken when that is so.
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
            // Given up: it rings for nobody.
            poll_fn(|cx| {
                assert!(timer.poll(start + Duration::from_secs(1000), cx).is_pending());
                Poll::Ready(())
            })
            .await;
            let deadline = start + Duration::from_secs(seconds);
            poll_fn(|cx| timer.poll(deadline, cx)).await;
            assert!(Instant::now() >= deadline && Instant::now() < deadline + Duration::from_millis(10));
            // What is past is past at once.
            poll_fn(|cx| timer.poll(deadline, cx)).await;
        }
    }
}
