//! What suits the format of a run: the table of a Swiss, the bracket of a knockout, the order of a ladder, the seeds of a
//! gauntlet against the field.

use record::RunConfig;

use crate::results::format_table::{FormatTable, Gauntlet, KnockoutTable, LadderTable, SwissTable, bot_name};
use crate::tables::notes;
use crate::writing::number::{fixed, points};
use crate::writing::sheet::{Cell, Kind, Sheet};
use crate::{Look, RunReport};

/// Returns the section of a run's format; `None` where the standings say everything.
pub(crate) fn format_text(run: &RunReport<'_>, look: &Look) -> Option<String> {
    let config = &run.contents().runs.last()?.config;
    let table = run.format_table()?;
    let text = match table {
        FormatTable::Swiss(swiss) => swiss_text(config, swiss, look),
        FormatTable::Knockout(knockout) => knockout_text(config, knockout, look),
        FormatTable::Ladder(ladder) => ladder_text(config, ladder, look),
        FormatTable::Gauntlet(gauntlet) => gauntlet_text(config, gauntlet, look),
        FormatTable::League(_) => return None,
    };
    Some(format!("{}\n\n{text}", table.title()))
}

fn name(config: &RunConfig, bot: usize) -> Cell {
    config.bots[bot].name.as_str().into()
}

/// Returns the table of a Swiss after its whole rounds.
fn swiss_text(config: &RunConfig, swiss: &SwissTable, look: &Look) -> String {
    let table = &swiss.places;
    let has_byes = table.iter().any(|place| place.byes > 0);
    let mut sheet = Sheet::default();
    sheet.column("place", Kind::Figure, 0);
    sheet.column("bot", Kind::Name, 0);
    sheet.column("points", Kind::Figure, 0);
    sheet.column("Buchholz", Kind::Figure, 1);
    sheet.column("Sonneborn-Berger", Kind::Figure, 2);
    sheet.column("meetings", Kind::Figure, 3);
    if has_byes {
        sheet.column("byes", Kind::Figure, 3);
    }
    for place in table {
        let mut cells: Vec<Cell> = vec![
            place.place.to_string().into(),
            name(config, place.bot),
            points(place.halves.into()).into(),
            points(place.buchholz.into()).into(),
            fixed(place.sonneborn, 2).into(),
            place.meetings.to_string().into(),
        ];
        if has_byes {
            cells.push(place.byes.to_string().into());
        }
        sheet.row(cells);
    }
    sheet.text(look) + &notes::wrapped(&[swiss.notes().join(" ")], look)
}

/// Returns the bracket of a knockout after its whole batches, and the places that are settled.
fn knockout_text(config: &RunConfig, knockout: &KnockoutTable, look: &Look) -> String {
    let mut sheet = Sheet::default();
    sheet.column("round", Kind::Word, 0);
    sheet.column("bot", Kind::Name, 0);
    sheet.column("against", Kind::Name, 0);
    sheet.column("points", Kind::Figure, 0);
    sheet.column("meetings", Kind::Figure, 1);
    sheet.column("winner", Kind::Name, 0);
    let mut is_by_order = false;
    for bout in &knockout.bouts {
        let [own, its] = bout.halves.map(|halves| points(halves.into()));
        let is_begun = bout.meetings > 0;
        let winner = match bout.winner {
            Some(bot) if bout.is_by_order => format!("{} *", config.bots[bot].name),
            Some(bot) => config.bots[bot].name.clone(),
            None => String::new(),
        };
        is_by_order |= bout.is_by_order;
        sheet.row(vec![
            bout.stage.as_str().into(),
            name(config, bout.bots[0]),
            name(config, bout.bots[1]),
            if is_begun { format!("{own} : {its}").into() } else { String::new().into() },
            bout.meetings.to_string().into(),
            winner.into(),
        ]);
    }
    let mut out = sheet.text(look);
    if is_by_order {
        let note = format!(
            "* level after {} more meetings than asked for: the bot that stands earlier in the file wins the match.",
            formats::MOST_EXTRA
        );
        out.push_str(&notes::wrapped(&[note], look));
    }
    let places = &knockout.places;
    let place = |(place, bot): &(usize, usize)| format!("{place} `{}`", bot_name(config, *bot));
    let listed = places.iter().map(place).collect::<Vec<_>>().join(", ");
    let text = match (knockout.is_over, places.is_empty()) {
        (true, _) => format!("Places: {listed}."),
        (false, true) => "No bot is out.".to_owned(),
        (false, false) => format!("Places of the bots that are out: {listed}."),
    };
    out + "\n" + &notes::wrapped(&[text], look)
}

/// Returns the order of a ladder.
fn ladder_text(config: &RunConfig, ladder: &LadderTable, look: &Look) -> String {
    let mut sheet = Sheet::default();
    sheet.column("place", Kind::Figure, 0);
    sheet.column("bot", Kind::Name, 0);
    sheet.column("", Kind::Word, 0);
    for (place, (bot, has_played)) in (1..).zip(&ladder.order) {
        let note = if *has_played { "" } else { "has not played" };
        sheet.row(vec![place.to_string().into(), name(config, *bot), note.into()]);
    }
    sheet.text(look)
}

/// Returns what every seed scored against every other bot.
fn gauntlet_text(config: &RunConfig, gauntlet: &Gauntlet, look: &Look) -> String {
    let mut sheet = Sheet::default();
    sheet.column("against", Kind::Name, 0);
    for seed in &gauntlet.seeds {
        sheet.column(look.shortened(&config.bots[*seed].name, 12), Kind::Figure, 0);
    }
    let score = |(own, all): &(u64, u64)| match all {
        0 => String::new(),
        _ => format!("{}/{}", points(*own), points(*all)),
    };
    let mut row = |title: Cell, line: &[(u64, u64)]| {
        sheet.row(std::iter::once(title).chain(line.iter().map(|cell| score(cell).into())).collect());
    };
    row("the field".into(), &gauntlet.all);
    for (bot, line) in &gauntlet.lines {
        row(name(config, *bot), line);
    }
    sheet.text(look)
}
