//! The pipe to one bot: bytes out, lines in, with a bound and a deadline for each.
//!
//! A link serves its bot's input and output whenever it is polled. It reads every clock value that a verdict may depend on,
//! next to the system call. It does not know the meaning of the lines.

use std::future::Future;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use protocol::{Excess, Line, LineBuffer, OutputMeter};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::process::ChildStdout;
use tokio::task::coop::has_budget_remaining;
use tokio::time::{Instant, Sleep, sleep_until};

/// The size of one read, in bytes.
const CHUNK: usize = 16 * 1024;

/// How long to wait for the end of the output after the input turned out to be closed.
const GRACE: Duration = Duration::from_millis(250);

/// The ends of a bot's pipes, and the end of its process.
pub(crate) struct Transport {
    /// The bot's input.
    pub(crate) stdin: Box<dyn AsyncWrite + Unpin>,
    /// The bot's output.
    pub(crate) stdout: BotOutput,
    /// Completes when the process has ended, even if others still hold its pipes.
    pub(crate) ended: Pin<Box<dyn Future<Output = ()>>>,
}

/// The output of a bot.
pub(crate) enum BotOutput {
    /// A pipe of the system, which can be read without the runtime: see [`crate::game::polling`].
    Pipe(ChildStdout),
    /// Any other stream.
    Stream(Box<dyn AsyncRead + Unpin>),
}

/// A signal from a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinkSignal {
    /// A line.
    Line(String),
    /// The link is broken, and nothing else will come.
    Broken(Break),
}

/// Why a link broke.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Break {
    /// The output was closed.
    Output,
    /// The input was closed.
    Input,
    /// The process ended.
    Process,
    /// A line was longer than the protocol allows.
    Overlong,
    /// The bot wrote more bytes during one decision than the protocol allows.
    Flood,
    /// The bot wrote more lines during one decision than the protocol allows.
    Lines,
    /// The bot did not read its input in time.
    Unread(Duration),
}

/// The pipe to one bot.
pub(crate) struct Link {
    stdin: Box<dyn AsyncWrite + Unpin>,
    stdout: BotOutput,
    /// Whether the system has reported unread output.
    is_readable: bool,
    /// The end of the process; `None` once it has completed.
    ended: Option<Pin<Box<dyn Future<Output = ()>>>>,
    out: Vec<u8>,
    written: usize,
    write_limit: Duration,
    /// Runs while the bot has unread input.
    write_timer: Option<Pin<Box<Sleep>>>,
    /// The offset in `out` of the line that starts the clock.
    go: Option<usize>,
    /// When the write of that line's first byte began.
    started: Option<Instant>,
    chunk: Box<[u8]>,
    lines: LineBuffer,
    /// When the bytes of the waiting lines were read.
    read_at: Instant,
    meter: OutputMeter,
    /// When the input turned out to be closed, and how long to wait for the end of the output.
    deaf: Option<(Instant, Pin<Box<Sleep>>)>,
    /// Whether to close the input once everything is written.
    is_closing: bool,
    /// The cause and time of the break, once it has happened.
    broken: Option<(Break, Instant)>,
}

impl Link {
    /// Returns a link on which a write may take at most `write_limit`.
    pub(crate) fn new(transport: Transport, write_limit: Duration) -> Self {
        Self {
            stdin: transport.stdin,
            stdout: transport.stdout,
            is_readable: false,
            ended: Some(transport.ended),
            out: Vec::new(),
            written: 0,
            write_limit,
            write_timer: None,
            go: None,
            started: None,
            chunk: vec![0; CHUNK].into_boxed_slice(),
            lines: LineBuffer::new(),
            read_at: Instant::now(),
            meter: OutputMeter::new(),
            deaf: None,
            is_closing: false,
            broken: None,
        }
    }

    /// Queues a text, which is written when the link is polled.
    pub(crate) fn send(&mut self, text: &str) {
        if !self.is_broken() && self.deaf.is_none() {
            self.out.extend_from_slice(text.as_bytes());
        }
    }

    /// Queues a question. The line that begins at offset `go` starts the clock.
    pub(crate) fn send_question(&mut self, text: &str, go: usize) {
        self.go = Some(self.out.len() + go);
        self.started = None;
        self.send(text);
    }

    /// Resets the count of output, because a new decision begins.
    pub(crate) const fn start_ply(&mut self) {
        self.meter.start_ply();
    }

    /// Returns the instant before the write of the question's last line, once it was made.
    pub(crate) const fn started(&self) -> Option<Instant> {
        self.started
    }

    /// Returns whether complete lines are waiting.
    pub(crate) fn has_line(&self) -> bool {
        self.lines.has_line()
    }

    /// Returns whether its output can be awaited without the runtime.
    pub(crate) const fn has_pipe(&self) -> bool {
        matches!(self.stdout, BotOutput::Pipe(_))
    }

    /// Returns whether everything that was sent has been written.
    pub(crate) fn is_written(&self) -> bool {
        self.out.is_empty()
    }

    /// Returns the output, if it can be awaited without the runtime and there is nothing to read first.
    #[cfg(unix)]
    pub(crate) fn awaited(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        let is_quiet = !self.is_broken() && self.deaf.is_none();
        match &self.stdout {
            BotOutput::Pipe(pipe) if is_quiet && !self.has_news() => Some(std::os::fd::AsFd::as_fd(pipe)),
            BotOutput::Pipe(_) | BotOutput::Stream(_) => None,
        }
    }

    /// Records that the system has reported unread output.
    #[cfg(unix)]
    pub(crate) const fn note_readable(&mut self) {
        self.is_readable = true;
    }

    /// Returns whether output is waiting, or may be waiting as far as the system has reported.
    pub(crate) fn has_news(&self) -> bool {
        self.is_readable || self.lines.has_line()
    }

    /// Returns the beginning of the unfinished line.
    pub(crate) fn unfinished(&self) -> &[u8] {
        self.lines.unfinished()
    }

    /// Returns whether nothing more will come.
    pub(crate) const fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// Returns the cause and time of the break, if it has happened.
    pub(crate) const fn broken(&self) -> Option<(Break, Instant)> {
        self.broken
    }

    /// Closes the input once everything is written.
    pub(crate) const fn close(&mut self) {
        self.is_closing = true;
    }

    /// Writes what can be written and returns the next signal, with the instant at which it was read.
    pub(crate) fn poll(&mut self, cx: &mut Context<'_>) -> Poll<(LinkSignal, Instant)> {
        if self.is_broken() {
            return Poll::Pending;
        }
        self.write(cx);
        loop {
            match self.lines.pop() {
                Some(Line::Text(text) | Line::Faulty { text, .. }) => {
                    return Poll::Ready((LinkSignal::Line(text), self.read_at));
                }
                Some(Line::Overlong) => return self.give_up(Break::Overlong, self.read_at),
                None => match self.meter.excess() {
                    Some(Excess::Bytes) => return self.give_up(Break::Flood, self.read_at),
                    Some(Excess::Lines) => return self.give_up(Break::Lines, self.read_at),
                    None => {}
                },
            }
            match self.poll_read(cx) {
                // All output of the bot has been read, so the end can be judged now.
                Poll::Ready(Ok(0) | Err(_)) => return self.give_up_gone(Break::Output),
                Poll::Ready(Ok(count)) => {
                    self.read_at = Instant::now();
                    self.meter.charge(&self.chunk[..count]);
                    self.lines.push(&self.chunk[..count]);
                }
                Poll::Pending => break,
            }
        }
        self.poll_end(cx)
    }

    /// Reads the available output; 0 means its end.
    fn poll_read(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        if std::mem::take(&mut self.is_readable)
            && let Some(read) = self.stdout.read_now(&mut self.chunk)
        {
            return Poll::Ready(read);
        }
        let mut buffer = ReadBuf::new(&mut self.chunk);
        let read = match &mut self.stdout {
            BotOutput::Pipe(pipe) => Pin::new(pipe).poll_read(cx, &mut buffer),
            BotOutput::Stream(stream) => Pin::new(stream).poll_read(cx, &mut buffer),
        };
        read.map_ok(|()| buffer.filled().len())
    }

    /// Checks a silent link for its end.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<(LinkSignal, Instant)> {
        // A read that the scheduler postponed proves nothing; it has arranged for another poll.
        if !has_budget_remaining() {
            return Poll::Pending;
        }
        if let Some(ended) = &mut self.ended
            && ended.as_mut().poll(cx).is_ready()
        {
            self.ended = None;
            return self.give_up_gone(Break::Process);
        }
        if let Some((_, grace)) = &mut self.deaf
            && grace.as_mut().poll(cx).is_ready()
        {
            return self.give_up_gone(Break::Input);
        }
        if let Some(timer) = &mut self.write_timer
            && timer.as_mut().poll(cx).is_ready()
        {
            return self.give_up(Break::Unread(self.write_limit), Instant::now());
        }
        Poll::Pending
    }

    /// Writes what can be written.
    pub(crate) fn write(&mut self, cx: &mut Context<'_>) {
        if self.out.is_empty() && !self.is_closing {
            return;
        }
        while self.written < self.out.len() {
            let before = Instant::now();
            match Pin::new(&mut self.stdin).poll_write(cx, &self.out[self.written..]) {
                Poll::Ready(Ok(count @ 1..)) => {
                    self.written += count;
                    if self.started.is_none() && self.go.is_some_and(|go| go < self.written) {
                        self.started = Some(before);
                    }
                }
                Poll::Ready(Ok(0) | Err(_)) => {
                    self.deaf = Some((before, Box::pin(sleep_until(before + GRACE))));
                    break;
                }
                Poll::Pending => {
                    let limit = self.write_limit;
                    self.write_timer.get_or_insert_with(|| Box::pin(sleep_until(before + limit)));
                    return;
                }
            }
        }
        self.out.clear();
        (self.written, self.go, self.write_timer) = (0, None, None);
        if self.is_closing {
            self.stdin = Box::new(tokio::io::sink());
        }
    }

    /// Breaks the link because the bot is gone. If its input was found closed first, that instant counts.
    fn give_up_gone(&mut self, why: Break) -> Poll<(LinkSignal, Instant)> {
        let at = self.deaf.as_ref().map_or_else(Instant::now, |(since, _)| *since);
        self.give_up(why, at)
    }

    fn give_up(&mut self, why: Break, at: Instant) -> Poll<(LinkSignal, Instant)> {
        self.broken = Some((why, at));
        self.out = Vec::new();
        Poll::Ready((LinkSignal::Broken(why), at))
    }
}

impl BotOutput {
    /// Reads the available bytes of a pipe; `None` if there are none, or it is not a pipe.
    #[cfg(unix)]
    fn read_now(&self, buffer: &mut [u8]) -> Option<io::Result<usize>> {
        let Self::Pipe(pipe) = self else { return None };
        match rustix::io::read(pipe, buffer) {
            Ok(count) => Some(Ok(count)),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => None,
            Err(error) => Some(Err(error.into())),
        }
    }

    /// Other systems never read a pipe without the runtime.
    #[cfg(not(unix))]
    fn read_now(&self, _buffer: &mut [u8]) -> Option<io::Result<usize>> {
        None
    }
}

impl Transport {
    /// Returns the transport over a connection that a process has opened.
    pub(crate) fn over(stream: tokio::net::TcpStream, process: &processes::Process) -> Self {
        let (stdout, stdin) = stream.into_split();
        Self { stdin: Box::new(stdin), stdout: BotOutput::Stream(Box::new(stdout)), ended: process.ended() }
    }

    /// Returns the transport of a process; `None` if it was taken already.
    pub(crate) fn of(process: &mut processes::Process) -> Option<Self> {
        let (stdin, stdout) = process.take_pipes()?;
        Some(Self { stdin: Box::new(stdin), stdout: BotOutput::Pipe(stdout), ended: process.ended() })
    }
}
