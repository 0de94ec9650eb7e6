//! A slot and its bots on one processor, while the bots answer at once (`pin: auto`).
//!
//! Only one of them works at a time, and a line between two processors takes ten times as long as on one, because the other
//! processor must be woken. So after a game of short decisions, a slot moves its bots to a processor that no other slot has.
//! They are not confined there: when a decision takes longer than the first wait for it ([`crate::game::polling`]), the bots
//! and the slot may run everywhere again. A bot is never moved if it works on two processors at a time, starts another thread,
//! or chooses its own processors, or if the system refuses.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use processes::{Cpus, Topology};
use record::Gathered;
use settings::{Pin, Ponder};

use crate::PlaySettings;
use crate::player::Player;

/// The longest average time of a ply in a game of bots that answer at once: slightly more than the cost of lines between
/// processors.
const QUICK_PLY: Duration = Duration::from_micros(400);

/// How long bots stay gathered until their threads are counted again.
const TRUST: Duration = Duration::from_millis(100);

/// How long no bots are gathered after a longer decision: the bots think from time to time, or the machine has other work.
const PAUSE: Duration = Duration::from_secs(1);

/// The processors for slots, at most one slot each.
#[derive(Debug, Default)]
pub(crate) struct MeetingPlaces {
    /// The processors that the arena may use, by physical cores.
    cores: Vec<Vec<usize>>,
    taken: Mutex<Vec<usize>>,
}

impl MeetingPlaces {
    /// Returns those of this machine; empty if slots must not be gathered, or if there are fewer than games at once.
    pub(crate) fn new(settings: &PlaySettings) -> Self {
        let conditions = &settings.conditions;
        if conditions.pin != Pin::Auto || conditions.ponder == Ponder::Yes {
            return Self::default();
        }
        let cores: Vec<Vec<usize>> = Topology::of_this_machine().map_or_else(Vec::new, |topology| {
            topology.cores().iter().map(|core| core.cpus.iter().collect()).collect()
        });
        // If bots wait for processors, each must be able to move to a free one.
        let is_roomy = settings.concurrency.get() <= cores.iter().map(Vec::len).sum();
        Self { cores: if is_roomy { cores } else { Vec::new() }, taken: Mutex::default() }
    }

    /// Takes a processor: the wanted one if it is free, otherwise one on the core with the most free ones.
    fn take(&self, wanted: Option<usize>) -> Option<usize> {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let free =
            |core: &Vec<usize>| core.iter().copied().filter(|cpu| !taken.contains(cpu)).collect::<Vec<_>>();
        let untouched = |core: &&Vec<usize>| free(core).len() == core.len();
        let on_wanted =
            self.cores.iter().filter(untouched).find(|core| wanted.is_some_and(|cpu| core.contains(&cpu)));
        let cpu = match on_wanted {
            Some(_) => wanted,
            None => {
                let emptiest = self.cores.iter().map(free).max_by_key(Vec::len);
                emptiest.and_then(|cpus| cpus.first().copied())
            }
        }?;
        taken.push(cpu);
        Some(cpu)
    }

    fn give_back(&self, cpu: usize) {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| *other != cpu);
    }
}

/// The processor of one slot.
#[derive(Debug)]
pub(crate) struct Gathering<'a> {
    places: &'a MeetingPlaces,
    /// The processors of the slot when it is not gathered.
    everywhere: Cpus,
    /// The processor, while the slot is on it.
    cpu: Option<usize>,
    /// When the threads of its bots are counted again.
    recount: Instant,
    /// Until when no bots are gathered, because one took longer than expected.
    pause: Option<Instant>,
    /// The processor of the last game, and when it was left during the game.
    last: Option<(usize, Option<Instant>)>,
}

impl<'a> Gathering<'a> {
    /// Returns the state before gathering; `None` if slots cannot be gathered.
    pub(crate) fn new(places: &'a MeetingPlaces) -> Option<Self> {
        if places.cores.is_empty() {
            return None;
        }
        let (everywhere, recount) = (Cpus::allowed()?, Instant::now());
        Some(Self { places, everywhere, cpu: None, recount, pause: None, last: None })
    }

    /// Releases everything unless the next bots may be gathered.
    pub(crate) fn prepare(&mut self, players: Vec<Option<&mut Player>>) {
        self.last = None;
        if !players.iter().all(|player| player.as_ref().is_some_and(|player| player.may_gather())) {
            self.part(players.into_iter().flatten());
        }
    }

    /// Moves the slot and bots that answer at once to one processor.
    pub(crate) fn gather(&mut self, players: &mut [Player]) {
        self.try_gather(players);
        self.last = self.cpu.map(|cpu| (cpu, None));
    }

    fn try_gather(&mut self, players: &mut [Player]) {
        let pauses = self.pause.is_some_and(|end| Instant::now() < end);
        if pauses || !players.iter().all(Player::may_gather) {
            return self.part(players);
        }
        let is_known = self.cpu.is_some() && players.iter().all(Player::is_gathered);
        if is_known && Instant::now() < self.recount {
            return;
        }
        let Some(cpu) = self.cpu.or_else(|| self.places.take(Cpus::current())) else {
            return self.part(players);
        };
        self.cpu = Some(cpu);
        let here: Cpus = [cpu].into_iter().collect();
        let is_gathered =
            players.iter_mut().all(|player| player.gather(&here, &self.everywhere)) && here.take().is_ok();
        if !is_gathered {
            return self.part(players);
        }
        self.recount = Instant::now() + TRUST;
    }

    /// Releases the slot and these bots to run everywhere.
    pub(crate) fn part<'p>(&mut self, players: impl IntoIterator<Item = &'p mut Player>) {
        players.into_iter().for_each(Player::let_go);
        if let Some(cpu) = self.cpu.take() {
            // The thread has been there before, so this succeeds.
            let _ = self.everywhere.take();
            self.places.give_back(cpu);
        }
    }

    /// Lets the slot start processes that may run everywhere, until it gathers again.
    pub(crate) fn step_out(&self) {
        if self.cpu.is_some() {
            // The thread has been there before, so this succeeds.
            let _ = self.everywhere.take();
        }
    }

    /// Returns the shared processor of the last game, which began at this instant, if there was one.
    pub(crate) fn told(&self, began: Instant) -> Option<Gathered> {
        let (processor, parted) = self.last?;
        let until = parted.map(|parted| parted.saturating_duration_since(began).as_millis() as f64 / 1000.0);
        Some(Gathered { processor, until })
    }

    /// Records the facts of a game for its bots: its duration, its plies, and the processor time of each bot.
    pub(crate) fn note(
        &mut self,
        players: &mut [Player],
        took: Duration,
        plies: usize,
        used: &[Option<Duration>],
    ) {
        let is_parted = self.cpu.is_some() && !players.iter().all(Player::is_gathered);
        if is_parted {
            let gone = players.iter().filter(|player| !player.is_gathered());
            self.last = self.cpu.map(|cpu| (cpu, gone.filter_map(Player::was_let_go).min()));
            self.part(players.iter_mut());
            self.pause = Some(Instant::now() + PAUSE);
        }
        let is_quick = !is_parted && took <= QUICK_PLY * u32::try_from(plies).unwrap_or(u32::MAX);
        for (player, used) in players.iter_mut().zip(used) {
            player.note_game(is_quick, took, *used);
        }
    }
}

impl Drop for Gathering<'_> {
    fn drop(&mut self) {
        self.part([]);
    }
}
