//! The ratings of a pool.

use std::collections::BTreeMap;

use protocol::printable;
use stats::{
    Advantage, Anchor, Difference, ErrorKind, Errors, FitSettings, Method, Parameter, Prior, Rating,
    RatingTable,
};
use thiserror::Error;

use crate::Circles;
use crate::rate::roster::Members;
use crate::rate::{By, LeftOut, Pool};

/// The number of characters shown of a digest.
const DIGEST: usize = 7;

/// How to rate a pool.
#[derive(Clone, Debug, PartialEq)]
pub struct RateSettings {
    /// What to do if the games give no finite figures.
    pub prior: Prior,
    /// The player whose rating is fixed, by name or label, and its rating in Elo.
    pub anchor: Option<(String, f64)>,
    /// How to estimate the errors.
    pub errors: Errors,
    /// Whether the intervals of all players hold together with 95 %, instead of each on its own.
    pub is_simultaneous: bool,
}

impl Default for RateSettings {
    /// Returns the settings for a plain fit if there is one, relative to the mean, with an interval for each player.
    fn default() -> Self {
        Self { prior: Prior::Auto, anchor: None, errors: Errors::Auto, is_simultaneous: false }
    }
}

/// Why a request cannot be met.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RateError {
    /// No file has a bot of this name.
    #[error("no game of a bot `{}`", printable(name))]
    UnknownBot {
        /// The name.
        name: String,
        /// The nearest existing name.
        nearest: Option<String>,
    },
    /// No file has this game.
    #[error("no game of `{}`", printable(name))]
    UnknownGame {
        /// The name.
        name: String,
        /// The nearest existing name.
        nearest: Option<String>,
    },
    /// No player is rated under this name.
    #[error("cannot anchor `{}`: no such player is rated", printable(name))]
    UnknownAnchor {
        /// The name.
        name: String,
        /// The nearest existing name.
        nearest: Option<String>,
    },
    /// Several players are rated under this name.
    #[error("cannot anchor `{}`: several players have this name", printable(name))]
    AmbiguousAnchor {
        /// The name.
        name: String,
        /// The labels of the players.
        labels: Vec<String>,
    },
}

/// Ratings with all accompanying figures.
#[derive(Clone, Debug)]
pub struct Ratings {
    /// The players, best first. Groups that are rated separately follow each other.
    pub players: Vec<PlayerRow>,
    /// The games, by label.
    pub games: Vec<GameRow>,
    /// What identifies players.
    pub by: By,
    /// How the ratings were found.
    pub method: Method,
    /// How the errors were estimated.
    pub errors: ErrorKind,
    /// The number of sets of players that the results connect.
    pub components: usize,
    /// The label of the player with a fixed rating, and that rating.
    pub anchor: Option<(String, f64)>,
    /// The number of rated games.
    pub rated: u64,
    /// The games that are not rated.
    pub left_out: LeftOut,
    /// The number of games read, including these.
    pub read: u64,
    /// Whether ratings explain the results; `None` if there are too few games.
    pub circles: Option<Circles>,
    /// Whether the intervals of all players hold together.
    pub is_simultaneous: bool,
    /// The logarithm of the (quasi-)likelihood of the results, minus the penalty of a prior.
    pub log_likelihood: f64,
    /// The log-likelihood of Davidson's model, which predicts draws; `None` if it was not fitted.
    pub davidson_log_likelihood: Option<f64>,
    /// The comparison of every two players, in the order of `players`.
    pub(super) matrix: Matrix,
}

/// The comparison of every two players.
#[derive(Clone, Debug)]
pub(super) struct Matrix {
    table: RatingTable,
    /// The number of each row's player in the table.
    order: Vec<usize>,
}

impl Matrix {
    /// Returns the likelihood that the player of one row is stronger than that of another.
    pub(super) fn los(&self, row: usize, other: usize) -> Option<f64> {
        self.table.los(self.order[row], self.order[other])
    }

    /// Returns whether it depends on a prior.
    pub(super) fn is_regularized(&self, row: usize, other: usize) -> bool {
        self.table.is_held_by_prior(self.order[row], self.order[other])
    }

    /// Returns how much higher one is rated, with the error.
    pub(super) fn difference(&self, row: usize, other: usize) -> Option<Difference> {
        self.table.difference(self.order[row], self.order[other])
    }

    /// Returns the covariance of two ratings in square Elo.
    pub(super) fn covariance(&self, row: usize, other: usize) -> Option<f64> {
        let [one, two] = [row, other].map(|row| Parameter::Rating(self.order[row]));
        self.table.covariance(one, two)
    }
}

/// One player.
#[derive(Clone, Debug)]
pub struct PlayerRow {
    /// The rank from 1, within the component if components are rated separately; `None` without a rating.
    pub rank: Option<usize>,
    /// The name, as written.
    pub name: String,
    /// The version, as written; empty if unknown or if it does not identify players.
    pub version: String,
    /// The versions under which the player played.
    pub versions: Vec<String>,
    /// The known digests under which the player played.
    pub digests: Vec<String>,
    /// The name as tables show it, unique and safe to print.
    pub label: String,
    /// The rating with its figures. Components count from 0.
    pub rating: Rating,
    /// Games known to be lost by faults.
    pub faults: u64,
    /// The likelihood of being stronger than the next in rank.
    pub los: Option<f64>,
    /// Whether it depends on a prior (the `~` mark).
    pub is_los_regularized: bool,
    /// The likelihood adjusted for all comparisons of the table (Holm).
    pub los_holm: Option<f64>,
}

/// One game.
#[derive(Clone, Debug)]
pub struct GameRow {
    /// The label, as written.
    pub label: String,
    /// The statistics of its seats.
    pub advantage: Advantage,
    /// The draw parameter ν of Davidson's model, and the share of draws between equals, ν / (2 + ν).
    pub draws: Option<(f64, f64)>,
}

impl Pool {
    /// Rates the players. This ends the last file.
    ///
    /// # Errors
    /// When no file has a bot or a game of the filter, and when the anchor does not match exactly one player.
    pub fn ratings(&mut self, settings: &RateSettings) -> Result<Ratings, RateError> {
        self.end_file();
        self.check_filter()?;
        let (members, _) = self.roster.sorted();
        let labels = labels(&members);
        let anchor = match &settings.anchor {
            None => None,
            Some((name, elo)) => Some(Anchor { player: find(name, &members, &labels)?, elo: *elo }),
        };
        let (games, sample) = self.counted();
        let is_simultaneous = settings.is_simultaneous;
        let settings =
            FitSettings { prior: settings.prior, anchor, errors: settings.errors, ..FitSettings::default() };
        let mut table = sample.fit(members.len(), games.len(), &settings);
        if is_simultaneous {
            table.widen_for_all();
        }
        let davidson = sample.davidson(members.len(), games.len());
        let mut players: Vec<PlayerRow> = members
            .iter()
            .zip(labels)
            .zip(&table.ratings)
            .map(|((player, label), rating)| PlayerRow {
                rank: None,
                name: player.key[0].clone(),
                version: player.key[1].clone(),
                versions: player.versions.iter().cloned().collect(),
                digests: player.digests.iter().cloned().collect(),
                label,
                rating: rating.clone(),
                faults: player.faults,
                los: None,
                is_los_regularized: false,
                los_holm: None,
            })
            .collect();
        let labels: Vec<String> = players.iter().map(|player| player.label.clone()).collect();
        let circles = Circles::of(&sample, &labels, games.len());
        let anchor = anchor.map(|anchor| (players[anchor.player].label.clone(), anchor.elo));
        for pair in table.neighbours() {
            let row = &mut players[pair.upper];
            (row.los, row.los_holm, row.is_los_regularized) = (pair.los, pair.los_holm, pair.is_regularized);
        }
        let order = table.ranking();
        let mut players: Vec<PlayerRow> = order.iter().map(|i| players[*i].clone()).collect();
        let mut place = 0;
        let mut before = None;
        for row in &mut players {
            if table.method == Method::Separate
                && before.replace(row.rating.component) != Some(row.rating.component)
            {
                place = 0;
            }
            place += 1;
            row.rank = row.rating.elo.map(|_| place);
        }
        let games: Vec<GameRow> = games
            .iter()
            .zip(&table.advantages)
            .enumerate()
            .map(|(group, (label, advantage))| {
                let davidson = davidson.as_ref();
                let draws = davidson.and_then(|it| Some((it.nu(group)?, it.draw_rate_at_equality(group)?)));
                GameRow { label: (*label).to_owned(), advantage: advantage.clone(), draws }
            })
            .collect();
        Ok(Ratings {
            players,
            games,
            by: self.by(),
            method: table.method,
            errors: table.errors,
            components: table.components,
            anchor,
            rated: sample.games(),
            left_out: self.left_out.clone(),
            read: self.read,
            circles,
            is_simultaneous,
            log_likelihood: table.log_likelihood,
            davidson_log_likelihood: davidson.and_then(|davidson| davidson.log_likelihood()),
            matrix: Matrix { table, order },
        })
    }

    fn check_filter(&self) -> Result<(), RateError> {
        let filter = self.filter();
        let near = |name: &str, known: &std::collections::BTreeSet<String>| {
            rules::nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
        };
        if let Some(name) = filter.bots.iter().find(|name| !self.names.contains(*name)) {
            return Err(RateError::UnknownBot { name: name.clone(), nearest: near(name, &self.names) });
        }
        if let Some(name) = filter.games.iter().find(|name| !self.games.contains(*name)) {
            return Err(RateError::UnknownGame { name: name.clone(), nearest: near(name, &self.games) });
        }
        Ok(())
    }
}

impl Ratings {
    /// Returns the number of seats at the largest table, at least 2.
    #[must_use]
    pub fn seats(&self) -> usize {
        self.games.iter().map(|game| game.advantage.seats.len()).max().unwrap_or(0).max(2)
    }

    /// Returns notes on the reliability of the figures, as sentences.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for player in &self.players {
            let (versions, digests) = (player.versions.len(), player.digests.len());
            if self.by == By::Name && versions > 1 {
                notes.push(format!(
                    "`{}` is {versions} versions rated as one; `--by version` tells them apart.",
                    player.label
                ));
            } else if self.by != By::Hash && digests > 1 {
                notes.push(format!(
                    "`{}` is {digests} digests (executable, files, options, time control) rated as one; `--by \
                     hash` tells them apart.",
                    player.label
                ));
            }
        }
        notes.extend(self.left_out.notes(self.read, self.rated));
        notes
    }
}

/// Returns the name of each player, with as much detail as distinguishes it from the others.
fn labels(members: &[&Members]) -> Vec<String> {
    let (mut names, mut versions) = (BTreeMap::new(), BTreeMap::new());
    for player in members {
        let [name, version, _] = &player.key;
        *names.entry(name).or_insert(0) += 1;
        *versions.entry((name, version)).or_insert(0) += 1;
    }
    let label = |player: &&Members| {
        let [name, version, digest] = &player.key;
        if names[name] == 1 {
            return printable(name).into_owned();
        }
        let shown = if version.is_empty() { "?" } else { version };
        if versions[&(name, version)] == 1 {
            return format!("{} {}", printable(name), printable(shown));
        }
        let digest: String = digest.chars().take(DIGEST).collect();
        let digest = if digest.is_empty() { "?" } else { &digest };
        format!("{} {}@{}", printable(name), printable(shown), printable(digest))
    };
    members.iter().map(label).collect()
}

/// Finds the only player with this name or label.
fn find(name: &str, members: &[&Members], labels: &[String]) -> Result<usize, RateError> {
    if let Some(player) = labels.iter().position(|label| label == name) {
        return Ok(player);
    }
    let named: Vec<usize> = (0..members.len()).filter(|i| members[*i].key[0] == name).collect();
    match named[..] {
        [player] => Ok(player),
        [] => {
            let nearest = rules::nearest(name, labels.iter().map(String::as_str)).map(str::to_owned);
            Err(RateError::UnknownAnchor { name: name.to_owned(), nearest })
        }
        _ => {
            let labels = named.iter().map(|i| labels[*i].clone()).collect();
            Err(RateError::AmbiguousAnchor { name: name.to_owned(), labels })
        }
    }
}
