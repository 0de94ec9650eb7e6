//! The last lines of a bot's standard error, fit to be shown.

use protocol::printable_capped;

/// How many lines are kept.
const LINES: usize = 100;

/// How many characters of a line are shown.
const SHOWN: usize = 500;

/// Returns the last lines that are not empty.
pub(crate) fn last_lines(bytes: &[u8]) -> Vec<String> {
    let lines =
        bytes.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii_end).filter(|line| !line.is_empty());
    let mut lines: Vec<_> = lines.rev().take(LINES).map(|line| printable_capped(line, SHOWN)).collect();
    lines.reverse();
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_shown_without_their_tricks() {
        assert_eq!(last_lines(b"one\r\n\n\x1b[2Jtwo"), ["one", r"\x1b[2Jtwo"]);
        let many: String = (0..300).map(|n| format!("{n}\n")).collect();
        let lines = last_lines(many.as_bytes());
        assert_eq!((lines.len(), lines[0].as_str()), (LINES, "200"));
    }
}
