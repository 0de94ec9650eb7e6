//! What ratings mean, in words.

use stats::{PAIRS_FOR_CLUSTERS, RIDGE_SIGMA};

use crate::notes;
use crate::rate::{By, Ratings};

/// Returns paragraphs about the model and about each column.
pub(super) fn paragraphs(ratings: &Ratings) -> Vec<String> {
    let by = match ratings.by {
        By::Name => "its name",
        By::Version => "its name and version",
        By::Hash => "its name, version and digest",
    };
    let mut paragraphs = vec![
        "Model: the expected score of the first seat is 1/(1+10^(-(R1-R2+H)/400)), with a rating R for every \
         player and a first-seat advantage H for every game with its options; a draw is half a point. All ratings \
         and advantages are estimated at once by maximum likelihood from all games, so that their order does not \
         matter. 400 Elo are odds of ten to one."
            .to_owned(),
    ];
    paragraphs.extend(notes::of_method(ratings.method, ratings.components));
    paragraphs.extend([
        format!("A player is known by {by}."),
        "Elo (`elo`, `rating`): the rating, counted from the mean of all players or from the anchor. Only \
         differences mean something."
            .to_owned(),
        format!(
            "Error (`error95`, after the sign): half the width of the 95% interval, {}. From {PAIRS_FOR_CLUSTERS} \
             pairs on, the two games of a colour-swapped pair are one observation; otherwise every game is. The \
             anchor has none.",
            notes::errors(ratings.errors)
        ),
        format!(
            "~ (`mark`, `regularized`): the games hold no finite figure, or the prior was asked for; a normal prior of \
             {RIDGE_SIGMA:.0} Elo around the mean keeps it in place."
        ),
        "bound: what the games alone say, with 95% confidence, of a player who won or lost everything against the \
         largest group."
            .to_owned(),
        "group, component: players tied to each other by results, directly or through others. Ratings of different \
         components cannot be compared."
            .to_owned(),
        "games, score, W/D/L: games that count, the share of points (`score` in files: the points), games won, drawn \
         and lost. faults: games lost by a crash, a timeout, an illegal ply and the like; they are losses like \
         others."
            .to_owned(),
        "LOS (`los_next`): the likelihood of being stronger than the next in rank; `los_next_holm`: the same, adjusted \
         for making all these comparisons."
            .to_owned(),
        "p1 score, p1 Elo, drawn, pairs (`first_seat_advantage`): the share of points of the first seat, its \
         advantage H, the share of draws, and the colour-swapped pairs of each game."
            .to_owned(),
    ]);
    paragraphs
}
