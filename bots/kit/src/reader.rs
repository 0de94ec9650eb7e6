//! What is heard while the bot thinks: a thread that reads the arena's lines.
//!
//! It hands every request on in order, but answers `isready` itself while a question is open, and raises the
//! [`StopFlag`] of that question at `stop` and `quit`. It does not think.

use std::io::{self, BufRead, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use protocol::{BotMessage, LineError, Request, RequestReader};

use crate::output::write_line;
use crate::stop_flag::StopFlag;

/// A line that asks for something, on its way to the bot.
pub(crate) struct TimedRequest {
    /// What is asked, or what is wrong with the line.
    pub(crate) request: Result<Request, LineError>,
    /// When it was read.
    pub(crate) since: Instant,
    /// What becomes of it, if it is a question.
    pub(crate) question: Open,
}

/// A question that was put, seen by the reader and by the bot.
#[derive(Clone, Debug, Default)]
pub(crate) struct Open {
    /// Whether the answer is wanted now.
    pub(crate) stop: StopFlag,
    is_answered: Arc<AtomicBool>,
}

impl Open {
    /// Takes note that the question has been answered.
    pub(crate) fn close(&self) {
        self.is_answered.store(true, Ordering::Relaxed);
    }

    fn is_open(&self) -> bool {
        !self.is_answered.load(Ordering::Relaxed)
    }
}

/// Reads lines until the input ends, `quit` comes or nobody takes the requests any more.
pub(crate) fn read(
    mut input: impl BufRead,
    output: &Mutex<impl Write>,
    requests: &Sender<TimedRequest>,
) -> io::Result<()> {
    let mut session = RequestReader::new();
    let mut line = Vec::new();
    // The question that was put last, as long as nothing was asked after it.
    let mut last: Option<Open> = None;
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line)? == 0 {
            return Ok(());
        }
        let since = Instant::now();
        let text = String::from_utf8_lossy(&line);
        let request = match session.receive(text.trim_end_matches('\n')) {
            Ok(None) => continue,
            Ok(Some(request)) => Ok(request),
            Err(error) => Err(error),
        };
        let open = last.as_ref().filter(|question| question.is_open());
        match (&request, open) {
            (Ok(Request::Stop), question) => {
                question.inspect(|question| question.stop.raise());
                continue;
            }
            // SPEC 6.4.12: also during a search.
            (Ok(Request::IsReady), Some(_)) => {
                write_line(output, &BotMessage::ReadyOk)?;
                continue;
            }
            (Ok(Request::Quit), question) => {
                question.inspect(|question| question.stop.raise());
            }
            _ => {}
        }
        let is_last = matches!(request, Ok(Request::Quit));
        let question = Open::default();
        last = matches!(request, Ok(Request::Go(_))).then(|| question.clone());
        if requests.send(TimedRequest { request, since, question }).is_err() || is_last {
            return Ok(());
        }
    }
}
