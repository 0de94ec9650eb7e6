//! `arena plan`: what a tournament file means, and what it would play.

use std::fmt::Write as _;
use std::path::PathBuf;

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use jiff::civil::Time;
use jiff::{ToSpan as _, Zoned};
use record::RunSummary;
use rules::Setup;
use runner::{OpeningSource, Openings};
use settings::{Conditions, Goal, OnStartFailure, Settings as _};
use tempfile::TempDir;
use tournament::{Outlook, pinning, resume};
use tournament_file::{Overrides, Plan, game_options};

use crate::play::main_job;

/// How many openings of a game are counted.
const COUNTED: u32 = 1000;

/// Checks a tournament file and shows what it means: bots, games, clocks; with flags, also the schedule and the time it takes.
/// Plays nothing and writes nothing.
#[derive(Debug, clap::Args)]
#[command(after_help = "Without FILE it shows the main job, which `arena run` plays without a file.\n\
    Examples: `arena plan cup.yaml`, `arena plan cup.yaml --try`, `arena plan cup.yaml --deadline 18:00`.\n\
    If the output directory holds a run already, `--pairs` and `--deadline` leave its games out and expect the \
    others to take as long. Where results decide who meets next, `--pairs` shows the pairs that are decided already.")]
pub(crate) struct Arguments {
    /// The tournament file
    #[arg(value_name = "FILE")]
    file: Option<PathBuf>,
    /// Show the pairs of games that are still to be played instead, and how long they take
    #[arg(long)]
    pairs: bool,
    /// Show how long the games take, and what fits if they do not end before this time of day: `18:00`
    #[arg(long, value_name = "TIME")]
    deadline: Option<String>,
    /// Start every bot once and set up every game with it, too
    #[arg(long = "try", conflicts_with_all = ["pairs", "deadline", "json"])]
    is_tried: bool,
    /// Write one line of JSON: the configuration as a journal records it, or with `--pairs` the schedule
    #[arg(long, conflicts_with = "deadline")]
    json: bool,
    #[command(flatten)]
    overrides: Overrides,
}

/// The words of `arena schedule`, which `arena plan` has taken over.
#[derive(Debug, clap::Args)]
pub(crate) struct OldArguments {
    /// The tournament file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// When the games must have ended: `18:00`
    #[arg(long, value_name = "TIME")]
    deadline: Option<String>,
    #[command(flatten)]
    overrides: Overrides,
}

impl OldArguments {
    /// Runs the command, and says what it is called now.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        say("`arena schedule FILE` is called `arena plan FILE --pairs` now");
        let plan = tournament_file::load(&self.file, &self.overrides)?;
        show_outlook(&plan, true, self.deadline.as_deref(), false)
    }
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        // Nothing is left in the directory of the results.
        let scratch = TempDir::new().map_err(|error| Failure::io("failed to make a directory", &error))?;
        let plan = match &self.file {
            Some(file) => tournament_file::load(file, &self.overrides)?,
            None => main_job::plan(scratch.path(), &self.overrides)?,
        };
        plan.notes.iter().for_each(|note| say(note));
        if self.is_tried {
            return try_out(&plan);
        }
        if self.pairs || self.deadline.is_some() {
            return show_outlook(&plan, self.pairs, self.deadline.as_deref(), self.json);
        }
        let text = if self.json {
            serde_json::to_string(&plan.config).expect("strings and numbers can be written as JSON") + "\n"
        } else {
            to_text(&plan)?
        };
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

/// Shows what is still to be played, and whether it ends before a deadline.
fn show_outlook(
    plan: &Plan,
    has_pairs: bool,
    deadline: Option<&str>,
    is_json: bool,
) -> Result<Exit, Failure> {
    let now = Zoned::now();
    let deadline = deadline.map(|text| read_deadline(text, &now)).transpose()?;
    let mut contents = if plan.out.join(record::JOURNAL).exists() {
        record::summarize(&plan.out).map_err(|error| tournament::failure(&error))?
    } else {
        RunSummary::default()
    };
    tournament::configure(plan, &mut contents)?;
    let outlook = Outlook::new(plan, &contents)?;
    let mut text = if is_json { outlook.to_json() } else { outlook.to_text(has_pairs) };
    if let Some(deadline) = deadline.filter(|_| outlook.left > 0) {
        text.push_str(&outlook.within(&now, &deadline));
    }
    output::print(&text)?;
    Ok(Exit::Done)
}

/// Checks that a plan can be played, without a game, and shows it.
///
/// # Errors
/// When a bot cannot start or refuses a game, and when the run that is there cannot be continued so.
pub(crate) fn try_out(plan: &Plan) -> Result<Exit, Failure> {
    if plan.out.join(record::JOURNAL).exists() {
        let contents = record::summarize(&plan.out).map_err(|error| tournament::failure(&error))?;
        if let Some(last) = contents.runs.last() {
            resume::check(last, &plan.config, &rules::signature())?;
            let (recorded, out) =
                (output::count(contents.games.len() as u64, "game"), output::path(&plan.out));
            say(&format!("{recorded} recorded in {out}: the run would continue from there"));
        }
    }
    let pins = tournament::try_bots(plan)?;
    output::print(&to_text(plan)?)?;
    let settings = runner::PlaySettings { pins, ..plan.settings.clone() };
    if let Some(told) = pinning::describe(&settings) {
        output::print(&format!("{told}\n"))?;
    }
    say(&format!("{} can play; nothing was played", output::count(plan.bots.len() as u64, "bot")));
    Ok(Exit::Done)
}

/// Says how many openings there are.
fn different(setup: &Setup, source: &OpeningSource, seed: u64) -> Result<String, Failure> {
    match Openings::new(setup, source, seed)
        .count(COUNTED + 1)
        .map_err(|fault| game_options::rules_fault(&fault))?
    {
        count if count > COUNTED => Ok(format!("more than {COUNTED}")),
        count => Ok(count.to_string()),
    }
}

/// Returns what a plan means, for people.
fn to_text(plan: &Plan) -> Result<String, Failure> {
    let config = &plan.config;
    let mut text = format!(
        "{}: {}, {}, {}\n",
        config.name,
        config.format,
        output::count(config.rounds.into(), "round"),
        output::count(plan.games(), "game"),
    );
    if let Some(schedule) = &config.schedule {
        let question =
            if schedule.goal == Goal::Best { "the best bot is" } else { "the order of the bots is" };
        let _ = writeln!(
            text,
            "schedule {}: meetings are chosen by the results until {question} settled, false with a chance of at most {}; \
             this is the most games",
            schedule.goal, schedule.alpha
        );
    }
    if let Some(pairing) = &config.pairing {
        if !pairing.seeds.is_empty() {
            let meet = if pairing.seeds_meet { "everybody" } else { "everybody else, not each other" };
            let _ = writeln!(text, "seeds: {}; they meet {meet}", pairing.seeds.join(", "));
        }
        for bots in &pairing.matches {
            let _ = writeln!(text, "match: {}", bots.join(" against "));
        }
    }
    if config.format.known().is_some_and(|format| format.has_feedback()) {
        let end =
            if config.format == settings::Format::Ladder { "; it may be ended at any time" } else { "" };
        let _ = writeln!(text, "results decide who meets next; these are the most games{end}");
    }
    let _ = writeln!(text, "\ngames");
    for (game, contest) in config.games.iter().zip(&plan.contests) {
        let _ = writeln!(
            text,
            "  {}, time control {}, openings: {} ({} different)",
            game.label,
            game.tc,
            tournament_file::describe_openings(&game.openings),
            different(&contest.setup, &contest.openings, config.seed)?
        );
    }
    let _ = writeln!(text, "\nbots");
    for (bot, config) in plan.bots.iter().zip(&config.bots) {
        let version = bot.version.as_ref().map_or_else(String::new, |version| format!(" {version}"));
        let _ = write!(text, "  {}{version}: {}", bot.name, bot.launch.command());
        for (key, value) in &bot.options {
            let _ = write!(text, ", {key}={value}");
        }
        if let Some(tc) = &bot.tc {
            let _ = write!(text, ", time control {tc}");
        }
        if let Some(games) = bot.at_once {
            let _ = write!(text, ", {} at once", output::count(games.get() as u64, "game"));
        }
        if !bot.launch.quota.is_empty() {
            let _ = write!(text, ", limits: {}", bot.launch.quota);
        }
        let _ = writeln!(text, " ({})", config.digest);
    }
    let settings = &plan.settings;
    let _ = write!(text, "\nseed {}, concurrency {}", settings.seed, settings.concurrency);
    for setting in Conditions::ALL.iter().filter(|setting| setting.record.is_always()) {
        let _ = write!(text, ", {} {}", setting.key.name, (setting.write)(&settings.conditions));
    }
    let _ = writeln!(text, "\nresults go to {}", output::path(&plan.out));
    if !settings.adjudicate.is_off() {
        let _ = writeln!(text, "adjudicate {}", settings.adjudicate);
    }
    let usual = Conditions::default();
    for setting in Conditions::ALL.iter().filter(|setting| !setting.record.is_always()) {
        let value = (setting.write)(&settings.conditions);
        if value != (setting.write)(&usual) {
            let _ = writeln!(text, "{} {value}", setting.key.name);
        }
    }
    if plan.on_start_failure == OnStartFailure::Skip {
        let _ = writeln!(text, "bots that cannot start are left out");
    }
    if settings.transcripts {
        let _ = writeln!(text, "transcripts are kept");
    }
    Ok(text)
}
