//! The examination of the rules of a game of one's own: does it answer as `protocol-spec/own-games.md` says?
//!
//! Everything is asked over a [`RulesCarrier`](own_games::RulesCarrier) that somebody else opens, twice at the most. Positions come from random
//! games with a seed. Each game is played by position strings, as the referee does it: `next` says where a ply leads, and the position
//! there is asked about. Some positions of some games are looked into closely: the same question again, of another instance, with
//! the plies since the start; every legal ply; near misses of plies and of the position string.

mod answer;
pub(crate) mod catalogue;
mod declared;
mod examination;
mod findings;
pub(crate) mod interview;
mod look;
mod near_misses;
pub(crate) mod perft;
pub(crate) mod report;
mod requests;
pub(crate) mod summary;
mod tables;
#[cfg(test)]
mod tests;

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use own_games::{CarrierFault, CarrierFaultKind};

use crate::game_check::catalogue::{ANSWERED, GAME_TESTS, GameTest, SPEED};
use crate::game_check::declared::Declared;
use crate::game_check::examination::{Examination, GameCase};
use crate::game_check::findings::{Findings, Flaw};
use crate::game_check::interview::{Halt, Interview, Opener, Step};
use crate::game_check::report::{GameReport, QuestionPace};
use crate::game_check::requests::AboutRules;
use crate::{CheckError, Fault, LineCounts, PlaySummary, TestReport, TestVerdict};

/// How many values of options a game is played with, one at a time.
const MOST_VARIANTS: usize = 12;

/// How much processor time questions may take: more on average, or more once, costs a warning.
const SLOW_AVERAGE: Duration = Duration::from_millis(20);
const SLOW_ONCE: Duration = Duration::from_secs(2);

/// How the rules of a game are examined.
#[derive(Clone, Debug)]
pub struct GameCheckSettings {
    /// How many random games are played, of all games together.
    pub games: u64,
    /// How long the random games may take together: what does not fit is left out.
    pub time: Duration,
    /// How long lines of each game are counted.
    pub counting: Duration,
    /// The seed of the random games.
    pub seed: u64,
}

/// Puts the rules that `open` opens to the tests. While games are played, `progress` is told how many are, and of how many; it may
/// break off.
///
/// # Errors
/// When the examination is broken off, or the arena itself cannot ask.
pub fn check_game(
    open: &Opener<'_>,
    settings: &GameCheckSettings,
    progress: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
) -> Result<GameReport, CheckError> {
    let mut run = Run { settings, progress, reached: Reached::default(), about: AboutRules::default() };
    let mut interview = match Interview::new(open) {
        Ok(interview) => interview,
        Err(fault) => return run.not_opened(fault),
    };
    let stopped = match run.all(&mut interview) {
        Ok(()) => None,
        Err(Halt::Futile(why)) => Some(why),
        Err(Halt::Interrupted) => return Err(CheckError::Interrupted),
        Err(Halt::Carrier(fault)) => return Err(CheckError::Carrier(fault)),
    };
    Ok(run.report(interview, stopped))
}

/// How far the examination came.
#[derive(Debug, Default)]
struct Reached {
    about: bool,
    games: Vec<Declared>,
    requests: bool,
    options: bool,
    play: Vec<PlaySummary>,
    has_played: bool,
    lines: Vec<LineCounts>,
}

struct Run<'s, 'p> {
    settings: &'s GameCheckSettings,
    progress: &'p mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    reached: Reached,
    about: AboutRules,
}

impl Run<'_, '_> {
    /// Asks everything.
    fn all(&mut self, interview: &mut Interview<'_>) -> Step {
        self.about = AboutRules::ask(interview)?;
        self.reached.about = self.about.is_answered;
        self.reached.games = requests::games(interview)?;
        let games = self.reached.games.clone();
        let Some(first) = games.first() else {
            return Err(Halt::Futile("no game can be asked about".to_owned()));
        };
        requests::errors(interview, &first.id)?;
        requests::batches(interview, &first.id)?;
        self.reached.requests = true;
        let mut cases = Vec::new();
        for game in &games {
            let mut variants = requests::options(interview, game)?;
            variants.truncate(MOST_VARIANTS);
            cases.push((game, variants));
        }
        self.reached.options = true;
        self.play(interview, &cases)?;
        self.reached.has_played = true;
        for game in &games {
            let time = self.settings.counting / u32::try_from(games.len()).unwrap_or(1);
            let counts = perft::count(interview, &game.id, game.seats(&[]), time)?;
            self.reached.lines.push(counts);
        }
        Ok(())
    }

    /// Plays random games: half of each game's share with its defaults, the others with one option changed.
    fn play(&mut self, interview: &mut Interview<'_>, games: &[(&Declared, Vec<(String, String)>)]) -> Step {
        let mut plan = Vec::new();
        for (game, variants) in games {
            let share = (self.settings.games / games.len() as u64).max(1);
            let others = if variants.is_empty() { 0 } else { share / 2 };
            let case = |given| GameCase { declared: (*game).clone(), given };
            plan.push((case(Vec::new()), share - others));
            for variant in variants {
                plan.push((case(vec![variant.clone()]), (others / variants.len() as u64).max(1)));
            }
        }
        let wanted: u64 = plan.iter().map(|(_, count)| count).sum();
        let mut played = 0;
        for (number, (case, count)) in plan.iter().enumerate() {
            let time = self.settings.time.mul_f64(*count as f64 / wanted as f64);
            let seed = self.settings.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number as u64);
            let mut examination = Examination::new(interview, case, seed, self.about.is_deterministic);
            let mut is_broken_off = false;
            let done = examination.play(*count, Instant::now() + time, &mut |game| {
                is_broken_off = (self.progress)(played + game, wanted).is_break();
                !is_broken_off
            });
            self.reached.play.push(examination.summary);
            done?;
            if is_broken_off {
                return Err(Halt::Interrupted);
            }
            played += count;
        }
        Ok(())
    }

    /// Says that the rules could not be opened at all.
    fn not_opened(&self, fault: CarrierFault) -> Result<GameReport, CheckError> {
        match fault.kind() {
            CarrierFaultKind::Interrupted => return Err(CheckError::Interrupted),
            CarrierFaultKind::Arena => return Err(CheckError::Carrier(fault)),
            _ => {}
        }
        let mut findings = Findings::default();
        let advice = "make the command start, or the module load, on its own first";
        findings.note(None, Flaw::new(ANSWERED, fault.to_string()).advised(advice), Vec::new);
        let tests = GAME_TESTS.iter().map(|test| self.verdict(test, &mut findings, &QuestionPace::default()));
        Ok(GameReport {
            name: None,
            version: None,
            tests: tests.collect(),
            stopped: Some("the rules cannot be started".to_owned()),
            play: Vec::new(),
            lines: Vec::new(),
            pace: QuestionPace::default(),
        })
    }

    fn report(mut self, interview: Interview<'_>, stopped: Option<String>) -> GameReport {
        let (mut findings, pace) = (interview.findings, QuestionPace::of(&interview.pace));
        let slow = interview.pace.slowest_question;
        if pace.average > SLOW_AVERAGE {
            let what = format!("a question takes {}{} on average", milliseconds(pace.average), kind(&pace));
            findings.note(None, Flaw::new(SPEED, what), || vec![interview::asked(&slow)]);
        } else if pace.slowest > SLOW_ONCE {
            let what = format!("a question took {}{}", milliseconds(pace.slowest), kind(&pace));
            findings.note(None, Flaw::new(SPEED, what), || vec![interview::asked(&slow)]);
        }
        let tests = GAME_TESTS.iter().map(|test| self.verdict(test, &mut findings, &pace)).collect();
        GameReport {
            name: self.about.name.take(),
            version: self.about.version.take(),
            tests,
            stopped,
            play: self.reached.play,
            lines: self.reached.lines,
            pace,
        }
    }

    /// Returns what came of a test.
    fn verdict(&self, test: &GameTest, findings: &mut Findings, pace: &QuestionPace) -> TestReport {
        let faults: Vec<Fault> = findings.take(test.number);
        let verdict =
            if faults.is_empty() { self.passed(test.number, pace) } else { TestVerdict::Failed(faults) };
        TestReport {
            number: test.number,
            clause: test.section,
            title: test.title,
            rule: test.rule,
            verdict,
            took: Duration::ZERO,
        }
    }

    /// Returns what is to be said of a test that nothing fails.
    fn passed(&self, number: u8, pace: &QuestionPace) -> TestVerdict {
        let reached = &self.reached;
        let skipped = |why: &str| TestVerdict::Skipped(why.to_owned());
        let games = reached.play.iter().map(|play| play.games).sum::<u64>();
        let is_reached = match number {
            catalogue::ABOUT => reached.about,
            catalogue::GAMES => !reached.games.is_empty(),
            catalogue::ERRORS | catalogue::BATCHES => reached.requests,
            catalogue::OPTIONS => reached.options,
            ANSWERED | SPEED => reached.has_played,
            _ => reached.has_played && games > 0,
        };
        if !is_reached {
            let why =
                if reached.has_played { "no random game came to its end" } else { "it was not reached" };
            return skipped(why);
        }
        let most = |of: fn(&PlaySummary) -> usize| reached.play.iter().map(of).max().unwrap_or(0);
        let note = match number {
            ANSWERED => Some(format!("{} questions", pace.questions)),
            catalogue::ABOUT => self.about.name.clone(),
            catalogue::GAMES => {
                Some(reached.games.iter().map(|game| game.id.as_str()).collect::<Vec<_>>().join(", "))
            }
            catalogue::OPTIONS if reached.games.iter().all(|game| game.options.is_empty()) => {
                return skipped("no game has options");
            }
            catalogue::EQUAL if !self.about.is_deterministic => {
                return skipped("`about` says `\"deterministic\":false`");
            }
            catalogue::REPETITION if reached.games.iter().all(|game| game.repetition == 0) => {
                return skipped("no game declares `repetition`");
            }
            catalogue::OUT | catalogue::FAULTS if reached.games.iter().all(|game| !game.has_tables()) => {
                return skipped("no game has more than two seats");
            }
            catalogue::LOOK if reached.games.iter().all(|game| game.look(2).is_none()) => {
                return skipped("no game declares a look");
            }
            catalogue::ENDS => {
                let plies: u64 = reached.play.iter().map(|play| play.plies).sum();
                let longest = most(|play| play.longest);
                Some(format!(
                    "{games} random games of {} plies on average, {longest} at the most",
                    plies / games.max(1)
                ))
            }
            catalogue::LIMITS => Some(format!(
                "at the most {} legal plies, {} bytes in a position string, {} in an answer",
                most(|play| play.most_legal),
                most(|play| play.longest_position),
                pace.longest_answer
            )),
            SPEED => {
                let (average, most) = (milliseconds(pace.average), milliseconds(pace.slowest));
                let mut note = format!("{average} on average, {most} at the most{}", kind(pace));
                // The rules may have slept, or the machine had no time for them.
                if pace.waited > SLOW_AVERAGE {
                    note.push_str(&format!("; answers came after {} on average", milliseconds(pace.waited)));
                }
                Some(note)
            }
            _ => None,
        };
        TestVerdict::Passed(note)
    }
}

/// Says which time was measured, if it is that of the processor.
fn kind(pace: &QuestionPace) -> &'static str {
    if pace.is_processor_time { " of processor time" } else { "" }
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3} ms", 1000.0 * time.as_secs_f64())
}
