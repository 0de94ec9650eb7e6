//! `arena openings`: writes a file of openings, balanced where a bot is to judge them.

mod gather;

use std::fs;
use std::path::{Path, PathBuf};

use diagnostic::Exit;
use diagnostic::Failure;
use diagnostic::output;
use diagnostic::say;
use live::Interrupts;
use runner::{Contest, Control, OpeningLength, OpeningSource, PlannedBot, PlaySettings};
use settings::OpeningScope;
use tournament_file::book::spread;
use tournament_file::game_options;
use tournament_file::{LoneBot, Program};

use self::gather::{Gathered, Gathering};

/// The seed if nothing else is said.
const SEED: u64 = 1;

/// Writes a file of different openings of a game; with `--balance`, of those that a bot finds balanced.
#[derive(Debug, clap::Args)]
#[command(after_help = "The file goes to standard output, or to FILE with `-o`. A tournament plays it with \
    `openings: {file: FILE}`; arena/docs/openings.md has more.")]
pub(crate) struct Arguments {
    /// The game, with options after a colon: `fanorona:size=5x5`; `arena games` lists them
    game: String,
    // The way in which options were once written.
    #[arg(long = "opt", value_name = "KEY=VALUE", hide = true)]
    options: Vec<String>,
    /// Openings of this many random plies
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100), conflicts_with = "turns")]
    plies: Option<u32>,
    /// Openings of this many whole turns [default: 2]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(0..=100))]
    turns: Option<u32>,
    /// How many openings to write
    #[arg(long, value_name = "M", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// The seed of the random plies
    #[arg(long, value_name = "S", default_value_t = SEED)]
    seed: u64,
    /// Keep only openings that this bot scores near zero: a built-in bot or a command; may be repeated
    #[arg(long, value_name = "BOT", requires = "max_score")]
    balance: Vec<String>,
    /// How deep it searches
    #[arg(long, value_name = "D", requires = "balance", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// How many nodes it searches
    #[arg(long, value_name = "N", requires = "balance", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How far from zero a score may be, in hundredths of the game's unit
    #[arg(long, value_name = "X", requires = "balance", value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    max_score: Option<u32>,
    /// Count from this score instead of zero, for games in which no position is worth zero
    #[arg(long, value_name = "X", requires = "balance", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(i64).range(-1_000_000..=1_000_000))]
    around: i64,
    /// How far the judging bots are confined: `none`, `basic`, `contest` or `strict`
    #[arg(long, value_name = "LEVEL", requires = "balance")]
    sandbox: Option<String>,
    /// Write to this file, which is replaced
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let setup = game_options::setup(&self.game, &self.options)?;
        // Better told now than after the search.
        let folder =
            self.output.as_deref().and_then(Path::parent).filter(|path| !path.as_os_str().is_empty());
        if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
            return Err(Failure::usage(format!("there is no directory `{}`", folder.display())));
        }
        let tc = self.limits()?;
        let length = match (self.plies, self.turns) {
            (Some(plies), _) => OpeningLength::Plies(plies),
            (None, turns) => OpeningLength::Turns(turns.unwrap_or(2)),
        };
        let bots = self
            .balance
            .iter()
            .map(|bot| engine(bot, &tc, self.sandbox.as_deref(), &setup))
            .collect::<Result<Vec<_>, _>>()?;
        let source = OpeningSource::Random { length, deepens: false };
        let contest = Contest {
            label: setup.label(),
            setup,
            tc: tc.parse().map_err(|error| Failure::usage(format!("the limits of the search: {error}")))?,
            openings: source,
            per: OpeningScope::Round,
        };
        let control = Control::new();
        let interrupts = Interrupts::listen(control.clone())?;
        let settings = PlaySettings::new(self.seed);
        let gathering = Gathering {
            contest: &contest,
            bots: &bots,
            count: self.count,
            most: self.max_score.map(i64::from),
            around: self.around,
            settings: &settings,
        };
        let gathered = gathering.run(&control)?;
        self.write(&self.to_text(&contest, length, &gathered))?;
        let (found, asked) = (gathered.kept.len(), self.count as usize);
        let is_interrupted = interrupts.count() > 0;
        if let Some(path) = &self.output {
            say(&format!("{} written to {}", output::count(found as u64, "opening"), output::path(path)));
        }
        if found < asked && !is_interrupted {
            let kind = if bots.is_empty() { "different opening" } else { "balanced opening" };
            let there = output::count(found as u64, kind);
            say(&format!("there are no more: {} has {there} of {length}, not {asked}", contest.label));
            return Ok(Exit::No);
        }
        if is_interrupted && found < asked {
            say(&format!("interrupted: {found} of {asked} openings were found"));
            return Ok(Exit::Interrupted);
        }
        Ok(Exit::Done)
    }

    /// Returns what limits a search.
    fn limits(&self) -> Result<String, Failure> {
        let limits =
            [self.depth.map(|depth| format!("depth {depth}")), self.nodes.map(|n| format!("nodes {n}"))];
        let limits: Vec<_> = limits.into_iter().flatten().collect();
        match (limits.is_empty(), self.balance.is_empty()) {
            (true, true) => Ok("depth 1".to_owned()),
            (true, false) => Err(Failure::usage("`--balance` needs to know how far to search")
                .hint("for example `--depth 6` or `--nodes 10000`")),
            (false, _) => Ok(limits.join(", ")),
        }
    }

    /// Returns the file.
    fn to_text(&self, contest: &Contest, length: OpeningLength, gathered: &Gathered) -> String {
        let mut lines = vec![
            format!("# game: {}", contest.label),
            format!("# length: {length}"),
            format!("# seed: {}", self.seed),
            format!("# openings: {}", gathered.kept.len()),
        ];
        if let Some(most) = self.max_score {
            let limits = contest.tc.to_string();
            let names = self.balance.iter().map(|bot| match kit::builtin(bot) {
                Some(builtin) => format!("arena {} {}", env!("CARGO_PKG_VERSION"), builtin.name),
                None => protocol::printable(bot).into_owned(),
            });
            lines.push(format!("# balanced-by: {}", names.collect::<Vec<_>>().join("; ")));
            lines.push(format!("# limits: {limits}"));
            lines.push(format!("# max-score: {most}"));
            if self.around != 0 {
                lines.push(format!("# around: {:+}", self.around));
            }
            lines.push(format!("# looked-at: {}", gathered.looked_at));
            lines.extend(spread::lines(&gathered.scores(), self.around, most));
        }
        lines.extend(gathered.kept.iter().map(|(opening, scores)| {
            let scores: String = scores.iter().map(|score| format!(" {score:+}")).collect();
            if scores.is_empty() { opening.to_string() } else { format!("{opening} #{scores}") }
        }));
        lines.join("\n") + "\n"
    }

    fn write(&self, text: &str) -> Result<(), Failure> {
        let Some(path) = &self.output else { return output::print(text) };
        let mut draft = path.clone().into_os_string();
        draft.push(".new");
        fs::write(&draft, text)
            .and_then(|()| fs::rename(&draft, path))
            .map_err(|error| Failure::io(format!("failed to write `{}`", output::path(path)), &error))
    }
}

/// Returns a bot that judges openings: a built-in one, or a command.
fn engine(text: &str, tc: &str, sandbox: Option<&str>, setup: &rules::Setup) -> Result<PlannedBot, Failure> {
    let program = kit::builtin(text).map_or(Program::Line(text), |builtin| Program::Builtin(builtin.name));
    if let Some(refusal) = tournament_file::lacks_rules(text, setup.game()) {
        return Err(refusal.into());
    }
    let own_games = rules::Catalogue::of([setup]);
    let judge = LoneBot { tc: Some(tc), sandbox, own_games, ..LoneBot::new("--balance", "judge", program) };
    judge.check(Path::new("."))
}
