//! `arena bench harness`: what the arena itself costs, beside the least that pipes cost on this machine.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use diagnostic::{Exit, Failure, output, say};
use measure::{ArenaFigures, CaseCosts, ChargeFigures, HarnessBench, HarnessFigures, PeakMemory};
use runner::Control;
use tournament_file::game_options;

use super::rules::grouped;
use super::to_line;

/// The arguments of `arena bench harness`.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The game, or one's own by its path, with options after a colon: `fanorona:size=5x5`, `./dao.wasm`
    #[arg(long, value_name = "GAME", default_value = "fanorona")]
    game: String,
    /// Measure another game as well, by turns: a built-in one shows what rules of one's own cost, `2-frenzy:players=4` what a
    /// larger table costs; may be given several times
    #[arg(long, value_name = "GAME")]
    beside: Vec<String>,
    /// How many pairs of games a run plays; at tables of more than two seats, how many blocks
    #[arg(long, value_name = "N", default_value = "500", value_parser = clap::value_parser!(u64).range(5..=100_000))]
    pairs: u64,
    /// How often each run is repeated; the fastest counts
    #[arg(long, value_name = "N", default_value = "3", value_parser = clap::value_parser!(u32).range(1..=100))]
    repeat: u32,
    /// Measure another executable of the arena as well, by turns with this one
    #[arg(long, value_name = "PATH")]
    against: Option<PathBuf>,
    /// Measure the memory after 1000, 10 000 and 100 000 games, which takes minutes
    #[arg(long)]
    long: bool,
    /// Write one line of JSON instead
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Measures and prints.
    pub(crate) fn run(&self, control: &Control) -> Result<Exit, Failure> {
        let setup = game_options::setup(&self.game, &[])?;
        let beside = self.beside.iter().map(|game| game_options::setup(game, &[]));
        let beside = beside.collect::<Result<Vec<_>, _>>()?;
        if let Some(path) = self.against.as_ref().filter(|path| !path.is_file()) {
            return Err(Failure::usage(format!("`{}` is no executable to measure", path.display())));
        }
        let bench = HarnessBench {
            setup: &setup,
            beside: &beside,
            pairs: self.pairs,
            repeat: self.repeat,
            against: self.against.as_deref(),
            is_long: self.long,
            tell: &say,
            control,
        };
        let figures = bench.measure().map_err(|error| Failure::io("failed to measure the arena", &error))?;
        output::print(&if self.json { to_line(&figures) } else { to_text(&figures) })?;
        Ok(Exit::Done)
    }
}

/// Writes tables for people.
fn to_text(figures: &HarnessFigures) -> String {
    let us = |time: Duration| time.as_secs_f64() * 1e6;
    let raw = us(figures.raw.same);
    let mut text = format!("{}, games of {} plies", figures.game, figures.plies);
    let _ = write!(
        text,
        ", runs of {}\n\n",
        output::count(figures.arenas.first().map_or(2, |arena| arena.seats) as u64 * figures.pairs, "game")
    );
    let _ = writeln!(text, "a line to another process and back: {raw:.1} us on one core");
    if let Some(different) = figures.raw.different {
        let _ = writeln!(text, "                                    {:.1} us between two", us(different));
    }
    for arena in &figures.arenas {
        if figures.arenas.len() > 1 {
            let _ = writeln!(text, "\n--- {}: {}, games of {} plies", arena.path, arena.game, arena.plies);
        }
        let _ = writeln!(
            text,
            "\n{:<20}{:>9}{:>9}{:>11}{:>10}{:>10}{:>11}{:>11}",
            "all on one core",
            "us/ply",
            "x raw",
            "own us/ply",
            "r+w/ply",
            "wakes/ply",
            "us/game",
            "own us/game"
        );
        for case in &arena.cases {
            let _ = writeln!(
                text,
                "{:<20}{:>9.1}{:>9.2}{:>11.1}{:>10.2}{:>10.2}{:>11.0}{:>11.0}",
                case.name,
                case.ply_us,
                case.ply_us / raw,
                case.own_ply_us,
                case.reads_and_writes,
                case.wake_ups,
                case.game_us,
                case.own_game_us
            );
        }
        let _ = writeln!(
            text,
            "\n{:<20}{:>9}{:>12}{:>22}{:>17}",
            "games at once", "games/s", "plies/s", "arena's part of cpu", "beside one core"
        );
        for rate in &arena.rates {
            let _ = writeln!(
                text,
                "{:<20}{:>9}{:>12}{:>20.0} %{:>17}",
                rate.label(),
                grouped(rate.games_per_second),
                grouped(rate.plies_per_second),
                rate.own_share * 100.0,
                rate.beside_one_core()
            );
        }
        let _ = writeln!(
            text,
            "\n{:<20}{:>9}{:>9}{:>9}{:>22}",
            "charged beyond use", "median", "99 %", "most", "median of pipes alone"
        );
        for ChargeFigures { is_one_core, median, p99, most, count, pipes } in &arena.charges {
            let _ = writeln!(
                text,
                "{:<20}{:>6.0} us{:>6.0} us{:>6.0} us{:>19.0} us  {}",
                if *is_one_core { "all on one core" } else { "on any core" },
                us(*median),
                us(*p99),
                us(*most),
                us(*pipes),
                output::count(*count as u64, "decision")
            );
        }
        for PeakMemory { games, peak_kib } in &arena.memory {
            let memory = *peak_kib as f64 / 1024.0;
            let _ = writeln!(text, "memory after {}: {memory:.1} MiB at most", output::count(*games, "game"));
        }
        let _ = writeln!(text, "{}", arena.game_at_once);
    }
    let (first, rest) = figures.arenas.split_at(1);
    for (one, other) in first.iter().flat_map(|one| rest.iter().map(move |other| (one, other))) {
        if one.game != other.game && one.path == other.path {
            let _ = writeln!(text, "\n{} beside {}:", one.game, other.game);
            for (case, beside) in one.cases.iter().zip(&other.cases) {
                let (all, own) = (case.ply_us / beside.ply_us, case.own_ply_us / beside.own_ply_us);
                let _ = writeln!(
                    text,
                    "{:<20}{all:>6.2} times the time of a ply, {own:.2} times the arena's own",
                    case.name
                );
            }
        }
    }
    write_table_sizes(&mut text, figures);
    text
}

/// Writes the costs of a ply at tables of several sizes side by side, where there are several.
fn write_table_sizes(text: &mut String, figures: &HarnessFigures) {
    let own = figures.arenas.first().map(|arena| &arena.path);
    let arenas = || figures.arenas.iter().filter(|arena| Some(&arena.path) == own);
    if arenas().all(|arena| arena.seats == 2) || arenas().count() < 2 {
        return;
    }
    let column = |text: &mut String, name: &str, cell: &dyn Fn(&ArenaFigures) -> String| {
        let cells: String = arenas().map(|arena| format!("{:>12}", cell(arena))).collect();
        let _ = writeln!(text, "{name:<28}{cells}");
    };
    text.push('\n');
    column(text, "game", &|arena| arena.game.split(' ').next().unwrap_or_default().to_owned());
    column(text, "seats at the table", &|arena| arena.seats.to_string());
    column(text, "plies of a game", &|arena| arena.plies.to_string());
    for (index, case) in arenas().next().into_iter().flat_map(|arena| arena.cases.iter().enumerate()) {
        let cell =
            |of: fn(&CaseCosts) -> f64| move |arena: &ArenaFigures| format!("{:.1}", of(&arena.cases[index]));
        column(text, &format!("us/ply, {}", case.name), &cell(|case| case.ply_us));
        column(text, "  of it the arena's own", &cell(|case| case.own_ply_us));
        column(text, "  reads and writes", &cell(|case| case.reads_and_writes));
    }
    column(text, "MiB, each further game", &|arena| format!("{:.2}", arena.game_at_once.more_kib / 1024.0));
}
