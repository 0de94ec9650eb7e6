//! Splitting a command that is written as one line.

/// Splits a line into words at blanks. Single and double quotes keep blanks within a word; there are no escapes,
/// variables or wildcards. `None` when a quote is not closed.
pub fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in line.chars() {
        match quote {
            Some(open) if open == letter => quote = None,
            Some(_) => word.get_or_insert_default().push(letter),
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(letter),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, words: &[&str]) {
        assert_eq!(
            split(line).as_deref(),
            Some(words.iter().map(ToString::to_string).collect::<Vec<_>>().as_slice())
        );
    }

    #[test]
    fn a_line_is_split_at_blanks_outside_quotes() {
        check("python3 bot.py", &["python3", "bot.py"]);
        check("  a\t b\n", &["a", "b"]);
        check("'my bot' --name=\"x y\"", &["my bot", "--name=x y"]);
        check(r#"a '' "" b"#, &["a", "", "", "b"]);
        check(r#""it's" 'a "b"' c\d"#, &["it's", r#"a "b""#, r"c\d"]);
        check("", &[]);
    }

    #[test]
    fn an_open_quote_is_refused() {
        assert_eq!(split("a 'b"), None);
        assert_eq!(split("a \"b'"), None);
    }
}
