//! Words of movetext, arranged in lines.

/// Lines of movetext are shorter than this many characters.
pub(super) const WIDTH: usize = 80;

/// How many bytes are appended at a time, to be replaced by words.
const ROOM: usize = 1 << 10;

/// Words arranged in lines. What is added to a word is nearly always of a length known when this is compiled, and there is room
/// for it already: then it takes a few instructions.
pub(super) struct Lines<'o> {
    /// The text, and zeros behind it.
    out: &'o mut Vec<u8>,
    /// Where the text ends.
    end: usize,
    /// The length of the last line in characters, without the last word while it is written.
    column: usize,
    /// Where the last word begins.
    start: usize,
    /// The length of the last word in characters.
    last: usize,
    /// The position of the space before the last word, if there is one.
    gap: Option<usize>,
}

impl<'o> Lines<'o> {
    /// Begins at the end of a text.
    pub(super) const fn at_end_of(out: &'o mut Vec<u8>) -> Self {
        let end = out.len();
        Self { out, end, column: 0, start: end, last: 0, gap: None }
    }

    /// Begins a word.
    #[inline(always)]
    pub(super) fn begin(&mut self) {
        self.gap = (self.column > 0).then_some(self.end);
        if self.gap.is_some() {
            self.add(b" ");
            self.column += 1;
        }
        (self.start, self.last) = (self.end, 0);
    }

    /// Adds bytes to the last word.
    #[inline(always)]
    pub(super) fn add<const N: usize>(&mut self, bytes: &[u8; N]) {
        match self.out.get_mut(self.end..).and_then(<[u8]>::first_chunk_mut) {
            Some(place) => {
                *place = *bytes;
                self.end += N;
            }
            None => self.grow(bytes),
        }
    }

    /// Adds bytes of any number to the last word.
    #[inline]
    pub(super) fn extend(&mut self, bytes: &[u8]) {
        match self.out.get_mut(self.end..).and_then(|rest| rest.get_mut(..bytes.len())) {
            Some(place) => {
                place.copy_from_slice(bytes);
                self.end += bytes.len();
            }
            None => self.grow(bytes),
        }
    }

    /// Adds bytes for which there is no room yet.
    #[cold]
    fn grow(&mut self, bytes: &[u8]) {
        self.out.truncate(self.end);
        self.out.extend_from_slice(bytes);
        self.end = self.out.len();
        self.out.resize(self.end + ROOM, 0);
    }

    /// Adds a number to the last word.
    #[inline(always)]
    pub(super) fn decimal(&mut self, number: u64) {
        match number {
            0..10 => self.add(&[b'0' + number as u8]),
            10..100 => self.add(&[b'0' + (number / 10) as u8, b'0' + (number % 10) as u8]),
            _ => self.extend(itoa::Buffer::new().format(number).as_bytes()),
        }
    }

    /// Ends a word of ASCII, and moves it to a line of its own if it does not fit.
    #[inline(always)]
    pub(super) fn end(&mut self) {
        self.end_of(self.end - self.start);
    }

    /// Ends what was added to a word, so many characters, and moves the word to a line of its own if it does not fit.
    #[inline(always)]
    pub(super) fn end_of(&mut self, characters: usize) {
        self.last += characters;
        self.column += characters;
        if self.column >= WIDTH
            && let Some(gap) = self.gap.take()
        {
            self.out[gap] = b'\n';
            self.column = self.last;
        }
    }

    /// Appends a word of ASCII.
    #[inline(always)]
    pub(super) fn word(&mut self, word: &str) {
        self.begin();
        self.extend(word.as_bytes());
        self.end();
    }

    /// Returns the text, which ends with the last word.
    pub(super) fn finish(self) -> &'o mut Vec<u8> {
        self.out.truncate(self.end);
        self.out
    }
}
