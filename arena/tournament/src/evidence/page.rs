//! The page about a game that ended by a fault.

use std::fmt::Write as _;
use std::path::Path;

use diagnostic::output;
use protocol::{printable, printable_capped};
use record::GameRecord;
use rules::Seat;
use runner::{BotFailure, SpokenLine};

use super::exchange::{SHOWN, exchange};
use super::{advice, dialogue_hints, kind};

/// The width of the page; lines of the dialogue are as long as they are.
const WIDTH: usize = 100;

/// How many legal plies are listed.
const PLIES_SHOWN: usize = 300;

/// How many characters of such a line.
const LINE_SHOWN: usize = 400;

/// Returns the first line of a transcript.
pub(super) fn heading(game: &GameRecord) -> String {
    let bots = game.seats.by_seat().map(|(seat, record)| format!("{seat} {}", printable(&record.bot)));
    let (label, bots) = (printable(&game.label), bots.collect::<Vec<_>>().join(", "));
    format!(
        "# game {}: {label}, {bots}, {} ({}); milliseconds since the game began, seat, > to the bot, < from it",
        game.number, game.result, game.reason
    )
}

/// Returns the page. Whatever a bot wrote is made fit to be shown.
pub(super) fn text(failure: &BotFailure, game: &GameRecord, directory: &Path) -> String {
    let mut page = format!("game {}: {}\n", failure.game, kind(failure));
    let seat = &game.seats[usize::from(failure.seat - 1)];
    let others = (1..).zip(&game.seats).filter(|(number, _)| *number != failure.seat);
    let others: Vec<_> = others.map(|(_, other)| format!("`{}`", printable(&other.bot))).collect();
    let (asked, came) = exchange(failure);
    // At a larger table a game may have faults of several seats.
    let is_table = game.seats.len() > 2;
    let place = Seat::new(usize::from(failure.seat - 1)).and_then(|seat| game.result.place(seat));
    let place = place.filter(|_| is_table);
    let place = place.map(|place| format!(" The bot came in place {place} of {}.", game.seats.len()));

    section(&mut page, "What happened");
    paragraph(
        &mut page,
        &format!(
            "Bot `{}` (p{}) played {} against {}: {}. The game ended as {} after {}.{}",
            printable(&failure.bot),
            failure.seat,
            printable(&game.label),
            others.join(", "),
            printable(&failure.detail),
            game.result,
            output::count(game.plies.len() as u64, "ply"),
            place.unwrap_or_default(),
        ),
    );
    section(&mut page, "The rule");
    paragraph(&mut page, &advice::rule(failure));
    section(&mut page, "What the bot was asked");
    let is_older = asked.is_empty() && failure.spoken.left_out > 0;
    lines(
        &mut page,
        &asked,
        if is_older { "longer ago than the lines that are kept" } else { "nothing yet" },
    );
    section(&mut page, "What came after that");
    lines(&mut page, &came, "nothing");
    let mut advice = dialogue_hints::hints(failure);
    advice.extend(advice::advice(failure, came.is_empty()));
    if !advice.is_empty() {
        section(&mut page, "What to do");
        advice.iter().for_each(|advice| paragraph(&mut page, advice));
    }

    section(&mut page, "The bot");
    let mut fact = |name: &str, value: &str| {
        let _ = writeln!(page, "  {name:<10}{}", printable(value));
    };
    fact("command", &failure.command);
    fact("directory", &failure.dir.display().to_string());
    fact("version", if seat.version.is_empty() { "not told" } else { &seat.version });
    fact("digest", &seat.digest);
    fact("limits", seat.tc.as_str());
    fact("seed", &seat.seed.to_string());
    fact(
        "process",
        failure.exit.as_deref().unwrap_or("still ran when the game ended, or was ended by the arena"),
    );

    section(&mut page, "To send the bot the same lines again");
    let seat = if is_table { format!(" --seat p{}", failure.seat) } else { String::new() };
    let _ = writeln!(page, "  arena repro {} {}{seat}", directory.display(), failure.game);

    if let Some(scene) = &failure.scene {
        section(&mut page, &format!("The position before ply {}", scene.ply));
        let _ = writeln!(page, "  {}", printable(&scene.position));
        let _ = writeln!(page, "\n  {}:", output::count(scene.legal.len() as u64, "legal ply"));
        let shown = scene.legal.iter().take(PLIES_SHOWN).map(String::as_str);
        let _ = writeln!(page, "  {}", output::wrap(shown, 2, WIDTH));
        if let Some(rest) = scene.legal.len().checked_sub(PLIES_SHOWN).filter(|rest| *rest > 0) {
            let _ = writeln!(page, "  and {rest} more");
        }
    }

    let count = failure.spoken.lines.len() as u64;
    section(&mut page, &format!("The last {} between the arena and the bot", output::count(count, "line")));
    paragraph(&mut page, "Milliseconds since the game began; > is to the bot, < from the bot.");
    if failure.spoken.left_out > 0 {
        let _ =
            writeln!(page, "  {} before these are left out", output::count(failure.spoken.left_out, "line"));
    }
    for line in &failure.spoken.lines {
        let _ = writeln!(page, "{}", spoken(line, usize::MAX));
    }
    section(&mut page, "The end of its standard error");
    if failure.stderr.is_empty() {
        page.push_str("  nothing\n");
    }
    for line in &failure.stderr {
        let _ = writeln!(page, "  {line}");
    }
    page
}

fn section(page: &mut String, title: &str) {
    let _ = writeln!(page, "\n{title}");
}

fn paragraph(page: &mut String, text: &str) {
    let _ = writeln!(page, "  {}", output::wrap(text.split_whitespace(), 2, WIDTH));
}

/// Writes the last of these lines, cut.
fn lines(page: &mut String, lines: &[&SpokenLine], otherwise: &str) {
    let left_out = lines.len().saturating_sub(SHOWN);
    if lines.is_empty() {
        let _ = writeln!(page, "  {otherwise}");
    }
    if left_out > 0 {
        let _ = writeln!(page, "  {} before these", output::count(left_out as u64, "line"));
    }
    for line in &lines[left_out..] {
        let _ = writeln!(page, "{}", spoken(line, LINE_SHOWN));
    }
}

fn spoken(line: &SpokenLine, most: usize) -> String {
    let millis = line.at.as_micros() as f64 / 1000.0;
    let text = printable_capped(&line.text, most);
    let mut shown = format!("{millis:>12.3} {} {text}", line.direction.sign());
    if line.left_out > 0 {
        let _ = write!(shown, "  ({} bytes are left out of the middle)", line.left_out);
    }
    shown
}
