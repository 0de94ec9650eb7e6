//! Looking for openings, and asking bots what they are worth.

use diagnostic::Failure;
use runner::{Contest, Control, JudgeError, Opening, OpeningJudge, Openings, PlannedBot, PlaySettings};
use tournament_file::{game_options, launcher};

use crate::terminal::CountProgress;

/// What is to be gathered.
pub(super) struct Gathering<'a> {
    /// The game with the source of openings.
    pub(super) contest: &'a Contest,
    /// The bots that judge.
    pub(super) bots: &'a [PlannedBot],
    /// How many openings are wanted.
    pub(super) count: u32,
    /// How far from `around` a score may be.
    pub(super) most: Option<i64>,
    /// From where scores are counted.
    pub(super) around: i64,
    /// How bots are spoken to; its seed is that of the openings.
    pub(super) settings: &'a PlaySettings,
}

/// What was gathered.
#[derive(Debug, Default)]
pub(super) struct Gathered {
    /// The openings with the score of each bot, from the point of view of the seat that decides next.
    pub(super) kept: Vec<(Opening, Vec<i64>)>,
    /// How many openings were looked at.
    pub(super) looked_at: u32,
}

impl Gathered {
    /// Returns all scores.
    pub(super) fn scores(&self) -> Vec<i64> {
        self.kept.iter().flat_map(|(_, scores)| scores.iter().copied()).collect()
    }
}

impl Gathering<'_> {
    /// Gathers until there are enough, there are no more, or the user ends it.
    ///
    /// # Errors
    /// When a bot or the rules fail, or a bot says no score.
    pub(super) fn run(&self, control: &Control) -> Result<Gathered, Failure> {
        let mut judges = Vec::new();
        let mut gathered = Gathered::default();
        for bot in self.bots {
            match OpeningJudge::start(launcher()?, bot, self.contest, self.settings, control) {
                Ok(judge) => judges.push(judge),
                Err(JudgeError::Interrupted) => return Ok(gathered),
                Err(error) => return Err(failure(bot, &error)),
            }
        }
        let mut openings = Openings::new(&self.contest.setup, &self.contest.openings, self.settings.seed);
        let mut progress = CountProgress::new(self.count.into(), "openings");
        while (gathered.kept.len() as u32) < self.count && !control.is_finishing() {
            let next = gathered.looked_at + 1;
            if openings.count(next).map_err(|fault| game_options::rules_fault(&fault))? < next {
                break;
            }
            let Ok(opening) = openings.get(next) else { break };
            gathered.looked_at = next;
            let mut scores = Vec::new();
            for (judge, bot) in judges.iter_mut().zip(self.bots) {
                let said = match judge.score(&opening) {
                    Ok(said) => said,
                    Err(JudgeError::Interrupted) => return Ok(gathered),
                    Err(error) => return Err(failure(bot, &error)),
                };
                // A bot that sees a forced win finds nothing balanced.
                match said
                    .cp
                    .filter(|cp| self.most.is_none_or(|most| cp.saturating_sub(self.around).abs() <= most))
                {
                    Some(cp) => scores.push(cp),
                    None => break,
                }
            }
            if scores.len() == judges.len() {
                gathered.kept.push((opening, scores));
            }
            let looked_at = format!("{} looked at", gathered.looked_at);
            progress.show(gathered.kept.len() as u64, self.count.into(), &looked_at);
        }
        progress.end();
        judges.into_iter().for_each(OpeningJudge::end);
        Ok(gathered)
    }
}

fn failure(bot: &PlannedBot, error: &JudgeError) -> Failure {
    let command = protocol::printable(&bot.launch.command()).into_owned();
    let mut failure = Failure::usage(format!("`{command}` {error}"));
    if let JudgeError::Lost { stderr, .. } = error {
        for line in stderr {
            failure = failure.hint(format!("its standard error: {line}"));
        }
    }
    if *error == JudgeError::NoScore {
        failure = failure.hint("a bot that judges openings writes `info score cp N` before it answers");
    }
    failure
}
