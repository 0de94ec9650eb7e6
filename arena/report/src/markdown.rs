//! Text within Markdown.

/// Escapes what Markdown or HTML would take for more than text. The text is printable.
pub(crate) fn safe(text: &str) -> String {
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
