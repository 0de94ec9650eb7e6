//! What holds for any line whatever, checked here for the property tests and for the fuzzer alike
//! (`arena/fuzz/fuzz_targets/lines.rs` includes this file).

use protocol::{
    ArenaMessage, Ask, BotMessage, Dialogue, GameSetup, GoLimits, Pairs, Profile, RequestReader, Start,
    printable,
};

/// Lets a line through both readers: what was read is written in a form that reads the same, and an error is
/// fit to be shown.
pub(crate) fn read_and_write(line: &str) {
    match BotMessage::parse(line) {
        Ok(message) => assert_eq!(BotMessage::parse(&message.to_string()), Ok(message), "{line:?}"),
        Err(error) => check_error(&error.to_string()),
    }
    match ArenaMessage::parse(line) {
        Ok(message) => assert_eq!(ArenaMessage::parse(&message.to_string()), Ok(message), "{line:?}"),
        Err(error) => check_error(&error.to_string()),
    }
}

fn check_error(text: &str) {
    assert_eq!(printable(text), text);
    assert!(text.chars().count() < 200, "{text}");
}

/// Lets a bot say these lines one at a time while the arena goes on with its own words: nothing panics.
pub(crate) fn talk(lines: &[String]) {
    let mut dialogue = Dialogue::new(Profile::default());
    let mut session = RequestReader::new();
    let plies = ["a1".to_owned(), "a2".to_owned()];
    let (limits, pairs) = (GoLimits::default(), Pairs::new());
    let ask = Ask {
        start: &Start::StartPosition,
        moves: &plies[..1].iter().collect(),
        board: "2/2 p1",
        legal: &plies,
        after: &[],
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
