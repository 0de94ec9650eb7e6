//! The arena's own cost of playing: the line of `--verbose`.

use std::fmt;
use std::time::Duration;

use processes::Counters;

/// The arena's own cost of playing, without the bots.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HarnessCost {
    /// The number of games played.
    pub games: u64,
    /// The number of plies decided in them.
    pub plies: u64,
    /// The duration.
    pub took: Duration,
    /// The system's counters over that time.
    pub counters: Counters,
}

/// The beginning of a line with counters.
const BEGIN: &str = "counters: ";

impl HarnessCost {
    /// Reads a line of [`fmt::Display`]; `None` for any other line.
    #[must_use]
    pub fn parse(line: &str) -> Option<Self> {
        let pairs = line.strip_prefix(BEGIN)?;
        let value = |key: &str| {
            let mut pairs = pairs.split(' ').filter_map(|pair| pair.split_once('='));
            pairs.find(|(name, _)| *name == key)?.1.parse::<u64>().ok()
        };
        Some(Self {
            games: value("games")?,
            plies: value("plies")?,
            took: Duration::from_micros(value("us")?),
            counters: Counters {
                cpu: Duration::from_micros(value("cpu-us")?),
                children: Duration::from_micros(value("bots-cpu-us")?),
                wake_ups: value("wake-ups")?,
                reads: value("reads")?,
                writes: value("writes")?,
                bytes_read: value("bytes-read")?,
                bytes_written: value("bytes-written")?,
                peak_kib: value("peak-kib")?,
            },
        })
    }

    /// Returns the cost per ply, in words.
    #[must_use]
    pub fn per_ply(&self) -> String {
        let plies = self.plies.max(1) as f64;
        let counters = &self.counters;
        let each = |count: u64| count as f64 / plies;
        format!(
            "a ply: {:.1} us of the arena's processor time, {:.2} reads, {:.2} writes, {:.2} wake-ups, {:.0} bytes read, \
             {:.0} written",
            counters.cpu.as_secs_f64() * 1e6 / plies,
            each(counters.reads),
            each(counters.writes),
            each(counters.wake_ups),
            each(counters.bytes_read),
            each(counters.bytes_written),
        )
    }
}

impl fmt::Display for HarnessCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { games, plies, took, counters } = self;
        write!(f, "{BEGIN}games={games} plies={plies} us={}", took.as_micros())?;
        write!(f, " cpu-us={} bots-cpu-us={}", counters.cpu.as_micros(), counters.children.as_micros())?;
        write!(f, " wake-ups={} reads={} writes={}", counters.wake_ups, counters.reads, counters.writes)?;
        write!(f, " bytes-read={} bytes-written={}", counters.bytes_read, counters.bytes_written)?;
        write!(f, " peak-kib={}", counters.peak_kib)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_counters_comes_back() {
        let effort = HarnessCost {
            games: 2,
            plies: 80,
            took: Duration::from_micros(1234),
            counters: Counters {
                cpu: Duration::from_micros(800),
                children: Duration::from_micros(7),
                wake_ups: 81,
                reads: 160,
                writes: 82,
                bytes_read: 1600,
                bytes_written: 8000,
                peak_kib: 9000,
            },
        };
        assert_eq!(HarnessCost::parse(&effort.to_string()), Some(effort));
        assert_eq!(HarnessCost::parse("2/2 games, 1.0 games/s"), None);
        assert!(
            effort
                .per_ply()
                .starts_with("a ply: 10.0 us of the arena's processor time, 2.00 reads, 1.02 writes")
        );
    }
}
