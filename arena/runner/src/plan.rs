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

/// Everything that games are played from.
#[derive(Clone, Debug)]
pub struct GamePlan {
    /// The bots.
    pub bots: Vec<PlannedBot>,
    /// The games of the tournament.
    pub contests: Vec<Contest>,
    /// How they are played.
    pub settings: PlaySettings,
}

impl GamePlan {
    /// Returns how many seats the largest table has: 2 or more.
    #[must_use]
    pub fn most_seats(&self) -> usize {
        self.contests.iter().map(|contest| contest.setup.seats()).max().unwrap_or(2).max(2)
    }

    /// Returns the tasks that play fixtures, in their order, without those of which the plan lacks the game or a bot.
    pub fn tasks<F: IntoIterator<Item: Borrow<Fixture>>>(&self, fixtures: F) -> impl Iterator<Item = Task> {
        // Of several bots that are the same, the first one plays.
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
    /// How its process is started.
    pub launch: Launch,
    /// The words by which it is addressed.
    pub dialect: Profile,
    /// The options sent with `setoption`, in this order.
    pub options: Vec<(String, String)>,
    /// A time control of its own.
    pub tc: Option<TimeControl>,
    /// The digest that tells its versions apart.
    pub digest: String,
    /// How many games it may play at once, where that is limited: one for a bot that owns a port or a device. Its
    /// processes are then ended after every game.
    pub at_once: Option<NonZeroUsize>,
    /// The files that it is made of and reads, as far as they are known, its executable first: what another machine needs to
    /// play it.
    pub files: Vec<PathBuf>,
}

impl PlannedBot {
    /// Returns what the schedule knows the bot by.
    #[must_use]
    pub fn identity(&self) -> BotId {
        BotId { name: self.name.clone(), digest: self.digest.clone() }
    }
}

/// How a process is started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Words before the program: another program that confines itself and becomes this one. Mostly none.
    pub prefix: Vec<OsString>,
    /// The program, absolute or to be found in `PATH`.
    pub program: PathBuf,
    /// Its arguments.
    pub args: Vec<OsString>,
    /// The directory it runs in.
    pub dir: PathBuf,
    /// Variables added to the arena's environment; those of a bot that a prefix confines have names of which only that knows.
    pub env: Vec<(String, String)>,
    /// How lines reach it.
    pub io: Carrier,
    /// Whether its private directory is its home too. A guarded process has such a directory in any case, as `TMPDIR`.
    pub is_private: bool,
    /// What all its processes together may use; only a guard holds them to it.
    pub quota: Quota,
}

impl Launch {
    /// Returns the command as one would type it, for messages: without what confines it.
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
    /// The game's name with the options that are not the defaults: unique in a run.
    pub label: String,
    /// The rules.
    pub setup: Setup,
    /// The time control of bots that have none of their own.
    pub tc: TimeControl,
    /// How games begin.
    pub openings: OpeningSource,
    /// Which pairs of games begin alike.
    pub per: OpeningScope,
}

/// One game to play.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    /// The number of the game, from 1.
    pub number: u64,
    /// The number of its block, from 1; with two seats that is a pair.
    pub pair: u64,
    /// Which game of its block it is, from 1.
    pub leg: u8,
    /// The round, from 1.
    pub round: u32,
    /// Where its pair stands among those of its game, which tells its opening.
    pub place: PairPlace,
    /// Which of [`GamePlan::contests`].
    pub contest: usize,
    /// Which of [`GamePlan::bots`] sit where.
    pub seats: PerSeat<usize>,
}

/// A game to play, with its opening.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    /// Which.
    pub task: Task,
    /// How it begins.
    pub opening: Opening,
}

/// How games are played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaySettings {
    /// The seed of everything random.
    pub seed: u64,
    /// The conditions under which games are played, as the keys of a tournament file declare them.
    pub conditions: Conditions,
    /// When the arena ends a game that its rules have not ended.
    pub adjudicate: Adjudication,
    /// How many games are played at once, until [`crate::Control::set_slots`] says otherwise.
    pub concurrency: NonZeroUsize,
    /// The cores that the games keep to, where they do: then no more are played at once than there are places.
    pub pins: Pins,
    /// How long the arena waits outside the clocks; what limits thinking is [`Conditions::think_limit`].
    pub timeouts: Timeouts,
    /// Whether every line is told ([`crate::RunEvent`]).
    pub trace: bool,
    /// Whether every line of a game is told ([`crate::RunEvent`]) when the game has ended.
    pub transcripts: bool,
    /// Whether clocks are kept but nobody loses on time: for bots in a debugger.
    pub no_timeout: bool,
}

impl PlaySettings {
    /// Returns the usual settings with this seed: one game at a time.
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
    /// Returns the settings as they are played by: in a debugger nothing is waited for in vain.
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
