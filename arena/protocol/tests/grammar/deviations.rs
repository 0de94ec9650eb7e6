//! What the grammar does not say, and the specification says in words.

use crate::agreement::{GRAMMAR, Reading, Writer};

#[test]
fn a_move_has_at_most_255_octets() {
    let (longest, longer) = (format!("a{}", "1".repeat(254)), format!("a{}", "1".repeat(255)));
    assert!(GRAMMAR.matches("move", &longest) && GRAMMAR.matches("move", &longer));
    assert_eq!(Writer::Bot.parse(&format!("bestmove {longest}")).0, Reading::Message);
    assert_eq!(Writer::Bot.parse(&format!("bestmove {longer}")).0, Reading::Fault);
}

#[test]
fn a_number_that_is_too_large_counts_as_the_largest() {
    let line = "option name Nodes type spin default 0 min -9999999999999999999 max 9999999999999999999";
    let written = format!("option name Nodes type spin default 0 min {} max {}", i64::MIN, i64::MAX);
    assert_eq!(Writer::Bot.parse(line), (Reading::Message, Some(written)));
}

#[test]
fn a_token_that_is_a_move_and_a_pair_is_a_move() {
    assert!(GRAMMAR.matches("move", "e8=q") && GRAMMAR.matches("pair", "e8=q"));
    assert!(GRAMMAR.matches("move", "keep=a2") && !GRAMMAR.matches("pair", "keep=a2"));
    for (line, is_written) in [
        ("bestmove e8=q", true),
        ("bestmove a1 e8=q id=3", true),
        ("bestmove resign e8=q", false),
        ("bestmove a1 ponder b2 e8=q", false),
        ("bestmove resign keep=x", false),
    ] {
        assert_eq!(GRAMMAR.matches("bot-line", line), is_written, "{line}");
    }
    assert_eq!(Writer::Bot.parse("bestmove resign e8=q id=1").1.as_deref(), Some("bestmove resign id=1"));
}

#[test]
fn a_value_may_be_empty() {
    assert!(GRAMMAR.matches("pair", "a=") && GRAMMAR.matches("go", "go x-note="));
    assert_eq!(Writer::Arena.parse("go x-note=").1.as_deref(), Some("go x-note="));
}

#[test]
fn what_a_table_says_of_lines_the_grammar_says_too() {
    for (writer, table) in [
        (Writer::Arena, include_str!("../data/arena-lines.txt")),
        (Writer::Bot, include_str!("../data/bot-lines.txt")),
    ] {
        for row in table.lines().filter(|row| !row.is_empty() && !row.starts_with("//")) {
            let (line, _) = row.split_once(" => ").expect("a row is `line => what it is`");
            assert_eq!(writer.read(line), writer.parse(line).0, "{line}");
        }
    }
}

#[test]
fn the_lines_of_every_page_and_vector_are_made_by_the_grammar() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../protocol-spec");
    let (mut read, mut made) = (0, 0);
    for folder in [folder.clone(), folder.join("vectors/dialogues")] {
        for entry in std::fs::read_dir(folder).expect("the folder is there").flatten() {
            let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
            for line in text.lines() {
                let (writer, line) = match line.split_at_checked(2) {
                    Some(("> ", line)) => (Writer::Arena, line),
                    Some(("< ", line)) => (Writer::Bot, line),
                    _ => continue,
                };
                let (reading, written) = writer.parse(line);
                assert_eq!(writer.read(line), reading, "{line}");
                let is_made = GRAMMAR.matches(writer.rules()[0], line);
                assert!(!is_made || written.as_deref() == Some(line), "{line}");
                read += 1;
                made += usize::from(is_made);
            }
        }
    }
    assert!(read > 400 && made * 10 > read * 9, "{made} of {read}");
}
