//! A bot's score of an opening, asked over the protocol as in a game.

use std::time::Duration;

use processes::{Launcher, reap_dropped, reserve_descriptors};
use protocol::{Event, GameSetup, Pairs, last_lines};
use record::InfoRecord;
use rules::PerSeat;
use thiserror::Error;
use tokio::runtime::Runtime;
use tokio::time::{Instant, timeout_at};

use crate::clock::Clock;
use crate::game::question::put;
use crate::game::reply::keep;
use crate::game::scoresheet::Scoresheet;
use crate::player::line_log::LineLog;
use crate::player::{Heard, LostBot, Player, number};
use crate::run::slot::most_descriptors;
use crate::{Contest, Control, Opening, PlannedBot, PlaySettings};

/// Why there is no score.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// The bot failed. Holds what happened, in words without a subject, and the end of its standard error, escaped.
    #[error("{fault}")]
    Lost {
        /// What happened.
        fault: String,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// The bot answered without a score.
    #[error("answered without an `info score` line")]
    NoScore,
    /// The opening is not valid in the game.
    #[error("cannot be asked about this opening: {0}")]
    Opening(String),
    /// The user interrupted it.
    #[error("was interrupted")]
    Interrupted,
}

/// A bot that scores openings.
pub struct OpeningJudge<'a> {
    runtime: Runtime,
    /// The bot; `None` once it has failed.
    player: Option<Player>,
    bot: &'a PlannedBot,
    contest: &'a Contest,
    settings: &'a PlaySettings,
    control: &'a Control,
    asked: u64,
}

impl<'a> OpeningJudge<'a> {
    /// Starts and greets a bot. `control` ends the wait.
    ///
    /// # Errors
    /// When the bot fails, or the user interrupts.
    ///
    /// # Panics
    /// When the system does not even provide the resources to wait for a process.
    pub fn start(
        launcher: &dyn Launcher,
        bot: &'a PlannedBot,
        contest: &'a Contest,
        settings: &'a PlaySettings,
        control: &'a Control,
    ) -> Result<Self, JudgeError> {
        reserve_descriptors(2 * most_descriptors(2) as u64);
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("the system has room for a few descriptors");
        let launched = runtime.block_on(async {
            tokio::select! {
                biased;
                () = control.finishing() => None,
                launched = Player::launch(launcher, bot, &settings.timeouts, LineLog::new(Instant::now())) => {
                    Some(launched)
                }
            }
        });
        let player = match launched {
            Some(Ok(player)) => player,
            Some(Err(lost)) => return Err(fallen(&lost)),
            None => {
                runtime.block_on(reap_dropped());
                return Err(JudgeError::Interrupted);
            }
        };
        Ok(Self { runtime, player: Some(player), bot, contest, settings, control, asked: 0 })
    }

    /// Returns the bot's last score of the position after an opening, from the point of view of the seat that decides there.
    /// Each opening is a separate game for the bot.
    ///
    /// # Errors
    /// When the bot fails or gives no score, and when the user interrupts. A bot that failed is not asked again.
    pub fn score(&mut self, opening: &Opening) -> Result<InfoRecord, JudgeError> {
        let Some(mut player) = self.player.take() else {
            return Err(JudgeError::Lost { fault: "has failed before".to_owned(), stderr: Vec::new() });
        };
        self.asked += 1;
        let (contest, settings, control) = (self.contest, self.settings, self.control);
        let tc = self.bot.tc.as_ref().unwrap_or(&contest.tc);
        let clocks = PerSeat::new(contest.setup.seats(), |_| Clock::new(tc, settings));
        let wrong = |words: String| JudgeError::Opening(words);
        let referee = opening.referee(&contest.setup).map_err(|error| wrong(error.to_string()))?;
        let mut scoresheet = Scoresheet::new(referee, opening.start.as_deref(), clocks, &opening.plies)
            .map_err(|rejection| wrong(rejection.to_string()))?;
        while scoresheet.outcome().is_none() && scoresheet.referee().must_pass() {
            scoresheet.pass().map_err(|rejection| wrong(rejection.to_string()))?;
        }
        if let Some(verdict) = scoresheet.outcome() {
            self.player = Some(player);
            return Err(wrong(format!("the game is over ({})", verdict.reason)));
        }
        let seat = scoresheet.ask();
        let options = contest.setup.options().iter();
        let setup = GameSetup {
            options: options.fold(Pairs::new(), |pairs, (key, value)| pairs.with(key, value)),
            you: Some(number(seat)),
            time_control: Some(tc.pgn()),
            move_time: tc.movetime(),
            seed: Some(1),
            id: Some(self.asked.to_string()),
            ..GameSetup::new(contest.setup.game().id)
        };
        let exchange = async {
            if let Err(failure) = player.set_up(&setup, settings.timeouts.set_up).await {
                return Err(failure.trouble.words());
            }
            ask(&mut player, &scoresheet, seat).await
        };
        let said = self.runtime.block_on(async {
            tokio::select! {
                biased;
                () = control.finishing() => None,
                said = exchange => Some(said),
            }
        });
        match said {
            Some(Ok(info)) => {
                self.player = Some(player);
                let info = info.filter(|info| info.cp.is_some() || info.mate.is_some());
                info.ok_or(JudgeError::NoScore)
            }
            Some(Err(fault)) => {
                let stderr = self.runtime.block_on(player.kill()).stderr;
                Err(JudgeError::Lost { fault, stderr: last_lines(&stderr) })
            }
            None => {
                self.runtime.block_on(player.kill());
                Err(JudgeError::Interrupted)
            }
        }
    }

    /// Lets the bot end.
    pub fn end(self) {
        if let Some(player) = self.player {
            self.runtime.block_on(player.end(&self.settings.timeouts));
        }
    }
}

/// Asks the question and returns the last score before the answer.
async fn ask(
    player: &mut Player,
    scoresheet: &Scoresheet,
    seat: rules::Seat,
) -> Result<Option<InfoRecord>, String> {
    player.start_ply();
    if let Some((why, _)) = player.settle().await {
        return Err(player.trouble(why).await.words());
    }
    put(player, scoresheet, seat)?;
    let clock = scoresheet.clock(seat);
    let began = Instant::now();
    let deadline = clock.patience().and_then(|patience| began.checked_add(patience));
    let mut info = None;
    loop {
        let next = player.next();
        let heard = match deadline {
            Some(deadline) => timeout_at(deadline, next).await.ok(),
            None => Some(next.await),
        };
        let Some((heard, _)) = heard else {
            return Err(format!("did not answer within {}", words(clock.limit())));
        };
        match heard {
            // SPEC 6.6: the first of several best lines counts.
            Heard::Said(Event::Info(line)) if line.multi_pv.is_none_or(|n| n <= 1) => {
                keep(&mut info, &line, 0);
            }
            Heard::Said(Event::Answer(_)) => return Ok(info),
            Heard::Said(Event::BadAnswer(fault)) => return Err(fault.to_string()),
            Heard::Said(_) => {}
            Heard::Broken(why) => return Err(player.trouble(why).await.words()),
        }
    }
}

fn words(limit: Duration) -> String {
    settings::format_duration(limit)
}

fn fallen(lost: &LostBot) -> JudgeError {
    JudgeError::Lost { fault: lost.failure.trouble.words(), stderr: last_lines(&lost.stderr) }
}
