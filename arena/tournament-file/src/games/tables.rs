//! What tables of more than two seats need, and what there is for two only.

use std::collections::BTreeSet;

use diagnostic::Diagnostic;
use record::{BotConfig, GameConfig};
use runner::{Contest, PlannedBot};
use settings::{Adjudication, Arrangement, Format, TimeControl};

use crate::written::errors::InputErrors;
use crate::written::raw::RawFile;

/// What a tournament has that may not fit its tables.
pub(crate) struct Tables<'a> {
    pub(crate) arrangement: &'a Arrangement,
    pub(crate) adjudicate: &'a Adjudication,
    pub(crate) games: &'a [(GameConfig, Contest)],
    pub(crate) bots: &'a [(BotConfig, PlannedBot)],
    /// How many bots are seeds of a gauntlet.
    pub(crate) seeds: usize,
}

/// Returns how many seats the games have.
pub(crate) fn seats(games: &[(GameConfig, Contest)]) -> BTreeSet<usize> {
    games.iter().map(|(config, _)| usize::from(config.seats)).collect()
}

/// Checks a tournament of which some game has more than two seats.
pub(crate) fn check(raw: &RawFile, tables: &Tables<'_>, errors: &mut InputErrors) {
    let Tables { arrangement, adjudicate, games, bots, seeds } = tables;
    let seats = seats(games);
    let Some(most) = seats.last().copied().filter(|seats| *seats > 2) else { return };
    let format = arrangement.format;
    let label = games.iter().find(|(config, _)| config.seats > 2).map_or("", |(config, _)| &config.label);
    let mut refuse = |key: &'static str, message: String, hint: String| {
        errors.add(&raw.spot(key), Diagnostic::new(message).hint(hint));
    };
    match format {
        Format::Knockout | Format::DoubleKnockout => {
            let message = format!("a `{format}` is between two bots at a time, and {label} has {most} seats");
            refuse(
                "format",
                message,
                "use `format: swiss`, `ladder`, `round-robin`, `gauntlet` or `list`".to_owned(),
            );
        }
        Format::Swiss | Format::Ladder | Format::Sprt if seats.len() > 1 => {
            let sizes: Vec<_> = seats.iter().map(ToString::to_string).collect();
            let message =
                format!("a `{format}` needs tables of one size, and its games have {}", sizes.join(" and "));
            let hint = "play games with tables of one size, each size in a file of its own".to_owned();
            refuse("games", message, hint);
        }
        Format::RoundRobin | Format::Swiss | Format::Ladder if bots.len() < most => {
            let message = format!("{label} has {most} seats, and there are {} bots", bots.len());
            refuse("bots", message, "the same program may stand under several names".to_owned());
        }
        Format::Swiss | Format::Ladder => {}
        Format::Sprt => {}
        Format::List => {}
        Format::Gauntlet if bots.len().saturating_sub(*seeds) < most - 1 => {
            let others = bots.len().saturating_sub(*seeds);
            let message = format!("{label} has {most} seats, and {others} bots to meet each seed");
            refuse("seeds", message, format!("a gauntlet needs {} bots beside its seeds", most - 1));
        }
        Format::RoundRobin | Format::Gauntlet => {}
    }
    if format == Format::Gauntlet && arrangement.seeds_meet {
        let message = format!("seeds meet each other only in games for two, and {label} has {most} seats");
        refuse("seeds-meet", message, "leave `seeds-meet` out, or use `format: round-robin`".to_owned());
    }
    if arrangement.schedule.is_some() {
        let message = format!("a `schedule` chooses meetings of two bots, and {label} has {most} seats");
        refuse("schedule", message, "leave `schedule` out".to_owned());
    }
    if adjudicate.resign.is_some() || adjudicate.draw.is_some() {
        let message = format!("what bots say ends games of two only, and {label} has {most} seats");
        refuse("adjudicate", message, "`plies` limits games of any number of seats".to_owned());
    }
    let controls = games.iter().map(|(_, contest)| &contest.tc);
    let own = bots.iter().filter_map(|(_, bot)| bot.tc.as_ref());
    if controls.chain(own).any(TimeControl::is_hourglass) {
        let message = format!("an hourglass has two sides, and {label} has {most} seats");
        refuse("tc", message, "for example `tc: 60+0.5`".to_owned());
    }
}
