//! The tokens of PGN.

use crate::pgn::text::is_symbol;

/// A token.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token<'a> {
    /// `[`
    Open,
    /// `]`
    Close,
    /// A string in quotes, without its escapes.
    Text(String),
    /// A name, number, ply or result, also `--` and `*`.
    Symbol(&'a str),
    /// This many dots in a row.
    Dots(usize),
    /// The text in braces or after a semicolon.
    Comment(&'a str),
    /// `(`
    Begin,
    /// `)`
    End,
    /// An annotation of a ply: `$1`, `!`, `?!`.
    Glyph,
}

/// Splits a text into tokens.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    rest: &'a str,
    /// The number of the line on which the search for the next token begins.
    line: usize,
    is_line_start: bool,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { rest: text.strip_prefix('\u{feff}').unwrap_or(text), line: 1, is_line_start: true }
    }

    /// Returns the line reached so far.
    pub(super) const fn line(&self) -> usize {
        self.line
    }

    /// Returns the next token with the line that it begins on.
    pub(super) fn next(&mut self) -> Result<Option<(usize, Token<'a>)>, (usize, String)> {
        self.skip_blanks();
        let line = self.line;
        let Some(first) = self.rest.chars().next() else { return Ok(None) };
        let token = match first {
            '[' => self.single(Token::Open),
            ']' => self.single(Token::Close),
            '(' => self.single(Token::Begin),
            ')' => self.single(Token::End),
            '"' => self.text().map_err(|fault| (line, fault))?,
            '{' => {
                let fault = || (line, "a comment that is never closed".to_owned());
                let end = self.rest.find('}').ok_or_else(fault)?;
                Token::Comment(&self.take(end + 1)[1..end])
            }
            ';' => {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                Token::Comment(&self.take(end)[1..])
            }
            '.' => Token::Dots(self.take_while(|c| c == '.').len()),
            '*' => Token::Symbol(self.take(1)),
            '$' => {
                self.take(1);
                self.take_while(|c| c.is_ascii_digit());
                Token::Glyph
            }
            '!' | '?' => {
                self.take_while(|c| matches!(c, '!' | '?'));
                Token::Glyph
            }
            '-' if self.rest.starts_with("--") => Token::Symbol(self.take(2)),
            c if c.is_ascii_alphanumeric() => Token::Symbol(self.take_while(|c| is_symbol(c) || c == '/')),
            c => return Err((line, format!("unexpected `{}`", c.escape_default()))),
        };
        Ok(Some((line, token)))
    }

    /// Skips white space and the lines that begin with `%`.
    fn skip_blanks(&mut self) {
        while let Some(first) = self.rest.chars().next() {
            if first == '%' && self.is_line_start {
                let end = self.rest.find('\n').unwrap_or(self.rest.len());
                self.take(end);
            } else if first.is_whitespace() {
                self.take(first.len_utf8());
            } else {
                return;
            }
        }
    }

    /// Reads a string. A backslash escapes quotes and backslashes, and the string ends on its line.
    fn text(&mut self) -> Result<Token<'a>, String> {
        let mut text = String::new();
        let mut chars = self.rest.char_indices().skip(1);
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.take(at + 1);
                    return Ok(Token::Text(text));
                }
                '\n' => break,
                '\\' => match chars.next() {
                    Some((_, c @ ('"' | '\\'))) => text.push(c),
                    _ => return Err("a backslash that escapes neither a quote nor a backslash".to_owned()),
                },
                c => text.push(c),
            }
        }
        Err("a string that is not closed on its line".to_owned())
    }

    fn single(&mut self, token: Token<'a>) -> Token<'a> {
        self.take(1);
        token
    }

    fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let end = self.rest.find(|c| !accept(c)).unwrap_or(self.rest.len());
        self.take(end)
    }

    /// Consumes this many bytes and counts lines.
    fn take(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.line += taken.bytes().filter(|byte| *byte == b'\n').count();
        if let Some(last) = taken.bytes().last() {
            self.is_line_start = last == b'\n';
        }
        self.rest = rest;
        taken
    }
}
