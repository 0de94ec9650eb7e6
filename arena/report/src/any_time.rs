//! What may be read of a run that goes on: scores whose intervals hold however often one looks.
//!
//! A round in which a bot has met every other bot in every game is one block of pairs: its average expected score is the
//! same in every round, so that a [`Monitor`] may take the rounds one by one. A bot's rounds are taken in order as far as
//! they are there without a gap; one in which a game has no result is left out.

use std::collections::BTreeMap;

use stats::{Interval, Monitor, Score};

use crate::results::Results;

/// How often an interval may ever miss the truth.
const LEVEL: f64 = 0.05;

/// The pairs of a round: label, player of lower and of higher number.
type Key = (u32, usize, usize, usize);

/// Returns for every player the mean scores, 0 to 1, that were never refuted; `None` before its first whole round, and
/// where its score did not stay the same.
pub(crate) fn scores(results: &Results<'_>, label: Option<usize>) -> Vec<Option<Interval>> {
    // The score of the player of lower number: in the game in which it is `p1`, then in the other one.
    let mut pairs: BTreeMap<Key, [Option<Option<Score>>; 2]> = BTreeMap::new();
    for entry in results.of(label) {
        let [first, second] = entry.seats;
        let score = entry.counted().map(|game| game.score);
        let key = (entry.game.round, entry.label, first.min(second), first.max(second));
        let (leg, score) = if first < second { (0, score) } else { (1, score.map(Score::opposite)) };
        pairs.entry(key).or_default()[leg] = Some(score);
    }
    let labels: Vec<usize> = match label {
        Some(label) => vec![label],
        None => results.configured.labels.clone(),
    };
    let bots = &results.configured.bots;
    let of_player = |player: usize| {
        let opponents: Vec<usize> = bots.iter().copied().filter(|bot| *bot != player).collect();
        if opponents.is_empty() || !bots.contains(&player) {
            return None;
        }
        let mut monitor = Monitor::new(LEVEL);
        for round in 1..=results.configured.rounds {
            let mut block = Vec::new();
            for label in &labels {
                for opponent in &opponents {
                    let key = (round, *label, player.min(*opponent), player.max(*opponent));
                    let Some([Some(one), Some(two)]) = pairs.get(&key) else {
                        return (monitor.observed() > 0).then(|| monitor.interval()).flatten();
                    };
                    let own = |score: Score| if player < *opponent { score } else { score.opposite() };
                    block.push(one.zip(*two).map(|(one, two)| (own(one), own(two))));
                }
            }
            if let Some(block) = block.into_iter().collect::<Option<Vec<_>>>() {
                monitor.observe_block(block);
            }
        }
        (monitor.observed() > 0).then(|| monitor.interval()).flatten()
    };
    (0..results.players.len()).map(of_player).collect()
}

#[cfg(test)]
mod tests {
    use record::{GameSummary, Result, Summarizer};

    use super::*;
    use crate::Player;
    use crate::players::Players;
    use crate::results::Configured;
    use crate::tally::Entry;

    /// Three bots whose scores against each other are 0.8, 0.65 and 0.7, in that order of pairings.
    const SCORES: [((usize, usize), f64); 3] = [((0, 1), 0.8), ((0, 2), 0.65), ((1, 2), 0.7)];

    /// A game of which only what the tests set counts.
    fn any_game() -> GameSummary {
        let seat = r#"{"bot":"a","version":"","digest":"","tc":"","seed":1}"#;
        let text = format!(
            r#"{{"number":1,"pair":1,"leg":1,"round":1,"game":"farook","options":{{}},"label":"farook","seats":[{seat},{seat}],
            "opening":0,"result":"draw","reason":"line","started":"","seconds":1.0,"plies":[]}}"#
        );
        Summarizer::default().push(&serde_json::from_str(&text).expect("a game"), 0).clone()
    }

    /// Games with the numbers of their players.
    fn games(seed: u64, rounds: u32) -> Vec<(GameSummary, [usize; 2])> {
        let mut state = seed;
        let mut luck = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut games = Vec::new();
        let any = any_game();
        for round in 1..=rounds {
            for ((one, two), score) in SCORES {
                for seats in [[one, two], [two, one]] {
                    // The first seat is worth a tenth of a point.
                    let expected = if seats[0] == one { score + 0.1 } else { 1.0 - score + 0.1 };
                    let number = games.len() as u64 + 1;
                    let result = if luck() < expected { Result::P1Win } else { Result::P2Win };
                    let mut game = any.clone();
                    (game.number, game.pair, game.round) = (number, number.div_ceil(2), round);
                    game.result = result;
                    games.push((game, seats));
                }
            }
        }
        games
    }

    fn results(games: &[(GameSummary, [usize; 2])], rounds: u32) -> Results<'_> {
        let player =
            |name: &str| Player { name: name.to_owned(), version: String::new(), digest: String::new() };
        Results {
            players: Players::new(["a", "b", "c"].map(player).to_vec()),
            labels: vec!["farook".to_owned()],
            games: games.iter().map(|(game, seats)| Entry { game, label: 0, seats: *seats }).collect(),
            configured: Configured { bots: vec![0, 1, 2], labels: vec![0], rounds: rounds + 1 },
            is_live: true,
        }
    }

    /// What was refuted at any time is left out for good: the last interval tells whether the truth was ever missed.
    #[test]
    fn intervals_hold_at_all_times_with_unequal_opponents() {
        let truth = [(0.8 + 0.65) / 2.0, (0.2 + 0.7) / 2.0, (0.35 + 0.3) / 2.0];
        let runs = 300;
        let mut missed = 0;
        let mut width = 0.0;
        for seed in 0..runs {
            for (interval, truth) in scores(&results(&games(seed, 150), 150), None).iter().zip(truth) {
                missed += usize::from(interval.as_ref().is_none_or(|interval| !interval.contains(truth)));
                width += interval.as_ref().map_or(1.0, |interval| interval.high - interval.low);
            }
        }
        let (all, width) = ((3 * runs) as f64, width / (3 * runs) as f64);
        println!("ever missed: {:.1} %, mean width {width:.3}", 100.0 * missed as f64 / all);
        // The three intervals of a run depend on each other: three standard errors of as many runs.
        assert!(
            (missed as f64) < all * (LEVEL + 3.0 * (LEVEL * (1.0 - LEVEL) / runs as f64).sqrt()),
            "{missed}"
        );
        assert!(width < 0.25, "{width}");
    }
}
