//! The result of a run in a few sentences, which begin every report.

use record::RunConfig;

use crate::ranking::text::verdict as ranking_verdict;
use crate::results::format_table::{
    FormatTable, Gauntlet, KnockoutTable, LadderTable, League, LeagueLine, SwissTable, bot_name,
};
use crate::sequential_test::text as trial;
use crate::writing::number::{count_of, fixed, percent, points, table_points};
use crate::{Ranking, Row, RunReport, SequentialTest, Standings, TestQuestion};

/// The most bots that are named if several share a place.
const MOST_NAMED: usize = 4;

/// Returns who won, or the answer of the run's test or question, or the progress of the run: one or two sentences, with escaped
/// names in backticks.
///
/// A test of strength answers as its own section does. A knockout, a Swiss, a ladder, a gauntlet and a round robin name the
/// winner by the rules of the format. All other runs name the bot with the highest rating. The sentence about an unfinished run
/// begins by saying so.
#[must_use]
pub fn outcome(run: &RunReport<'_>) -> String {
    let contents = run.contents();
    let standings = run.results().standings(None);
    if let Some(trial) = SequentialTest::of(contents) {
        return format!("{} {}", TestQuestion::of(&trial).asked(), trial::trial_verdict(&trial));
    }
    if standings.games + standings.no_contest == 0 {
        return "No game has been played yet.".to_owned();
    }
    if let Some(ranking) = Ranking::of(contents) {
        return ranking_verdict(&ranking);
    }
    let config = contents.runs.last().map(|run| &run.config);
    match config.zip(run.format_table()) {
        Some((config, table)) => by_format(run, config, table),
        None => by_rating(standings),
    }
}

fn by_format(run: &RunReport<'_>, config: &RunConfig, table: &FormatTable) -> String {
    match table {
        FormatTable::Swiss(swiss) => of_swiss(config, swiss),
        FormatTable::Knockout(knockout) => of_knockout(config, knockout),
        FormatTable::Ladder(ladder) => of_ladder(config, ladder),
        FormatTable::Gauntlet(gauntlet) => of_gauntlet(config, gauntlet),
        FormatTable::League(league) => of_league(run, config, league),
    }
}

fn quoted(config: &RunConfig, bot: usize) -> String {
    format!("`{}`", bot_name(config, bot))
}

/// Lists names: `a`, `b` and `c`.
fn listed(config: &RunConfig, bots: &[usize]) -> String {
    let names: Vec<_> = bots.iter().map(|bot| quoted(config, *bot)).collect();
    match &names[..] {
        [] => String::new(),
        [only] => only.clone(),
        [most @ .., last] if names.len() <= MOST_NAMED => format!("{} and {last}", most.join(", ")),
        _ => format!("{} and {} others", names[..MOST_NAMED - 1].join(", "), names.len() + 1 - MOST_NAMED),
    }
}

fn of_knockout(config: &RunConfig, knockout: &KnockoutTable) -> String {
    let kind = if knockout.is_double { "double knockout" } else { "knockout" };
    let Some((_, champion)) = knockout.places.iter().find(|(place, _)| *place == 1) else {
        let left = config.bots.len() - knockout.places.len();
        return format!(
            "The {kind} is not finished: {left} of {} are still in it. Next to be decided: {}.",
            count_of(config.bots.len() as u64, "bot"),
            knockout.stage
        );
    };
    let name = quoted(config, *champion);
    let Some(last) = knockout.bouts.iter().rfind(|bout| bout.winner == Some(*champion)) else {
        return format!("{name} wins the {kind} without a match.");
    };
    let is_first = last.bots[0] == *champion;
    let (own, its) = if is_first { (0, 1) } else { (1, 0) };
    let [won, lost] = [own, its].map(|side| points(last.halves[side].into()));
    let other = quoted(config, last.bots[its]);
    if last.is_by_order {
        return format!(
            "{name} wins the {kind} by its earlier place in the file: the {} against {other} stays level, {won} : {lost}.",
            last.stage
        );
    }
    format!("{name} wins the {kind}, with {won} : {lost} against {other} in the {}.", last.stage)
}

fn of_swiss(config: &RunConfig, swiss: &SwissTable) -> String {
    let [first, rest @ ..] = &swiss.places[..] else { return String::new() };
    let equal: Vec<usize> =
        swiss.places.iter().take_while(|place| place.place == 1).map(|place| place.bot).collect();
    let score = points(first.halves.into());
    let names = listed(config, &equal);
    if !swiss.is_over {
        if swiss.rounds_taken == 0 {
            return format!(
                "The Swiss is not finished: its first round of {} is being played.",
                swiss.rounds
            );
        }
        let verb = if equal.len() == 1 { "leads" } else { "lead" };
        return format!(
            "The Swiss is not finished: after {} of {} rounds {names} {verb} with {score} points.",
            swiss.rounds_taken, swiss.rounds
        );
    }
    let rounds = count_of(swiss.rounds_taken.into(), "round");
    if equal.len() > 1 {
        return format!(
            "{names} share first place in the Swiss, with {score} points after {rounds} and equal tie-breaks."
        );
    }
    let ahead = rest.first().map_or_else(String::new, |second| {
        let other = quoted(config, second.bot);
        if second.halves < first.halves {
            format!(", ahead of {other} with {}", points(second.halves.into()))
        } else if second.buchholz < first.buchholz {
            let [own, its] = [first, second].map(|place| points(place.buchholz.into()));
            format!(", ahead of {other} by Buchholz, {own} to {its}")
        } else {
            let [own, its] = [first, second].map(|place| fixed(place.sonneborn, 2));
            format!(", ahead of {other} by Sonneborn-Berger, {own} to {its}")
        }
    });
    format!("{names} wins the Swiss with {score} points after {rounds}{ahead}.")
}

fn of_ladder(config: &RunConfig, ladder: &LadderTable) -> String {
    let Some((top, _)) = ladder.order.first().filter(|(_, has_played)| *has_played) else {
        return "The ladder is not finished: its first round is being played.".to_owned();
    };
    let name = quoted(config, *top);
    match ladder.is_over {
        true => format!(
            "{name} stands at the top of the ladder after {}.",
            count_of(ladder.rounds_taken.into(), "round")
        ),
        false => format!(
            "The ladder is not finished: in round {} of {} {name} stands at the top.",
            ladder.rounds_taken, ladder.rounds
        ),
    }
}

fn of_gauntlet(config: &RunConfig, gauntlet: &Gauntlet) -> String {
    let mut seeds: Vec<(usize, (u64, u64))> =
        gauntlet.seeds.iter().copied().zip(gauntlet.all.iter().copied()).collect();
    // Shares are compared by exact products; a seed that has not played comes last.
    let key = |one: &(u64, u64), other: &(u64, u64)| {
        (other.1 > 0).cmp(&(one.1 > 0)).then((other.0 * one.1).cmp(&(one.0 * other.1)))
    };
    seeds.sort_by(|one, other| key(&one.1, &other.1));
    let Some((_, best)) = seeds.first().copied().filter(|(_, (_, all))| *all > 0) else {
        return "The gauntlet is not finished: its first meetings are being played.".to_owned();
    };
    let equal: Vec<usize> =
        seeds.iter().take_while(|(_, score)| key(score, &best).is_eq()).map(|(seed, _)| *seed).collect();
    let so_far = if gauntlet.is_over { "" } else { "The gauntlet is not finished: so far " };
    let names = listed(config, &equal);
    let share = percent(Some(best.0 as f64 / best.1 as f64));
    let score = format!("{} of {} points ({share})", points(best.0), points(best.1));
    if seeds.len() == 1 {
        return format!("{so_far}{names} scores {score} against the field.");
    }
    if equal.len() > 1 {
        return format!("{so_far}{names} score best against the field, {share} each.");
    }
    let rest = seeds[1];
    let its = match rest.1.1 {
        0 => String::new(),
        all => format!(
            ", ahead of {} with {}",
            quoted(config, rest.0),
            percent(Some(rest.1.0 as f64 / all as f64))
        ),
    };
    format!("{so_far}{names} scores best against the field: {score}{its}.")
}

fn of_league(run: &RunReport<'_>, config: &RunConfig, league: &League) -> String {
    let standings = run.results().standings(None);
    let [first, second, ..] = league.lines[..] else { return by_rating(standings) };
    let equal: Vec<usize> =
        league.lines.iter().take_while(|line| line.place == 1).map(|line| line.bot).collect();
    let names = listed(config, &equal);
    let is_match = league.lines.len() == 2;
    let score = |line: &LeagueLine| format!("{} of {} points", table_points(line.points), line.games);
    if first.games == 0 {
        return "No game with a result has been played yet.".to_owned();
    }
    if !league.is_over {
        let played = standings.games + standings.no_contest;
        let kind = if is_match { "match" } else { "round robin" };
        let leader = match equal.len() {
            1 => format!("{names} leads with {}", score(&first)),
            _ => format!("{names} lead together, with {}", share_of(&first)),
        };
        return format!(
            "The {kind} is not finished: {played} of {} are played, and {leader}.",
            count_of(league.games, "game")
        );
    }
    let [own, its] = [first, second].map(|line| table_points(line.points));
    let games = || of_games(run, config, league);
    match (is_match, equal.len()) {
        (true, 1) => format!("{names} beats {} {own} : {its}.{}", quoted(config, second.bot), games()),
        (true, _) => format!("{names} draw their match, {own} : {its}."),
        (false, 1) => {
            // If some games do not count, bots have different numbers of games and points alone are misleading.
            let ahead = match first.games == second.games {
                true => format!("{} ahead of", table_points(first.points - second.points)),
                false => format!("{}, ahead of", share_of(&first)),
            };
            let next: Vec<usize> =
                league.lines.iter().filter(|line| line.place == second.place).map(|line| line.bot).collect();
            let likelihood = likelihood(standings, config, first.bot, second.bot);
            format!(
                "{names} wins the round robin with {}, {ahead} {}.{likelihood}{}",
                score(&first),
                listed(config, &next),
                games()
            )
        }
        (false, _) => {
            format!("{names} share first place in the round robin, with {} each.", share_of(&first))
        }
    }
}

/// Returns the share of a bot's points: `62.5%`.
fn share_of(line: &LeagueLine) -> String {
    percent(line.points.mean(line.games)) + " of the points"
}

/// Returns the likelihood that the first bot is stronger than the second, if the ratings agree on the first place.
fn likelihood(standings: &Standings, config: &RunConfig, first: usize, second: usize) -> String {
    let is = |row: &Row, bot: usize| {
        row.player.name == config.bots[bot].name && row.player.digest == config.bots[bot].digest
    };
    match &standings.rows[..] {
        [one, ..] if !is(one, first) && one.rank.is_some() => {
            format!(" By rating `{}` comes first.", one.label)
        }
        [one, two, ..] if is(two, second) => one.los.map_or_else(String::new, |los| {
            format!(
                " The likelihood that it is stronger than {} is {}.",
                quoted(config, second),
                percent(Some(los))
            )
        }),
        _ => String::new(),
    }
}

/// Returns in how many of several games the winner comes first; empty if there is only one game.
fn of_games(run: &RunReport<'_>, config: &RunConfig, league: &League) -> String {
    let results = run.results();
    let labels = results.played_labels();
    if labels.len() < 2 {
        return String::new();
    }
    let winner = &config.bots[league.lines[0].bot];
    let is_first = |label: &usize| {
        let rows = &results.standings(Some(*label)).rows;
        let share_of = |row: &Row| row.score().unwrap_or(0.0);
        let is_it = |row: &&Row| row.player.name == winner.name && row.player.digest == winner.digest;
        let own = rows.iter().filter(is_it).map(share_of).fold(0.0, f64::max);
        rows.iter().all(|row| share_of(row) <= own)
    };
    let first = labels.iter().filter(|label| is_first(label)).count();
    match first {
        first if first == labels.len() => format!(" It scores most in each of the {first} games."),
        first => format!(" It scores most in {first} of the {} games.", labels.len()),
    }
}

/// Names the bot with the highest rating.
fn by_rating(standings: &Standings) -> String {
    let Some(first) = standings.rows.first().filter(|row| row.rank.is_some()) else {
        return "The games give no information about any bot's strength.".to_owned();
    };
    let bots = standings.rows.iter().filter(|row| row.games() > 0).count() as u64;
    let share = percent(first.score());
    let start = if standings.is_live { "The run is not finished: so far " } else { "" };
    format!(
        "{start}`{}` has the highest rating of {}, and scores {share} in {}.",
        first.label,
        count_of(bots, "bot"),
        count_of(first.games(), "game")
    )
}
