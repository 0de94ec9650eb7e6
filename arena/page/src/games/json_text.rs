//! Lists in JSON, written as text at once: of a million games, values would take half a gigabyte and most of the time.

/// Adds a comma, unless a list has just begun.
#[inline]
pub(super) fn separate(out: &mut String) {
    if out.as_bytes().last() != Some(&b'[') {
        out.push(',');
    }
}

/// A list while it is written.
pub(super) struct Values<'o> {
    out: &'o mut String,
    /// Where the last value ends that says something: not empty, zero or unknown.
    known: usize,
}

impl<'o> Values<'o> {
    /// Begins a list.
    #[inline]
    pub(super) fn begin(out: &'o mut String) -> Self {
        out.push('[');
        Self { known: out.len(), out }
    }

    /// Adds a number.
    #[inline]
    pub(super) fn number<N: itoa::Integer>(&mut self, number: N) {
        separate(self.out);
        let mut digits = itoa::Buffer::new();
        let digits = digits.format(number);
        self.out.push_str(digits);
        self.mark(digits != "0");
    }

    /// Adds a number, or `null`.
    pub(super) fn optional<N: itoa::Integer>(&mut self, number: Option<N>) {
        match number {
            Some(number) => self.number(number),
            None => self.json("null"),
        }
    }

    /// Adds a text.
    #[inline]
    pub(super) fn text(&mut self, text: &str) {
        separate(self.out);
        if text.bytes().any(|byte| matches!(byte, b'"' | b'\\' | ..b' ')) {
            self.out.push_str(&serde_json::Value::from(text).to_string());
        } else {
            self.out.push('"');
            self.out.push_str(text);
            self.out.push('"');
        }
        self.mark(!text.is_empty());
    }

    /// Adds a value that is JSON.
    #[inline]
    pub(super) fn json(&mut self, json: &str) {
        separate(self.out);
        self.out.push_str(json);
        self.mark(json != "null");
    }

    /// Ends the list.
    pub(super) fn end(self) {
        self.out.push(']');
    }

    /// Ends the list behind its last value that says something.
    pub(super) fn end_known(self) {
        self.out.truncate(self.known);
        self.out.push(']');
    }

    fn mark(&mut self, is_known: bool) {
        if is_known {
            self.known = self.out.len();
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn check(values: impl Fn(&mut Values<'_>), whole: &Value, known: &Value) {
        let mut text = String::new();
        for is_whole in [true, false] {
            let mut list = Values::begin(&mut text);
            values(&mut list);
            if is_whole { list.end() } else { list.end_known() }
        }
        assert_eq!(text, format!("{whole}{known}"));
    }

    #[test]
    fn lists_are_written_as_values_are() {
        check(|_| {}, &json!([]), &json!([]));
        let all = |list: &mut Values<'_>| {
            list.text("");
            list.text("a\"\\\n\u{e9}[");
            list.optional(Some(-7_i64));
            list.optional(None::<u64>);
            list.number(0_u8);
            list.json("[]");
            list.json("null");
            list.number(0_u64);
            list.text("");
        };
        let known = json!(["", "a\"\\\n\u{e9}[", -7, null, 0, []]);
        check(all, &json!(["", "a\"\\\n\u{e9}[", -7, null, 0, [], null, 0, ""]), &known);
        check(|list| list.number(0_u8), &json!([0]), &json!([]));
    }
}
