//! The table of a run's format as data: who stands where, by the rules of the format alone.

use formats::{Bout, FeedbackFormat as _, Knockout, Ladder, PlayedMeeting, Swiss, SwissStanding};
use protocol::printable;
use record::{BotConfig, RunConfig, RunSummary};
use settings::Format;

use crate::results::Results;
use crate::{Meetings, Row};

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
    /// Its games that count, against bots of the configuration.
    pub score: Meetings,
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
            Format::Gauntlet => Self::Gauntlet(gauntlet(contents, config)),
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
        bye: formats::meeting_halves(config),
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

fn gauntlet(contents: &RunSummary, config: &RunConfig) -> Gauntlet {
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
    // What a seed scored against some of the field, of how many half points.
    let score = |seed: usize, others: &[usize]| {
        let mut sums = (0, 0);
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

impl League {
    fn of(results: &Results<'_>, config: &RunConfig) -> Self {
        let standings = results.standings(None);
        // Several versions of one digest are one bot of the configuration.
        let bot_of = |row: &Row| {
            let is_it = |bot: &BotConfig| row.player.name == bot.name && row.player.digest == bot.digest;
            config.bots.iter().position(is_it)
        };
        let rows: Vec<(usize, &Row)> =
            standings.rows.iter().filter_map(|row| Some((bot_of(row)?, row))).collect();
        let mut scores = vec![Meetings::default(); config.bots.len()];
        for (bot, row) in &rows {
            for (_, other) in rows.iter().filter(|(other, _)| other != bot) {
                let met = standings.meetings(row, other);
                scores[*bot].wins += met.wins;
                scores[*bot].draws += met.draws;
                scores[*bot].losses += met.losses;
            }
        }
        let mut lines: Vec<LeagueLine> =
            (0..).zip(scores).map(|(bot, score)| LeagueLine { place: 0, bot, score }).collect();
        // Shares as products, which are exact; bots that have not played stand last.
        let key = |one: &LeagueLine, other: &LeagueLine| {
            let has_played = |line: &LeagueLine| line.score.games() > 0;
            let product = |one: &LeagueLine, other: &LeagueLine| one.score.halves() * other.score.games();
            has_played(other).cmp(&has_played(one)).then(product(other, one).cmp(&product(one, other)))
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
