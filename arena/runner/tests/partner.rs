//! A partner and real processes: little programs for `sh`.
#![cfg(unix)]

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use processes::Direct;
use runner::{Inquiry, Launch, Partner, PartnerEvent, PartnerReply, PlannedBot, PlaySettings};
use settings::TimeControl;
use tempfile::TempDir;

/// Answers the first legal ply; at `nodes 1` never, at `nodes 2` when it is stopped, and dies at `nodes 3`. It writes its
/// own number and every line that it reads to `log`.
const BOT: &str = r#"
echo "born $$" >> log
while read -r word rest; do
  echo "$word $rest" >> log
  case $word in
    ugi) echo "protocol 1"; echo "want legal played"; echo "can nodes STOP"; echo ugiok ;;
    isready) echo readyok ;;
    legal) set -- $rest; ply=$1 ;;
    stop) if [ "$waits" = 2 ]; then echo "bestmove $ply"; fi ;;
    go) waits=0
        case "$rest " in
          *"nodes 1 "*) ;;
          *"nodes 2 "*) waits=2; echo "info depth 4 score cp 12 pv $ply" ;;
          *"nodes 3 "*) echo "out of luck" >&2; exit 7 ;;
          *) echo "info depth 1 score cp 5"; echo "bestmove $ply" ;;
        esac ;;
    quit) exit 0 ;;
  esac
done
"#;

struct Bench {
    dir: TempDir,
    partner: Partner,
    events: Receiver<PartnerEvent>,
    settings: PlaySettings,
}

impl Bench {
    fn new(can_stop: bool) -> Self {
        let dir = tempfile::tempdir().expect("a bench");
        fs::write(dir.path().join("bot"), BOT.replace("STOP", if can_stop { "stop" } else { "" }))
            .expect("a bench");
        let mut settings = PlaySettings::new(1);
        settings.conditions.think_limit = Duration::from_secs(2);
        let (sender, events) = channel();
        let tell = Box::new(move |event| drop(sender.send(event)));
        let partner = Partner::new(&Direct, bot(dir.path()), &settings, tell).expect("a bench");
        Self { dir, partner, events, settings }
    }

    fn ask(&self, id: u64, plies: &[&str], tc: &str) {
        let setup = rules::find("farook").expect("a bench").setup(&[]).expect("a bench");
        let tc: TimeControl = tc.parse().expect("a bench");
        let plies: Vec<_> = plies.iter().map(|ply| (*ply).to_owned()).collect();
        self.partner.ask(Inquiry::new(id, &setup, None, &plies, &tc, &self.settings).expect("a bench"));
    }

    /// Waits for what comes of a question, past what is said before it.
    fn end(&self) -> PartnerEvent {
        loop {
            match self.events.recv_timeout(Duration::from_secs(60)).expect("something comes") {
                PartnerEvent::Report(..) => {}
                event => return event,
            }
        }
    }

    fn answer(&self, id: u64) -> PartnerReply {
        match self.end() {
            PartnerEvent::Answered(answered, reply) if answered == id => reply,
            other => panic!("{other:?}"),
        }
    }

    fn log(&self) -> String {
        fs::read_to_string(self.dir.path().join("log")).expect("a bench")
    }
}

fn bot(dir: &Path) -> PlannedBot {
    PlannedBot {
        at_once: None,
        files: Vec::new(),
        name: "bot".to_owned(),
        version: None,
        launch: Launch {
            program: "/bin/sh".into(),
            args: vec![OsString::from("bot")],
            dir: dir.to_owned(),
            env: Vec::new(),
            io: settings::Carrier::Pipe,
            prefix: Vec::new(),
            is_private: false,
            quota: settings::Quota::default(),
        },
        dialect: protocol::Profile::default(),
        options: Vec::new(),
        tc: None,
        digest: String::new(),
    }
}

#[test]
fn a_game_goes_on_in_one_process_and_a_ply_taken_back_begins_another_one() {
    let bench = Bench::new(true);
    bench.ask(1, &["d4"], "nodes 9");
    let reply = bench.answer(1);
    assert_eq!((reply.plies, reply.resigns, reply.report.info.cp), (vec!["a1".to_owned()], false, Some(5)));
    bench.ask(2, &["d4", "a1", "c4"], "nodes 9");
    assert_eq!(bench.answer(2).plies, ["a1a2"]);
    bench.ask(3, &["d3"], "nodes 9");
    assert_eq!(bench.answer(3).plies, ["a1"]);
    let log = bench.log();
    assert_eq!((log.matches("born").count(), log.matches("uginewgame").count()), (1, 2), "{log}");
    assert_eq!((log.matches("played p1 c4").count(), log.matches("played p1 d3").count()), (1, 0), "{log}");
    bench.partner.end();
}

#[test]
fn a_bot_that_never_answers_is_late_and_the_next_question_starts_it_again() {
    let bench = Bench::new(true);
    bench.ask(1, &[], "nodes 1");
    match bench.end() {
        PartnerEvent::Failed(1, failure) => {
            assert!(failure.is_late && failure.fault.contains("2s"), "{failure:?}");
        }
        other => panic!("{other:?}"),
    }
    bench.ask(2, &[], "nodes 9");
    assert_eq!(bench.answer(2).plies, ["a1"]);
    assert_eq!(bench.log().matches("born").count(), 2);
}

#[test]
fn a_bot_that_dies_says_how_and_what_it_wrote_last() {
    let bench = Bench::new(true);
    bench.ask(1, &[], "nodes 3");
    match bench.end() {
        PartnerEvent::Failed(1, failure) => {
            assert_eq!(failure.fault, "process ended (exit 7)");
            assert_eq!((failure.stderr, failure.is_late), (vec!["out of luck".to_owned()], false));
        }
        other => panic!("{other:?}"),
    }
    bench.ask(2, &[], "nodes 9");
    assert_eq!(bench.answer(2).plies, ["a1"]);
}

#[test]
fn a_bot_that_can_be_stopped_answers_at_once() {
    let bench = Bench::new(true);
    bench.ask(1, &[], "nodes 2");
    let report = bench.events.recv_timeout(Duration::from_secs(60)).unwrap();
    assert!(matches!(&report, PartnerEvent::Report(1, report) if report.line == ["a1"]), "{report:?}");
    bench.partner.stop(1);
    assert_eq!(bench.answer(1).report.info.cp, Some(12));
}

#[test]
fn a_bot_that_cannot_be_stopped_says_so_and_has_its_time() {
    let bench = Bench::new(false);
    bench.ask(1, &[], "nodes 2");
    assert!(matches!(bench.events.recv_timeout(Duration::from_secs(60)), Ok(PartnerEvent::Report(1, _))));
    bench.partner.stop(1);
    assert_eq!(bench.end(), PartnerEvent::Unstoppable(1));
    assert!(matches!(bench.end(), PartnerEvent::Failed(1, failure) if failure.is_late));
}

#[test]
fn a_question_that_is_forgotten_is_never_answered() {
    for can_stop in [true, false] {
        let bench = Bench::new(can_stop);
        bench.ask(1, &[], "nodes 2");
        assert!(matches!(bench.events.recv_timeout(Duration::from_secs(60)), Ok(PartnerEvent::Report(1, _))));
        bench.partner.drop_question(1);
        bench.ask(2, &["d4"], "nodes 9");
        assert_eq!(bench.answer(2).plies, ["a1"]);
        // One that cannot be stopped is not waited for.
        assert_eq!(bench.log().matches("born").count(), if can_stop { 1 } else { 2 });
    }
}

#[test]
fn the_process_ends_with_its_partner() {
    let Bench { dir, partner, events, settings: _ } = {
        let bench = Bench::new(false);
        bench.ask(1, &[], "nodes 1");
        bench
    };
    let is_born = || fs::read_to_string(dir.path().join("log")).is_ok_and(|log| log.contains("go "));
    while !is_born() {
        assert!(events.try_recv().is_err());
        std::thread::yield_now();
    }
    drop(partner);
    let log = fs::read_to_string(dir.path().join("log")).unwrap();
    let number = log.lines().find_map(|line| line.strip_prefix("born ")).unwrap();
    assert!(!Path::new(&format!("/proc/{number}")).exists());
}

#[test]
fn a_program_that_is_not_there_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let mut bot = bot(dir.path());
    bot.launch.program = dir.path().join("nobody");
    let (sender, events) = channel();
    let tell = Box::new(move |event| drop(sender.send(event)));
    let settings = PlaySettings::new(1);
    let partner = Partner::new(&Direct, bot, &settings, tell).unwrap();
    let setup = rules::find("farook").unwrap().setup(&[]).unwrap();
    let tc = "depth 1".parse().unwrap();
    partner.ask(Inquiry::new(4, &setup, None, &[], &tc, &settings).unwrap());
    let event = events.recv_timeout(Duration::from_secs(60)).unwrap();
    assert!(
        matches!(&event, PartnerEvent::Failed(4, failure) if failure.fault.starts_with("could not be started"))
    );
}
