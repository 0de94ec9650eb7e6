//! The pipes to one process: a line out, a line in, by a deadline.

use std::io;
use std::time::{Duration, Instant};

use processes::{CpuMeter, Process};

use super::pipes::Pipes;
use crate::{CarrierFault, MAX_ANSWER};

/// How long a program that has missed its deadline may take to say what it held back.
const GRACE: Duration = Duration::from_secs(1);

/// How many bytes are read at once: what a pipe holds.
const CHUNK: usize = 64 * 1024;

/// The pipes to one process.
#[derive(Debug)]
pub(super) struct Exchange {
    /// The number by which the keeper knows the process.
    pub(super) number: u64,
    /// Tells the processor time of the process.
    pub(super) meter: CpuMeter,
    pipes: Pipes,
    chunk: Box<[u8]>,
    /// What was read and belongs to no answer that was returned.
    buffer: Vec<u8>,
}

/// Why a process has not answered.
#[derive(Debug)]
pub(super) enum Failure {
    /// It did not until the deadline.
    Late,
    /// The answer is longer than an answer may be.
    TooLong,
    /// It wrote something that was no answer to anything.
    Unasked(Vec<u8>),
    /// The line is none.
    NotAnAnswer(CarrierFault),
    /// It ended, or closed a pipe.
    Closed {
        /// Which.
        pipe: &'static str,
        /// The beginning of a line that it had written.
        unfinished: Vec<u8>,
    },
    /// The system failed.
    System(io::Error),
}

impl Exchange {
    /// Takes over the pipes of a process. To be called within the runtime that the process was started in.
    ///
    /// # Errors
    /// When the system refuses it.
    pub(super) fn new(number: u64, process: &mut Process) -> io::Result<Self> {
        let chunk = vec![0; CHUNK].into_boxed_slice();
        let (meter, pipes) = (process.meter(), Pipes::new(process)?);
        Ok(Self { number, meter, pipes, chunk, buffer: Vec::new() })
    }

    /// Writes a line, and returns the line that answers it.
    pub(super) fn ask(&mut self, question: &str, deadline: Instant) -> Result<&[u8], Failure> {
        // What waits here was written after the last answer, or before the first question.
        let is_ended = self.read()?;
        if !self.buffer.is_empty() {
            return Err(Failure::Unasked(std::mem::take(&mut self.buffer)));
        }
        if is_ended {
            return Err(self.closed("output"));
        }
        let line = [question.as_bytes(), b"\n"].concat();
        let (mut written, mut searched) = (0, 0);
        loop {
            let mut is_deaf = false;
            if written < line.len() {
                match self.pipes.write(&line[written..]) {
                    Ok(count) => written += count,
                    Err(error) if is_for_later(&error) => {}
                    // It may have written something before it closed its input.
                    Err(error) if error.kind() == io::ErrorKind::BrokenPipe => is_deaf = true,
                    Err(error) => return Err(Failure::System(error)),
                }
            }
            let is_ended = self.read()?;
            if let Some(end) = self.buffer[searched..].iter().position(|byte| *byte == b'\n') {
                return self.answer(searched + end, written == line.len());
            }
            searched = self.buffer.len();
            if searched > MAX_ANSWER {
                return Err(Failure::TooLong);
            }
            if is_ended || is_deaf {
                return Err(self.closed(if is_ended { "output" } else { "input" }));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Failure::Late);
            }
            self.pipes.wait(written < line.len(), left).map_err(Failure::System)?;
        }
    }

    /// Returns the line that ends at `end`, if it is an answer: the only line, and written after the question.
    fn answer(&mut self, end: usize, is_asked: bool) -> Result<&[u8], Failure> {
        if !is_asked {
            return Err(Failure::Unasked(std::mem::take(&mut self.buffer)));
        }
        if end + 1 < self.buffer.len() {
            return Err(Failure::Unasked(self.buffer.split_off(end + 1)));
        }
        let text = &self.buffer[..end];
        Ok(text.strip_suffix(b"\r").unwrap_or(text))
    }

    fn closed(&mut self, pipe: &'static str) -> Failure {
        Failure::Closed { pipe, unfinished: std::mem::take(&mut self.buffer) }
    }

    /// Forgets the answer that was returned.
    pub(super) fn clear(&mut self) {
        self.buffer.clear();
        // A long answer leaves no more behind than a short one.
        self.buffer.shrink_to(CHUNK);
    }

    /// Closes the input and returns whether a line comes then: one that was held back until the end of the input.
    pub(super) fn speaks_when_closed(&mut self) -> bool {
        self.pipes.close_input();
        let deadline = Instant::now() + GRACE;
        loop {
            let is_ended = self.read().unwrap_or(true);
            if self.buffer.contains(&b'\n') {
                return true;
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if is_ended || left.is_zero() || self.buffer.len() > MAX_ANSWER {
                return false;
            }
            if self.pipes.wait(false, left).is_err() {
                return false;
            }
        }
    }

    /// Reads what there is, up to a little more than an answer may have. Returns whether the output has ended.
    fn read(&mut self) -> Result<bool, Failure> {
        while self.buffer.len() <= MAX_ANSWER + 1 {
            match self.pipes.read(&mut self.chunk) {
                Ok(0) => return Ok(true),
                Ok(count) => {
                    self.buffer.extend_from_slice(&self.chunk[..count]);
                    if count < CHUNK {
                        return Ok(false);
                    }
                }
                Err(error) if is_for_later(&error) => return Ok(false),
                Err(error) => return Err(Failure::System(error)),
            }
        }
        Ok(false)
    }
}

fn is_for_later(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}
