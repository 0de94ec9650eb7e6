//! Every declared option is taken as it is declared.

use crate::counterpart::{Becomes, Counterpart, ENGINE_KEYS, OPTIONS, Of};
use crate::{Imported, Surroundings, translate};

/// Options whose effect shows only beside another one.
const ADDED: [(&str, &str); 1] = [("seeds", "-tournament gauntlet -engine cmd=c tc=1 ")];

fn translated(of: Of, more: &str) -> Imported {
    let program = if of == Of::Fastchess { "fastchess" } else { "cutechess-cli" };
    let line = format!("{program} -engine cmd=a tc=1 -engine cmd=b tc=1 {more}");
    let words = line.split_whitespace().map(str::to_owned);
    translate(words, &Surroundings::default()).unwrap_or_else(|error| panic!("{line}: {error}"))
}

/// Where a text is the default, another one shows what it does.
fn value(counterpart: &Counterpart) -> &str {
    match counterpart.name {
        "seeds" => "2",
        "variant" => "standard",
        _ => counterpart.example,
    }
}

#[test]
fn options_change_the_file_or_leave_a_note_as_they_are_declared() {
    let usual = |of| translated(of, "");
    for option in OPTIONS {
        let before = ADDED.iter().find(|(name, _)| *name == option.name).map_or("", |(_, more)| more);
        let plain = translated(option.of, before);
        let with = translated(option.of, &format!("{before}-{} {}", option.name, value(option)));
        let has_note = with.notes.iter().any(|note| note.option == format!("-{}", option.name));
        match option.becomes {
            Becomes::Keys(_) if option.name == "variant" => {}
            Becomes::Keys(_) => assert_ne!(with.text, plain.text, "-{}", option.name),
            Becomes::Usual(why) | Becomes::Nothing(why) => {
                assert!(
                    has_note && with.notes.iter().any(|note| note.why.ends_with(why)),
                    "-{}",
                    option.name
                );
                assert_eq!(with.text, plain.text, "-{}", option.name);
            }
        }
    }
    for key in ENGINE_KEYS {
        let engine = |more: &str| translated(key.of, &format!("-engine cmd=c tc=1 {more}"));
        let with = engine(&format!("{}={}", key.name, key.example));
        let plain = engine("");
        match key.becomes {
            // They are what is written anyway.
            Becomes::Keys(_) if key.name == "proto" => assert_eq!(with.text, plain.text),
            Becomes::Keys(_) => assert_ne!(with.text, plain.text, "{}", key.name),
            Becomes::Usual(why) | Becomes::Nothing(why) => {
                assert!(with.notes.iter().any(|note| note.why.ends_with(why)), "{}", key.name);
                assert_eq!(with.text, plain.text, "{}", key.name);
            }
        }
    }
    assert!(usual(Of::Cutechess).notes.len() <= 1);
}
