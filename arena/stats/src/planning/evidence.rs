//! Who is stronger than whom, proved by direct meetings that may be chosen by the results so far.
//!
//! Every two players have an e-process of their own, fed by their own meetings only: capital that bets on one
//! of them scoring more than half ([`Monitor`]). Whatever decides which two meet next, and
//! whenever one stops, capital that bets on a player who is not the stronger ever reaches a limit L with
//! probability 1/L at most (Ville 1939), since a bet is fair as long as nobody knows the next result. No rating
//! model is involved, and no error that a choice by results would spoil.

use std::collections::BTreeMap;

use crate::{GameScore, Monitor};

/// What is to be found out about a set of players.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Goal {
    /// The order of all players.
    Rank,
    /// The best player.
    Best,
}

/// What the meetings of some players prove.
///
/// A meeting is one colour-swapped pair in each of the games played. A proof says that a player scores more
/// than half against another, in the mean over the games.
///
/// The chance of any false verdict is at most `alpha`, no matter who beats whom: strength need not be transitive. For
/// [`Goal::Rank`] each of the n (n − 1) statements "one is stronger than the other" is proved by capital n (n − 1) / α. For
/// [`Goal::Best`], where the best player is proved stronger than every other in their own meetings, capital n / α is enough.
/// Give every player k but the best one an opponent w(k) that it does not beat: the best player itself where there is one.
/// A player that is falsely taken for the best has a proof of one of these at most n false statements "k is stronger than w(k)";
/// and where there is a best player, a circle in its place takes a proof of one of the n − 1 that name it.
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
    /// By player of lower and of higher index.
    duels: BTreeMap<(usize, usize), Duel>,
    /// `proved[i][j]`: i is stronger than j, by their own meetings.
    proved: Vec<Vec<bool>>,
    /// `implied[i][j]`: a chain of proofs leads from i down to j.
    implied: Vec<Vec<bool>>,
}

/// What is known by now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RankingVerdict {
    /// Not enough.
    Open,
    /// The players from strongest to weakest: each is proved stronger than the next.
    Order(Vec<usize>),
    /// The best player: it is proved stronger than every other, against each in their own meetings.
    Best(usize),
    /// Players that are proved stronger than each other in a circle: there is no order. There is no best player where, in
    /// addition, every player is proved weaker than another.
    Circle(Vec<usize>),
}

/// The meetings of two players, seen by the one of lower index.
#[derive(Debug, Clone)]
struct Duel {
    monitor: Monitor,
    meetings: u64,
    /// The greatest capital for the player of lower index and for the other, at the end of a meeting.
    greatest: [f64; 2],
}

impl Evidence {
    /// Starts without meetings of `players` players, for verdicts that are false with probability `alpha` at
    /// most.
    ///
    /// # Panics
    /// When `alpha` is not between 0 and 1.
    #[must_use]
    pub fn new(goal: Goal, alpha: f64, players: usize) -> Self {
        assert!(alpha > 0.0 && alpha < 1.0, "a level of {alpha}");
        let none = vec![vec![false; players]; players];
        Self { goal, alpha, players, duels: BTreeMap::new(), proved: none.clone(), implied: none }
    }

    /// Takes a meeting: for each game what `one` scored against `other` in the two games of its pair.
    ///
    /// Meetings of the same two players must all be of the same games, since capital is looked at only after a
    /// whole one: with different chances in different games, the product of what is won in expectation over a
    /// meeting is at most 1 when the mean score is at most half (inequality of the means). A pair that repeats
    /// the plies of an earlier one is no new evidence: a meeting with such a pair must not be given.
    ///
    /// # Panics
    /// When a player is not there, or meets itself.
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

    /// Adds what a new proof implies together with those before.
    fn imply(&mut self, stronger: usize, weaker: usize) {
        for i in 0..self.players {
            for j in 0..self.players {
                let above = i == stronger || self.implied[i][stronger];
                let below = j == weaker || self.implied[weaker][j];
                self.implied[i][j] |= above && below;
            }
        }
    }

    /// What is to be found out.
    #[must_use]
    pub const fn goal(&self) -> Goal {
        self.goal
    }

    /// How often a verdict may be false.
    #[must_use]
    pub const fn alpha(&self) -> f64 {
        self.alpha
    }

    /// The number of players.
    #[must_use]
    pub const fn players(&self) -> usize {
        self.players
    }

    /// The capital that proves a statement: n (n − 1) / α for the order, n / α for the best player.
    #[must_use]
    pub fn enough(&self) -> f64 {
        let players = self.players as f64;
        match self.goal {
            Goal::Rank => players * (players - 1.0).max(0.0) / self.alpha,
            Goal::Best => players / self.alpha,
        }
    }

    /// The greatest capital so far for "`one` is stronger than `other`"; it begins as 1.
    #[must_use]
    pub fn capital(&self, one: usize, other: usize) -> f64 {
        let duel = self.duels.get(&(one.min(other), one.max(other)));
        duel.map_or(1.0, |duel| duel.greatest[usize::from(one > other)])
    }

    /// How often two players have met.
    #[must_use]
    pub fn meetings(&self, one: usize, other: usize) -> u64 {
        self.duels.get(&(one.min(other), one.max(other))).map_or(0, |duel| duel.meetings)
    }

    /// Whether their own meetings prove that one player is stronger than the other.
    #[must_use]
    pub fn proves(&self, stronger: usize, weaker: usize) -> bool {
        self.proved[stronger][weaker]
    }

    /// Whether a chain of proofs leads from one player down to the other.
    #[must_use]
    pub fn implies(&self, stronger: usize, weaker: usize) -> bool {
        self.implied[stronger][weaker]
    }

    /// Whether further meetings of two players cannot help to find out what is asked: for the order a chain of proofs between
    /// them will do, for the best player only a proof of their own.
    #[must_use]
    pub fn is_decided(&self, one: usize, other: usize) -> bool {
        match self.goal {
            Goal::Rank => self.implied[one][other] || self.implied[other][one],
            Goal::Best => self.proved[one][other] || self.proved[other][one],
        }
    }

    /// Whether their own meetings prove that a player is weaker than some other.
    #[must_use]
    pub fn is_beaten(&self, player: usize) -> bool {
        self.proved.iter().any(|proved| proved[player])
    }

    /// What is known by now.
    #[must_use]
    pub fn verdict(&self) -> RankingVerdict {
        let circle: Vec<usize> = (0..self.players).filter(|&i| self.implied[i][i]).collect();
        match self.goal {
            // Players in a circle are no matter where somebody is above them all.
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

    /// Whether a player is proved stronger than all others, and by none of them weaker.
    fn beats_all(&self, i: usize) -> bool {
        !self.is_beaten(i) && (0..self.players).all(|j| i == j || self.proved[i][j])
    }

    /// A circle is the verdict where nobody can be the best any more: everybody is proved weaker than somebody.
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

    /// Lets one player win against another until that is proved.
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
        // Chains lead from 1 to all others, and 3 may beat it all the same.
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
        // A game that suits one player and one that suits the other: equals, whatever the order.
        let mut evidence = Evidence::new(Goal::Rank, 0.05, 2);
        for _ in 0..500 {
            evidence.observe(0, 1, &[[GameScore::Win, GameScore::Win], [GameScore::Loss, GameScore::Loss]]);
        }
        assert_eq!((evidence.capital(0, 1), evidence.capital(1, 0)), (1.0, 1.0));
    }
}
