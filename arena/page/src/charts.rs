//! The charts of a tab: ratings as games were played, lengths, thinking times, what evaluations were worth.

mod chart;
pub(crate) mod colour;

use std::collections::BTreeMap;

use record::RunSummary;
use report::{Course, Row, SequentialTest, Standings, Tally, course};
use rules::Seat;

use crate::charts::chart::{Chart, Frame};
use crate::decisions::{Decisions, PARTS};
use crate::figures::{decimals, escape, milliseconds, signed};
use crate::naming::Naming;

/// How many bots have a line of their own: more cannot be told apart.
const MOST_LINES: usize = 10;

/// At how many points of the run ratings are fitted at most, and with how many bots they still are.
const POINTS: (usize, usize) = (24, 200);

/// At how many they are fitted at least. A fit takes a time that grows with the third power of the number of bots.
const FEWEST_POINTS: usize = 4;

/// Returns at how many points of the run ratings are fitted, given the number of bots.
fn points(bots: usize) -> usize {
    let (most, few) = POINTS;
    if bots <= few { most } else { (most * few * few / (bots * bots)).max(FEWEST_POINTS) }
}

/// A chart with what is written above and below it.
pub(crate) struct Titled {
    pub(crate) title: String,
    pub(crate) svg: String,
    pub(crate) note: String,
}

/// Returns the rows that a tab shows.
pub(crate) fn rows_of(standings: &Standings) -> Vec<&Row> {
    standings.rows.iter().filter(|row| row.rank.is_some() || row.games() > 0).collect()
}

/// What the charts of a tab need every game for.
pub(crate) struct GameCharts {
    course: Course,
    lengths: Option<Titled>,
}

impl GameCharts {
    /// Reads the games of a label, or all games.
    pub(crate) fn of(contents: &RunSummary, tally: &Tally<'_>, label: Option<&str>) -> Self {
        let points = points(rows_of(tally.standings(label)).len());
        Self { course: course(tally, label, points), lengths: lengths(contents, label) }
    }
}

/// Returns all charts that the games of a label, or all games, have figures for.
pub(crate) fn all(
    contents: &RunSummary,
    rows: &[&Row],
    naming: &Naming,
    label: Option<&str>,
    decisions: &Decisions,
    games: GameCharts,
) -> Vec<Titled> {
    let mut charts = Vec::new();
    if label.is_none() {
        charts.extend(ratio(contents));
    }
    charts.extend(ratings(&games.course, rows, naming));
    charts.extend(games.lengths);
    charts.extend(times(decisions, rows, naming));
    charts.extend(evaluations(decisions, rows, naming));
    charts
}

/// The scale of the whiskers of a table.
pub(crate) struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    pub(crate) fn of(rows: &[&Row]) -> Self {
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for row in rows {
            if let Some(elo) = row.elo {
                let error = row.error95.unwrap_or(0.0);
                low = low.min(elo - error);
                high = high.max(elo + error);
            }
        }
        Self { low, high: high.max(low + 1.0) }
    }

    /// Returns a rating with its error as a point with whiskers.
    pub(crate) fn whisker(&self, row: &Row, class: &str) -> String {
        const WIDTH: f64 = 150.0;
        let Some(elo) = row.elo else { return String::new() };
        let x = |value: f64| 5.0 + (value - self.low) / (self.high - self.low) * (WIDTH - 10.0);
        let error = row.error95.unwrap_or(0.0);
        let (from, to, middle, zero) = (x(elo - error), x(elo + error), x(elo), x(0.0));
        format!(
            "<svg viewBox=\"0 0 {WIDTH} 22\" class=\"whisker\" aria-hidden=\"true\"><path d=\"M{zero:.1} 0V22\" class=\"g0\"/>\
             <path d=\"M{from:.1} 11H{to:.1}M{from:.1} 6v10M{to:.1} 6v10\" class=\"w {class}\"/>\
             <circle cx=\"{middle:.1}\" cy=\"11\" r=\"5\" class=\"f {class}\"/></svg>"
        )
    }
}

/// Returns games won, drawn and lost as parts of a bar.
pub(crate) fn record_bar(row: &Row) -> String {
    const WIDTH: f64 = 64.0;
    let all = (row.wins + row.draws + row.losses).max(1) as f64;
    let (won, drawn) = (row.wins as f64 / all * WIDTH, row.draws as f64 / all * WIDTH);
    format!(
        "<svg viewBox=\"0 0 {WIDTH} 8\" class=\"wdl\" aria-hidden=\"true\"><rect width=\"{WIDTH}\" height=\"8\" class=\"lost\"/>\
         <rect width=\"{:.2}\" height=\"8\" class=\"under\"/><rect width=\"{:.2}\" height=\"8\" class=\"drawn\"/>\
         <rect width=\"{won:.2}\" height=\"8\" class=\"won\"/></svg>",
        won + drawn,
        won + drawn
    )
}

/// The likelihood ratio of a test as its pairs came in, with the bounds.
fn ratio(contents: &RunSummary) -> Option<Titled> {
    let mut trial = SequentialTest::new(&contents.runs.last()?.config)?.ok()?;
    let mut points = vec![(0.0, 0.0)];
    for game in contents.by_number() {
        trial.push(&game);
        let pairs = trial.walk().pairs() as f64;
        if points.last().is_none_or(|(last, _)| *last < pairs) {
            points.push((pairs, trial.walk().llr()));
        }
    }
    let (lower, upper) = trial.walk().bounds();
    let most = points.iter().fold(upper, |most, (_, ratio)| most.max(*ratio));
    let least = points.iter().fold(lower, |least, (_, ratio)| least.min(*ratio));
    let (end, last) = *points.last()?;
    let mut chart = Chart::new(Frame::WIDE, (0.0, end), (least * 1.08, most * 1.08));
    chart.grid_y(|value| if value == 0.0 { "0".to_owned() } else { decimals(value, 0) });
    chart.axis_x("pairs of games", |value| format!("{value:.0}"));
    chart.line(&[(0.0, upper), (end, upper)], "l cw", " stroke-dasharray=\"6 4\"");
    chart.line(&[(0.0, lower), (end, lower)], "l cl", " stroke-dasharray=\"2 4\"");
    chart.line(&points, "l ink", "");
    let told = decimals(last, 2);
    chart.name_lines(&[
        (upper, "cw".to_owned(), "passed".to_owned()),
        (lower, "cl".to_owned(), "failed".to_owned()),
        (last, "ink".to_owned(), format!("LLR {told}")),
    ]);
    Some(Titled {
        title: "Likelihood ratio of the test".to_owned(),
        svg: chart.finish(&format!(
            "LLR {told} after {end} pairs, bounds {} and {}",
            decimals(lower, 2),
            decimals(upper, 2)
        )),
        note: "The test ends where the line meets a bound.".to_owned(),
    })
}

fn ratings(course: &Course, rows: &[&Row], naming: &Naming) -> Option<Titled> {
    let (last, _) = course.points.last()?;
    if course.points.len() < 4 {
        return None;
    }
    let mut lines = Vec::new();
    for row in rows.iter().take(MOST_LINES) {
        let Some(place) = course.players.iter().position(|player| *player == row.player) else { continue };
        let points: Vec<(f64, f64)> = course
            .points
            .iter()
            .filter_map(|(games, elo)| Some((*games as f64, elo.get(place).copied().flatten()?)))
            .collect();
        lines.push((naming.number(row), row.label.clone(), points));
    }
    let all = || lines.iter().flat_map(|(_, _, points)| points).map(|(_, elo)| *elo);
    let (low, high) = (all().fold(0.0, f64::min), all().fold(0.0, f64::max));
    let mut chart = Chart::new(Frame::WIDE, (0.0, *last as f64), (low * 1.05, high * 1.05));
    chart.grid_y(signed);
    chart.axis_x("games", |value| format!("{value:.0}"));
    let mut names = Vec::new();
    for (bot, name, points) in lines {
        let class = colour::class(bot);
        chart.line(&points, &format!("l {class}"), colour::dashes(bot));
        if let Some((_, elo)) = points.last() {
            names.push((*elo, class, name));
        }
    }
    chart.name_lines(&names);
    let note = match rows.len() > MOST_LINES {
        true => format!("The first {MOST_LINES} of {} bots. Early figures rest on few games.", rows.len()),
        false => "Every point is a fit to all games until then; early ones rest on few games.".to_owned(),
    };
    Some(Titled {
        title: "Elo as games were played".to_owned(),
        svg: chart.finish("Ratings over the number of games"),
        note,
    })
}

fn lengths(contents: &RunSummary, label: Option<&str>) -> Option<Titled> {
    const BARS: usize = 24;
    // By their number of plies and who has won.
    let mut games: BTreeMap<(usize, Option<Seat>), u64> = BTreeMap::new();
    let mut seats = 0;
    for game in contents.games.iter().filter(|game| label.is_none_or(|label| game.label() == label)) {
        *games.entry((game.plies as usize, game.result.winner())).or_default() += 1;
        seats = seats.max(game.seats().len());
    }
    let ((longest, _), _) = games.last_key_value().filter(|((longest, _), _)| *longest > 0)?;
    let wide = (longest / BARS + 1).max(1);
    // Games without a winner come last.
    let mut counts = vec![vec![0_u64; seats + 1]; longest / wide + 1];
    for ((plies, winner), count) in &games {
        counts[plies / wide][winner.map_or(seats, Seat::index)] += count;
    }
    let named = |kind: usize| match kind < seats {
        true => (format!("seat{}", kind + 1), format!("p{} won", kind + 1)),
        false => ("drawn".to_owned(), "no winner".to_owned()),
    };
    let most = counts.iter().map(|count| count.iter().sum::<u64>()).max().unwrap_or(1);
    let mut chart = Chart::new(Frame::HALF, (0.0, (counts.len() * wide) as f64), (0.0, most as f64));
    chart.grid_y(|value| format!("{value:.0}"));
    chart.axis_x("plies", |value| format!("{value:.0}"));
    for (index, count) in counts.iter().enumerate() {
        let (from, to) = (index * wide, (index + 1) * wide - 1);
        let x =
            ((index * wide) as f64 + wide as f64 * 0.08, ((index + 1) * wide) as f64 - wide as f64 * 0.08);
        let range = if from == to { from.to_string() } else { format!("{from} to {to}") };
        let mut base = 0;
        for (kind, count) in count.iter().enumerate() {
            if *count > 0 {
                let (class, who) = named(kind);
                let title = format!("{range} plies, {who}: {count}");
                chart.bar(x, (base as f64, (base + count) as f64), &class, &title);
                base += count;
            }
        }
    }
    let count: u64 = games.values().sum();
    let plies: f64 = games.iter().map(|((plies, _), count)| (*plies as u64 * count) as f64).sum();
    let mean = plies / count as f64;
    let order = match seats {
        0..=2 => "p1 won (dark), p2 won (light), no winner (striped)".to_owned(),
        _ => format!("games won by p1 to p{seats}, no single winner (striped)"),
    };
    Some(Titled {
        title: "Length of games".to_owned(),
        svg: chart.finish(&format!("{count} games, {mean:.1} plies on average, {longest} at most")),
        note: format!("{mean:.1} plies on average, {longest} at most. From the foot of each bar: {order}."),
    })
}

/// Thinking times of every bot: from the tenth to the ninetieth percentile, with the median and the longest.
fn times(decisions: &Decisions, rows: &[&Row], naming: &Naming) -> Option<Titled> {
    let shown: Vec<_> = rows
        .iter()
        .filter_map(|row| {
            let times = decisions.times(&row.player)?;
            Some((row, naming.number(row), times.at([0.0, 0.1, 0.5, 0.9, 1.0])))
        })
        .take(2 * MOST_LINES)
        .collect();
    let log = |micros: u64| (micros as f64 / 1000.0).log10();
    let low = shown.iter().map(|(_, _, times)| log(times[0])).fold(f64::INFINITY, f64::min);
    let high = shown.iter().map(|(_, _, times)| log(times[4])).fold(f64::NEG_INFINITY, f64::max);
    if shown.is_empty() {
        return None;
    }
    let height = 44.0 + 24.0 * shown.len() as f64;
    let frame = Frame { height, left: 120.0, ..Frame::HALF };
    let mut chart = Chart::new(frame, (low.floor(), high.ceil()), (0.0, shown.len() as f64));
    chart.axis_x("thinking time of a decision", |power| {
        if power.fract() == 0.0 {
            milliseconds(10f64.powf(power)).replace(".00", "").replace(".0 ", " ")
        } else {
            String::new()
        }
    });
    for (index, (row, bot, times)) in shown.iter().enumerate() {
        let y = shown.len() as f64 - index as f64 - 0.5;
        let class = colour::class(*bot);
        let [_, p10, median, p90, longest] = *times;
        let ms = |micros: u64| milliseconds(micros as f64 / 1000.0);
        let title = format!(
            "{}: median {}, 10% below {}, 10% above {}, longest {}",
            row.label,
            ms(median),
            ms(p10),
            ms(p90),
            ms(longest)
        );
        chart.line(&[(log(p10), y), (log(longest), y)], &format!("thin {class}"), "");
        chart.bar((log(p10), log(p90)), (y - 0.2, y + 0.2), &format!("f soft {class}"), &title);
        chart.dot(log(median), y, 5.0, &format!("f {class}"), &title);
        chart.dot(log(longest), y, 2.5, &format!("f {class}"), &title);
        let height = chart.to_y(y) + 4.0;
        chart.name(112.0, height, "ay", &row.label, 15);
    }
    Some(Titled {
        title: "Use of time".to_owned(),
        svg: chart.finish("Thinking times by bot"),
        note: "Bar: four of five decisions; large point: the median; small point: the longest. The scale is logarithmic.".to_owned(),
    })
}

/// What evaluations were worth: the score of the decisions at which a bot said something of the kind.
fn evaluations(decisions: &Decisions, rows: &[&Row], naming: &Naming) -> Option<Titled> {
    const NAMES: [&str; 7] = ["<\u{2212}10", "\u{2212}10", "\u{2212}3", "0", "+3", "+10", ">10"];
    const LEAST: u64 = 10;
    let mut chart = Chart::new(Frame::WIDE, (-0.3, 6.3), (0.0, 1.0));
    chart.grid_y(|value| format!("{:.0}%", value * 100.0));
    for (place, name) in NAMES.iter().enumerate() {
        let x = chart.to_x(place as f64);
        chart.text(x, Frame::HALF.height - 20.0, "ax", name);
    }
    let middle = chart.to_x(3.0);
    chart.text(middle, Frame::HALF.height - 3.0, "ax at", "what the bot said, in units of the game");
    let mut names = Vec::new();
    for row in rows.iter().take(MOST_LINES) {
        let bot = naming.number(row);
        let Some(counts) = decisions.evaluations(&row.player) else { continue };
        let points: Vec<(f64, f64)> = counts
            .iter()
            .enumerate()
            .filter(|(_, (count, _))| *count >= LEAST)
            .map(|(place, (count, score))| (place as f64, *score as f64 / PARTS / *count as f64))
            .collect();
        // Fewer points are no line.
        let [_, _, .., (_, end)] = &points[..] else { continue };
        let class = colour::class(bot);
        chart.line(&points, &format!("l {class}"), colour::dashes(bot));
        for (place, score) in &points {
            let count = counts[*place as usize].0;
            let title = format!("{}: {count} decisions, {:.0}% scored", row.label, score * 100.0);
            chart.dot(*place, *score, 3.5, &format!("f {class}"), &title);
        }
        names.push((*end, class, row.label.clone()));
    }
    if names.is_empty() {
        return None;
    }
    chart.name_lines(&names);
    Some(Titled {
        title: "What evaluations were worth".to_owned(),
        svg: chart.finish("Score of the games by what bots said of their positions"),
        note: format!(
            "The mean score of the games in which a bot said so, where it did {LEAST} times. A good evaluation climbs from left to right."
        ),
    })
}

/// Returns the score of the first seat and the share of draws as a bar, for the table of games.
pub(crate) fn seat_bar(first: f64, drawn: f64) -> String {
    const WIDTH: f64 = 120.0;
    let won = first - drawn / 2.0;
    let title = escape(&format!("p1 won {:.0}%, drawn {:.0}%", won * 100.0, drawn * 100.0));
    format!(
        "<svg viewBox=\"0 0 {WIDTH} 12\" class=\"seats\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>\
         <rect width=\"{WIDTH}\" height=\"12\" class=\"seat2\"/><rect width=\"{:.2}\" height=\"12\" class=\"under\"/>\
         <rect width=\"{:.2}\" height=\"12\" class=\"drawn\"/><rect width=\"{:.2}\" height=\"12\" class=\"seat1\"/><path d=\"M60 0V12\" class=\"half\"/></svg>",
        (won + drawn) * WIDTH,
        (won + drawn) * WIDTH,
        won * WIDTH
    )
}

/// Returns the scores of the seats of a larger table as a bar: each has its part of all points.
pub(crate) fn table_bar(scores: &[Option<f64>]) -> String {
    const WIDTH: f64 = 120.0;
    let all: f64 = scores.iter().flatten().sum();
    let title =
        (1..).zip(scores).map(|(seat, score)| format!("p{seat} {:.0}%", score.unwrap_or(0.0) * 100.0));
    let title = escape(&title.collect::<Vec<_>>().join(", "));
    let (mut x, mut parts) = (0.0, String::new());
    for (seat, score) in (1..).zip(scores) {
        let width = score.unwrap_or(0.0) / all.max(f64::MIN_POSITIVE) * WIDTH;
        parts += &format!("<rect x=\"{x:.2}\" width=\"{width:.2}\" height=\"12\" class=\"seat{seat}\"/>");
        x += width;
    }
    format!(
        "<svg viewBox=\"0 0 {WIDTH} 12\" class=\"seats\" role=\"img\" aria-label=\"{title}\"><title>{title}</title>{parts}</svg>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_bots_are_rated_at_fewer_points() {
        assert_eq!([2, 200, 400, 500, 1000].map(points), [24, 24, 6, 4, 4]);
    }
}
