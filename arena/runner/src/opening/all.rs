//! All openings of a length, if they are few.

use std::collections::HashSet;

use rules::{Referee, RulesFault, Setup};

use super::length::OpeningLength;
use super::random::{Measure, own_start};
use crate::random::hash;

/// The most positions that are examined. With more there are too many openings to list.
const MOST_POSITIONS: usize = 50_000;

/// Lines of plies, a space after each ply, with the hashes of the positions that they lead to.
pub(super) type HashedLines = Vec<(u64, Box<str>)>;

/// Returns the hash of every position, up to symmetry, to which openings of a length lead without deciding the game, with one
/// line of plies for each, a space after each ply; `None` if too many positions would have to be examined.
pub(super) fn all(setup: &Setup, length: OpeningLength) -> Result<Option<HashedLines>, RulesFault> {
    let id = setup.game().id;
    let start = own_start(setup)?;
    let canonical = |referee: &dyn Referee| hash(&[&rules::canonical(id, &referee.position())]);
    let mut front: Vec<(Box<dyn Referee>, Box<str>, Measure)> =
        vec![(start, Box::default(), Measure::new(length))];
    let (mut done, mut looked_at) = (Vec::new(), 0);
    while !front.is_empty() {
        let (mut next, mut seen) = (Vec::new(), HashSet::new());
        for (referee, plies, mut measure) in front {
            if referee.outcome().is_some() {
                continue;
            }
            if !measure.goes_on(referee.as_ref()) {
                done.push((canonical(referee.as_ref()), plies));
                continue;
            }
            for ply in referee.legal() {
                looked_at += 1;
                if looked_at > MOST_POSITIONS {
                    return Ok(None);
                }
                let mut after = referee.fork();
                after.submit(&ply).map_err(|rejection| rejection.into_fault(&ply))?;
                // The continuations of symmetric positions are the same.
                if seen.insert(canonical(after.as_ref())) {
                    next.push((after, format!("{plies}{ply} ").into(), measure));
                }
            }
        }
        front = next;
    }
    let mut seen = HashSet::new();
    done.retain(|(position, _)| seen.insert(*position));
    Ok(Some(done))
}
