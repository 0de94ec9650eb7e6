//! The arena's end of what joins it to a guard.

use std::future::Future;
use std::io;
use std::os::unix::net::UnixStream as StdStream;
use std::pin::Pin;
use std::sync::Arc;

use rustix::net::{Shutdown, shutdown};
use tokio::net::UnixStream;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::{Instant, timeout_at};

use super::report::{ExitStatus, FinalReport, GuardReport};
use super::serve::{COUNT_CPU, FREEZE, THAW};
use crate::ExceededLimit;

/// The longest report that is taken, in bytes.
const MOST: usize = 256;

/// The arena's end of the link to a guard. Dropped, it ends the bot.
#[derive(Debug)]
pub(crate) struct GuardLink {
    stream: Arc<UnixStream>,
    news: watch::Receiver<GuardNews>,
    reader: JoinHandle<()>,
}

/// What the guard has told so far.
#[derive(Clone, Copy, Debug, Default)]
struct GuardNews {
    exit: Option<ExitStatus>,
    done: Option<FinalReport>,
    excess: Option<ExceededLimit>,
    /// How often at least somebody has stopped the bot, and the guard has made it continue.
    stops: u32,
    /// Whether it will tell nothing more.
    is_over: bool,
}

impl GuardLink {
    /// Listens to a guard that has started its bot. To be called within a tokio runtime that stays on its thread.
    ///
    /// # Errors
    /// When the system has no private_dir.
    pub(super) fn new(stream: StdStream) -> io::Result<Self> {
        stream.set_nonblocking(true)?;
        let stream = Arc::new(UnixStream::from_std(stream)?);
        let (teller, news) = watch::channel(GuardNews::default());
        let reader = tokio::spawn(listen(Arc::clone(&stream), teller));
        Ok(Self { stream, news, reader })
    }

    /// Returns what completes when the bot's process has ended, or nobody guards it any more.
    pub(crate) fn ended(&self) -> Pin<Box<dyn Future<Output = ()>>> {
        let mut news = self.news.clone();
        Box::pin(async move {
            // It fails only when nobody will tell any more.
            let is_ended = |news: &GuardNews| news.exit.is_some() || news.excess.is_some() || news.is_over;
            let _ = news.wait_for(is_ended).await;
        })
    }

    /// Returns how the bot's process ended, if it did so by itself.
    pub(crate) fn status(&self) -> Option<String> {
        self.news.borrow().exit.map(|exit| exit.to_string())
    }

    /// Returns whether the guard is gone though nobody has told it to go: somebody has killed it.
    pub(crate) fn is_lost(&self) -> bool {
        let news = self.news.borrow();
        news.is_over && news.done.is_none()
    }

    /// Returns which limit the bot's processes exceeded.
    pub(crate) fn excess(&self) -> Option<ExceededLimit> {
        self.news.borrow().excess
    }

    /// Returns how often at least somebody has stopped the bot's process, which was not the arena.
    pub(crate) fn stops(&self) -> u32 {
        self.news.borrow().stops
    }

    /// Tells the guard that the arena is about to stop the bot's processes, or to let them continue.
    pub(crate) fn freeze(&self, is_frozen: bool) {
        // A guard that does not read is not there to wake anybody either.
        let _ = self.stream.try_write(&[if is_frozen { FREEZE } else { THAW }]);
    }

    /// Has the guard count processor time from here on.
    pub(crate) fn restart_cpu_count(&self) {
        // A guard that does not read for hundreds of counts is not there to count.
        let _ = self.stream.try_write(&[COUNT_CPU]);
    }

    /// Has the guard kill everything and go.
    pub(crate) fn cut(&self) {
        // It fails when the guard is gone, which is as well.
        let _ = shutdown(&*self.stream, Shutdown::Write);
    }

    /// Waits for the last words of a guard that is gone.
    pub(crate) async fn drain(&mut self, deadline: Instant) {
        let _ = timeout_at(deadline, &mut self.reader).await;
    }
}

impl Drop for GuardLink {
    fn drop(&mut self) {
        // The listener has its share of the stream until its runtime drops it.
        self.cut();
        self.reader.abort();
    }
}

/// Takes reports until there are no more.
async fn listen(stream: Arc<UnixStream>, teller: watch::Sender<GuardNews>) {
    let mut text = Vec::new();
    while stream.readable().await.is_ok() {
        let mut chunk = [0; MOST];
        match stream.try_read(&mut chunk) {
            Ok(count @ 1..) => text.extend_from_slice(&chunk[..count]),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => continue,
            Ok(0) | Err(_) => break,
        }
        while let Some(end) = text.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = text.drain(..=end).collect();
            let report = str::from_utf8(&line).ok().and_then(|line| line.trim_end().parse().ok());
            teller.send_modify(|news| match report {
                Some(GuardReport::Ended(exit)) => news.exit = Some(exit),
                Some(GuardReport::Over(excess)) => news.excess = Some(excess),
                Some(GuardReport::Stopped(count)) => news.stops = count,
                Some(GuardReport::Done(done)) => {
                    news.done = Some(done);
                    news.exit = news.exit.or(done.exit);
                }
                Some(
                    GuardReport::Started(_)
                    | GuardReport::Failed(_)
                    | GuardReport::NoPrivateDir(_)
                    | GuardReport::NoControlGroup(_),
                )
                | None => {}
            });
        }
        if text.len() > MOST {
            break;
        }
    }
    teller.send_modify(|news| news.is_over = true);
}
