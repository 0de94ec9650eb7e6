//! The sentences that explain tables. This is their only source; `arena/docs/statistics.md` quotes all of them, which a test
//! checks.

/// The model of all ratings.
pub(crate) const MODEL: &str = "Model: the expected score of the first seat is 1/(1+10^(-(R1-R2+H)/400)), with a \
    rating R for every player and a first-seat advantage H for every game with its options; a draw is half a point. \
    All ratings and advantages are estimated at once by maximum likelihood from all games, so that their order does \
    not matter. 400 Elo are odds of ten to one.";

/// The columns of ratings and standings.
pub(crate) const BOUND: &str = "bound: the one-sided 95% bound that the games alone give for a player who won or lost \
    every game against the largest group.";
/// As above.
pub(crate) const RECORD: &str = "games, score, W/D/L: games that count, the share of points (`score` in files: the \
    points), games won, drawn and lost. faults: games lost by a crash, a timeout, an illegal ply and the like; they \
    count as losses.";
/// As above.
pub(crate) const LOS: &str = "LOS (`los_next`): the likelihood of being stronger than the next in rank; \
    `los_next_holm`: the same, adjusted for all comparisons of the table.";
/// As above.
pub(crate) const FIRST_SEAT: &str = "p1 score, p1 Elo, drawn, pairs (`first_seat_advantage`): the share of points of \
    the first seat, its advantage H, the share of draws, and the colour-swapped pairs of each game.";

/// Tables of more than two seats.
pub(crate) const TABLES: &str = "Tables of more than two seats: a game counts as the results of every two of its \
    seats, and S1-S2 replaces H: every seat has an advantage S (`seats`), and those of a game add up to zero. score is \
    the share of opponents beaten, where a tie counts a half; 1st, 2nd and so on (`places`): how often a player took \
    each place, where ties share the better one. wins, draws, losses: opponents beaten, tied with and lost to. pairs: \
    blocks, in which every player sat in every seat once. Errors come from blocks and shared openings.";

/// Davidson's model, in ratings.
pub(crate) const EQUALS_DRAW: &str = "equals draw (`davidson_draw_rate`): the share of draws between equals without an \
    advantage, by the model of Davidson (1970), which predicts wins, draws and losses; `davidson_nu` is its parameter, \
    and `davidson_log_likelihood` how well it explains all results. Its ratings are not shown, because their scale is \
    wider.";

/// The comparison of two runs.
pub(crate) const COMPARE: &[&str] = &[
    "Elo change: how much stronger a bot is in the second run than in the first. Each run and game is rated \
     separately, with a first-seat advantage. Both ratings count from the mean of the same bots: those with the same \
     digest in both runs, or all bots if there are none. ± is the 95% error of the change, from the errors and \
     covariances of both runs; the runs count as independent, which is cautious if they share openings.",
    "~: the games of one run give no finite figure, so both runs are rated with a normal prior of 200 Elo around the \
     mean.",
    "Strength over all games: the mean change on games like these by random effects (Paule and Mandel), with the \
     modified interval of Hartung and Knapp; with few games it is wide. I2 is the share of the spread between games \
     that errors do not explain, `next game` the 95% prediction interval for one further game.",
    "p: the probability of a change at least as large, in either direction, if nothing changed. p adjusted: p adjusted \
     by Holm's method for all tests of the page, strengths and faults together. If nothing changed, one comparison in \
     twenty has a value of 0.05 or less; a star marks such values.",
    "Faults: games lost by a crash, a timeout, an illegal ply and the like, as a share of the games with a result; p \
     is Fisher's exact test of both shares.",
    "ms/ply: the mean thinking time of a decision. of clock: the mean share of the clock that a decision used: its \
     time divided by the sum of its time and the clock after it.",
    "Node counts: if a bot has the same digest, seed and limit (nodes or depth only) in both runs, it should choose \
     the same ply after the same plies, with the same node count at the same depth. The first deviation is named.",
];

/// The standings of a run, besides [`MODEL`], [`BOUND`], [`RECORD`], [`LOS`] and [`FIRST_SEAT`].
pub(crate) const STANDINGS: &[&str] = &[
    "Elo: the rating, counted from the mean of all bots; only differences mean something. Its error, after the sign ±, \
     is half the width of the 95% interval at the number of games that were played. Games that share an opening are \
     one observation, and a pair that repeats an earlier one ply for ply counts once. ~: the games give no finite \
     figure; a normal prior of 200 Elo determines it.",
    "as p1, as p2: the share of points in each seat. ms/ply: the mean thinking time of a decision.",
    "pairing: the share of games that playing in pairs saves, from the variance of a pair over that of two independent \
     games. duplicates: pairs, or games, that repeat an earlier one ply for ply.",
];

/// An unfinished run.
pub(crate) const ANY_TIME: &str = "any time: the mean scores against all other bots of the run that were never \
    refuted, a 95% interval that stays valid however often you look, by betting (Waudby-Smith and Ramdas 2024). It \
    uses complete rounds in order: all pairs of a bot in a round are one block, and one observation if they share an \
    opening; rounds that repeat an opening of an earlier one are left out. During a run it replaces errors and LOS, \
    which are valid at one number of games only.";

/// The test of ratings.
pub(crate) const CIRCLES: &[&str] = &[
    "Do ratings explain the results: ratings are tested against a separate strength for every two players, by a \
     likelihood ratio whose scale accounts for draws and pairs (Rao and Scott 1984). The test is shown if four of five \
     match-ups have five points on both sides.",
    "Cyclic: the share of the squared strengths that no ratings explain (HodgeRank: Jiang, Lim, Yao and Ye 2011). Elo \
     around: the sum of strengths around a triangle of players, 0 if ratings hold; z is the sum divided by its error, \
     and p is multiplied by the number of triangles (Bonferroni). Triangles with a p of at most 0.05 are shown.",
];

/// A test over several games.
pub(crate) const SEVERAL: &[&str] = &[
    "Over games like these: the mean difference if it may vary between games (random effects, Paule and Mandel), with \
     the modified interval of Hartung and Knapp; the 95% prediction interval is that of one further game.",
    "p gained, p regressed: one-sided p values of a game, from its pairs, adjusted by Holm's method for all games; a \
     star marks 0.05 or less.",
];

/// Returns sentences as paragraphs.
pub(crate) fn paragraphs(sentences: &[&str]) -> Vec<String> {
    sentences.iter().map(|sentence| (*sentence).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence must be changed in both places.
    #[test]
    fn the_page_on_statistics_holds_every_sentence() {
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let page = words(include_str!("../../docs/statistics.md"));
        let single = [MODEL, BOUND, RECORD, LOS, FIRST_SEAT, TABLES, EQUALS_DRAW, ANY_TIME];
        let all = single.iter().chain(STANDINGS).chain(CIRCLES).chain(SEVERAL).chain(COMPARE);
        let missing: Vec<_> = all.filter(|sentence| !page.contains(&words(sentence))).collect();
        assert!(missing.is_empty(), "{missing:#?}");
    }
}
