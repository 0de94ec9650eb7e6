//! Real pipes, which are first awaited without the runtime.

use processes::{Direct, Launcher as _, ProcessSpec};

use super::*;
use crate::game::polling::{BotSpeed, Polling};
use crate::game::question::{Beside, question};
use crate::game::reply::{Answer, Reply};
use crate::game::scoresheet::Scoresheet;
use crate::game::usage::DecisionUsage;

/// A bot that does `on_go` for every question.
pub(super) async fn sit(on_go: &str) -> Player {
    let script = format!(
        "while read word rest; do case $word in ugi) echo protocol 1; echo ugiok;; isready) echo readyok;; \
         uginewgame) (sleep 0.5; echo bestmove z9) & ;; go) {on_go};; error) sleep 100 & ;; quit) exit;; \
         esac; done"
    );
    let program = ProcessSpec { args: vec!["-c".into(), script.into()], ..ProcessSpec::new("/bin/sh", "/") };
    let settings = PlaySettings::new(1);
    let mut process = Direct.launch(&program).unwrap();
    let transport = Transport::of(&mut process).unwrap();
    let mut player =
        Player::new(Box::new(process), transport, Dialogue::new(Profile::default()), &settings.timeouts);
    player.greet(&[], &settings.timeouts).await.unwrap();
    player
}

/// Asks the first of two bots as after a fast decision.
async fn ask(on_go: &str, tc: &str) -> (DecisionUsage, DecisionUsage, Reply) {
    ask_after(BotSpeed::Fast, on_go, tc).await
}

/// Asks the first of two bots, with its account opened as after a fast decision, and waits as after one of this speed.
async fn ask_after(speed: BotSpeed, on_go: &str, tc: &str) -> (DecisionUsage, DecisionUsage, Reply) {
    ask_first(&mut [sit(on_go).await, sit("").await], speed, tc).await
}

/// Asks the first of two bots as after a fast decision.
pub(super) async fn ask_the_first(players: &mut [Player; 2]) -> Reply {
    ask_first(players, BotSpeed::Fast, "60").await.2
}

async fn ask_first(
    players: &mut [Player; 2],
    speed: BotSpeed,
    tc: &str,
) -> (DecisionUsage, DecisionUsage, Reply) {
    let settings = PlaySettings::new(1);
    let verdict = Verdict { outcome: Outcome::Draw, reason: Reason::Line };
    let script = Box::new(Script::new(vec![Step::of(Seat::P1)], verdict));
    let clocks = [0, 1].map(|_| Clock::new(&tc.parse().unwrap(), &settings));
    let mut scoresheet = Scoresheet::new(script, None, clocks.into(), &[]).unwrap();
    let seat = scoresheet.ask();
    let before = DecisionUsage::open(&mut players[0], scoresheet.clock(seat), true);
    let (mut polling, mut account) = (Polling::new(), before);
    let beside = Beside { polling: &mut polling, account: &mut account, speed, feed: None, info_string: 0 };
    let reply = question(players, &scoresheet, seat, ms(500), beside).await;
    (before, account, reply)
}

fn answer(reply: Reply) -> Answer {
    let Reply::Answer(answer) = reply else { panic!("{reply:?}") };
    answer
}

#[tokio::test]
async fn a_slow_decision_is_measured_although_the_last_one_was_fast() {
    let (before, after, reply) = ask("sleep 1; echo bestmove a1", "60").await;
    let answer = answer(reply);
    assert!(answer.spent >= ms(1000) && answer.said.is_ok(), "{answer:?}");
    if cfg!(target_os = "linux") {
        assert_eq!(before, DecisionUsage::PutOff);
        let DecisionUsage::Late(at, _) = after else { panic!("{after:?}") };
        assert!(at < answer.at, "it was read while the bot thought");
    }
}

#[tokio::test]
async fn a_short_limit_and_a_clock_of_processor_time_put_nothing_off() {
    if !processes::measures_processor_time() {
        return;
    }
    for tc in ["60, cpu", "nodes 5"] {
        let (before, after, reply) = ask("echo bestmove a1", tc).await;
        assert!(before != DecisionUsage::PutOff && before == after, "{tc}: {before:?} {after:?}");
        assert!(answer(reply).said.is_ok());
    }
}

#[tokio::test]
async fn what_ends_at_once_is_found_out_without_an_answer() {
    let (_, _, reply) = ask("exit 3", "60").await;
    let Reply::Broken { seat: Seat::P1, answer: None, .. } = reply else { panic!("{reply:?}") };
}

#[tokio::test]
async fn a_line_in_two_pieces_is_one_answer() {
    let (_, _, reply) = ask("printf best; sleep 1; echo move a1; echo bestmove b2", "60").await;
    let answer = answer(reply);
    assert!(answer.spent >= ms(1000), "{answer:?}");
    assert_eq!(answer.said.unwrap().to_string(), "bestmove a1");
}

#[tokio::test]
async fn the_speed_of_the_last_decision_changes_nothing_but_the_wait() {
    for speed in [BotSpeed::Unknown, BotSpeed::Fast, BotSpeed::Slow] {
        let (_, _, reply) = ask_after(speed, "echo bestmove a1", "60").await;
        assert_eq!(answer(reply).said.unwrap().to_string(), "bestmove a1", "{speed:?}");
        // More than a pipe holds: it cannot answer before this is read.
        let (_, _, reply) = ask_after(speed, "head -c 1000000 /dev/zero >&2; echo bestmove a2", "60").await;
        assert_eq!(answer(reply).said.unwrap().to_string(), "bestmove a2", "{speed:?}");
        let (_, _, reply) = ask_after(speed, "exit 3", "60").await;
        let Reply::Broken { seat: Seat::P1, answer: None, .. } = reply else { panic!("{speed:?} {reply:?}") };
        let (_, _, reply) = ask_after(speed, "sleep 20", "movetime 200ms").await;
        let Reply::Late = reply else { panic!("{speed:?} {reply:?}") };
    }
}

#[tokio::test]
async fn what_was_written_before_the_question_is_no_answer() {
    let settings = PlaySettings::new(1);
    let mut players = [sit("echo bestmove a1").await, sit("").await];
    players[0].set_up(&GameSetup::new("early"), Duration::from_secs(60)).await.unwrap();
    tokio::time::sleep(ms(2000)).await;
    // The message is in transit when the bots are checked.
    players[0].tell_error("x", &protocol::Pairs::new(), "something to be written");
    let verdict = Verdict { outcome: Outcome::Draw, reason: Reason::Line };
    let script = Box::new(Script::new(vec![Step::of(Seat::P1)], verdict));
    let clocks = [0, 1].map(|_| Clock::new(&"60".parse().unwrap(), &settings));
    let mut scoresheet = Scoresheet::new(script, None, clocks.into(), &[]).unwrap();
    let seat = scoresheet.ask();
    let (mut polling, mut account) = (Polling::new(), DecisionUsage::Closed);
    let beside = Beside {
        polling: &mut polling,
        account: &mut account,
        speed: BotSpeed::Unknown,
        feed: None,
        info_string: 0,
    };
    let reply = question(&mut players, &scoresheet, seat, ms(500), beside).await;
    assert_eq!(answer(reply).said.unwrap().to_string(), "bestmove a1");
}

#[tokio::test]
async fn a_fast_bot_loses_on_time_like_any_other() {
    let (_, _, reply) = ask("sleep 20", "movetime 1s").await;
    let Reply::Late = reply else { panic!("{reply:?}") };
}
