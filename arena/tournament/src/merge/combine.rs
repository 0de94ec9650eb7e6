//! What a merged run holds: a pure function of the journals of its shards.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use diagnostic::Exit;
use diagnostic::{Diagnostic, Failure};
use record::{GameReader, GameRecord, GameSummary, JournalError, RunRecord, RunSummary};
use runner::{Fixture, pending, schedule};

use super::difference::{self, MOST_SHOWN};

/// What one directory holds.
pub(super) struct Source {
    /// The directory, for messages.
    pub(super) name: String,
    /// Its journal, without configurations that repeat the one before.
    pub(super) run: RunSummary,
    /// The void games with their plies: there are few of them.
    pub(super) void: Vec<GameRecord>,
    reader: RefCell<GameReader>,
}

impl Source {
    /// Returns what a directory holds, whose journal was read.
    ///
    /// # Errors
    /// When a void game cannot be read.
    pub(super) fn new(name: String, directory: &Path, mut run: RunSummary) -> Result<Self, JournalError> {
        // A newer arena repeats the configuration.
        run.runs.dedup_by(|next, before| next.config == before.config && next.rules == before.rules);
        let mut reader = GameReader::open(directory)?;
        let uncounted = run.uncounted.iter().map(|uncounted| &uncounted.game);
        let void = run.void.iter().chain(uncounted).map(|game| reader.read(game));
        let void = void.collect::<Result<_, _>>()?;
        Ok(Self { name, run, void, reader: RefCell::new(reader) })
    }

    /// Reads the game at a place of its list with its plies.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub(super) fn read(&self, place: usize) -> Result<GameRecord, JournalError> {
        let game = self.run.games.get(place).expect("it is a place of the list");
        self.reader.borrow_mut().read(&game)
    }
}

/// The journals as one.
pub(super) struct Combined<'a> {
    /// The configurations.
    pub(super) runs: Vec<RunRecord>,
    /// The games by number: the number, the place in the list of its source, and the source.
    pub(super) games: Vec<(u64, usize, &'a Source)>,
    /// The void games by number.
    pub(super) void: Vec<GameRecord>,
    /// How many games stood in several journals, with the same content to the byte.
    pub(super) duplicates: u64,
    /// The games that are asked for and recorded nowhere.
    pub(super) missing: Vec<Fixture>,
}

/// Puts journals together.
///
/// A run may have grown: where one shard has fewer configurations than another, they must be the first of those. So
/// every game has the same number in all of them.
///
/// # Errors
/// With the difference when configurations differ, with every game of one number and different content, with every
/// game that the schedule does not have, when results decided what was played, and when a journal cannot be read.
pub(super) fn combine(sources: &[Source]) -> Result<Combined<'_>, Failure> {
    let runs = history(sources)?;
    let configs: Vec<_> = runs.iter().map(|run| &run.config).collect();
    let fixtures: Vec<_> = schedule(&configs).collect();
    let mut games: BTreeMap<u64, (usize, &Source)> = BTreeMap::new();
    let (mut duplicates, mut faults) = (0, Vec::new());
    let is_known = |game: &GameSummary<'_>| {
        let fixture = game.number.checked_sub(1).and_then(|index| fixtures.get(index as usize));
        fixture.is_some_and(|fixture| is_game(fixture, game))
    };
    let read = |source: &Source, place| source.read(place).map_err(|error| crate::failure(&error));
    for source in sources {
        let uncounted = source.run.uncounted.iter().map(|uncounted| &uncounted.game);
        let stranger = |game: &GameSummary<'_>| {
            Diagnostic::new(format!("{}: game {} is not of this schedule", source.name, game.number))
        };
        let counted = source.run.games.iter();
        faults.extend(counted.filter(|game| !is_known(game)).map(|game| stranger(&game)));
        let others = source.run.void.iter().chain(uncounted);
        faults.extend(others.filter(|game| !is_known(game)).map(stranger));
        for (place, game) in source.run.games.iter().enumerate().filter(|(_, game)| is_known(game)) {
            let Some((other, from)) = games.get(&game.number) else {
                games.insert(game.number, (place, source));
                continue;
            };
            let (one, two) = (read(from, *other)?, read(source, place)?);
            match one == two {
                true => duplicates += 1,
                false => faults.push(conflict(&two, &source.name, &one, &from.name)),
            }
        }
    }
    if !faults.is_empty() {
        let rest = faults.len().saturating_sub(MOST_SHOWN);
        faults.truncate(MOST_SHOWN);
        if rest > 0 {
            faults.push(Diagnostic::new(format!("{rest} more games do not fit")));
        }
        let hint = "nothing was written; leave out the directory whose games should not count";
        return Err(Failure::new(Exit::No, faults).hint(hint));
    }
    let missing = pending(&configs, games.keys().copied()).collect();
    let games = games.into_iter().map(|(number, (place, source))| (number, place, source)).collect();
    Ok(Combined { runs, games, void: void(sources), duplicates, missing })
}

/// Returns the void games of all sources, each once, by number and in the order in which they were begun.
fn void(sources: &[Source]) -> Vec<GameRecord> {
    let mut void: Vec<GameRecord> = Vec::new();
    for game in sources.iter().flat_map(|source| &source.void) {
        if !void.contains(game) {
            void.push(game.clone());
        }
    }
    void.sort_by(|one, other| (one.number, &one.started).cmp(&(other.number, &other.started)));
    void
}

/// Returns the configurations of the run: those of the source that has most of them.
fn history(sources: &[Source]) -> Result<Vec<RunRecord>, Failure> {
    let mut longest: Option<&Source> = None;
    for source in sources {
        let runs = &source.run.runs;
        let Some(last) = runs.last() else {
            return Err(Failure::usage(format!("{}: the journal is empty", source.name))
                .hint("leave it out, or start its shard again"));
        };
        if !last.config.is_decided_beforehand() {
            let message =
                format!("{}: results decided what was played, there are no shards to merge", source.name);
            return Err(
                Failure::usage(message).hint("`arena rate DIR DIR` rates the games of any runs together")
            );
        }
        for (one, two) in longest.iter().flat_map(|other| &other.run.runs).zip(runs) {
            let name = longest.map_or("", |other| &other.name);
            difference::check((name, one), (&source.name, two))?;
        }
        if longest.is_none_or(|other| runs.len() > other.run.runs.len()) {
            longest = Some(source);
        }
    }
    Ok(longest.map(|source| source.run.runs.clone()).unwrap_or_default())
}

/// Returns whether a record is that of a game of the schedule.
fn is_game(fixture: &Fixture, game: &GameSummary<'_>) -> bool {
    let sits = |seat: usize| {
        game.seats()[seat].bot == fixture.seats[seat].name
            && game.seats()[seat].digest == fixture.seats[seat].digest
    };
    (game.number, game.pair, game.leg) == (fixture.number, fixture.pair, fixture.leg)
        && *game.label() == *fixture.label
        && game.round == fixture.round
        && sits(0)
        && sits(1)
}

/// Says that two games have one number.
fn conflict(game: &GameRecord, name: &str, other: &GameRecord, place: &str) -> Diagnostic {
    let plies = |game: &GameRecord| game.plies.iter().map(|ply| ply.ply.clone()).collect::<Vec<_>>();
    let what = if game.result != other.result {
        "other results"
    } else if plies(game) != plies(other) {
        "other plies"
    } else {
        "the same plies, but not the same times and notes: it was played twice"
    };
    Diagnostic::new(format!("game {} stands in {place} and in {name} with {what}", game.number))
}

#[cfg(test)]
mod tests {
    use record::{Contents, JournalLine};

    use super::*;

    /// A journal of a cup with this configuration added to it.
    fn contents(configs: &[&str], games: &[u64]) -> Contents {
        let run = |extra: &&str| {
            let mut config = serde_json::json!({
                "name": "cup", "format": "round-robin", "rounds": 2, "seed": 1,
                "games": [{"game": "farook", "options": {}, "label": "farook", "tc": "nodes 1", "openings": {"plies": 2}}],
                "bots": [{"name": "a", "command": [], "digest": "1"}, {"name": "b", "command": [], "digest": "2"}],
                "settings": {"margin_ms": 50, "think_limit_ms": 1, "illegal": "forfeit", "restart": "auto"}
            });
            let extra: serde_json::Value = serde_json::from_str(extra).unwrap();
            for (key, value) in extra.as_object().unwrap() {
                config[key] = value.clone();
            }
            let config = serde_json::from_value(config).unwrap();
            let (arena, rules, written) = ("0".to_owned(), "r".to_owned(), String::new());
            RunRecord { format: 1, arena, rules, written, from_pair: None, config }
        };
        let game = |number: &u64| {
            let [one, two] =
                if number % 2 == 1 { [("a", "1"), ("b", "2")] } else { [("b", "2"), ("a", "1")] };
            let seat = |(bot, digest): (&str, &str)| serde_json::json!({"bot": bot, "version": "", "digest": digest, "tc": "", "seed": 1});
            serde_json::from_value(serde_json::json!({
                "number": number, "pair": number.div_ceil(2), "leg": 2 - number % 2, "round": number.div_ceil(2),
                "game": "farook", "options": {}, "label": "farook", "seats": [seat(one), seat(two)], "opening": 0,
                "plies": [], "result": "draw", "reason": "ply-limit", "started": "", "seconds": 1.0
            }))
            .unwrap()
        };
        Contents {
            runs: configs.iter().map(run).collect(),
            games: games.iter().map(game).collect(),
            ..Contents::default()
        }
    }

    /// What came of a merge.
    #[derive(Debug)]
    struct Outcome {
        runs: usize,
        numbers: Vec<u64>,
        void: Vec<GameRecord>,
        duplicates: u64,
        missing: Vec<u64>,
    }

    /// Merges journals that are called `d0`, `d1` and so on.
    fn merge(all: Vec<Contents>) -> Result<Outcome, String> {
        let place = tempfile::tempdir().unwrap();
        let source = |(index, contents): (usize, Contents)| {
            let directory = place.path().join(index.to_string());
            let runs = contents.runs.into_iter().map(|run| JournalLine::Run(Box::new(run)));
            let games = contents.games.into_iter().map(|game| JournalLine::Game(Box::new(game)));
            let void = contents.void.into_iter().map(|game| JournalLine::Void(Box::new(game)));
            record::write_whole(&directory, runs.chain(games).chain(void).map(Ok)).unwrap();
            let run = record::summarize(&directory).unwrap();
            Source::new(format!("d{index}"), &directory, run).unwrap()
        };
        let sources: Vec<_> = all.into_iter().enumerate().map(source).collect();
        let merged = combine(&sources).map_err(|failure| failure.to_string())?;
        Ok(Outcome {
            runs: merged.runs.len(),
            numbers: merged.games.iter().map(|(number, ..)| *number).collect(),
            void: merged.void,
            duplicates: merged.duplicates,
            missing: merged.missing.iter().map(|fixture| fixture.number).collect(),
        })
    }

    #[test]
    fn games_are_put_in_order_and_missing_ones_named() {
        let merged = merge(vec![contents(&["{}"], &[3]), contents(&["{}"], &[1, 2])]).unwrap();
        assert_eq!(merged.numbers, [1, 2, 3]);
        assert_eq!(merged.missing, [4]);
        assert_eq!(merged.runs, 1);
    }

    #[test]
    fn exact_duplicates_are_dropped() {
        let merged = merge(vec![contents(&["{}"], &[1, 2]), contents(&["{}"], &[2, 3, 4])]).unwrap();
        assert_eq!((merged.numbers.len(), merged.duplicates, merged.missing.len()), (4, 1, 0));
    }

    #[test]
    fn void_games_are_kept_once_and_do_not_conflict_with_those_that_count() {
        let mut one = contents(&["{}"], &[1, 2]);
        let mut late = one.games[1].clone();
        late.started = "2".to_owned();
        one.void = vec![late.clone()];
        let mut other = contents(&["{}"], &[3, 4]);
        let mut early = late.clone();
        early.started = "1".to_owned();
        other.void = vec![early.clone(), late.clone()];
        let merged = merge(vec![one, other]).unwrap();
        assert_eq!(merged.numbers, [1, 2, 3, 4]);
        assert_eq!((&merged.void, merged.duplicates), (&vec![early, late], 0));
        // What a worker has reported in vain is kept alike.
        let mut fleet = contents(&["{}"], &[1, 2, 3, 4]);
        let mut twice = fleet.games[0].clone();
        let uncounted = Some("duplicate".to_owned());
        twice.worker = Some(record::WorkerRecord { uncounted, ..record::WorkerRecord::named("w") });
        fleet.void = vec![twice.clone()];
        assert_eq!(merge(vec![fleet]).unwrap().void, [twice]);
        let mut stranger = contents(&["{}"], &[1]);
        stranger.void = contents(&["{}"], &[2]).games;
        stranger.void[0].round = 9;
        let text = merge(vec![stranger]).unwrap_err();
        assert!(text.contains("d0: game 2 is not of this schedule"), "{text}");
    }

    #[test]
    fn games_of_one_number_conflict() {
        let change = |change: fn(&mut GameRecord)| {
            let mut other = contents(&["{}"], &[2]);
            change(&mut other.games[0]);
            merge(vec![contents(&["{}"], &[1, 2]), other]).unwrap_err()
        };
        let text = change(|game| game.result = record::GameResult::P1Win);
        assert!(text.contains("game 2 stands in d0 and in d1 with other results"), "{text}");
        assert!(change(|game| game.seconds = 2.0).contains("the same plies"));
        let stranger = change(|game| game.seats.swap(0, 1));
        assert!(stranger.contains("d1: game 2 is not of this schedule"), "{stranger}");
        assert!(change(|game| game.number = u64::MAX).contains("is not of this schedule"));
        assert!(change(|game| game.number = 0).contains("is not of this schedule"));
    }

    #[test]
    fn a_shard_that_has_not_grown_yet_fits_the_others() {
        let more = r#"{"rounds": 3}"#;
        let merged = merge(vec![contents(&["{}"], &[1, 2]), contents(&["{}", more], &[3, 5])]).unwrap();
        assert_eq!((merged.runs, merged.numbers.len(), merged.missing.len()), (2, 4, 2));
        let other = merge(vec![contents(&[more], &[]), contents(&["{}", more], &[])]).unwrap_err();
        assert!(other.contains("`rounds` is 3 in d0 and 2 in d1"), "{other}");
    }

    #[test]
    fn other_configurations_are_refused_with_the_difference() {
        let refused = |extra: &str| merge(vec![contents(&["{}"], &[]), contents(&[extra], &[])]).unwrap_err();
        assert!(refused(r#"{"seed": 2}"#).contains("`seed` is 1 in d0 and 2 in d1"));
        let bots = r#"{"bots": [{"name": "a", "command": [], "digest": "1"}, {"name": "b", "command": [], "digest": "3"}]}"#;
        let text = refused(bots);
        assert!(text.contains("`bots.b.digest` is \"2\" in d0 and \"3\" in d1"), "{text}");
        assert!(merge(vec![contents(&[], &[])]).unwrap_err().contains("the journal is empty"));
        let ranked = r#"{"schedule": {"goal": "rank", "alpha": 0.05}}"#;
        assert!(merge(vec![contents(&[ranked], &[])]).unwrap_err().contains("results decided"));
    }
}
