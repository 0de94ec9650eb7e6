//! `go`: the question, with the limits on the answer.

use std::fmt;
use std::time::Duration;

use crate::token;
use crate::words::Words;
use crate::{LineError, Pair, Pairs, SeatNumber};

/// `go`: decide.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// What limits the decision.
    pub limits: Limits,
    /// What may be ignored: `budget`, `id`, `delay` and others.
    pub pairs: Pairs,
}

/// What limits a decision. All may combine; what is absent does not limit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Search in the opponent's time.
    pub ponder: bool,
    /// Search until `stop`.
    pub infinite: bool,
    /// The clocks, in the order of seats, at most one for each.
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
    /// Whose clock it is.
    pub seat: SeatNumber,
    /// The time left.
    pub remaining: Option<Duration>,
    /// What is added after each turn.
    pub increment: Option<Duration>,
}

/// How clocks are called: the words before `time` and `inc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClockNames {
    /// `p1time`, `p1inc`.
    Seats,
    /// `wtime`, `winc`: the words of UCI.
    Colours,
}

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

    /// Returns the advice how long to think, if the arena gives one.
    #[must_use]
    pub fn budget(&self) -> Option<Duration> {
        self.pairs.get("budget").and_then(token::milliseconds)
    }

    /// Returns what is to be echoed with the answer, if anything.
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

impl Limits {
    /// Returns the clock of `seat`, if it has one.
    #[must_use]
    pub fn clock(&self, seat: SeatNumber) -> Option<&SeatClock> {
        self.clocks.iter().find(|clock| clock.seat == seat)
    }

    /// Takes the limit that `word` starts and returns whether there was one.
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

    /// Writes the limits in the order of the grammar, each with a space before it.
    pub(crate) fn write(&self, to: &mut impl fmt::Write, names: ClockNames) -> fmt::Result {
        for (word, is_set) in [(" ponder", self.ponder), (" infinite", self.infinite)] {
            to.write_str(if is_set { word } else { "" })?;
        }
        for clock in &self.clocks {
            write_clock(to, names, clock.seat, "time", clock.remaining)?;
        }
        for clock in &self.clocks {
            write_clock(to, names, clock.seat, "inc", clock.increment)?;
        }
        let move_time = self.move_time.map(token::to_milliseconds);
        for (word, value) in [
            ("movestogo", self.moves_to_go),
            ("movetime", move_time),
            ("depth", self.depth),
            ("nodes", self.nodes),
        ] {
            if let Some(value) = value {
                for part in [" ", word, " "] {
                    to.write_str(part)?;
                }
                token::write_int(to, value)?;
            }
        }
        Ok(())
    }
}

fn write_clock(
    to: &mut impl fmt::Write,
    names: ClockNames,
    seat: SeatNumber,
    part: &str,
    time: Option<Duration>,
) -> fmt::Result {
    let Some(time) = time.map(token::to_milliseconds) else {
        return Ok(());
    };
    match names {
        ClockNames::Colours if seat == SeatNumber::P1 => to.write_str(" w")?,
        ClockNames::Colours if seat == SeatNumber::P2 => to.write_str(" b")?,
        ClockNames::Colours | ClockNames::Seats => {
            to.write_str(" p")?;
            token::write_int(to, seat.get().into())?;
        }
    }
    to.write_str(part)?;
    to.write_str(" ")?;
    token::write_int(to, time)
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
        self.limits.write(f, ClockNames::Seats)?;
        write!(f, "{}", self.pairs)
    }
}
