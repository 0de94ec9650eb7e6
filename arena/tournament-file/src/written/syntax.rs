//! Why a text is not YAML, in words that say what to change.
//!
//! Parsers name the place where they could not continue and what they looked for; the mistake is often before it. Brackets
//! and indentation are looked at again here to find it.

use std::ops::Range;

use diagnostic::{Diagnostic, Place};

/// Why a text is not YAML.
#[derive(Debug)]
pub(crate) struct SyntaxError {
    /// What is wrong.
    pub message: String,
    /// Where.
    pub bytes: Range<usize>,
    /// What usually helps.
    pub hint: Option<String>,
}

/// What the parser says of a key that a map has already.
const DUPLICATE: &str = "duplicated key";

/// The most repeated keys that are looked for.
const MOST_DUPLICATES: usize = 20;

impl SyntaxError {
    /// Returns an error for which there is no advice.
    pub(crate) const fn new(message: String, bytes: Range<usize>) -> Self {
        Self { message, bytes, hint: None }
    }

    /// Returns the error of which a parser says `message` at this byte of a text.
    pub(crate) fn explained(message: &str, text: &str, at: usize) -> Self {
        let here = Here::new(text, at);
        if message.contains(DUPLICATE) {
            let line = &text[first_line(text, at..text.len())];
            let key = line.split(':').next().unwrap_or(line).trim();
            return Self {
                message: format!("key `{key}` is given twice"),
                bytes: at..at + key.len(),
                hint: Some("each key stands once in a map".to_owned()),
            };
        }
        if let Some(error) =
            here.bracket().or_else(|| here.line_before()).or_else(|| here.indentation(message))
        {
            return error;
        }
        Self {
            message: format!("this is not YAML: {message}"),
            bytes: first_line(text, at..text.len()),
            hint: advice(message).map(str::to_owned),
        }
    }

    /// Returns what is shown.
    pub(crate) fn into_diagnostic(self, place: impl FnOnce(Range<usize>) -> Place) -> Diagnostic {
        let diagnostic = Diagnostic::new(self.message).at(place(self.bytes));
        match self.hint {
            Some(hint) => diagnostic.hint(hint),
            None => diagnostic,
        }
    }

    /// Returns whether a key is there twice and nothing else is wrong.
    pub(crate) fn is_duplicate(&self) -> bool {
        self.message.ends_with("is given twice")
    }
}

/// Returns the text with blanks instead of each pair whose key its map has already, and these errors: what else is
/// wrong is found then too. `check` reads a text.
pub(crate) fn without_duplicates(
    text: &str,
    check: impl Fn(&str) -> Result<(), SyntaxError>,
) -> (String, Vec<SyntaxError>) {
    let mut text = text.to_owned();
    let mut errors = Vec::new();
    while errors.len() < MOST_DUPLICATES
        && let Err(error) = check(&text)
        && error.is_duplicate()
    {
        let pair = pair_at(&text, error.bytes.start);
        if pair.is_empty() {
            break;
        }
        let blank: String = text[pair.clone()]
            .chars()
            .flat_map(|letter| {
                std::iter::repeat_n(if letter == '\n' { '\n' } else { ' ' }, letter.len_utf8())
            })
            .collect();
        text.replace_range(pair, &blank);
        errors.push(error);
    }
    (text, errors)
}

/// Returns the bytes of the pair whose key begins at this byte.
fn pair_at(text: &str, start: usize) -> Range<usize> {
    let open = open_brackets(&text[..start]);
    if open.is_empty() {
        // In a block, what belongs to the key is indented more, or is the list below it.
        let column = start - line_start(text, start);
        let mut end = start;
        for (number, line) in text[start..].split_inclusive('\n').enumerate() {
            let indent = line.len() - line.trim_start_matches(' ').len();
            let is_below = line.trim().is_empty()
                || indent > column
                || (indent == column && line[indent..].starts_with("- "));
            if number > 0 && !is_below {
                break;
            }
            end += line.len();
        }
        return start..end;
    }
    let mut depth = 0_usize;
    for (at, letter) in text[start..].char_indices() {
        match letter {
            '[' | '{' => depth += 1,
            ']' | '}' if depth == 0 => return start..start + at,
            ']' | '}' => depth -= 1,
            ',' if depth == 0 => return start..start + at + 1,
            _ => {}
        }
    }
    start..text.len()
}

/// A place where a parser could not continue.
struct Here<'a> {
    text: &'a str,
    at: usize,
    /// The line of the place.
    line: &'a str,
    /// Where the line begins.
    start: usize,
    /// Where the last line before it with something on it begins and ends.
    before: Range<usize>,
}

impl<'a> Here<'a> {
    fn new(text: &'a str, at: usize) -> Self {
        let at = (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
        let start = line_start(text, at);
        let above = text[..start].trim_end();
        let before = line_start(text, above.len())..above.len();
        let line = text[start..].split('\n').next().unwrap_or_default();
        Self { text, at, line, start, before }
    }

    /// Finds a bracket that is closed by another one or not at all, and a comma that is missing between brackets.
    fn bracket(&self) -> Option<SyntaxError> {
        let (opened, bracket) = open_brackets(&self.text[..self.at]).pop()?;
        let closing = if bracket == '[' { ']' } else { '}' };
        let rest = &self.text[self.at..];
        let is_other = rest.starts_with([']', '}']) && !rest.starts_with(closing);
        // A key without indentation belongs to the file itself.
        let is_top = self.start > opened && self.line.starts_with(char::is_alphanumeric);
        if is_other || is_top || rest.trim().is_empty() {
            return Some(SyntaxError {
                message: format!("the bracket `{bracket}` is not closed"),
                bytes: opened..opened + 1,
                hint: Some(format!("its `{closing}` is missing, or another bracket stands instead")),
            });
        }
        // `{name: a builtin: random}`: the parser stops at the second colon.
        let inside = self.text[opened + 1..self.at].rsplit([',', '[', '{']).next().unwrap_or_default();
        let (word, is_pair) = match rest.chars().next()? {
            ':' if inside.contains(": ") => (inside.split_whitespace().next_back()?, true),
            '"' | '\'' if !inside.trim().is_empty() => (rest.split([',', ']', '}']).next()?.trim(), false),
            ',' if inside.trim().is_empty() => {
                return Some(SyntaxError {
                    message: "nothing stands before this comma".to_owned(),
                    bytes: self.at..self.at + 1,
                    hint: Some("remove the comma, or write what is missing".to_owned()),
                });
            }
            _ => return None,
        };
        let start = if is_pair { self.at - word.len() } else { self.at };
        Some(SyntaxError {
            message: format!("a comma is missing before `{word}`"),
            bytes: start..start + word.len(),
            hint: Some(format!(
                "commas stand between what is in brackets: `{}`",
                if is_pair { "{name: mine, builtin: random}" } else { "[python3, mine.py]" }
            )),
        })
    }

    /// Finds a line without its colon, or without the blank after its colon or hyphen, at which a parser does not stop.
    fn line_before(&self) -> Option<SyntaxError> {
        let line = &self.text[self.before.clone()];
        let (content, indent) = content(line);
        let is_here_a_key =
            self.line[..self.at - self.start].trim_start_matches([' ', '-']).split(' ').count() == 1;
        if !is_here_a_key || content.starts_with(['#', '"', '\'', '[', '{', '|', '>']) {
            return None;
        }
        let bytes = self.before.start + indent..self.before.end;
        if let Some(word) = content.strip_prefix('-').filter(|word| word.starts_with(char::is_alphabetic)) {
            return Some(SyntaxError {
                message: "a blank is missing after `-`".to_owned(),
                bytes,
                hint: Some(format!("an item of a list is written `- {word}`")),
            });
        }
        let is_word = |key: &str| {
            !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || "-_".contains(letter))
        };
        let has_colon = content.contains(": ") || content.ends_with(':');
        let (key, value) = match content.split_once(':') {
            _ if has_colon => return None,
            Some(pair) => pair,
            None => content.split_once(' ')?,
        };
        is_word(key).then(|| SyntaxError {
            message: match content.contains(':') {
                true => "a blank is missing after the colon".to_owned(),
                false => "a colon is missing".to_owned(),
            },
            bytes,
            hint: Some(format!("a key is followed by a colon and a blank: `{key}: {}`", value.trim())),
        })
    }

    /// Finds a line that is indented like none above it.
    fn indentation(&self, message: &str) -> Option<SyntaxError> {
        const SIGNS: [&str; 4] = ["block collection", "block mapping", "mapping values", "indentation"];
        let is_tab = self.line.trim_start_matches(' ').starts_with('\t');
        if is_tab || !SIGNS.iter().any(|sign| message.contains(sign)) || self.before.is_empty() {
            return None;
        }
        let key = self.line.trim_start().trim_start_matches("- ").split(':').next()?;
        // A second `: ` on a line is a matter of quotes.
        if self.line[..self.at - self.start].contains(": ") {
            return None;
        }
        let indent = self.line.len() - self.line.trim_start_matches(' ').len();
        let is_item = self.line[indent..].starts_with("- ");
        let above = &self.text[self.before.clone()];
        let hyphen = above.len() - above.trim_start_matches(' ').len();
        let (content, column) = content(above);
        let wanted = if is_item && content.len() < above.trim_start().len() { hyphen } else { column };
        if wanted == indent {
            return None;
        }
        let what = if is_item { "items of one list" } else { "keys of one map" };
        let neighbour = content.split(':').next().unwrap_or(content);
        let how = match wanted {
            0 => "no blanks".to_owned(),
            1 => "1 blank".to_owned(),
            _ => format!("{wanted} blanks"),
        };
        let whom = if is_item { "the `-` above".to_owned() } else { format!("`{neighbour}` above") };
        // No key continues an item in brackets: this one belongs to what holds the list.
        let is_after_brackets = !is_item && content.starts_with(['{', '[']);
        Some(SyntaxError {
            message: "the indentation of this line fits no line above".to_owned(),
            bytes: first_line(self.text, self.start + indent..self.text.len()),
            hint: Some(if is_after_brackets {
                format!("a key of the whole file begins in the first column: no blanks before `{key}`")
            } else {
                let key = if is_item { "-" } else { key };
                format!("{what} begin in the same column: {how} before `{key}`, as for {whom}")
            }),
        })
    }
}

/// Returns what stands on a line after blanks and the hyphens of lists, and the column where it begins.
fn content(line: &str) -> (&str, usize) {
    let mut rest = line.trim_start_matches(' ');
    while let Some(item) = rest.strip_prefix("- ") {
        rest = item.trim_start_matches(' ');
    }
    (rest.trim_end(), line.len() - rest.len())
}

/// Returns the brackets of a text that are not closed, with their bytes; those in quotes and comments do not count.
fn open_brackets(text: &str) -> Vec<(usize, char)> {
    let mut open = Vec::new();
    let mut quote = None;
    let mut last = '\n';
    let mut is_comment = false;
    for (at, letter) in text.char_indices() {
        match (quote, letter) {
            (_, '\n') => is_comment = false,
            _ if is_comment => {}
            (Some(mark), _) if letter == mark && (mark == '\'' || last != '\\') => quote = None,
            (Some(_), _) => {}
            // A quote begins a text; within one it is a letter.
            (None, '"' | '\'') if last.is_whitespace() || "[{,:".contains(last) => quote = Some(letter),
            (None, '#') if last.is_whitespace() => is_comment = true,
            // A bracket begins a value; within a text it is a letter, unless other brackets are open.
            (None, '[' | '{') if !open.is_empty() || last.is_whitespace() => open.push((at, letter)),
            (None, ']' | '}') => drop(open.pop()),
            (None, _) => {}
        }
        last = letter;
    }
    open
}

/// Returns what usually helps, by what the parser says.
fn advice(message: &str) -> Option<&'static str> {
    const TABS: &str = "YAML is indented with blanks, never with tabs";
    const KEYS: &str = "a key is followed by `: `, keys that belong together have the same indentation, and a text with `: ` in it needs quotes";
    const BRACKET: &str = "look for a bracket that is not closed";
    let advice = [
        ("within each other", "a tournament or an entry needs six at most"),
        ("tabs", TABS),
        ("found a tab", TABS),
        ("cannot start any token", TABS),
        ("mapping values are not allowed", KEYS),
        ("simple key expect", KEYS),
        ("block mapping", KEYS),
        ("block collection", "items of one list begin with `-` in the same column"),
        ("unexpected character", "a text that begins with this character needs quotes"),
        ("unknown anchor", "a text that begins with `*` needs quotes"),
        ("quoted scalar", "look for a quote that is not closed"),
        ("':'", BRACKET),
        ("',' or", BRACKET),
        ("bracket", BRACKET),
    ];
    advice.iter().find(|(part, _)| message.contains(part)).map(|(_, hint)| *hint)
}

/// Returns where the line of a byte begins.
fn line_start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |newline| newline + 1)
}

/// Returns the part of a range on its first line, without blanks at the end.
pub(crate) fn first_line(text: &str, bytes: Range<usize>) -> Range<usize> {
    let part = text.get(bytes.clone()).unwrap_or_default();
    let line = part.split('\n').next().unwrap_or_default().trim_end();
    bytes.start..bytes.start + line.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::written::source::Source;

    /// Asserts what is said of a text, of which part, and with which hint.
    fn check(text: &str, message: &str, part: &str, hint: &str) {
        let error = Source::new(text).expect_err(text);
        let told = (error.message.as_str(), &text[error.bytes.clone()]);
        assert_eq!(told, (message, part), "{text}");
        assert!(error.hint.as_deref().unwrap_or_default().contains(hint), "{text}: {:?}", error.hint);
    }

    #[test]
    fn missing_commas_and_brackets_are_found() {
        const COMMAS: &str = "commas stand between";
        check("bots: [{name: a builtin: random}]", "a comma is missing before `builtin`", "builtin", COMMAS);
        check("bots: [\n  {name: a,\n   builtin: x tc: 1}]", "a comma is missing before `tc`", "tc", COMMAS);
        check("cmd: [\"a\" \"b\"]", "a comma is missing before `\"b\"`", "\"b\"", COMMAS);
        check("a: [x,, y]", "nothing stands before this comma", ",", "remove the comma");
        check("bots: [{name: a, builtin: b]", "the bracket `{` is not closed", "{", "its `}` is missing");
        check(
            "games: [farook, sophia\nbots: [a]",
            "the bracket `[` is not closed",
            "[",
            "its `]` is missing",
        );
        check("games: [farook", "the bracket `[` is not closed", "[", "its `]` is missing");
    }

    #[test]
    fn wrong_indentation_says_how_much_is_right() {
        const MESSAGE: &str = "the indentation of this line fits no line above";
        check(
            "bots:\n  - name: a\n   builtin: b\n",
            MESSAGE,
            "builtin: b",
            "4 blanks before `builtin`, as for `name` above",
        );
        check("bots:\n  - name: a\n  builtin: b\n", MESSAGE, "builtin: b", "4 blanks before `builtin`");
        check("bots:\n- name: a\n  tc: 1\n - name: b\n", MESSAGE, "- name: b", "before `-`");
        check("name: a\n  tc: 1\n", MESSAGE, "tc: 1", "no blanks before `tc`, as for `name` above");
        let after_an_item = "bots:\n  - {builtin: greedy}\n  tc: 1\n";
        check(after_an_item, MESSAGE, "tc: 1", "begins in the first column: no blanks before `tc`");
    }

    #[test]
    fn missing_colons_and_blanks_are_found_on_the_line_before() {
        check("rounds 10\ntc: 1\n", "a colon is missing", "rounds 10", "`rounds: 10`");
        check("rounds:10\ntc: 1\n", "a blank is missing after the colon", "rounds:10", "`rounds: 10`");
        check("bots:\n  -name: a\n   tc: 1\n", "a blank is missing after `-`", "-name: a", "`- name: a`");
    }

    #[test]
    fn what_is_not_understood_is_told_in_the_words_of_the_parser() {
        check(
            "name: a: b",
            "this is not YAML: mapping values are not allowed in this context",
            ": b",
            "needs quotes",
        );
        check(
            "a:\n\t- b",
            "this is not YAML: tabs disallowed within this context (block indentation)",
            "- b",
            "never with tabs",
        );
    }

    #[test]
    fn repeated_keys_do_not_hide_what_else_is_wrong() {
        let text = "a: 1\nb: {é: 1, é: [2, 3], d: 4}\na:\n  - 5\nc: 6\n";
        let (rest, errors) = without_duplicates(text, |text| Source::new(text).map(drop));
        let told: Vec<_> = errors.iter().map(|error| (&*error.message, error.bytes.start)).collect();
        assert_eq!(told, [("key `é` is given twice", 16), ("key `a` is given twice", 34)]);
        assert_eq!(rest.len(), text.len());
        assert_eq!(rest.split_whitespace().collect::<Vec<_>>().join(" "), "a: 1 b: {é: 1, d: 4} c: 6");
    }

    proptest::proptest! {
        #[test]
        fn every_text_is_explained(text in "([a-zé]{1,2}|: |:|- |\\[|\\{|\\]|\\}|, |,|\n|\n  |\"|'|#|\t| ){0,24}") {
            if let Err(error) = Source::new(&text) {
                proptest::prop_assert!(text.get(error.bytes).is_some());
            }
            let (rest, _) = without_duplicates(&text, |text| Source::new(text).map(drop));
            proptest::prop_assert_eq!(rest.len(), text.len());
        }
    }
}
