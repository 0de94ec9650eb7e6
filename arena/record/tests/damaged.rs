//! All readers of a journal share one notion of what is damaged: whatever happens to its bytes, they say the same.

use std::fs;

use record::{JOURNAL, JournalLine, JournalReader, LoggedGameReader, summarize};

const RUN: &str = r#"{"type":"run","format":3,"arena":"0.1.0","rules":"0","written":"2026-11-21T00:00:00Z","config":{"name":"cup","format":"round-robin","rounds":1,"seed":1,"games":[],"bots":[],"settings":{"margin_ms":50,"think_limit_ms":60000,"illegal":"forfeit","restart":"auto","reproducible":false,"ponder":false}}}"#;

fn game(number: u64, kind: &str) -> String {
    format!(
        r#"{{"type":"{kind}","number":{number},"pair":1,"leg":1,"round":1,"game":"farook","options":{{}},"label":"farook","seats":[{{"bot":"a","version":"","digest":"","tc":"","seed":1}},{{"bot":"b","version":"","digest":"","tc":"","seed":2}}],"opening":0,"result":"p1win","reason":"crash","started":"2026","seconds":0.5,"plies":[{{"ply":"a1","seat":1,"turn":1,"us":12}}]}}"#
    )
}

/// Returns a journal with checksums, or one of a format that has none.
fn journal(has_checksums: bool) -> Vec<u8> {
    let lines = [RUN.to_owned(), game(2, "game"), game(1, "void"), game(1, "game")];
    if !has_checksums {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        return text.replace("\"format\":3", "\"format\":2").into_bytes();
    }
    let line =
        |line: &String| serde_json::from_str::<JournalLine>(line).expect("a line").to_text().expect("a line");
    lines.iter().map(line).collect::<String>().into_bytes()
}

/// What a reader says of a journal: the numbers of its games and how many bytes are left out, or what is wrong.
type Told = Result<(usize, u64), String>;

/// Reads a journal in all ways and returns what they say, which must be the same.
#[track_caller]
fn told(bytes: &[u8]) -> Told {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(JOURNAL);
    fs::write(&path, bytes).expect("written");
    let summed = summarize(directory.path()).map(|run| (run.games.len(), run.torn));
    let summed = summed.map_err(|error| error.to_string());

    let mut reader = JournalReader::new(bytes, &path);
    let lines: Result<Vec<_>, _> = reader.by_ref().collect();
    let games = |lines: Vec<(usize, JournalLine)>| {
        lines.iter().filter(|line| matches!(line.1, JournalLine::Game(_))).count()
    };
    let read = lines.map(games).map_err(|error| error.to_string()).map(|games| (games, reader.torn()));

    let (mut reader, mut count) = (LoggedGameReader::new(bytes, &path), 0);
    let visited = reader.visit(|_| count += 1).map_err(|error| error.to_string());
    let visited = visited.map(|()| (count, reader.torn()));

    let shown = String::from_utf8_lossy(bytes);
    assert_eq!(summed, read, "{shown}");
    assert_eq!(summed, visited, "{shown}");
    summed
}

#[test]
fn readers_agree_on_every_changed_byte() {
    for has_checksums in [true, false] {
        let whole = journal(has_checksums);
        assert_eq!(told(&whole), Ok((2, 0)));
        let mut unnoticed = 0;
        for place in 0..whole.len() {
            for byte in [b'"', b'\n', whole[place] ^ 1] {
                let mut changed = whole.clone();
                changed[place] = byte;
                let told = told(&changed);
                unnoticed += usize::from(
                    byte != whole[place] && told.is_ok_and(|(games, torn)| (games, torn) == (2, 0)),
                );
            }
        }
        // A changed figure or letter leaves a line that reads as well; a checksum tells. The line feed at the end may be lost.
        assert_eq!(unnoticed == 0, has_checksums, "{unnoticed}");
    }
}

#[test]
fn readers_agree_on_every_missing_and_every_doubled_byte() {
    for has_checksums in [true, false] {
        let whole = journal(has_checksums);
        for place in 0..whole.len() {
            let without = [&whole[..place], &whole[place + 1..]].concat();
            let doubled = [&whole[..=place], &whole[place..]].concat();
            for changed in [without, doubled, whole[..place].to_vec()] {
                let _ = told(&changed);
            }
        }
    }
}

#[test]
fn a_damaged_line_feed_between_two_games_loses_none_silently() {
    for has_checksums in [true, false] {
        let whole = journal(has_checksums);
        let feeds: Vec<_> = (0..whole.len() - 1).filter(|place| whole[*place] == b'\n').collect();
        assert_eq!(feeds.len(), 3);
        for place in feeds {
            for byte in (0..=255).filter(|byte| *byte != b'\n') {
                let mut changed = whole.clone();
                changed[place] = byte;
                let told = told(&changed);
                // Zeros are what a loss of power leaves, which is left out and told.
                let is_loss = byte == 0 && matches!(told, Ok((_, 1..)));
                assert!(told.is_err() || is_loss, "{byte}: {told:?}");
            }
        }
    }
}
