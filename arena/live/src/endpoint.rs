//! Everything by which a run in progress is watched and steered, for the code that plays it.

use std::num::NonZeroUsize;
use std::path::Path;

use record::GameRecord;
use runner::{BotFailure, Control, Live};

use crate::file::LiveFile;
use crate::order::Steering;
use crate::scoreboard::{Scoreboard, View};
use crate::socket::Socket;
use crate::state::LiveState;

/// Shows a run and takes orders for it.
#[derive(Debug)]
pub struct Endpoint {
    board: Scoreboard,
    steering: Steering,
    file: Option<LiveFile>,
    socket: Option<Socket>,
    /// How many games are played at once until that is changed.
    concurrency: usize,
    /// What the user was told last: whether the run is paused, and how many games are played at once.
    told: (bool, usize),
}

impl Endpoint {
    /// Shows a run that keeps its records in `directory`, or nowhere. Returns what the user is to be told where some of
    /// it is not to be had.
    pub fn open(
        board: Scoreboard,
        steering: Steering,
        concurrency: usize,
        directory: Option<&Path>,
    ) -> (Self, Vec<String>) {
        let mut complaints = Vec::new();
        let mut complain = |what: &str, error: std::io::Error| complaints.push(format!("{what}: {error}"));
        let told = (false, concurrency);
        let mut endpoint = Self { board, steering, file: None, socket: None, concurrency, told };
        if let Some(directory) = directory {
            endpoint.file = LiveFile::new(directory).map_err(|error| complain("no `live.json`", error)).ok();
            endpoint.socket = Socket::open(directory)
                .map_err(|error| complain("`arena ctl` will not reach this run", error))
                .ok();
        }
        (endpoint, complaints)
    }

    /// Returns where the games in progress are shown.
    pub fn live(&self) -> Live {
        self.board.live()
    }

    /// Returns whether the picture is kept in the run's directory.
    pub const fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// Takes the number of a game that begins.
    pub fn game_started(&mut self, number: u64) {
        self.board.game_started(number);
    }

    /// Takes a recorded game.
    pub fn game_finished(&mut self, game: &GameRecord) {
        self.board.game_finished(game.number);
    }

    /// Takes the number of a game that was void and is begun again.
    pub fn game_void(&mut self, number: u64) {
        self.board.game_void(number);
    }

    /// Takes a fault.
    pub fn fault(&mut self, failure: &BotFailure) {
        self.board.fault(failure);
    }

    /// Takes the name of a bot that is withdrawn.
    pub fn withdrawn(&mut self, bot: &str) {
        self.board.withdrawn(bot);
    }

    /// Notes that the user was told how many games are played at once.
    pub fn told_concurrency(&mut self, number: usize) {
        self.told.1 = number;
    }

    /// Carries out the orders that came, and returns what the user is to be told.
    pub fn steer(&mut self) -> Vec<String> {
        let mut told = Vec::new();
        let (board, steering) = (&self.board, &self.steering);
        let control: &Control = &steering.control;
        let slots = || control.slots().map_or(self.concurrency, NonZeroUsize::get);
        if let Some(socket) = &mut self.socket {
            socket.serve(|order| {
                let status = || board.status(control, slots());
                steering.carry_out(order, board.running(control), status)
            });
        }
        let is_paused = control.is_paused() && !control.is_finishing();
        if is_paused != self.told.0 {
            self.told.0 = is_paused;
            let running = board.running(control);
            told.push(match is_paused {
                true => format!(
                    "paused: no new games begin until `resume`; {} in progress",
                    diagnostic::output::count(running, "game")
                ),
                false if control.is_finishing() => "no longer paused: the run is ending".to_owned(),
                false => "resumed: games begin again".to_owned(),
            });
        }
        let now = slots();
        if now != self.told.1 {
            told.push(format!("concurrency is {now} instead of {}", self.told.1));
            self.told.1 = now;
        }
        told.extend(self.file.as_ref().and_then(LiveFile::complaint));
        told
    }

    /// Returns whether the picture is due in the run's directory.
    pub fn is_due(&self) -> bool {
        self.file.as_ref().is_some_and(LiveFile::is_due)
    }

    /// Makes the picture, and puts it into the run's directory where it is due there.
    pub fn show(&mut self, view: &View<'_>) -> LiveState {
        let mut state = self.board.state(view);
        if let Some(workers) = &self.steering.workers {
            state.workers = workers.workers();
        }
        if let Some(file) = self.file.as_mut().filter(|file| file.is_due()) {
            file.show(&state);
        }
        state
    }
}
