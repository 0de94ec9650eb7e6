//! The time and duration of a run's games.

use record::RunSummary;

use crate::writing::number::count_of;

/// A gap of this many seconds between games is a pause, which the duration leaves out.
const PAUSE: f64 = 60.0;

/// When the games of a run were played.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlayedTime {
    /// The start of the first game, in seconds since 1970.
    begun: i64,
    /// The time from the start of the first game to the end of the last, in seconds, without gaps of a minute or more in which
    /// no game was played, such as those between two sessions of one run.
    seconds: f64,
}

impl PlayedTime {
    /// Returns the times of a run; `None` if no game has a start time.
    #[must_use]
    pub fn of(contents: &RunSummary) -> Option<Self> {
        let games = contents.games.iter().map(|game| (game.started, game.seconds));
        let void = contents.void.iter().map(|game| (game.started, game.seconds));
        let mut games: Vec<(u32, f32)> = games
            .chain(void)
            .filter(|(started, _)| *started > 0)
            .map(|(started, seconds)| (started, if seconds.is_finite() { seconds.max(0.0) } else { 0.0 }))
            .collect();
        games.sort_unstable_by(|one, other| one.0.cmp(&other.0).then(one.1.total_cmp(&other.1)));
        let begun = f64::from(games.first()?.0);
        let (mut end, mut paused) = (begun, 0.0);
        for (started, seconds) in games {
            let started = f64::from(started);
            if started - end >= PAUSE {
                paused += started - end;
            }
            end = end.max(started + f64::from(seconds));
        }
        Some(Self { begun: begun as i64, seconds: end - begun - paused })
    }

    /// Returns the date and time of the start: `2026-11-21 09:30 UTC`.
    #[must_use]
    pub fn date(&self) -> String {
        let time = jiff::Timestamp::from_second(self.begun).unwrap_or_default();
        time.strftime("%Y-%m-%d %H:%M UTC").to_string()
    }

    /// Returns the duration in at most two units: `2 h 10 min`.
    #[must_use]
    pub fn duration(&self) -> String {
        let all = self.seconds.round() as u64;
        let (days, hours, minutes, seconds) = (all / 86_400, all / 3600 % 24, all / 60 % 60, all % 60);
        match (days, hours, minutes) {
            (0, 0, 0) if all == 0 => "less than a second".to_owned(),
            (0, 0, 0) => format!("{seconds} s"),
            (0, 0, minutes) => format!("{minutes} min {seconds} s"),
            (0, hours, minutes) => format!("{hours} h {minutes} min"),
            (days, hours, _) => format!("{} {hours} h", count_of(days, "day")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(seconds: f64, expected: &str) {
        assert_eq!(PlayedTime { begun: 0, seconds }.duration(), expected);
    }

    #[test]
    fn durations_have_two_units() {
        check(0.2, "less than a second");
        check(59.4, "59 s");
        check(61.0, "1 min 1 s");
        check(7_800.0, "2 h 10 min");
        check(90_000.0, "1 day 1 h");
        check(180_000.0, "2 days 2 h");
    }

    #[test]
    fn dates_are_in_utc() {
        assert_eq!(PlayedTime { begun: 1_795_253_405, seconds: 0.0 }.date(), "2026-11-21 09:30 UTC");
    }
}
