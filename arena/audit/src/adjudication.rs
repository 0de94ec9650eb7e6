//! The adjudication of a recorded game, repeated turn by turn, with arithmetic of its own.

use record::{GameResult, Termination};
use rules::{Places, Referee, Seat};
use settings::Adjudication;

use crate::recorded_game::{RecordedPly, RecordedScore};

/// What the adjudication of a run says of a game so far.
pub(crate) struct AdjudicationCheck<'a> {
    rules: &'a Adjudication,
    /// For each seat, in how many own turns in a row it said the same.
    rows: Vec<Rows>,
    /// Whether the seat whose turn it is was asked in it, and what it said last.
    is_asked: bool,
    said: Option<RecordedScore>,
}

/// In how many own turns in a row a seat said that it loses, wins, is level.
#[derive(Clone, Copy, Default)]
struct Rows {
    lost: u32,
    won: u32,
    level: u32,
}

/// How a game must end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Due {
    pub result: GameResult,
    pub reason: Termination,
}

impl<'a> AdjudicationCheck<'a> {
    /// Returns the judge of a game that begins.
    pub(crate) fn new(rules: &'a Adjudication, seats: usize) -> Self {
        Self { rules, rows: vec![Rows::default(); seats], is_asked: false, said: None }
    }

    /// Takes a ply that a bot decided, or a forced pass; not one of the opening.
    pub(crate) fn hear(&mut self, ply: &RecordedPly) {
        if ply.seat == ply.owner {
            self.is_asked |= ply.spent.is_some() || ply.is_fallback;
            self.said = ply.score.or(self.said);
        }
    }

    /// Ends a turn of this seat, the game's turn `turn`; `plies` were played in all, and this is on the board. Returns how
    /// the game ends here, if it does.
    pub(crate) fn end_turn(
        &mut self,
        owner: u8,
        turn: u32,
        plies: usize,
        referee: &dyn Referee,
    ) -> Option<Due> {
        let said = self.said.take();
        let is_asked = std::mem::take(&mut self.is_asked);
        if said.is_some() || is_asked {
            self.rows[usize::from(owner - 1)].add(said, self.rules);
        }
        // What bots say ends games of two only.
        let by_score = if self.rows.len() == 2 { self.by_score(turn) } else { None };
        by_score.or_else(|| self.by_limit(plies, referee))
    }

    fn by_score(&self, turn: u32) -> Option<Due> {
        if let Some(rule) = self.rules.resign {
            for seat in Seat::BOTH {
                let (own, other) = (self.rows[seat.index()], self.rows[seat.other().index()]);
                if own.lost >= rule.turns && (!rule.both || other.won >= rule.turns) {
                    let result = GameResult::win(seat.other());
                    return Some(Due { result, reason: Termination::AdjudicatedWin });
                }
            }
        }
        let rule = self.rules.draw?;
        let is_drawn = turn >= rule.after && self.rows.iter().all(|rows| rows.level >= rule.turns);
        is_drawn.then_some(Due { result: GameResult::Draw, reason: Termination::AdjudicatedDraw })
    }

    fn by_limit(&self, plies: usize, referee: &dyn Referee) -> Option<Due> {
        let is_over = self.rules.plies.is_some_and(|limit| plies >= limit as usize);
        is_over.then(|| Due { result: by_count(referee), reason: Termination::PlyLimit })
    }
}

impl Rows {
    fn add(&mut self, said: Option<RecordedScore>, rules: &Adjudication) {
        let lead = rules.resign.map_or(0, |rule| i64::from(rule.score));
        let near = rules.draw.map_or(0, |rule| u64::from(rule.score));
        let extend = |row: &mut u32, is_such: bool| *row = if is_such { row.saturating_add(1) } else { 0 };
        extend(
            &mut self.lost,
            said.is_some_and(|said| match said {
                RecordedScore::Centipawns(cp) => cp <= -lead,
                RecordedScore::Mate(is_win) => !is_win,
            }),
        );
        extend(
            &mut self.won,
            said.is_some_and(|said| match said {
                RecordedScore::Centipawns(cp) => cp >= lead,
                RecordedScore::Mate(is_win) => is_win,
            }),
        );
        extend(
            &mut self.level,
            matches!(said, Some(RecordedScore::Centipawns(cp)) if cp.unsigned_abs() <= near),
        );
    }
}

/// Returns the result at a limit on plies: by what the seats have on the board, those that are out below all others.
pub(crate) fn by_count(referee: &dyn Referee) -> GameResult {
    let count = referee.count();
    if referee.seats() > 2 {
        let out = referee.out();
        let better = |seat: Seat, other: Seat| {
            let place = |seat: Seat| out.iter().find(|out| out.seat == seat).map(|out| out.place);
            let has = |seat: Seat| count.as_ref().map_or(0, |count| count[seat.index()]);
            match (place(other), place(seat)) {
                (None, None) => has(other) > has(seat),
                (None, Some(_)) => true,
                (Some(_), None) => false,
                (Some(one), Some(two)) => one < two,
            }
        };
        let seats = || Seat::all(referee.seats());
        let place = |seat: Seat| 1 + seats().filter(|other| better(seat, *other)).count() as u8;
        let places: Vec<u8> = seats().map(place).collect();
        return Places::new(&places).map_or(GameResult::None, GameResult::Places);
    }
    match count.as_deref() {
        Some([first, second]) if first > second => GameResult::win(Seat::P1),
        Some([first, second]) if first < second => GameResult::win(Seat::P2),
        Some(_) | None => GameResult::Draw,
    }
}

/// Returns whether a game that was to be adjudicated after its last ply may have ended otherwise: one bot failed while
/// the other one decided that ply.
pub(crate) const fn comes_before(reason: Termination) -> bool {
    matches!(reason, Termination::Crash | Termination::Flood | Termination::Stall | Termination::Resource)
}

/// Returns whether the reason is an adjudication.
pub(crate) const fn is_adjudicated(reason: Termination) -> bool {
    matches!(reason, Termination::AdjudicatedWin | Termination::AdjudicatedDraw | Termination::PlyLimit)
}

impl std::fmt::Display for Due {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} ({})", self.result, self.reason)
    }
}
