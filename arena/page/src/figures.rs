//! How the pages write figures.

/// Returns a rating with its sign; nothing has none.
pub(crate) fn signed(elo: f64) -> String {
    let rounded = elo.round() as i64;
    match rounded {
        0 => "0".to_owned(),
        1.. => format!("+{rounded}"),
        _ => format!("\u{2212}{}", -rounded),
    }
}

/// Returns a time in three digits at most.
pub(crate) fn milliseconds(time: f64) -> String {
    match time {
        time if time >= 10_000.0 => format!("{:.0} s", time / 1000.0),
        time if time >= 1000.0 => format!("{:.1} s", time / 1000.0),
        time if time >= 10.0 => format!("{time:.0} ms"),
        time if time >= 1.0 => format!("{time:.1} ms"),
        time => format!("{time:.2} ms"),
    }
}
