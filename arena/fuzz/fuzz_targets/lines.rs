//! Bytes from a bot or the arena: nothing panics, lines are those that one reads by hand, and what was read is
//! written in a form that reads the same.

#![no_main]

use libfuzzer_sys::fuzz_target;
use protocol::{
    ArenaMessage, Ask, BotMessage, Dialogue, GameSetup, Limits, LineBuffer, Pairs, Profile, Session, Start,
    normalise, printable,
};

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

/// Lets a line through both readers.
fn read_and_write(line: &str) {
    match BotMessage::parse(line) {
        Ok(message) => assert_eq!(BotMessage::parse(&message.to_string()), Ok(message), "{line:?}"),
        Err(error) => assert_eq!(printable(&error.to_string()), error.to_string()),
    }
    match ArenaMessage::parse(line) {
        Ok(message) => assert_eq!(ArenaMessage::parse(&message.to_string()), Ok(message), "{line:?}"),
        Err(error) => assert_eq!(printable(&error.to_string()), error.to_string()),
    }
}

/// Lets a bot say this, one line at a time, while the arena goes on with its own words.
fn talk(lines: &[String]) {
    let mut dialogue = Dialogue::new(Profile::default());
    let mut session = Session::new();
    let plies = ["a1".to_owned(), "a2".to_owned()];
    let (limits, pairs) = (Limits::default(), Pairs::new());
    let ask = Ask {
        start: &Start::StartPosition,
        moves: &plies[..1],
        board: "2/2 p1",
        legal: &plies,
        limits: &limits,
        pairs: &pairs,
        id: None,
    };
    for (index, line) in lines.iter().enumerate() {
        match index % 6 {
            0 => drop(dialogue.hello()),
            1 => drop(dialogue.after_hello(&[], "arena", "")),
            2 => drop(dialogue.set_up(&GameSetup::new("faust"))),
            3 => drop(dialogue.ask(&ask)),
            4 => drop(dialogue.ready_check()),
            _ => {}
        }
        drop(dialogue.receive(line));
        drop(session.receive(line));
    }
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
