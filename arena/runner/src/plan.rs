//! What a run plays and how: the bots, the games, the settings.

mod cores;
mod launch;
mod spare_cores;
mod tasks;

use std::borrow::Borrow;
use std::collections::HashMap;
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use protocol::{Profile, Timeouts};
use record::BotId;
use rules::{PerSeat, Setup};
use settings::{Adjudication, Carrier, Conditions, OpeningScope, Quota, TimeControl};

pub(crate) use self::cores::Pinned;
pub use self::cores::{GameCores, PinError, Pins, Unpinned};
pub use self::spare_cores::spare_cores;
pub use self::tasks::Tasks;
use crate::{Fixture, Opening, OpeningSource, PairPlace};

/// The bots, games and settings of a run.
#[derive(Clone, Debug)]
pub struct GamePlan {
    /// The bots.
    pub bots: Vec<PlannedBot>,
    /// The games of the tournament.
    pub contests: Vec<Contest>,
    /// The settings of play.
    pub settings: PlaySettings,
}

impl GamePlan {
    /// Returns the number of seats at the largest table, at least 2.
    #[must_use]
    pub fn most_seats(&self) -> usize {
        self.contests.iter().map(|contest| contest.setup.seats()).max().unwrap_or(2).max(2)
    }

    /// Returns the tasks that play fixtures, in order, without those whose game or bots are not in the plan.
    pub fn tasks<F: IntoIterator<Item: Borrow<Fixture>>>(&self, fixtures: F) -> impl Iterator<Item = Task> {
        // Among several identical bots, the first one plays.
        let bots = self.bots.iter().enumerate().rev();
        let bots: HashMap<_, _> = bots.map(|(index, bot)| ((&*bot.name, &*bot.digest), index)).collect();
        let task = move |fixture: F::Item| {
            let fixture = fixture.borrow();
            let bot = |identity: &BotId| bots.get(&(&*identity.name, &*identity.digest)).copied();
            Some(Task {
                number: fixture.number,
                pair: fixture.pair,
                leg: fixture.leg,
                round: fixture.round,
                place: fixture.place,
                contest: self.contests.iter().position(|contest| *contest.label == *fixture.label)?,
                seats: {
                    let seats: Option<Vec<_>> = fixture.seats.iter().map(|seat| bot(seat)).collect();
                    PerSeat::try_from(seats?).ok()?
                },
            })
        };
        fixtures.into_iter().filter_map(task)
    }
}

/// A bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedBot {
    /// The name in tables: unique in a run.
    pub name: String,
    /// The version declared in the tournament file.
    pub version: Option<String>,
    /// How to start its process.
    pub launch: Launch,
    /// The dialect of the protocol that it speaks.
    pub dialect: Profile,
    /// The options sent with `setoption`, in this order.
    pub options: Vec<(String, String)>,
    /// Its own time control, if it has one.
    pub tc: Option<TimeControl>,
    /// The digest that identifies its version.
    pub digest: String,
    /// How many games it may play at once, if limited: one for a bot that owns a port or a device. Its processes then end after
    /// every game.
    pub at_once: Option<NonZeroUsize>,
    /// The files that it consists of and reads, as far as they are known, its executable first: what another machine needs to
    /// play it.
    pub files: Vec<PathBuf>,
}

impl PlannedBot {
    /// Returns the bot's identity in the schedule.
    #[must_use]
    pub fn identity(&self) -> BotId {
        BotId { name: self.name.clone(), digest: self.digest.clone() }
    }
}

/// How to start a process.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Words before the program: another program that confines itself and then becomes this one. Usually none.
    pub prefix: Vec<OsString>,
    /// The program, absolute or found in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The working directory.
    pub dir: PathBuf,
    /// Variables added to the arena's environment. If a prefix confines the bot, only the prefix knows the names of the bot's
    /// own variables.
    pub env: Vec<(String, String)>,
    /// What carries its lines.
    pub io: Carrier,
    /// Whether its private directory is also its home. A guarded process always has such a directory, as `TMPDIR`.
    pub is_private: bool,
    /// The limits on all its processes together, which only a guard enforces.
    pub quota: Quota,
}

impl Launch {
    /// Returns the command as a user would type it, for messages, without the confining prefix.
    #[must_use]
    pub fn command(&self) -> String {
        let words =
            std::iter::once(self.program.as_os_str()).chain(self.args.iter().map(OsString::as_os_str));
        let quoted = words.map(|word| protocol::shell_word(&word.to_string_lossy()).into_owned());
        quoted.collect::<Vec<_>>().join(" ")
    }
}

/// One game of the tournament: its rules, time control and openings.
#[derive(Clone, Debug)]
pub struct Contest {
    /// The game's name with the options that differ from the defaults: unique in a run.
    pub label: String,
    /// The rules.
    pub setup: Setup,
    /// The time control of bots without their own.
    pub tc: TimeControl,
    /// How games begin.
    pub openings: OpeningSource,
    /// Which pairs of games share an opening.
    pub per: OpeningScope,
}

/// One game to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The number of the game, from 1.
    pub number: u64,
    /// The number of its block, from 1. With two seats a block is a pair.
    pub pair: u64,
    /// The position of the game in its block, from 1.
    pub leg: u8,
    /// The round, from 1.
    pub round: u32,
    /// The place of its pair among those of its game, which determines its opening.
    pub place: PairPlace,
    /// The index in [`GamePlan::contests`].
    pub contest: usize,
    /// The indices in [`GamePlan::bots`], by seat.
    pub seats: PerSeat<usize>,
}

/// A game to play, with its opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// The task.
    pub task: Task,
    /// The opening.
    pub opening: Opening,
}

/// The settings of play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaySettings {
    /// The seed of all randomness.
    pub seed: u64,
    /// The conditions under which games are played, as the keys of a tournament file declare them.
    pub conditions: Conditions,
    /// When the arena ends a game before its rules do.
    pub adjudicate: Adjudication,
    /// How many games are played at once, until [`crate::Control::set_slots`] changes it.
    pub concurrency: NonZeroUsize,
    /// The cores that games are pinned to, if any. Then at most one game per place is played at once.
    pub pins: Pins,
    /// How long the arena waits when no clock is running. [`Conditions::think_limit`] limits thinking.
    pub timeouts: Timeouts,
    /// Whether every line is reported ([`crate::RunEvent`]).
    pub trace: bool,
    /// Whether every line of a game is reported ([`crate::RunEvent`]) after its end.
    pub transcripts: bool,
    /// Whether clocks run but no bot loses on time: for bots in a debugger.
    pub no_timeout: bool,
}

impl PlaySettings {
    /// Returns the default settings with this seed: one game at a time.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self {
            seed,
            conditions: Conditions::default(),
            adjudicate: Adjudication::default(),
            concurrency: NonZeroUsize::MIN,
            pins: Pins::default(),
            timeouts: Timeouts::default(),
            trace: false,
            transcripts: false,
            no_timeout: false,
        }
    }
}

impl PlaySettings {
    /// Returns the settings that play uses. With `no_timeout`, greetings, set-ups and writes may take a week.
    pub(crate) fn effective(&self) -> Self {
        let mut settings = self.clone();
        if self.no_timeout {
            const LONG: Duration = Duration::from_secs(7 * 24 * 60 * 60);
            let timeouts = &mut settings.timeouts;
            (timeouts.hello, timeouts.set_up, timeouts.ready, timeouts.write) = (LONG, LONG, LONG, LONG);
        }
        settings
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_reads_as_typed() {
        let launch = Launch {
            program: "/usr/bin/python3".into(),
            args: vec!["my bot.py".into(), "--level=3".into(), "it's".into(), "".into()],
            dir: "/".into(),
            env: Vec::new(),
            io: Carrier::Pipe,
            prefix: vec!["/usr/bin/arena".into(), "confine".into()],
            is_private: false,
            quota: Quota::default(),
        };
        assert_eq!(launch.command(), r"/usr/bin/python3 'my bot.py' --level=3 'it'\''s' ''");
    }
}
