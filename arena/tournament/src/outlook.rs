//! What is still to be played of a tournament: which games, how long that takes, and what fits before a deadline.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use diagnostic::Failure;
use diagnostic::output::{count, span};
use formats::Evenness;
use jiff::{SignedDuration, Zoned};
use record::RunSummary;
use runner::{Fixture, pending};
use serde_json::{Value, json};
use settings::Format;
use tournament_file::Plan;

use crate::{Expected, FeedbackSchedule};

/// Returns the bots of a block, `p1` of its first game first. A block whose first game is recorded begins with a later one.
fn bots_of(fixture: &Fixture) -> Vec<&str> {
    let count = fixture.seats.len();
    let turned = usize::from(fixture.leg) - 1;
    (0..count).map(|seat| fixture.seats[(seat + count - turned) % count].name.as_str()).collect()
}

/// What is still to be played.
#[derive(Debug)]
pub struct Outlook<'a> {
    plan: &'a Plan,
    contents: &'a RunSummary,
    expected: Expected,
    /// The games that are decided and not played yet.
    fixtures: Vec<Fixture>,
    /// How many games are to be played; at most, where results decide.
    pub left: u64,
    /// Whether results decide who meets next.
    is_directed: bool,
}

impl<'a> Outlook<'a> {
    /// Finds out what the configurations of `contents`, of which the plan is the last, leave to play.
    ///
    /// # Errors
    /// When the recorded results do not fit the schedule.
    pub fn new(plan: &'a Plan, contents: &'a RunSummary) -> Result<Self, Failure> {
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
            // A meeting is a block in each game, and all have tables of one size.
            let each = self.left / (self.plan.config.games.len() as u64).max(1);
            return self.expected.seconds(labels.map(|label| (label, each)));
        }
        let mut games: BTreeMap<&str, u64> = labels.map(|label| (label, 0)).collect();
        for fixture in &self.fixtures {
            *games.entry(&fixture.label).or_default() += 1;
        }
        self.expected.seconds(games)
    }

    /// Returns how many games are left, and how long they take; with `has_pairs`, the pairs too.
    pub fn to_text(&self, has_pairs: bool) -> String {
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
        for game in config.games.iter().filter(|game| game.seats > 2) {
            let Some(lineups) = formats::Lineups::of(config, game.seats.into()) else { continue };
            let Evenness { fewest, most } = lineups.evenness(config.bots.len(), config.rounds);
            let often = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
            let blocks = count(lineups.blocks(config.rounds), "block");
            let _ = writeln!(
                text,
                "{}: {blocks} of {} games; any two bots sit together in {often} of them{}",
                game.label,
                game.seats,
                self.evenness(game.seats.into(), most - fewest),
            );
        }
        if self.left == 0 {
            text.push_str("\nnothing is left to play\n");
            return text;
        }
        if has_pairs {
            self.write_pairs(&mut text);
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

    /// Says of a round robin whether any two bots could meet more evenly than so many times apart.
    fn evenness(&self, seats: usize, spread: u64) -> &'static str {
        let config = &self.plan.config;
        let is_asked = config.format == Format::RoundRobin && spread > 0;
        let least = || formats::Lineups::least_spread(config.bots.len(), seats, config.rounds);
        if is_asked && spread <= least() { ", as evenly as so many blocks allow" } else { "" }
    }

    /// Returns the same as one object of JSON, in one line.
    pub fn to_json(&self) -> String {
        let mut pairs: Vec<Value> = Vec::new();
        let mut last = None;
        for fixture in &self.fixtures {
            if last.replace(fixture.pair) != Some(fixture.pair) {
                let mut pair = json!({"pair": fixture.pair, "round": fixture.round, "game": &*fixture.label});
                for (seat, bot) in (1..).zip(bots_of(fixture)) {
                    pair[format!("p{seat}")] = json!(bot);
                }
                pairs.push(pair);
            }
        }
        let document = json!({
            "name": self.plan.config.name,
            "format": self.plan.config.format.to_string(),
            "games_recorded": self.contents.games.len(),
            "games_left": self.left,
            "may_be_fewer": self.is_directed || self.plan.config.sprt.is_some(),
            "concurrency": self.plan.settings.concurrency.get(),
            "seconds": self.seconds(),
            "schedule": pairs,
        });
        document.to_string() + "\n"
    }

    /// Adds the pairs that are decided and not played yet.
    fn write_pairs(&self, text: &mut String) {
        let width = |seat: usize| {
            let seats = self.fixtures.iter().filter_map(|fixture| fixture.seats.get(seat));
            seats.map(|bot| bot.name.chars().count()).max().unwrap_or(0)
        };
        let most = self.plan.most_seats();
        let widths: Vec<_> = (0..most).map(width).collect();
        let mut last = None;
        for fixture in &self.fixtures {
            if last == Some(fixture.pair) {
                continue;
            }
            if last.is_none() {
                text.push_str(match most {
                    2 => "\npairs of games, each once with these seats and once with the seats swapped\n",
                    _ => "\nblocks of games, in which every bot sits in every seat once\n",
                });
            }
            last = Some(fixture.pair);
            let bots = bots_of(fixture);
            let bots: Vec<_> =
                bots.iter().zip(&widths).map(|(bot, width)| format!("{bot:<width$}")).collect();
            let (pair, round, bots) = (fixture.pair, fixture.round, bots.join("  "));
            let _ = writeln!(text, "{pair:>6}  round {round:<4} {bots}  {}", fixture.label);
        }
        if self.is_directed && !self.fixtures.is_empty() {
            let _ = writeln!(text, "        results decide what follows");
        }
    }

    /// Says whether the games end in time, and what would fit if they do not.
    pub fn within(&self, now: &Zoned, deadline: &Zoned) -> String {
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

    /// Returns what fits into a number of meetings: the words of the command line with what they are, and how many meetings
    /// that is.
    fn proposals(&self, meetings: u64) -> Vec<(String, u64)> {
        let config = &self.plan.config;
        let bots = config.bots.len() as u64;
        let seats = self.plan.most_seats() as u64;
        let mut proposals = Vec::new();
        let mut propose = |words: String, in_round: u64, rounds: u64, what: &str| {
            if rounds > 0 {
                let words = format!("{words} --rounds {rounds}: {what}");
                proposals.push((words.trim_start().to_owned(), rounds * in_round));
            }
        };
        let in_round = formats::MeetingCount::of(config).meetings / u64::from(config.rounds).max(1);
        let has_rounds = matches!(
            config.format.known(),
            Some(Format::RoundRobin | Format::Gauntlet | Format::Swiss | Format::List)
        );
        if has_rounds && config.schedule.is_none() && self.contents.games.is_empty() {
            propose(String::new(), in_round, meetings / in_round.max(1), "the same format");
        }
        // The format of a run that has begun cannot change.
        if self.contents.games.is_empty() {
            let is_one_size = config.games.iter().all(|game| u64::from(game.seats) == seats);
            if config.format != Format::Swiss && is_one_size {
                let rounds = (meetings / (bots / seats).max(1)).min(bots - 1);
                let enough = u64::from(bots.next_power_of_two().trailing_zeros());
                let what = if rounds >= enough {
                    "a Swiss"
                } else {
                    "a Swiss, too short to find the best for certain"
                };
                propose(format!("--format {}", Format::Swiss), bots / seats, rounds, what);
            }
            if !matches!(config.format.known(), Some(Format::Gauntlet | Format::List)) {
                let first = &config.bots[0].name;
                let what = format!("`{first}` against all others");
                let words = format!("--format {} --seeds '{first}'", Format::Gauntlet);
                let in_round = (bots - 1).div_ceil(seats - 1);
                propose(words, in_round, meetings / in_round.max(1), &what);
            }
        } else if has_rounds && config.schedule.is_none() {
            let in_meeting: u64 = config.games.iter().map(|game| u64::from(game.seats)).sum();
            let played = self.contents.games.len() as u64 / in_meeting.max(1);
            let rounds = (played + meetings) / in_round.max(1);
            if rounds * in_round > played {
                proposals.push((format!("--rounds {rounds}: the same format"), rounds * in_round - played));
            }
        }
        proposals
    }
}
