//! Which players the results connect.
//!
//! A finite fit of all players exists if and only if every set of players has scored against the rest and the rest against it
//! (Zermelo 1929, Ford 1957): the graph of "has scored against" must be strongly connected. A draw is a score for both.

use crate::GameScore;
use crate::tally::Tally;

/// The strongly connected components of a tournament, numbered by their player of lowest index.
#[derive(Debug)]
pub(crate) struct Components {
    /// The component of each player; `None` without games.
    pub(crate) of: Vec<Option<usize>>,
    /// The players of each component, in order.
    pub(crate) members: Vec<Vec<usize>>,
}

impl Components {
    pub(crate) fn of(players: usize, tally: &Tally) -> Self {
        let mut beaten: Vec<Vec<usize>> = vec![Vec::new(); players];
        let mut beaten_by: Vec<Vec<usize>> = vec![Vec::new(); players];
        let mut played = vec![false; players];
        for cell in &tally.cells {
            for score in GameScore::ALL.into_iter().filter(|&score| cell.count(score) > 0) {
                played[cell.first] = true;
                played[cell.second] = true;
                if score != GameScore::Loss {
                    beaten[cell.first].push(cell.second);
                    beaten_by[cell.second].push(cell.first);
                }
                if score != GameScore::Win {
                    beaten[cell.second].push(cell.first);
                    beaten_by[cell.first].push(cell.second);
                }
            }
        }
        // Kosaraju's algorithm: in reverse order of leaving, all nodes reachable backwards form one component.
        let mut left = Vec::with_capacity(players);
        let mut seen: Vec<bool> = played.iter().map(|&played| !played).collect();
        for player in 0..players {
            left.extend(search(player, &beaten, &mut seen));
        }
        let mut seen: Vec<bool> = played.iter().map(|&played| !played).collect();
        let mut members: Vec<Vec<usize>> = left
            .iter()
            .rev()
            .map(|&player| search(player, &beaten_by, &mut seen))
            .filter(|members| !members.is_empty())
            .collect();
        for members in &mut members {
            members.sort_unstable();
        }
        members.sort_unstable();
        let mut of = vec![None; players];
        for (component, members) in members.iter().enumerate() {
            for &player in members {
                of[player] = Some(component);
            }
        }
        Self { of, members }
    }

    pub(crate) fn count(&self) -> usize {
        self.members.len()
    }

    /// Returns whether the results connect two players.
    pub(crate) fn ties(&self, i: usize, j: usize) -> bool {
        self.of[i].is_some() && self.of[i] == self.of[j]
    }
}

/// Returns the unseen nodes reachable from `start`, in the order in which the search leaves them.
fn search(start: usize, edges: &[Vec<usize>], seen: &mut [bool]) -> Vec<usize> {
    let mut left = Vec::new();
    if seen[start] {
        return left;
    }
    seen[start] = true;
    let mut path = vec![(start, 0)];
    while let Some((node, next)) = path.last_mut() {
        match edges[*node].get(*next) {
            Some(&to) => {
                *next += 1;
                if !seen[to] {
                    seen[to] = true;
                    path.push((to, 0));
                }
            }
            None => {
                left.push(*node);
                path.pop();
            }
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RatedGame;

    fn check(players: usize, results: &[(usize, usize, GameScore)], expected: &[&[usize]]) {
        let games: Vec<RatedGame> =
            results.iter().map(|&(first, second, score)| RatedGame::new(first, second, score)).collect();
        let components = Components::of(players, &Tally::new(players, 1, &games));
        assert_eq!(components.members, expected);
    }

    #[test]
    fn a_draw_ties_both_ways() {
        check(2, &[(0, 1, GameScore::Draw)], &[&[0, 1]]);
    }

    #[test]
    fn a_win_ties_one_way() {
        check(2, &[(1, 0, GameScore::Win)], &[&[0], &[1]]);
        check(2, &[(1, 0, GameScore::Win), (1, 0, GameScore::Loss)], &[&[0, 1]]);
    }

    #[test]
    fn a_circle_of_wins_ties_all() {
        let circle = [(2, 0, GameScore::Win), (2, 1, GameScore::Loss), (0, 1, GameScore::Win)];
        check(3, &circle, &[&[0, 1, 2]]);
    }

    #[test]
    fn a_one_way_bridge_separates() {
        let bridge = [
            (0, 3, GameScore::Draw),
            (1, 2, GameScore::Draw),
            (0, 1, GameScore::Win),
            (1, 0, GameScore::Loss),
        ];
        check(4, &bridge, &[&[0, 3], &[1, 2]]);
    }

    #[test]
    fn players_without_games_belong_nowhere() {
        check(3, &[(0, 2, GameScore::Draw)], &[&[0, 2]]);
        check(2, &[], &[]);
    }
}
