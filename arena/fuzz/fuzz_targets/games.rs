//! Anybody's PGN, read in all ways: as a text, as a stream and for its outcomes alone. Nothing panics, whatever the depth of
//! variations and comments; the text and the stream say the same; and what is said of a fault is short.

#![no_main]

use libfuzzer_sys::fuzz_target;
use record::{PgnReader, PgnScanner, PgnStream};

/// The most bytes that are said of a fault.
const MOST_BYTES: usize = 4096;

fuzz_target!(|data: &[u8]| {
    let mut outcomes = 0_usize;
    let scanned = PgnScanner::new(data).visit(|_| outcomes += 1).map_err(|error| error.to_string());
    assert!(scanned.as_ref().err().is_none_or(|words| words.len() < MOST_BYTES), "{scanned:?}");
    let streamed: Result<Vec<_>, _> = PgnStream::new(data).map(|game| game.map(|(_, game)| game)).collect();
    let streamed = streamed.map_err(|error| error.to_string());
    assert!(streamed.as_ref().err().is_none_or(|words| words.len() < MOST_BYTES), "{streamed:?}");
    if let Ok(text) = std::str::from_utf8(data) {
        let read: Result<Vec<_>, _> = PgnReader::new(text).collect();
        assert_eq!(read.is_ok(), streamed.is_ok(), "{text}");
        if let (Ok(read), Ok(streamed)) = (read, streamed) {
            assert_eq!(read, streamed, "{text}");
        }
    }
});
