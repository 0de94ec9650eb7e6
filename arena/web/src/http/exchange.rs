//! Reading what is sent with a request, and the answers that are words alone.

use std::time::Duration;

use http_body_util::{BodyExt as _, Limited};
use hyper::body::{Bytes, Incoming};
use hyper::{Request, StatusCode};
use protocol::printable_capped;
use serde_json::json;
use tokio::time::timeout;

use super::answer::{self, Body, HttpAnswer, JSON, refuse};
use super::feed::MOST_WATCHERS;

/// How large what is sent to us may be, in bytes.
const MOST_SENT: usize = 4096;

/// How long sending it may take.
const SENT_WITHIN: Duration = Duration::from_secs(10);

/// Returns what was sent with a request.
pub(crate) async fn sent(request: Request<Incoming>) -> Result<Bytes, StatusCode> {
    let body = Limited::new(request.into_body(), MOST_SENT).collect();
    match timeout(SENT_WITHIN, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(_)) => Err(StatusCode::BAD_REQUEST),
        Err(_) => Err(StatusCode::REQUEST_TIMEOUT),
    }
}

/// Does work beside the connections, which continue meanwhile.
pub(crate) async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> T {
    match tokio::task::spawn_blocking(work).await {
        Ok(made) => made,
        // It ends this connection only, as a panic of its own would.
        Err(error) => std::panic::resume_unwind(error.into_panic()),
    }
}

/// Answers a script in words for people.
pub(crate) fn say(status: StatusCode, words: &str) -> HttpAnswer {
    let said = json!({ "said": printable_capped(words, 500) }).to_string();
    answer::answer(status, JSON, Body::Whole(Some(said.into())))
}

/// Says that there is no such page.
pub(crate) fn nothing() -> HttpAnswer {
    refuse(StatusCode::NOT_FOUND, "there is no such page")
}

/// Says that something cannot be shown, and why.
pub(crate) fn broken(words: &str) -> HttpAnswer {
    refuse(StatusCode::INTERNAL_SERVER_ERROR, &printable_capped(words, 500))
}

/// Says that no more pages can be told what happens.
pub(crate) fn crowded() -> HttpAnswer {
    refuse(StatusCode::SERVICE_UNAVAILABLE, &format!("{MOST_WATCHERS} pages watch already"))
}
