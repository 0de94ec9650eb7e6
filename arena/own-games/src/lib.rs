//! Games of one's own: rules that are not part of the arena, in a WebAssembly module or a program.
//!
//! Rules answer questions: a line of text in, a line of JSON out, and nothing is remembered in between. A [`RulesCarrier`]
//! carries questions and answers, and knows neither JSON nor games. There are two: a [`RulesModule`] is asked within this
//! process and reaches nothing outside its memory; a [`RulesProgram`] is asked over pipes, and is started, guarded and
//! confined as a bot is. A [`RulesClient`] asks with types, and [`load()`] makes a [`rules::Game`] of
//! what answers.

mod answers;
mod carrier;
mod client;
mod exits;
mod facts;
mod game;
mod load;
mod module;
mod program;
mod referee;
mod text_list;

pub use answers::{
    About, EndAnswer, GameAnswer, MOST_LEGAL_PLIES, MOST_POSITION_BYTES, OptionAnswer, PositionAnswer,
    ProofAnswer, RulesRefusal, check_position,
};
pub use carrier::{CarrierFault, CarrierFaultKind, MAX_ANSWER, RulesCarrier};
pub use client::{RulesClient, RulesQuestion};
pub use exits::{fault_word, seats_after};
pub use facts::{GameFacts, MOST_PLIES};
pub use game::{Origin, ask_for_game};
pub use load::{
    LoadError, RULES, keep_modules, load, load_module, named_source, open_module, with_modules_beside,
    with_rules,
};
pub use module::{MAX_MODULE, ModuleError, ModuleLimits, RulesModule, module_engine};
pub use program::{ProgramLimits, RulesProgram};
pub use text_list::TextList;
