//! `arena verify DIR`: plays games of reproducible bots again and compares them.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::Args;
use diagnostic::Exit;
use diagnostic::output;
use diagnostic::say;
use diagnostic::{Diagnostic, Failure};
use live::Interrupts;
use protocol::printable;
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use record::{GameReader, GameRecord, GameSummary, JournalError, RunRecord, RunSummary, Termination};
use runner::{Control, EventError, GamePlan, Host, Listener, PairPlace, RunEvent, Task};
use serde::Serialize;
use settings::Restart;
use tournament_file::launcher;

use crate::own_games_arguments::OwnGamesArguments;
use crate::recorded_bots::{self, BotArguments, Recalled};

/// Plays games of reproducible bots again and compares them ply for ply.
///
/// A bot is reproducible where its decisions are limited by nodes or depth and by no clock, and every bot is where
/// the tournament file says `reproducible: true`. Games that ended by the clock or the end of a process are left
/// out. Every game is played by new processes. Recorded commands are shown, started only where you allow it, and
/// confined. Ends with 0 where all are the same, with 1 where one differs, with
/// 3 where there is nothing to compare.
#[derive(Debug, Args)]
#[command(
    after_help = "Example: `arena verify results/cup --sample 50`. Exit code 1: a game went another way."
)]
pub(crate) struct Arguments {
    /// The directory of the run
    #[arg(value_name = "DIR")]
    directory: PathBuf,
    #[command(flatten)]
    own_games: OwnGamesArguments,
    /// How many games are played, chosen at random; all if there are fewer
    #[arg(long, value_name = "N", default_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    sample: u32,
    /// The seed of the choice
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// How many games are played at once
    #[arg(long, value_name = "N", default_value = "1")]
    concurrency: std::num::NonZeroUsize,
    /// Write one line of JSON instead
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    bots: BotArguments,
}

/// What came of playing games again.
#[derive(Debug, Default, Serialize)]
struct Outcome {
    /// How many games of the journal could be compared.
    reproducible: usize,
    /// How many were played.
    played: usize,
    /// How many of them are as recorded.
    same: usize,
    /// Where the others differ first, by number.
    different: Vec<Difference>,
}

/// Where a game differs.
#[derive(Debug, Serialize)]
struct Difference {
    game: u64,
    /// The number of the first ply that differs; none where only the end does.
    #[serde(skip_serializing_if = "Option::is_none")]
    ply: Option<usize>,
    recorded: String,
    now: String,
}

impl Arguments {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<Exit, Failure> {
        let contents =
            tournament::read(&self.directory, &self.bots.with_games(self.own_games.catalogue()?)?)?;
        let games = contents.games.iter().enumerate();
        let places: Vec<_> =
            games.filter(|(_, game)| is_reproducible(&contents, game)).map(|(place, _)| place).collect();
        let reproducible = places.len();
        let mut chosen: Vec<_> =
            self.choose(places).into_iter().filter_map(|place| contents.games.get(place)).collect();
        chosen.sort_by_key(|game| game.number);
        let runs = chosen
            .iter()
            .map(|game| recorded_bots::run_of(&contents, game))
            .collect::<Result<Vec<_>, _>>()?;
        let chosen = self.read(&chosen).map_err(|error| tournament::failure(&error))?;
        if chosen.is_empty() {
            say("nothing to verify: no game was played by reproducible bots");
            say(
                "hint: they are those limited by nodes or depth alone, or all where the file says `reproducible: true`",
            );
            if self.json {
                output::print(&to_json(&Outcome::default()))?;
            }
            return Ok(Exit::NoVerdict);
        }
        let mut recalled = Recalled::default();
        let mut batches = Vec::new();
        for run in &contents.runs {
            // A game is judged by the configuration that it was played under.
            let games = chosen.iter().zip(&runs).filter(|(_, under)| std::ptr::eq(**under, run));
            let games: Vec<_> = games.map(|(game, _)| game).collect();
            if !games.is_empty() {
                batches.push(self.plan(run, &contents, &games, &mut recalled)?);
            }
        }
        self.bots.confirm(&recalled)?;
        let control = Control::new();
        let interrupts = Interrupts::listen(control.clone())?;
        let mut played = Played::default();
        for (plan, tasks) in batches {
            runner::play(launcher()?, &plan, tasks, &control, &mut played)
                .map_err(|error| Failure::new(Exit::Io, vec![Diagnostic::new(error.to_string())]))?;
        }
        let mut outcome = Outcome { reproducible, ..Outcome::default() };
        for game in &chosen {
            let Some(now) = played.0.get(&game.number) else { continue };
            outcome.played += 1;
            match difference(game, now) {
                None => outcome.same += 1,
                Some(difference) => outcome.different.push(difference),
            }
        }
        output::print(&if self.json { to_json(&outcome) } else { outcome.to_text() })?;
        Ok(match outcome.different.is_empty() {
            false => Exit::No,
            true if interrupts.count() > 0 => Exit::Interrupted,
            true => Exit::Done,
        })
    }

    /// Chooses some of these games at random.
    fn choose(&self, mut games: Vec<usize>) -> Vec<usize> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let count = games.len().min(self.sample as usize);
        for place in 0..count {
            let other = rng.random_range(place..games.len());
            games.swap(place, other);
        }
        games.truncate(count);
        games
    }

    /// Reads the chosen games with their plies.
    fn read(&self, games: &[GameSummary<'_>]) -> Result<Vec<GameRecord>, JournalError> {
        if games.is_empty() {
            return Ok(Vec::new());
        }
        let mut reader = GameReader::open(&self.directory)?;
        games.iter().map(|game| reader.read(game)).collect()
    }

    /// Returns what games of this configuration are played from; the journal holds `contents`.
    fn plan(
        &self,
        run: &RunRecord,
        contents: &RunSummary,
        games: &[&GameRecord],
        recalled: &mut Recalled,
    ) -> Result<(GamePlan, Vec<Task>), Failure> {
        let mut settings = recorded_bots::settings(run)?;
        settings.conditions.restart = Restart::Always;
        settings.concurrency = self.concurrency;
        let mut plan = GamePlan { bots: Vec::new(), contests: Vec::new(), settings };
        let mut tasks = Vec::new();
        for game in games {
            // Each game has a contest of its own: its openings are the recorded one.
            let contest = plan.contests.len();
            plan.contests.push(recorded_bots::contest(&contents.runs, game, &contents.catalogue)?);
            let mut seats = game.seats.each_ref().map(|_| 0);
            for (place, seat) in seats.iter_mut().zip(&game.seats) {
                let is_known = |bot: &runner::PlannedBot| {
                    bot.name == seat.bot && bot.digest == seat.digest && bot.tc.as_ref() == seat.tc.known()
                };
                *place = match plan.bots.iter().position(is_known) {
                    Some(bot) => bot,
                    None => {
                        plan.bots.push(self.bots.bot(contents, seat, None, recalled)?);
                        plan.bots.len() - 1
                    }
                };
            }
            let GameRecord { number, pair, leg, round, .. } = **game;
            tasks.push(Task { number, pair, leg, round, place: PairPlace::default(), contest, seats });
        }
        Ok((plan, tasks))
    }
}

impl Outcome {
    fn to_text(&self) -> String {
        let mut text = String::new();
        for Difference { game, ply, recorded, now } in &self.different {
            let place = ply.map_or_else(|| "the end".to_owned(), |ply| format!("ply {ply}"));
            text.push_str(&format!("game {game}: {place} was {recorded} and is now {now}\n"));
        }
        let different = self.different.len();
        text.push_str(&format!(
            "{} of {} played again: {} the same, {different} different\n",
            self.played,
            output::count(self.reproducible as u64, "reproducible game"),
            self.same
        ));
        text
    }
}

/// Returns whether a game can be compared with itself played again.
fn is_reproducible(contents: &RunSummary, game: &GameSummary<'_>) -> bool {
    let is_said = contents.run_of(game).is_some_and(|run| run.config.settings.reproducible);
    // A bot that repeats its decisions repeats its false answers too.
    let ended =
        game.reason.is_decided() || matches!(game.reason, Termination::IllegalMove | Termination::BadMove);
    ended && (is_said || game.seats().iter().all(|seat| seat.tc.is_untimed()))
}

/// Returns where two plays of a game differ first.
fn difference(recorded: &GameRecord, now: &GameRecord) -> Option<Difference> {
    let game = recorded.number;
    let plies = [recorded, now].map(|game| game.plies.iter().map(|ply| ply.ply.as_str()).collect::<Vec<_>>());
    let longest = plies[0].len().max(plies[1].len());
    if let Some(index) = (0..longest).find(|index| plies[0].get(*index) != plies[1].get(*index)) {
        let [recorded, now] = [(&plies[0], recorded), (&plies[1], now)].map(|(plies, game)| {
            plies.get(index).map_or_else(|| end(game), |ply| format!("`{}`", printable(ply)))
        });
        return Some(Difference { game, ply: Some(index + 1), recorded, now });
    }
    let is_same = recorded.result == now.result && recorded.reason == now.reason;
    (!is_same).then(|| Difference { game, ply: None, recorded: end(recorded), now: end(now) })
}

fn end(game: &GameRecord) -> String {
    format!("{} ({})", game.result, game.reason)
}

fn to_json(outcome: &Outcome) -> String {
    serde_json::to_string(outcome).expect("strings and numbers can be written as JSON") + "\n"
}

/// The games that were played again, by number.
#[derive(Debug, Default)]
struct Played(BTreeMap<u64, GameRecord>);

impl Listener for Played {
    fn event(&mut self, event: RunEvent<'_>) -> Result<(), EventError> {
        if let RunEvent::GameFinished(game) = event {
            self.0.insert(game.number, *game);
        }
        Ok(())
    }
}

impl Host for Played {}
