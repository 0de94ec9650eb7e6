//! A game as it stands in a record, whether that is a journal or a game log.

use std::time::Duration;

use record::{
    Exits, GameRecord, GameResult, InfoRecord, PgnGame, PlyRecord, RulesConfig, RunConfig, SeatControl,
    SeatExit, Termination,
};
use rules::{PerSeat, Referee, Rejection, Seat};
use settings::{Adjudication, TimeFactor};

/// A recorded game. Nothing in it is taken to be true.
#[derive(Debug)]
pub struct RecordedGame {
    /// The line of the file on which it begins, from 1.
    pub line: usize,
    /// Its number in the schedule, where that is told.
    pub number: Option<String>,
    /// The game's id.
    pub game: String,
    /// The names of those who played, `p1` first, where they are told.
    pub names: PerSeat<Option<String>>,
    /// Its rules, where a journal says that they are one's own.
    pub(crate) rules: Option<RulesConfig>,
    /// Its options.
    pub(crate) options: Vec<(String, String)>,
    /// The game's name with the options that are not the defaults, where that is told.
    pub label: Option<String>,
    /// The position string of the start, where it is told.
    pub(crate) start: Option<String>,
    /// The time controls of all seats; `None` where the log does not have them.
    pub(crate) controls: PerSeat<Option<SeatControl>>,
    /// How seats went out before the others, at a table of more than two.
    pub(crate) exits: PerSeat<Option<RecordedExit>>,
    /// How late bots might be; `None` where it is not told.
    pub(crate) leniency: Option<Leniency>,
    /// When the arena ended games; `None` where it is not told.
    pub(crate) adjudication: Option<Adjudication>,
    /// How many plies the record says there are, as written.
    pub(crate) count: Option<String>,
    /// The plies.
    pub(crate) plies: Vec<RecordedPly>,
    /// How many of the plies are the opening.
    pub(crate) opening: usize,
    /// Who won.
    pub result: GameResult,
    /// Why the game ended, as written.
    pub reason: Option<String>,
    /// PGN's word for it, where it is told.
    pub(crate) termination: Option<String>,
}

/// How a seat went out before the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RecordedExit {
    /// Why.
    pub(crate) reason: Termination,
    /// The number of the ply that would have come next, from 1.
    pub(crate) ply: usize,
}

/// How late bots might be without losing.
#[derive(Clone, Debug)]
pub(crate) struct Leniency {
    /// How far a clock might be overrun.
    pub(crate) margin: Duration,
    /// How long a decision might take that no clock limits.
    pub(crate) think_limit: Duration,
    /// How many answers of each seat were refused, each of which might be late.
    pub(crate) retries: PerSeat<u32>,
}

/// A recorded ply.
#[derive(Debug)]
pub(crate) struct RecordedPly {
    /// The ply.
    pub(crate) token: String,
    /// The number of the seat that decided.
    pub(crate) seat: u8,
    /// The number of the seat whose turn it was.
    pub(crate) owner: u8,
    /// The number of the turn.
    pub(crate) turn: u32,
    /// The thinking time charged.
    pub(crate) spent: Option<Spent>,
    /// What the clock showed afterwards, in whole milliseconds.
    pub(crate) clock: Option<Duration>,
    /// Whether the arena chose it, since the bot had failed to.
    pub(crate) is_fallback: bool,
    /// What its bot said of the position, in a journal.
    pub(crate) score: Option<RecordedScore>,
}

/// A time that was rounded when it was written: it was between these two.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spent {
    /// At the least.
    pub(crate) least: Duration,
    /// At the most.
    pub(crate) most: Duration,
}

/// What a bot said of a position, as recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RecordedScore {
    /// Hundredths of the game's unit.
    Centipawns(i64),
    /// A win, or else a loss, in some turns.
    Mate(bool),
}

impl RecordedScore {
    /// Returns the score of a recorded line, where it has one.
    pub(crate) fn of(info: &InfoRecord) -> Option<Self> {
        info.mate.map(|turns| Self::Mate(turns > 0)).or_else(|| info.cp.map(Self::Centipawns))
    }
}

impl RecordedGame {
    /// Takes a game of a journal, which stands in this line of it; `config` was in force when it was played.
    #[must_use]
    pub fn from_journal(line: usize, game: GameRecord, config: &RunConfig) -> Self {
        let settings = &config.settings;
        let retries = game.seats.each_ref().map(|seat| seat.retries);
        let exits = game.seats.each_ref().map(|seat| {
            let out = seat.out.as_ref()?;
            Some(RecordedExit { reason: out.reason, ply: out.ply as usize })
        });
        let names = game.seats.each_ref().map(|seat| Some(seat.bot.clone()));
        let seats = game.seats.by_seat().map(|(seat, record)| {
            // A text that this version cannot read stays what it is.
            Some(game.clock_control(seat).map_or_else(|| record.tc.clone(), SeatControl::from))
        });
        let controls = PerSeat::try_from(seats.collect::<Vec<_>>()).expect("as many as before");
        Self {
            line,
            number: Some(game.number.to_string()),
            rules: config
                .games
                .iter()
                .find(|known| known.game == game.game)
                .and_then(|known| known.rules.clone()),
            game: game.game,
            names,
            options: game.options.into_iter().collect(),
            label: Some(game.label),
            start: game.start,
            controls,
            exits,
            leniency: Some(Leniency { margin: settings.margin, think_limit: settings.think_limit, retries }),
            adjudication: Some(config.adjudicate.clone()),
            count: None,
            plies: game.plies.into_iter().map(RecordedPly::from_journal).collect(),
            opening: game.opening as usize,
            result: game.result,
            reason: Some(game.reason.code().to_owned()),
            termination: None,
        }
    }

    /// Takes a game of a game log.
    pub(crate) fn from_log(line: usize, game: PgnGame) -> Self {
        let tag = |name: &str| game.tag(name).filter(|value| *value != "?").map(str::to_owned);
        let opening = game.plies.iter().take_while(|ply| ply.is_opening).count();
        let seats = (1..=Seat::MOST).take_while(|seat| game.tag(&format!("Player{seat}")).is_some()).count();
        let players = match seats {
            3.. => PerSeat::new(seats, |seat| format!("Player{}", seat.index() + 1)),
            _ => ["White", "Black"].map(str::to_owned).into(),
        };
        Self {
            line,
            number: tag("GameNumber"),
            game: tag("Variant").unwrap_or_default(),
            rules: None,
            names: players.each_ref().map(|player| tag(player)),
            options: game.options().iter().map(|(key, value)| ((*key).into(), (*value).into())).collect(),
            label: None,
            start: tag("StartPosition").or_else(|| tag("FEN")),
            controls: players.each_ref().map(|player| control(&game, player)),
            exits: players.each_ref().map(|player| exit(game.tag(&format!("{player}Out"))?)),
            leniency: None,
            adjudication: None,
            count: tag("PlyCount"),
            opening,
            result: game.result,
            reason: tag("Reason"),
            termination: tag("Termination"),
            plies: game
                .plies
                .into_iter()
                .map(|ply| RecordedPly {
                    token: ply.ply,
                    seat: number(ply.seat),
                    owner: number(ply.owner),
                    turn: ply.turn,
                    spent: ply.spent.map(Spent::from_rounded_millis),
                    clock: ply.clock,
                    is_fallback: ply.is_fallback,
                    score: None,
                })
                .collect(),
        }
    }

    /// Takes the seats out of a game in which this many plies were played that went out then by faults or by resigning.
    ///
    /// # Errors
    /// When the rules do not take that.
    pub fn put_out(&self, referee: &mut dyn Referee, plies: usize) -> Result<(), Rejection> {
        let exit = |(seat, exit): (Seat, &Option<RecordedExit>)| {
            let RecordedExit { reason, ply } = (*exit)?;
            Some((seat, SeatExit { reason, detail: None::<String>, ply: u32::try_from(ply).ok()? }))
        };
        let exits: Vec<_> = self.exits.by_seat().filter_map(exit).collect();
        Exits::among(exits.iter().map(|(seat, exit)| (*seat, exit))).apply(referee, plies)
    }

    /// Returns how many plies are recorded, those of the opening included.
    #[must_use]
    pub fn ply_count(&self) -> usize {
        self.plies.len()
    }

    /// Returns the plies as written, those of the opening included.
    pub fn plies(&self) -> impl Iterator<Item = &str> {
        self.plies.iter().map(|ply| ply.token.as_str())
    }

    /// Returns why the game ended, if that is one of the reasons that there are.
    pub(crate) fn ending(&self) -> Option<Termination> {
        self.reason.as_deref().and_then(|reason| reason.parse().ok())
    }

    /// Returns whether the record tells any times.
    pub(crate) fn has_times(&self) -> bool {
        self.plies.iter().any(|ply| ply.spent.is_some() || ply.clock.is_some())
    }
}

impl RecordedPly {
    fn from_journal(ply: PlyRecord) -> Self {
        Self {
            token: ply.ply,
            seat: ply.seat,
            owner: ply.of.unwrap_or(ply.seat),
            turn: ply.turn,
            spent: ply.us.map(Spent::from_micros),
            clock: ply.clock.map(Duration::from_millis),
            is_fallback: ply.fallback,
            score: ply.info.as_ref().and_then(RecordedScore::of),
        }
    }
}

impl Spent {
    /// A journal leaves out what is less than a microsecond.
    fn from_micros(micros: u64) -> Self {
        let least = Duration::from_micros(micros);
        Self { least, most: least + Duration::from_nanos(999) }
    }

    /// A game log rounds to the nearest millisecond.
    fn from_rounded_millis(time: Duration) -> Self {
        let half = Duration::from_micros(500);
        Self { least: time.saturating_sub(half), most: time + half }
    }
}

/// Returns the number of a seat in records.
pub(crate) const fn number(seat: Seat) -> u8 {
    seat.index() as u8 + 1
}

/// Reads how a seat went out: `crash 17`.
fn exit(text: &str) -> Option<RecordedExit> {
    let (reason, ply) = text.split_once(' ')?;
    Some(RecordedExit { reason: reason.parse().ok()?, ply: ply.parse().ok()? })
}

/// Returns the time control of a seat, put together from the tags.
fn control(game: &PgnGame, colour: &str) -> Option<SeatControl> {
    let tag = |name: &str| game.tag(&format!("{colour}{name}")).or_else(|| game.tag(name));
    let clock = tag("TimeControl").filter(|clock| *clock != "?")?;
    let parts =
        [Some(clock).filter(|clock| *clock != "-"), tag("Limits").filter(|limits| !limits.is_empty())];
    let written = SeatControl::from(parts.into_iter().flatten().collect::<Vec<_>>().join(", "));
    let factor = game.tag("TimeFactor").and_then(|text| TimeFactor::new(text.parse().ok()?));
    Some(match (written.known(), factor) {
        (Some(control), Some(factor)) => control.scaled(factor).into(),
        _ => written,
    })
}
