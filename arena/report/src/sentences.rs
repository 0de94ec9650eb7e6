//! What tables mean, in words: the one source of these sentences. `arena/docs/statistics.md` holds all of them, which a
//! test checks.

/// The model of all ratings.
pub(crate) const MODEL: &str = "Model: the expected score of the first seat is 1/(1+10^(-(R1-R2+H)/400)), with a rating R \
    for every player and a first-seat advantage H for every game with its options; a draw is half a point. All ratings \
    and advantages are estimated at once by maximum likelihood from all games, so that their order does not matter. 400 \
    Elo are odds of ten to one.";

/// What columns are called in ratings and standings.
pub(crate) const BOUND: &str = "bound: what the games alone say, with 95% confidence, of a player who won or lost \
    everything against the largest group.";
/// As above.
pub(crate) const RECORD: &str = "games, score, W/D/L: games that count, the share of points (`score` in files: the \
    points), games won, drawn and lost. faults: games lost by a crash, a timeout, an illegal ply and the like; they are \
    losses like others.";
/// As above.
pub(crate) const LOS: &str = "LOS (`los_next`): the likelihood of being stronger than the next in rank; \
    `los_next_holm`: the same, adjusted for making all these comparisons.";
/// As above.
pub(crate) const FIRST_SEAT: &str = "p1 score, p1 Elo, drawn, pairs (`first_seat_advantage`): the share of points of the \
    first seat, its advantage H, the share of draws, and the colour-swapped pairs of each game.";

/// Of tables of more than two seats.
pub(crate) const TABLES: &str = "Tables of more than two seats: a game counts as the results of every two of its seats, with \
    S1-S2 in the place of H, where every seat has an advantage S (`seats`) and those of a game add up to zero. score is \
    the share of the opponents that were beaten, a tie a half; 1st, 2nd and so on (`places`): how often a player took each place, \
    ties the better one. wins, draws, losses: opponents beaten, level and lost to. pairs: blocks, in which everybody sat in \
    every seat once. Errors come from blocks and shared openings.";

/// Of ratings: Davidson's model.
pub(crate) const EQUALS_DRAW: &str = "equals draw (`davidson_draw_rate`): the share of draws between equals without an \
    advantage, by the model of Davidson (1970) that predicts wins, draws and losses; `davidson_nu` is its parameter, and \
    `davidson_log_likelihood` how well it explains all results. Its ratings are not shown: they stand on a wider scale.";

/// Of a comparison of two runs.
pub(crate) const COMPARE: &[&str] = &[
    "Elo change: how much stronger a bot is in the second run than in the first, each run and game being rated on its own \
     with a first-seat advantage. Both count from the mean of the same bots: those whose digest is the same in both runs, \
     or all where none is. ± is the 95% error of the change, with the errors of both runs and their covariances; the runs \
     are taken as independent, which is cautious where they share openings.",
    "~: the games of one run hold no finite figure, so that both are rated with a normal prior of 200 Elo around the mean.",
    "Strength over all games: the mean change on games like these by random effects (Paule and Mandel), with the modified \
     interval of Hartung and Knapp; with few games it is wide. I2 is the share of the spread between games that errors do \
     not explain, `next game` the 95% prediction interval for one further game.",
    "p: how often a change as large or larger comes by chance where nothing changed, on both sides. p adjusted: the same, \
     adjusted by Holm's method for all tests of the page, strengths and faults together: where nothing changed, any of \
     them is 0.05 or less in one comparison of twenty. Such values are marked with a star.",
    "Faults: games lost by a crash, a timeout, an illegal ply and the like, of the games with a result; p is Fisher's exact \
     test of both shares.",
    "ms/ply: the mean thinking time of a decision. of clock: the mean share of the clock that a decision took, its time \
     over that time and what the clock showed after it.",
    "Node counts: where a bot with the same digest, seed and limit, nodes or depth alone, decides after the same plies in \
     both runs, its ply ought to be the same, and its node count where it is told for the same depth. The first that is not \
     is named.",
];

/// Of the standings of a run, beside [`MODEL`], [`BOUND`], [`RECORD`], [`LOS`] and [`FIRST_SEAT`].
pub(crate) const STANDINGS: &[&str] = &[
    "Elo: the rating, counted from the mean of all bots; only differences mean something. Its error, after the sign ±, is \
     half the width of the 95% interval at the number of games that were played. What shares an opening is one observation, \
     and a pair that repeats an earlier one ply for ply counts once. ~: no finite figure follows from the games; a normal \
     prior of 200 Elo keeps it in place.",
    "as p1, as p2: the share of points in each seat. ms/ply: the mean thinking time of a decision.",
    "pairing: how many games playing in pairs saves, from the variance of a pair over that of two independent games. \
     duplicates: pairs, or games, that repeat an earlier one ply for ply.",
];

/// Of an unfinished run.
pub(crate) const ANY_TIME: &str = "any time: the mean scores against all other bots of the run that were never refuted, a 95% \
    interval that holds however often one looks, by betting (Waudby-Smith and Ramdas 2024). It takes whole rounds in order: \
    all pairs of a bot in a round are one block, and one observation where they share an opening; rounds with openings of \
    earlier ones are left out. While a run goes on it stands in place of errors and LOS, which are right at \
    one number of games only.";

/// Of the test of ratings.
pub(crate) const CIRCLES: &[&str] = &[
    "Do ratings tell the truth: ratings are tested against a strength of its own for every two players, by a likelihood \
     ratio whose scale allows for draws and pairs (Rao and Scott 1984). It is told where four of five match-ups have five \
     points on both sides.",
    "Round in circles: the share of the squared strengths that no ratings explain (HodgeRank: Jiang, Lim, Yao and Ye 2011). \
     Elo round: the sum of strengths round a triangle of players, 0 if ratings hold; z is the sum over its error, and p is \
     multiplied by the number of triangles (Bonferroni). Triangles with p of 0.05 at most are shown.",
];

/// Of a test over several games.
pub(crate) const SEVERAL: &[&str] = &[
    "Over games like these: the mean difference when it may differ between games (random effects, Paule and Mandel), with the \
     modified interval of Hartung and Knapp; the prediction interval is where one further game lies with 95%.",
    "p gained, p regressed: one-sided p values of a game, from its pairs, adjusted by Holm's method for all games; a star \
     marks 0.05 or less.",
];

/// Returns sentences as paragraphs.
pub(crate) fn paragraphs(sentences: &[&str]) -> Vec<String> {
    sentences.iter().map(|sentence| (*sentence).to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sentence that is changed here is changed there too.
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
