//! The notes below a table: what its marks mean, and how reliable it is.

use protocol::printable;
use record::Termination;
use rules::Seat;
use stats::{Advantage, ErrorKind, Method, RidgeCause, SeatAdvantage};

use crate::results::players::{Clash, Players};
use crate::results::standings::Standings;
use crate::writing::number::{fixed, percent, signed};
use crate::{Look, Row};

/// The text for a journal without bots and games.
pub(crate) const EMPTY: &str = "The journal is empty.\n";

/// The note under the table of an unfinished run.
const LIVE: &str = "The run is not finished. `any time` is the 95% interval of the score against all other bots, from whole \
    rounds, and holds however often one looks; Elo, from the mean of all bots, has no error until the end.";

/// The same at tables of more than two seats, where no figure is valid at any time.
const LIVE_TABLES: &str =
    "The run is not finished. Elo, from the mean of all bots, has no error until the end.";

/// Returns the lines under the table of standings.
pub(crate) fn of_ratings(standings: &Standings, look: &Look) -> Vec<String> {
    let mut notes = Vec::new();
    if standings.games == 0 {
        return notes;
    }
    if standings.is_live && standings.seats > 2 {
        notes.push(LIVE_TABLES.to_owned());
    } else if standings.is_live {
        notes.push(LIVE.to_owned());
    } else {
        let mark = look.choose("\u{b1}", "+-");
        let from = errors(standings.errors, standings.seats);
        notes.push(format!("Elo counts from the mean of all bots; {mark} is its 95% error {from}."));
    }
    let has_bounds = standings.rows.iter().any(|row| row.bound.is_some());
    let bound = if has_bounds { " `bound` is what the games alone say (95%)." } else { "" };
    notes.extend(of_method(standings.method, standings.components).map(|note| note + bound));
    notes
}

/// Returns how the errors of a table were estimated, for `seats` seats at the largest table.
pub(crate) fn errors(kind: ErrorKind, seats: usize) -> String {
    let of_two = match kind {
        ErrorKind::Clusters => "from pairs of games and shared openings",
        ErrorKind::PairSandwich => "from pairs of games, for large samples",
        ErrorKind::GameSandwich => "from single games, for large samples",
        ErrorKind::InverseHessian => "from the model",
        ErrorKind::Bootstrap => "from fits to randomly weighted games",
    };
    if seats > 2 { of_two.replace("pairs", "blocks") } else { of_two.to_owned() }
}

/// Returns why figures are marked or rated separately, if they are.
pub(crate) fn of_method(method: Method, components: usize) -> Option<String> {
    let untied = || format!("the results do not tie all bots together ({components} groups)");
    match method {
        Method::Plain => None,
        Method::Separate if components <= 1 => None,
        Method::Separate => Some(format!("Each group is rated on its own: {}.", untied())),
        Method::Linked { sigma } => Some(format!(
            "~ marks bots whose distance from the others a prior of {sigma:.0} Elo holds: {}. Elo counts from the mean of the \
             largest group.",
            untied()
        )),
        Method::Ridge { sigma, cause } => {
            let why = match cause {
                RidgeCause::Disconnected => format!("{}, so no finite figures follow from them", untied()),
                RidgeCause::Advantage => {
                    "the results do not tell strength from the advantage of the first seat".to_owned()
                }
                RidgeCause::Asked => "as requested".to_owned(),
            };
            Some(format!("~ marks figures held by a prior of {sigma:.0} Elo around the mean: {why}."))
        }
    }
}

/// Returns the note on the seats of one game.
pub(crate) fn of_advantage(standings: &Standings, look: &Look) -> Option<String> {
    let advantage = standings.advantage.as_ref()?;
    if standings.seats > 2 {
        return of_seats(&as_shown(advantage, standings.is_live), look);
    }
    let score = percent(advantage.first_score);
    if score.is_empty() {
        return None;
    }
    let mut note = format!("The first seat scored {score}");
    let elo = elo(&as_shown(advantage, standings.is_live), look);
    if !elo.is_empty() {
        note.push_str(&format!(": an advantage of {elo} Elo"));
    }
    note.push_str(&format!(". Drawn: {}.", percent(advantage.draw_rate)));
    Some(note)
}

/// Returns the score and the advantage of each seat of a larger table.
fn of_seats(advantage: &Advantage, look: &Look) -> Option<String> {
    let seats: Vec<String> = Seat::all(advantage.seats.len())
        .zip(&advantage.seats)
        .filter_map(|(seat, of_seat)| {
            let elo = elo(&of_one(advantage, of_seat), look);
            let worth = if elo.is_empty() { String::new() } else { format!(" ({elo} Elo)") };
            Some(format!("{seat} {}{worth}", percent(Some(of_seat.score?))))
        })
        .collect();
    let ties = percent(advantage.draw_rate);
    let note = format!(
        "Scores of the seats, with their advantages over the mean: {}. Tied: {ties} of the results of two seats.",
        seats.join(", ")
    );
    (!seats.is_empty()).then_some(note)
}

/// Returns the titles of the columns of draws and of pairs. At tables of more than two seats the results of every two seats are
/// tied, and pairs are blocks.
pub(crate) const fn names_of_games(seats: usize) -> [&'static str; 2] {
    if seats > 2 { ["tied", "blocks"] } else { ["drawn", "pairs"] }
}

/// Returns the score and the advantage of `shown` seats, empty if a table is smaller. At a table of two seats the first has the
/// whole advantage.
pub(crate) fn seats_of(advantage: &Advantage, shown: usize, look: &Look) -> Vec<[String; 2]> {
    let is_of_two = advantage.seats.len() <= 2;
    let seat = |seat: usize| match advantage.seats.get(seat) {
        Some(of_seat) if is_of_two => {
            let elo = if seat == 0 { elo(advantage, look) } else { String::new() };
            [percent(of_seat.score), elo]
        }
        Some(of_seat) => [percent(of_seat.score), elo(&of_one(advantage, of_seat), look)],
        None => [String::new(), String::new()],
    };
    (0..shown).map(seat).collect()
}

/// Returns the advantage of one seat in the form of the first seat's.
fn of_one(advantage: &Advantage, seat: &SeatAdvantage) -> Advantage {
    Advantage { elo: seat.elo, error95: seat.error95, ..advantage.clone() }
}

/// Returns the advantages as tables show them: with errors only at the end of a run.
pub(crate) fn as_shown(advantage: &Advantage, is_live: bool) -> Advantage {
    let mut shown = advantage.clone();
    if is_live {
        shown.error95 = None;
        shown.seats.iter_mut().for_each(|seat| seat.error95 = None);
    }
    shown
}

/// Writes a first-seat advantage with its error.
pub(crate) fn elo(advantage: &Advantage, look: &Look) -> String {
    let mark = if advantage.is_regularized { "~" } else { "" };
    let Some(elo) = advantage.elo else { return String::new() };
    let error = advantage
        .error95
        .map_or_else(String::new, |error| format!(" {} {}", look.choose("\u{b1}", "+-"), fixed(error, 0)));
    format!("{mark}{}{error}", signed(elo, 0))
}

/// Returns the notes on games besides their results.
pub(crate) fn of_games(standings: &Standings) -> Vec<String> {
    let mut notes = Vec::new();
    let faults: Vec<String> = standings.rows.iter().filter_map(faults).collect();
    if !faults.is_empty() {
        notes.push(format!("Lost by faults: {}.", faults.join("; ")));
    }
    match standings.no_contest {
        0 => {}
        1 => notes.push("1 game has no result and does not count.".to_owned()),
        count => notes.push(format!("{count} games have no result and do not count.")),
    }
    let copies = standings.duplicates;
    if copies.repeated_pairs > 0 {
        let unit = if standings.seats > 2 { "block" } else { "pair" };
        notes.push(format!(
            "Duplicates: {} of {} {unit}s repeat an earlier {unit} ply for ply. Ratings, errors and LOS count each {unit} once.",
            copies.repeated_pairs, copies.pairs
        ));
    } else if copies.repeated_games > 0 {
        notes.push(format!(
            "Duplicates: {} of {} games repeat an earlier game of the same bots ply for ply.",
            copies.repeated_games, copies.games
        ));
    }
    notes
}

/// Returns the notes on the players.
pub(crate) fn of_players(players: &Players) -> Vec<String> {
    let note = |clash: &Clash| {
        format!(
            "`{}` is {} contestants, each with a row of its own: its digest (executable, files, options, time \
             control) has changed.",
            clash.label, clash.digests
        )
    };
    players.clashes().iter().map(note).collect()
}

/// Returns `nova 2 timeout, 1 crash`.
fn faults(row: &Row) -> Option<String> {
    let kinds = Termination::FAULTS.iter().zip(row.faults);
    let kinds: Vec<_> =
        kinds.filter(|(_, count)| *count > 0).map(|(kind, count)| format!("{count} {kind}")).collect();
    (!kinds.is_empty()).then(|| format!("{} {}", row.label, kinds.join(", ")))
}

/// Breaks notes into lines of the terminal's width.
pub(crate) fn wrapped(notes: &[String], look: &Look) -> String {
    let mut text = String::new();
    for note in notes {
        let mut column = 0;
        for word in note.split_whitespace() {
            let length = word.chars().count();
            if column > 0 && column + 1 + length > look.width {
                text.push('\n');
                column = 0;
            } else if column > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += length;
        }
        text.push('\n');
    }
    text
}

/// Returns the title of a block, with the empty line after it.
pub(crate) fn title(standings: &Standings, look: &Look) -> String {
    let title = standings.label.as_deref().unwrap_or("all games");
    wrapped(&[printable(title).into_owned()], look) + "\n"
}
