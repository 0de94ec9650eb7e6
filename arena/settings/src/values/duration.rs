//! Durations with a unit, exact to the millisecond.

use std::time::Duration;

use jiff::SignedDuration;
use thiserror::Error;

/// Why a text is no duration.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("`{text}` is not a duration with a unit, such as `500ms`, `10s` or `1m`")]
pub struct DurationError {
    /// The text.
    pub text: String,
}

/// Reads a duration with a unit, exact to the millisecond.
///
/// # Errors
/// When it is not one.
pub fn parse_duration(text: &str) -> Result<Duration, DurationError> {
    let parsed = text.parse::<SignedDuration>().ok().and_then(|time| Duration::try_from(time).ok());
    let exact = parsed.filter(|time| time.subsec_nanos().is_multiple_of(1_000_000));
    exact.ok_or_else(|| DurationError { text: text.to_owned() })
}

/// Writes a duration as [`parse_duration`] reads it: `10s`, `500ms`.
#[must_use]
pub fn format_duration(time: Duration) -> String {
    match time.subsec_millis() {
        0 => format!("{}s", time.as_secs()),
        _ => format!("{}ms", time.as_millis()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_carry_a_unit() {
        assert_eq!(parse_duration("1500ms"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("1m"), Ok(Duration::from_secs(60)));
        for text in ["10", "", "-1s", "1us", "ten"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }
}
