//! Connections: a bounded number, none of which can hold the server up.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Sleep, sleep};

use super::routes::Site;

/// How many connections there are at most; who comes then is sent away.
const MOST_CONNECTIONS: usize = 128;

/// How long a client may take over the head of a request, and stay silent between two.
const HEAD_WITHIN: Duration = Duration::from_secs(30);

/// How long a client may take nothing of what it is sent.
const TAKE_WITHIN: Duration = Duration::from_secs(30);

/// How large the head of a request may be, in bytes.
const MOST_HEAD: usize = 16 * 1024;

/// How long it waits after a connection could not be taken: no descriptors are left, perhaps.
const BREATH: Duration = Duration::from_millis(200);

/// Serves for ever.
pub(super) async fn serve(listener: TcpListener, site: Arc<Site>) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(BREATH).await;
            continue;
        };
        // Without a place the connection is closed at once: nobody waits in a queue that somebody else fills.
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else { continue };
        let site = Arc::clone(&site);
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let site = Arc::clone(&site);
                async move { Ok::<_, Infallible>(site.answer(request).await) }
            });
            let io = TokioIo::new(Patient { stream, patience: None });
            // How a connection ended is of interest to nobody but its client.
            let _ = http1::Builder::new()
                .timer(TokioTimer::new())
                .header_read_timeout(HEAD_WITHIN)
                .max_buf_size(MOST_HEAD)
                .serve_connection(io, service)
                .await;
            drop(place);
        });
    }
}

/// A stream whose writes fail once the client has taken nothing for [`TAKE_WITHIN`].
struct Patient {
    stream: TcpStream,
    patience: Option<Pin<Box<Sleep>>>,
}

impl Patient {
    fn judge<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.patience = None;
            return written;
        }
        let patience = self.patience.get_or_insert_with(|| Box::pin(sleep(TAKE_WITHIN)));
        patience.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for Patient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for Patient {
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
