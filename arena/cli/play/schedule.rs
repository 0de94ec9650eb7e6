//! `arena schedule FILE`: what a tournament plays and how long that takes, without starting a bot.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output::{self, count, span};
use jiff::civil::Time;
use jiff::{SignedDuration, ToSpan as _, Zoned};
use record::RunSummary;
use runner::{Fixture, pending};
use settings::Format;
use tournament::{Expected, FeedbackSchedule};
use tournament_file::{Overrides, Plan};

/// Shows which games a tournament file asks for and how long they take; starts nothing.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Where results decide who meets next, the first games are shown that are not played yet. Games that the \
    output directory holds already are left out, and the others are expected to take as long."
)]
pub(crate) struct Arguments {
    /// The tournament file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// When the games must have ended, today or tomorrow by the clock of this machine: `18:00`. What fits is proposed
    #[arg(long, value_name = "TIME")]
    deadline: Option<String>,
    #[command(flatten)]
    overrides: Overrides,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let plan = tournament_file::load(&self.file, &self.overrides)?;
        let now = Zoned::now();
        let deadline = self.deadline.as_deref().map(|text| read_deadline(text, &now)).transpose()?;
        let mut contents = if plan.out.join(record::JOURNAL).exists() {
            record::summarize(&plan.out).map_err(|error| tournament::failure(&error))?
        } else {
            RunSummary::default()
        };
        tournament::configure(&plan, &mut contents)?;
        let outlook = Outlook::new(&plan, &contents)?;
        let mut text = outlook.to_text();
        if let Some(deadline) = deadline.filter(|_| outlook.left > 0) {
            text.push_str(&outlook.within(&now, &deadline));
        }
        output::print(&text)?;
        Ok(Exit::Done)
    }
}

/// Reads a time of day and returns when it comes next.
///
/// # Errors
/// When it is none.
fn read_deadline(text: &str, now: &Zoned) -> Result<Zoned, Failure> {
    let fault = || {
        Failure::usage(format!("`--deadline` cannot be `{}`: it is no time of day", text.escape_debug()))
            .hint("for example `18:00`")
    };
    let time: Time = text.parse().map_err(|_| fault())?;
    let today = now.with().time(time).build().map_err(|_| fault())?;
    if today > *now { Ok(today) } else { today.checked_add(1.day()).map_err(|_| fault()) }
}

/// What is still to be played.
struct Outlook<'a> {
    plan: &'a Plan,
    contents: &'a RunSummary,
    expected: Expected,
    /// The games that are decided and not played yet.
    fixtures: Vec<Fixture>,
    /// How many games are to be played; at most, where results decide.
    left: u64,
    /// Whether results decide who meets next.
    is_directed: bool,
}

impl<'a> Outlook<'a> {
    fn new(plan: &'a Plan, contents: &'a RunSummary) -> Result<Self, Failure> {
        let expected = Expected::new(plan, &contents.games);
        let (fixtures, left, is_directed) = match FeedbackSchedule::new(contents)? {
            Some(mut director) => {
                let left = director.games_left();
                (director.more().unwrap_or_default(), left, true)
            }
            None => {
                let history: Vec<_> = contents.runs.iter().map(|run| &run.config).collect();
                let fixtures = pending(&history, contents.games.iter().map(|game| game.number));
                let fixtures: Vec<_> = fixtures.collect();
                let left = fixtures.len() as u64;
                (fixtures, left, false)
            }
        };
        Ok(Self { plan, contents, expected, fixtures, left, is_directed })
    }

    /// Returns the seconds of all games that are left.
    fn seconds(&self) -> Option<f64> {
        let labels = self.plan.config.games.iter().map(|game| game.label.as_str());
        if self.is_directed {
            // A meeting is a pair in each game.
            let each = self.left / (self.plan.config.games.len() as u64).max(1);
            return self.expected.seconds(labels.map(|label| (label, each)));
        }
        let mut games: BTreeMap<&str, u64> = labels.map(|label| (label, 0)).collect();
        for fixture in &self.fixtures {
            *games.entry(&fixture.label).or_default() += 1;
        }
        self.expected.seconds(games)
    }

    fn to_text(&self) -> String {
        let config = &self.plan.config;
        let may_be_fewer = self.is_directed || config.sprt.is_some();
        let most = if may_be_fewer { "at most " } else { "" };
        let mut text = format!(
            "{}: {}, {}, {} recorded, {most}{} to be played\n",
            config.name,
            config.format,
            count(config.rounds.into(), "round"),
            count(self.contents.games.len() as u64, "game"),
            count(self.left, "game"),
        );
        if self.left == 0 {
            text.push_str("\nnothing is left to play\n");
            return text;
        }
        let width = |seat: usize| {
            let names = self.fixtures.iter().map(|fixture| fixture.seats[seat].name.chars().count());
            names.max().unwrap_or(0)
        };
        let widths = [width(0), width(1)];
        let mut last = None;
        for fixture in &self.fixtures {
            if last == Some(fixture.pair) {
                continue;
            }
            if last.is_none() {
                let _ =
                    writeln!(text, "\npairs of games, each once with these seats and once with the others");
            }
            last = Some(fixture.pair);
            // A pair of which the first game is recorded begins here with the second.
            let [one, other] = match fixture.leg {
                1 => [0, 1],
                _ => [1, 0],
            }
            .map(|seat: usize| fixture.seats[seat].name.as_str());
            let _ = writeln!(
                text,
                "{:>6}  round {:<4} {one:<first$}  {other:<second$}  {}",
                fixture.pair,
                fixture.round,
                fixture.label,
                first = widths[0],
                second = widths[1],
            );
        }
        if self.is_directed && !self.fixtures.is_empty() {
            let _ = writeln!(text, "        results decide what follows");
        }
        let time = self.seconds().map_or_else(
            || "the time that takes is not known".to_owned(),
            |seconds| {
                format!("that takes {}{}", if may_be_fewer { "at most " } else { "about " }, span(seconds))
            },
        );
        let _ = writeln!(
            text,
            "\n{} at once: {time}. {}",
            count(self.plan.settings.concurrency.get() as u64, "game"),
            self.expected.basis
        );
        text
    }

    /// Says whether the games end in time, and what would where they do not.
    fn within(&self, now: &Zoned, deadline: &Zoned) -> String {
        let available = now.duration_until(deadline).as_secs_f64();
        let until = deadline.strftime("%H:%M");
        let mut text = format!("until {until} there are {}: ", span(available));
        let (Some(seconds), Some(meeting)) = (self.seconds(), self.expected.meeting()) else {
            text.push_str("whether that suffices is not known; play a few games, then ask again\n");
            return text;
        };
        if seconds <= available {
            let left = SignedDuration::try_from_secs_f64(seconds).unwrap_or_default();
            let end = now
                .checked_add(left)
                .map_or_else(|_| until.to_string(), |end| end.strftime("%H:%M").to_string());
            let _ = writeln!(text, "that suffices, the last game ends by {end}");
            return text;
        }
        let proposals = self.proposals((available / meeting.max(f64::MIN_POSITIVE)) as u64);
        if proposals.is_empty() {
            text.push_str("that is too short, and no fewer rounds fit; play fewer bots or games, or give them less time\n");
        } else {
            text.push_str("that is too short; what fits:\n");
        }
        for (words, meetings) in proposals {
            let _ = writeln!(text, "  {words} (about {})", span(meetings as f64 * meeting));
        }
        text
    }

    /// Returns what fits into so many meetings: the words of the command line with what they are, and how many meetings
    /// that is.
    fn proposals(&self, meetings: u64) -> Vec<(String, u64)> {
        let config = &self.plan.config;
        let bots = config.bots.len() as u64;
        let mut proposals = Vec::new();
        let mut propose = |words: String, in_round: u64, rounds: u64, what: &str| {
            if rounds > 0 {
                let words = format!("{words} --rounds {rounds}: {what}");
                proposals.push((words.trim_start().to_owned(), rounds * in_round));
            }
        };
        let in_round = formats::Limits::of(config).meetings / u64::from(config.rounds).max(1);
        let has_rounds = matches!(
            config.format.known(),
            Some(Format::RoundRobin | Format::Gauntlet | Format::Swiss | Format::List)
        );
        if has_rounds && config.schedule.is_none() && self.contents.games.is_empty() {
            propose(String::new(), in_round, meetings / in_round.max(1), "the same format");
        }
        // The format of a run that has begun cannot change.
        if self.contents.games.is_empty() {
            if config.format != Format::Swiss {
                let rounds = (meetings / (bots / 2).max(1)).min(bots - 1);
                let enough = u64::from(bots.next_power_of_two().trailing_zeros());
                let what = if rounds >= enough {
                    "a Swiss"
                } else {
                    "a Swiss, too short to find the best for certain"
                };
                propose(format!("--format {}", Format::Swiss), bots / 2, rounds, what);
            }
            if !matches!(config.format.known(), Some(Format::Gauntlet | Format::List)) {
                let first = &config.bots[0].name;
                let what = format!("`{first}` against all others");
                let words = format!("--format {} --seeds '{first}'", Format::Gauntlet);
                propose(words, bots - 1, meetings / (bots - 1).max(1), &what);
            }
        } else if has_rounds && config.schedule.is_none() {
            let played = self.contents.games.len() as u64 / (2 * config.games.len() as u64).max(1);
            let rounds = (played + meetings) / in_round.max(1);
            if rounds * in_round > played {
                proposals.push((format!("--rounds {rounds}: the same format"), rounds * in_round - played));
            }
        }
        proposals
    }
}
