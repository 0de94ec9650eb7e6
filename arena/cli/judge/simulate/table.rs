//! `arena simulate --table`: how many rounds a round robin takes to tell neighbours apart.

use diagnostic::Failure;
use serde::Serialize;
use stats::TablePlan;
use stats::sprt::Players;

/// More bots than any table has.
const MOST_BOTS: u64 = 200;

/// The most games that are invented: they take some minutes.
const MOST_GAMES: f64 = 2e9;

/// What says that a test is simulated. What goes with a table names these too: a flag that is ruled out is not missed by
/// those that need it.
const TESTS: [&str; 6] = ["preset", "elo0", "elo1", "alpha", "beta", "model"];

/// What a table is to tell.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "To plan a table")]
pub(super) struct TableArguments {
    /// Plan a round robin instead: after how many rounds the 95 % interval of the difference between any two neighbours lies
    /// on the right side of zero
    #[arg(long, conflicts_with_all = TESTS)]
    table: bool,
    /// How many bots there are
    #[arg(long, value_name = "N", default_value = "8", requires = "table", conflicts_with_all = TESTS, value_parser = clap::value_parser!(u64).range(2..=MOST_BOTS))]
    bots: u64,
    /// How far each bot is above the next, in logistic Elo
    #[arg(long, value_name = "ELO", default_value = "20", requires = "table", conflicts_with_all = TESTS, allow_negative_numbers = true)]
    gap: f64,
    /// How many games, with their own rules, a round has: a pair of each between every two bots
    #[arg(long, value_name = "N", default_value = "1", requires = "table", conflicts_with_all = TESTS, value_parser = clap::value_parser!(u64).range(1..=1000))]
    games: u64,
    /// With which probability two neighbours are to be told apart
    #[arg(long, value_name = "P", default_value = "0.8", requires = "table", conflicts_with_all = TESTS)]
    power: f64,
}

impl TableArguments {
    /// Returns whether a table is planned.
    pub(super) const fn is_asked(&self) -> bool {
        self.table
    }

    /// Plans the table and plays it `runs` times with invented results.
    ///
    /// # Errors
    /// When there are no such bots, or it would take too long to play.
    pub(super) fn plan(
        &self,
        players: &Players,
        runs: u32,
        mut uniform: impl FnMut() -> f64,
    ) -> Result<Report, Failure> {
        if !(0.05..=0.999).contains(&self.power) {
            let text = format!("`--power` must be a probability from 0.05 to 0.999, not {}", self.power);
            return Err(Failure::usage(text));
        }
        let plan = TablePlan::new(self.bots as usize, self.gap, players)
            .map_err(|error| Failure::usage(error.to_string()))?;
        // A round of several games is as many pairs between every two bots.
        let games = self.games as f64;
        let rounds = (plan.rounds(self.power) / games).ceil();
        let pairs = rounds * games;
        let played = pairs * (self.bots * (self.bots - 1)) as f64;
        if played * f64::from(runs) > MOST_GAMES {
            let text = format!("{runs} tables of {played:.0} games are too many to invent");
            return Err(Failure::usage(text).hint("a smaller `--runs`, or a larger `--gap`"));
        }
        let told: usize = (0..runs).map(|_| plan.told_apart(pairs as u64, &mut uniform)).sum();
        let neighbours = u64::from(runs) * (self.bots - 1);
        let share = told as f64 / neighbours as f64;
        // The tables are independent, the neighbours of one table are not.
        let standard_error = (share * (1.0 - share) / f64::from(runs)).sqrt();
        Ok(Report {
            bots: self.bots,
            gap: self.gap,
            power: self.power,
            rounds: rounds as u64,
            pairs_of_two_bots: pairs as u64,
            games: played as u64,
            error95: 1.959_963_984_540_054 * plan.error(pairs),
            tables: runs,
            told_apart: share,
            told_apart_standard_error: standard_error,
            told_apart_error: standard_error,
        })
    }
}

/// What came out; scripts rely on these keys.
#[derive(Debug, Serialize)]
pub(super) struct Report {
    bots: u64,
    gap: f64,
    power: f64,
    rounds: u64,
    pairs_of_two_bots: u64,
    games: u64,
    error95: f64,
    tables: u32,
    told_apart: f64,
    told_apart_standard_error: f64,
    /// The name that `told_apart_standard_error` once had.
    told_apart_error: f64,
}

impl Report {
    pub(super) fn to_json(&self) -> String {
        serde_json::to_string(self).expect("numbers can be written as JSON") + "\n"
    }

    pub(super) fn to_text(&self) -> String {
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        format!(
            "bots          {}, each {} Elo above the next\nrounds        {}\npairs         {} of every two bots\n\
             games         {}\nerror         ± {:.1} Elo of the difference between neighbours (95%)\n\
             told apart    {} of neighbours (formula {}, at least), in {} tables: ± {}\n\n\
             Neighbours are told apart where the 95% interval of their difference lies on the right side of zero. The formula is\n\
             for those that are told apart last; ± of the share is one standard error, as if a table told of one of them only.\n",
            self.bots,
            self.gap,
            self.rounds,
            self.pairs_of_two_bots,
            self.games,
            self.error95,
            percent(self.told_apart),
            percent(self.power),
            self.tables,
            percent(self.told_apart_error),
        )
    }
}
