//! Withdrawing bots that have failed too often.
//!
//! Whether a game is played depends on the games with lower numbers alone, as if all games were played one after the other. It
//! does not depend on which of them ended first, on the number of games at once, or on interruptions. So a game whose bots may
//! still reach the limit in games with lower numbers must wait for those.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use record::{BotId, GameResult, GameSummary, Termination};
use rules::{PerSeat, Seat};

/// How many games a bot may refuse, or fail to start for, before each further one is a fault.
pub(crate) const FREE_REFUSALS: usize = 2;

/// The faults of all bots.
#[derive(Clone, Debug)]
pub(crate) struct Withdrawals {
    /// The number of faults that withdraws a bot.
    most: NonZeroU32,
    bots: BTreeMap<BotId, Marks>,
}

/// The faults of one bot.
#[derive(Clone, Debug, Default)]
struct Marks {
    /// The games that it lost by a fault.
    lost: BTreeSet<u64>,
    /// The games that did not count because it refused them or could not be started.
    refused: BTreeSet<u64>,
    /// The version in its records.
    version: String,
}

/// The decision on a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ruling {
    /// It is played.
    Play,
    /// Unfinished games decide about it.
    Wait,
    /// It is not played, because the bot of this seat is withdrawn.
    Withdrawn(Seat),
}

impl Withdrawals {
    /// Returns the state before any game. `most` faults withdraw a bot.
    pub(crate) const fn new(most: NonZeroU32) -> Self {
        Self { most, bots: BTreeMap::new() }
    }

    /// Adds a recorded game.
    pub(crate) fn push(&mut self, game: &GameSummary<'_>) {
        for (seat, sitter) in game.seats().by_seat() {
            let bot = BotId { name: sitter.bot.clone(), digest: sitter.digest.clone() };
            let marks = self.bots.entry(bot).or_default();
            if game.fault_of(seat).is_some() {
                marks.lost.insert(game.number);
            } else if refuser(game) == Some(seat) {
                marks.refused.insert(game.number);
            }
            if !sitter.version.is_empty() {
                marks.version.clone_from(&sitter.version);
            }
        }
    }

    /// Decides whether a game is played. `open` is, for each of its bots, the number of its unfinished games with lower
    /// numbers.
    pub(crate) fn rule(&self, number: u64, bots: &PerSeat<&BotId>, open: &[usize]) -> Ruling {
        let most = self.most.get() as usize;
        // If several bots are withdrawn, the first seat is named, whatever is known first.
        for ((seat, bot), open) in bots.by_seat().zip(open) {
            let faults = self.faults_before(bot, number);
            if faults >= most {
                return Ruling::Withdrawn(seat);
            }
            if faults + open >= most {
                return Ruling::Wait;
            }
        }
        Ruling::Play
    }

    /// Returns how many faults withdraw a bot.
    pub(crate) const fn most(&self) -> NonZeroU32 {
        self.most
    }

    /// Returns the version in the records of a bot; empty if there is none.
    pub(crate) fn version(&self, bot: &BotId) -> &str {
        self.bots.get(bot).map_or("", |marks| &marks.version)
    }

    /// Returns how often a bot failed in games with lower numbers.
    fn faults_before(&self, bot: &BotId, number: u64) -> usize {
        self.bots.get(bot).map_or(0, |marks| {
            let refused = marks.refused.range(..number).count();
            marks.lost.range(..number).count() + refused.saturating_sub(FREE_REFUSALS)
        })
    }
}

/// Returns the seat that made a game not count: its bot refused the game or could not be started.
fn refuser(game: &GameSummary<'_>) -> Option<Seat> {
    let is_refusal = matches!(game.reason, Termination::Rejected | Termination::SpawnFailed);
    if is_refusal && game.result == GameResult::None { game.failed } else { None }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use record::{GameRecord, Summarizer};

    use super::*;

    fn identity(name: &str) -> BotId {
        BotId { name: name.to_owned(), digest: String::new() }
    }

    /// Returns a game of `bad` against `good`, which is lost by a fault, refused, or neither.
    fn game(number: u64, reason: &str) -> GameSummary<'static> {
        let (result, failed) = match reason {
            "crash" => ("p2win", "null"),
            "rejected" | "spawn-failed" => ("none", "1"),
            _ => ("draw", "null"),
        };
        let seat = |bot: &str| format!(r#"{{"bot":"{bot}","version":"","digest":"","tc":"","seed":1}}"#);
        let text = format!(
            r#"{{"number":{number},"pair":1,"leg":1,"round":1,"game":"g","options":{{}},"label":"g",
            "seats":[{},{}],"opening":0,"plies":[],"result":"{result}","reason":"{reason}","failed":{failed},
            "started":"","seconds":0}}"#,
            seat("bad"),
            seat("good")
        );
        let game: GameRecord = serde_json::from_str(&text).expect("a game record");
        Summarizer::default().push(&game, 0).clone()
    }

    fn withdrawals(most: u32, reasons: &[&str]) -> Withdrawals {
        let mut withdrawals = Withdrawals::new(NonZeroU32::new(most).expect("not 0"));
        (1..).zip(reasons).for_each(|(number, reason)| withdrawals.push(&game(number, reason)));
        withdrawals
    }

    fn rule(withdrawals: &Withdrawals, number: u64, open: [usize; 2]) -> Ruling {
        withdrawals.rule(number, &[&identity("bad"), &identity("good")].into(), &open)
    }

    #[test]
    fn the_last_fault_that_is_allowed_withdraws_a_bot_from_later_games_only() {
        let withdrawals = withdrawals(2, &["crash", "resign", "crash", "resign"]);
        assert_eq!(rule(&withdrawals, 3, [0, 0]), Ruling::Play);
        assert_eq!(rule(&withdrawals, 4, [0, 0]), Ruling::Withdrawn(Seat::P1));
        let swapped = withdrawals.rule(4, &[&identity("good"), &identity("bad")].into(), &[0, 0]);
        assert_eq!(swapped, Ruling::Withdrawn(Seat::P2));
    }

    #[test]
    fn games_that_are_not_over_may_decide() {
        let withdrawals = withdrawals(3, &["crash"]);
        assert_eq!(rule(&withdrawals, 9, [1, 2]), Ruling::Play);
        assert_eq!(rule(&withdrawals, 9, [2, 0]), Ruling::Wait);
        assert_eq!(rule(&withdrawals, 9, [0, 3]), Ruling::Wait);
    }

    #[test]
    fn refusals_are_faults_from_the_third_on() {
        let reasons = ["rejected", "spawn-failed", "rejected", "rejected"];
        assert_eq!(rule(&withdrawals(2, &reasons[..3]), 9, [0, 0]), Ruling::Play);
        assert_eq!(rule(&withdrawals(2, &reasons), 9, [0, 0]), Ruling::Withdrawn(Seat::P1));
    }

    proptest! {
        #[test]
        fn what_is_decided_early_is_what_the_whole_prefix_decides(
            faulty in proptest::collection::vec(prop_oneof![Just("crash"), Just("resign"), Just("rejected")], 1..20),
            known in proptest::collection::vec(any::<bool>(), 20),
            most in 1_u32..6,
        ) {
            let number = faulty.len() as u64 + 1;
            let mut partial = withdrawals(most, &[]);
            for ((index, reason), _) in (1..).zip(&faulty).zip(&known).filter(|(_, known)| **known) {
                partial.push(&game(index, reason));
            }
            let open = known[..faulty.len()].iter().filter(|known| !**known).count();
            let whole = rule(&withdrawals(most, &faulty), number, [0, 0]);
            match (rule(&partial, number, [open, 0]), whole) {
                (Ruling::Play, whole) => prop_assert_eq!(whole, Ruling::Play),
                (Ruling::Withdrawn(seat), whole) => prop_assert_eq!(whole, Ruling::Withdrawn(seat)),
                (Ruling::Wait, _) => prop_assert!(open > 0),
            }
        }
    }
}
