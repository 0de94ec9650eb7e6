//! A game in the form that tables and the statistics use.

use record::GameSummary;
use rules::Seat;
use stats::{MOST_SEATS, RatedGame, TableResult};

use crate::results::copies::CountedGame;

/// A game with the numbers of its label and its players.
#[derive(Clone, Debug)]
pub(crate) struct Entry<'a> {
    pub game: GameSummary<'a>,
    pub label: usize,
    pub seats: Seating,
}

/// The numbers of the players in the seats of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Seating {
    players: [u32; MOST_SEATS],
    seats: u8,
}

impl Seating {
    /// Returns the seating of players. A record has no more players than a table has seats.
    pub(crate) fn new(players: impl IntoIterator<Item = usize>) -> Self {
        let mut seating = Self { players: [0; MOST_SEATS], seats: 0 };
        for (place, player) in seating.players.iter_mut().zip(players) {
            *place = u32::try_from(player).expect("there are fewer than 2^32 players");
            seating.seats += 1;
        }
        seating
    }

    /// Returns the number of seats.
    pub(crate) const fn len(&self) -> usize {
        self.seats as usize
    }

    /// Returns the players in the order of the seats.
    pub(crate) fn players(&self) -> impl Iterator<Item = usize> + '_ {
        self.players[..self.len()].iter().map(|player| *player as usize)
    }

    /// Returns the player in a seat of the table.
    pub(crate) fn of(&self, seat: Seat) -> usize {
        self.players[seat.index()] as usize
    }

    /// Returns both players of a table of two, `p1` first.
    pub(crate) fn pair(&self) -> Option<[usize; 2]> {
        (self.seats == 2).then(|| [0, 1].map(|seat| self.players[seat] as usize))
    }
}

impl Entry<'_> {
    /// Returns the game with what it shares with its copies, if it counts.
    pub(crate) fn counted(&self) -> Option<CountedGame> {
        let fingerprint = (self.game.plies > 0).then_some(self.game.fingerprint);
        Some(CountedGame::new(self.rated()?, fingerprint))
    }

    /// Returns the game in the form of the statistics, if it counts: it must have a result and at least two players.
    pub(crate) fn rated(&self) -> Option<RatedGame> {
        let mut places = [0; MOST_SEATS];
        for seat in Seat::all(self.seats.len()) {
            places[seat.index()] = self.game.result.place(seat)?;
        }
        let result = TableResult::new(self.seats.players().zip(places))?;
        result.duels().next()?;
        let (pair, opening) = (Some(self.game.pair), Some(self.game.opening));
        Some(RatedGame { result, group: self.label, pair, opening })
    }
}
