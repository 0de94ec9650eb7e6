//! One finished game, as the ratings use it.

use crate::Points;

/// The most seats at a table.
pub const MOST_SEATS: usize = 8;

/// One finished game: the players in their seats, their places, and what the game shares with others.
///
/// Players and groups are indices into the caller's own lists. A game without a result is not a `RatedGame`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RatedGame {
    /// The players in their seats, and their places.
    pub result: TableResult,
    /// The game and its options. Every seat has its own advantage in every group.
    pub group: usize,
    /// The block of this game: games of one opening in which every player sits in every seat once; with two seats, a pair.
    /// Games form a block if they share this number, the group and the players, and differ in the seating. Other players or
    /// groups may reuse the number.
    pub pair: Option<u64>,
    /// The opening, as a number that games of the group share if and only if they have the same one; `None` if unknown. Results
    /// with a shared opening depend on each other. If all games of a group have the same opening, their results concern that
    /// start alone, and the opening counts as unknown.
    pub opening: Option<u64>,
}

impl RatedGame {
    /// Returns a game of two seats in the first group, without a block or a known opening.
    ///
    /// # Panics
    /// When a player's number is 2³² or more.
    #[must_use]
    pub const fn new(first: usize, second: usize, score: GameScore) -> Self {
        Self { result: TableResult::of_two(first, second, score), group: 0, pair: None, opening: None }
    }
}

/// The players at a table and their places: 1 is the best, and tied seats share a place.
///
/// ```
/// use stats::{GameScore, TableResult};
///
/// let result = TableResult::new([(7, 1), (2, 3), (5, 1)]).expect("three seats");
/// assert_eq!((result.seats(), result.player(1), result.place(1)), (3, 2, 3));
/// assert_eq!(result.score(0, 2), GameScore::Draw);
/// assert_eq!(result.halves(0), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct TableResult {
    seats: u8,
    players: [u32; MOST_SEATS],
    places: [u8; MOST_SEATS],
}

impl TableResult {
    /// Returns the result of a table from the player and the place of every seat, in order. Only the order of the places
    /// matters: `1, 2, 2` stays, `1, 2, 5` becomes `1, 2, 3` and `3, 4, 4` becomes `1, 2, 2`, one plus the number of better
    /// seats.
    ///
    /// Returns `None` for fewer than two or more than [`MOST_SEATS`] seats, or for a player's number of 2³² or more.
    #[must_use]
    pub fn new(seats: impl IntoIterator<Item = (usize, u8)>) -> Option<Self> {
        let (mut players, mut given, mut count) = ([0; MOST_SEATS], [0; MOST_SEATS], 0);
        for (player, place) in seats {
            *players.get_mut(count)? = u32::try_from(player).ok()?;
            given[count] = place;
            count += 1;
        }
        let mut places = [0; MOST_SEATS];
        for (place, own) in places.iter_mut().zip(given).take(count) {
            *place = 1 + given[..count].iter().filter(|other| **other < own).count() as u8;
        }
        (count >= 2).then_some(Self { seats: count as u8, players, places })
    }

    /// Returns a game of two seats from the score of the first.
    ///
    /// # Panics
    /// When a player's number is 2³² or more.
    #[must_use]
    pub const fn of_two(first: usize, second: usize, score: GameScore) -> Self {
        assert!(first <= u32::MAX as usize && second <= u32::MAX as usize, "a player's number is too large");
        let (mut players, mut places) = ([0; MOST_SEATS], [0; MOST_SEATS]);
        (players[0], players[1]) = (first as u32, second as u32);
        (places[0], places[1]) = match score {
            GameScore::Loss => (2, 1),
            GameScore::Draw => (1, 1),
            GameScore::Win => (1, 2),
        };
        Self { seats: 2, players, places }
    }

    /// Returns the number of seats.
    #[must_use]
    pub const fn seats(&self) -> usize {
        self.seats as usize
    }

    /// Returns the player in a seat, from 0.
    ///
    /// # Panics
    /// When the table has no such seat.
    #[must_use]
    pub fn player(&self, seat: usize) -> usize {
        self.players[..self.seats()][seat] as usize
    }

    /// Returns the players in the order of the seats.
    pub fn players(&self) -> impl Iterator<Item = usize> + '_ {
        self.players[..self.seats()].iter().map(|&player| player as usize)
    }

    /// Returns the place of a seat: one plus the number of better seats.
    ///
    /// # Panics
    /// When the table has no such seat.
    #[must_use]
    pub fn place(&self, seat: usize) -> u8 {
        self.places[..self.seats()][seat]
    }

    /// Returns the score of a seat against another one.
    ///
    /// # Panics
    /// When the table has no such seats.
    #[must_use]
    pub fn score(&self, seat: usize, other: usize) -> GameScore {
        match self.place(seat).cmp(&self.place(other)) {
            std::cmp::Ordering::Less => GameScore::Win,
            std::cmp::Ordering::Equal => GameScore::Draw,
            std::cmp::Ordering::Greater => GameScore::Loss,
        }
    }

    /// Returns the score of every two seats of different players: both seats, the lower first, and the score of the lower.
    /// Seats of the same player are left out, because their result says nothing about strength.
    pub fn duels(&self) -> impl Iterator<Item = (usize, usize, GameScore)> + '_ {
        let seats = self.seats();
        let pairs = (0..seats).flat_map(move |one| (one + 1..seats).map(move |two| (one, two)));
        let met = pairs.filter(|&(one, two)| self.players[one] != self.players[two]);
        met.map(|(one, two)| (one, two, self.score(one, two)))
    }

    /// Returns the seats of other players.
    pub fn opponents(&self, seat: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.seats()).filter(move |&other| self.players[other] != self.players[seat])
    }

    /// Returns the score of a seat against the seats of other players, in half points: two for each that it beat, one for a
    /// tie.
    #[must_use]
    pub fn halves(&self, seat: usize) -> u8 {
        self.opponents(seat).map(|other| self.score(seat, other).halves()).sum()
    }

    /// Returns the points of a seat: the share of its opponents that it beat, where a tie counts a half; `None` if all seats
    /// belong to the same player.
    #[must_use]
    pub fn points(&self, seat: usize) -> Option<Points> {
        let opponents = self.opponents(seat).count() as u64;
        (opponents > 0).then(|| Points::share(self.halves(seat).into(), 2 * opponents))
    }

    /// Returns the same result with other numbers: player `i` becomes `players[i]`.
    ///
    /// # Panics
    /// When a player has no new number, or one of 2³² or more.
    pub(crate) fn renumbered(mut self, numbers: &[usize]) -> Self {
        for player in &mut self.players[..self.seats.into()] {
            *player = u32::try_from(numbers[*player as usize]).expect("there are fewer than 2^32 players");
        }
        self
    }

    /// Returns the players from the lowest number to the highest, which is the same for every seating; seats that the table lacks
    /// follow as 0.
    #[must_use]
    pub fn sorted_players(&self) -> [u32; MOST_SEATS] {
        let mut players = self.players;
        players[..self.seats()].sort_unstable();
        players
    }
}

/// The score of one side in one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum GameScore {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl GameScore {
    /// All scores, from worst to best.
    pub const ALL: [Self; 3] = [Self::Loss, Self::Draw, Self::Win];

    /// Returns the score in points: 0, ½ or 1.
    #[must_use]
    pub fn points(self) -> f64 {
        f64::from(self.halves()) / 2.0
    }

    /// Returns the score in half points: 0, 1 or 2.
    #[must_use]
    pub fn halves(self) -> u8 {
        match self {
            Self::Loss => 0,
            Self::Draw => 1,
            Self::Win => 2,
        }
    }

    /// Returns the score of the other side.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Loss => Self::Win,
            Self::Draw => Self::Draw,
            Self::Win => Self::Loss,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(given: &[u8]) -> Option<Vec<u8>> {
        let result = TableResult::new(given.iter().copied().enumerate())?;
        Some((0..result.seats()).map(|seat| result.place(seat)).collect())
    }

    #[test]
    fn places_are_one_plus_the_seats_that_did_better() {
        assert_eq!(places(&[1, 2, 3]), Some(vec![1, 2, 3]));
        assert_eq!(places(&[5, 2, 2]), Some(vec![3, 1, 1]));
        assert_eq!(places(&[2, 2, 0, 7]), Some(vec![2, 2, 1, 4]));
        assert_eq!(places(&[1]), None);
        assert_eq!(places(&[1; 9]), None);
    }

    #[test]
    fn two_seats_are_a_table() {
        for score in GameScore::ALL {
            let result = TableResult::of_two(4, 9, score);
            assert_eq!(TableResult::new([(4, result.place(0)), (9, result.place(1))]), Some(result));
            assert_eq!(result.duels().collect::<Vec<_>>(), [(0, 1, score)]);
            assert_eq!(result.points(0).map(Points::to_f64), Some(score.points()));
            assert_eq!(result.points(1).map(Points::to_f64), Some(score.opposite().points()));
        }
        assert_eq!(TableResult::of_two(1, 1, GameScore::Win).points(0), None);
    }

    #[test]
    fn copies_of_a_player_do_not_meet_each_other() {
        let result = TableResult::new([(0, 2), (1, 1), (1, 3), (1, 2)]).expect("four seats");
        assert_eq!(
            result.duels().collect::<Vec<_>>(),
            [(0, 1, GameScore::Loss), (0, 2, GameScore::Win), (0, 3, GameScore::Draw)]
        );
        assert_eq!((result.halves(0), result.halves(1), result.halves(2)), (3, 2, 0));
        assert_eq!(result.points(0).map(Points::to_f64), Some(0.5));
    }
}
