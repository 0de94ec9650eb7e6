//! A game of one's own: what its rules say of it, and the way to play it.

use std::fmt::Write as _;
use std::sync::Arc;

use rules::{Game, GameLook, OptionPairs, OwnRules, Referee, RulesFault, RulesSource, StartError};

use crate::client::{RulesClient, RulesQuestion};
use crate::facts::{GameFacts, check_id};
use crate::referee::{OwnReferee, Table};
use crate::text_list::TextList;

/// The rules of one game.
#[derive(Debug)]
struct LoadedRules {
    client: RulesClient,
    facts: &'static GameFacts,
    origin: Origin,
}

/// Where rules came from, and what tells them from others.
#[derive(Clone, Debug)]
pub struct Origin {
    /// The digest of a module's bytes, or of a program's command and files.
    pub digest: String,
    /// The file or the command.
    pub source: RulesSource,
    /// The bytes of a module.
    pub module: Option<Arc<[u8]>>,
}

/// Asks rules for their games and returns the one that is meant, under the id `name` if one is given.
///
/// `game` is the id that the rules give it; it may be left out where the rules know one game only. `origin` is what
/// the run records of them.
///
/// # Errors
/// When the rules fail, know no such game, or say of it what cannot be.
pub fn ask_for_game(
    client: &RulesClient,
    game: Option<&str>,
    name: Option<&str>,
    origin: Origin,
) -> Result<Arc<Game>, RulesFault> {
    client.about()?;
    let games = client.games()?;
    let listed =
        || games.iter().map(|game| format!("`{}`", game.game.escape_debug())).collect::<Vec<_>>().join(", ");
    let answer = match (game, games.as_slice()) {
        (_, []) => return Err(client.fault("they know no game", "games", None)),
        (None, [one]) => one,
        (None, _) => {
            return Err(client.fault(
                format!("they know several games, and one must be named: {}", listed()),
                "games",
                None,
            ));
        }
        (Some(id), _) => games.iter().find(|game| game.game == id).ok_or_else(|| {
            client.fault(format!("they do not know the game `{id}`, but {}", listed()), "games", None)
        })?,
    };
    let facts = GameFacts::of(answer).map_err(|what| client.fault(what, "games", None))?;
    let id = match name {
        None => facts.id,
        Some(name) => {
            check_id(name).map_err(|what| client.fault(what, "games", None))?;
            crate::facts::kept(name)
        }
    };
    let rules = LoadedRules { client: client.named(id), facts, origin };
    // Rules that cannot even begin are told of now, not in the first game.
    let start = rules.table(&defaults(facts)).start(None);
    let start = start.map_err(|error| match error {
        StartError::Rules(fault) => fault,
        StartError::Position(error) => client.fault(error.to_string(), "games", None),
    })?;
    if facts.is_chess && start.san.is_none() {
        let what = "`games` says `\"pgn\":\"chess\"`, but positions have no `san`, in which such game logs are written";
        return Err(client.fault(what, "games", None));
    }
    Ok(Arc::new(Game::own(id, facts.title, facts.about, facts.options, Arc::new(rules))))
}

fn defaults(facts: &GameFacts) -> Vec<(&'static str, String)> {
    facts
        .options
        .iter()
        .filter(|spec| spec.has_fixed_default())
        .map(|spec| (spec.name, spec.default.to_owned()))
        .collect()
}

impl LoadedRules {
    fn table(&self, options: &OptionPairs) -> Table {
        let mut label = self.facts.id.to_owned();
        for (key, value) in options {
            let _ = write!(label, " {key}={value}");
        }
        Table { client: self.client.clone(), facts: self.facts, label, seats: self.facts.seats(options) }
    }
}

impl OwnRules for LoadedRules {
    fn referee(&self, options: &OptionPairs, from: Option<&str>) -> Result<Box<dyn Referee>, StartError> {
        let table = self.table(options);
        let start = table.start(from)?;
        Ok(Box::new(OwnReferee::new(Arc::new(table), start)))
    }

    fn seats(&self, options: &OptionPairs) -> usize {
        self.facts.seats(options)
    }

    fn divide(
        &self,
        options: &OptionPairs,
        from: Option<&str>,
        depth: u32,
    ) -> Result<Vec<(String, u64)>, StartError> {
        let table = self.table(options);
        let start = table.start(from)?;
        if depth <= 1 {
            return Ok(start.legal.iter().map(|ply| (ply.to_owned(), 1)).collect());
        }
        let (plies, next) = successors(&table, &start.position)?;
        let mut counts = Vec::with_capacity(plies.len());
        for (ply, count) in plies.iter().zip(lines(&table, &next, depth - 1)?) {
            counts.push((ply.to_owned(), count));
        }
        Ok(counts)
    }

    fn interrupt(&self) {
        self.client.interrupt();
    }

    fn identity(&self) -> &str {
        &self.origin.digest
    }

    fn source(&self) -> &RulesSource {
        &self.origin.source
    }

    fn own_id(&self) -> &str {
        self.facts.id
    }

    fn module(&self) -> Option<&[u8]> {
        self.origin.module.as_deref()
    }

    fn rules(&self) -> &'static str {
        self.facts.rules
    }

    fn notation(&self) -> &'static str {
        self.facts.notation
    }

    fn is_chess(&self) -> bool {
        self.facts.is_chess
    }

    fn look(&self, seats: Option<usize>) -> Option<&GameLook> {
        self.facts.look(seats.unwrap_or(self.facts.least_seats))
    }
}

/// Returns the legal plies of a position and the positions after them.
fn successors(table: &Table, position: &str) -> Result<(TextList, TextList), RulesFault> {
    let question = table.question(Some(position), &[]);
    match table.client.position(&question)? {
        Ok(answer) => Ok((answer.legal, answer.next.unwrap_or_default())),
        Err(refusal) => Err(refused(table, &question, refusal.words())),
    }
}

/// Returns the number of lines of exactly `depth` plies, at least 1, from each position.
fn lines(table: &Table, positions: &TextList, depth: u32) -> Result<Vec<u64>, RulesFault> {
    if depth > 1 {
        let below = positions.iter().map(|position| {
            let (_, next) = successors(table, position)?;
            Ok(lines(table, &next, depth - 1)?.iter().sum())
        });
        return below.collect();
    }
    let questions: Vec<_> = positions.iter().map(|from| table.question(Some(from), &[])).collect();
    let answers = table.client.legal_of_each(&questions)?;
    let counts = answers.into_iter().zip(&questions).map(|(answer, question)| match answer {
        Ok(answer) => Ok(answer.legal.len() as u64),
        Err(refusal) => Err(refused(table, question, refusal.words())),
    });
    counts.collect()
}

fn refused(table: &Table, question: &RulesQuestion<'_>, why: &str) -> RulesFault {
    let why = protocol::printable_capped(why, 200);
    table.client.fault(format!("they refuse a position of their own: {why}"), &question.line("legal"), None)
}
