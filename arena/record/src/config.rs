//! What a run was asked to play: the part of a tournament file that its results depend on.

use std::collections::BTreeMap;
use std::path::Path;

use protocol::printable;
use rules::{Game, RulesSource, Seat};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use settings::{
    Adjudication, ArenaBook, BookOrder, Conditions, Format, Goal, OpeningScope, Recorded, RecordedQuota,
    TimeControl,
};
use stats::sprt::Model;

use crate::{Grants, StartConfig};

/// The version of the journal format that this crate writes for games of two seats. Version 2 added void games, version 3 a
/// checksum on every line.
pub const FORMAT: u32 = 3;

/// The version that allows tables of more than two seats. The arena writes it only for runs that have such tables.
pub const TABLES_FORMAT: u32 = 4;

/// The most rounds in a run that this crate reads. The arena plays no more than that.
const MOST_ROUNDS: u64 = 100_000;

/// The most bots, and the most games, in a run that this crate reads.
const MOST_BOTS: u64 = 20_000;

/// The most pairs of games in a run that this crate reads: twice as many as the arena plays.
const MOST_PAIRS: u64 = 1_000_000;

/// The first line of a journal. The arena writes it again whenever the run starts with another configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// The version of the journal format from this line on: [`FORMAT`] or [`TABLES_FORMAT`] in lines that this crate writes.
    pub format: u32,
    /// The version of the arena.
    pub arena: String,
    /// The signature of the rules ([`rules::signature`]).
    pub rules: String,
    /// When the line was written (RFC 3339, UTC).
    pub written: String,
    /// The number of the first pair that this configuration decides, in a run whose results choose the meetings.
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
    /// The sequential test, in format `sprt`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtConfig>,
    /// How results choose the meetings. Without it every bot meets every other bot in every round.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub schedule: Option<ScheduleConfig>,
    /// What the format needs besides the bots.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairing: Option<PairingConfig>,
    /// Pairs of games per pairing and game. With [`RunConfig::schedule`] it limits their mean. In formats `swiss` and `ladder`
    /// it is the number of rounds, in each of which a bot meets one other bot. In knockouts it is the number of meetings in a
    /// match.
    pub rounds: u32,
    /// The seed of all randomness.
    pub seed: u64,
    /// The games.
    pub games: Vec<GameConfig>,
    /// The bots.
    pub bots: Vec<BotConfig>,
    /// When the arena ends a game before its rules do. It stays the same throughout a run.
    #[serde(default, skip_serializing_if = "Adjudication::is_off")]
    pub adjudicate: Adjudication,
    /// The conditions under which games are played. They may change during a run.
    pub settings: Conditions,
}

impl RunConfig {
    /// Returns whether the whole schedule is known before the first game: no result decides what is played next or when to
    /// stop. Only such a schedule can be split into shards.
    #[must_use]
    pub fn is_decided_beforehand(&self) -> bool {
        // A format that only a newer arena knows counts as one that results decide.
        self.format.known().is_some_and(|format| format.is_decided_beforehand())
            && self.sprt.is_none()
            && self.schedule.is_none()
    }

    /// Returns the version of the journal format that the games need. Arenas that know only [`FORMAT`] do not know tables of
    /// more than two seats.
    #[must_use]
    pub fn journal_format(&self) -> u32 {
        if self.games.iter().all(|game| game.seats == 2) { FORMAT } else { TABLES_FORMAT }
    }

    /// Checks that the run is small enough for its schedule to be listed.
    ///
    /// # Errors
    /// If it has more rounds, bots, games or pairs than a run can have.
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

/// A sequential test of strength. The first bot of the run is the new one, the second is the base. These values stay the same
/// throughout a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtConfig {
    /// The unit of the hypotheses.
    pub model: Recorded<Model>,
    /// The difference under H0, in Elo of the model.
    pub elo0: f64,
    /// The difference under H1, in Elo of the model.
    pub elo1: f64,
    /// The probability that a bot with difference `elo0` passes: between 0 and 1.
    pub alpha: f64,
    /// The probability that a bot with difference `elo1` fails: between 0 and 1.
    pub beta: f64,
    /// Whether the bounds account for the results overshooting them.
    pub overshoot: bool,
}

/// A schedule that follows the results. Neither these values nor the list of games change within a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScheduleConfig {
    /// The question that the run answers.
    pub goal: Recorded<Goal>,
    /// The probability of a false verdict: between 0 and 1.
    pub alpha: f64,
}

/// Who meets whom in the formats `gauntlet` and `list`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairingConfig {
    /// The names of the bots of a gauntlet that meet all others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<String>,
    /// Whether these bots also meet each other.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub seeds_meet: bool,
    /// The matches of a list. Each names as many bots as its games have seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub matches: Vec<Vec<String>>,
}

/// A game of a run: its rules, time control and openings. None of them changes within a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameConfig {
    /// The game's id.
    pub game: String,
    /// All options with their values.
    pub options: BTreeMap<String, String>,
    /// The game's name with the options that differ from the defaults: unique in a run.
    pub label: String,
    /// The number of seats at a table: 2 to [`Seat::MOST`].
    #[serde(default = "two", skip_serializing_if = "is_two", deserialize_with = "seats")]
    pub seats: u8,
    /// The time control.
    pub tc: Recorded<TimeControl>,
    /// How games begin.
    pub openings: OpeningConfig,
    /// The rules, if the user supplied them.
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
        .ok_or_else(|| D::Error::custom(format!("{seats} seats, but a table has 2 to {}", Seat::MOST)))
}

/// The rules of a user's own game, as they were when it was played.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesConfig {
    /// The digest of the module, or of the program's command and files.
    pub digest: String,
    /// The id that the rules give the game.
    pub game: String,
    /// The module's file in the run's directory, if the rules are a module.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<String>,
    /// The command, if the rules are a program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// The working directory of the program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// `chess` if the rules declare that the game is standard chess, as PGN readers know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<String>,
    /// The files that the program reads besides those of its command, as written. The digest covers them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

impl RulesConfig {
    /// Returns the command of a program as it can be given in any directory: the files of its own directory by their whole
    /// paths.
    #[must_use]
    pub fn command_anywhere(&self) -> Vec<String> {
        let directory = Path::new(self.directory.as_deref().unwrap_or("."));
        let whole = |word: &String| {
            let file = Some(directory.join(word)).filter(|file| file.is_file());
            let file = file.and_then(|file| file.canonicalize().ok());
            file.map_or_else(|| word.clone(), |file| file.to_string_lossy().into_owned())
        };
        self.command.iter().map(whole).collect()
    }

    /// Returns the flags that name the rules of a program as it was played, fit to be shown; `id` is that of the game.
    #[must_use]
    pub fn flags(&self, id: &str) -> String {
        let (id, command) = (printable(id), self.command.join(" "));
        let rules = format!("--rules {id}='{}'", printable(&command));
        if self.files.is_empty() {
            return rules;
        }
        format!("{rules} --rules-files '{id}={}'", printable(&self.files.join(",")))
    }

    /// Returns the record of a game's rules; `None` for a built-in game.
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

/// How games begin; all games of a block begin the same way. One of `plies`, `turns`, `file` and `book` is given.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpeningConfig {
    /// The number of random legal plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<u32>,
    /// The number of whole turns of random legal plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turns: Option<u32>,
    /// Whether longer random openings follow once all openings of this length are used.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deepen: bool,
    /// The file of openings, as written. `digest` identifies its content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// A book of the arena. `digest` identifies its content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub book: Option<Recorded<ArenaBook>>,
    /// A digest of the openings of the file or book, in their order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// The order in which the file or book is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub order: Option<Recorded<BookOrder>>,
    /// The most openings that are used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<u32>,
    /// Whether openings repeat when there are more rounds than openings.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub repeat: bool,
    /// Which pairs of games share an opening. If a journal does not say, each round has one opening.
    #[serde(default, skip_serializing_if = "OpeningScope::is_round")]
    pub per: OpeningScope,
}

impl OpeningConfig {
    /// Returns openings of `plies` random plies.
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
    /// The version declared in the tournament file. Game records hold the version that the bot reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The program and its arguments, as written.
    pub command: Vec<String>,
    /// The options sent with `setoption`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The bot's own time control, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tc: Option<Recorded<TimeControl>>,
    /// The sandbox, if the bot ran in one: its level and what enforced it, `basic (Landlock 6, seccomp)`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sandbox: Option<String>,
    /// What the sandbox permitted beyond its level.
    #[serde(default, skip_serializing_if = "Grants::is_empty")]
    pub granted: Grants,
    /// The limits on all of the bot's processes together.
    #[serde(default, skip_serializing_if = "RecordedQuota::is_empty")]
    pub limits: RecordedQuota,
    /// The kernel interfaces that enforce these limits besides the guard, if any: what control groups do and the version of
    /// their interface, `memory v1, processes v1, time v2, kill v2`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cgroups: Option<String>,
    /// How the arena starts and addresses the bot. A journal of an earlier version does not say.
    #[serde(default, skip_serializing_if = "StartConfig::is_usual")]
    pub start: StartConfig,
    /// A digest of the command, options, time control, environment, words that address the bot, executable and named files. A
    /// different digest is a different version of the bot.
    pub digest: String,
}

/// A bot as the schedule identifies it. A different digest under the same name is a different contestant.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BotId {
    /// The name.
    pub name: String,
    /// The digest.
    pub digest: String,
}

impl BotConfig {
    /// Returns the bot's identity in the schedule.
    #[must_use]
    pub fn identity(&self) -> BotId {
        BotId { name: self.name.clone(), digest: self.digest.clone() }
    }
}
