//! The standings as JSON.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stats::RatingBound;

use crate::sequential_test::question::TestQuestion;
use crate::sequential_test::text::trial_verdict;
use crate::{Row, RunReport, SeatScore, SequentialTest, Standings};

/// Returns the standings of a run, of all games together and of each, as one object on one line, with the fields of
/// `arena/docs/json.md`. A test of strength adds its question and answer.
#[must_use]
pub fn standings_json(run: &RunReport<'_>) -> String {
    let contents = run.contents();
    let config = contents.runs.last().map(|run| &run.config);
    let results = run.results();
    let by_game: BTreeMap<String, Vec<Value>> = results
        .played_labels()
        .into_iter()
        .map(|label| results.standings(Some(label)))
        .filter_map(|standings| Some((standings.label.clone()?, rows(standings))))
        .collect();
    let test = SequentialTest::of(contents).map(|trial| {
        json!({
            "question": TestQuestion::of(&trial).asked(),
            "verdict": trial_verdict(&trial),
            "decision": trial.decision().to_string(),
            "llr": trial.walk().llr(),
            "pairs": trial.walk().pairs(),
        })
    });
    let all = results.standings(None);
    crate::writing::json::document(&json!({
        "name": config.map(|config| &config.name),
        "format": config.map(|config| config.format.to_string()),
        "games": all.games,
        "standings": rows(all),
        "by_game": by_game,
        "test": test,
    }))
}

fn rows(standings: &Standings) -> Vec<Value> {
    standings.rows.iter().map(|one| row(one, standings.seats)).collect()
}

fn row(row: &Row, seats: usize) -> Value {
    let (games, points) = (row.games(), row.points().to_f64());
    let mut line = json!({
        "rank": row.rank,
        "name": row.player.name,
        "version": row.version,
        "elo": row.elo,
        "error95": row.error95,
        "regularized": row.is_regularized,
        "bound": row.bound.map(|bound| match bound {
            RatingBound::Above(elo) => json!({ "above": elo }),
            RatingBound::Below(elo) => json!({ "below": elo }),
        }),
        "games": games,
        "score": points,
        "score_percent": (games > 0).then(|| 100.0 * points / games as f64),
        "wins": row.wins,
        "draws": row.draws,
        "losses": row.losses,
        "faults": row.fault_count(),
        "ms_per_ply": row.mean_ms,
        "los_next": row.los,
        "los_next_holm": row.los_holm,
    });
    if seats > 2 {
        let place = |place: usize| row.places.get(place).copied().unwrap_or(0);
        line["places"] = (0..seats).map(place).collect();
        let seat = |seat: &SeatScore| json!({ "games": seat.games, "score": seat.points.to_f64() });
        line["seats"] = row.seats.iter().map(seat).collect();
    }
    line
}
