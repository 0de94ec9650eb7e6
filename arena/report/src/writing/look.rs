//! What the reader's terminal can show.

use protocol::printable_capped;

/// What ends a text that was cut.
const CUT: char = '\u{2026}';

/// How text is laid out for a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// The columns of the terminal: tables leave out what does not fit.
    pub width: usize,
    /// Whether colours and bold letters may be used; they never say what the text does not.
    pub color: bool,
    /// Whether only ASCII characters may be used. Names stay as they are.
    pub ascii: bool,
}

impl Look {
    /// Plain text of this width.
    #[must_use]
    pub const fn plain(width: usize) -> Self {
        Self { width, color: false, ascii: false }
    }

    /// Returns the first of these where the terminal may show any character, otherwise the second.
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
