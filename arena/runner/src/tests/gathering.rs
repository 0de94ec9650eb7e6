//! Real processes that are gathered on one processor and released.

use std::fs;
use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use processes::{Cpus, threads_within};
use protocol::Pairs;
use record::Gathered;
use settings::{Pin, Ponder};
use tokio::time::timeout;

use super::polling::{ask_the_first, sit};
use super::*;
use crate::game::reply::Reply;
use crate::run::gathering::{Gathering, MeetingPlaces};

/// Returns the processors on which a bot may run.
fn place(player: &Player) -> Cpus {
    let root = player.process().and_then(Process::root).expect("it runs");
    let status = fs::read_to_string(format!("/proc/{root}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    line.expect("Linux tells").trim().parse().expect("a list of processors")
}

/// Records a game of short decisions.
fn be_quick(players: &mut [Player; 2]) {
    players.iter_mut().for_each(|player| player.note_game(true, ms(10), Some(ms(2))));
}

async fn quick_pair(on_go: &str) -> [Player; 2] {
    let mut players = [sit(on_go).await, sit("echo bestmove a1").await];
    be_quick(&mut players);
    players
}

#[tokio::test]
async fn quick_bots_share_a_processor_until_a_decision_takes_longer() {
    let everywhere = Cpus::allowed().expect("Linux tells");
    let places = MeetingPlaces::new(&PlaySettings::new(1));
    let mut gathering = Gathering::new(&places).expect("there is a processor");
    let mut players = quick_pair("sleep 0.1; echo bestmove a1").await;
    let began = Instant::now();
    gathering.gather(&mut players);
    let here = place(&players[0]);
    assert_eq!((here.len(), place(&players[1]), Cpus::allowed()), (1, here.clone(), Some(here.clone())));
    let processor = here.iter().next().expect("a processor");
    assert_eq!(gathering.told(began), Some(Gathered { processor, until: None }));

    assert!(matches!(ask_the_first(&mut players).await, Reply::Answer(_)));
    let parted = [place(&players[0]), place(&players[1]), Cpus::allowed().expect("Linux tells")];
    assert_eq!(parted, [everywhere.clone(), everywhere.clone(), everywhere.clone()]);

    // It was slower than expected, so no bots are gathered for a while.
    gathering.note(&mut players, ms(10), 100, &[Some(ms(2)); 2]);
    let told = gathering.told(began).expect("they were together");
    assert!(
        told.processor == processor && told.until.is_some_and(|until| until < began.elapsed().as_secs_f64())
    );
    be_quick(&mut players);
    gathering.prepare(players.each_mut().map(Some).into());
    gathering.gather(&mut players);
    assert_eq!((place(&players[0]), gathering.told(began)), (everywhere, None));
}

#[tokio::test]
async fn who_wants_two_processors_or_adds_threads_is_left_alone() {
    let everywhere = Cpus::allowed().expect("Linux tells");
    let places = MeetingPlaces::new(&PlaySettings::new(1));
    let mut gathering = Gathering::new(&places).expect("there is a processor");
    let mut players = quick_pair("").await;
    // As much processor time as two processors have.
    players[0].note_game(true, ms(200), Some(ms(400)));
    gathering.gather(&mut players);
    assert_eq!(place(&players[0]), everywhere);

    let mut players = quick_pair("").await;
    gathering.gather(&mut players);
    let here = place(&players[0]);
    assert_eq!(here.len(), 1);
    // It starts another process. It is not asked for a ply: on a busy machine that may take long, and long decisions release it.
    players[0].tell_error("busy", &Pairs::new(), "");
    let root = players[0].process().and_then(Process::root).expect("it runs");
    let starting = async {
        while threads_within(root, &here) != Some(2) {
            // Lines are sent while something waits for the bot.
            let _ = timeout(ms(10), players[0].next()).await;
        }
    };
    timeout(Duration::from_secs(60), starting).await.expect("it starts another process");
    // Its threads are counted again after a while.
    tokio::time::sleep(ms(150)).await;
    gathering.gather(&mut players);
    assert_eq!([place(&players[0]), place(&players[1])], [everywhere.clone(), everywhere.clone()]);
    assert_eq!(Cpus::allowed(), Some(everywhere));
}

#[test]
fn slots_are_gathered_where_it_is_safe() {
    let mut settings = PlaySettings::new(1);
    let has_places = |settings: &PlaySettings| Gathering::new(&MeetingPlaces::new(settings)).is_some();
    assert!(has_places(&settings));
    settings.conditions.ponder = Ponder::Yes;
    assert!(!has_places(&settings), "bots that ponder work at one time");
    settings.conditions.ponder = Ponder::default();
    settings.conditions.pin = Pin::Off;
    assert!(!has_places(&settings));
    settings.conditions.pin = Pin::Auto;
    settings.concurrency = NonZeroUsize::new(1 << 16).expect("many");
    assert!(!has_places(&settings), "there are more games at once than processors");
}
