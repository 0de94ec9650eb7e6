//! The schedule, the bots' processes, the clocks and the match loop: what turns a plan into game records.
//!
//! [`schedule()`] numbers the games of a run, [`probe()`] tries every bot before the first game, and [`play`]
//! plays games, several at once, and tells a [`Host`] what happens, one [`RunEvent`] after the other. A bot can lose a game here, never stop a run or
//! touch a result; every wait has an absolute deadline and every buffer that a bot fills has a bound.

mod clock;
mod effort;
mod game;
mod opening;
mod partner;
mod plan;
mod player;
mod random;
mod run;
mod schedule;
mod session;
#[cfg(test)]
mod tests;
mod trial;

pub use effort::Effort;
pub use game::live::{Live, LiveGame, Plies, Said};
pub use game::scoresheet::Scene;
pub use opening::{Book, BookError, BookFault, Doubled, Length, NoOpening, Opening, OpeningSource, Openings};
pub use partner::{Inquiry, InquiryError, Partner, PartnerEvent, PartnerFailure, PartnerReply, Report};
pub use plan::{Bot, Contest, Launch, PinError, Pins, Place, Plan, Settings, Task, Tasks, Unpinned};
pub use player::line_log::{Spoken, SpokenLine};
pub use player::trace::{Direction, TraceLine};
pub use run::{
    BotFailure, Control, EventError, FREE_REFUSALS, Host, Listener, RunError, RunEvent, Summary, descriptors,
    play, play_with,
};
pub use schedule::{Fixture, PairPlace, Pending, Schedule, meeting, pending, schedule};
pub use session::{Ending, Kept, KeptError, KeptPly, Note, Refusal, Session, Sitter};
pub use trial::{
    BotIdentity, Build, BuildEnd, BuildOutput, Built, Caught, Judge, JudgeError, ProbeFailure, ProbeResult,
    Recorded, Remains, Repeated, ReproEnd, Verdict, Wire, Wires, probe, probe_with, rehearse, repro,
};
