//! Handing out the games of a run and collecting their records, for any kind of place that plays them.

use record::GameRecord;

use crate::run::queue::{Next, Queue};
use crate::{
    Control, GamePlan, Host, Job, NoOpening, Opening, Openings, PlayCounts, RunError, RunEvent, Task, Tasks,
};

/// What a place does next.
#[derive(Debug)]
pub enum Offer {
    /// It plays this game.
    Play(Job),
    /// It waits: running games decide what comes next, or the host has no game yet.
    Wait,
    /// Nothing more will come.
    Done,
}

/// The unfinished games of a run, and the host that learns of the finished ones.
///
/// It decides which game comes next, whether it is played at all and what counts, from the plan, the records and the order of
/// the numbers alone. The code that plays games, on this machine ([`crate::play`]) or on others, only takes them and returns
/// records. The caller numbers the places where games are played; each holds at most one game.
pub struct Dispatch<'a> {
    control: &'a Control,
    /// Ends the games when the run has failed.
    stop: Control,
    openings: Vec<Openings>,
    queue: Queue<'a>,
    /// Whether the host may have more games.
    has_more: bool,
    host: &'a mut dyn Host,
    counts: PlayCounts,
    error: Option<RunError>,
}

impl Drop for Dispatch<'_> {
    fn drop(&mut self) {
        self.stop.abort();
    }
}

impl<'a> Dispatch<'a> {
    /// Starts with these games. `stop` is aborted once the run has failed, or this is dropped.
    pub fn new(
        plan: &'a GamePlan,
        tasks: Tasks<'a>,
        control: &'a Control,
        stop: Control,
        host: &'a mut dyn Host,
    ) -> Self {
        let openings = plan.contests.iter().map(|contest| {
            Openings::new(&contest.setup, &contest.openings, plan.settings.seed).per(contest.per)
        });
        let mut queue = Queue::new(plan, tasks);
        host.recorded(&mut |game| queue.push_recorded(game));
        host.recorded_void(&mut |game| queue.push_void(game.number, game.reason));
        let more = host.more();
        let has_more = more.is_some();
        queue.extend(more.unwrap_or_default());
        let (openings, counts, error) = (openings.collect(), PlayCounts::default(), None);
        Self { control, stop, openings, queue, has_more, host, counts, error }
    }

    /// Returns the next game, which then belongs to `place`.
    pub fn next(&mut self, place: usize) -> Offer {
        while self.may_go_on() {
            if self.has_more && self.queue.is_empty() {
                let more = self.host.more();
                self.has_more = more.is_some();
                self.queue.extend(more.unwrap_or_default());
            }
            if !self.has_more && self.queue.is_empty() {
                break;
            }
            match self.queue.next(place) {
                Next::Nothing => return Offer::Wait,
                Next::Record(game) => self.counts.withdrawn += u64::from(self.keep(game)),
                Next::Play(task) => match self.opening(&task) {
                    Ok(opening) => {
                        self.tell(RunEvent::GameStarted { task: &task, slot: place });
                        return Offer::Play(Job { task, opening });
                    }
                    Err(error) => {
                        self.queue.give_back(place);
                        self.fail(error.into());
                    }
                },
            }
        }
        Offer::Done
    }

    fn opening(&mut self, task: &Task) -> Result<Opening, NoOpening> {
        match self.host.opening(task) {
            Some(opening) => Ok(opening),
            None => self.openings[task.contest].of_pair(task.round, task.place),
        }
    }

    /// Handles the record of the game of a place.
    pub fn finished(&mut self, place: usize, game: Box<GameRecord>) {
        self.queue.ended(place);
        self.counts.played += u64::from(self.keep(game));
    }

    /// Returns whether a game with a doubtful end is replayed.
    #[must_use]
    pub fn may_replay(&self, game: &GameRecord) -> bool {
        self.queue.may_replay(game)
    }

    /// Reports the void game of a place and lets it begin again.
    pub fn replay(&mut self, place: usize, game: Box<GameRecord>) {
        self.queue.give_back(place);
        self.void(game);
    }

    /// Reports the void game of a place, which has begun again there.
    pub fn begun_again(&mut self, place: usize, task: &Task, game: Box<GameRecord>) {
        self.void(game);
        self.tell(RunEvent::GameStarted { task, slot: place });
    }

    fn void(&mut self, game: Box<GameRecord>) {
        self.queue.push_void(game.number, game.reason);
        self.counts.void += u64::from(self.record(game.number, RunEvent::GameVoid(game)));
    }

    /// Reports what a worker has played or tried that counts nowhere.
    pub fn uncounted(&mut self, game: Box<GameRecord>) {
        self.record(game.number, RunEvent::GameUncounted(game));
    }

    /// Records games that were begun and will not be finished.
    pub fn abandoned(&mut self, games: u64) {
        self.counts.abandoned += games;
    }

    /// Reports a finished game; returns whether its record was stored.
    fn keep(&mut self, game: Box<GameRecord>) -> bool {
        self.queue.push(&game);
        self.record(game.number, RunEvent::GameFinished(game))
    }

    /// Reports a record; returns whether it was stored.
    fn record(&mut self, game: u64, event: RunEvent<'_>) -> bool {
        let told = self.host.event(event);
        told.map_err(|source| self.fail(RunError::Record { game, source })).is_ok()
    }

    /// Reports an event.
    pub fn tell(&mut self, event: RunEvent<'_>) {
        if let Err(source) = self.host.event(event) {
            self.fail(RunError::Event { source });
        }
    }

    /// Stops the run. The first error counts.
    pub fn fail(&mut self, error: RunError) {
        // Interrupted rules have not failed.
        if self.control.is_aborting() && matches!(error, RunError::Rules { .. } | RunError::Opening(_)) {
            self.counts.abandoned += 1;
            return;
        }
        self.error.get_or_insert(error);
        self.stop();
    }

    /// Ends the running games.
    pub(crate) fn stop(&self) {
        self.stop.abort();
    }

    /// Returns whether the run has failed.
    #[must_use]
    pub const fn has_failed(&self) -> bool {
        self.error.is_some()
    }

    /// Returns whether further games may begin.
    #[must_use]
    pub fn may_go_on(&self) -> bool {
        self.error.is_none() && !self.control.is_finishing() && !self.stop.is_aborting()
    }

    /// Returns how many games have not begun; `None` if the host may have more.
    #[must_use]
    pub fn left(&self) -> Option<usize> {
        (!self.has_more).then(|| self.queue.len())
    }

    /// Returns whether no running game could decide about others, and the host has none to wait for.
    #[must_use]
    pub fn is_quiet(&self) -> bool {
        self.queue.is_quiet() && !self.host_waits()
    }

    /// Returns whether the host may have games later although none is running.
    pub(crate) fn host_waits(&self) -> bool {
        self.has_more && self.host.waits()
    }

    /// Ends the run.
    ///
    /// # Errors
    /// When it has failed.
    pub fn close(mut self) -> Result<PlayCounts, RunError> {
        self.counts.left = self.queue.len() as u64;
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(self.counts),
        }
    }
}
