//! CSV that a spreadsheet can open safely.

use std::borrow::Cow;

use csv::{ByteRecord, Terminator, Writer, WriterBuilder};
use protocol::printable;

/// A CSV file: comma, quotes where needed, LF.
#[derive(Debug)]
pub struct Spreadsheet {
    writer: Writer<Vec<u8>>,
    /// The cells of the line that [`Self::end_row`] ends: a whole line is written several times as fast as its cells one by one.
    row: ByteRecord,
}

impl Spreadsheet {
    /// Creates a file with its first line.
    ///
    /// # Panics
    /// Never, because writing to memory cannot fail.
    #[must_use]
    pub fn new<T: AsRef<[u8]>>(header: &[T]) -> Self {
        let mut sheet = Self::continued();
        sheet.row(header);
        sheet
    }

    /// Creates a part of a file without the first line.
    pub(crate) fn continued() -> Self {
        Self { writer: writer(), row: ByteRecord::new() }
    }

    /// Adds a line.
    ///
    /// # Panics
    /// When the number of cells differs from that of the first line.
    pub fn row<T: AsRef<[u8]>>(&mut self, cells: &[T]) {
        self.writer
            .write_record(cells)
            .expect("rows are as long as the header, and writing to memory cannot fail");
    }

    /// Adds a cell to the line that [`Self::end_row`] ends.
    pub(crate) fn cell<T: AsRef<[u8]>>(&mut self, cell: T) {
        self.row.push_field(cell.as_ref());
    }

    /// Adds a cell with a number.
    pub(crate) fn number<N: itoa::Integer>(&mut self, number: N) {
        self.cell(itoa::Buffer::new().format(number));
    }

    /// Ends the line of the cells added last.
    pub(crate) fn end_row(&mut self) {
        let written = self.writer.write_byte_record(&self.row);
        written.expect("rows are as long as the header, and writing to memory cannot fail");
        self.row.clear();
    }

    /// Returns the length of the lines since the last [`Self::take`], in bytes.
    ///
    /// # Panics
    /// Never, because writing to memory cannot fail.
    pub(crate) fn length(&mut self) -> usize {
        self.writer.flush().expect("writing to memory cannot fail");
        self.writer.get_ref().len()
    }

    /// Returns the lines since the last call and forgets them.
    ///
    /// # Panics
    /// Never, because writing to memory cannot fail.
    pub fn take(&mut self) -> Vec<u8> {
        std::mem::replace(&mut self.writer, writer()).into_inner().expect("writing to memory cannot fail")
    }

    /// Returns the whole file.
    ///
    /// # Panics
    /// Never, because writing to memory cannot fail.
    #[must_use]
    pub fn into_bytes(self) -> Vec<u8> {
        self.writer.into_inner().expect("writing to memory cannot fail")
    }
}

fn writer() -> Writer<Vec<u8>> {
    WriterBuilder::new().terminator(Terminator::Any(b'\n')).from_writer(Vec::new())
}

/// Returns a cell for text of a user or a bot: control characters become visible escapes, and an apostrophe precedes text that
/// a spreadsheet would interpret as a formula.
#[must_use]
pub fn text(text: &str) -> String {
    safe(text).into_owned()
}

/// Returns what [`text`] returns.
pub(crate) fn safe(text: &str) -> Cow<'_, str> {
    // Nearly every text, and told by one look.
    let is_plain = text.bytes().fold(true, |is_plain, byte| is_plain & matches!(byte, b' '..=b'~'));
    if is_plain && text.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return Cow::Borrowed(text);
    }
    let shown = printable(text);
    let is_formula =
        shown.trim_start().starts_with(['=', '+', '-', '@', '\u{ff1d}', '\u{ff0b}', '\u{ff0d}', '\u{ff20}']);
    if is_formula { Cow::Owned(format!("'{shown}")) } else { shown }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(written: &str, expected: &str) {
        assert_eq!(text(written), expected);
    }

    #[test]
    fn formulas_are_defused() {
        check("=1+1", "'=1+1");
        check("+1", "'+1");
        check("-1", "'-1");
        check("@SUM(A1)", "'@SUM(A1)");
        check("  =1", "'  =1");
        check("\u{ff1d}1", "'\u{ff1d}1");
        check("a=1", "a=1");
    }

    #[test]
    fn control_characters_are_shown() {
        check("\t=1", "\\x09=1");
        check("\r\n=1", "\\x0d\\x0a=1");
        check("a\u{202e}b", "a\\u{202e}b");
    }

    #[test]
    fn cells_come_back_from_their_quotes() {
        let mut sheet = Spreadsheet::new(&["a", "b"]);
        sheet.row(&["x, \"y\"", "z"]);
        assert_eq!(String::from_utf8(sheet.into_bytes()).expect("text"), "a,b\n\"x, \"\"y\"\"\",z\n");
    }
}
