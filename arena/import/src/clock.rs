//! Time controls: `40/1:30+0.5` of both programs to the arena's.

use crate::error::ImportError;

/// What limits an engine, each as it was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limits {
    /// The clock in the arena's words; nothing where it is unlimited.
    pub clock: Option<String>,
    /// Whether a time control was given at all, `inf` included.
    pub is_given: bool,
    /// Milliseconds per move.
    pub movetime: Option<u64>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Plies of depth per move.
    pub depth: Option<u64>,
}

impl Limits {
    /// Returns the time control in the arena's words; nothing where nothing limits it.
    pub(crate) fn time_control(&self) -> Option<String> {
        let movetime = self.movetime.map(|millis| format!("movetime {millis}ms"));
        let nodes = self.nodes.map(|nodes| format!("nodes {nodes}"));
        let depth = self.depth.map(|depth| format!("depth {depth}"));
        let parts: Vec<_> = [self.clock.clone(), movetime, nodes, depth].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(", "))
    }
}

/// Reads a time control; `None` is unlimited time.
///
/// # Errors
/// Says what is wrong with it.
pub(crate) fn read_clock(text: &str) -> Result<Option<String>, ImportError> {
    let fault = |what: &str| ImportError::value("tc", format!("`{text}` {what}"));
    if matches!(text, "inf" | "infinite") {
        return Ok(None);
    }
    if text.starts_with("hg") || text.ends_with("hg") {
        return Err(fault("is an hourglass: write `tc: hourglass 60s` in the tournament file"));
    }
    let (moves, rest) = match text.split_once('/') {
        Some(("inf" | "infinite", rest)) => (None, rest),
        Some((moves, rest)) => {
            let moves: u64 = moves.parse().map_err(|_| fault("has no number of moves before the `/`"))?;
            ((moves > 0).then_some(moves), rest)
        }
        None => (None, text),
    };
    let (time, increment) = rest.split_once('+').map_or((rest, None), |(time, more)| (time, Some(more)));
    // fastchess also reads the unit.
    let read = |text: &str| millis(text.strip_suffix('s').unwrap_or(text));
    let no_seconds = || fault("has a time that is no number of seconds");
    let millis = match time.split_once(':') {
        Some((minutes, seconds)) => {
            let [minutes, seconds] = [minutes, seconds].map(read);
            minutes.zip(seconds).and_then(|(minutes, seconds)| minutes.checked_mul(60)?.checked_add(seconds))
        }
        None => read(time),
    };
    let millis = millis.ok_or_else(no_seconds)?;
    let increment = increment.map(|text| read(text).ok_or_else(no_seconds)).transpose()?;
    if millis == 0 {
        return Err(fault("begins with an empty clock, which the arena does not have"));
    }
    let moves = moves.map(|moves| format!("{moves}/")).unwrap_or_default();
    let increment = increment.filter(|millis| *millis > 0).map(|millis| format!("+{}", seconds(millis)));
    Ok(Some(format!("{moves}{}{}", seconds(millis), increment.unwrap_or_default())))
}

/// Reads seconds as milliseconds, of which finer decimals are cut off.
pub(crate) fn millis(text: &str) -> Option<u64> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let is_number = |digits: &str| digits.bytes().all(|byte| byte.is_ascii_digit());
    if !is_number(whole) || !is_number(decimals) || whole.len() + decimals.len() == 0 {
        return None;
    }
    let whole: u64 = if whole.is_empty() { 0 } else { whole.parse().ok()? };
    let decimals = format!("{decimals:0<3}");
    whole.checked_mul(1000)?.checked_add(decimals[..3].parse().ok()?)
}

/// Writes milliseconds as seconds.
fn seconds(millis: u64) -> String {
    let (whole, rest) = (millis / 1000, millis % 1000);
    match rest {
        0 => whole.to_string(),
        _ => format!("{whole}.{rest:03}").trim_end_matches('0').to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_of_both_programs_become_the_arenas() {
        let check = |theirs: &str, ours: Option<&str>| {
            assert_eq!(read_clock(theirs).unwrap().as_deref(), ours, "{theirs}");
            if let Some(ours) = ours {
                ours.parse::<settings::TimeControl>().expect(ours);
            }
        };
        check("60", Some("60"));
        check("8s+0.08s", Some("8+0.08"));
        check("8+0.08", Some("8+0.08"));
        check("40/60", Some("40/60"));
        check("40/1:30+1", Some("40/90+1"));
        check("0:30.5+0", Some("30.5"));
        check("inf/5+.1", Some("5+0.1"));
        check("0/10.0+0.1000", Some("10+0.1"));
        check("inf", None);
        for wrong in
            ["", "x", "40/", "/60", "5+", "5+x", "1:2:3", "-5", "0+1", "hg60", "1e3", "99999999999999999999"]
        {
            assert!(read_clock(wrong).is_err(), "{wrong}");
        }
    }
}
