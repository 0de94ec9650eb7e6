//! What a run was asked to play: the part of a tournament file that its results depend on.

use std::collections::BTreeMap;

use rules::{Game, RulesSource, Seat};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use settings::{
    Adjudication, ArenaBook, BookOrder, Conditions, Format, Goal, OpeningScope, Recorded, RecordedQuota,
    TimeControl,
};
use stats::sprt::Model;

use crate::{Grants, StartConfig};

/// The version of the format that this crate writes, and the newest that it reads. Since 2 a journal has void games, since 3
/// every line has a checksum.
pub const FORMAT: u32 = 3;

/// The version from which on tables may have more than two seats: it is written only where they have.
pub const TABLES_FORMAT: u32 = 4;

/// The most rounds of a run that is read. The arena itself plays no more.
const MOST_ROUNDS: u64 = 100_000;

/// The most bots, and the most games, of a run that is read.
const MOST_BOTS: u64 = 20_000;

/// The most pairs of games of a run that is read: twice as many as the arena itself plays.
const MOST_PAIRS: u64 = 1_000_000;

/// The line that begins a journal, written again whenever the run is started with another configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The version of the journal's format, from this line on: [`FORMAT`] where this crate has written it.
    pub format: u32,
    /// The version of the arena.
    pub arena: String,
    /// The signature of the rules ([`rules::signature`]).
    pub rules: String,
    /// When the line was written (RFC 3339, UTC).
    pub written: String,
    /// In a run whose meetings are chosen by results, the number of the first pair that this configuration decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from_pair: Option<u64>,
    /// What to play.
    pub config: RunConfig,
}

/// What a run plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunConfig {
    /// The name of the tournament.
    pub name: String,
    /// How opponents meet.
    pub format: Recorded<Format>,
    /// The test of format `sprt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtConfig>,
    /// How meetings are chosen by results; without it everybody meets everybody in every round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleConfig>,
    /// What the format needs to know beside the bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairing: Option<PairingConfig>,
    /// Pairs of games per pairing of bots and game; with [`RunConfig::schedule`] the mean of that, at most; in format
    /// `swiss` and `ladder` the rounds, in each of which a bot meets one other; in knockouts the meetings of a match.
    pub rounds: u32,
    /// The seed of everything random.
    pub seed: u64,
    /// The games.
    pub games: Vec<GameConfig>,
    /// The bots.
    pub bots: Vec<BotConfig>,
    /// When the arena ends a game that its rules have not ended. It may not change within a run.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudicate: Adjudication,
    /// The conditions under which games are played: they may change during a run.
    pub settings: Conditions,
}

impl RunConfig {
    /// Returns whether every game is known before the first one is played: no result decides what is played next,
    /// nor when to stop. Only such a schedule can be cut into parts that are played apart.
    #[must_use]
    pub fn is_decided_beforehand(&self) -> bool {
        // A format that only a newer arena knows counts as decided by results.
        self.format.known().is_some_and(|format| format.is_decided_beforehand())
            && self.sprt.is_none()
            && self.schedule.is_none()
    }

    /// Returns the version of the journal's format that its games need: tables of more than two seats are unknown to arenas that
    /// know [`FORMAT`] only.
    #[must_use]
    pub fn journal_format(&self) -> u32 {
        if self.games.iter().all(|game| game.seats == 2) { FORMAT } else { TABLES_FORMAT }
    }

    /// Says what is wrong with a run that no arena plays: a schedule without an end would be listed without one.
    ///
    /// # Errors
    /// When it has more rounds, bots, games or meetings than a run can have.
    pub(crate) fn check(&self) -> Result<(), String> {
        let (bots, games) = (self.bots.len() as u64, self.games.len() as u64);
        let pairing = self.pairing.as_ref();
        let meetings = match self.format.known() {
            Some(Format::RoundRobin) => bots * bots.saturating_sub(1) / 2,
            Some(Format::Gauntlet) => bots * pairing.map_or(1, |pairing| pairing.seeds.len() as u64),
            Some(Format::List) => pairing.map_or(0, |pairing| pairing.matches.len() as u64),
            Some(
                Format::Swiss | Format::Knockout | Format::DoubleKnockout | Format::Ladder | Format::Sprt,
            )
            | None => 0,
        };
        let pairs = u64::from(self.rounds).saturating_mul(games).saturating_mul(meetings);
        for (what, count, most) in [
            ("rounds", u64::from(self.rounds), MOST_ROUNDS),
            ("bots", bots, MOST_BOTS),
            ("games", games, MOST_BOTS),
            ("pairs of games", pairs, MOST_PAIRS),
        ] {
            if count > most {
                return Err(format!("{count} {what} are more than the {most} that a run can have"));
            }
        }
        Ok(())
    }
}

/// A sequential test of strength: the first bot of the run is the new one, the second the base. None of it may
/// change within a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtConfig {
    /// In which unit the hypotheses are.
    pub model: Recorded<Model>,
    /// The difference under H0, in Elo of the model.
    pub elo0: f64,
    /// The difference under H1, in Elo of the model.
    pub elo1: f64,
    /// How often a bot with difference `elo0` may pass.
    pub alpha: f64,
    /// How often a bot with difference `elo1` may fail.
    pub beta: f64,
    /// Whether the bounds are corrected for the jump with which a test passes them.
    pub overshoot: bool,
}

/// A schedule that follows the results. None of it may change within a run, nor may the list of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScheduleConfig {
    /// What is to be found out.
    pub goal: Recorded<Goal>,
    /// How often the verdict may be false.
    pub alpha: f64,
}

/// Who meets whom in the formats `gauntlet` and `list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingConfig {
    /// The names of the bots of a gauntlet that meet all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<String>,
    /// Whether they meet each other too.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seeds_meet: bool,
    /// The matches of a list: the names of as many bots as its games have seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<Vec<String>>,
}

/// A game of a run: its rules, time control and openings. None of it may change within a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameConfig {
    /// The game's id.
    pub game: String,
    /// All options with their values.
    pub options: BTreeMap<String, String>,
    /// The game's name with the options that are not the defaults: unique in a run.
    pub label: String,
    /// How many seats a table has: 2 to [`Seat::MOST`].
    #[serde(default = "two", skip_serializing_if = "is_two", deserialize_with = "seats")]
    pub seats: u8,
    /// The time control.
    pub tc: Recorded<TimeControl>,
    /// How games begin.
    pub openings: OpeningConfig,
    /// The rules of a game of one's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<RulesConfig>,
}

const fn two() -> u8 {
    2
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands references to this")]
const fn is_two(seats: &u8) -> bool {
    *seats == 2
}

fn seats<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    let seats = u8::deserialize(deserializer)?;
    let is_table = (2..=Seat::MOST).contains(&usize::from(seats));
    is_table
        .then_some(seats)
        .ok_or_else(|| D::Error::custom(format!("{seats} seats where a table has 2 to {}", Seat::MOST)))
}

/// The rules of a game of one's own, as they were when it was played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesConfig {
    /// The digest of the module, or of the program's command and files.
    pub digest: String,
    /// The id that the rules give the game.
    pub game: String,
    /// The file of a module in the directory of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The command of a program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The directory in which the program is started.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// `chess` where the rules say that the game is chess as every reader of PGN knows it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<String>,
    /// The files that the program reads besides those of its command, as written; the digest covers them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

impl RulesConfig {
    /// Returns what is recorded of the rules of a game; `None` of a built-in one.
    #[must_use]
    pub fn of(game: &Game) -> Option<Self> {
        let rules = game.own_rules()?;
        let (module, command, directory, files) = match rules.source() {
            RulesSource::Module(_) => (Some(format!("rules/{}.wasm", game.id)), Vec::new(), None, Vec::new()),
            RulesSource::Program { command, directory, files } => {
                (None, command.clone(), Some(directory.to_string_lossy().into_owned()), files.clone())
            }
        };
        let (digest, game) = (rules.identity().to_owned(), rules.own_id().to_owned());
        let pgn = rules.is_chess().then(|| "chess".to_owned());
        Some(Self { digest, game, module, command, directory, pgn, files })
    }
}

/// How games begin: the same way in all games of a block. One of `plies`, `turns`, `file` and `book` is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningConfig {
    /// This many random legal plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// This many whole turns of random legal plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// Whether longer random openings follow when all of this length have been played.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deepen: bool,
    /// The file of openings, as written. What it holds is told by `digest`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The book of the arena. What it holds is told by `digest`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<Recorded<ArenaBook>>,
    /// A digest of the openings of a file or book, in its order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The order of a file or book.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Recorded<BookOrder>>,
    /// How many openings there are at most.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Whether openings come again where there are more rounds than openings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeat: bool,
    /// Which pairs of games share an opening. A journal that does not say was played with one a round.
    #[serde(default, skip_serializing_if = "OpeningScope::is_round")]
    pub per: OpeningScope,
}

impl OpeningConfig {
    /// Returns openings of this many random plies.
    #[must_use]
    pub fn of_plies(plies: u32) -> Self {
        Self { plies: Some(plies), ..Self::default() }
    }
}

/// A bot of a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BotConfig {
    /// The name in tables: unique in a run.
    pub name: String,
    /// The version declared in the tournament file; what the bot says of itself stands in the game records.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The program and its arguments, as written.
    pub command: Vec<String>,
    /// The options sent with `setoption`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// A time control of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<Recorded<TimeControl>>,
    /// What confined it, where anything did: the level and what enforced it, `basic (Landlock 6, seccomp)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    /// What it was allowed besides what the level says, if it was confined.
    #[serde(default, skip_serializing_if = "Grants::is_empty")]
    pub granted: Grants,
    /// What all its processes together may use.
    #[serde(default, skip_serializing_if = "RecordedQuota::is_empty")]
    pub limits: RecordedQuota,
    /// What of the kernel holds it to that besides its guard, where anything does: what control groups do, and in which
    /// version of their interface, `memory v1, processes v1, time v2, kill v2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cgroups: Option<String>,
    /// How it is started and addressed besides that; a journal of an earlier version does not say.
    #[serde(default, skip_serializing_if = "StartConfig::is_usual")]
    pub start: StartConfig,
    /// A digest of the command, options, time control, environment, words by which it is addressed, executable and named
    /// files: another digest is another version of the bot.
    pub digest: String,
}

/// A bot as the schedule knows it: another digest under the same name is another contestant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BotId {
    /// The name.
    pub name: String,
    /// The digest.
    pub digest: String,
}

impl BotConfig {
    /// Returns what the schedule knows the bot by.
    #[must_use]
    pub fn identity(&self) -> BotId {
        BotId { name: self.name.clone(), digest: self.digest.clone() }
    }
}
