//! How a bot failed, on its way to the coordinator: what [`BotFailure`] says.

use std::time::Duration;

use record::Termination;
use runner::{BotFailure, Direction, Situation, Spoken, SpokenLine};
use serde::{Deserialize, Serialize};

/// A failure of a bot, fit to be sent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct WireFailure {
    bot: String,
    game: u64,
    termination: Termination,
    detail: String,
    stderr: Vec<String>,
    seat: u8,
    command: String,
    dir: String,
    is_confined: bool,
    exit: Option<String>,
    lines: Vec<WireLine>,
    left_out: u64,
    flush: Option<String>,
    scene: Option<(usize, String, Vec<String>)>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct WireLine {
    us: u64,
    is_to_bot: bool,
    text: String,
    left_out: usize,
}

impl From<BotFailure> for WireFailure {
    fn from(failure: BotFailure) -> Self {
        let line = |line: SpokenLine| WireLine {
            us: u64::try_from(line.at.as_micros()).unwrap_or(u64::MAX),
            is_to_bot: line.direction == Direction::ToBot,
            text: line.text,
            left_out: line.left_out,
        };
        Self {
            bot: failure.bot,
            game: failure.game,
            termination: failure.termination,
            detail: failure.detail,
            stderr: failure.stderr,
            seat: failure.seat,
            command: failure.command,
            dir: failure.dir.to_string_lossy().into_owned(),
            is_confined: failure.is_confined,
            exit: failure.exit,
            lines: failure.spoken.lines.into_iter().map(line).collect(),
            left_out: failure.spoken.left_out,
            flush: failure.flush,
            scene: failure.scene.map(|scene| (scene.ply, scene.position, scene.legal)),
        }
    }
}

impl From<WireFailure> for BotFailure {
    fn from(failure: WireFailure) -> Self {
        let line = |line: WireLine| SpokenLine {
            at: Duration::from_micros(line.us),
            direction: if line.is_to_bot { Direction::ToBot } else { Direction::FromBot },
            text: line.text,
            left_out: line.left_out,
        };
        // What another machine calls fit to be shown is made so here.
        let shown = |text: &String| protocol::printable(text).into_owned();
        Self {
            bot: failure.bot,
            game: failure.game,
            termination: failure.termination,
            detail: failure.detail,
            stderr: failure.stderr.iter().map(shown).collect(),
            seat: failure.seat,
            command: failure.command,
            dir: failure.dir.into(),
            is_confined: failure.is_confined,
            exit: failure.exit,
            spoken: Spoken {
                lines: failure.lines.into_iter().map(line).collect(),
                left_out: failure.left_out,
            },
            flush: failure.flush,
            scene: failure.scene.map(|(ply, position, legal)| Situation { ply, position, legal }),
        }
    }
}
