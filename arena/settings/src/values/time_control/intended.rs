//! What was meant by a text that is no time control.

use std::time::Duration;

use super::{Period, TimeControl};
use crate::parse_duration;

/// Returns the time control that was meant, and what is wrong with the text.
pub(super) fn by(text: &str) -> Option<(TimeControl, &'static str)> {
    let guesses = [
        (points(text), "decimals follow a point, not a comma"),
        (compact(text), "no blanks, and one `+`, between a time and its increment"),
        (text.to_lowercase(), "words are written in lower case"),
    ];
    let guessed = guesses.into_iter().find_map(|(guess, fault)| Some((guess.parse().ok()?, fault)));
    guessed.or_else(|| Some((without_units(text)?, "a clock counts seconds and has no unit")))
}

/// Writes a point instead of each comma between two digits.
fn points(text: &str) -> String {
    let bytes = text.as_bytes();
    let is_digit = |at: Option<usize>| at.and_then(|at| bytes.get(at)).is_some_and(u8::is_ascii_digit);
    let is_decimal = |at: usize| is_digit(at.checked_sub(1)) && is_digit(at.checked_add(1));
    text.char_indices()
        .map(|(at, letter)| if letter == ',' && is_decimal(at) { '.' } else { letter })
        .collect()
}

/// Takes away blanks around the signs of a clock, and a sign that is there twice.
fn compact(text: &str) -> String {
    if text.trim_end().ends_with('+') {
        return text.to_owned();
    }
    let words: Vec<_> = text.split('+').map(str::trim).filter(|word| !word.is_empty()).collect();
    words.join("+")
}

/// Reads a base and an increment that have units: `1m+1s`.
fn without_units(text: &str) -> Option<TimeControl> {
    let time = |text: &str| parse_duration(&text.trim().to_lowercase()).ok();
    let (base, increment) = match text.split_once('+') {
        Some((base, increment)) => {
            let seconds = |text: &str| time(text).or_else(|| time(&format!("{}s", text.trim())));
            (seconds(base)?, seconds(increment)?)
        }
        None => (time(text)?, Duration::ZERO),
    };
    let only = Period { turns: None, base, increment };
    // What it means is read again from its text: a time may be empty or too long.
    TimeControl { periods: vec![only], ..TimeControl::unlimited() }.to_string().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_meant_is_guessed() {
        for (text, meant) in [
            ("10+0,1", "10+0.1"),
            ("0,5+0,1", "0.5+0.1"),
            ("10,5", "10.5"),
            ("40/60,5:30+1", "40/60.5:30+1"),
            ("10 + 0.1", "10+0.1"),
            ("10++1", "10+1"),
            ("10s", "10"),
            ("1m+1s", "60+1"),
            ("5m+3", "300+3"),
            ("MoveTime 100ms", "movetime 100ms"),
        ] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
            assert_eq!(by(text).map(|(control, _)| control.to_string()).as_deref(), Some(meant), "{text}");
        }
        for text in ["", "fast", "movetime 1", "10+", "0s", "60, delay", ",", "é,1"] {
            assert_eq!(by(text), None, "{text}");
        }
    }
}
