//! One question to one bot: everything from `go` to the reply.
//!
//! All bots are served while one of them thinks. There is one absolute deadline, which no message extends. This module only
//! determines the order of events and judges nothing else.

use std::time::Duration;

use protocol::{Ability, After, Ask, GoLimits, MAX_ARENA_LINE, MAX_PLY, Pair, Pairs, SeatClock, Want};
use rules::{Referee, RulesFault, Seat};
use tokio::time::Instant;

use crate::game::live::LiveFeed;
use crate::game::polling::{BotSpeed, Polling};
use crate::game::reply::Reply;
use crate::game::scoresheet::{self, Scoresheet};
use crate::game::usage::DecisionUsage;
use crate::game::wait::Wait;
use crate::player::link::Break;
use crate::player::{Player, number};

/// The state that accompanies a question.
pub(crate) struct Beside<'a> {
    /// When the bots were checked.
    pub(crate) polling: &'a mut Polling,
    /// The processor and waiting time of the bot. A postponed reading is made when the decision takes longer.
    pub(crate) account: &'a mut DecisionUsage,
    /// The speed of its last decision.
    pub(crate) speed: BotSpeed,
    /// Where to show the bot's reports.
    pub(crate) feed: Option<&'a mut LiveFeed>,
    /// The most characters kept of its last `info string`.
    pub(crate) info_string: u32,
}

/// Asks the bot of a seat for its decision. If it is pondering on something else, it may take `stop_limit` to finish first.
/// Afterwards its watchdog knows whether the arena itself ran.
pub(crate) async fn question(
    players: &mut [Player],
    scoresheet: &Scoresheet,
    seat: Seat,
    stop_limit: Duration,
    beside: Beside<'_>,
) -> Reply {
    let Beside { polling, account, speed, feed, info_string } = beside;
    let player = &mut players[seat.index()];
    if !player.has_foreseen(scoresheet.moves())
        && let Err(failure) = player.stop_pondering(stop_limit).await
    {
        return Reply::Failed(failure);
    }
    // Before any clock starts, and before the last check of the bots' output.
    let after = match after(player, scoresheet.referee()) {
        Ok(after) => after,
        Err(fault) => return Reply::Rules(Box::new(fault)),
    };
    players.iter_mut().for_each(Player::start_ply);
    // SPEC 6.5: bytes received before `go` are not an answer.
    let is_told = polling.look(players, seat).await;
    let mut broken: Option<(Instant, Seat, Break)> = None;
    let is_table = scoresheet.is_table();
    for one in scoresheet.seats() {
        if (!is_told || players[one.index()].link().has_news())
            && let Some((why, at)) = players[one.index()].drain().await
            && !is_table
            && broken.is_none_or(|(first, ..)| at < first)
        {
            broken = Some((at, one, why));
        }
    }
    // At a table of more than two seats, a seat whose bot has failed goes out when it is asked.
    if let Some((why, at)) = players[seat.index()].broken().filter(|_| is_table) {
        broken = Some((at, seat, why));
    }
    if let Some((at, seat, why)) = broken {
        return Reply::Broken { seat, why, at, answer: None };
    }
    let player = &mut players[seat.index()];
    if player.is_pondering() {
        player.hit();
    } else {
        ask(player, scoresheet, seat, &after);
    }
    let direct_wait = speed.direct_wait(players[seat.index()].is_silent());
    let mut wait = Wait::new(players, scoresheet, seat, direct_wait, account, feed).keeping(info_string);
    let reply = wait.run().await;
    polling.note_answer(seat, wait.looked(&reply));
    let at = if let Reply::Answer(answer) = &reply { answer.at } else { Instant::now() };
    players[seat.index()].watchdog().look(at);
    reply
}

/// Sends the question of a scoresheet to the bot of a seat without waiting.
///
/// # Errors
/// Says why the bot cannot be asked: the rules of a game of one's own fail.
pub(crate) fn put(player: &mut Player, scoresheet: &Scoresheet, seat: Seat) -> Result<(), String> {
    let after = after(player, scoresheet.referee()).map_err(|fault| format!("cannot be asked: {fault}"))?;
    ask(player, scoresheet, seat, &after);
    Ok(())
}

/// Lets the bot of a seat ponder on the position after the ply that it expects, if it decides there.
pub(crate) fn ponder(player: &mut Player, scoresheet: &Scoresheet, seat: Seat, expected: &str) {
    let can_ponder = [Ability::Ponder, Ability::Stop].iter().all(|ability| player.identity().can(*ability));
    let Some(referee) = scoresheet.foresee(seat, expected).filter(|_| can_ponder) else { return };
    // If the rules fail, the next question says so.
    let Ok(after) = after(player, referee.as_ref()) else { return };
    let mut moves = scoresheet.moves().clone();
    moves.push(expected);
    let move_time = scoresheet.clock(seat).control().movetime();
    let (board, legal) = surroundings(player, referee.as_ref(), moves.len());
    player.ponder(&Ask {
        start: scoresheet.start(),
        moves: &moves,
        board: &board,
        legal: &legal,
        after: &after,
        limits: &GoLimits { ponder: true, move_time, ..limits(scoresheet, seat) },
        pairs: &Pairs::new(),
        id: None,
    });
}

/// Returns the position after every legal ply, if the bot wants that.
fn after(player: &Player, referee: &dyn Referee) -> Result<Vec<After>, RulesFault> {
    if player.identity().wants(Want::After) { scoresheet::after(referee) } else { Ok(Vec::new()) }
}

/// Returns the position string and the legal plies, as far as the question after `plies` plies may need them.
fn surroundings(player: &Player, referee: &dyn Referee, plies: usize) -> (String, Vec<String>) {
    let wants = |want| player.identity().wants(want);
    // The position string replaces a history that is too long for a line.
    let may_be_long = plies >= MAX_ARENA_LINE / (MAX_PLY + 1) / 2;
    let board = if may_be_long || wants(Want::Board) { referee.position() } else { String::new() };
    let legal = if wants(Want::Legal) { referee.legal() } else { Vec::new() };
    (board, legal)
}

fn ask(player: &mut Player, scoresheet: &Scoresheet, seat: Seat, after: &[After]) {
    let (board, legal) = surroundings(player, scoresheet.referee(), scoresheet.moves().len());
    player.ask(&Ask {
        start: scoresheet.start(),
        moves: scoresheet.moves(),
        board: &board,
        legal: &legal,
        after,
        limits: &limits(scoresheet, seat),
        pairs: &pairs(scoresheet, seat),
        id: None,
    });
}

/// Returns the limits of a seat's next decision, as the bot receives them.
fn limits(scoresheet: &Scoresheet, seat: Seat) -> GoLimits {
    let own = scoresheet.clock(seat);
    let clock = |seat: Seat| {
        let clock = scoresheet.clock(seat);
        let increment = Some(clock.increment()).filter(|increment| !increment.is_zero());
        clock.allowance().map(|time| SeatClock { seat: number(seat), remaining: Some(time), increment })
    };
    GoLimits {
        clocks: scoresheet.seats().filter(|seat| !scoresheet.is_out(*seat)).filter_map(clock).collect(),
        moves_to_go: own.turns_left().map(u64::from),
        // A time of zero would mean no limit.
        move_time: own.turn_time().map(|time| time.max(Duration::from_millis(1))),
        depth: own.control().depth().map(u64::from),
        nodes: own.control().nodes(),
        ..GoLimits::default()
    }
}

/// Returns the pairs for a seat's next decision, besides the limits.
fn pairs(scoresheet: &Scoresheet, seat: Seat) -> Pairs {
    let own = scoresheet.clock(seat);
    let mut pairs = Pairs::new();
    if let Some(advice) = own.advice() {
        pairs.push(Pair::new("budget", advice.as_millis()));
    }
    for pair in &own.pairs() {
        pairs.push(pair.clone());
    }
    for seat in scoresheet.seats() {
        if let Some(bank) = scoresheet.clock(seat).bank() {
            pairs.push(Pair::new(&format!("{}bank", number(seat)), bank.as_millis()));
        }
    }
    pairs
}
