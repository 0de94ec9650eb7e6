//! Files of openings: one per line, checked against the rules.
//!
//! A line holds plies from the game's own start (`c2b2+ a3a2+`), or `startpos [moves PLY…]`, or `fen POSITION [moves PLY…]`;
//! `#` begins a comment. The comments above the first opening may hold pairs (`# game: fanorona size=5x5`). The game named
//! there must be the one that is played.

use std::collections::HashMap;

use rules::{Rejection, RulesFault, Setup, Verdict};
use thiserror::Error;

use super::line::Opening;
use super::random::own_start;
use crate::random::RandomStream;

/// The openings of a file, each once, in its order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    /// The pairs of the comments above the first opening, in order.
    pub header: Vec<(String, String)>,
    /// The openings.
    pub openings: Vec<Opening>,
    /// The lines that were left out because an earlier one leads to the same or a symmetric position.
    pub doubled: Vec<Doubled>,
}

/// A line without a new opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Doubled {
    /// The line, from 1.
    pub line: usize,
    /// The earlier line with the same opening.
    pub first: usize,
}

/// An error in a line of a file of openings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {kind}")]
pub struct BookError {
    /// The line, from 1.
    pub line: usize,
    /// The error.
    pub kind: BookErrorKind,
}

/// What is wrong with a line of a file of openings. Quoted text is escaped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum BookErrorKind {
    /// The file is for another game.
    #[error("the openings are for `{named}`, not for `{played}`")]
    Game {
        /// The game that the file names.
        named: String,
        /// The game that is played.
        played: String,
    },
    /// The position cannot be read.
    #[error("`{text}` is not a position of {game}: {reason}")]
    Position {
        /// The position.
        text: String,
        /// The game's label.
        game: String,
        /// The reason.
        reason: String,
    },
    /// The rules refuse a ply.
    #[error("ply {number}, `{ply}`, is refused in {game}: {reason}")]
    Ply {
        /// Its number, from 1.
        number: usize,
        /// The ply.
        ply: String,
        /// The game's label.
        game: String,
        /// The reason.
        reason: String,
    },
    /// The opening decides the game.
    #[error("the game is over after this opening ({})", verdict.reason)]
    Decided {
        /// How it ended.
        verdict: Verdict,
    },
    /// A word is in the wrong place.
    #[error("expected `moves`, found `{word}`")]
    Word {
        /// The word.
        word: String,
    },
    /// The rules of a game of one's own failed.
    #[error(transparent)]
    Rules(RulesFault),
    /// `fen` without a position.
    #[error("`fen` without a position")]
    NoPosition,
}

impl Book {
    /// Reads a file of openings and checks every line.
    ///
    /// # Errors
    /// With all errors of the file, in the order of the lines.
    pub fn read(setup: &Setup, text: &str) -> Result<Self, Vec<BookError>> {
        let mut book = Self { header: Vec::new(), openings: Vec::new(), doubled: Vec::new() };
        let (mut known, mut errors) = (HashMap::new(), Vec::new());
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (index, whole) in text.lines().enumerate() {
            let number = index + 1;
            let (words, comment) = whole.split_once('#').map_or((whole, None), |(a, b)| (a, Some(b)));
            let words = words.trim();
            if words.is_empty() {
                if let Some((key, value)) = comment.filter(|_| known.is_empty()).and_then(pair) {
                    if key == "game" && value != setup.label() {
                        let named = protocol::printable(value).into_owned();
                        let kind = BookErrorKind::Game { named, played: setup.label() };
                        // Every line would be refused for the same reason.
                        return Err(vec![BookError { line: number, kind }]);
                    }
                    book.header.push((key.to_owned(), value.to_owned()));
                }
                continue;
            }
            match read_line(setup, words) {
                Ok((opening, position)) => match known.get(&position) {
                    Some(first) => book.doubled.push(Doubled { line: number, first: *first }),
                    None => {
                        known.insert(position, number);
                        book.openings.push(opening);
                    }
                },
                Err(kind) => errors.push(BookError { line: number, kind }),
            }
        }
        if errors.is_empty() { Ok(book) } else { Err(errors) }
    }

    /// Shuffles the openings into an order that depends on a run's seed and the label of its game.
    pub fn shuffle(&mut self, seed: u64, label: &str) {
        let mut stream = RandomStream::new(seed, &["book", label]);
        for place in (1..self.openings.len()).rev() {
            self.openings.swap(place, stream.below(place + 1));
        }
    }

    /// Returns the value of a key of the header.
    #[must_use]
    pub fn value(&self, key: &str) -> Option<&str> {
        self.header.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// Reads `key: value` in a comment.
fn pair(comment: &str) -> Option<(&str, &str)> {
    let (key, value) = comment.split_once(':')?;
    let key = key.trim();
    let is_word = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    is_word.then(|| (key, value.trim()))
}

/// Reads an opening, and the position that it leads to, in canonical form.
fn read_line(setup: &Setup, text: &str) -> Result<(Opening, String), BookErrorKind> {
    let (position, plies) = split(text)?;
    let mut opening = Opening { start: None, plies: plies.iter().map(|ply| (*ply).to_owned()).collect() };
    let own = own_start(setup).map_err(BookErrorKind::Rules)?;
    let mut referee = match position {
        None => own,
        Some(position) => {
            let referee = setup.referee(Some(&position)).map_err(|error| BookErrorKind::Position {
                text: protocol::printable(&position).into_owned(),
                game: setup.label(),
                reason: protocol::printable(&error.to_string()).into_owned(),
            })?;
            opening.start = Some(referee.position()).filter(|start| *start != own.position());
            referee
        }
    };
    opening.play(referee.as_mut()).map_err(|(number, rejection)| match rejection {
        Rejection::Rules(fault) => BookErrorKind::Rules(*fault),
        rejection => BookErrorKind::Ply {
            number,
            ply: protocol::printable(&opening.plies[number - 1]).into_owned(),
            game: setup.label(),
            reason: protocol::printable(&rejection.to_string()).into_owned(),
        },
    })?;
    match referee.outcome() {
        Some(verdict) => Err(BookErrorKind::Decided { verdict }),
        None => Ok((opening, rules::canonical(setup.game().id, &referee.position()))),
    }
}

/// Returns the position of a line, if it has one, and its plies.
fn split(text: &str) -> Result<(Option<String>, Vec<&str>), BookErrorKind> {
    let words: Vec<_> = text.split_whitespace().collect();
    match words.as_slice() {
        ["startpos"] => Ok((None, Vec::new())),
        ["startpos", "moves", plies @ ..] => Ok((None, plies.to_vec())),
        ["startpos", word, ..] => Err(BookErrorKind::Word { word: protocol::printable(word).into_owned() }),
        ["fen", rest @ ..] => {
            let end = rest.iter().position(|word| *word == "moves").unwrap_or(rest.len());
            if end == 0 {
                return Err(BookErrorKind::NoPosition);
            }
            Ok((Some(rest[..end].join(" ")), rest.get(end + 1..).unwrap_or_default().to_vec()))
        }
        plies => Ok((None, plies.to_vec())),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn setup(game: &str) -> Setup {
        rules::find(game).unwrap().setup(&[]).unwrap()
    }

    fn read(game: &str, text: &str) -> Result<Book, String> {
        Book::read(&setup(game), text)
            .map_err(|errors| errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))
    }

    #[test]
    fn every_form_of_a_line_is_read() {
        let start = setup("farook").referee(None).unwrap();
        let mut moved = start.fork();
        let ply = start.legal().swap_remove(0);
        moved.submit(&ply).unwrap();
        let next = moved.legal().swap_remove(0);
        let text = format!(
            "\u{feff}# game: farook\n\n  # a word: no pair\n{ply} # the first\nfen {p} moves {next}\r\nstartpos\n",
            p = moved.position()
        );
        let book = read("farook", &text).unwrap();
        assert_eq!(book.value("game"), Some("farook"));
        assert_eq!(book.header.len(), 1);
        let shown: Vec<_> = book.openings.iter().map(ToString::to_string).collect();
        assert_eq!(shown, [ply, format!("fen {} moves {next}", moved.position()), "startpos".to_owned()]);
        let own = format!("fen {}", start.position());
        assert_eq!(read("farook", &own).unwrap().openings, [Opening::default()]);
    }

    #[test]
    fn what_only_lies_otherwise_is_left_out() {
        let book = read("faust", "a1\nc3\nh8\na8\n").unwrap();
        assert_eq!(book.openings.len(), 2);
        assert_eq!(book.doubled, [Doubled { line: 3, first: 1 }, Doubled { line: 4, first: 1 }]);
    }

    #[test]
    fn faults_name_the_line() {
        let faults = read("faust", "a1\nb2 b2\n\nfen 3 p9\nfen\nstartpos a1\nz\u{1b}9\n").unwrap_err();
        let lines: Vec<_> = faults.lines().collect();
        assert_eq!(lines.len(), 5, "{faults}");
        assert!(lines[0].starts_with("line 2: ply 2, `b2`, is refused in faust: "), "{faults}");
        assert!(lines[1].starts_with("line 4: `3 p9` is not a position of faust: "), "{faults}");
        assert_eq!(lines[2], "line 5: `fen` without a position");
        assert_eq!(lines[3], "line 6: expected `moves`, found `a1`");
        assert!(lines[4].starts_with("line 7: ply 1, ") && !faults.contains('\u{1b}'), "{faults}");
    }

    #[test]
    fn a_book_of_another_game_is_refused_at_once() {
        let fault = read("farook", "# game: fanorona size=5x5\nc2b2+\n").unwrap_err();
        assert_eq!(fault, "line 1: the openings are for `fanorona size=5x5`, not for `farook`");
    }

    #[test]
    fn decided_positions_are_refused() {
        let fanorona = rules::find("fanorona").unwrap().setup(&[("size", "3x3")]).unwrap();
        let mut referee = fanorona.referee(None).unwrap();
        let mut plies = Vec::new();
        while referee.outcome().is_none() {
            let ply = referee.legal().swap_remove(0);
            referee.submit(&ply).unwrap();
            plies.push(ply);
        }
        let errors = Book::read(&fanorona, &plies.join(" ")).unwrap_err();
        assert!(errors[0].to_string().starts_with("line 1: the game is over after this opening ("));
    }

    #[test]
    fn a_shuffle_belongs_to_its_seed() {
        let book = read("faust", "a1\nb1\nc1\nd1\nb2\nc2\nd2\nc3\n").unwrap();
        let shuffled = |seed| {
            let mut book = book.clone();
            book.shuffle(seed, "faust");
            book.openings
        };
        assert_eq!(shuffled(1), shuffled(1));
        assert_ne!(shuffled(1), shuffled(2));
        let mut sorted = shuffled(1);
        sorted.sort_by_key(|opening| book.openings.iter().position(|other| other == opening));
        assert_eq!(sorted, book.openings);
    }

    proptest! {
        #[test]
        fn no_text_makes_it_fall_over(text in "(startpos|fen|moves|a1|b2|#|:|game|[ -~]|\n| ){0,40}") {
            let _ = Book::read(&setup("faust"), &text);
        }
    }
}
