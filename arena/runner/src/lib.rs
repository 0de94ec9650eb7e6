//! The schedule, the bots, the clocks and the match loop: this crate turns a plan into game records.
//!
//! [`schedule()`] numbers the games of a run, [`probe()`] tries every bot before the first game, and [`play`] plays games,
//! several at once. `play` reports to a [`Listener`], one [`RunEvent`] after the other, and asks a [`Host`] for what it needs.
//! A bot can lose a game, but it can never stop a run or change a result: every wait has an absolute deadline and every buffer
//! that a bot fills has a bound.
//!
//! * `plan`: what is played and how; `schedule`: the games and their numbers; `opening`: how games begin.
//! * `run`: the slots that play games at once, the waiting games, and the listener.
//! * `game`: one game, with question, wait, verdict and record; `clock`: its clocks; `player`: one bot and the conversation
//!   with it.
//! * `interactive_game` and `partner`: games by hand, and a bot that plays or advises in them.
//! * `trial`: bots outside of a run.
//!
//! ```
//! use runner::{
//!     PlannedBot, Contest, Control, EventError, Launch, OpeningLength, OpeningSource, PairPlace, GamePlan, RunEvent, PlaySettings, Task, play,
//! };
//! # use settings::{Carrier, OpeningScope, Quota};
//!
//! /// Plays its first legal ply.
//! const FIRST: &str = "while read -r word rest; do case $word in \
//!     ugi) echo protocol 1; echo want legal; echo ugiok;; isready) echo readyok;; \
//!     legal) set -- $rest; ply=$1;; go) echo bestmove $ply;; quit) exit;; esac; done";
//!
//! let bot = |name: &str| PlannedBot {
//!     name: name.to_owned(),
//!     launch: Launch {
//!         program: "/bin/sh".into(),
//!         args: vec!["-c".into(), FIRST.into()],
//!         dir: "/".into(),
//!         # prefix: Vec::new(), env: Vec::new(), io: Carrier::Pipe, is_private: false, quota: Quota::default(),
//!         // …
//!     },
//!     # version: None, dialect: protocol::Profile::default(), options: Vec::new(), tc: None, digest: String::new(),
//!     # at_once: None,
//!     # files: Vec::new(),
//!     // …
//! };
//! let setup = rules::find("farook")?.setup(&[])?;
//! let contest = Contest {
//!     label: setup.label(),
//!     setup,
//!     tc: "10+0.1".parse()?,
//!     openings: OpeningSource::Random { length: OpeningLength::Plies(2), deepens: false },
//!     per: OpeningScope::Round,
//! };
//! let plan = GamePlan { bots: vec![bot("one"), bot("two")], contests: vec![contest], settings: PlaySettings::new(7) };
//! let place = PairPlace::default();
//! let task = Task { number: 1, pair: 1, leg: 1, round: 1, place, contest: 0, seats: [0, 1].into() };
//!
//! let mut games = Vec::new();
//! let control = Control::new();
//! let mut host = |event: RunEvent<'_>| -> Result<(), EventError> {
//!     if let RunEvent::GameFinished(game) = event {
//!         games.push(game);
//!     }
//!     Ok(())
//! };
//! let summary = play(&processes::Direct, &plan, vec![task], &control, &mut host)?;
//! assert_eq!((summary.played, games[0].number), (1, 1));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod clock;
mod effort;
mod game;
mod interactive_game;
mod opening;
mod partner;
mod plan;
mod player;
mod random;
mod run;
mod schedule;
#[cfg(test)]
mod tests;
mod trial;

pub use effort::HarnessCost;
pub use game::live::{Live, LiveGame, LivePlies, Said};
pub use game::scoresheet::Situation;
pub use interactive_game::{Ending, InteractiveGame, Kept, KeptError, KeptPly, Note, Refusal, SeatedPlayer};
pub use opening::{
    Book, BookError, BookErrorKind, Doubled, NoOpening, Opening, OpeningLength, OpeningSource, Openings,
};
pub use partner::{
    Inquiry, InquiryError, Partner, PartnerEvent, PartnerFailure, PartnerReply, PartnerReport,
};
pub use plan::{
    Contest, GameCores, GamePlan, Job, Launch, PinError, Pins, PlannedBot, PlaySettings, Task, Tasks,
    Unpinned, spare_cores,
};
pub use player::line_log::{Spoken, SpokenLine};
pub use player::trace::{Direction, TraceLine};
pub use run::{
    BotFailure, Control, Dispatch, EventError, Executor, Host, Listener, Offer, PlayCounts, RunError,
    RunEvent, ThisMachine, descriptors, play,
};
pub use schedule::{Fixture, Fixtures, PairPlace, Pending, meeting, pending, schedule};
pub use trial::{
    BotIdentity, Build, BuildEnd, BuildOutput, Built, Caught, ExitReport, JudgeError, OpeningJudge,
    ProbeFailure, ProbeResult, Repeated, ReproEnd, ReproGame, ReproVerdict, Wire, Wires, probe, rehearse,
    repro,
};
