//! Escaping for Markdown.

/// Returns each text after an empty line.
pub(crate) fn paragraphs(texts: &[String]) -> String {
    texts.iter().map(|text| format!("\n{}\n", safe(text))).collect()
}

/// Returns a list, after an empty line; nothing for no texts.
pub(crate) fn list(texts: &[String]) -> String {
    let items: String = texts.iter().map(|text| format!("* {}\n", safe(text))).collect();
    if items.is_empty() { items } else { format!("\n{items}") }
}

/// Adds a row of a table. The cells are escaped.
pub(crate) fn line(out: &mut String, cells: &[String]) {
    out.push_str(&format!("| {} |\n", cells.join(" | ")));
}

/// Escapes everything that Markdown or HTML would interpret. The text must be printable.
#[must_use]
pub fn safe(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '|' | '\\' | '`' | '*' | '_' | '[' | ']' | '~' | '#' | '!' => safe.extend(['\\', c]),
            _ => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_but_text_is_left() {
        assert_eq!(safe("a|b <i> `c` *d* [e](f) ~"), "a\\|b &lt;i&gt; \\`c\\` \\*d\\* \\[e\\](f) \\~");
        assert_eq!(list(&[]), "");
        assert_eq!(list(&["1".to_owned(), "2".to_owned()]), "\n* 1\n* 2\n");
    }
}
