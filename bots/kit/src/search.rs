//! Iterative deepening alpha-beta over any [`GamePosition`], with a transposition table.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use rules::{Outcome, Seat};

use crate::game_position::{GamePosition, any_ply};
use crate::stop_flag::StopFlag;
use crate::transposition_table::{Bound, TableEntry, TranspositionTable};

/// The score of a game won on the spot; a win `n` plies away scores `n` less.
pub const WIN: i32 = 1_000_000;

/// The least score that is a win in sight.
pub const WIN_IN_SIGHT: i32 = WIN - 10_000;

/// The deepest search, in plies.
pub const MAX_DEPTH: u32 = 64;

/// Returns how good an outcome is for `seat`: a win [`WIN`], a draw 0, other places in between.
pub(crate) fn of_outcome(outcome: Outcome, seat: Seat) -> i32 {
    ((2.0 * outcome.score(seat) - 1.0) * f64::from(WIN)) as i32
}

/// What ends a search. Nothing set: it ends at [`MAX_DEPTH`].
#[derive(Clone, Debug, Default)]
pub struct SearchLimits {
    /// Plies ahead.
    pub depth: Option<u32>,
    /// Positions visited.
    pub nodes: Option<u64>,
    /// No new iteration begins after this instant.
    pub soft: Option<Instant>,
    /// The search is broken off at this instant.
    pub hard: Option<Instant>,
    /// The search is broken off when this is raised.
    pub stop: Option<StopFlag>,
}

impl SearchLimits {
    /// Returns whether a search is to be broken off now, whatever it has visited.
    pub(crate) fn is_up(&self) -> bool {
        self.stop.as_ref().is_some_and(StopFlag::is_raised)
            || self.hard.is_some_and(|hard| Instant::now() >= hard)
    }
}

/// What an iteration found.
#[derive(Clone, Debug)]
pub struct Iteration<Ply> {
    /// Plies ahead.
    pub depth: u32,
    /// For the seat that decides; see [`WIN`].
    pub score: i32,
    /// Positions visited so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// The best line, beginning with the ply to play. It ends where the search counts a draw by repetition.
    pub line: Vec<Ply>,
    /// In how many turns of the seat that decides, the current one included, the line ends the game as the score
    /// says: above 0 with a win, below 0 with a loss. `None` where no end is in sight, or the line does not reach it.
    pub mate: Option<i64>,
}

/// A search of one game: what it keeps from one decision to the next.
pub struct Search<P: GamePosition> {
    table: TranspositionTable,
    /// How often each position occurred in the game so far.
    past: HashMap<u64, u32>,
    /// The keys of the positions on the path from the root.
    path: Vec<u64>,
    /// Lists of plies, one for every depth, kept for their capacity.
    lists: Vec<Vec<Child<P>>>,
    limits: SearchLimits,
    nodes: u64,
    is_stopped: bool,
    /// The seat for which a table of more than two is searched: all others are taken to play against it together.
    paranoid: Option<Seat>,
}

/// What a node is searched for.
#[derive(Clone, Copy)]
struct Task {
    /// Plies still to look ahead.
    depth: u32,
    /// Plies from the root.
    ply: u32,
    /// What the seat that decides has for sure.
    alpha: i32,
    /// What the other seat will not let it exceed.
    beta: i32,
}

impl Task {
    /// Returns the task as the other seat sees it.
    const fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha, ..self }
    }
}

/// A ply with the position it leads to.
#[derive(Clone)]
struct Child<P: GamePosition> {
    ply: P::Ply,
    /// The place of the ply in the fixed order of the legal plies.
    index: u16,
    position: P,
    /// What sorts it: greater is tried first.
    order: i32,
}

impl<P: GamePosition> Search<P> {
    /// Returns a search with a table of this size.
    #[must_use]
    pub fn new(mebibytes: usize) -> Self {
        Self {
            table: TranspositionTable::new(mebibytes),
            past: HashMap::new(),
            path: Vec::new(),
            lists: Vec::new(),
            limits: SearchLimits::default(),
            nodes: 0,
            is_stopped: false,
            paranoid: None,
        }
    }

    /// Forgets everything: the next decision belongs to another game.
    pub fn clear(&mut self) {
        self.table.clear();
        self.past.clear();
    }

    /// Takes note of the positions that occurred in the game, the current one last.
    pub fn set_past(&mut self, keys: impl IntoIterator<Item = u64>) {
        self.past.clear();
        for key in keys {
            *self.past.entry(key).or_insert(0) += 1;
        }
    }

    /// Searches `position` and hands every finished iteration to `report`. Returns the last one; its line has
    /// at least one ply.
    ///
    /// # Panics
    /// When the game is over at `position`: there is nothing to decide.
    pub fn decide(
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
        let paranoid = (position.seats() > 2).then(|| position.seat());
        if paranoid != self.paranoid {
            // What the table knows is worth something to one seat only.
            self.table.clear();
            self.paranoid = paranoid;
        }
        self.path.clear();
        let mut children = Vec::new();
        self.list_children(position, &mut children, true);
        let Some(first) = children.first().map(|child| child.ply.clone()) else {
            // The rules of an own game have failed: the caller that asked them reports it.
            let line = vec![any_ply(position)];
            return Iteration { depth: 0, score: 0, nodes: 0, time: begin.elapsed(), line, mate: None };
        };
        let mut best =
            Iteration { depth: 0, score: 0, nodes: 0, time: Duration::ZERO, line: vec![first], mate: None };
        for depth in 1..=deepest {
            let score = self.search_root(position, &mut children, depth);
            if self.is_stopped && depth > 1 {
                // A broken iteration still counts as far as it came: the best ply of the last one was tried
                // first, and what stands in front now is at least as good.
                if let Some(score) = score {
                    best.score = score;
                    best.line = vec![children[0].ply.clone()];
                    best.mate = None;
                }
                best.nodes = self.nodes;
                best.time = begin.elapsed();
                break;
            }
            let score = score.unwrap_or(0);
            let line = self.line(position, children[0].ply.clone(), depth);
            let mate = mate(position, score, &line);
            best = Iteration { depth, score, nodes: self.nodes, time: begin.elapsed(), line, mate };
            report(&best);
            let is_decided = best.score.abs() >= WIN_IN_SIGHT && WIN - best.score.abs() <= depth as i32;
            let is_late = self.limits.soft.is_some_and(|soft| Instant::now() >= soft);
            if self.is_stopped || is_decided || is_late || children.len() == 1 {
                break;
            }
        }
        best
    }

    /// Searches every child of the root and leaves the best one in front. Returns its score, or nothing when
    /// the search was stopped before the first child was done.
    fn search_root(&mut self, position: &P, children: &mut [Child<P>], depth: u32) -> Option<i32> {
        let seat = position.seat();
        self.path.push(position.key());
        let best = put_best_first(children, |child, best| {
            let task = Task { depth: depth - 1, ply: 1, alpha: best.unwrap_or(-WIN), beta: WIN };
            (self.search_child(&child.position, seat, task), self.is_stopped)
        });
        self.path.pop();
        best
    }

    /// Scores `child` for `seat`, which has just decided; it may be to decide again.
    fn search_child(&mut self, child: &P, seat: Seat, task: Task) -> i32 {
        if let Some(own) = self.paranoid {
            let next = child.seat();
            return match child.outcome().is_some() || (next == own) == (seat == own) {
                true => self.search(child, seat, task),
                false => -self.search(child, next, task.flipped()),
            };
        }
        if child.outcome().is_none() && child.seat() == seat {
            self.search(child, seat, task)
        } else {
            -self.search(child, seat.other(), task.flipped())
        }
    }

    /// Scores `position` for `seat`, which decides there unless the game is over.
    fn search(&mut self, position: &P, seat: Seat, task: Task) -> i32 {
        let Task { depth, ply, alpha, beta } = task;
        self.nodes += 1;
        self.look_at_limits();
        if self.is_stopped {
            return 0;
        }
        if let Some(verdict) = position.outcome() {
            return match verdict.outcome {
                Outcome::Draw => 0,
                Outcome::Win(winner) if winner == seat => WIN - ply as i32,
                Outcome::Win(_) => ply as i32 - WIN,
                outcome @ Outcome::Places(_) => {
                    let score = of_outcome(outcome, self.paranoid.unwrap_or(seat));
                    // The sooner the better, and the later the worse.
                    self.seen_by(seat, score - score.signum() * ply as i32)
                }
            };
        }
        let key = position.key();
        if position.counts_for_repetition() && self.is_repetition(&self.path, key) {
            return 0;
        }
        if depth == 0 {
            return self.evaluate(position, seat);
        }
        let entry = self.table.get(key);
        if let Some(entry) = entry.filter(|entry| u32::from(entry.depth) >= depth) {
            let score = from_table(entry.score, ply);
            match entry.bound {
                Bound::Exact => return score,
                Bound::Lower if score >= beta => return score,
                Bound::Upper if score <= alpha => return score,
                Bound::Lower | Bound::Upper => {}
            }
        }
        self.search_children(position, key, entry.map(|entry| entry.best), task)
    }

    /// Searches the children of a position that is not over; `hint` is the place of the ply to try first.
    fn search_children(&mut self, position: &P, key: u64, hint: Option<u16>, task: Task) -> i32 {
        let Task { depth, ply, alpha, beta } = task;
        let seat = position.seat();
        let mut children = self.lists.pop().unwrap_or_default();
        self.list_children(position, &mut children, depth > 1);
        if let Some(place) = hint.and_then(|hint| children.iter().position(|child| child.index == hint)) {
            children[..=place].rotate_right(1);
        }
        let mut best = -WIN;
        let mut best_index = children.first().map_or(0, |child| child.index);
        let mut low = alpha;
        self.path.push(key);
        for child in &children {
            let task = Task { depth: depth - 1, ply: ply + 1, alpha: low, beta };
            let score = self.search_child(&child.position, seat, task);
            if self.is_stopped {
                break;
            }
            if score > best {
                best = score;
                best_index = child.index;
            }
            low = low.max(score);
            if low >= beta {
                break;
            }
        }
        self.path.pop();
        self.lists.push(children);
        if !self.is_stopped {
            let bound = match best {
                best if best >= beta => Bound::Lower,
                best if best <= alpha => Bound::Upper,
                _ => Bound::Exact,
            };
            self.table.put(
                key,
                TableEntry { depth: depth as u8, bound, best: best_index, score: to_table(best, ply) },
            );
        }
        best
    }

    /// Lists the children of a position, the promising ones first if `is_sorted`.
    fn list_children(&self, position: &P, children: &mut Vec<Child<P>>, is_sorted: bool) {
        children.clear();
        let seat = position.seat();
        let mut index = 0;
        position.children(&mut |ply, next| {
            let order = match next.outcome() {
                _ if !is_sorted => 0,
                None => self.evaluate(&next, seat),
                Some(verdict) => match verdict.outcome {
                    Outcome::Draw => 0,
                    Outcome::Win(winner) if winner == seat => WIN,
                    Outcome::Win(_) => -WIN,
                    outcome @ Outcome::Places(_) => {
                        self.seen_by(seat, of_outcome(outcome, self.paranoid.unwrap_or(seat)))
                    }
                },
            };
            children.push(Child { ply, index, position: next, order });
            index = index.saturating_add(1);
        });
        if is_sorted {
            children.sort_by_key(|child| -child.order);
        }
    }

    /// Returns whether the position counts as a draw after a path of others: it stands on that already, or it would be
    /// the third time in the game.
    fn is_repetition(&self, path: &[u64], key: u64) -> bool {
        path.contains(&key) || self.past.get(&key).is_some_and(|count| *count >= 2)
    }

    /// Follows the table from `first` on, as far as the search would go.
    fn line(&self, position: &P, first: P::Ply, depth: u32) -> Vec<P::Ply> {
        let mut keys = vec![position.key()];
        let mut next = position.clone();
        next.play_legal(&first);
        let mut line = vec![first];
        while next.outcome().is_none() && line.len() < depth as usize {
            let key = next.key();
            if next.counts_for_repetition() && self.is_repetition(&keys, key) {
                break;
            }
            keys.push(key);
            let Some(entry) = self.table.get(key) else { break };
            let mut plies = Vec::new();
            next.legal_plies(&mut |ply| plies.push(ply));
            let Some(ply) = plies.get(usize::from(entry.best)) else { break };
            next.play_legal(ply);
            line.push(ply.clone());
        }
        line
    }

    /// Scores a position for `seat`, or for those who play against the one that is searched for.
    fn evaluate(&self, position: &P, seat: Seat) -> i32 {
        match self.paranoid {
            Some(own) => self.seen_by(seat, position.evaluate(own)),
            None => position.evaluate(seat),
        }
    }

    /// Returns a score of the seat that a table is searched for as `seat` sees it.
    fn seen_by(&self, seat: Seat, score: i32) -> i32 {
        if self.paranoid.is_some_and(|own| own != seat) { -score } else { score }
    }

    fn look_at_limits(&mut self) {
        let is_out_of_nodes = self.limits.nodes.is_some_and(|nodes| self.nodes >= nodes);
        let is_called_off = || self.nodes.is_multiple_of(P::LOOK_EVERY) && self.limits.is_up();
        if is_out_of_nodes || is_called_off() {
            self.is_stopped = true;
        }
    }
}

/// Returns in how many own turns a line ends the game as `score` says; see [`Iteration::mate`].
fn mate<P: GamePosition>(position: &P, score: i32, line: &[P::Ply]) -> Option<i64> {
    if score.abs() < WIN_IN_SIGHT {
        return None;
    }
    let seat = position.seat();
    let winner = if score > 0 { seat } else { seat.other() };
    let mut next = position.clone();
    // A turn that has begun before is one of them.
    let mut turns = i64::from(!next.turn().is_fresh && next.turn().seat == seat);
    for ply in line {
        turns += i64::from(next.turn().is_fresh && next.turn().seat == seat);
        next.play_legal(ply);
    }
    let is_reached = next.outcome().is_some_and(|verdict| verdict.outcome == Outcome::Win(winner));
    (is_reached && turns > 0).then_some(if score > 0 { turns } else { -turns })
}

/// Wins are stored with their distance from the node, not from the root.
const fn to_table(score: i32, ply: u32) -> i32 {
    if score >= WIN_IN_SIGHT {
        score + ply as i32
    } else if score <= -WIN_IN_SIGHT {
        score - ply as i32
    } else {
        score
    }
}

const fn from_table(score: i32, ply: u32) -> i32 {
    if score >= WIN_IN_SIGHT {
        score - ply as i32
    } else if score <= -WIN_IN_SIGHT {
        score + ply as i32
    } else {
        score
    }
}

/// Scores every child of a root in turn, with the best score so far, and leaves the best child in front. Returns its score, or nothing when
/// the search was stopped, which `score` says too, before the first child was done.
pub(crate) fn put_best_first<C>(
    children: &mut [C],
    mut score: impl FnMut(&C, Option<i32>) -> (i32, bool),
) -> Option<i32> {
    let mut best = None;
    for index in 0..children.len() {
        let (score, is_stopped) = score(&children[index], best);
        if is_stopped && index > 0 {
            break;
        }
        if best.is_none_or(|best| score > best) {
            best = Some(score);
            children[..=index].rotate_right(1);
        }
        if is_stopped {
            break;
        }
    }
    best
}
