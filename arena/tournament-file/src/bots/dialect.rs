//! The words by which a bot is addressed, for bots of other families of protocols.

use std::str::FromStr;

use protocol::{Profile, UnknownWord};
use settings::Complaint;

use crate::written::errors::{InputErrors, Spot};
use crate::written::raw::RawBot;

/// Reads the keys `hello`, `clock`, `position-keyword` and `quiet`.
pub(crate) fn check(bot: &RawBot, spot: &Spot, errors: &mut InputErrors) -> Profile {
    Profile {
        hello: word(bot.hello.as_deref(), &spot.key("hello"), errors),
        clock: clock(bot.clock.as_deref(), &spot.key("clock"), errors),
        position_keyword: word(bot.position_keyword.as_deref(), &spot.key("position-keyword"), errors),
        quiet: errors.read(&spot.key("quiet"), bot.quiet.as_deref(), settings::truth).unwrap_or_default(),
    }
}

/// Reads the words for the clocks. `cpu` is what others call a clock that counts processor time.
fn clock<T: Default + FromStr<Err = UnknownWord>>(
    text: Option<&str>,
    spot: &Spot,
    errors: &mut InputErrors,
) -> T {
    if text == Some("cpu") {
        let hint = "`clock` says by which words a bot is told its time; to count processor time add `cpu` to its `tc`: `tc: 60+0.6, cpu`";
        errors.complain(spot, &Complaint::new("cannot be `cpu`", hint));
        return T::default();
    }
    word(text, spot, errors)
}

fn word<T: Default + FromStr<Err = UnknownWord>>(
    text: Option<&str>,
    spot: &Spot,
    errors: &mut InputErrors,
) -> T {
    let Some(text) = text else { return T::default() };
    text.parse().unwrap_or_else(|error: UnknownWord| {
        let complaint = Complaint::new(format!("cannot be `{text}`"), format!("it can be {}", error.allowed));
        errors.complain(spot, &complaint);
        T::default()
    })
}
