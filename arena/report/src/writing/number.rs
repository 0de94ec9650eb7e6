//! The formatting of figures. A number that is not finite becomes an empty text.

use stats::{Interval, Points};

/// Writes a number with this many decimals, never as `-0`.
pub(crate) fn fixed(number: f64, decimals: usize) -> String {
    if !number.is_finite() {
        return String::new();
    }
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// Writes a number with this many decimals and its sign.
pub(crate) fn signed(number: f64, decimals: usize) -> String {
    let text = fixed(number, decimals);
    if text.is_empty() || text.starts_with('-') { text } else { format!("+{text}") }
}

/// Writes a number that may be missing.
pub(crate) fn optional(number: Option<f64>, decimals: usize) -> String {
    number.map_or_else(String::new, |number| fixed(number, decimals))
}

/// Writes a share as a percentage: `62.5%`.
pub(crate) fn percent(share: Option<f64>) -> String {
    share.map_or_else(String::new, |share| format!("{}%", fixed(share * 100.0, 1)))
}

/// Writes a p value with three digits or four places: `0.013`, `<0.0001`.
pub(crate) fn p_value(p: f64) -> String {
    match p {
        p if p < 0.0001 => "<0.0001".to_owned(),
        p if p < 0.01 => fixed(p, 4),
        p => fixed(p, 3),
    }
}

/// Writes an interval of signed numbers: `-3 to +12`.
pub(crate) fn range(interval: &Interval, decimals: usize) -> String {
    format!("{} to {}", signed(interval.low, decimals), signed(interval.high, decimals))
}

/// Writes a number of things: `1 game`, `2 games`, `2 matches`.
#[must_use]
pub fn count_of(number: u64, thing: &str) -> String {
    let ending = match number {
        1 => "",
        _ if thing.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{number} {thing}{ending}")
}

/// Writes points in steps of a half: `12.5`.
#[must_use]
pub fn points(halves: u64) -> String {
    if halves.is_multiple_of(2) { (halves / 2).to_string() } else { format!("{}.5", halves / 2) }
}

/// Writes points of tables of any size: whole and half points as [`points`] does, others with two decimals: `12.33`.
#[must_use]
pub fn table_points(sum: Points) -> String {
    sum.halves().map_or_else(|| fixed(sum.to_f64(), 2), points)
}

/// Returns the share of `halves` half points in this many games.
pub(crate) fn share(halves: u64, games: u64) -> Option<f64> {
    (games > 0).then(|| halves as f64 / (2 * games) as f64)
}

/// Writes milliseconds with about three digits.
pub(crate) fn short_milliseconds(millis: f64) -> String {
    let decimals = match millis {
        millis if millis < 9.995 => 2,
        millis if millis < 99.95 => 1,
        _ => 0,
    };
    fixed(millis, decimals)
}

/// Writes a likelihood of being stronger in percent, marked if it depends on a prior.
pub(crate) fn likelihood(los: Option<f64>, is_regularized: bool) -> String {
    let mark = if is_regularized && los.is_some() { "~" } else { "" };
    format!("{mark}{}", percent(los))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_has_no_minus() {
        assert_eq!(fixed(-0.04, 1), "0.0");
        assert_eq!(signed(-0.04, 1), "+0.0");
        assert_eq!(signed(-0.06, 1), "-0.1");
        assert_eq!(signed(12.0, 0), "+12");
    }

    #[test]
    fn what_is_not_a_number_is_not_written() {
        for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(fixed(number, 1) + &signed(number, 0), "");
        }
    }

    #[test]
    fn small_p_values_are_bounded() {
        assert_eq!(
            [0.5, 0.05, 0.0099, 0.00009, 0.0].map(p_value),
            ["0.500", "0.050", "0.0099", "<0.0001", "<0.0001"]
        );
    }

    #[test]
    fn points_come_in_halves() {
        assert_eq!([points(0), points(1), points(4), points(25)], ["0", "0.5", "2", "12.5"]);
        assert_eq!(share(3, 2), Some(0.75));
        assert_eq!(share(0, 0), None);
    }

    #[test]
    fn milliseconds_keep_three_digits() {
        let written = [0.123, 9.994, 9.996, 99.96, 1234.4].map(short_milliseconds);
        assert_eq!(written, ["0.12", "9.99", "10.0", "100", "1234"]);
    }
}
