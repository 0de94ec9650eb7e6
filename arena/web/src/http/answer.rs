//! What is answered: bodies that are there as a whole or come in parts, under headers that all answers have.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Bytes, Frame};
use hyper::header::{
    ALLOW, CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName,
    HeaderValue, LOCATION, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use hyper::{Response, StatusCode};
use tokio::sync::mpsc;

/// The media type of pages.
pub(crate) const HTML: &str = "text/html; charset=utf-8";

/// The media type of plain text.
pub(crate) const TEXT: &str = "text/plain; charset=utf-8";

/// The media type of answers to scripts.
pub(crate) const JSON: &str = "application/json";

/// Only what this server itself has, and no markup that runs.
const OWN_PARTS: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; \
                         base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// A report brings its own policy, which names its script; this one adds to it.
const NO_FRAMES: &str = "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const RESOURCE_POLICY: HeaderName = HeaderName::from_static("cross-origin-resource-policy");
const OPENER_POLICY: HeaderName = HeaderName::from_static("cross-origin-opener-policy");

/// The body of an answer.
#[derive(Debug)]
pub(crate) enum Body {
    /// It is there.
    Whole(Option<Bytes>),
    /// It comes; an error breaks it off.
    Parts(mpsc::Receiver<io::Result<Bytes>>),
}

impl hyper::body::Body for Body {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        match &mut *self {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Parts(parts) => parts.poll_recv(context).map(|part| part.map(|part| part.map(Frame::data))),
        }
    }

    fn is_end_stream(&self) -> bool {
        matches!(self, Self::Whole(None))
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        match self {
            Self::Whole(bytes) => {
                hyper::body::SizeHint::with_exact(bytes.as_ref().map_or(0, |bytes| bytes.len() as u64))
            }
            Self::Parts(_) => hyper::body::SizeHint::default(),
        }
    }
}

/// An answer.
pub(crate) type HttpAnswer = Response<Body>;

/// Returns an answer with the headers that all have.
pub(crate) fn answer(status: StatusCode, kind: &'static str, body: Body) -> HttpAnswer {
    let mut answer = Response::new(body);
    *answer.status_mut() = status;
    let headers = answer.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, kind),
        (CONTENT_SECURITY_POLICY, OWN_PARTS),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
        (CACHE_CONTROL, "no-store"),
        (RESOURCE_POLICY, "same-origin"),
        (OPENER_POLICY, "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    answer
}

/// Returns an answer that is there as a whole.
pub(crate) fn whole(kind: &'static str, bytes: impl Into<Bytes>) -> HttpAnswer {
    answer(StatusCode::OK, kind, Body::Whole(Some(bytes.into())))
}

/// Lets a report run its own script: it brings its own policy, which names it.
pub(crate) fn as_report(mut answer: HttpAnswer) -> HttpAnswer {
    answer.headers_mut().insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(NO_FRAMES));
    answer
}

/// Returns an answer that is kept as a file.
pub(crate) fn download(kind: &'static str, body: Body) -> HttpAnswer {
    let mut answer = answer(StatusCode::OK, kind, body);
    answer.headers_mut().insert(CONTENT_DISPOSITION, HeaderValue::from_static("attachment"));
    answer
}

/// Returns a refusal, in words for people.
pub(crate) fn refuse(status: StatusCode, words: &str) -> HttpAnswer {
    answer(status, TEXT, Body::Whole(Some(format!("{words}\n").into())))
}

/// Returns a refusal of a request by another method than this one.
pub(crate) fn refuse_method(allowed: &'static str) -> HttpAnswer {
    let mut answer = refuse(StatusCode::METHOD_NOT_ALLOWED, "not to be asked this way");
    answer.headers_mut().insert(ALLOW, HeaderValue::from_static(allowed));
    answer
}

/// Returns the way to another page of this server; an address that fits no header leads nowhere.
pub(crate) fn lead(to: &str) -> HttpAnswer {
    let Ok(to) = HeaderValue::from_str(to) else {
        return refuse(StatusCode::NOT_FOUND, "there is no such page");
    };
    let mut answer = refuse(StatusCode::SEE_OTHER, "elsewhere");
    answer.headers_mut().insert(LOCATION, to);
    answer
}
