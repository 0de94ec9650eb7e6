//! Results as logs spell them: PGN's own four, and the spellings of other programs and people.

use crate::GameResult;

/// The meaning of a result's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Spelled {
    /// Who won, or that it was a draw.
    Played(GameResult),
    /// The game is not finished, or the text says nothing.
    Unfinished,
    /// The game was not played. Who received the point does not matter.
    Forfeit,
    /// The text has no known meaning.
    Unknown,
}

/// Reads the value of a tag.
///
/// Besides `1-0`, `0-1`, `1/2-1/2` and `*` it accepts halves as `1/2`, `½` or `0.5` with a point or a comma, one or both of
/// them; `=-=`; colons, dashes of all lengths and blanks for the hyphen; and `+--`, `+/-`, `+:-`, `1-0F` and the like, `0-0`
/// and `---` for games that were scored without play.
pub(super) fn spelled(text: &str) -> Spelled {
    let plain = plain(text);
    if let Some(winner) = at_end(&plain) {
        return winner.map_or(Spelled::Unfinished, Spelled::Played);
    }
    match plain.as_str() {
        "" | "?" | "-" => Spelled::Unfinished,
        "=-=" | "=" | "draw" => Spelled::Played(GameResult::Draw),
        "+--" | "--+" | "+-" | "-+" | "+/-" | "-/+" | "0-0" | "---" | "-/-" | "1-0f" | "0-1f" | "1f-0f"
        | "0f-1f" | "0f-0f" | "1f-0" | "0-1ff" | "1-0ff" => Spelled::Forfeit,
        _ => Spelled::Unknown,
    }
}

/// Reads a word that may end the moves of a game; `None` if it does not. `Some(None)` says that the game is not finished.
///
/// It accepts no other spellings, because a move may look like one: `0-0` is castling.
pub(super) fn ending(word: &[u8]) -> Option<Option<GameResult>> {
    at_end(&plain(&decoded(word)))
}

/// Decodes UTF-8, or Latin-1 as the PGN standard requires.
pub(super) fn decoded(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

fn at_end(plain: &str) -> Option<Option<GameResult>> {
    match plain {
        "1-0" => Some(Some(GameResult::P1Win)),
        "0-1" => Some(Some(GameResult::P2Win)),
        "1/2-1/2" | "1/2" | "0.5-0.5" | "0.5" | ".5-.5" => Some(Some(GameResult::Draw)),
        "*" => Some(None),
        _ => None,
    }
}

/// Gives texts of the same meaning the same spelling.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars().filter(|c| !c.is_whitespace()) {
        match c {
            '\u{bd}' => plain.push_str("1/2"),
            '\u{2010}'..='\u{2015}' | '\u{2212}' | ':' => plain.push('-'),
            ',' => plain.push('.'),
            c => plain.extend(c.to_lowercase()),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(expected: Spelled, texts: &[&str]) {
        for text in texts {
            assert_eq!(spelled(text), expected, "{text}");
        }
    }

    #[test]
    fn results_are_known_however_they_are_spelled() {
        check(Spelled::Played(GameResult::P1Win), &["1-0", "1 - 0", "1:0", "1\u{2013}0"]);
        check(Spelled::Played(GameResult::P2Win), &["0-1", "0:1", "0 \u{2212} 1"]);
        let draws = [
            "1/2-1/2",
            "1/2",
            "\u{bd}-\u{bd}",
            "\u{bd}",
            "\u{bd}:\u{bd}",
            "\u{bd}\u{2013}\u{bd}",
            "0.5-0.5",
            "0,5-0,5",
            "0.5",
            "=-=",
            "=",
            "1/2 - 1/2",
            "Draw",
        ];
        check(Spelled::Played(GameResult::Draw), &draws);
        check(Spelled::Unfinished, &["*", "", "?", "-"]);
        check(Spelled::Forfeit, &["+--", "--+", "+/-", "+:-", "- : +", "1-0F", "0F-1F", "0-0", "---"]);
        check(Spelled::Unknown, &["2-0", "1-1", "10-0", "White", "1-0-0"]);
    }

    #[test]
    fn only_results_end_the_moves() {
        for word in ["0-0", "0-0-0", "+-", "=", "1-1", "e4", "1.", "-"] {
            assert_eq!(ending(word.as_bytes()), None, "{word}");
        }
        assert_eq!(ending("\u{bd}-\u{bd}".as_bytes()), Some(Some(GameResult::Draw)));
        assert_eq!(ending(b"\xbd-\xbd"), Some(Some(GameResult::Draw)));
        assert_eq!(ending(b"*"), Some(None));
    }
}
