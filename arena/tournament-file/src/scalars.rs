//! Single values of a bot, its openings or a test, each read by one function for the file and the command line alike.

use std::num::{NonZeroU32, NonZeroUsize};
use std::time::Duration;

use settings::{
    Carrier, Complaint, MOST_GAMES_AT_ONCE, MOST_ROUNDS, Memory, Pin, Reading, duration, label, number,
    parse_duration,
};

/// The most random plies, or turns, at the start of a game.
const MOST_OPENING_PLIES: u32 = 100;
/// The most processes that a bot may be allowed.
const MOST_PROCESSES: u32 = 10_000;

/// Reads the name of a bot.
pub(crate) fn name(text: &str) -> Reading<String> {
    label(text, "spring cup")
}

/// Reads the version of a bot.
pub(crate) fn version(text: &str) -> Reading<String> {
    label(text, "1.2")
}

/// Reads how long a test may play.
pub(crate) fn max_time(text: &str) -> Reading<Duration> {
    duration(text, Duration::from_secs(1)..=Duration::from_secs(365 * 24 * 60 * 60), "20m")
}

/// Reads the number of random plies of an opening.
pub(crate) fn opening_plies(text: &str) -> Reading<u32> {
    number(text, 0..=MOST_OPENING_PLIES, "2")
}

/// Reads the number of whole random turns of an opening.
pub(crate) fn opening_turns(text: &str) -> Reading<u32> {
    number(text, 0..=MOST_OPENING_PLIES, "2")
}

/// Reads how many openings of a file are played.
pub(crate) fn opening_count(text: &str) -> Reading<u32> {
    number(text, 1..=MOST_ROUNDS, "100")
}

/// Reads how many games are played at once, as a flag says it.
///
/// # Errors
/// Says what is wrong with it.
pub fn read_concurrency(text: &str) -> Result<NonZeroUsize, String> {
    let games =
        settings::concurrency(text).map(|games| games.unwrap_or_else(|| runner::spare_cores(Pin::Off, 2)));
    games.map_err(|complaint| format!("it {}; {}", complaint.predicate, complaint.hint))
}

/// Reads how many games of one bot are played at once.
pub(crate) fn at_once(text: &str) -> Reading<NonZeroUsize> {
    let games = number(text, 1..=MOST_GAMES_AT_ONCE, "1")?;
    Ok(NonZeroUsize::new(games).unwrap_or(NonZeroUsize::MIN))
}

/// Reads how lines reach a bot.
pub(crate) fn carrier(text: &str) -> Reading<Carrier> {
    text.parse().map_err(Complaint::from)
}

/// Reads how much memory the processes of a bot may hold.
pub(crate) fn memory(text: &str) -> Reading<Memory> {
    text.parse().map_err(|_| {
        let hint = "a whole number with a unit, such as `512MiB` or `2GiB`";
        Complaint::new(format!("cannot be `{}`", text.escape_debug()), hint)
    })
}

/// Reads how much processor time the processes of a bot may use in a game.
pub(crate) fn cpu(text: &str) -> Reading<Duration> {
    let read = parse_duration(text).ok().filter(|time| *time >= Duration::from_millis(1));
    read.ok_or_else(|| {
        let hint = "a time with a unit, such as `60s` or `5m`";
        Complaint::new(format!("cannot be `{}`", text.escape_debug()), hint)
    })
}

/// Reads how many processes a bot may have.
pub(crate) fn processes(text: &str) -> Reading<NonZeroU32> {
    let count = number(text, 1..=MOST_PROCESSES, "16")?;
    Ok(NonZeroU32::new(count).unwrap_or(NonZeroU32::MIN))
}
