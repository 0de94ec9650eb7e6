//! Waiting for several futures.

use std::future::{Future, poll_fn};
use std::pin::Pin;
use std::task::Poll;

/// Runs futures together until all have completed, and returns their results in order.
pub(crate) async fn join_all<F: Future>(futures: impl IntoIterator<Item = F>) -> Vec<F::Output> {
    let mut running: Vec<Pin<Box<F>>> = futures.into_iter().map(Box::pin).collect();
    let mut done: Vec<Option<F::Output>> = running.iter().map(|_| None).collect();
    poll_fn(|cx| {
        for (future, done) in running.iter_mut().zip(&mut done) {
            if done.is_none()
                && let Poll::Ready(output) = future.as_mut().poll(cx)
            {
                *done = Some(output);
            }
        }
        if done.iter().all(Option::is_some) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
    done.into_iter().flatten().collect()
}
