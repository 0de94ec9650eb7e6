//! How often each bot failed, and how.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use record::{GameSummary, SeatedBot, Termination};
use rules::Seat;
use rustc_hash::FxBuildHasher;

use crate::writing::sheet::{Kind, Sheet};
use crate::{ContestantId, Look, RunReport};

/// The faults of one bot.
#[derive(Clone, Copy, Debug, Default)]
struct Marks {
    games: u64,
    /// Games lost by faults, in the order of [`Termination::FAULTS`].
    faults: [u64; Termination::FAULTS.len()],
    refused: u64,
    not_started: u64,
    /// Stalls that were forgiven.
    forgiven: u64,
    withdrawn: u64,
}

/// Returns the table of faults, a row for each bot with a fault, in order of names; `None` if there are none.
#[must_use]
pub(crate) fn fault_table(run: &RunReport<'_>, look: &Look) -> Option<String> {
    let contents = run.contents();
    run.incidents().next()?;
    let address = |sitter: &Arc<SeatedBot>| Arc::as_ptr(sitter).addr();
    let mut sitters: HashMap<usize, Marks, FxBuildHasher> = HashMap::default();
    for game in &contents.games {
        for (seat, sitter) in game.seats().by_seat() {
            sitters.entry(address(sitter)).or_default().take(&game, seat);
        }
    }
    let mut bots: BTreeMap<(&str, &str, &str), Marks> = BTreeMap::new();
    for sitter in contents.games.lineups().flat_map(|lineup| &lineup.seats) {
        if let Some(marks) = sitters.remove(&address(sitter)) {
            bots.entry((&sitter.bot, &sitter.version, &sitter.digest)).or_default().add(&marks);
        }
    }
    bots.retain(|_, marks| marks.has_any());
    if bots.is_empty() {
        return None;
    }
    let players = &run.results().players;
    let mut sheet = Sheet::default();
    sheet.column("bot", Kind::Name, 0);
    sheet.column("games", Kind::Figure, 4);
    sheet.column("faults", Kind::Figure, 0);
    sheet.column("refused", Kind::Figure, 3);
    sheet.column("withdrawn from", Kind::Figure, 2);
    sheet.column("by reason", Kind::Rest, 1);
    for ((name, version, digest), marks) in &bots {
        let [name, version, digest] = [*name, *version, *digest].map(str::to_owned);
        let player = ContestantId { name, version, digest };
        let label =
            players.find(&player).map_or_else(|| player.name.clone(), |at| players.label(at).to_owned());
        sheet.row(vec![
            label.into(),
            marks.games.to_string().into(),
            marks.faults.iter().sum::<u64>().to_string().into(),
            (marks.refused + marks.not_started).to_string().into(),
            marks.withdrawn.to_string().into(),
            marks.reasons().into(),
        ]);
    }
    Some(sheet.text(look))
}

impl Marks {
    fn take(&mut self, game: &GameSummary<'_>, seat: Seat) {
        self.games += 1;
        if let Some(fault) = game.fault_of(seat) {
            let kind = Termination::FAULTS.iter().position(|kind| *kind == fault);
            self.faults[kind.expect("a fault is one of the faults")] += 1;
        }
        if game.failed != Some(seat) {
            return;
        }
        match game.reason {
            Termination::Rejected => self.refused += 1,
            Termination::SpawnFailed => self.not_started += 1,
            Termination::Withdrawn => self.withdrawn += 1,
            Termination::Stall => self.forgiven += 1,
            Termination::Rules(_)
            | Termination::AdjudicatedWin
            | Termination::AdjudicatedDraw
            | Termination::PlyLimit
            | Termination::Resign
            | Termination::Crash
            | Termination::Timeout
            | Termination::IllegalMove
            | Termination::BadMove
            | Termination::Flood
            | Termination::Resource
            | Termination::ArenaError
            | Termination::Aborted => {}
        }
    }

    fn add(&mut self, other: &Self) {
        self.games += other.games;
        self.faults.iter_mut().zip(other.faults).for_each(|(count, more)| *count += more);
        self.refused += other.refused;
        self.not_started += other.not_started;
        self.forgiven += other.forgiven;
        self.withdrawn += other.withdrawn;
    }

    fn has_any(&self) -> bool {
        self.counts().any(|(_, count)| count > 0) || self.withdrawn > 0
    }

    /// Returns how often each kind occurred, by name.
    fn counts(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let faults = Termination::FAULTS.iter().map(|fault| fault.code()).zip(self.faults);
        faults.chain([
            (Termination::Rejected.code(), self.refused),
            (Termination::SpawnFailed.code(), self.not_started),
            ("stall (forgiven)", self.forgiven),
        ])
    }

    fn reasons(&self) -> String {
        let told: Vec<_> = self
            .counts()
            .filter(|(_, count)| *count > 0)
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        told.join(", ")
    }
}
