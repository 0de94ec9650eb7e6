//! `arena plan`: what a tournament file means, before anything is started.

use std::fmt::Write as _;
use std::path::PathBuf;

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use rules::Setup;
use runner::{OpeningSource, Openings};
use settings::{Conditions, Goal, OnStartFailure, Settings as _};
use tournament_file::{Overrides, Plan};

/// How many openings of a game are counted.
const COUNTED: u32 = 1000;

/// Checks a tournament file and shows what would be played; starts nothing.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The tournament file.
    file: PathBuf,
    /// Write one line of JSON instead: the configuration as a journal records it.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    overrides: Overrides,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let plan = tournament_file::load(&self.file, &self.overrides)?;
        plan.notes.iter().for_each(|note| say(note));
        let text = if self.json {
            serde_json::to_string(&plan.config).expect("strings and numbers can be written as JSON") + "\n"
        } else {
            to_text(&plan)
        };
        output::print(&text)?;
        Ok(Exit::Done)
    }
}

/// Says how many openings there are.
fn different(setup: &Setup, source: &OpeningSource, seed: u64) -> String {
    match Openings::new(setup, source, seed).count(COUNTED + 1) {
        count if count > COUNTED => format!("more than {COUNTED}"),
        count => count.to_string(),
    }
}

/// Returns what a plan means, for people.
pub(crate) fn to_text(plan: &Plan) -> String {
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
            "schedule {}: meetings are chosen by the results until {question} settled, false with a chance of {} at \
             most; the games are at most so many",
            schedule.goal, schedule.alpha
        );
    }
    if let Some(pairing) = &config.pairing {
        if !pairing.seeds.is_empty() {
            let meet = if pairing.seeds_meet { "everybody" } else { "everybody else, not each other" };
            let _ = writeln!(text, "seeds: {}; they meet {meet}", pairing.seeds.join(", "));
        }
        for [one, other] in &pairing.matches {
            let _ = writeln!(text, "match: {one} against {other}");
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
            different(&contest.setup, &contest.openings, config.seed)
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
    text
}
