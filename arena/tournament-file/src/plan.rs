//! What a tournament file means: everything that a run is played from.

mod cut;
pub(crate) mod load;

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::time::Duration;

use diagnostic::{Diagnostic, Failure};
use formats::MeetingCount;
use notify::{CommandLine, Recipients};
use record::{BotConfig, GameConfig, PairingConfig, RunConfig, ScheduleConfig};
use rules::Catalogue;
use runner::{Contest, PlannedBot};
use settings::{
    Arrangement, Carrier, Complaint, Conditions, Format, MOST_ROUNDS, OnStartFailure, Pin, Ponder, Schedule,
    Setting, Settings,
};

use crate::bots::program::{Directories, Program, origin};
use crate::file_name;
use crate::flags::overrides::Overrides;
use crate::flags::shard::Shard;
use crate::games::openings::Choice;
use crate::games::tables::{self, Tables};
use crate::written::errors::InputErrors;
use crate::written::raw::{Checkout, RawCommand, RawFile};
use crate::{
    bots, bots::entries, games, games::adjudicate, games::openings, games::pairing, games::sprt,
    written::read,
};

/// After how many faults a bot is withdrawn if nothing else is said and more than two bots play.
const MAX_FAULTS: u32 = 20;
/// The most games of a run.
const MOST_GAMES: u64 = 1_000_000;

/// A tournament, ready to be played.
#[derive(Debug)]
pub struct Plan {
    /// What the results depend on: the first line of the journal.
    pub config: RunConfig,
    /// The bots, in the order of `config.bots`.
    pub bots: Vec<runner::PlannedBot>,
    /// The games, in the order of `config.games`.
    pub contests: Vec<runner::Contest>,
    /// How they are played.
    pub settings: runner::PlaySettings,
    /// What is kept to cores of its own. Which ones is found out on the machine that plays (`tournament::pinning`).
    pub pin: Pin,
    /// The directory of the results.
    pub out: PathBuf,
    /// How long a test may play, if it says so.
    pub max_time: Option<Duration>,
    /// What is to be said before the first game.
    pub notes: Vec<String>,
    /// What a bot that cannot start means for the run.
    pub on_start_failure: OnStartFailure,
    /// Who is told of what happens.
    pub recipients: Recipients,
    /// Where it was read, if from a file.
    pub source: Option<Source>,
    /// The commits of which bots were built, by the names of the bots.
    pub commits: BTreeMap<String, Checkout>,
    /// Which part of the schedule is played, if not the whole: only the command line can say so.
    pub shard: Option<Shard>,
}

/// Where a plan was read.
#[derive(Clone, Debug)]
pub struct Source {
    /// The tournament file.
    pub file: PathBuf,
    /// What the command line said instead.
    pub overrides: Overrides,
}

impl Source {
    /// Reads the file again and returns how many games it now wants at once.
    ///
    /// # Errors
    /// As [`crate::load()`].
    pub fn concurrency(&self) -> Result<NonZeroUsize, Failure> {
        Ok(load::load(&self.file, &self.overrides)?.settings.concurrency)
    }

    /// Returns whether the command line says how many games are played at once, whatever the file says.
    pub fn is_overridden(&self) -> bool {
        self.overrides.value("concurrency").is_some()
    }
}

impl Plan {
    /// Returns what the runner needs of it.
    pub fn play(&self) -> runner::GamePlan {
        runner::GamePlan {
            bots: self.bots.clone(),
            contests: self.contests.clone(),
            settings: self.settings.clone(),
        }
    }

    /// Returns the games of one's own that are played, beside the built-in ones.
    pub fn catalogue(&self) -> Catalogue {
        Catalogue::of(self.contests.iter().map(|contest| &contest.setup))
    }

    /// Returns how many seats the largest table has: 2 or more.
    pub fn most_seats(&self) -> usize {
        self.config.games.iter().map(|game| usize::from(game.seats)).max().unwrap_or(2)
    }

    /// Returns the number of games to play in all; at most, where results decide how many.
    pub fn games(&self) -> u64 {
        MeetingCount::of(&self.config).games()
    }
}

/// Reads the text of a tournament file. `name` is what messages call it, `base` the directory of its relative
/// paths; the overrides come first.
///
/// # Errors
/// With everything that is wrong in it.
pub fn parse(text: &str, name: &str, base: &Path, overrides: &Overrides) -> Result<Plan, Failure> {
    // Some editors begin a file with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut errors = InputErrors::default();
    let mut raw = read::read(name, text, &mut errors)?;
    entries::expand(&mut raw, base, &mut errors);
    overrides.apply(&mut raw, &mut errors);
    let plan = check(&raw, name, base, &mut errors);
    match plan {
        Some(plan) if errors.is_empty() => Ok(Plan { notes: errors.into_notes(), ..plan }),
        _ => Err(errors.into_failure(name, text)),
    }
}

/// Checks everything that was written; whatever is wrong is noted and replaced by something harmless, so that
/// the rest is checked too.
pub(crate) fn check(raw: &RawFile, file: &str, base: &Path, errors: &mut InputErrors) -> Option<Plan> {
    let arrangement: Arrangement = read_settings(raw, errors);
    let mut conditions: Conditions = read_settings(raw, errors);
    let name = arrangement.name.clone().unwrap_or_else(|| {
        Path::new(file).file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
    });
    let format = arrangement.format;
    let is_format_wrong = errors.is_wrong(&raw.spot("format"));
    let is_test = format == Format::Sprt;
    let (seed, pin) = (arrangement.seed, conditions.pin);
    if pin == Pin::Game && conditions.ponder == Ponder::Yes {
        let message = "bots that ponder think at the same time: on one core they slow each other down";
        let hint = "`pin: bot` gives each a core of its own; or leave `pin` or `ponder` out";
        errors.add(&raw.spot("pin"), Diagnostic::new(message).hint(hint));
    }
    if let Some(text) = raw.value("out").filter(|text| Path::new(text).is_file()) {
        let hint = "for example `results/spring-cup`";
        let complaint = Complaint::new(format!("`{text}` is a file, not a directory"), hint);
        errors.complain(&raw.spot("out"), &complaint);
    }
    let out = arrangement.out.clone().unwrap_or_else(|| Path::new("results").join(slug(&name)));

    let openings = Choice::read(raw.openings.as_ref(), &raw.spot("openings"), base, errors);
    let tc = arrangement.tc.clone();
    let usual = games::Usual { tc, openings: openings.unwrap_or_else(Choice::usual), seed, base };
    let games = games::check(raw, &usual, errors);
    let own_games = Catalogue::of(games.iter().map(|(_, contest)| &contest.setup));
    let bots = bots::check(raw, own_games, base, errors);
    check_hourglasses(&games, &bots, raw, errors);
    check_processor_time(&games, &bots, raw, errors);
    let test = sprt::check(raw, is_test, errors);
    let rounds = arrangement.rounds.map(NonZeroU32::get);
    let rounds = match &test {
        Some(test) if errors.is_empty() => sprt::rounds(test, rounds, raw, &games, seed, errors),
        _ => rounds.unwrap_or_else(|| usual_rounds(format, bots.len(), games.len())),
    };
    // A ladder has no end: its openings may come again. More games than a run may have are refused below.
    let pairings =
        if format == Format::RoundRobin { bots.len() * bots.len().saturating_sub(1) / 2 } else { 1 };
    let is_too_long = 2 * u64::from(rounds) * (games.len() * pairings) as u64 > MOST_GAMES;
    if !is_test && !is_too_long && format != Format::Ladder && errors.is_empty() {
        openings::check_rounds(&games, rounds, raw, seed, errors);
    }
    if format != Format::RoundRobin && arrangement.schedule.is_some() {
        let message =
            format!("only a round robin chooses its meetings by a question: a `{format}` has no `schedule`");
        errors.add(&raw.spot("schedule"), Diagnostic::new(message).hint("leave `schedule` or `format` out"));
    }
    let pairing = if is_format_wrong {
        None
    } else {
        let seats = tables::seats(&games);
        pairing::check(raw, &arrangement, &bots, &seats, errors)
    };
    // Of two bots neither is withdrawn by itself: there would be nobody left to play.
    if raw.value("max-faults").is_none() && bots.len() > 2 {
        conditions.max_faults = NonZeroU32::new(MAX_FAULTS);
    }
    let adjudicate = adjudicate::check(raw, &games, errors);
    let seeds = pairing.as_ref().map_or(0, |pairing: &PairingConfig| pairing.seeds.len());
    let tables =
        Tables { arrangement: &arrangement, adjudicate: &adjudicate, games: &games, bots: &bots, seeds };
    tables::check(raw, &tables, errors);
    let (game_configs, contests): (Vec<_>, Vec<Contest>) = games.into_iter().unzip();
    let (bot_configs, bots) = bots.into_iter().unzip();
    let max_time = test.as_ref().and_then(|test| test.max_time);
    let config = RunConfig {
        name,
        format: format.into(),
        sprt: test.map(|test| test.config),
        schedule: arrangement
            .schedule
            .map(|Schedule { goal, alpha }| ScheduleConfig { goal: goal.into(), alpha }),
        pairing,
        rounds,
        seed,
        games: game_configs,
        bots: bot_configs,
        adjudicate: adjudicate.clone(),
        settings: conditions.clone(),
    };
    let total = MeetingCount::of(&config).games();
    if total > MOST_GAMES {
        let message = format!("these are {total} games; a run has at most {MOST_GAMES}");
        errors.add(&raw.spot("rounds"), Diagnostic::new(message).hint("play fewer rounds, games or bots"));
    }
    let mut settings = runner::PlaySettings { conditions, adjudicate, ..runner::PlaySettings::new(seed) };
    let most_seats = contests.iter().map(|contest| contest.setup.seats()).max().unwrap_or(2);
    settings.concurrency = arrangement.concurrency.unwrap_or_else(|| runner::spare_cores(pin, most_seats));
    settings.transcripts = arrangement.transcripts;
    let on_start_failure = arrangement.on_start_failure;
    let recipients = recipients(&arrangement, raw, base, errors);
    let (notes, commits, source, shard) = (Vec::new(), BTreeMap::new(), None, None);
    Some(Plan {
        config,
        bots,
        contests,
        settings,
        pin,
        out,
        max_time,
        notes,
        on_start_failure,
        recipients,
        source,
        commits,
        shard,
    })
}

/// Returns who is told of events. A command is taken from the directory of the tournament file, as those of bots are.
fn recipients(arrangement: &Arrangement, raw: &RawFile, base: &Path, errors: &mut InputErrors) -> Recipients {
    let command = arrangement.on_event.as_deref().and_then(|line| {
        let directories = Directories { base, dir: base, origin: &origin(base) };
        match Program::command(&RawCommand::Line(line.to_owned()), directories) {
            Ok(Program { program, args, .. }) => {
                let words = [program.into_os_string()]
                    .into_iter()
                    .chain(args)
                    .map(|word| word.to_string_lossy().into_owned());
                let directory = if base.as_os_str().is_empty() { Path::new(".") } else { base };
                Some(CommandLine { words: words.collect(), directory: directory.to_owned() })
            }
            Err(diagnostic) => {
                errors.add(&raw.spot("on-event"), diagnostic);
                None
            }
        }
    });
    if let Some(Err(fault)) = arrangement.webhook.as_deref().map(notify::check_url) {
        let hint = "`on-event` with a command such as `curl` posts events as well";
        errors.add(&raw.spot("webhook"), Diagnostic::new(fault).hint(hint));
    }
    Recipients { command, webhook: arrangement.webhook.clone(), ..Recipients::default() }
}

/// Returns the rounds of a tournament that does not say how many: in a Swiss as many as a knockout of all bots
/// has; in a ladder as many as a run may have games.
fn usual_rounds(format: Format, bots: usize, games: usize) -> u32 {
    match format {
        Format::Swiss => bots.next_power_of_two().trailing_zeros().max(1),
        Format::Ladder => {
            let in_round = 2 * games.max(1) as u64 * (bots as u64 / 2).max(1);
            u32::try_from(MOST_GAMES / in_round).unwrap_or(u32::MAX).clamp(1, MOST_ROUNDS)
        }
        Format::RoundRobin
        | Format::Gauntlet
        | Format::List
        | Format::Knockout
        | Format::DoubleKnockout
        | Format::Sprt => 1,
    }
}

/// Notes where one side of a game has an hourglass and the other one has not: its sand would come from nowhere.
fn check_hourglasses(
    games: &[(GameConfig, Contest)],
    bots: &[(BotConfig, PlannedBot)],
    raw: &RawFile,
    errors: &mut InputErrors,
) {
    for (_, contest) in games {
        let control = |bot: &PlannedBot| bot.tc.clone().unwrap_or_else(|| contest.tc.clone());
        let (with, without): (Vec<_>, Vec<_>) =
            bots.iter().map(|(_, bot)| bot).partition(|bot| control(bot).is_hourglass());
        if let (Some(with), Some(without)) = (with.first(), without.first()) {
            let message = format!(
                "in {} `{}` has an hourglass and `{}` has `{}`",
                contest.label,
                with.name,
                without.name,
                control(without)
            );
            let hint = "an hourglass gives each bot what the other one spends: both need one";
            errors.add(&raw.spot("bots"), Diagnostic::new(message).hint(hint));
            return;
        }
    }
}

/// Notes where a clock is to count the processor time of what cannot be measured.
fn check_processor_time(
    games: &[(GameConfig, Contest)],
    bots: &[(BotConfig, PlannedBot)],
    raw: &RawFile,
    errors: &mut InputErrors,
) {
    let counts = |bot: &PlannedBot| match &bot.tc {
        Some(tc) => tc.is_cpu(),
        None => games.iter().any(|(_, contest)| contest.tc.is_cpu()),
    };
    let counted: Vec<_> = bots.iter().map(|(_, bot)| bot).filter(|bot| counts(bot)).collect();
    if !counted.is_empty() && !processes::measures_processor_time() {
        let message = "this system does not tell the processor time of bots, which a clock with `cpu` counts";
        errors.add(
            &raw.spot("tc"),
            Diagnostic::new(message).hint("leave `cpu` out: clocks then count real time"),
        );
        return;
    }
    for bot in counted.into_iter().filter(|bot| bot.launch.io == Carrier::Tcp) {
        let message = format!(
            "the clock of `{}` counts processor time (`cpu`), and what connects by `io: tcp` may run elsewhere",
            bot.name
        );
        let hint = "give it a `tc` of its own without `cpu`, or `io: pipe`";
        errors.add(&raw.spot("bots"), Diagnostic::new(message).hint(hint));
    }
}

/// Reads the keys at the top that have a single value; what is wrong is noted, and the usual value taken.
fn read_settings<S: Settings>(raw: &RawFile, errors: &mut InputErrors) -> S {
    let mut settings = S::default();
    for Setting { key, read, .. } in S::ALL {
        if let Some(Err(complaint)) = raw.value(key.name).map(|text| read(&mut settings, text)) {
            errors.complain(&raw.spot(key.name), &complaint);
        }
    }
    settings
}

/// The longest name of a directory that is made of a name, in bytes: systems take 255.
const LONGEST_SLUG: usize = 120;

/// Returns a name of a directory: lower case letters and digits, anything else a hyphen.
fn slug(name: &str) -> String {
    let letters: String =
        name.chars().map(|letter| if letter.is_alphanumeric() { letter } else { ' ' }).collect();
    let slug = letters.to_lowercase().split_whitespace().collect::<Vec<_>>().join("-");
    match file_name::cut(&slug, LONGEST_SLUG) {
        "" => "tournament".to_owned(),
        // A file system of Windows has devices of these names.
        device if file_name::is_device(device) => format!("{device}-tournament"),
        slug => slug.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_becomes_a_directory() {
        assert_eq!(slug("Spring Cup 2031"), "spring-cup-2031");
        assert_eq!(slug("  ../etc/--x"), "etc-x");
        assert_eq!(slug("été"), "été");
        assert_eq!(slug("..."), "tournament");
        assert_eq!((slug("CON").as_str(), slug("console").as_str()), ("con-tournament", "console"));
        assert_eq!(slug(&"\u{10437}".repeat(80)).len(), 120);
    }

    #[test]
    fn a_swiss_without_rounds_has_enough_to_find_the_winner() {
        assert_eq!(
            [2, 3, 4, 5, 8, 9, 80].map(|bots| usual_rounds(Format::Swiss, bots, 2)),
            [1, 2, 2, 3, 3, 4, 7]
        );
        assert_eq!((usual_rounds(Format::RoundRobin, 80, 1), usual_rounds(Format::Ladder, 80, 2)), (1, 6250));
    }
}
