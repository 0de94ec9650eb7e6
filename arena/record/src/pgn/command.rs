//! The commands in comments: `[%clk 0:01:00.499]`.

use std::time::Duration;

use rules::Seat;

use crate::pgn::lines::Lines;
use crate::pgn::{Facts, PgnEval, PgnForm, PgnScore, text};

/// A command of our dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// The ply, in the safe form.
    Move(String),
    /// The ply, if the log spells it differently.
    Ply(String),
    /// The seat that decides the next ply.
    Seat(Seat),
    /// The seat whose turn begins, at a table of more than two seats.
    Turn(Seat),
    /// The ply belongs to the opening.
    Opening,
    /// The arena chose the ply at random.
    Fallback,
    /// The bot's evaluation of its position.
    Eval(PgnEval),
    /// The thinking time.
    Spent(Duration),
    /// The clock after the ply.
    Clock(Duration),
    /// The words after it come from the bot, before the ply.
    Said,
}

impl Command {
    /// Passes the commands that follow a ply to `take`. Inlined, which command comes is known wherever one is written.
    #[inline(always)]
    pub(super) fn after(ply: &str, facts: &Facts<'_>, form: PgnForm, mut take: impl FnMut(Self)) {
        match form {
            PgnForm::Safe => take(Self::Move(text::token(ply).into_owned())),
            PgnForm::Native if facts.san.is_some() => take(Self::Ply(text::token(ply).into_owned())),
            PgnForm::Native => {}
        }
        if facts.is_opening {
            take(Self::Opening);
        }
        if facts.is_fallback {
            take(Self::Fallback);
        }
        if let Some(eval) = facts.eval {
            take(Self::Eval(eval));
        }
        if let Some(time) = facts.spent {
            take(Self::Spent(time));
        }
        if let Some(time) = facts.clock {
            take(Self::Clock(time));
        }
    }

    /// Adds the command to the last word as a comment holds it.
    #[inline(always)]
    pub(super) fn write(&self, out: &mut Lines<'_>) {
        match self {
            Self::Move(token) => {
                out.add(b"[%mv ");
                out.extend(token.as_bytes());
            }
            Self::Ply(token) => {
                out.add(b"[%ply ");
                out.extend(token.as_bytes());
            }
            Self::Seat(seat) => {
                out.add(b"[%p ");
                out.decimal(1 + seat.index() as u64);
            }
            Self::Turn(seat) => {
                out.add(b"[%turn ");
                out.decimal(1 + seat.index() as u64);
            }
            Self::Opening => out.add(b"[%opening"),
            Self::Fallback => out.add(b"[%fallback"),
            Self::Eval(eval) => {
                out.add(b"[%eval ");
                write_eval(*eval, out);
            }
            Self::Spent(time) => write_time(*b"[%emt ", *time, out),
            Self::Clock(time) => write_time(*b"[%clk ", *time, out),
            Self::Said => out.add(b"[%said"),
        }
        out.add(b"]");
    }

    /// Returns the command as a comment holds it.
    pub(super) fn text(&self) -> String {
        let mut text = Vec::new();
        let mut lines = Lines::at_end_of(&mut text);
        self.write(&mut lines);
        lines.finish();
        String::from_utf8_lossy(&text).into_owned()
    }

    /// Reads the text between `[%` and `]`; `None` if the command is not one of ours.
    pub(super) fn read(text: &str) -> Result<Option<Self>, String> {
        let (name, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        let command = match name {
            "mv" => Some(value).filter(|token| !token.is_empty()).map(|token| Self::Move(token.to_owned())),
            "ply" => Some(value).filter(|token| !token.is_empty()).map(|token| Self::Ply(token.to_owned())),
            "p" => read_seat(value).map(Self::Seat),
            "turn" => read_seat(value).map(Self::Turn),
            "opening" => Some(Self::Opening),
            "fallback" => Some(Self::Fallback),
            "eval" => read_eval(value).map(Self::Eval),
            "emt" => read_time(value).map(Self::Spent),
            "clk" => read_time(value).map(Self::Clock),
            "said" => Some(Self::Said),
            _ => return Ok(None),
        };
        command
            .map(Some)
            .ok_or_else(|| format!("`{}` is not a value of `%{name}`", protocol::printable_capped(value, 40)))
    }
}

/// Reads a seat by its number, from 1.
fn read_seat(text: &str) -> Option<Seat> {
    Seat::new(usize::try_from(number(text).filter(|_| text.len() == 1)?).ok()?.checked_sub(1)?)
}

/// Writes a name, and a time as `0:01:00.499`.
#[inline(always)]
fn write_time(name: [u8; 6], time: Duration, out: &mut Lines<'_>) {
    let [a, b, c, d, e, f] = name;
    let (hours, seconds) = (time.as_secs() / 3600, (time.as_secs() % 3600) as usize);
    let millis = time.subsec_millis() as usize;
    let ([m, n], [s, t]) = (DIGITS[seconds / 60 % 100], DIGITS[seconds % 60]);
    let (i, [j, k]) = (b'0' + (millis / 100) as u8, DIGITS[millis % 100]);
    if let hour @ 0..10 = hours {
        // Nearly every time, written at once.
        return out.add(&[a, b, c, d, e, f, b'0' + hour as u8, b':', m, n, b':', s, t, b'.', i, j, k]);
    }
    out.add(&name);
    out.decimal(hours);
    out.add(&[b':', m, n, b':', s, t, b'.', i, j, k]);
}

/// The digits of the numbers from 0 to 99.
const DIGITS: [[u8; 2]; 100] = {
    let mut digits = [[0; 2]; 100];
    let mut number = 0;
    while number < digits.len() {
        digits[number] = [b'0' + (number / 10) as u8, b'0' + (number % 10) as u8];
        number += 1;
    }
    digits
};

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

/// Writes an evaluation as `-1.25,7` or `#3`.
#[inline(always)]
fn write_eval(eval: PgnEval, out: &mut Lines<'_>) {
    match eval.score {
        PgnScore::Mate(turns) => {
            out.add(b"#");
            out.extend(itoa::Buffer::new().format(turns).as_bytes());
        }
        PgnScore::Hundredths(score) => {
            if score < 0 {
                out.add(b"-");
            }
            let score = score.unsigned_abs();
            out.decimal(score / 100);
            let [tenths, hundredths] = DIGITS[(score % 100) as usize];
            out.add(&[b'.', tenths, hundredths]);
        }
    }
    if let Some(depth) = eval.depth {
        out.add(b",");
        out.decimal(depth);
    }
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

/// Reads a number that consists of digits only.
fn number(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}
