//! `go`: the question, with its limits.

use std::fmt;
use std::time::Duration;

use crate::lexical::token;
use crate::lexical::words::Words;
use crate::{Ability, LineError, Pair, Pairs, SeatNumber};

/// `go`: decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// The limits on the decision.
    pub limits: GoLimits,
    /// Pairs that a bot may ignore: `budget`, `id`, `delay` and others.
    pub pairs: Pairs,
}

/// The limits on a decision. They can be combined; an absent field sets no limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GoLimits {
    /// Search in the opponent's time.
    pub ponder: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// The clocks, in the order of seats, at most one per seat.
    pub clocks: Vec<SeatClock>,
    /// Turns until the next period of the time control.
    pub moves_to_go: Option<u64>,
    /// Time for this turn.
    pub move_time: Option<Duration>,
    /// Depth of the search.
    pub depth: Option<u64>,
    /// Nodes of the search.
    pub nodes: Option<u64>,
}

/// The clock of one seat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeatClock {
    /// The owner of the clock.
    pub seat: SeatNumber,
    /// The time left.
    pub remaining: Option<Duration>,
    /// The time added after each turn.
    pub increment: Option<Duration>,
}

/// The names of the clocks: the words before `time` and `inc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockNames {
    /// `p1time`, `p1inc`.
    Seats,
    /// `wtime`, `winc`: the words of UCI.
    Colours,
}

#[derive(Clone, Copy)]
enum ClockPart {
    Remaining,
    Increment,
}

impl Go {
    pub(super) fn parse(mut words: Words<'_>) -> Result<Self, LineError> {
        let mut go = Self::default();
        while let Some(word) = words.next() {
            if !go.limits.take(word, &mut words)?
                && let Some(pair) = Pair::parse(word)
            {
                go.pairs.push(pair);
            }
        }
        Ok(go)
    }

    /// Returns the advice on how long to think, if the arena gives any.
    #[must_use]
    pub fn budget(&self) -> Option<Duration> {
        self.pairs.get("budget").and_then(token::milliseconds)
    }

    /// Returns the text to echo with the answer, if any.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        self.pairs.get("id")
    }
}

impl SeatClock {
    /// Returns a clock that shows `remaining`.
    #[must_use]
    pub const fn new(seat: SeatNumber, remaining: Duration, increment: Option<Duration>) -> Self {
        Self { seat, remaining: Some(remaining), increment }
    }
}

impl GoLimits {
    /// Returns the clock of `seat`, if it has one.
    #[must_use]
    pub fn clock(&self, seat: SeatNumber) -> Option<&SeatClock> {
        self.clocks.iter().find(|clock| clock.seat == seat)
    }

    /// Reads the limit that `word` starts and returns whether it starts one.
    fn take(&mut self, word: &str, words: &mut Words<'_>) -> Result<bool, LineError> {
        match word {
            "ponder" => self.ponder = true,
            "infinite" => self.infinite = true,
            "movestogo" => self.moves_to_go = Some(take_int("`movestogo`", words)?),
            "movetime" => self.move_time = Some(Duration::from_millis(take_int("`movetime`", words)?)),
            "depth" => self.depth = Some(take_int("`depth`", words)?),
            "nodes" => self.nodes = Some(take_int("`nodes`", words)?),
            _ => {
                let Some((seat, part)) = clock_word(word) else {
                    return Ok(false);
                };
                let time = Duration::from_millis(take_int("a clock", words)?);
                let clock = self.clock_mut(seat);
                match part {
                    ClockPart::Remaining => clock.remaining = Some(time),
                    ClockPart::Increment => clock.increment = Some(time),
                }
            }
        }
        Ok(true)
    }

    fn clock_mut(&mut self, seat: SeatNumber) -> &mut SeatClock {
        let index = self.clocks.partition_point(|clock| clock.seat < seat);
        if self.clocks.get(index).is_none_or(|clock| clock.seat != seat) {
            self.clocks.insert(index, SeatClock { seat, remaining: None, increment: None });
        }
        &mut self.clocks[index]
    }

    /// Writes the limits in the order of the grammar, each with a space before it. Limits that need an ability are left out if
    /// `can` returns `false`.
    pub(crate) fn write(&self, to: &mut String, names: ClockNames, can: impl Fn(Ability) -> bool) {
        if self.ponder && can(Ability::Ponder) {
            to.push_str(" ponder");
        }
        if self.infinite && can(Ability::Infinite) {
            to.push_str(" infinite");
        }
        for part in [ClockPart::Remaining, ClockPart::Increment] {
            for clock in &self.clocks {
                write_clock(to, names, clock, part);
            }
        }
        if let Some(turns) = self.moves_to_go {
            to.push_str(" movestogo ");
            token::push_int(to, turns);
        }
        if let Some(time) = self.move_time {
            to.push_str(" movetime ");
            token::push_int(to, token::to_milliseconds(time));
        }
        if let Some(depth) = self.depth
            && can(Ability::Depth)
        {
            to.push_str(" depth ");
            token::push_int(to, depth);
        }
        if let Some(nodes) = self.nodes
            && can(Ability::Nodes)
        {
            to.push_str(" nodes ");
            token::push_int(to, nodes);
        }
    }
}

fn write_clock(to: &mut String, names: ClockNames, clock: &SeatClock, part: ClockPart) {
    let (time, [first, second], [white, black], other) = match part {
        ClockPart::Remaining => (clock.remaining, [" p1time ", " p2time "], [" wtime ", " btime "], "time "),
        ClockPart::Increment => (clock.increment, [" p1inc ", " p2inc "], [" winc ", " binc "], "inc "),
    };
    let Some(time) = time else { return };
    match (names, clock.seat) {
        (ClockNames::Seats, SeatNumber::P1) => to.push_str(first),
        (ClockNames::Seats, SeatNumber::P2) => to.push_str(second),
        (ClockNames::Colours, SeatNumber::P1) => to.push_str(white),
        (ClockNames::Colours, SeatNumber::P2) => to.push_str(black),
        (_, seat) => {
            to.push_str(" p");
            token::push_int(to, seat.get().into());
            to.push_str(other);
        }
    }
    token::push_int(to, token::to_milliseconds(time));
}

fn clock_word(word: &str) -> Option<(SeatNumber, ClockPart)> {
    let (seat, part) = match word.strip_suffix("time") {
        Some(seat) => (seat, ClockPart::Remaining),
        None => (word.strip_suffix("inc")?, ClockPart::Increment),
    };
    Some((seat.parse().ok()?, part))
}

fn take_int(what: &'static str, words: &mut Words<'_>) -> Result<u64, LineError> {
    let word = words.next().ok_or(LineError::Missing { message: "go", what })?;
    token::int(word).ok_or_else(|| LineError::invalid("go", what, word))
}

impl fmt::Display for Go {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("go")?;
        let mut limits = String::new();
        self.limits.write(&mut limits, ClockNames::Seats, |_| true);
        f.write_str(&limits)?;
        write!(f, "{}", self.pairs)
    }
}
