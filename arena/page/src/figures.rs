//! How the pages write figures and text.

/// Returns a rating with its sign; nothing has none.
pub(crate) fn signed(elo: f64) -> String {
    let rounded = elo.round() as i64;
    match rounded {
        0 => "0".to_owned(),
        1.. => format!("+{rounded}"),
        _ => format!("\u{2212}{}", -rounded),
    }
}

/// Returns a time given in milliseconds, in three digits at most.
#[must_use]
pub fn milliseconds(time: f64) -> String {
    match time {
        time if time >= 10_000.0 => format!("{:.0} s", time / 1000.0),
        time if time >= 1000.0 => format!("{:.1} s", time / 1000.0),
        time if time >= 10.0 => format!("{time:.0} ms"),
        time if time >= 1.0 => format!("{time:.1} ms"),
        time => format!("{time:.2} ms"),
    }
}

/// Returns a figure with this many decimals and its sign, a minus rather than a hyphen.
#[must_use]
pub fn decimals(value: f64, count: usize) -> String {
    let text = format!("{:.count$}", value.abs());
    let is_zero = text.bytes().all(|byte| matches!(byte, b'0' | b'.'));
    match value {
        _ if is_zero => text,
        value if value < 0.0 => format!("\u{2212}{text}"),
        _ => format!("+{text}"),
    }
}

/// Returns text as it may stand between tags and within quotes.
pub(crate) fn escape(text: &str) -> String {
    askama::filters::escape(text, askama::filters::Html)
        .map_or_else(|_| String::new(), |safe| safe.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_a_minus_and_nothing_has_no_sign() {
        assert_eq!([2.5, -2.5, -0.001].map(|value| decimals(value, 2)), ["+2.50", "\u{2212}2.50", "0.00"]);
        assert_eq!([12.4, -12.4, -0.4].map(signed), ["+12", "\u{2212}12", "0"]);
        assert_eq!(milliseconds(1006.6), "1.0 s");
    }
}
