//! `arena plan`: what a tournament file means, before anything is started.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::config::{self, Overrides, Plan};
use crate::diagnostic::Failure;
use crate::exit::Exit;
use crate::output;

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
        let plan = config::load(&self.file, &self.overrides)?;
        let text = if self.json {
            serde_json::to_string(&plan.config).expect("strings and numbers can be written as JSON") + "\n"
        } else {
            to_text(&plan)
        };
        output::print(&text)?;
        Ok(Exit::Done)
    }
}

fn to_text(plan: &Plan) -> String {
    let config = &plan.config;
    let mut text = format!(
        "{}: {}, {}, {}\n",
        config.name,
        config.format,
        output::count(config.rounds.into(), "round"),
        output::count(plan.games(), "game"),
    );
    if let Some(schedule) = &config.schedule {
        let question = if schedule.goal == "best" { "the best bot is" } else { "the order of the bots is" };
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
    if formats::has_feedback(&config.format) {
        let end = if config.format == formats::LADDER { "; it may be ended at any time" } else { "" };
        let _ = writeln!(text, "results decide who meets next; these are the most games{end}");
    }
    let _ = writeln!(text, "\ngames");
    for game in &config.games {
        let _ = writeln!(
            text,
            "  {}, time control {}, opening plies {}",
            game.label, game.tc, game.openings.plies
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
        let _ = writeln!(text, " ({})", config.digest);
    }
    let settings = &plan.settings;
    let _ = writeln!(
        text,
        "\nseed {}, concurrency {}, margin {}, think-limit {}, illegal {}, restart {}\nresults go to {}",
        settings.seed,
        settings.concurrency,
        runner::format_duration(settings.margin),
        runner::format_duration(settings.think_limit),
        settings.illegal,
        settings.restart,
        plan.out.display(),
    );
    if settings.on_fail != runner::OnFail::Lose {
        let _ = writeln!(text, "on-fail {}", settings.on_fail);
    }
    for (name, is_so) in
        [("transcripts are kept", settings.transcripts), ("bots may ponder", settings.ponder)]
    {
        if is_so {
            let _ = writeln!(text, "{name}");
        }
    }
    text
}
