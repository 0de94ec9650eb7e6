//! Every line of the specification's examples is a message and is written again as it stands there.

use protocol::{ArenaMessage, BotMessage};

const DIALOGUES: [&str; 7] = [
    include_str!("data/handshake.abp"),
    include_str!("data/set-up.abp"),
    include_str!("data/turn.abp"),
    include_str!("data/after.abp"),
    include_str!("data/errors.abp"),
    include_str!("data/fanorona.abp"),
    include_str!("data/turns.abp"),
];

#[test]
fn every_example_line_is_written_as_it_was_read() {
    let mut count = 0;
    for line in DIALOGUES.iter().flat_map(|dialogue| dialogue.lines()) {
        let (line, written) = match line.split_at_checked(2) {
            Some(("> ", line)) => (line, ArenaMessage::parse(line).map(|message| message.to_string())),
            Some(("< ", line)) => (line, BotMessage::parse(line).map(|message| message.to_string())),
            _ => {
                assert!(line.starts_with('#'), "{line}");
                continue;
            }
        };
        assert_eq!(written.as_deref(), Ok(line));
        assert!(
            !matches!(BotMessage::parse(line), Ok(BotMessage::Log(_))) || ArenaMessage::parse(line).is_ok()
        );
        count += 1;
    }
    assert_eq!(count, 84);
}

/// Reads a table of `line => what it is`, where `! ` starts an error.
fn check(table: &str, read: impl Fn(&str) -> Result<String, String>) {
    for row in table.lines().filter(|row| !row.is_empty() && !row.starts_with("//")) {
        let (line, expected) = row.split_once(" => ").expect("a row is `line => what it is`");
        let found = read(line).unwrap_or_else(|error| format!("! {error}"));
        assert_eq!(found, expected, "{line}");
    }
}

#[test]
fn lines_of_bots_are_read_with_tolerance() {
    check(include_str!("data/bot-lines.txt"), |line| match BotMessage::parse(line) {
        Ok(BotMessage::Log(_)) => Ok("log".to_owned()),
        Ok(message) => Ok(message.to_string()),
        Err(error) => Err(error.to_string()),
    });
}

#[test]
fn lines_of_the_arena_are_read_with_tolerance() {
    check(include_str!("data/arena-lines.txt"), |line| match ArenaMessage::parse(line) {
        Ok(message) => Ok(message.to_string()),
        Err(error) => Err(error.to_string()),
    });
}
