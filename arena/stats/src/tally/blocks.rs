//! The observations: blocks, and games that belong to none.

use std::collections::BTreeMap;

use crate::{MOST_SEATS, RatedGame, TableResult};

/// What games of a block share: the group, the number of seats, and the players in any seats.
type BlockKey = (usize, usize, [u32; MOST_SEATS]);

/// A game among those of the same group and players. In sorted order, the games of a block are adjacent; with two seats, the
/// game in which the player of lower index has the first seat comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Leg {
    pair: Option<u64>,
    pub(crate) result: TableResult,
    /// The opening that the game shares with others.
    pub(crate) opening: Option<u64>,
}

impl From<&RatedGame> for Leg {
    fn from(game: &RatedGame) -> Self {
        Self { pair: game.pair, result: game.result, opening: game.opening }
    }
}

/// Sorts games by group and players, leaving out those in which nobody meets another player.
///
/// Only here are games looked up one by one. Neighbours in the list, which are usually the games of one block, need a single
/// look-up.
pub(crate) fn by_players<'a>(games: impl Iterator<Item = &'a RatedGame>) -> Vec<(usize, Vec<Leg>)> {
    let mut places: BTreeMap<BlockKey, usize> = BTreeMap::new();
    let mut sorted: Vec<(BlockKey, Vec<Leg>)> = Vec::new();
    let mut last = 0;
    for game in games.filter(|game| is_between_players(&game.result)) {
        let key = key(game);
        if sorted.get(last).is_none_or(|(other, _)| *other != key) {
            last = *places.entry(key).or_insert(sorted.len());
            if last == sorted.len() {
                sorted.push((key, Vec::new()));
            }
        }
        sorted[last].1.push(game.into());
    }
    sorted.into_iter().map(|((group, ..), legs)| (group, legs)).collect()
}

/// Divides games of the same group and players into blocks and single games, in a canonical order.
///
/// Games with a shared number form a block if no two of them have the same seating.
pub(crate) fn units(legs: &mut [Leg]) -> impl Iterator<Item = &[Leg]> + '_ {
    legs.sort_unstable();
    let same = legs.chunk_by(|one, two| one.pair.is_some() && one.pair == two.pair);
    same.flat_map(|same| {
        let is_block = have_distinct_seatings(same.iter().map(|leg| leg.result));
        same.chunks(if is_block { same.len() } else { 1 })
    })
}

/// Returns whether games can form one block: at least two of the same group and players, each with a different seating.
pub(crate) fn are_block(games: &[RatedGame]) -> bool {
    let [first, others @ ..] = games else { return false };
    let have_same_players = others.iter().all(|other| key(other) == key(first));
    let mut results: Vec<TableResult> = games.iter().map(|game| game.result).collect();
    results.sort_unstable();
    !others.is_empty()
        && is_between_players(&first.result)
        && have_same_players
        && have_distinct_seatings(results.into_iter())
}

/// Returns whether at least two different players sit at a table.
pub(crate) fn is_between_players(result: &TableResult) -> bool {
    result.duels().next().is_some()
}

fn key(game: &RatedGame) -> BlockKey {
    (game.group, game.result.seats(), game.result.sorted_players())
}

/// Returns whether all results, in order, have different seatings.
fn have_distinct_seatings(mut results: impl Iterator<Item = TableResult>) -> bool {
    let Some(mut last) = results.next() else { return true };
    results.all(|next| {
        let differ = !last.players().eq(next.players());
        last = next;
        differ
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::GameScore;

    fn game(first: usize, second: usize, score: GameScore, pair: Option<u64>) -> RatedGame {
        RatedGame { pair, ..RatedGame::new(first, second, score) }
    }

    fn table(players: &[usize], pair: u64) -> RatedGame {
        let places = 1..=players.len() as u8;
        let result = TableResult::new(players.iter().copied().zip(places)).expect("a table");
        RatedGame { result, group: 0, pair: Some(pair), opening: None }
    }

    /// Returns the sizes of units, in any order.
    fn sizes(games: &[RatedGame]) -> Vec<usize> {
        let mut sizes: Vec<usize> = by_players(games.iter())
            .into_iter()
            .flat_map(|(_, mut legs)| units(&mut legs).map(<[Leg]>::len).collect::<Vec<_>>())
            .collect();
        sizes.sort_unstable();
        sizes
    }

    #[test]
    fn what_is_not_one_game_of_each_colour_is_no_pair() {
        let won = GameScore::Win;
        assert_eq!(sizes(&[game(0, 1, won, Some(1)), game(1, 0, won, Some(1))]), [2]);
        assert_eq!(sizes(&[game(0, 1, won, Some(1))]), [1]);
        assert_eq!(sizes(&[game(0, 1, won, Some(1)), game(0, 1, GameScore::Draw, Some(1))]), [1, 1]);
        let three = [game(0, 1, won, Some(1)), game(1, 0, won, Some(1)), game(1, 0, won, Some(1))];
        assert_eq!(sizes(&three), [1, 1, 1]);
        assert_eq!(sizes(&[game(0, 1, won, Some(1)), game(2, 0, won, Some(1))]), [1, 1]);
        assert_eq!(sizes(&[game(0, 1, won, None), game(1, 0, won, None)]), [1, 1]);
        assert_eq!(sizes(&[game(1, 1, won, Some(1))]), [0; 0]);
    }

    #[test]
    fn a_block_has_every_seating_once() {
        let block = [table(&[0, 1, 2], 1), table(&[1, 2, 0], 1), table(&[2, 0, 1], 1)];
        assert_eq!(sizes(&block), [3]);
        // The games of a part of it depend on each other as well.
        assert_eq!(sizes(&block[1..]), [2]);
        assert_eq!(sizes(&[block[0], block[1], block[0]]), [1, 1, 1]);
        assert_eq!(sizes(&[table(&[0, 1, 1], 2), table(&[1, 0, 1], 2), table(&[1, 1, 0], 2)]), [3]);
        assert_eq!(sizes(&[table(&[1, 1, 1], 2)]), [0; 0]);
        assert!(are_block(&block) && !are_block(&block[..1]) && !are_block(&[block[0], block[0]]));
        assert!(!are_block(&[block[0], table(&[1, 2, 3], 1)]));
    }
}
