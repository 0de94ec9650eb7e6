//! The capabilities of the reader's terminal.

use protocol::printable_capped;

/// The end of a text that was cut.
const CUT: char = '\u{2026}';

/// How text is laid out for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The columns of the terminal. Tables leave out what does not fit.
    pub width: usize,
    /// Whether colours and bold letters are allowed. They only repeat what the text says.
    pub color: bool,
    /// Whether only ASCII characters are allowed. Names stay as they are.
    pub ascii: bool,
}

impl Look {
    /// Returns the look of plain text with this width.
    #[must_use]
    pub const fn plain(width: usize) -> Self {
        Self { width, color: false, ascii: false }
    }

    /// Returns the first text if the terminal can show any character, otherwise the second.
    pub(crate) const fn choose<'a>(&self, rich: &'a str, ascii: &'a str) -> &'a str {
        if self.ascii { ascii } else { rich }
    }

    /// Returns a text of any origin, safe to print and cut to this many characters.
    pub(crate) fn shortened(&self, text: &str, most: usize) -> String {
        let mut shown = printable_capped(text, most);
        if self.ascii && shown.ends_with(CUT) {
            shown.pop();
            shown.push('~');
        }
        shown
    }
}
