//! The table of a run's format as data: who stands where, by the rules of the format alone.

use formats::{Bout, FeedbackFormat as _, Knockout, Ladder, PlayedMeeting, Swiss, SwissStanding};
use protocol::printable;
use record::{BotConfig, RunConfig, RunSummary};
use settings::Format;
use stats::Points;

use crate::results::Results;
use crate::writing::number::points;
use crate::{Meetings, Row, Standings};

/// The table of a format. Bots are named by their places in the last configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum FormatTable {
    /// Of a Swiss tournament.
    Swiss(SwissTable),
    /// Of a knockout or a double knockout.
    Knockout(KnockoutTable),
    /// Of a ladder.
    Ladder(LadderTable),
    /// Of a gauntlet.
    Gauntlet(Gauntlet),
    /// Of a round robin.
    League(League),
}

/// A Swiss tournament after its whole rounds.
#[derive(Clone, Debug, PartialEq)]
pub struct SwissTable {
    /// How many rounds were played whole.
    pub rounds_taken: u32,
    /// How many rounds there are to be.
    pub rounds: u32,
    /// Whether all of them were played.
    pub is_over: bool,
    /// The half points of a bye.
    pub bye: u32,
    /// How many seats a table has.
    pub seats: usize,
    /// The bots, best first.
    pub places: Vec<SwissStanding>,
}

/// A knockout after its whole batches.
#[derive(Clone, Debug, PartialEq)]
pub struct KnockoutTable {
    /// Whether a bot is out only after two lost matches.
    pub is_double: bool,
    /// Whether everything was played.
    pub is_over: bool,
    /// The matches between two bots that are known, in the order of the bracket.
    pub bouts: Vec<Bout>,
    /// The place from 1, and the bot, of all that are out and of the champion, best first.
    pub places: Vec<(usize, usize)>,
    /// The round that is to be played next.
    pub stage: String,
}

/// A ladder.
#[derive(Clone, Debug, PartialEq)]
pub struct LadderTable {
    /// How many rounds were played.
    pub rounds_taken: u32,
    /// How many rounds there are to be.
    pub rounds: u32,
    /// Whether all of them were played.
    pub is_over: bool,
    /// The bots from the highest place to the lowest, and whether each has played.
    pub order: Vec<(usize, bool)>,
}

/// A gauntlet: what each seed scored against the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Gauntlet {
    /// Whether everything was played.
    pub is_over: bool,
    /// The bots that meet all others.
    pub seeds: Vec<usize>,
    /// What they scored against all others together.
    pub all: GauntletLine,
    /// What they scored against each, in the order of the configuration.
    pub lines: Vec<(usize, GauntletLine)>,
}

/// What every seed scored: half points, and how many there were to be had.
pub type GauntletLine = Vec<(u64, u64)>;

/// A round robin: the bots by their share of points.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct League {
    /// Whether everything was played.
    pub is_over: bool,
    /// How many games the run has.
    pub games: u64,
    /// The bots, best first.
    pub lines: Vec<LeagueLine>,
}

/// A bot of a round robin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeagueLine {
    /// The place from 1, by the share of points; equals share one.
    pub place: usize,
    /// The bot.
    pub bot: usize,
    /// Its points in games that count, against bots of the configuration.
    pub points: Points,
    /// These games.
    pub games: u64,
    /// What it did in them; at tables of more than two seats against every seat on its own.
    pub score: Meetings,
}

impl SwissTable {
    /// Says by what places go, and what a bye is worth where there was one.
    #[must_use]
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.seats > 2 {
            notes.push(
                "A bot has a point for every opponent that it beats in a game, and half of one for a tie."
                    .to_owned(),
            );
        }
        notes.push(
            "Places go by points, then Buchholz (the points of the opponents), then Sonneborn-Berger (these times the share \
             that was scored against each)."
                .to_owned(),
        );
        if self.places.iter().any(|place| place.byes > 0) {
            let worth = points(self.bye.into());
            notes.push(if self.seats > 2 {
                format!(
                    "A bye is worth {worth} points, what a table gives a bot on average, and counts as a meeting with bots of the \
                     same score."
                )
            } else {
                format!(
                    "A bye is worth {worth} points, as a meeting without a loss, and counts as one with a bot of the same score."
                )
            });
        }
        notes
    }
}

impl FormatTable {
    /// Returns the table of a run's format; `None` where there is none but the ratings.
    pub(crate) fn of(contents: &RunSummary, results: &Results<'_>) -> Option<Self> {
        let config = &contents.runs.last()?.config;
        if config.bots.is_empty() {
            return None;
        }
        Some(match config.format.known()? {
            Format::Swiss => Self::Swiss(swiss(contents, config)),
            Format::Knockout | Format::DoubleKnockout => Self::Knockout(knockout(contents, config)),
            Format::Ladder => Self::Ladder(ladder(contents, config)),
            Format::Gauntlet => Self::Gauntlet(gauntlet(contents, config, results)),
            // Where results choose the meetings, points depend on who met whom.
            Format::RoundRobin if config.schedule.is_none() => Self::League(League::of(results, config)),
            Format::RoundRobin | Format::List | Format::Sprt => return None,
        })
    }

    /// Returns what the table is called.
    #[must_use]
    pub fn title(&self) -> String {
        match self {
            Self::Swiss(swiss) => {
                format!("Swiss table after {} of {} rounds", swiss.rounds_taken, swiss.rounds)
            }
            Self::Knockout(_) => "Bracket".to_owned(),
            Self::Ladder(ladder) => format!("Ladder after round {}", ladder.rounds_taken),
            Self::Gauntlet(_) => "Points of the seeds against the field, from whole meetings".to_owned(),
            Self::League(_) => "League table".to_owned(),
        }
    }
}

fn swiss(contents: &RunSummary, config: &RunConfig) -> SwissTable {
    let mut swiss = Swiss::of(config);
    let is_over = formats::replay(&mut swiss, config, &contents.games);
    SwissTable {
        rounds_taken: swiss.rounds_taken(),
        rounds: config.rounds,
        is_over,
        bye: swiss.bye(),
        seats: formats::seats_of(config),
        places: swiss.table(),
    }
}

fn knockout(contents: &RunSummary, config: &RunConfig) -> KnockoutTable {
    let mut knockout = Knockout::of(config);
    let is_over = formats::replay(&mut knockout, config, &contents.games);
    KnockoutTable {
        is_double: config.format == Format::DoubleKnockout,
        is_over,
        bouts: knockout.bouts(),
        places: knockout.places(),
        stage: knockout.stage(),
    }
}

fn ladder(contents: &RunSummary, config: &RunConfig) -> LadderTable {
    let ladder = Ladder::after(config, &contents.games);
    LadderTable {
        rounds_taken: ladder.rounds_taken(),
        rounds: config.rounds,
        is_over: ladder.is_over(),
        order: ladder.order(),
    }
}

fn gauntlet(contents: &RunSummary, config: &RunConfig, results: &Results<'_>) -> Gauntlet {
    let played = formats::played(config, &contents.games);
    let seeds: Vec<usize> = config
        .pairing
        .iter()
        .flat_map(|pairing| &pairing.seeds)
        .filter_map(|seed| config.bots.iter().position(|bot| bot.name == *seed))
        .collect();
    let field: Vec<usize> = (0..config.bots.len()).filter(|bot| !seeds.contains(bot)).collect();
    let in_rounds: Vec<&PlayedMeeting> =
        played.iter().filter(|played| played.round <= config.rounds).collect();
    // At larger tables there are no meetings of two: what counts is who beat whom.
    let has_tables = config.games.iter().any(|game| game.seats > 2);
    let by_bot = if has_tables { met(results, config) } else { Vec::new() };
    // What a seed scored against some of the field, of how many half points.
    let score = |seed: usize, others: &[usize]| {
        let mut sums = (0, 0);
        if has_tables {
            let own = others.iter().map(|other| by_bot[seed][*other]);
            return own.fold(sums, |(scored, all), met| (scored + met.halves(), all + 2 * met.games()));
        }
        for played in &in_rounds {
            let ([one, other], [own, its]) = (played.bots, played.halves);
            let scored = match seed {
                _ if one == seed && others.contains(&other) => own,
                _ if other == seed && others.contains(&one) => its,
                _ => continue,
            };
            sums = (sums.0 + u64::from(scored), sums.1 + u64::from(own + its));
        }
        sums
    };
    let line = |others: &[usize]| seeds.iter().map(|seed| score(*seed, others)).collect::<GauntletLine>();
    Gauntlet {
        is_over: formats::is_over(config, &contents.games).unwrap_or(false),
        all: line(&field),
        lines: field.iter().map(|bot| (*bot, line(&[*bot]))).collect(),
        seeds,
    }
}

/// Returns what every bot of a configuration did against every other. Several versions of one digest are one bot of the
/// configuration.
fn met(results: &Results<'_>, config: &RunConfig) -> Vec<Vec<Meetings>> {
    let standings = results.standings(None);
    let mut met = vec![vec![Meetings::default(); config.bots.len()]; config.bots.len()];
    let rows = rows_of(standings, config);
    for (bot, row) in &rows {
        for (other, opponent) in rows.iter().filter(|(other, _)| other != bot) {
            let between = standings.meetings(row, opponent);
            let sum = &mut met[*bot][*other];
            sum.wins += between.wins;
            sum.draws += between.draws;
            sum.losses += between.losses;
        }
    }
    met
}

/// Returns the rows of the bots of a configuration, each with its place there.
fn rows_of<'a>(standings: &'a Standings, config: &RunConfig) -> Vec<(usize, &'a Row)> {
    let bot_of = |row: &Row| {
        let is_it = |bot: &BotConfig| row.player.name == bot.name && row.player.digest == bot.digest;
        config.bots.iter().position(is_it)
    };
    standings.rows.iter().filter_map(|row| Some((bot_of(row)?, row))).collect()
}

impl League {
    fn of(results: &Results<'_>, config: &RunConfig) -> Self {
        let standings = results.standings(None);
        let rows = rows_of(standings, config);
        let sum = |all: Meetings, one: &Meetings| Meetings {
            wins: all.wins + one.wins,
            draws: all.draws + one.draws,
            losses: all.losses + one.losses,
        };
        let scores = met(results, config);
        let scores = scores.iter().map(|met| met.iter().fold(Meetings::default(), sum));
        let line = |(bot, score): (usize, Meetings)| {
            let own = || rows.iter().filter(|(other, _)| *other == bot).map(|(_, row)| row);
            // A game of two is a meeting; at larger tables a game has several.
            let (points, games) = match standings.seats {
                ..=2 => (Points::from_halves(score.halves()), score.games()),
                _ => (own().map(|row| row.points()).sum(), own().map(|row| row.games()).sum()),
            };
            LeagueLine { place: 0, bot, points, games, score }
        };
        let mut lines: Vec<LeagueLine> = scores.enumerate().map(line).collect();
        // Bots that have not played stand last.
        let key = |one: &LeagueLine, other: &LeagueLine| {
            let has_played = |line: &LeagueLine| line.games > 0;
            let shares = other.points.compare_means(other.games, one.points, one.games);
            has_played(other).cmp(&has_played(one)).then(shares)
        };
        lines.sort_by(key);
        for index in 0..lines.len() {
            let is_shared = index > 0 && key(&lines[index - 1], &lines[index]).is_eq();
            lines[index].place = if is_shared { lines[index - 1].place } else { index + 1 };
        }
        Self { is_over: !standings.is_live, games: formats::MeetingCount::of(config).games(), lines }
    }
}

/// Returns the name of a bot of a configuration, fit to be shown.
pub(crate) fn bot_name(config: &RunConfig, bot: usize) -> String {
    printable(&config.bots[bot].name).into_owned()
}
