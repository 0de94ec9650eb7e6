//! The table of a run's format: a bracket, the table of a Swiss or of a league, the order of a ladder, the seeds of a gauntlet.

use askama::Template;
use report::{FormatTable, Gauntlet, KnockoutTable, LadderTable, League, RunReport, SwissTable, points};

use crate::charts::colour;
use crate::figures::escape;
use crate::naming::{Naming, name_markup, shown};
use crate::outcome::bracket;

/// The section.
#[derive(Template)]
#[template(path = "format.html")]
pub(crate) struct FormatSection {
    title: String,
    /// The bracket, drawn.
    drawing: String,
    heads: Vec<Head>,
    rows: Vec<Vec<Cell>>,
    notes: Vec<String>,
}

/// A column.
struct Head {
    title: String,
    is_figure: bool,
}

/// A cell of the table.
#[derive(Default)]
struct Cell {
    /// What it says, as markup.
    markup: String,
    /// The class of the colour of the bot that is named.
    class: String,
    /// Whether the cell names the bot of its row.
    is_head: bool,
    is_figure: bool,
    is_strong: bool,
    link: String,
}

impl Cell {
    fn figure(text: impl Into<String>) -> Self {
        Self { markup: escape(&text.into()), is_figure: true, ..Self::default() }
    }

    fn word(text: impl Into<String>) -> Self {
        Self { markup: name_markup(&text.into()), ..Self::default() }
    }
}

/// The bots of the configuration, as the page calls them.
struct Bots {
    names: Vec<String>,
    numbers: Vec<Option<usize>>,
}

impl Bots {
    fn cell(&self, bot: usize) -> Cell {
        Cell {
            markup: name_markup(&self.names[bot]),
            class: self.numbers[bot].map(colour::class).unwrap_or_default(),
            is_head: true,
            ..Cell::default()
        }
    }

    /// Returns where the games of two bots are listed.
    fn link(&self, bots: [usize; 2]) -> String {
        match bots.map(|bot| self.numbers[bot]) {
            [Some(one), Some(other)] => format!("#games-{one}-{other}--"),
            _ => "#games".to_owned(),
        }
    }
}

/// Returns two names, one above the other, with a mark before the winner's.
fn pair_markup(names: [&str; 2], winner: Option<usize>, mark: &str) -> String {
    let line = |(seat, name): (usize, &str)| match winner == Some(seat) {
        true => format!("<span class=\"winner\">{mark}{}</span>", name_markup(name)),
        false => format!("<span>{}</span>", name_markup(name)),
    };
    format!("<span class=\"pair\">{}</span>", names.into_iter().enumerate().map(line).collect::<String>())
}

fn heads(titles: &[(&str, bool)]) -> Vec<Head> {
    titles
        .iter()
        .map(|(title, is_figure)| Head { title: (*title).to_owned(), is_figure: *is_figure })
        .collect()
}

impl FormatSection {
    /// Returns the section; `None` where the ratings say everything.
    pub(crate) fn of(run: &RunReport<'_>, naming: &Naming) -> Option<Self> {
        let config = &run.contents().runs.last()?.config;
        let bots = Bots {
            names: config.bots.iter().map(|bot| shown(&bot.name)).collect(),
            numbers: config.bots.iter().map(|bot| naming.configured(bot)).collect(),
        };
        let table = run.format_table()?;
        let section = match table {
            FormatTable::Swiss(swiss) => swiss_section(&bots, swiss),
            FormatTable::Knockout(knockout) => knockout_section(&bots, knockout),
            FormatTable::Ladder(ladder) => ladder_section(&bots, ladder),
            FormatTable::Gauntlet(gauntlet) => gauntlet_section(&bots, gauntlet),
            // Two bots have one score, which the sentence above tells.
            FormatTable::League(league) if league.lines.len() > 2 => {
                league_section(&bots, league, run.tally().standings(None).seats)
            }
            FormatTable::League(_) => return None,
        };
        Some(Self { title: table.title(), ..section })
    }

    fn new(heads: Vec<Head>, rows: Vec<Vec<Cell>>, notes: Vec<String>) -> Self {
        Self { title: String::new(), drawing: String::new(), heads, rows, notes }
    }
}

fn swiss_section(bots: &Bots, swiss: &SwissTable) -> FormatSection {
    let has_byes = swiss.places.iter().any(|place| place.byes > 0);
    let mut titles = vec![
        ("Place", true),
        ("Bot", false),
        ("Points", true),
        ("Buchholz", true),
        ("Sonneborn-Berger", true),
        ("Meetings", true),
    ];
    if has_byes {
        titles.push(("Byes", true));
    }
    let row = |place: &report::SwissStanding| {
        let mut cells = vec![
            Cell::figure(place.place.to_string()),
            bots.cell(place.bot),
            Cell { is_strong: true, ..Cell::figure(points(place.halves.into())) },
            Cell::figure(points(place.buchholz.into())),
            Cell::figure(format!("{:.2}", place.sonneborn)),
            Cell::figure(place.meetings.to_string()),
        ];
        if has_byes {
            cells.push(Cell::figure(place.byes.to_string()));
        }
        cells
    };
    FormatSection::new(heads(&titles), swiss.places.iter().map(row).collect(), swiss.notes())
}

fn knockout_section(bots: &Bots, knockout: &KnockoutTable) -> FormatSection {
    let titles = [("Round", false), ("Match", false), ("Score", true), ("Meetings", true)];
    let row = |bout: &report::Bout| {
        let [own, its] = bout.halves.map(|halves| points(halves.into()));
        let mark = if bout.is_by_order { "\u{2713}* " } else { "\u{2713} " };
        let winner = bout.winner.and_then(|winner| bout.bots.iter().position(|bot| *bot == winner));
        let score = if bout.meetings > 0 { format!("{own} : {its}") } else { String::new() };
        vec![
            Cell::word(bout.stage.clone()),
            Cell {
                is_head: true,
                link: bots.link(bout.bots),
                markup: pair_markup(bout.bots.map(|bot| bots.names[bot].as_str()), winner, mark),
                ..Cell::default()
            },
            Cell::figure(score),
            Cell::figure(bout.meetings.to_string()),
        ]
    };
    let mut notes = Vec::new();
    if knockout.bouts.iter().any(|bout| bout.is_by_order) {
        notes.push("* The match stayed level: the bot that stands earlier in the file wins it.".to_owned());
    }
    let place = |(place, bot): &(usize, usize)| format!("{place}. {}", bots.names[*bot]);
    let places = knockout.places.iter().map(place).collect::<Vec<_>>().join(", ");
    notes.push(match (knockout.is_over, places.is_empty()) {
        (true, _) => format!("Places: {places}."),
        (false, true) => "No bot is out.".to_owned(),
        (false, false) => format!("Out so far: {places}."),
    });
    let drawing = bracket::draw(knockout, |bot| bots.names[bot].clone(), |pair| bots.link(pair));
    let rows = knockout.bouts.iter().map(row).collect();
    FormatSection { drawing, ..FormatSection::new(heads(&titles), rows, notes) }
}

fn ladder_section(bots: &Bots, ladder: &LadderTable) -> FormatSection {
    let has_idle = ladder.order.iter().any(|(_, has_played)| !has_played);
    let titles = [("Place", true), ("Bot", false), ("State", false)];
    let row = |(place, (bot, has_played)): (usize, &(usize, bool))| {
        let mut cells = vec![Cell::figure(place.to_string()), bots.cell(*bot)];
        if has_idle {
            cells.push(Cell::word(if *has_played { "" } else { "has not played" }));
        }
        cells
    };
    let rows = (1..).zip(&ladder.order).map(row).collect();
    FormatSection::new(heads(&titles[..if has_idle { 3 } else { 2 }]), rows, Vec::new())
}

fn gauntlet_section(bots: &Bots, gauntlet: &Gauntlet) -> FormatSection {
    let mut columns = heads(&[("Against", false)]);
    columns
        .extend(gauntlet.seeds.iter().map(|seed| Head { title: bots.names[*seed].clone(), is_figure: true }));
    let cells = |bot: Option<usize>, line: &[(u64, u64)]| -> Vec<Cell> {
        let first = match bot {
            Some(bot) => bots.cell(bot),
            None => Cell { is_head: true, ..Cell::word("the field") },
        };
        let score = |(seed, (own, all)): (&usize, &(u64, u64))| {
            let text = if *all == 0 { String::new() } else { format!("{}/{}", points(*own), points(*all)) };
            Cell {
                link: bot.filter(|_| *all > 0).map(|bot| bots.link([*seed, bot])).unwrap_or_default(),
                is_strong: bot.is_none(),
                ..Cell::figure(text)
            }
        };
        std::iter::once(first).chain(gauntlet.seeds.iter().zip(line).map(score)).collect()
    };
    let mut rows = vec![cells(None, &gauntlet.all)];
    rows.extend(gauntlet.lines.iter().map(|(bot, line)| cells(Some(*bot), line)));
    FormatSection::new(columns, rows, Vec::new())
}

fn league_section(bots: &Bots, league: &League, seats: usize) -> FormatSection {
    // At tables of more than two every other seat is an opponent.
    let results = match seats {
        0..=2 => ["Won", "Drawn", "Lost"],
        _ => ["Seats beaten", "Level", "Lost to"],
    };
    let mut titles = vec![("Place", true), ("Bot", false), ("Points", true), ("Games", true)];
    titles.extend(results.map(|title| (title, true)));
    let row = |line: &report::LeagueLine| {
        let score = line.score;
        vec![
            Cell::figure(line.place.to_string()),
            bots.cell(line.bot),
            Cell { is_strong: true, ..Cell::figure(report::table_points(line.points)) },
            Cell::figure(line.games.to_string()),
            Cell::figure(score.wins.to_string()),
            Cell::figure(score.draws.to_string()),
            Cell::figure(score.losses.to_string()),
        ]
    };
    let is_even = league.lines.windows(2).all(|two| two[0].games == two[1].games);
    let notes = match is_even {
        true => Vec::new(),
        false => vec![
            "Places go by the share of points, since the bots have different numbers of games.".to_owned(),
        ],
    };
    FormatSection::new(heads(&titles), league.lines.iter().map(row).collect(), notes)
}
