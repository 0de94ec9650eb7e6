//! The explanation of ratings.

use stats::RIDGE_SIGMA;

use crate::rate::{By, Ratings};
use crate::sentences;
use crate::tables::notes;

/// Returns paragraphs about the model and about each column.
pub(super) fn paragraphs(ratings: &Ratings) -> Vec<String> {
    let by = match ratings.by {
        By::Name => "its name",
        By::Version => "its name and version",
        By::Hash => "its name, version and digest",
    };
    let mut paragraphs = vec![sentences::MODEL.to_owned()];
    paragraphs.extend(notes::of_method(ratings.method, ratings.components));
    paragraphs.extend([
        format!("A player is identified by {by}."),
        "Elo (`elo`, `rating`): the rating, counted from the mean of all players or from the anchor. Only \
         differences mean something."
            .to_owned(),
        format!(
            "Error (`error95`, after the sign): half the width of the 95% interval, {}. Games that share an opening are \
             one observation, and so are the two games of a colour-swapped pair. A pair that repeats an earlier one ply for \
             ply counts once. The anchor has no error.",
            notes::errors(ratings.errors, ratings.seats())
        ),
        format!(
            "~ (`mark`, `regularized`): the games give no finite figure, or the prior was requested; a normal \
             prior of {RIDGE_SIGMA:.0} Elo determines it."
        ),
        sentences::BOUND.to_owned(),
        "group, component: players tied to each other by results, directly or through others. Ratings of different \
         components cannot be compared."
            .to_owned(),
        sentences::RECORD.to_owned(),
        sentences::LOS.to_owned(),
        sentences::FIRST_SEAT.to_owned(),
        sentences::EQUALS_DRAW.to_owned(),
    ]);
    if ratings.seats() > 2 {
        paragraphs.push(sentences::TABLES.to_owned());
    }
    if ratings.circles.is_some() {
        paragraphs.extend(sentences::paragraphs(sentences::CIRCLES));
    }
    paragraphs
}
