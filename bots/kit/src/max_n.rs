//! Iterative deepening at tables of more than two, where every seat is taken to play for itself.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rules::{Outcome, Seat};

use crate::game_position::{GamePosition, any_ply};
use crate::search::{Iteration, MAX_DEPTH, SearchLimits, WIN, of_outcome, put_best_first};
use crate::transposition_table::{PRESENT, Packed, TranspositionTable};

/// What a position is worth to every seat; see [`WIN`]. Seats that the table has not stay at 0.
type Scores = [i32; Seat::MOST];

/// What is known of a position.
#[derive(Clone, Copy)]
struct TableEntry {
    /// How deep it was searched, in plies.
    depth: u8,
    scores: Scores,
}

/// How many words an entry takes: the key, the depth, and two scores in each of the others.
const WORDS: usize = 2 + Seat::MOST / 2;

impl Packed<WORDS> for TableEntry {
    fn pack(self) -> [u64; WORDS] {
        let mut words = [0; WORDS];
        words[1] = u64::from(self.depth) << 8 | PRESENT;
        for (word, [first, second]) in words[2..].iter_mut().zip(self.scores.as_chunks().0) {
            *word = u64::from(first.cast_unsigned()) << 32 | u64::from(second.cast_unsigned());
        }
        words
    }

    fn unpack(words: &[u64; WORDS]) -> Self {
        let mut scores = [0; Seat::MOST];
        for (word, [first, second]) in words[2..].iter().zip(scores.as_chunks_mut().0) {
            (*first, *second) = (((word >> 32) as u32).cast_signed(), (*word as u32).cast_signed());
        }
        Self { depth: (words[1] >> 8) as u8, scores }
    }
}

/// A search of one game that plays for the best score of the seat that decides, at every ply (max-n). It prunes nothing but what
/// follows a ply that wins.
pub(crate) struct MaxN<P: GamePosition> {
    table: TranspositionTable<TableEntry, WORDS>,
    /// How often each position occurred in the game so far.
    past: HashMap<u64, u32>,
    /// The keys of the positions on the path from the root.
    path: Vec<u64>,
    lists: Vec<Vec<(P::Ply, P)>>,
    limits: SearchLimits,
    nodes: u64,
    is_stopped: bool,
}

impl<P: GamePosition> MaxN<P> {
    pub(crate) fn new(mebibytes: usize) -> Self {
        Self {
            table: TranspositionTable::new(mebibytes),
            past: HashMap::new(),
            path: Vec::new(),
            lists: Vec::new(),
            limits: SearchLimits::default(),
            nodes: 0,
            is_stopped: false,
        }
    }

    /// Takes note of the positions that occurred in the game, the current one last.
    pub(crate) fn set_past(&mut self, keys: impl IntoIterator<Item = u64>) {
        self.past.clear();
        for key in keys {
            *self.past.entry(key).or_insert(0) += 1;
        }
    }

    /// As [`Search::decide`](crate::Search::decide).
    pub(crate) fn decide(
        &mut self,
        position: &P,
        limits: SearchLimits,
        report: &mut impl FnMut(&Iteration<P::Ply>),
    ) -> Iteration<P::Ply> {
        let begin = Instant::now();
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).min(MAX_DEPTH);
        self.limits = limits;
        self.nodes = 0;
        self.is_stopped = false;
        self.path.clear();
        let seat = position.seat();
        let mut children = Vec::new();
        position.children(&mut |ply, next| children.push((ply, next)));
        let Some((first, _)) = children.first() else {
            // The rules of an own game have failed: the caller that asked them reports it.
            let line = vec![any_ply(position)];
            return Iteration { depth: 0, score: 0, nodes: 0, time: begin.elapsed(), line, mate: None };
        };
        let mut best = Iteration {
            depth: 0,
            score: 0,
            nodes: 0,
            time: Duration::ZERO,
            line: vec![first.clone()],
            mate: None,
        };
        for depth in 1..=deepest {
            let score = self.search_root(position.key(), seat, &mut children, depth);
            if self.is_stopped && depth > 1 && score.is_none() {
                break;
            }
            best.score = score.unwrap_or(0);
            best.line = vec![children[0].0.clone()];
            if self.is_stopped && depth > 1 {
                break;
            }
            best = Iteration { depth, nodes: self.nodes, time: begin.elapsed(), ..best };
            report(&best);
            let is_decided = WIN - best.score.abs() <= depth as i32;
            let is_late = self.limits.soft.is_some_and(|soft| Instant::now() >= soft);
            if self.is_stopped || is_decided || is_late || children.len() == 1 {
                break;
            }
        }
        Iteration { nodes: self.nodes, time: begin.elapsed(), ..best }
    }

    fn search_root(&mut self, key: u64, seat: Seat, children: &mut [(P::Ply, P)], depth: u32) -> Option<i32> {
        self.path.push(key);
        let best = put_best_first(children, |(_, child), _| {
            (self.search(child, depth - 1, 1)[seat.index()], self.is_stopped)
        });
        self.path.pop();
        best
    }

    /// Scores a position that is so many plies from the root.
    fn search(&mut self, position: &P, depth: u32, ply: u32) -> Scores {
        self.nodes += 1;
        let is_out_of_nodes = self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes);
        if is_out_of_nodes || self.nodes.is_multiple_of(P::LOOK_EVERY) && self.limits.is_up() {
            self.is_stopped = true;
        }
        if self.is_stopped {
            return [0; Seat::MOST];
        }
        let seats = position.seats();
        if let Some(verdict) = position.outcome() {
            return of_end(verdict.outcome, seats, ply as i32);
        }
        let key = position.key();
        if position.counts_for_repetition()
            && (self.path.contains(&key) || self.past.get(&key).is_some_and(|count| *count >= 2))
        {
            return [0; Seat::MOST];
        }
        if depth == 0 {
            return scores(seats, |seat| position.evaluate(seat));
        }
        let entry = self.table.get(key);
        if let Some(entry) = entry.filter(|entry| u32::from(entry.depth) >= depth) {
            return entry.scores;
        }
        let mut children = self.lists.pop().unwrap_or_default();
        children.clear();
        position.children(&mut |ply, next| children.push((ply, next)));
        let own = position.seat().index();
        let mut best: Option<Scores> = None;
        self.path.push(key);
        for (_, next) in &children {
            let scores = self.search(next, depth - 1, ply + 1);
            if self.is_stopped {
                break;
            }
            if best.is_none_or(|best| scores[own] > best[own]) {
                best = Some(scores);
                if scores[own] > WIN - ply as i32 - 2 {
                    break;
                }
            }
        }
        self.path.pop();
        self.lists.push(children);
        let scores = best.unwrap_or([0; Seat::MOST]);
        if !self.is_stopped {
            self.table.put(key, TableEntry { depth: depth as u8, scores });
        }
        scores
    }
}

fn scores(seats: usize, score: impl Fn(Seat) -> i32) -> Scores {
    let mut scores = [0; Seat::MOST];
    for (index, seat) in scores.iter_mut().enumerate().take(seats) {
        *seat = Seat::new(index).map_or(0, &score);
    }
    scores
}

/// Scores the end of a game: the sooner the better, and the later the worse.
fn of_end(outcome: Outcome, seats: usize, ply: i32) -> Scores {
    scores(seats, |seat| {
        let score = of_outcome(outcome, seat);
        score - score.signum() * ply
    })
}

#[cfg(test)]
mod tests {
    use rules::{Dice, Options as _, Position as _, TwoFrenzy, TwoFrenzyOptions};

    use super::*;

    fn table(players: usize) -> TwoFrenzyOptions {
        TwoFrenzyOptions::from_pairs(&[("players", &players.to_string())]).expect("there are such tables")
    }

    /// Plays random games at tables of this many, and looks at every position on the way.
    fn every_position(players: usize, mut look: impl FnMut(&TwoFrenzy)) {
        let mut dice = Dice::new(5);
        for _ in 0..12 {
            let mut position = TwoFrenzy::start(&table(players));
            while rules::Position::outcome(&position).is_none() {
                look(&position);
                let mut plies = Vec::new();
                rules::Position::legal_plies(&position, &mut |ply| plies.push(ply));
                position.play_unchecked(plies[dice.below(plies.len())]);
            }
        }
    }

    #[test]
    fn a_ply_that_wins_is_found_and_nodes_bound_the_search_to_the_letter() {
        let mut wins = 0;
        for players in [3, 4] {
            every_position(players, |position| {
                let seat = GamePosition::seat(position);
                let is_won = |next: &TwoFrenzy| {
                    GamePosition::outcome(next).is_some_and(|verdict| verdict.outcome.winner() == Some(seat))
                };
                let mut can_win = false;
                position.children(&mut |_, next| can_win |= is_won(&next));
                if !can_win {
                    return;
                }
                wins += 1;
                let limits = SearchLimits { nodes: Some(500), ..SearchLimits::default() };
                let found = MaxN::new(1).decide(position, limits, &mut |_| {});
                let mut next = position.clone();
                next.play_legal(&found.line[0]);
                assert!(is_won(&next) && found.score == WIN - 1 && found.nodes <= 500, "{found:?}");
            });
        }
        assert!(wins > 10, "random games are won");
        let limits = SearchLimits { nodes: Some(700), ..SearchLimits::default() };
        let start = TwoFrenzy::start(&table(3));
        assert_eq!(MaxN::new(1).decide(&start, limits, &mut |_| {}).nodes, 700);
    }
}
