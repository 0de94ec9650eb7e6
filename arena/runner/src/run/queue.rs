//! The games that have not begun, and which of them comes next.

use std::collections::{HashMap, VecDeque};
use std::mem;
use std::num::NonZeroU32;

use record::{BotId, GameRecord, GameSummary, Summarizer, Termination};
use rules::Seat;

use crate::game::assignment::Assignment;
use crate::run::withdrawal::{Ruling, Withdrawals};
use crate::{GamePlan, Task, Tasks};

/// How many games are searched for one that may begin, if the first ones must wait.
const LOOK_AHEAD: usize = 256;

/// How often a game is replayed after pauses of the arena itself. A bot that can stop the arena must not keep the run from
/// ending.
const MOST_PAUSED: u32 = 20;

/// The games of a run that have not ended, by number.
pub(crate) struct Queue<'a> {
    plan: &'a GamePlan,
    /// The identities of the plan's bots.
    identities: Vec<BotId>,
    /// The next games.
    waiting: VecDeque<Task>,
    /// The games after those.
    rest: Tasks<'a>,
    /// The running games, with their slots.
    running: Vec<(usize, Task)>,
    /// The bots' records of faults, if these may withdraw them.
    withdrawals: Option<Withdrawals>,
    /// How often games were void, by number and termination.
    void: HashMap<(u64, Termination), u32>,
}

/// The next step.
pub(crate) enum Next {
    /// A game to play.
    Play(Task),
    /// The record of a game that is not played.
    Record(Box<GameRecord>),
    /// Every possible game waits for running ones, or there is none.
    Nothing,
}

impl<'a> Queue<'a> {
    /// Starts with these games.
    pub(crate) fn new(plan: &'a GamePlan, tasks: Tasks<'a>) -> Self {
        Self {
            plan,
            identities: plan.bots.iter().map(crate::PlannedBot::identity).collect(),
            waiting: VecDeque::new(),
            rest: tasks,
            running: Vec::new(),
            withdrawals: plan.settings.conditions.max_faults.map(Withdrawals::new),
            void: HashMap::new(),
        }
    }

    /// Appends games, whose numbers follow the existing ones.
    pub(crate) fn extend(&mut self, tasks: Vec<Task>) {
        self.rest = mem::replace(&mut self.rest, Vec::new().into()).then(tasks);
    }

    /// Returns how many games have not begun.
    pub(crate) fn len(&self) -> usize {
        self.waiting.len() + self.rest.len()
    }

    /// Returns whether every game has begun.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns whether no game is running.
    pub(crate) fn is_quiet(&self) -> bool {
        self.running.is_empty()
    }

    /// Adds a game that was recorded before.
    pub(crate) fn push_recorded(&mut self, game: &GameSummary<'_>) {
        if let Some(withdrawals) = &mut self.withdrawals {
            withdrawals.push(game);
        }
    }

    /// Adds a finished game.
    pub(crate) fn push(&mut self, game: &GameRecord) {
        if let Some(withdrawals) = &mut self.withdrawals {
            withdrawals.push(&Summarizer::default().push(game, 0));
        }
    }

    /// Adds the number of a void game, and its termination.
    pub(crate) fn push_void(&mut self, number: u64, reason: Termination) {
        *self.void.entry((number, reason)).or_insert(0) += 1;
    }

    /// Returns whether a game with a doubtful end is replayed.
    pub(crate) fn may_replay(&self, game: &GameRecord) -> bool {
        let most = match game.reason {
            Termination::ArenaError => MOST_PAUSED,
            _ => self.plan.settings.conditions.replay_noisy.map_or(0, NonZeroU32::get),
        };
        self.void.get(&(game.number, game.reason)).copied().unwrap_or(0) < most
    }

    /// Records that the game of a slot is over, recorded or not.
    pub(crate) fn ended(&mut self, slot: usize) {
        self.running.retain(|(other, _)| *other != slot);
    }

    /// Puts the unfinished game of a slot back into the queue, by its number.
    pub(crate) fn give_back(&mut self, slot: usize) {
        if let Some(place) = self.running.iter().position(|(other, _)| *other == slot) {
            let (_, task) = self.running.remove(place);
            let before = self.waiting.partition_point(|other| other.number < task.number);
            self.waiting.insert(before, task);
        }
    }

    /// Returns the next step. A game to play then belongs to the slot.
    pub(crate) fn next(&mut self, slot: usize) -> Next {
        let mut passed: Vec<Task> = Vec::new();
        for index in 0..LOOK_AHEAD {
            if index == self.waiting.len() {
                let Some(task) = self.rest.next() else { break };
                self.waiting.push_back(task);
            }
            let task = self.waiting[index].clone();
            match self.rule(&task, &passed) {
                Ruling::Play if self.has_room(&task) => {
                    self.waiting.remove(index);
                    self.running.push((slot, task.clone()));
                    return Next::Play(task);
                }
                Ruling::Play | Ruling::Wait => passed.push(task),
                Ruling::Withdrawn(seat) => {
                    self.waiting.remove(index);
                    return Next::Record(Box::new(self.withdrawn(&task, seat)));
                }
            }
        }
        Next::Nothing
    }

    /// Decides whether a game is played, given that the `passed` games come before it.
    fn rule(&self, task: &Task, passed: &[Task]) -> Ruling {
        let Some(withdrawals) = &self.withdrawals else { return Ruling::Play };
        let open = task.seats.each_ref().map(|bot| {
            let others = self.running.iter().map(|(_, other)| other).chain(passed);
            others.filter(|other| other.number < task.number && other.seats.contains(bot)).count()
        });
        withdrawals.rule(task.number, &task.seats.each_ref().map(|bot| &self.identities[*bot]), &open)
    }

    /// Returns whether all bots of a game may play one more game at once.
    fn has_room(&self, task: &Task) -> bool {
        task.seats.iter().all(|bot| {
            let Some(most) = self.plan.bots[*bot].at_once else { return true };
            let seats = |task: &Task| task.seats.iter().filter(|other| *other == bot).count();
            let running: usize = self.running.iter().map(|(_, other)| seats(other)).sum();
            running == 0 || running + seats(task) <= most.get()
        })
    }

    fn withdrawn(&self, task: &Task, seat: Seat) -> GameRecord {
        let withdrawals = self.withdrawals.as_ref();
        let faults = withdrawals.map_or(0, |withdrawals| withdrawals.most().get());
        let versions = task
            .seats
            .each_ref()
            .map(|bot| withdrawals.map_or("", |withdrawals| withdrawals.version(&self.identities[*bot])));
        Assignment { plan: self.plan, task }.withdrawn(seat, faults, &versions)
    }
}
