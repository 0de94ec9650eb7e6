//! The formatting of figures. A number that is not finite becomes an empty text.

use stats::{Interval, Points};

/// Writes a number with this many decimals, never as `-0`.
pub(crate) fn fixed(number: f64, decimals: usize) -> String {
    if !number.is_finite() {
        return String::new();
    }
    if let Some(text) = exact(number, decimals) {
        return text;
    }
    let text = format!("{number:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.bytes().all(|byte| matches!(byte, b'0' | b'.')) => digits.to_owned(),
        _ => text,
    }
}

/// Writes a number that is not negative with up to three decimals: the same as the standard library, which takes thousands of
/// instructions. `None` if it may not be so: too large, too small, or in the middle between two texts.
fn exact(number: f64, decimals: usize) -> Option<String> {
    const FRACTION: u32 = f64::MANTISSA_DIGITS - 1;
    const BIAS: u32 = 1023;
    let unit = 10_u64.pow(u32::try_from(decimals).ok().filter(|decimals| *decimals <= 3)?);
    let bits = number.to_bits();
    // The number is its mantissa divided by two to this power. A sign would make the exponent too large.
    let exponent = (bits >> FRACTION) as u32;
    let power = (BIAS + FRACTION).checked_sub(exponent).filter(|power| (1..=62).contains(power))?;
    let product = (1 << FRACTION | bits & ((1 << FRACTION) - 1)) * unit;
    let (whole, rest, half) = (product >> power, product & ((1 << power) - 1), 1 << (power - 1));
    if rest == half {
        return None;
    }
    let whole = whole + u64::from(rest > half);
    let mut text = String::with_capacity(24);
    let mut digits = itoa::Buffer::new();
    text.push_str(digits.format(whole / unit));
    if decimals > 0 {
        // One more digit in front keeps the zeros.
        let fraction = digits.format(unit + whole % unit);
        text.push('.');
        text.push_str(&fraction[1..]);
    }
    Some(text)
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
    fn numbers_are_rounded_as_by_the_standard_library() {
        let mut read = 0;
        let mut check = |number: f64| {
            for decimals in 0..=4 {
                let text = exact(number, decimals);
                read += u32::from(text.is_some());
                let expected = format!("{number:.decimals$}");
                assert_eq!(text.unwrap_or_else(|| expected.clone()), expected, "{number:?} {decimals}");
            }
        };
        for number in [0.0, -0.0, -1.5, 1e-300, 1e300, f64::MIN_POSITIVE, 9_007_199_254_740_993.0] {
            check(number);
        }
        let mut bits = 1_u64;
        for index in 0..20_000_u32 {
            bits = bits.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let share = (bits >> 11) as f64 / (1_u64 << 53) as f64;
            // Of any size, and near the middle between two texts.
            check(share * 2_f64.powi((index % 80) as i32 - 20));
            let middle = f64::from(index) / 2000.0 + 0.0005;
            for number in [middle.next_down(), middle, middle.next_up(), f64::from(index) / 16.0] {
                check(number);
            }
        }
        assert!(read > 300_000, "{read}");
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
