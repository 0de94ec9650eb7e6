//! Text drawn by strokes, for pictures that must not depend on the typefaces of a machine.

use crate::background::Coordinate;

/// How far the middles of two digits are from each other, in tenths of the size.
const ADVANCE: f64 = 5.4;

/// How wide a character is, as a share of its size.
pub(crate) const WIDTH: f64 = ADVANCE / 10.0;

/// Returns coordinates as paths.
pub(crate) fn strokes(coordinates: &[Coordinate]) -> String {
    coordinates.iter().map(strokes_of).collect()
}

/// Returns a line of text as paths of the class `b-title`. Its first character begins at `x`, its middle is at `y`.
pub(crate) fn title(text: &str, x: f64, y: f64, size: f64) -> String {
    let scale = size / 10.0;
    let path = |(place, letter): (usize, char)| {
        let middle = ADVANCE * (place as f64 + 0.5);
        format!(
            "<path transform=\"translate({x:.1} {y:.1}) scale({scale:.3}) translate({middle:.2})\" d=\"{}\" class=\"b-title\"/>",
            glyph(letter)
        )
    };
    text.chars().enumerate().filter(|(_, letter)| *letter != ' ').map(path).collect()
}

fn strokes_of(Coordinate { x, y, size, name, .. }: &Coordinate) -> String {
    let scale = size / 10.0;
    let start = -ADVANCE * (name.len() as f64 - 1.0) / 2.0;
    let path = |(place, letter): (usize, char)| {
        let shift = start + ADVANCE * place as f64;
        format!(
            "<path transform=\"translate({x:.1} {y:.1}) scale({scale:.3}) translate({shift:.2})\" d=\"{}\" class=\"b-stroke\"/>",
            glyph(letter)
        )
    };
    name.chars().enumerate().map(path).collect()
}

/// Returns the strokes of a character around its middle, ten units being the size of the letters. A character that is
/// neither ASCII nor a dash or dots is a box.
pub(crate) fn glyph(letter: char) -> &'static str {
    match letter {
        '0' => "M0-3.6A2.1 3.6 0 1 0 0 3.6A2.1 3.6 0 1 0 0-3.6",
        '1' => "M-1.6-2.3L.5-3.6V3.6",
        '2' => "M-2-1.6A2 2 0 1 1 1.6-.4L-2 3.6H2.1",
        '3' => "M-1.8-3.6H1.9L-.3-.7A2.15 2.15 0 1 1-2 2.6",
        '4' => "M.9 3.6V-3.6L-2.3 1.6H2.3",
        '5' => "M1.8-3.6H-1.5L-1.8-.4A2.25 2.25 0 1 1-2 2.7",
        '6' => "M1.6-3.6C-.6-3-2.1-.6-2.1 1.4A2.1 2.2 0 1 0 2.1 1.4A2.1 2.2 0 1 0-2.1 1.4",
        '7' => "M-2.1-3.6H2.1L-.8 3.6",
        '8' => {
            "M0-3.6A1.75 1.75 0 1 0 0-.1A1.75 1.75 0 1 0 0-3.6M0-.1A2.05 1.85 0 1 0 0 3.6A2.05 1.85 0 1 0 0-.1"
        }
        '9' => "M-1.6 3.6C.6 3 2.1.6 2.1-1.4A2.1 2.2 0 1 0-2.1-1.4A2.1 2.2 0 1 0 2.1-1.4",
        'a' => "M2.1-1.4V3.4M2.1 1A2.1 2.4 0 1 1-2.1 1A2.1 2.4 0 1 1 2.1 1",
        'b' => "M-2.1-3.8V3.4M-2.1 1A2.1 2.4 0 1 1 2.1 1A2.1 2.4 0 1 1-2.1 1",
        'c' => "M1.8-.3A2.1 2.4 0 1 0 1.8 2.3",
        'd' => "M2.1-3.8V3.4M2.1 1A2.1 2.4 0 1 1-2.1 1A2.1 2.4 0 1 1 2.1 1",
        'e' => "M-2.1 1H2.1A2.1 2.4 0 1 0 1.6 2.6",
        'f' => "M1.7-3.8H1.2A1.6 1.6 0 0 0-.4-2.2V3.4M-1.9-1.4H1.5",
        'g' => {
            "M2.1-1.4V3.4A2.1 1.9 0 0 1 0 5.3A2.6 2.2 0 0 1-1.8 4.6M2.1 1A2.1 2.4 0 1 1-2.1 1A2.1 2.4 0 1 1 2.1 1"
        }
        'h' => "M-2-3.8V3.4M-2 1A2 2.4 0 0 1 2 1V3.4",
        'i' => "M0-1.4V3.4M0-3.6V-3.5",
        'j' => "M.6-1.4V3.7A1.6 1.6 0 0 1-1 5.3H-1.4M.6-3.6V-3.5",
        'k' => "M-1.9-3.8V3.4M1.8-1.4L-1.9 1.7M-.5.6L2.1 3.4",
        'l' => "M0-3.8V3.4",
        'm' => "M-3.2-1.4V3.4M-3.2.6A1.6 2 0 0 1 0 .6V3.4M0 .6A1.6 2 0 0 1 3.2 .6V3.4",
        'n' => "M-2-1.4V3.4M-2 1A2 2.4 0 0 1 2 1V3.4",
        'o' => "M0-1.4A2.2 2.4 0 1 0 0 3.4A2.2 2.4 0 1 0 0-1.4",
        'p' => "M-2.1-1.4V5.3M-2.1 1A2.1 2.4 0 1 1 2.1 1A2.1 2.4 0 1 1-2.1 1",
        'q' => "M2.1-1.4V5.3M2.1 1A2.1 2.4 0 1 1-2.1 1A2.1 2.4 0 1 1 2.1 1",
        'r' => "M-1.4-1.4V3.4M-1.4 1A2.6 2.4 0 0 1 1.7-1.3",
        's' => "M1.7-.6C1.2-1.7-1.7-1.8-1.7-.2C-1.7 1.5 1.8.5 1.8 2.2C1.8 3.9-1.5 3.7-1.9 2.4",
        't' => "M-.6-3.2V1.9A1.5 1.5 0 0 0 .9 3.4H1.6M-1.9-1.4H1.5",
        'u' => "M-2-1.4V1A2 2.4 0 0 0 2 1V-1.4M2 1V3.4",
        'v' => "M-2-1.4L0 3.4L2-1.4",
        'w' => "M-2.4-1.4L-1.2 3.4L0-.6L1.2 3.4L2.4-1.4",
        'x' => "M-1.9-1.4L1.9 3.4M1.9-1.4L-1.9 3.4",
        'y' => "M-2-1.4L0 3.2M2-1.4L-.6 4.6A1.2 1.2 0 0 1-1.7 5.3",
        'z' => "M-1.8-1.4H1.8L-1.8 3.4H1.8",
        _ => capital(letter),
    }
}

fn capital(letter: char) -> &'static str {
    match letter {
        'A' => "M-2.3 3.4L0-3.7L2.3 3.4M-1.5 1.1H1.5",
        'B' => "M-1.9-3.6V3.4H.3A1.8 1.8 0 0 0 .3-.2H-1.9M.3-.2A1.7 1.7 0 0 0 .3-3.6H-1.9",
        'C' => "M2-2.4A2.2 3.5 0 1 0 2 2.2",
        'D' => "M-1.9-3.6V3.4H-.4A2.4 3.5 0 0 0-.4-3.6Z",
        'E' => "M1.9-3.6H-1.8V3.4H1.9M-1.8-.2H1.3",
        'F' => "M1.9-3.6H-1.8V3.4M-1.8-.2H1.3",
        'G' => "M2-2.4A2.2 3.5 0 1 0 2.1 2V.2H.4",
        'H' => "M-2-3.6V3.4M2-3.6V3.4M-2-.2H2",
        'I' => "M0-3.6V3.4M-1.2-3.6H1.2M-1.2 3.4H1.2",
        'J' => "M1.4-3.6V1.5A1.7 1.9 0 0 1-2 1.5",
        'K' => "M-1.9-3.6V3.4M1.9-3.6L-1.9 .6M-.5-.9L2 3.4",
        'L' => "M-1.7-3.6V3.4H2",
        'M' => "M-2.3 3.4V-3.6L0 .6L2.3-3.6V3.4",
        'N' => "M-2 3.4V-3.6L2 3.4V-3.6",
        'O' => "M0-3.6A2.2 3.5 0 1 0 0 3.4A2.2 3.5 0 1 0 0-3.6",
        'P' => "M-1.9 3.4V-3.6H.2A1.95 1.95 0 0 1 .2 .3H-1.9",
        'Q' => "M0-3.6A2.2 3.5 0 1 0 0 3.4A2.2 3.5 0 1 0 0-3.6M.5 1.6L2.3 3.8",
        'R' => "M-1.9 3.4V-3.6H.2A1.95 1.95 0 0 1 .2 .3H-1.9M.1 .3L2 3.4",
        'S' => "M1.8-2.5C1.2-4-1.9-4.1-1.9-1.9C-1.9 .4 2-.5 2 1.7C2 4-1.5 3.9-2 2",
        'T' => "M-2.2-3.6H2.2M0-3.6V3.4",
        'U' => "M-2-3.6V1.2A2 2.2 0 0 0 2 1.2V-3.6",
        'V' => "M-2.2-3.6L0 3.4L2.2-3.6",
        'W' => "M-2.5-3.6L-1.3 3.4L0-1.6L1.3 3.4L2.5-3.6",
        'X' => "M-2-3.6L2 3.4M2-3.6L-2 3.4",
        'Y' => "M-2.2-3.6L0-.2L2.2-3.6M0-.2V3.4",
        'Z' => "M-2-3.6H2L-2 3.4H2",
        _ => sign(letter),
    }
}

fn sign(letter: char) -> &'static str {
    match letter {
        '.' => "M0 3.2V3.3",
        ',' => "M.2 3V3.4L-.5 4.8",
        ':' => "M0-.8V-.7M0 3.2V3.3",
        ';' => "M0-.8V-.7M.2 3V3.4L-.5 4.8",
        '-' => "M-1.5 .2H1.5",
        '–' | '−' => "M-2.1 .2H2.1",
        '_' => "M-2.3 4.6H2.3",
        '+' => "M-1.9 .2H1.9M0-1.7V2.1",
        '=' => "M-1.8-.7H1.8M-1.8 1.2H1.8",
        '/' => "M-1.9 4.2L1.9-4.2",
        '\\' => "M-1.9-4.2L1.9 4.2",
        '(' => "M1.1-4.2A4.6 5.6 0 0 0 1.1 4.4",
        ')' => "M-1.1-4.2A4.6 5.6 0 0 1-1.1 4.4",
        '[' => "M1-4.2H-.8V4.4H1",
        ']' => "M-1-4.2H.8V4.4H-1",
        '{' => "M1.2-4.2C-.6-4.2 .6-.2-1 .1C.6 .4-.6 4.4 1.2 4.4",
        '}' => "M-1.2-4.2C.6-4.2-.6-.2 1 .1C-.6 .4 .6 4.4-1.2 4.4",
        '<' => "M1.8-1.9L-1.8 .2L1.8 2.3",
        '>' => "M-1.8-1.9L1.8 .2L-1.8 2.3",
        '!' => "M0-3.7V1.2M0 3.2V3.3",
        '?' => "M-1.7-2.4A1.8 1.7 0 1 1 .6-.5C.1-.1 0 .2 0 1.2M0 3.2V3.3",
        '\'' => "M0-3.8V-2.2",
        '"' => "M-.8-3.8V-2.2M.8-3.8V-2.2",
        '`' => "M-.7-3.8L.4-2.4",
        '#' => "M-.5-3.4L-1.3 3.2M1.3-3.4L.5 3.2M-2-1.2H2.2M-2.2 1.2H2",
        '%' => {
            "M1.9-3.6L-1.9 3.4M-1.4-3.4A.9 .9 0 1 0-1.4-1.6A.9 .9 0 1 0-1.4-3.4M1.4 1.4A.9 .9 0 1 0 1.4 3.2A.9 .9 0 1 0 1.4 1.4"
        }
        '&' => "M2.2 3.4L-1.2-1.7C-2.2-3.4 .9-4.6 1-2.4C1-.9-2.2-.5-2.2 1.6C-2.2 4.2 1.4 3.8 2 .6",
        '*' => "M0-3.4V-.2M-1.4-2.7L1.4-.9M1.4-2.7L-1.4-.9",
        '@' => "M1.1 1.2A1.2 1.4 0 1 1 1.1-.6V1.1C1.2 2 2.5 1.6 2.5-.1A2.5 3.3 0 1 0 1 3.3",
        '$' => "M1.8-2.5C1.2-4-1.9-4.1-1.9-1.9C-1.9 .4 2-.5 2 1.7C2 4-1.5 3.9-2 2M0-4.4V4.2",
        '^' => "M-1.6-1.6L0-3.7L1.6-1.6",
        '|' => "M0-4.2V4.4",
        '~' => "M-2 .8C-1.6-1 0-.6 .2 .2C.6 1.3 1.7 1.2 2-.4",
        '…' => "M-1.9 3.2V3.3M0 3.2V3.3M1.9 3.2V3.3",
        '·' => "M0 .1V.2",
        _ => "M-1.8-3.4H1.8V3.4H-1.8Z",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_character_of_ascii_has_strokes_of_its_own() {
        let letters: Vec<char> = ('!'..='~').chain(['–', '…', '·', 'ж']).collect();
        let mut seen = std::collections::BTreeSet::new();
        for letter in letters {
            assert!(glyph(letter).starts_with('M') && seen.insert(glyph(letter)), "{letter}");
        }
        let options = [("size", "19")];
        let setup = rules::find("faust").expect("a game").setup(&options).expect("a size");
        let drawing = crate::Drawing::of(&setup).expect("a drawing");
        let all = crate::background::coordinates(&drawing.layout);
        assert!(all.iter().flat_map(|one| one.name.chars()).all(|letter| !glyph(letter).is_empty()));
        assert_eq!(strokes(&all).matches("<path ").count(), 19 + 9 + 2 * 10);
    }
}
