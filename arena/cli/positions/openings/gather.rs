//! Looking for openings, and asking bots what they are worth.

use std::time::{Duration, Instant};

use diagnostic::Failure;
use diagnostic::harmless::{Stream, is_terminal};
use diagnostic::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use runner::{Bot, Contest, Control, JudgeError, Opening, OpeningJudge, Openings, Settings};
use tournament_file::launcher;

/// How often a plain line tells how far it is.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// What is to be gathered.
pub(super) struct Gathering<'a> {
    /// The game with the source of openings.
    pub(super) contest: &'a Contest,
    /// The bots that judge.
    pub(super) bots: &'a [Bot],
    /// How many openings are wanted.
    pub(super) count: u32,
    /// How far from `around` a score may be.
    pub(super) most: Option<i64>,
    /// From where scores are counted.
    pub(super) around: i64,
    /// How bots are spoken to; its seed is that of the openings.
    pub(super) settings: &'a Settings,
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
    /// When a bot fails, or says no score.
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
        let mut progress = Progress::new(self.count);
        while (gathered.kept.len() as u32) < self.count && !control.is_finishing() {
            let next = gathered.looked_at + 1;
            if openings.count(next) < next {
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
                // Whoever sees a forced win finds nothing balanced.
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
            progress.show(&gathered);
        }
        progress.end();
        judges.into_iter().for_each(OpeningJudge::end);
        Ok(gathered)
    }
}

fn failure(bot: &Bot, error: &JudgeError) -> Failure {
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

/// How far it is, on standard error.
struct Progress {
    bar: Option<ProgressBar>,
    count: u32,
    shown: Instant,
}

impl Progress {
    fn new(count: u32) -> Self {
        let bar = is_terminal(Stream::Err).then(|| {
            let target = ProgressDrawTarget::stderr_with_hz(5);
            let bar = ProgressBar::with_draw_target(Some(count.into()), target);
            let style = ProgressStyle::with_template("{bar:30} {pos}/{len} openings, {elapsed}, {msg}");
            bar.set_style(style.expect("the template is valid").progress_chars("=> "));
            bar
        });
        Self { bar, count, shown: Instant::now() }
    }

    fn show(&mut self, gathered: &Gathered) {
        let (kept, looked_at) = (gathered.kept.len(), gathered.looked_at);
        match &self.bar {
            Some(bar) => {
                bar.set_position(kept as u64);
                bar.set_message(format!("{looked_at} looked at"));
            }
            None if self.shown.elapsed() >= LINE_EVERY => {
                self.shown = Instant::now();
                say(&format!("{kept} of {} openings, {looked_at} looked at", self.count));
            }
            None => {}
        }
    }

    fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
