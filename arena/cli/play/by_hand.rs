//! `arena play`: a person against a bot, two persons, or two bots ply by ply, in the terminal or over a pipe.

mod command;
mod input;
mod show;
mod terminal_game;

use std::path::PathBuf;
use std::time::Duration;

use diagnostic::Exit;
use diagnostic::Failure;
use hand_play::{GameLogFile, SeatWords, Seating, usual_bot};
use tournament_file::Confinement;
use tournament_file::game_options;

use self::terminal_game::TerminalGame;

/// Plays a game by hand: a person against a bot, two persons, or two bots ply by ply.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "A BOT is the name of a built-in bot, of a bot of the tournament file of `--file`, or a command. \
                  `arena play frenzy --p2 'python3 mine.py'`. Type `help` while playing; arena/docs/playing.md has more."
)]
pub(crate) struct Arguments {
    /// The game, with options after a colon: `fanorona:size=5x5`; `arena games` lists them
    game: String,
    /// Who sits at the first seat: `human`, `human:NAME` or a BOT
    #[arg(long, value_name = "WHO", default_value = "human")]
    p1: String,
    /// Who sits at the second seat [default: alphabeta; random in a game of one's own]
    #[arg(long, value_name = "WHO")]
    p2: Option<String>,
    /// Who sits at the third seat of a table that has one [default: as at the second]
    #[arg(long, value_name = "WHO")]
    p3: Option<String>,
    /// Who sits at the fourth seat and at those after it [default: as at the seat before]
    #[arg(long, value_name = "WHO")]
    p4: Option<String>,
    // The way in which options were once written.
    #[arg(long = "opt", value_name = "KEY=VALUE", hide = true)]
    options: Vec<String>,
    /// Begin from this position string instead of the start of the game
    // `--position` is what this flag was called here.
    #[arg(long, alias = "position", value_name = "POSITION", allow_hyphen_values = true)]
    from: Option<String>,
    /// The time control of both seats [default: none for persons, `movetime 1s` for bots]
    #[arg(long, value_name = "TC")]
    tc: Option<String>,
    /// How many nodes bots search
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// How deep bots search
    #[arg(long, value_name = "D", value_parser = clap::value_parser!(u32).range(1..=1000))]
    depth: Option<u32>,
    /// The bots of this tournament file are known by their names
    #[arg(long, value_name = "FILE")]
    file: Option<PathBuf>,
    #[command(flatten)]
    confinement: Confinement,
    /// The bot that `hint` and `eval` ask [default: the opponent if it is a bot, else as for `--p2`]
    #[arg(long, value_name = "BOT")]
    adviser: Option<String>,
    /// The seed of everything random [default: another one each time]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// Write every game to this game log, at its end and when it is left
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Show what bots say while they think
    #[arg(long)]
    info: bool,
}

impl Arguments {
    /// Plays until it is left.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let setup = game_options::setup(&self.game, &self.options)?;
        let chairs = Seating::read(&self.seats(&setup))?;
        let mut settings = runner::PlaySettings::new(self.seed.unwrap_or_else(seed));
        if self.tc.is_none() {
            // Nobody's game is lost because the machine was busy.
            settings.conditions.margin = Duration::from_secs(5);
        }
        let log = self.save.clone().map(GameLogFile::new).transpose()?;
        TerminalGame::new(&setup, self.from.as_deref(), chairs, settings, log, self.info)?.run()
    }

    fn seats<'a>(&'a self, setup: &'a rules::Setup) -> SeatWords<'a> {
        SeatWords {
            setup,
            seats: [Some(&*self.p1), self.p2.as_deref().or_else(|| Some(usual_bot(setup)))]
                .into_iter()
                .chain([self.p3.as_deref(), self.p4.as_deref()])
                .flatten()
                .collect(),
            adviser: self.adviser.as_deref(),
            file: self.file.as_deref(),
            confinement: &self.confinement,
            tc: self.tc.as_deref(),
            nodes: self.nodes,
            depth: self.depth,
        }
    }
}

/// Returns a seed that nobody has chosen: the time.
fn seed() -> u64 {
    jiff::Timestamp::now().as_microsecond().unsigned_abs()
}
