//! Bytes from a bot or the arena: nothing panics, lines are those that one reads by hand, and what was read is
//! written in a form that reads the same.

#![no_main]

#[path = "../../protocol/tests/talk/mod.rs"]
mod talk;

use libfuzzer_sys::fuzz_target;
use protocol::{LineBuffer, normalise};

use crate::talk::{read_and_write, talk};

/// The longest line of these streams.
const LIMIT: usize = 4096;

/// Returns the lines of a stream that arrives in pieces of so many bytes, as text or as a fault.
fn lines(bytes: &[u8], piece: usize) -> Vec<String> {
    let mut buffer = LineBuffer::with_limit(LIMIT);
    let mut lines = Vec::new();
    for piece in bytes.chunks(piece) {
        buffer.push(piece);
        lines.extend(std::iter::from_fn(|| buffer.pop()).map(|line| format!("{line:?}")));
        assert!(buffer.unfinished().len() <= LIMIT);
    }
    lines
}

fuzz_target!(|data: &[u8]| {
    assert_eq!(lines(data, 7), lines(data, data.len().max(1)), "pieces make no difference");
    let mut buffer = LineBuffer::with_limit(LIMIT);
    buffer.push(data);
    let mut texts = Vec::new();
    while let Some(line) = buffer.pop() {
        let text = line.text().unwrap_or_default().to_owned();
        assert!(!text.contains(|letter: char| letter.is_ascii_control()), "{text:?}");
        assert_eq!(normalise(&text), text);
        texts.push(text);
    }
    texts.iter().for_each(|text| read_and_write(text));
    for line in String::from_utf8_lossy(data).lines() {
        read_and_write(line);
    }
    talk(&texts);
});
