//! The thread of a partner: its commands, the bot's messages, and their order.

use std::future::pending;
use std::time::Duration;

use processes::{Launcher, reap_dropped};
use protocol::{
    Ability, BestMove, Choice, Event, GameSetup, Info, Moves, Start, last_lines, printable_capped,
};
use settings::format_duration;
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::time::{Instant, sleep_until};

use super::{Command, Inquiry, PartnerEvent, PartnerFailure, PartnerReply, PartnerReport};
use crate::game::question::put;
use crate::game::reply::keep;
use crate::player::line_log::LineLog;
use crate::player::{Heard, Player};
use crate::{PlannedBot, PlaySettings};

/// The most characters shown of a bot's text.
const SHOWN: usize = 500;

/// How often an idle bot is read, so that it never waits for a reader.
const LISTEN: Duration = Duration::from_millis(200);

/// The state of a partner.
pub(super) struct Conversation {
    launcher: &'static dyn Launcher,
    bot: PlannedBot,
    settings: PlaySettings,
    tell: Box<dyn FnMut(PartnerEvent) + Send>,
    commands: UnboundedReceiver<Command>,
    /// The bot, from its greeting until it fails.
    player: Option<Player>,
    /// The last game sent to it.
    told: Option<Told>,
}

/// The game that a bot was set up for.
struct Told {
    setup: GameSetup,
    start: Start,
    moves: Moves,
}

/// The end of a question.
enum QuestionEnd {
    /// This event must be reported.
    Told(PartnerEvent),
    /// The question was forgotten.
    Dropped,
    /// This command came instead; `None` if the partner was dropped.
    Left(Option<Command>),
}

impl Conversation {
    pub(super) fn new(
        launcher: &'static dyn Launcher,
        bot: PlannedBot,
        settings: PlaySettings,
        tell: Box<dyn FnMut(PartnerEvent) + Send>,
        commands: UnboundedReceiver<Command>,
    ) -> Self {
        Self { launcher, bot, settings, tell, commands, player: None, told: None }
    }

    /// Serves commands until the partner is dropped or told to end.
    pub(super) async fn run(mut self) {
        let mut next = self.idle().await;
        loop {
            match next {
                Some(Command::Ask(inquiry)) => match self.serve(&inquiry).await {
                    QuestionEnd::Told(event) => {
                        (self.tell)(event);
                        next = self.idle().await;
                    }
                    QuestionEnd::Dropped => next = self.idle().await,
                    QuestionEnd::Left(command) => next = command,
                },
                // They came too late, because the question is answered.
                Some(Command::Stop(_) | Command::Drop(_)) => next = self.idle().await,
                Some(Command::End) => {
                    if let Some(player) = self.player.take() {
                        player.end(&self.settings.timeouts).await;
                    }
                    break;
                }
                None => break,
            }
        }
        if let Some(player) = self.player.take() {
            player.kill().await;
        }
        reap_dropped().await;
    }

    /// Waits for the next command, and reads the bot's output meanwhile.
    async fn idle(&mut self) -> Option<Command> {
        loop {
            let listen = async {
                match &self.player {
                    Some(player) if !player.is_broken() => sleep_until(Instant::now() + LISTEN).await,
                    Some(_) | None => pending().await,
                }
            };
            tokio::select! {
                biased;
                command = self.commands.recv() => return command,
                () = listen => {}
            }
            if let Some(player) = &mut self.player {
                player.start_ply();
                // A broken link is reported at the next question, where it shows again.
                player.settle().await;
            }
        }
    }

    /// Asks a question and waits for its result.
    async fn serve(&mut self, inquiry: &Inquiry) -> QuestionEnd {
        let id = inquiry.id;
        let mut is_stopped = false;
        let prepared = tokio::select! {
            biased;
            end = end_of(&mut self.commands, id, &mut is_stopped) => Err(end),
            prepared = prepare(self.launcher, &self.bot, &self.settings, &mut self.player, &mut self.told, inquiry) => {
                Ok(prepared)
            }
        };
        match prepared {
            Ok(Ok(())) => {}
            Ok(Err(failure)) => return self.fail(id, failure).await,
            Err(end) => {
                // It is unknown how far the set-up came.
                self.dismiss().await;
                return end;
            }
        }
        let Some(mut player) = self.player.take() else {
            return QuestionEnd::Told(PartnerEvent::Failed(id, failure("is not there", false)));
        };
        let end = self.exchange(&mut player, inquiry, is_stopped).await;
        self.player = Some(player);
        match end {
            Ok(end) => end,
            Err(failure) => self.fail(id, failure).await,
        }
    }

    async fn exchange(
        &mut self,
        player: &mut Player,
        inquiry: &Inquiry,
        is_stopped: bool,
    ) -> Result<QuestionEnd, PartnerFailure> {
        player.start_ply();
        if let Some((why, _)) = player.settle().await {
            return Err(failure(player.trouble(why).await.words(), false));
        }
        let seat = inquiry.seat();
        put(player, &inquiry.scoresheet, seat).map_err(|words| failure(words, false))?;
        let clock = inquiry.scoresheet.clock(seat);
        let began = Instant::now();
        let mut deadline = clock.patience().and_then(|patience| began.checked_add(patience));
        let mut late = format!("did not answer within {}", format_duration(clock.limit()));
        let grace = self.settings.timeouts.stop;
        let mut report = PartnerReport::default();
        let mut wants_stop = is_stopped;
        let mut paused = Duration::ZERO;
        loop {
            if std::mem::take(&mut wants_stop) {
                if player.identity().can(Ability::Stop) {
                    player.stop();
                    let soon = Instant::now() + grace;
                    deadline = Some(deadline.map_or(soon, |deadline| deadline.min(soon)));
                    late = format!("did not answer within {} of `stop`", format_duration(grace));
                } else {
                    (self.tell)(PartnerEvent::Unstoppable(inquiry.id));
                }
            }
            let heard = tokio::select! {
                biased;
                word = next_word(&mut self.commands, inquiry.id) => match word {
                    None => {
                        wants_stop = true;
                        continue;
                    }
                    Some(end) => {
                        give_up(player, grace).await;
                        return Ok(end);
                    }
                },
                heard = player.next_in_time(&mut deadline, &mut paused) => heard,
            };
            let Some((heard, at)) = heard else { return Err(failure(late, true)) };
            match heard {
                Heard::Said(Event::Info(line)) if line.multi_pv.is_none_or(|n| n <= 1) => {
                    if report.hear(&line, self.settings.conditions.info_string) {
                        (self.tell)(PartnerEvent::Report(inquiry.id, report.clone()));
                    }
                }
                Heard::Said(Event::Answer(answer)) => {
                    let spent = at.saturating_duration_since(player.started().unwrap_or(began));
                    // Time in which the arena itself did not run does not count for the bot.
                    let reply = reply(&answer, report, spent.saturating_sub(paused));
                    return Ok(QuestionEnd::Told(PartnerEvent::Answered(inquiry.id, reply)));
                }
                Heard::Said(Event::BadAnswer(fault)) => return Err(failure(fault.to_string(), false)),
                Heard::Said(_) => {}
                Heard::Broken(why) => return Err(failure(player.trouble(why).await.words(), false)),
            }
        }
    }

    /// Ends the process of a failed bot, and reports the failure.
    async fn fail(&mut self, id: u64, mut failure: PartnerFailure) -> QuestionEnd {
        if let Some(player) = self.player.take() {
            failure.stderr = last_lines(&player.kill().await.stderr);
        }
        self.told = None;
        QuestionEnd::Told(PartnerEvent::Failed(id, failure))
    }

    async fn dismiss(&mut self) {
        self.told = None;
        if let Some(player) = self.player.take() {
            player.kill().await;
        }
        reap_dropped().await;
    }
}

impl PartnerReport {
    /// Reads a line and returns whether it has anything to show.
    fn hear(&mut self, line: &Info, info_string: u32) -> bool {
        let mut kept = Some(std::mem::take(&mut self.info));
        keep(&mut kept, line, info_string);
        self.info = kept.unwrap_or_default();
        if !line.pv.is_empty() {
            self.line = line.pv.iter().map(ToString::to_string).collect();
        }
        self.text = line.text.as_deref().map(|text| printable_capped(text, SHOWN));
        line.depth.is_some() || line.score.is_some() || line.text.is_some()
    }
}

/// Waits for a command that concerns the open question: one that ends it, or `None` for a request to answer now.
async fn next_word(commands: &mut UnboundedReceiver<Command>, id: u64) -> Option<QuestionEnd> {
    loop {
        match commands.recv().await {
            Some(Command::Stop(stopped)) if stopped == id => return None,
            Some(Command::Drop(dropped)) if dropped == id => return Some(QuestionEnd::Dropped),
            // They concern an earlier question.
            Some(Command::Stop(_) | Command::Drop(_)) => {}
            command @ (Some(Command::Ask(_) | Command::End) | None) => {
                return Some(QuestionEnd::Left(command));
            }
        }
    }
}

/// Waits for a command that ends the open question, and records a request to answer now.
async fn end_of(commands: &mut UnboundedReceiver<Command>, id: u64, wants_stop: &mut bool) -> QuestionEnd {
    loop {
        match next_word(commands, id).await {
            Some(end) => return end,
            None => *wants_stop = true,
        }
    }
}

/// Lets a bot finish a question whose answer is not needed. If it does not finish in time, the next question kills it, because
/// it still owes its answer.
async fn give_up(player: &mut Player, grace: Duration) {
    player.stop();
    let deadline = Instant::now() + grace;
    loop {
        tokio::select! {
            biased;
            (heard, _) = player.next() => match heard {
                Heard::Said(Event::Answer(_) | Event::BadAnswer(_)) | Heard::Broken(_) => return,
                Heard::Said(_) => {}
            },
            () = sleep_until(deadline) => return,
        }
    }
}

/// Prepares a bot for a game: starts it if necessary, and sets up the game if it is in another one.
async fn prepare(
    launcher: &dyn Launcher,
    bot: &PlannedBot,
    settings: &PlaySettings,
    player: &mut Option<Player>,
    told: &mut Option<Told>,
    inquiry: &Inquiry,
) -> Result<(), PartnerFailure> {
    // A bot that owes an answer is still thinking about an abandoned question, and one that has refused a game may be out of step.
    if let Some(unfit) = player.take_if(|player| player.is_owing() || player.has_refused()) {
        unfit.kill().await;
        *told = None;
    }
    if player.is_none() {
        *told = None;
        let watch = LineLog::new(Instant::now());
        let launched = Player::launch(launcher, bot, &settings.timeouts, watch).await;
        let launched = launched.map_err(|lost| {
            let mut fault = lost.failure.trouble.words();
            if let Some(advice) = &lost.flush {
                fault.push_str(&format!(" ({advice})"));
            }
            PartnerFailure { fault, stderr: last_lines(&lost.stderr), is_late: false }
        })?;
        *player = Some(launched);
    }
    let Some(player) = player else { return Ok(()) };
    let (scoresheet, setup) = (&inquiry.scoresheet, &inquiry.setup);
    let known = told.take().filter(|told| {
        told.setup == *setup
            && told.start == *scoresheet.start()
            && scoresheet.moves().starts_with(&told.moves)
    });
    match known {
        Some(known) => {
            for ply in &scoresheet.plies()[known.moves.len()..] {
                let seat = if ply.seat == 1 { rules::Seat::P1 } else { rules::Seat::P2 };
                player.tell_played(seat, &ply.ply, ply.us.map(Duration::from_micros));
            }
        }
        // Also after plies were taken back, because for the bot that is another game.
        None => player
            .set_up(setup, settings.timeouts.set_up)
            .await
            .map_err(|lost| failure(lost.trouble.words(), false))?,
    }
    let (start, moves) = (scoresheet.start().clone(), scoresheet.moves().clone());
    *told = Some(Told { setup: setup.clone(), start, moves });
    Ok(())
}

fn reply(answer: &BestMove, report: PartnerReport, spent: Duration) -> PartnerReply {
    let plies = answer.plies().iter().map(ToString::to_string).collect();
    PartnerReply { plies, resigns: matches!(answer.choice, Choice::Resign), report, spent }
}

fn failure(fault: impl Into<String>, is_late: bool) -> PartnerFailure {
    PartnerFailure { fault: fault.into(), stderr: Vec::new(), is_late }
}
