//! The commands in comments: `[%clk 0:01:00.499]`.

use std::time::Duration;

use rules::Seat;

use crate::pgn::{PgnEval, PgnForm, PgnPly, PgnScore, text};

/// A command of our dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// The ply, in the safe form.
    Move(String),
    /// The seat that decides the next ply.
    Seat(Seat),
    /// The ply belongs to the opening.
    Opening,
    /// The arena chose the ply by chance.
    Fallback,
    /// What the bot thought of its position.
    Eval(PgnEval),
    /// The thinking time.
    Spent(Duration),
    /// The clock after the ply.
    Clock(Duration),
}

impl Command {
    /// Returns the commands that stand after a ply.
    pub(super) fn after(ply: &PgnPly, form: PgnForm) -> Vec<Self> {
        let token = (form == PgnForm::Safe).then(|| Self::Move(text::token(&ply.ply)));
        let all = [
            token,
            ply.is_opening.then_some(Self::Opening),
            ply.is_fallback.then_some(Self::Fallback),
            ply.eval.map(Self::Eval),
            ply.spent.map(Self::Spent),
            ply.clock.map(Self::Clock),
        ];
        all.into_iter().flatten().collect()
    }

    /// Returns the command as it stands in a comment.
    pub(super) fn write(&self) -> String {
        match self {
            Self::Move(token) => format!("[%mv {token}]"),
            Self::Seat(seat) => format!("[%p {}]", seat.index() + 1),
            Self::Opening => "[%opening]".to_owned(),
            Self::Fallback => "[%fallback]".to_owned(),
            Self::Eval(eval) => format!("[%eval {}]", write_eval(*eval)),
            Self::Spent(time) => format!("[%emt {}]", write_time(*time)),
            Self::Clock(time) => format!("[%clk {}]", write_time(*time)),
        }
    }

    /// Reads what stands between `[%` and `]`; nothing where the command is not one of ours.
    pub(super) fn read(text: &str) -> Result<Option<Self>, String> {
        let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        let command = match name {
            "mv" => Some(value).filter(|token| !token.is_empty()).map(|token| Self::Move(token.to_owned())),
            "p" => match value {
                "1" => Some(Self::Seat(Seat::P1)),
                "2" => Some(Self::Seat(Seat::P2)),
                _ => None,
            },
            "opening" => Some(Self::Opening),
            "fallback" => Some(Self::Fallback),
            "eval" => read_eval(value).map(Self::Eval),
            "emt" => read_time(value).map(Self::Spent),
            "clk" => read_time(value).map(Self::Clock),
            _ => return Ok(None),
        };
        command
            .map(Some)
            .ok_or_else(|| format!("`{}` is no value of `%{name}`", protocol::printable_capped(value, 40)))
    }
}

fn write_time(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}.{:03}", seconds / 3600, seconds / 60 % 60, seconds % 60, time.subsec_millis())
}

/// Reads `h:mm:ss`, with or without a fraction, of which milliseconds are kept.
fn read_time(text: &str) -> Option<Duration> {
    let (clock, fraction) = text.split_once('.').unwrap_or((text, ""));
    let mut parts = clock.split(':');
    let (hours, minutes, seconds) = (number(parts.next()?)?, number(parts.next()?)?, number(parts.next()?)?);
    if parts.next().is_some() || minutes > 59 || seconds > 59 {
        return None;
    }
    let mut millis = 0;
    for (digit, unit) in fraction.bytes().zip([100, 10, 1].into_iter().chain(std::iter::repeat(0))) {
        millis += u64::from((digit as char).to_digit(10)?) * unit;
    }
    let seconds = hours.checked_mul(3600)?.checked_add(minutes * 60 + seconds)?;
    Duration::from_secs(seconds).checked_add(Duration::from_millis(millis))
}

fn write_eval(eval: PgnEval) -> String {
    let mut text = match eval.score {
        PgnScore::Mate(turns) => format!("#{turns}"),
        PgnScore::Hundredths(score) => {
            let sign = if score < 0 { "-" } else { "" };
            format!("{sign}{}.{:02}", score.unsigned_abs() / 100, score.unsigned_abs() % 100)
        }
    };
    if let Some(depth) = eval.depth {
        text.push_str(&format!(",{depth}"));
    }
    text
}

fn read_eval(text: &str) -> Option<PgnEval> {
    let (score, depth) = match text.split_once(',') {
        Some((score, depth)) => (score, Some(number(depth)?)),
        None => (text, None),
    };
    let score = match score.strip_prefix('#') {
        Some(turns) => PgnScore::Mate(turns.parse().ok()?),
        None => PgnScore::Hundredths(read_hundredths(score)?),
    };
    Some(PgnEval { score, depth })
}

fn read_hundredths(text: &str) -> Option<i64> {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let hundredths = match fraction.len() {
        0 => 0,
        1 => number(fraction)? * 10,
        2 => number(fraction)?,
        _ => return None,
    };
    let score = i128::from(number(whole)?) * 100 + i128::from(hundredths);
    i64::try_from(if is_negative { -score } else { score }).ok()
}

/// Reads digits and nothing else.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
