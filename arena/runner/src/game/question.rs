//! One question to one bot: everything between `go` and what comes of it.
//!
//! All bots are served while one of them thinks. There is one absolute deadline, whatever the bot says
//! before it, and nothing is judged here but the order of events.

use std::time::Duration;

use protocol::{Ability, After, Ask, GoLimits, MAX_ARENA_LINE, MAX_PLY, Pair, Pairs, SeatClock, Want};
use rules::{Referee, Seat};
use tokio::time::Instant;

use crate::game::live::LiveFeed;
use crate::game::polling::{BotSpeed, Polling};
use crate::game::reply::Reply;
use crate::game::scoresheet::{self, Scoresheet};
use crate::game::usage::DecisionUsage;
use crate::game::wait::Wait;
use crate::player::link::Break;
use crate::player::{Player, number};

/// What is kept beside a question.
pub(crate) struct Beside<'a> {
    /// When the bots were looked at.
    pub(crate) polling: &'a mut Polling,
    /// What the system gives the bot: what was put off is read once the decision takes longer.
    pub(crate) account: &'a mut DecisionUsage,
    /// What its last decision tells.
    pub(crate) speed: BotSpeed,
    /// Where to show what the bot says meanwhile.
    pub(crate) feed: Option<&'a mut LiveFeed>,
    /// How many characters of its last words are kept.
    pub(crate) info_string: u32,
}

/// Asks the bot of a seat for its decision. One that thinks about something else in its opponent's time may take
/// `stop_limit` to come to its end first. Its watchdog knows afterwards whether the arena itself ran meanwhile.
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
    // Before anybody's clock starts, and before the last look at what the bots have written.
    let after = after(player, scoresheet.referee());
    players.iter_mut().for_each(Player::start_ply);
    // SPEC 6.5: bytes that were waiting before `go` are no answer.
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
    // At a table of more than two a seat whose bot has failed goes out when it is asked.
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

/// Puts the question of a scoresheet to the bot of a seat, without waiting for anything.
pub(crate) fn put(player: &mut Player, scoresheet: &Scoresheet, seat: Seat) {
    let after = after(player, scoresheet.referee());
    ask(player, scoresheet, seat, &after);
}

/// Has the bot of a seat think about the position after the ply that it expects, where it decides then.
pub(crate) fn ponder(player: &mut Player, scoresheet: &Scoresheet, seat: Seat, expected: &str) {
    let can_ponder = [Ability::Ponder, Ability::Stop].iter().all(|ability| player.identity().can(*ability));
    let Some(referee) = scoresheet.foresee(seat, expected).filter(|_| can_ponder) else { return };
    let after = after(player, referee.as_ref());
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

/// Returns what every legal ply leads to, where the bot wants to know.
fn after(player: &Player, referee: &dyn Referee) -> Vec<After> {
    if player.identity().wants(Want::After) { scoresheet::after(referee) } else { Vec::new() }
}

/// Returns the position string and the legal plies, as far as the question after this many plies may need them.
fn surroundings(player: &Player, referee: &dyn Referee, plies: usize) -> (String, Vec<String>) {
    let wants = |want| player.identity().wants(want);
    // It takes the place of a history that is too long for a line.
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

/// Returns what limits the next decision of a seat, as it is told.
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
        // No time at all would be taken for no limit.
        move_time: own.turn_time().map(|time| time.max(Duration::from_millis(1))),
        depth: own.control().depth().map(u64::from),
        nodes: own.control().nodes(),
        ..GoLimits::default()
    }
}

/// Returns what a seat is told about its next decision beyond the limits.
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
