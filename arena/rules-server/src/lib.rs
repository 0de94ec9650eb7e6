//! Rules that answer questions: one line of JSON for every line, in order. Whatever a line holds, the server continues. The format is
//! `protocol-spec/rules-server.md`.
//!
//! ```
//! use std::io::BufReader;
//!
//! let mut answers = Vec::new();
//! rules_server::serve(BufReader::new("legal farook startpos\n".as_bytes()), &mut answers)?;
//! assert!(answers.starts_with(b"{\"game\":\"farook\""));
//! # Ok::<(), std::io::Error>(())
//! ```

mod answer;
mod document;
mod games;
mod request;

use std::io::{self, BufRead, BufReader, Read, Write};

use diagnostic::harmless::{Harmless, Styles};

use crate::answer::answer;
use crate::document::RequestError;
use crate::request::PositionReader;

pub use games::games_json;

/// The longest line that is read, with its end.
const MOST_BYTES: u64 = 1 << 20;

/// Answers every line of the input until it ends, or says `quit`. Answers wait only while further questions are there already.
///
/// # Errors
/// When reading or writing fails.
pub fn serve<R: Read>(mut input: BufReader<R>, mut output: impl Write) -> io::Result<()> {
    let mut reader = PositionReader::default();
    let mut line = Vec::new();
    loop {
        // Answers may wait only while further questions are there already.
        if !input.buffer().contains(&b'\n') {
            output.flush()?;
        }
        line.clear();
        let count = input.by_ref().take(MOST_BYTES).read_until(b'\n', &mut line)? as u64;
        if count == 0 {
            return output.flush();
        }
        if count == MOST_BYTES && line.last() != Some(&b'\n') {
            input.skip_until(b'\n')?;
            let fault = RequestError::new("bad-request", format!("a line longer than {MOST_BYTES} bytes"));
            writeln!(output, "{}", fault.to_json())?;
            continue;
        }
        let text = String::from_utf8_lossy(&line);
        match text.trim() {
            "" => {}
            "quit" => return output.flush(),
            text if text.starts_with('#') => {}
            text if text.contains(';') => {
                output.write_all(b"[")?;
                for (index, part) in text.split(';').enumerate() {
                    output.write_all(if index > 0 { b"," } else { b"" })?;
                    output.write_all(harmless(&answer(&mut reader, part)).as_str().as_bytes())?;
                }
                output.write_all(b"]\n")?;
            }
            text => writeln!(output, "{}", harmless(&answer(&mut reader, text)).as_str())?,
        }
    }
}

fn harmless(json: &str) -> Harmless<'_> {
    Harmless::of(json, Styles::Escaped)
}

#[cfg(test)]
mod tests;
