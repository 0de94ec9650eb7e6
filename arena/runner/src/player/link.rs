//! The pipe to one bot: bytes out, lines in, with a bound and a deadline for each.
//!
//! A link serves its bot's input and output at once whenever it is polled, and every reading of the clock that
//! a verdict may depend on is taken here, next to the system call. It does not know what the lines mean.

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

/// How many bytes are read at once.
const CHUNK: usize = 16 * 1024;

/// How long the end of the output is waited for once the input has turned out to be closed.
const GRACE: Duration = Duration::from_millis(250);

/// The ends of a bot's pipes, and the end of its process.
pub(crate) struct Transport {
    /// What the bot reads.
    pub(crate) stdin: Box<dyn AsyncWrite + Unpin>,
    /// What the bot writes.
    pub(crate) stdout: BotOutput,
    /// Completes when the process has ended, no matter who still holds its pipes.
    pub(crate) ended: Pin<Box<dyn Future<Output = ()>>>,
}

/// What a bot writes.
pub(crate) enum BotOutput {
    /// Through a pipe of the system, which can be read without the runtime: see [`crate::game::polling`].
    Pipe(ChildStdout),
    /// Through whatever else.
    Stream(Box<dyn AsyncRead + Unpin>),
}

/// What comes over a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum LinkSignal {
    /// A line.
    Line(String),
    /// The link is of no use any more, and nothing else will come.
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
    /// More bytes were written while one ply was decided than the protocol allows.
    Flood,
    /// More lines were written while one ply was decided than the protocol allows.
    Lines,
    /// What was sent was not read in time.
    Unread(Duration),
}

/// The pipe to one bot.
pub(crate) struct Link {
    stdin: Box<dyn AsyncWrite + Unpin>,
    stdout: BotOutput,
    /// Whether the system has told that something can be read which nobody has read yet.
    is_readable: bool,
    /// `None` once it has completed.
    ended: Option<Pin<Box<dyn Future<Output = ()>>>>,
    out: Vec<u8>,
    written: usize,
    write_limit: Duration,
    /// Runs while something waits to be read by the bot.
    write_timer: Option<Pin<Box<Sleep>>>,
    /// Where in `out` the line begins that starts the clock.
    go: Option<usize>,
    /// When the write began that carried the first byte of that line.
    started: Option<Instant>,
    chunk: Box<[u8]>,
    lines: LineBuffer,
    /// When the bytes of the waiting lines were read.
    read_at: Instant,
    meter: OutputMeter,
    /// When the input turned out to be closed, and how long the end of the output is waited for.
    deaf: Option<(Instant, Pin<Box<Sleep>>)>,
    /// The input is closed once everything is written.
    is_closing: bool,
    /// Why it broke and when, once it has.
    broken: Option<(Break, Instant)>,
}

impl Link {
    /// Returns a link whose writes may wait this long for the bot to read.
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

    /// Queues a text. It is written when the link is polled.
    pub(crate) fn send(&mut self, text: &str) {
        if !self.is_broken() && self.deaf.is_none() {
            self.out.extend_from_slice(text.as_bytes());
        }
    }

    /// Queues a question: the line that begins at `go` in it starts the clock.
    pub(crate) fn send_question(&mut self, text: &str, go: usize) {
        self.go = Some(self.out.len() + go);
        self.started = None;
        self.send(text);
    }

    /// Counts the output from here on: a new ply begins.
    pub(crate) const fn start_ply(&mut self) {
        self.meter.start_ply();
    }

    /// Returns the instant before the write that carried the last line of the question, once it was made.
    pub(crate) const fn started(&self) -> Option<Instant> {
        self.started
    }

    /// Returns whether lines wait that have been read already.
    pub(crate) fn has_line(&self) -> bool {
        self.lines.has_line()
    }

    /// Returns whether its output can be waited for without the runtime.
    pub(crate) const fn has_pipe(&self) -> bool {
        matches!(self.stdout, BotOutput::Pipe(_))
    }

    /// Returns whether everything that was sent has been written.
    pub(crate) fn is_written(&self) -> bool {
        self.out.is_empty()
    }

    /// Returns the output, where it can be waited for without the runtime and nothing is to be read before.
    #[cfg(unix)]
    pub(crate) fn awaited(&self) -> Option<std::os::fd::BorrowedFd<'_>> {
        let is_quiet = !self.is_broken() && self.deaf.is_none();
        match &self.stdout {
            BotOutput::Pipe(pipe) if is_quiet && !self.has_news() => Some(std::os::fd::AsFd::as_fd(pipe)),
            BotOutput::Pipe(_) | BotOutput::Stream(_) => None,
        }
    }

    /// Notes that the system has told that something can be read.
    #[cfg(unix)]
    pub(crate) const fn note_readable(&mut self) {
        self.is_readable = true;
    }

    /// Returns whether something waits that was read already, or that can be read for all that the system has told.
    pub(crate) fn has_news(&self) -> bool {
        self.is_readable || self.lines.has_line()
    }

    /// Returns the start of the line that is not finished.
    pub(crate) fn unfinished(&self) -> &[u8] {
        self.lines.unfinished()
    }

    /// Returns whether nothing will come any more.
    pub(crate) const fn is_broken(&self) -> bool {
        self.broken.is_some()
    }

    /// Returns why it broke and when, if it has.
    pub(crate) const fn broken(&self) -> Option<(Break, Instant)> {
        self.broken
    }

    /// Closes the input once everything that was sent has been written.
    pub(crate) const fn close(&mut self) {
        self.is_closing = true;
    }

    /// Writes what can be written and returns what came next, with the instant at which it was read.
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
                // Everything that the bot wrote has been read: drained first, judged now.
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

    /// Reads what has come; 0 is the end.
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

    /// Looks for the end of a link that is silent.
    fn poll_end(&mut self, cx: &mut Context<'_>) -> Poll<(LinkSignal, Instant)> {
        // A read that was put off by the scheduler proves nothing; it has arranged for another poll.
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

    /// The bot is gone: since its input was found closed, if that came first.
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
    /// Reads from a pipe as much as is there; `None` where that is nothing, or it is no pipe.
    #[cfg(unix)]
    fn read_now(&self, buffer: &mut [u8]) -> Option<io::Result<usize>> {
        let Self::Pipe(pipe) = self else { return None };
        match rustix::io::read(pipe, buffer) {
            Ok(count) => Some(Ok(count)),
            Err(rustix::io::Errno::AGAIN | rustix::io::Errno::INTR) => None,
            Err(error) => Some(Err(error.into())),
        }
    }

    /// Nowhere else is a pipe read without the runtime.
    #[cfg(not(unix))]
    fn read_now(&self, _buffer: &mut [u8]) -> Option<io::Result<usize>> {
        None
    }
}

impl Transport {
    /// Returns the transport of a process by a connection that it has opened.
    pub(crate) fn over(stream: tokio::net::TcpStream, process: &processes::Process) -> Self {
        let (stdout, stdin) = stream.into_split();
        Self { stdin: Box::new(stdin), stdout: BotOutput::Stream(Box::new(stdout)), ended: process.ended() }
    }

    /// Returns the transport of a process; `None` when it has been taken already.
    pub(crate) fn of(process: &mut processes::Process) -> Option<Self> {
        let (stdin, stdout) = process.take_pipes()?;
        Some(Self { stdin: Box::new(stdin), stdout: BotOutput::Pipe(stdout), ended: process.ended() })
    }
}
