//! Formats that are known before the first game: who meets whom in each round.

use record::RunConfig;

use settings::Format;

/// Returns who meets in every round of a configuration, in the order of play; `None` where results decide. Each two bots
/// stand there at most once.
///
/// A run that is interrupted at any pairing has met evenly: in a round robin by the circle method, in a gauntlet with
/// every seed as far as the others.
#[must_use]
pub fn pairings(config: &RunConfig) -> Option<Vec<(usize, usize)>> {
    let find = |name: &String| config.bots.iter().position(|bot| bot.name == *name);
    let pairing = config.pairing.as_ref();
    match config.format.known()? {
        Format::RoundRobin | Format::Sprt => Some(round_robin(config.bots.len())),
        Format::Gauntlet => {
            let seeds: Vec<_> =
                pairing.into_iter().flat_map(|pairing| &pairing.seeds).filter_map(find).collect();
            let others: Vec<_> = (0..config.bots.len()).filter(|bot| !seeds.contains(bot)).collect();
            let mut list = gauntlet(&seeds, &others);
            if pairing.is_some_and(|pairing| pairing.seeds_meet) {
                list.extend(round_robin(seeds.len()).iter().map(|&(one, other)| (seeds[one], seeds[other])));
            }
            Some(list)
        }
        Format::List => {
            let matches = pairing.into_iter().flat_map(|pairing| &pairing.matches);
            Some(
                matches
                    .filter_map(|bots| match &bots[..] {
                        [one, other] => Some((find(one)?, find(other)?)),
                        _ => None,
                    })
                    .collect(),
            )
        }
        Format::Swiss | Format::Knockout | Format::DoubleKnockout | Format::Ladder => None,
    }
}

/// Returns every pairing of a seed with another one. Both sides take turns of their own; where the turns of both end
/// together, those of the others begin one place later, so that nobody meets again. Who begins alternates.
fn gauntlet(seeds: &[usize], others: &[usize]) -> Vec<(usize, usize)> {
    let (n, m) = (seeds.len(), others.len());
    let together = (1..=n).map(|turns| turns * m).find(|pairings| pairings % n == 0).unwrap_or(1);
    let pairing = |index: usize| {
        let (seed, other) = (seeds[index % n], others[(index + index / together) % m]);
        if index.is_multiple_of(2) { (seed, other) } else { (other, seed) }
    };
    (0..n * m).map(pairing).collect()
}

/// Returns every pairing of `n` players once, by the circle method: one player stays, the others go round, and
/// in every turn of the circle each player meets one other (or, with an odd number, one player rests).
#[must_use]
pub fn round_robin(n: usize) -> Vec<(usize, usize)> {
    let size = n + n % 2;
    let mut pairings = Vec::new();
    for turn in 0..size.saturating_sub(1) {
        let at = |place: usize| if place == 0 { 0 } else { (place - 1 + turn) % (size - 1) + 1 };
        for place in 0..size / 2 {
            let (one, other) = (at(place), at(size - 1 - place));
            if one < n && other < n {
                // The player that stays would begin every first leg: it changes sides.
                pairings.push(if place == 0 && turn % 2 == 1 { (other, one) } else { (one, other) });
            }
        }
    }
    pairings
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    /// How many meetings every bot has had at the start of a list.
    fn counts(n: usize, list: &[(usize, usize)]) -> Vec<usize> {
        let mut counts = vec![0; n];
        for (one, other) in list {
            counts[*one] += 1;
            counts[*other] += 1;
        }
        counts
    }

    fn spread(counts: &[usize]) -> usize {
        counts.iter().max().unwrap() - counts.iter().min().unwrap()
    }

    proptest! {
        #[test]
        fn an_interrupted_round_robin_has_met_evenly(n in 2_usize..20, cut in any::<prop::sample::Index>()) {
            let pairings = round_robin(n);
            prop_assert_eq!(pairings.len(), n * (n - 1) / 2);
            let met = counts(n, &pairings[..=cut.index(pairings.len())]);
            prop_assert!(spread(&met) <= 2, "{met:?}");
        }

        #[test]
        fn in_a_gauntlet_every_seed_meets_every_other_once_and_evenly(
            seeds in 1_usize..6,
            others in 1_usize..20,
            cut in any::<prop::sample::Index>(),
        ) {
            let bots: Vec<usize> = (0..seeds + others).collect();
            let list = gauntlet(&bots[..seeds], &bots[seeds..]);
            let met: HashSet<_> = list.iter().map(|&(one, other)| (one.min(other), one.max(other))).collect();
            prop_assert_eq!((list.len(), met.len()), (seeds * others, seeds * others));
            prop_assert!(met.iter().all(|&(seed, other)| seed < seeds && other >= seeds));
            let met = counts(bots.len(), &list[..=cut.index(list.len())]);
            prop_assert!(spread(&met[..seeds]) <= 1 && spread(&met[seeds..]) <= 1, "{:?}", met);
        }
    }
}
