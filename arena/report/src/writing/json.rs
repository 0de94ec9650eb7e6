//! JSON that is safe to show on a terminal.

use protocol::printable;
use serde::Serialize;

/// Returns one JSON value and a line feed. Characters that could control a terminal are written as JSON escapes.
pub(crate) fn document(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("strings and numbers can be written as JSON");
    escaped(&text) + "\n"
}

/// Writes control, bidirectional and invisible characters, which occur only in strings, as `\u` escapes.
fn escaped(json: &str) -> String {
    let mut text = String::with_capacity(json.len());
    let mut bytes = [0; 4];
    let mut units = [0; 2];
    for c in json.chars() {
        let shown: &str = c.encode_utf8(&mut bytes);
        if c.is_ascii_graphic() || c == ' ' || printable(shown) == *shown {
            text.push(c);
        } else {
            for unit in c.encode_utf16(&mut units) {
                text.push_str(&format!("\\u{unit:04x}"));
            }
        }
    }
    text
}
