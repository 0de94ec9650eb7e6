//! Connections: none of them can hold the server up, or keep others out.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::StatusCode;
use hyper::body::{Bytes, Frame, SizeHint};
use hyper::header::{CONNECTION, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::time::{Sleep, sleep, timeout};

use super::routes::Site;
use crate::http::answer::{Body, HttpAnswer, refuse};
use crate::http::connections::{BusyConnection, ClientConnection, Connections, LeaveNotice};

/// How long a client may take to send the first byte.
const FIRST_BYTE_WITHIN: Duration = Duration::from_secs(5);

/// How long a client may take over the head of a request, and stay silent between two.
const HEAD_WITHIN: Duration = Duration::from_secs(15);

/// How long a client may take nothing of what it is sent.
const TAKE_WITHIN: Duration = Duration::from_secs(30);

/// How large the head of a request may be, in bytes.
const MOST_HEAD: usize = 16 * 1024;

/// How long it waits after a connection could not be taken: no descriptors are left, perhaps.
const BREATH: Duration = Duration::from_millis(200);

/// Serves for ever.
pub(super) async fn serve(listener: TcpListener, site: Arc<Site>) {
    let connections = Connections::default();
    loop {
        let Ok((stream, address)) = listener.accept().await else {
            sleep(BREATH).await;
            continue;
        };
        // Without a place the connection is closed at once: nobody waits in a queue that somebody else fills.
        let Some((connection, notice)) = connections.enter(address.ip()) else { continue };
        tokio::spawn(connect(stream, Arc::clone(&site), Arc::new(connection), notice));
    }
}

/// Serves a connection until it ends or has to leave.
async fn connect(stream: TcpStream, site: Arc<Site>, connection: Arc<ClientConnection>, notice: LeaveNotice) {
    let service = service_fn(|request| {
        let (site, connection) = (Arc::clone(&site), Arc::clone(&connection));
        async move {
            let busy = connection.work();
            let answer = if connection.is_kept && !site.brings_token(request.headers()) {
                crowded()
            } else {
                site.answer(request).await
            };
            Ok::<_, Infallible>(answer.map(|body| TrackedBody { body, _busy: busy }))
        }
    });
    let talk = async {
        if !matches!(timeout(FIRST_BYTE_WITHIN, stream.readable()).await, Ok(Ok(()))) {
            return;
        }
        let io = TokioIo::new(TimedStream { stream, patience: None });
        // How a connection ended is of interest to nobody but its client.
        let _ = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_WITHIN)
            .max_buf_size(MOST_HEAD)
            .serve_connection(io, service)
            .await;
    };
    tokio::select! {
        () = talk => {}
        _ = notice => {}
    }
}

/// Returns the refusal of a request that would take one of the last places.
fn crowded() -> HttpAnswer {
    let mut answer = refuse(StatusCode::SERVICE_UNAVAILABLE, "too many are connected already");
    answer.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    answer
}

/// The body of an answer, whose connection is busy until it is sent.
struct TrackedBody {
    body: Body,
    _busy: BusyConnection,
}

impl hyper::body::Body for TrackedBody {
    type Data = Bytes;
    type Error = io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, io::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A stream whose writes fail once the client has taken nothing for [`TAKE_WITHIN`].
struct TimedStream {
    stream: TcpStream,
    patience: Option<Pin<Box<Sleep>>>,
}

impl TimedStream {
    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.patience = None;
            return written;
        }
        let patience = self.patience.get_or_insert_with(|| Box::pin(sleep(TAKE_WITHIN)));
        patience.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
