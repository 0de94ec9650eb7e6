//! What suits the format of a run: the table of a Swiss, the bracket of a knockout, the order of a ladder, the seeds of a
//! gauntlet against the field.

use formats::{Knockout, Ladder, Played, Swiss};
use protocol::printable;
use record::{RunConfig, RunSummary};
use settings::Format;

use crate::Look;
use crate::tables::notes;
use crate::writing::number::{fixed, points};
use crate::writing::sheet::{Cell, Kind, Sheet};

/// Returns the section of a run's format; `None` where the standings say everything.
#[must_use]
pub fn format_text(contents: &RunSummary, look: &Look) -> Option<String> {
    let config = &contents.runs.last()?.config;
    match config.format.known()? {
        Format::Swiss => {
            let mut swiss = Swiss::of(config);
            formats::replay(&mut swiss, config, &contents.games);
            Some(swiss_text(config, &swiss, look))
        }
        Format::Knockout | Format::DoubleKnockout => {
            let mut knockout = Knockout::of(config);
            let is_over = formats::replay(&mut knockout, config, &contents.games);
            Some(knockout_text(config, &knockout, is_over, look))
        }
        Format::Ladder => Some(ladder_text(config, &Ladder::after(config, &contents.games), look)),
        Format::Gauntlet => Some(gauntlet_text(config, &formats::played(config, &contents.games), look)),
        Format::RoundRobin | Format::List | Format::Sprt => None,
    }
}

fn name(config: &RunConfig, bot: usize) -> Cell {
    config.bots[bot].name.as_str().into()
}

/// Returns the table of a Swiss after its whole rounds.
fn swiss_text(config: &RunConfig, swiss: &Swiss, look: &Look) -> String {
    let table = swiss.table();
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
    for place in &table {
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
    let title = format!("Swiss table after {} of {} rounds", swiss.rounds_taken(), config.rounds);
    let mut note = "Places go by points, then Buchholz (the points of the opponents), then Sonneborn-Berger (these times the \
                    share that was scored against each)."
        .to_owned();
    if has_byes {
        note.push_str(&format!(
            " A bye is worth {} points, as a meeting without a loss, and counts as one with a bot of the same score.",
            points(u64::from(formats::meeting_halves(config)))
        ));
    }
    format!("{title}\n\n{}{}", sheet.text(look), notes::wrapped(&[note], look))
}

/// Returns the bracket of a knockout after its whole batches, and the places that are settled.
fn knockout_text(config: &RunConfig, knockout: &Knockout, is_over: bool, look: &Look) -> String {
    let mut sheet = Sheet::default();
    sheet.column("round", Kind::Word, 0);
    sheet.column("bot", Kind::Name, 0);
    sheet.column("against", Kind::Name, 0);
    sheet.column("points", Kind::Figure, 0);
    sheet.column("meetings", Kind::Figure, 1);
    sheet.column("goes on", Kind::Name, 0);
    let mut is_by_order = false;
    for bout in knockout.bouts() {
        let [own, its] = bout.halves.map(|halves| points(halves.into()));
        let is_begun = bout.meetings > 0;
        let winner = match bout.winner {
            Some(bot) if bout.is_by_order => format!("{} *", config.bots[bot].name),
            Some(bot) => config.bots[bot].name.clone(),
            None => String::new(),
        };
        is_by_order |= bout.is_by_order;
        sheet.row(vec![
            bout.stage.into(),
            name(config, bout.bots[0]),
            name(config, bout.bots[1]),
            if is_begun { format!("{own} : {its}").into() } else { String::new().into() },
            bout.meetings.to_string().into(),
            winner.into(),
        ]);
    }
    let mut out = format!("Bracket\n\n{}", sheet.text(look));
    if is_by_order {
        let note = format!(
            "* level after {} meetings more than asked for: the bot that stands earlier in the file goes on.",
            formats::MOST_EXTRA
        );
        out.push_str(&notes::wrapped(&[note], look));
    }
    let places = knockout.places();
    let place = |(place, bot): &(usize, usize)| format!("{place} `{}`", printable(&config.bots[*bot].name));
    let listed = places.iter().map(place).collect::<Vec<_>>().join(", ");
    let text = match (is_over, places.is_empty()) {
        (true, _) => format!("Places: {listed}."),
        (false, true) => "Nobody is out.".to_owned(),
        (false, false) => format!("Places of those who are out: {listed}."),
    };
    out + "\n" + &notes::wrapped(&[text], look)
}

/// Returns the order of a ladder.
fn ladder_text(config: &RunConfig, ladder: &Ladder, look: &Look) -> String {
    let mut sheet = Sheet::default();
    sheet.column("place", Kind::Figure, 0);
    sheet.column("bot", Kind::Name, 0);
    sheet.column("", Kind::Word, 0);
    for (place, (bot, has_played)) in (1..).zip(ladder.order()) {
        let note = if has_played { "" } else { "has not played" };
        sheet.row(vec![place.to_string().into(), name(config, bot), note.into()]);
    }
    format!("Ladder after round {}\n\n{}", ladder.rounds_taken(), sheet.text(look))
}

/// Returns what every seed scored against every other bot.
fn gauntlet_text(config: &RunConfig, played: &[Played], look: &Look) -> String {
    let seeds: Vec<usize> = config
        .pairing
        .iter()
        .flat_map(|pairing| &pairing.seeds)
        .filter_map(|seed| config.bots.iter().position(|bot| bot.name == *seed))
        .collect();
    let field: Vec<usize> = (0..config.bots.len()).filter(|bot| !seeds.contains(bot)).collect();
    // What a seed scored against some of the field, of how many half points.
    let score = |seed: usize, others: &[usize]| {
        let mut sums = (0, 0);
        for played in played.iter().filter(|played| played.round <= config.rounds) {
            let ([one, other], [own, its]) = (played.bots, played.halves);
            let scored = match seed {
                _ if one == seed && others.contains(&other) => own,
                _ if other == seed && others.contains(&one) => its,
                _ => continue,
            };
            sums = (sums.0 + u64::from(scored), sums.1 + u64::from(own + its));
        }
        if sums.1 == 0 { String::new() } else { format!("{}/{}", points(sums.0), points(sums.1)) }
    };
    let mut sheet = Sheet::default();
    sheet.column("against", Kind::Name, 0);
    for seed in &seeds {
        sheet.column(look.shortened(&config.bots[*seed].name, 12), Kind::Figure, 0);
    }
    let mut row = |title: Cell, others: &[usize]| {
        let cells = seeds.iter().map(|seed| score(*seed, others).into());
        sheet.row(std::iter::once(title).chain(cells).collect());
    };
    row("the field".into(), &field);
    for bot in &field {
        row(name(config, *bot), &[*bot]);
    }
    format!("Points of the seeds against the field, from whole meetings\n\n{}", sheet.text(look))
}
