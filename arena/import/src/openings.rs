//! Files of openings: EPD and PGN to the arena's lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use chess_rules::{plies_from_san, position_from_epd};
use record::PgnStream;

/// The most openings that are written: the arena checks every one by the rules before a run begins.
const MOST: usize = 10_000;
/// The longest line of EPD.
const MOST_OF_LINE: u64 = 4096;

/// In which form a file of openings is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BookFormat {
    Epd,
    Pgn,
}

impl BookFormat {
    /// Returns the form that the name of a file says, if it says one.
    pub(crate) fn of(file: &str) -> Option<Self> {
        match Path::new(file).extension().and_then(|extension| extension.to_str()) {
            Some("epd" | "fen") => Some(Self::Epd),
            Some("pgn") => Some(Self::Pgn),
            _ => None,
        }
    }
}

/// A file of openings of another program, and how it is played.
#[derive(Clone, Debug)]
pub(crate) struct ForeignBook {
    pub file: PathBuf,
    pub format: BookFormat,
    pub is_shuffled: bool,
    pub plies: Option<u64>,
    /// The first opening that counts, from 1.
    pub start: u64,
    pub is_per_round: bool,
}

impl ForeignBook {
    /// Returns a book that is played from its first opening, in order.
    pub(crate) const fn new(file: PathBuf, format: BookFormat) -> Self {
        Self { file, format, is_shuffled: false, plies: None, start: 1, is_per_round: false }
    }
}

/// The openings of a file, as the arena reads them.
#[derive(Debug, Default)]
pub(crate) struct Converted {
    pub lines: Vec<String>,
    /// Openings that are no position of chess or have an illegal move: where, and why.
    pub faulty: Vec<String>,
    /// How many there were.
    pub found: usize,
}

/// Reads a file of openings. Where it has more than are useful, those that are kept are spread evenly over the file, or are
/// the first ones where they are played in order.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn convert(book: &ForeignBook) -> io::Result<Converted> {
    let total = match book.format {
        BookFormat::Epd => epd_lines(&book.file)?.count(),
        BookFormat::Pgn => 0,
    };
    let skipped = usize::try_from(book.start - 1).unwrap_or(usize::MAX);
    let left = total.saturating_sub(skipped);
    let step = if book.is_shuffled { left.div_ceil(MOST).max(1) } else { 1 };
    let mut converted = Converted::default();
    let mut keep = |number: usize, line: Result<String, String>| {
        converted.found = number;
        let at = number - 1;
        if at < skipped || !(at - skipped).is_multiple_of(step) || converted.lines.len() >= MOST {
            return;
        }
        match line {
            Ok(line) => converted.lines.push(line),
            Err(fault) => converted.faulty.push(format!("opening {number}: {fault}")),
        }
    };
    match book.format {
        BookFormat::Epd => {
            for (i, line) in epd_lines(&book.file)?.enumerate() {
                keep(i + 1, position_from_epd(&line?).map(|fen| format!("fen {fen}")));
            }
        }
        BookFormat::Pgn => {
            for (i, game) in PgnStream::new(BufReader::new(File::open(&book.file)?)).enumerate() {
                match game {
                    Ok((_, game)) => keep(i + 1, pgn_line(&game, book.plies)),
                    Err(error) => {
                        keep(i + 1, Err(error.to_string()));
                        break;
                    }
                }
            }
        }
    }
    Ok(converted)
}

/// Returns the lines of a file of EPD that are not blank, each no longer than such a line can be.
fn epd_lines(file: &Path) -> io::Result<impl Iterator<Item = io::Result<String>>> {
    let mut source = BufReader::new(File::open(file)?);
    Ok(std::iter::from_fn(move || {
        loop {
            let mut line = Vec::new();
            match source.by_ref().take(MOST_OF_LINE).read_until(b'\n', &mut line) {
                Ok(0) => return None,
                Ok(_) if line.iter().all(u8::is_ascii_whitespace) => {}
                Ok(_) => return Some(Ok(String::from_utf8_lossy(&line).trim().to_owned())),
                Err(error) => return Some(Err(error)),
            }
        }
    }))
}

fn pgn_line(game: &record::PgnGame, most: Option<u64>) -> Result<String, String> {
    let tag = |name: &str| game.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str());
    let start = tag("FEN").map(position_from_epd).transpose()?;
    let most = most.and_then(|plies| usize::try_from(plies).ok()).unwrap_or(usize::MAX);
    let moves = game.plies.iter().take(most).map(|ply| ply.san.as_deref().unwrap_or(&ply.ply));
    let plies = plies_from_san(start.as_deref(), moves)?;
    let start = start.map_or_else(|| "startpos".to_owned(), |fen| format!("fen {fen}"));
    Ok(if plies.is_empty() { start } else { format!("{start} moves {}", plies.join(" ")) })
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn converted(text: &str, change: impl Fn(&mut ForeignBook), format: BookFormat) -> Converted {
        let folder = tempfile::tempdir().expect("there is room");
        let file = folder.path().join("book");
        fs::write(&file, text).expect("there is room");
        let mut book = ForeignBook::new(file, format);
        change(&mut book);
        convert(&book).expect("the file is there")
    }

    const AFTER_E4: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";

    #[test]
    fn epd_becomes_positions() {
        let text = format!("{AFTER_E4} e3 hmvc 0; fmvn 1;\n\nnonsense\n{AFTER_E4} - 0 1\r\n");
        let book = converted(&text, |_| {}, BookFormat::Epd);
        assert_eq!(book.lines, [format!("fen {AFTER_E4} - 0 1"), format!("fen {AFTER_E4} - 0 1")]);
        assert_eq!((book.faulty.len(), book.found), (1, 3));
        assert!(book.faulty[0].starts_with("opening 2: "), "{:?}", book.faulty);
        assert_eq!(converted(&text, |book| book.start = 3, BookFormat::Epd).lines.len(), 1);
    }

    #[test]
    fn pgn_becomes_plies_up_to_a_depth() {
        let text = "[Event \"a\"]\n\n1. e4 {best} e5 2. Nf3 (2. f4 exf4) Nc6 *\n\n[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n1. O-O *\n\n\
                    [Event \"b\"]\n\n1. e5 *\n";
        let book = converted(text, |book| book.plies = Some(3), BookFormat::Pgn);
        assert_eq!(
            book.lines,
            ["startpos moves e2e4 e7e5 g1f3", "fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 moves e1g1"]
        );
        assert_eq!(
            book.faulty,
            [
                "opening 3: `e5` is no legal move of `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1`"
            ]
        );
    }

    #[test]
    fn a_large_book_is_thinned_evenly_if_it_is_shuffled_anyway() {
        let text: String = (1..=25_000).map(|i| format!("{AFTER_E4} - 0 {i}\n")).collect();
        let shuffled = converted(&text, |book| book.is_shuffled = true, BookFormat::Epd);
        assert_eq!((shuffled.lines.len(), shuffled.found), (8_334, 25_000));
        assert!(shuffled.lines.last().is_some_and(|line| line.ends_with(" 25000")));
        let in_order = converted(&text, |_| {}, BookFormat::Epd);
        assert_eq!(in_order.lines.len(), 10_000);
        assert!(in_order.lines.last().is_some_and(|line| line.ends_with(" 10000")));
    }
}
