//! The list of games as CSV.

use std::borrow::Cow;
use std::sync::Arc;

use record::{GameResult, LineGame, SeatRecord, ThinkingTime};
use rules::Seat;

use crate::writing::number::{fixed, optional};
use crate::writing::spreadsheet::{Spreadsheet, safe};
use crate::{ContestantId, RunReport};

/// Returns the columns of `games.csv` in a run whose largest table has `seats` seats. Why a seat went out stands there where tables
/// have more than two; of two, `reason` and `fault` say it.
fn header(seats: usize) -> Vec<String> {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
    let of_seats = |what: &str| Seat::all(seats).map(|seat| format!("{seat}_{what}")).collect::<Vec<_>>();
    let mut header = names(&["number", "pair", "leg", "round", "game", "options"]);
    header.extend(Seat::all(seats).flat_map(|seat| [seat.to_string(), format!("{seat}_version")]));
    header.extend(names(&["result", "reason", "fault", "plies", "turns", "seconds"]));
    header.extend(of_seats("ms_per_ply"));
    header.extend(of_seats("overruns"));
    header.extend(names(&["opening"]));
    header.extend(of_seats("tc"));
    header.extend(names(&["started", "detail"]));
    if seats > 2 {
        header.extend(["out", "out_ply", "out_detail"].into_iter().flat_map(of_seats));
    }
    header
}

/// The list `games.csv`: one line per finished game, by number.
#[derive(Debug)]
pub struct GameList {
    form: Arc<Form>,
    sheet: Spreadsheet,
}

/// What all lines depend on.
#[derive(Debug, PartialEq)]
struct Form {
    /// The number of seats at the largest table of the run, at least 2.
    seats: usize,
    /// The contestants whose version is not shown as it is recorded, in order, with how it is shown.
    renamed: Vec<(ContestantId, String)>,
}

impl Form {
    fn of(run: &RunReport<'_>) -> Self {
        let renamed = run.results().players.renamed();
        Self {
            seats: run.results().most_seats(None).max(2),
            renamed: renamed.map(|(player, version)| (player.clone(), version.to_owned())).collect(),
        }
    }

    /// Returns the version of who sits in a seat as tables show it.
    fn version<'s, T: AsRef<str>, C>(&'s self, seat: &'s SeatRecord<T, C>) -> &'s str {
        let renamed = self.renamed.binary_search_by(|(player, _)| player.cmp_seat(seat));
        renamed.map_or_else(|_| seat.version.as_ref(), |place| &self.renamed[place].1)
    }
}

impl GameList {
    /// Creates the list of a run with its first line.
    #[must_use]
    pub fn new(run: &RunReport<'_>) -> Self {
        Self::begin(Form::of(run))
    }

    /// Creates a list before its games are known. It is that of a run whose largest table has `seats` seats, and in which no bot
    /// plays under one version with different digests: [`Self::is_of`] says whether it was.
    #[must_use]
    pub fn expected(seats: usize) -> Self {
        Self::begin(Form { seats: seats.max(2), renamed: Vec::new() })
    }

    /// Returns whether this is how games of a run are listed.
    #[must_use]
    pub fn is_of(&self, run: &RunReport<'_>) -> bool {
        *self.form == Form::of(run)
    }

    fn begin(form: Form) -> Self {
        Self { sheet: Spreadsheet::new(&header(form.seats)), form: Arc::new(form) }
    }

    /// Returns a later part of the list, without the first line, which another thread may make.
    #[must_use]
    pub fn part(&self) -> Self {
        Self { form: Arc::clone(&self.form), sheet: Spreadsheet::continued() }
    }

    /// Adds the line of the next game.
    pub fn push(&mut self, game: &LineGame<'_>) {
        let Self { form, sheet } = self;
        let (columns, seats) = (form.seats, game.seats.len());
        // A table smaller than the largest leaves cells empty.
        let all = || (0..columns).map(|seat| game.seats.get(seat));
        sheet.number(game.number);
        sheet.number(game.pair);
        sheet.number(game.leg);
        sheet.number(game.round);
        sheet.cell(&*safe(game.label.as_ref()));
        sheet.cell(&*safe(&game.written_options()));
        for seat in all() {
            sheet.cell(&*seat.map_or(Cow::Borrowed(""), |seat| safe(seat.bot.as_ref())));
            sheet.cell(&*seat.map_or(Cow::Borrowed(""), |seat| safe(form.version(seat))));
        }
        match game.result {
            GameResult::Places(_) => sheet.cell(game.result.to_string()),
            result => sheet.cell(result.word()),
        }
        sheet.cell(game.reason.code());
        sheet.cell(game.faults().map(|(seat, _)| seat.to_string()).collect::<Vec<_>>().join(" "));
        sheet.number(game.plies.len());
        sheet.number(game.plies.last().map_or(0, |ply| ply.turn));
        sheet.cell(fixed(game.seconds, 3));
        let times = ThinkingTime::of(&game.plies, seats);
        for seat in 0..columns {
            sheet.cell(optional(times.get(seat).and_then(|time| time.mean()), 3));
        }
        for seat in all() {
            match seat {
                Some(seat) => sheet.number(seat.overruns),
                None => sheet.cell(""),
            }
        }
        sheet.number(game.opening);
        for seat in all() {
            sheet.cell(&*seat.map_or(Cow::Borrowed(""), |seat| safe(seat.tc.as_ref())));
        }
        sheet.cell(&*safe(game.started.as_ref()));
        sheet.cell(&*safe(game.detail.as_deref().unwrap_or_default()));
        if columns > 2 {
            let exits = || all().map(|seat| seat.and_then(|seat| seat.out.as_ref()));
            for exit in exits() {
                sheet.cell(exit.map_or("", |exit| exit.reason.code()));
            }
            for exit in exits() {
                match exit {
                    Some(exit) => sheet.number(exit.ply),
                    None => sheet.cell(""),
                }
            }
            for exit in exits() {
                sheet.cell(&*safe(exit.and_then(|exit| exit.detail.as_deref()).unwrap_or_default()));
            }
        }
        sheet.end_row();
    }

    /// Returns the length of what [`Self::take`] would return now, in bytes.
    pub fn length(&mut self) -> usize {
        self.sheet.length()
    }

    /// Returns the lines since the last call, including the first line of the file.
    #[must_use]
    pub fn take(&mut self) -> Vec<u8> {
        self.sheet.take()
    }
}
