//! Taking plies back and playing them again, the record of a session, and the questions to its bots.

use std::time::Duration;

use protocol::GameSetup;
use record::{GameRecord, GameResult, SeatControl, SeatExit, SeatRecord, Termination};
use rules::{PerSeat, Seat};
use settings::TimeControl;

use super::{Ending, InteractiveGame, Step, scoresheet};
use crate::Inquiry;
use crate::game::assignment::{opponents, setup_of};
use crate::random::bot_seed;

impl InteractiveGame {
    /// Takes plies back: to the person's last decision if one person plays against a bot, a single ply if two persons or two
    /// bots play, and only the end of the game if the person ended it. Forced passes go with the ply before them, and clocks
    /// return to their earlier values. Returns how many plies were taken back; `None` if there is nothing to take back.
    pub fn undo(&mut self, now: Duration) -> Option<usize> {
        let person = self.lone_person();
        if self.ending.is_some() && (person.is_none() || person == Some(self.scoresheet.referee().seat())) {
            self.go_to(self.len(), now);
            return Some(0);
        }
        self.back(person, now)
    }

    /// Takes a single ply back, whoever played it; otherwise as [`InteractiveGame::undo`].
    pub fn undo_ply(&mut self, now: Duration) -> Option<usize> {
        self.back(None, now)
    }

    /// Plays again the plies that [`InteractiveGame::undo`] took back, in the same steps. Returns how many plies; `None` if
    /// nothing was taken back, or another ply has been played since.
    pub fn redo(&mut self, now: Duration) -> Option<usize> {
        self.forth(self.lone_person(), now)
    }

    /// Plays a single ply again that was taken back; otherwise as [`InteractiveGame::redo`].
    pub fn redo_ply(&mut self, now: Duration) -> Option<usize> {
        self.forth(None, now)
    }

    /// Returns how many plies were taken back and not replaced.
    #[must_use]
    pub fn taken_back(&self) -> usize {
        self.line.len() - self.len()
    }

    /// Returns the question to the bot that decides; `None` once the game is over. The answer has the same `id`.
    #[must_use]
    pub fn inquiry(&self, id: u64) -> Option<Inquiry> {
        let seat = self.decider()?;
        let others =
            self.sitters.by_seat().filter(|(other, _)| *other != seat).map(|(_, sitter)| &*sitter.name);
        let tc = self.sitter(seat).tc.clone().unwrap_or_else(Self::usual_control);
        let setup = GameSetup {
            seed: Some(self.seed(seat)),
            id: Some(self.number.to_string()),
            opponent: Some(opponents(others)),
            ..setup_of(&self.setup, &tc, seat)
        };
        Some(Inquiry::of(id, self.scoresheet.fork(), setup))
    }

    /// Returns a question for advice on the position, with its own time control; `None` once the game is over.
    #[must_use]
    pub fn advice(&self, id: u64, tc: &TimeControl) -> Option<Inquiry> {
        self.decider()?;
        // No ply tells that a seat went out: what follows is told from the position after it.
        let line = &self.line[..self.len()];
        let first = line.iter().rposition(|step| step.exit.is_some()).map_or(0, |exit| exit + 1);
        let start = first.checked_sub(1).map(|exit| line[exit].position.as_str());
        let plies: Vec<_> = line[first..].iter().map(|step| step.ply.clone()).collect();
        Inquiry::new(id, &self.setup, start.or(self.start.as_deref()), &plies, tc, &self.settings).ok()
    }

    /// Returns the record of the game so far. An unfinished game is recorded as left. `started` is its start (RFC 3339, UTC),
    /// `took` its duration.
    #[must_use]
    pub fn record(&self, started: &str, took: Duration) -> GameRecord {
        let left = Ending { result: GameResult::None, reason: Termination::Aborted };
        let Ending { result, reason } = self.ending().unwrap_or(left);
        let seats = PerSeat::new(self.sitters.len(), |seat| {
            let sitter = self.sitter(seat);
            SeatRecord {
                bot: sitter.name.clone(),
                version: sitter.version.clone(),
                digest: sitter.digest.clone(),
                tc: sitter.tc.clone().map(SeatControl::from).unwrap_or_default(),
                seed: self.seed(seat),
                overruns: self.scoresheet.clock(seat).overruns(),
                retries: 0,
                warnings: Vec::new(),
                exit: None,
                cpu_ms: None,
                peak_kib: None,
                out: self.exit(seat),
            }
        });
        let options = self.setup.options().iter().map(|(key, value)| ((*key).to_owned(), value.clone()));
        GameRecord {
            number: self.number,
            pair: self.number,
            leg: 1,
            round: u32::try_from(self.number).unwrap_or(u32::MAX),
            game: self.setup.game().id.to_owned(),
            options: options.collect(),
            label: self.setup.label(),
            start: self.start.clone(),
            seats,
            opening: 0,
            plies: self.scoresheet.plies().to_vec(),
            result,
            reason,
            detail: None,
            failed: None,
            started: started.to_owned(),
            seconds: took.as_millis() as f64 / 1000.0,
            gathered: None,
            worker: None,
        }
    }

    /// Returns how a seat went out, if it resigned or lost on time.
    fn exit(&self, seat: Seat) -> Option<SeatExit> {
        let mut ply = 1;
        for step in &self.line[..self.len()] {
            match step.exit {
                Some(reason) if step.seat == seat => return Some(SeatExit { reason, detail: None, ply }),
                Some(_) => {}
                None => ply += 1,
            }
        }
        None
    }

    /// Returns the seed of a seat, which differs in every game of the session.
    fn seed(&self, seat: Seat) -> u64 {
        let names = self.sitters.each_ref().map(|sitter| sitter.name.as_str());
        let round = u32::try_from(self.number).unwrap_or(u32::MAX);
        bot_seed(self.settings.seed, &self.setup.label(), &names, (round, 1), seat)
    }

    /// Returns the seat of the person, if exactly one plays.
    fn lone_person(&self) -> Option<Seat> {
        let mut persons = self.sitters.by_seat().filter(|(_, sitter)| sitter.is_person);
        persons.next().filter(|_| persons.next().is_none()).map(|(seat, _)| seat)
    }

    fn back(&mut self, person: Option<Seat>, now: Duration) -> Option<usize> {
        let count = self.len();
        let is_own = |step: &Step| !step.is_forced && person.is_none_or(|seat| step.seat == seat);
        let target = self.line[..count].iter().rposition(is_own)?;
        self.go_to(target, now);
        Some(count - target)
    }

    fn forth(&mut self, person: Option<Seat>, now: Duration) -> Option<usize> {
        let count = self.len();
        let is_own = |step: &Step| !step.is_forced && person.is_none_or(|seat| step.seat == seat);
        if count == self.line.len() {
            return None;
        }
        let after = self.line[count + 1..].iter().position(is_own).map(|more| count + 1 + more);
        let target = after.unwrap_or(self.line.len());
        self.go_to(target, now);
        Some(target - count)
    }

    /// Sets the game up again with `count` plies of the line. Its end, unless by the rules, is forgotten.
    pub(super) fn go_to(&mut self, count: usize, now: Duration) {
        let fresh = scoresheet(&self.setup, self.start.as_deref(), &self.sitters, &self.settings);
        self.scoresheet = fresh.expect("the game began from there");
        self.ending = None;
        self.at = count;
        for step in &self.line[..count] {
            if step.exit.is_some() {
                self.scoresheet.put_out(step.seat).expect("it went out there");
                continue;
            }
            if let Some(spent) = step.spent {
                self.scoresheet.ask();
                self.scoresheet.charge(spent);
            }
            self.scoresheet.play(&step.ply, step.info.clone()).expect("the ply was played there");
        }
        if self.scoresheet.outcome().is_none() {
            self.scoresheet.ask();
        }
        self.since = now;
    }
}
