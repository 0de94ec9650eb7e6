//! One run of the program: three lines in, a word out.

use std::io::{self, Read as _, Write as _};
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::Sender;
use std::thread;

use super::Event;

/// How many bytes are read before the first word must be over.
const MOST_READ: usize = 64 * 1024;

/// A program at work. Dropped, it is killed.
pub(super) struct Oneshot {
    child: Child,
}

/// How a program came to its end.
pub(super) enum Ended {
    /// By itself, with this status.
    With(ExitStatus),
    /// It had closed its output and was killed.
    Killed,
}

impl Oneshot {
    /// Starts a program, in the process group of this bot, so that it ends with it in any case. Its first word comes as
    /// [`Event::Word`] with this number.
    ///
    /// # Errors
    /// When the system cannot start it.
    pub(super) fn start(
        command: &[String],
        input: String,
        serial: u64,
        events: Sender<Event>,
    ) -> io::Result<Self> {
        let (program, arguments) = command.split_first().ok_or(io::ErrorKind::InvalidInput)?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::inherit());
        // From here on the child is killed whatever fails.
        let mut oneshot = Self { child: command.spawn()? };
        let stdin = oneshot.child.stdin.take();
        let stdout = oneshot.child.stdout.take();
        // In threads, since it need not read before it writes, nor read at all.
        thread::Builder::new().name("oneshot-input".to_owned()).spawn(move || {
            if let Some(mut stdin) = stdin {
                // A program that does not read its input misses it; that is its own affair.
                let _ = stdin.write_all(input.as_bytes());
            }
        })?;
        thread::Builder::new().name("oneshot-output".to_owned()).spawn(move || {
            if let Some(mut stdout) = stdout {
                let word = first_word(&mut stdout);
                // It fails only when nobody waits for it any more.
                let _ = events.send(Event::Word(serial, word));
                // So that it does not die of a closed pipe while it cleans up.
                let _ = io::copy(&mut stdout, &mut io::sink());
            }
        })?;
        Ok(oneshot)
    }

    /// Waits for a program that has closed its output, which mostly is the end of it, or kills it.
    pub(super) fn end(mut self) -> Ended {
        // Two seconds: on a busy machine who has closed everything may take a while to be gone.
        for _ in 0..400 {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Ended::With(status);
            }
            thread::park_timeout(std::time::Duration::from_millis(5));
        }
        Ended::Killed
    }
}

impl Drop for Oneshot {
    fn drop(&mut self) {
        // Both fail only where it has been waited for already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Reads up to the end of the first word.
fn first_word(stdout: &mut ChildStdout) -> Option<String> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let text = bytes.trim_ascii_start();
        if let Some(end) = text.iter().position(u8::is_ascii_whitespace) {
            return Some(String::from_utf8_lossy(&text[..end]).into_owned());
        }
        let count = match stdout.read(&mut chunk) {
            Ok(count) if bytes.len() < MOST_READ => count,
            _ => 0,
        };
        if count == 0 {
            let text = bytes.trim_ascii();
            return (!text.is_empty()).then(|| String::from_utf8_lossy(text).into_owned());
        }
        bytes.extend_from_slice(&chunk[..count]);
    }
}
