//! Journals and game logs, whatever they hold: nothing panics, and a game log that was read is written in a form that
//! reads the same.

#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use rules::Catalogue;
use record::{JournalReader, JournalLine, PgnForm, PgnGame, PgnReader};

fuzz_target!(|data: &[u8]| {
    for line in JournalReader::new(data, Path::new("journal")) {
        match line {
            Ok((_, JournalLine::Game(game) | JournalLine::Void(game))) => write_and_read(&PgnGame::from_record(&game, None, &Catalogue::default())),
            Ok((_, JournalLine::Run(_))) => {}
            Err(error) => assert!(!error.to_string().is_empty()),
        }
    }
    if let Ok(text) = std::str::from_utf8(data) {
        for game in PgnReader::new(text) {
            match game {
                Ok(game) => write_and_read(&game),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
    }
});

/// Writes a game in both forms and reads it back.
fn write_and_read(game: &PgnGame) {
    for form in [PgnForm::Native, PgnForm::Safe] {
        let text = game.write(form);
        let games: Vec<_> = PgnReader::new(&text).collect();
        assert!(games.len() == 1 && games[0].is_ok(), "{text}\n{games:?}");
    }
}
