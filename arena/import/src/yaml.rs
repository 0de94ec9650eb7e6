//! Writing values of a tournament file.

/// Returns a text as a scalar of YAML, quoted where it could mean something else.
pub(crate) fn scalar(text: &str) -> String {
    let is_plain = text.starts_with(|c: char| c.is_ascii_alphabetic() || "./".contains(c))
        && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_./+".contains(c))
        && text.starts_with(|c: char| c != '.' || text.len() > 2)
        && !matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n" | ".nan" | ".inf"
        );
    if is_plain { text.to_owned() } else { quoted(text) }
}

/// Returns texts as a list on one line.
pub(crate) fn list<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let texts: Vec<_> = texts.into_iter().map(scalar).collect();
    format!("[{}]", texts.join(", "))
}

/// Returns a text in double quotes: strings of JSON are strings of YAML, but for what YAML does not let stand.
fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                quoted.push_str(&format!("\\u{:04x}", u32::from(c)));
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_could_mean_something_else_is_quoted() {
        for plain in ["new", "./engines/new-1.2", "/usr/bin/x_y"] {
            assert_eq!(scalar(plain), plain);
        }
        for (text, written) in [
            ("true", "\"true\""),
            ("16", "\"16\""),
            ("a: b", "\"a: b\""),
            ("", "\"\""),
            ("a\"\\\n", "\"a\\\"\\\\\\u000a\""),
            ("é #1", "\"é #1\""),
        ] {
            assert_eq!(scalar(text), written);
        }
        assert_eq!(list(["a", "-b", "c d"]), "[a, \"-b\", \"c d\"]");
    }
}
