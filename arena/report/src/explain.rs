//! What the page of a run shows, in words.

use crate::sentences::{
    ANY_TIME, BOUND, CIRCLES, FIRST_SEAT, LOS, MODEL, RECORD, SEVERAL, STANDINGS, TABLES, paragraphs,
};
use crate::{RunReport, SequentialTest, SeveralGames};

/// Returns paragraphs that explain the page of a run and the model behind it.
#[must_use]
pub fn explanation(run: &RunReport<'_>) -> Vec<String> {
    let mut sentences = vec![MODEL];
    sentences.extend(STANDINGS);
    sentences.extend([BOUND, RECORD, FIRST_SEAT]);
    if run.results().most_seats(None) > 2 {
        sentences.push(TABLES);
    }
    if run.results().is_live {
        sentences.push(ANY_TIME);
    } else {
        sentences.push(LOS);
        sentences.extend(CIRCLES);
    }
    if SequentialTest::of(run.contents()).is_some_and(|trial| SeveralGames::of(&trial).is_some()) {
        sentences.extend(SEVERAL);
    }
    paragraphs(&sentences)
}
