//! What lines are read as, one by one, in two tables.

use protocol::{ArenaMessage, BotMessage};

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
