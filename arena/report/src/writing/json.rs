//! Writing JSON that a terminal may show.

use protocol::printable;
use serde::Serialize;

/// Returns one JSON value and a line feed. What a terminal would act on is written as JSON's own escapes.
pub(crate) fn document(value: &impl Serialize) -> String {
    let text = serde_json::to_string(value).expect("strings and numbers can be written as JSON");
    escaped(&text) + "\n"
}

/// Writes control, bidirectional and invisible characters, which stand in strings only, as `\u` escapes.
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
