//! What a coordinator and its workers tell each other, as JSON.
//!
//! A run says which versions of these messages its coordinator speaks ([`RunNotice::versions`]), a worker which ones it speaks
//! ([`VERSIONS`]); they play together where a version is common to both. Fields that a reader does not know are left alone.

mod failure;

use std::ops::RangeInclusive;

use measure::MachineSpeed;
use record::{GameRecord, RunConfig};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest as _, Sha256};

pub(crate) use self::failure::WireFailure;

/// The versions of the messages that this arena speaks. Since version 2 a run may have workers scale times by their speed,
/// and build commits; since version 3 a worker may play some of the games only.
pub const VERSIONS: RangeInclusive<u32> = 1..=3;

/// The first version in which times are scaled and commits built.
pub(crate) const SCALES_AND_BUILDS: u32 = 2;

/// The first version in which a worker may lack the rules of some games.
pub(crate) const LACKS_GAMES: u32 = 3;

/// How many hexadecimal digits identify a pair, a run or a configuration.
const DIGITS: usize = 32;

/// A run that wants workers: the value of its key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunNotice {
    /// The versions of messages that its coordinator speaks, first and last.
    pub versions: (u32, u32),
    /// Which run it is.
    pub run: String,
    /// Its name, for messages.
    pub name: String,
    /// The version of the coordinator's arena.
    pub arena: String,
    /// The signature of its rules.
    pub rules: String,
    /// The digest of the object that says what is played: a [`RunManifest`].
    pub manifest: String,
    /// Whether nothing more is to be played.
    pub is_stopped: bool,
}

impl RunNotice {
    /// Says why a worker of this arena cannot play for the run; `None` where it can.
    #[must_use]
    pub fn misfit(&self) -> Option<String> {
        let (first, last) = self.versions;
        let (ours, theirs) = (VERSIONS, first..=last);
        if ours.start().max(theirs.start()) > ours.end().min(theirs.end()) {
            return Some(format!(
                "its messages have versions {first} to {last} (arena {}), and this worker understands {} to {} (arena {}): install the \
                 same arena on both machines",
                protocol::printable(&self.arena),
                ours.start(),
                ours.end(),
                env!("CARGO_PKG_VERSION"),
            ));
        }
        let signature = rules::signature();
        (self.rules != signature).then(|| {
            format!(
                "its games have other rules than those of this worker (signature {} of arena {}, here {signature} of arena {}): \
                 install the same arena on both machines",
                protocol::printable(&self.rules),
                protocol::printable(&self.arena),
                env!("CARGO_PKG_VERSION"),
            )
        })
    }
}

/// What a run plays, and the files that it needs: everything that a worker is to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunManifest {
    /// What the journal says is played.
    #[serde(with = "record::embedded")]
    pub config: RunConfig,
    /// A tournament file with the bots and games of the run, whose paths lie in the files below.
    pub document: serde_json::Value,
    /// The files, by their paths.
    pub files: Vec<SentFile>,
    /// The programs that the bots need and that are found in `PATH`, with the digest that each has on the coordinator's machine.
    pub interpreters: Vec<Interpreter>,
    /// The commits of which bots are built where they play.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<SentCommit>,
    /// Whether every line of a game is wanted.
    pub transcripts: bool,
    /// How fast the coordinator's machine is, where a worker of another speed has other times on its clocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub speed: Option<MachineSpeed>,
}

/// A file that travels.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentFile {
    /// Where it lies, from the directory of the worker's copy of the run.
    pub path: String,
    /// The SHA-256 of its bytes: the name of the object.
    pub digest: String,
    /// Whether it may be executed.
    pub is_executable: bool,
}

/// A commit of which a bot is built on every worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentCommit {
    /// The bot.
    pub bot: String,
    /// Its name, for messages.
    pub name: String,
    /// The archive of its files: the path of one of the files that travel.
    pub archive: String,
    /// The directory for the built files, from that of the worker's copy of the run.
    pub place: String,
    /// The directory within it in which it is built and runs; empty at its top.
    pub directory: String,
    /// The shell's line that builds it; `None` where there is nothing to build.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub build: Option<String>,
}

/// A program that does not travel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Interpreter {
    /// The bot that it runs.
    pub bot: String,
    /// Its name in `PATH`.
    pub program: String,
    /// The SHA-256 of its bytes; empty where any version of it will do.
    pub digest: String,
}

/// What a coordinator tells one worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Order {
    /// Play this.
    Play(PairOrder),
    /// Do not begin these attempts; those that have begun go on.
    Cancel(Vec<String>),
    /// Say who you are.
    Introduce,
    /// End what you play, and leave.
    Leave,
}

/// A pair to play: the games of one opening, or those of them that are not recorded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PairOrder {
    /// Which attempt at the pair it is: no two have the same name.
    pub attempt: String,
    /// The number of the pair.
    pub pair: u64,
    /// What makes the pair what it is ([`PairOrder::identify`]).
    pub identity: String,
    /// The games.
    pub games: Vec<GameOrder>,
}

/// A game of a pair.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameOrder {
    /// The number of the game.
    pub number: u64,
    /// Which game of the pair it is.
    pub leg: u8,
    /// The round.
    pub round: u32,
    /// The label of what is played.
    pub label: String,
    /// The names of the bots, by seats.
    pub bots: Vec<String>,
    /// The digests of the bots, by seats.
    pub digests: Vec<String>,
    /// The position string of the start where it is not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// The plies of the opening.
    pub opening: Vec<String>,
}

impl PairOrder {
    /// Returns the digest of what a pair is: its run, its manifest and its games, bots by their digests included.
    #[must_use]
    pub fn identify(run: &str, manifest: &str, pair: u64, games: &[GameOrder]) -> String {
        let text = serde_json::to_string(&(run, manifest, pair, games)).expect("texts and numbers are JSON");
        digest_of(text.as_bytes())
    }
}

/// What a worker tells the coordinator without the broker keeping it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Signal {
    /// It plays for this run.
    Hello(Hello),
    /// It is there, and these are the attempts that it has.
    Beat(Beat),
    /// It plays no further pairs, and returns those that it has not begun.
    Leaving {
        /// Its name.
        worker: String,
    },
}

impl Signal {
    /// Returns the name of the worker.
    #[must_use]
    pub fn worker(&self) -> &str {
        match self {
            Self::Hello(Hello { worker, .. })
            | Self::Beat(Beat { worker, .. })
            | Self::Leaving { worker } => worker,
        }
    }
}

/// A worker introduces itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Hello {
    /// Its name: no two workers have the same.
    pub worker: String,
    /// How many games it plays at once.
    pub slots: usize,
    /// The bots that do not start there, and why.
    pub unfit: Vec<UnfitBot>,
    /// The games that are not played there, and why.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unfit_games: Vec<UnfitGame>,
    /// What its clock shows, in milliseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<i64>,
    /// How fast it is, where the run asks for that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pace: Option<WorkerPace>,
    /// Why it plays nothing of the run, where that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub declined: Option<String>,
    /// Whether it plays nothing only for now, and will say when that is over.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub for_now: bool,
}

/// What came of measuring a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WorkerPace {
    /// By how much times are longer there.
    Times(f64),
    /// It plays no games that have a clock, for this reason.
    NoClocks(String),
}

/// A bot that does not start on a worker.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnfitBot {
    /// Its name.
    pub bot: String,
    /// Why, in words.
    pub why: String,
}

/// A game that a worker does not play.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnfitGame {
    /// Its label.
    pub game: String,
    /// Why, in words.
    pub why: String,
}

/// A sign of life.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Beat {
    /// The worker's name.
    pub worker: String,
    /// The attempts that it has, results on their way included.
    pub held: Vec<HeldAttempt>,
}

/// An attempt that a worker has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldAttempt {
    /// Which.
    pub attempt: String,
    /// The number of its pair.
    pub pair: u64,
    /// How many plies were played, and games begun: 0 where it has not begun.
    pub progress: u64,
}

/// What came of an attempt: kept by the broker until the coordinator has written it into the journal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// The worker's name.
    pub worker: String,
    /// Which attempt it was.
    pub attempt: String,
    /// The number of the pair.
    pub pair: u64,
    /// What the pair is.
    pub identity: String,
    /// What came of it.
    pub outcome: AttemptOutcome,
}

/// What came of an attempt.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AttemptOutcome {
    /// Every game was played.
    Played(Vec<PlayedGame>),
    /// It could not be played, for this reason.
    Failed(String),
}

/// A game that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Its record.
    #[serde(with = "record::embedded")]
    pub record: GameRecord,
    /// What belongs to it.
    #[serde(flatten)]
    pub(crate) told: AttemptTold,
    /// The records of void attempts at the game before this one.
    #[serde(default, skip_serializing_if = "Vec::is_empty", with = "record::embedded")]
    pub void: Vec<GameRecord>,
    /// What belongs to these, in their order; older workers do not send it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) void_told: Vec<AttemptTold>,
}

/// What a worker tells of an attempt at a game besides its record.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct AttemptTold {
    /// How bots failed, where they did.
    #[serde(
        default,
        alias = "failure",
        skip_serializing_if = "Vec::is_empty",
        deserialize_with = "one_or_more"
    )]
    pub(crate) failures: Vec<WireFailure>,
    /// Every line of it, where that is wanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) transcript: Option<String>,
}

/// Reads a list of failures, or the one failure that workers sent before they sent several.
fn one_or_more<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<WireFailure>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum OneOrMore {
        One(Box<WireFailure>),
        More(Vec<WireFailure>),
    }
    Ok(match OneOrMore::deserialize(deserializer)? {
        OneOrMore::One(failure) => vec![*failure],
        OneOrMore::More(failures) => failures,
    })
}

/// Returns the first digits of the SHA-256 of some bytes: what runs, pairs and small objects are called.
#[must_use]
pub fn digest_of(bytes: &[u8]) -> String {
    let mut digits = file_digest(bytes);
    digits.truncate(DIGITS);
    digits
}

/// Returns the SHA-256 of some bytes in hexadecimal digits: what files are called.
#[must_use]
pub fn file_digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Writes a message.
pub(crate) fn write(message: &impl Serialize) -> Vec<u8> {
    serde_json::to_vec(message).expect("messages hold nothing that is no JSON")
}

/// Reads a message; `None` where it is none of this version.
pub(crate) fn read<T: DeserializeOwned>(body: &[u8]) -> Option<T> {
    serde_json::from_slice(body).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(versions: (u32, u32)) -> RunNotice {
        RunNotice {
            versions,
            run: "r".to_owned(),
            name: "cup".to_owned(),
            arena: "9.9.9".to_owned(),
            rules: rules::signature(),
            manifest: String::new(),
            is_stopped: false,
        }
    }

    #[test]
    fn worker_and_coordinator_need_a_version_in_common() {
        let last = *VERSIONS.end();
        assert_eq!(notice((last, last + 5)).misfit(), None);
        assert_eq!(notice((0, last)).misfit(), None);
        let told = notice((last + 1, last + 2)).misfit().unwrap();
        assert!(
            told.contains("arena 9.9.9") && told.contains(&format!("versions {} to", last + 1)),
            "{told}"
        );
        assert!(told.ends_with("install the same arena on both machines"), "{told}");
        let other = RunNotice { rules: "other".to_owned(), ..notice((1, last)) };
        let told = other.misfit().unwrap();
        assert!(
            told.contains("other rules than those of this worker (signature other of arena 9.9.9"),
            "{told}"
        );
        assert!(told.ends_with("install the same arena on both machines"), "{told}");
    }

    #[test]
    fn the_one_failure_of_an_older_worker_is_read() {
        let failure = serde_json::json!({
            "bot": "b", "game": 7, "termination": "crash", "detail": "", "stderr": [], "seat": 2, "command": "b", "dir": "/",
            "is_confined": false, "exit": null, "lines": [], "left_out": 0, "flush": null, "scene": null,
        });
        let read =
            |game| super::read::<AttemptTold>(serde_json::to_string(&game).unwrap().as_bytes()).unwrap();
        let [none, one] = [serde_json::json!({}), serde_json::json!({ "failure": failure })].map(read);
        let [list, two] = [1, 2].map(|times| read(serde_json::json!({ "failures": vec![&failure; times] })));
        assert_eq!([&none, &one, &two].map(|told| told.failures.len()), [0, 1, 2]);
        assert_eq!(one, list);
    }

    #[test]
    fn a_pair_is_another_one_when_anything_of_it_changes() {
        let game = GameOrder {
            number: 1,
            leg: 1,
            round: 1,
            label: "farook".to_owned(),
            bots: vec!["a".to_owned(), "b".to_owned()],
            digests: vec!["1".to_owned(), "2".to_owned()],
            start: None,
            opening: vec!["a1".to_owned()],
        };
        let identity = |run: &str, game: GameOrder| PairOrder::identify(run, "m", 1, &[game]);
        let usual = identity("r", game.clone());
        assert_eq!(usual.len(), 32);
        assert_ne!(usual, identity("s", game.clone()));
        let changed = GameOrder { digests: vec!["1".to_owned(), "3".to_owned()], ..game.clone() };
        assert_ne!(usual, identity("r", changed));
        assert_ne!(usual, identity("r", GameOrder { opening: Vec::new(), ..game }));
    }

    #[test]
    fn fields_of_a_newer_version_are_left_alone() {
        let text = r#"{"beat":{"worker":"w","held":[],"temperature":40}}"#;
        assert_eq!(
            read::<Signal>(text.as_bytes()),
            Some(Signal::Beat(Beat { worker: "w".to_owned(), held: Vec::new() }))
        );
        assert_eq!(read::<Signal>(b"{"), None);
    }
}
