//! Proofs of who is stronger, from direct meetings that earlier results may choose.
//!
//! Every two players have an e-process of their own, fed by their own meetings only: capital that bets on one of them scoring
//! more than half ([`Monitor`]). For any choice of the next meeting and any time to stop, the capital that bets on a player who
//! is not stronger ever reaches a limit L with a probability of at most 1/L (Ville 1939), because a bet is fair as long as the
//! next result is unknown. No rating model is involved, and a choice by results does not invalidate the error.

use std::collections::BTreeMap;

use crate::{GameScore, Monitor};

/// The question about a set of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The order of all players.
    Rank,
    /// The best player.
    Best,
}

/// What the meetings of some players prove.
///
/// A meeting is one colour-swapped pair in each of the games played. A proof states that a player scores more than half against
/// another, on average over the games.
///
/// The probability of any false verdict is at most `alpha` for any results: strength need not be transitive. For
/// [`Goal::Rank`], capital n (n − 1) / α proves each of the n (n − 1) statements "one is stronger than the other". For
/// [`Goal::Best`], where the best player must be proved stronger than every other in their own meetings, capital n / α is
/// enough. To see this, give every player k except the best one an opponent w(k) that it does not beat: the best player itself
/// if there is one. A false verdict on the best player requires a proof of one of these at most n false statements "k is
/// stronger than w(k)". If there is a best player, a false circle requires a proof of one of the n − 1 statements that name it.
///
/// ```
/// use stats::{Evidence, Goal, GameScore, RankingVerdict};
///
/// let mut evidence = Evidence::new(Goal::Rank, 0.05, 2);
/// for _ in 0..30 {
///     evidence.observe(1, 0, &[[GameScore::Win, GameScore::Draw]]);
/// }
/// assert_eq!(evidence.verdict(), RankingVerdict::Order(vec![1, 0]));
/// ```
#[derive(Debug, Clone)]
pub struct Evidence {
    goal: Goal,
    alpha: f64,
    players: usize,
    /// The duels, by the player of lower and that of higher index.
    duels: BTreeMap<(usize, usize), Duel>,
    /// `proved[i][j]`: the meetings of i and j prove that i is stronger.
    proved: Vec<Vec<bool>>,
    /// `implied[i][j]`: a chain of proofs leads from i down to j.
    implied: Vec<Vec<bool>>,
}

/// The verdict so far.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RankingVerdict {
    /// Not enough evidence.
    Open,
    /// The players from strongest to weakest. Each is proved stronger than the next.
    Order(Vec<usize>),
    /// The best player. It is proved stronger than every other in their own meetings.
    Best(usize),
    /// Players that are proved stronger than each other in a circle, so there is no order. If every player is also proved
    /// weaker than some other, there is no best player.
    Circle(Vec<usize>),
}

/// The meetings of two players, from the view of the one of lower index.
#[derive(Debug, Clone)]
struct Duel {
    monitor: Monitor,
    meetings: u64,
    /// The highest capital for the player of lower index and for the other, at the end of a meeting.
    greatest: [f64; 2],
}

impl Evidence {
    /// Returns evidence without meetings of `players` players, for verdicts that are false with probability `alpha` at most.
    ///
    /// # Panics
    /// When `alpha` is not between 0 and 1.
    #[must_use]
    pub fn new(goal: Goal, alpha: f64, players: usize) -> Self {
        assert!(alpha > 0.0 && alpha < 1.0, "a level of {alpha}");
        let none = vec![vec![false; players]; players];
        Self { goal, alpha, players, duels: BTreeMap::new(), proved: none.clone(), implied: none }
    }

    /// Adds a meeting: for each game the scores of `one` against `other` in the two games of its pair.
    ///
    /// All meetings of the same two players must consist of the same games, because the capital counts only after a whole
    /// meeting: if the chances differ between games, the expected product over a meeting is at most 1 if the mean score is at
    /// most half (inequality of the means). A pair that repeats the plies of an earlier one is no new evidence: do not add a
    /// meeting with such a pair.
    ///
    /// # Panics
    /// When a player does not exist, or meets itself.
    pub fn observe(&mut self, one: usize, other: usize, pairs: &[[GameScore; 2]]) {
        assert!(one < self.players && other < self.players && one != other, "{one} meets {other}");
        let (low, high) = (one.min(other), one.max(other));
        let alpha = self.alpha;
        let duel = self.duels.entry((low, high)).or_insert_with(|| Duel {
            monitor: Monitor::new(alpha),
            meetings: 0,
            greatest: [1.0; 2],
        });
        for &[first, second] in pairs {
            let seen = |score: GameScore| if one == low { score } else { score.opposite() };
            duel.monitor.observe_pair(seen(first), seen(second));
        }
        duel.meetings += 1;
        let now = [duel.monitor.e_value_stronger(), duel.monitor.e_value_weaker()];
        duel.greatest = [duel.greatest[0].max(now[0]), duel.greatest[1].max(now[1])];
        for (capital, stronger, weaker) in [(duel.greatest[0], low, high), (duel.greatest[1], high, low)] {
            if capital >= self.enough() && !self.proved[stronger][weaker] {
                self.proved[stronger][weaker] = true;
                self.imply(stronger, weaker);
            }
        }
    }

    /// Adds what a new proof implies together with earlier ones.
    fn imply(&mut self, stronger: usize, weaker: usize) {
        for i in 0..self.players {
            for j in 0..self.players {
                let above = i == stronger || self.implied[i][stronger];
                let below = j == weaker || self.implied[weaker][j];
                self.implied[i][j] |= above && below;
            }
        }
    }

    /// Returns the question.
    #[must_use]
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// Returns the probability of a false verdict.
    #[must_use]
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Returns the number of players.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// Returns the capital that proves a statement: n (n − 1) / α for the order, n / α for the best player.
    #[must_use]
    pub fn enough(&self) -> f64 {
        let players = self.players as f64;
        match self.goal {
            Goal::Rank => players * (players - 1.0).max(0.0) / self.alpha,
            Goal::Best => players / self.alpha,
        }
    }

    /// Returns the highest capital so far for "`one` is stronger than `other`"; it begins as 1.
    #[must_use]
    pub fn capital(&self, one: usize, other: usize) -> f64 {
        let duel = self.duels.get(&(one.min(other), one.max(other)));
        duel.map_or(1.0, |duel| duel.greatest[usize::from(one > other)])
    }

    /// Returns the number of meetings of two players.
    #[must_use]
    pub fn meetings(&self, one: usize, other: usize) -> u64 {
        self.duels.get(&(one.min(other), one.max(other))).map_or(0, |duel| duel.meetings)
    }

    /// Returns whether their own meetings prove that one player is stronger than the other.
    #[must_use]
    pub fn proves(&self, stronger: usize, weaker: usize) -> bool {
        self.proved[stronger][weaker]
    }

    /// Returns whether a chain of proofs leads from one player down to the other.
    #[must_use]
    pub fn implies(&self, stronger: usize, weaker: usize) -> bool {
        self.implied[stronger][weaker]
    }

    /// Returns whether further meetings of two players cannot contribute to the answer. For the order a chain of proofs between
    /// them suffices; for the best player only a proof of their own does.
    #[must_use]
    pub fn is_decided(&self, one: usize, other: usize) -> bool {
        match self.goal {
            Goal::Rank => self.implied[one][other] || self.implied[other][one],
            Goal::Best => self.proved[one][other] || self.proved[other][one],
        }
    }

    /// Returns whether the meetings of a player prove that it is weaker than some other.
    #[must_use]
    pub fn is_beaten(&self, player: usize) -> bool {
        self.proved.iter().any(|proved| proved[player])
    }

    /// Returns the verdict so far.
    #[must_use]
    pub fn verdict(&self) -> RankingVerdict {
        let circle: Vec<usize> = (0..self.players).filter(|&i| self.implied[i][i]).collect();
        match self.goal {
            // A circle does not matter if one player is above all of its members.
            Goal::Best => match (0..self.players).find(|&i| self.beats_all(i)) {
                Some(best) => RankingVerdict::Best(best),
                None => self.top_circle(circle),
            },
            Goal::Rank if !circle.is_empty() => RankingVerdict::Circle(circle),
            Goal::Rank => {
                let mut order: Vec<usize> = (0..self.players).collect();
                order.sort_by_key(|&i| self.implied[i].iter().filter(|&&is_below| !is_below).count());
                let is_settled = order.windows(2).all(|pair| self.proved[pair[0]][pair[1]]);
                if is_settled { RankingVerdict::Order(order) } else { RankingVerdict::Open }
            }
        }
    }

    /// Returns whether a player is proved stronger than all others, and weaker than none.
    fn beats_all(&self, i: usize) -> bool {
        !self.is_beaten(i) && (0..self.players).all(|j| i == j || self.proved[i][j])
    }

    /// Returns the verdict on a circle: it is final if no player can be the best, because each is proved weaker than
    /// somebody.
    fn top_circle(&self, circle: Vec<usize>) -> RankingVerdict {
        if !circle.is_empty() && (0..self.players).all(|j| self.is_beaten(j)) {
            RankingVerdict::Circle(circle)
        } else {
            RankingVerdict::Open
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lets one player win against another until the proof is complete.
    fn prove(evidence: &mut Evidence, stronger: usize, weaker: usize) {
        while !evidence.proves(stronger, weaker) {
            evidence.observe(stronger, weaker, &[[GameScore::Win, GameScore::Win]]);
        }
    }

    #[test]
    fn an_order_is_settled_when_each_is_proved_stronger_than_the_next() {
        let mut evidence = Evidence::new(Goal::Rank, 0.05, 3);
        prove(&mut evidence, 2, 0);
        prove(&mut evidence, 2, 1);
        assert_eq!(evidence.verdict(), RankingVerdict::Open);
        prove(&mut evidence, 0, 1);
        assert_eq!(evidence.verdict(), RankingVerdict::Order(vec![2, 0, 1]));
    }

    #[test]
    fn the_best_has_beaten_every_other_itself() {
        let mut evidence = Evidence::new(Goal::Best, 0.05, 4);
        prove(&mut evidence, 1, 0);
        prove(&mut evidence, 0, 2);
        assert!(evidence.implies(1, 2) && !evidence.proves(1, 2) && !evidence.implies(2, 1));
        assert!(!evidence.is_decided(1, 2) && evidence.is_decided(0, 2));
        prove(&mut evidence, 2, 3);
        // Chains lead from 1 to all others, but 3 may still beat it.
        assert_eq!(evidence.verdict(), RankingVerdict::Open);
        prove(&mut evidence, 1, 2);
        assert_eq!(evidence.verdict(), RankingVerdict::Open);
        let mut other = evidence.clone();
        prove(&mut evidence, 1, 3);
        assert_eq!(evidence.verdict(), RankingVerdict::Best(1));
        prove(&mut other, 3, 1);
        assert_eq!(other.verdict(), RankingVerdict::Circle(vec![0, 1, 2, 3]));
    }

    #[test]
    fn a_circle_is_no_order_and_a_matter_for_the_best_only_at_the_top() {
        for goal in [Goal::Rank, Goal::Best] {
            let mut evidence = Evidence::new(goal, 0.05, 4);
            for (stronger, weaker) in [(0, 1), (1, 2), (2, 0)] {
                prove(&mut evidence, stronger, weaker);
            }
            let circle = RankingVerdict::Circle(vec![0, 1, 2]);
            assert_eq!(
                evidence.verdict(),
                if goal == Goal::Rank { circle.clone() } else { RankingVerdict::Open }
            );
            let mut above = evidence.clone();
            prove(&mut above, 3, 0);
            if goal == Goal::Best {
                assert_eq!(above.verdict(), RankingVerdict::Open);
                prove(&mut above, 3, 1);
                prove(&mut above, 3, 2);
            }
            assert_eq!(
                above.verdict(),
                if goal == Goal::Rank { circle.clone() } else { RankingVerdict::Best(3) }
            );
            prove(&mut evidence, 0, 3);
            assert_eq!(evidence.verdict(), circle);
        }
    }

    #[test]
    fn capital_is_seen_from_both_sides_and_keeps_its_greatest() {
        let mut evidence = Evidence::new(Goal::Rank, 0.05, 2);
        evidence.observe(1, 0, &[[GameScore::Win, GameScore::Win], [GameScore::Draw, GameScore::Win]]);
        let most = evidence.capital(1, 0);
        assert!(most > 1.0 && evidence.capital(0, 1) == 1.0);
        evidence.observe(0, 1, &[[GameScore::Win, GameScore::Win], [GameScore::Win, GameScore::Win]]);
        assert_eq!((evidence.capital(1, 0), evidence.meetings(0, 1)), (most, 2));
        assert_eq!(evidence.enough(), 40.0);
        assert_eq!(Evidence::new(Goal::Best, 0.05, 16).enough(), 320.0);
    }

    #[test]
    fn capital_is_looked_at_after_whole_meetings_only() {
        // One game suits one player, the other game the other player: they are equal, in either order.
        let mut evidence = Evidence::new(Goal::Rank, 0.05, 2);
        for _ in 0..500 {
            evidence.observe(0, 1, &[[GameScore::Win, GameScore::Win], [GameScore::Loss, GameScore::Loss]]);
        }
        assert_eq!((evidence.capital(0, 1), evidence.capital(1, 0)), (1.0, 1.0));
    }
}
