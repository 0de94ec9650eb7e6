//! What a dialogue sends to which bot, and what it makes of the lines that come back.

use std::time::Duration;

use protocol::{
    Ability, After, AnnouncedResult, AnswerError, ArenaMessage, Ask, ClockWords, Dialogue, Event, GameEnd,
    GameSetup, GoLimits, Moves, Pairs, PositionKeyword, Profile, SeatClock, SeatNumber, Start, State, Want,
};

/// Returns a dialogue after the handshake with a bot that declares these lines.
fn greeted(declarations: &[&str]) -> Dialogue {
    greeted_as(Profile::default(), declarations)
}

fn greeted_as(profile: Profile, declarations: &[&str]) -> Dialogue {
    let hello_ok = profile.hello.hello_ok();
    let mut dialogue = Dialogue::new(profile);
    dialogue.hello();
    for line in declarations {
        assert_eq!(dialogue.receive(line), Event::Declared, "{line}");
    }
    assert_eq!(dialogue.receive(&hello_ok), Event::HelloDone);
    dialogue
}

fn game() -> GameSetup {
    GameSetup { you: Some(SeatNumber::P1), ..GameSetup::new("faust") }
}

/// Returns a dialogue in a game.
fn seated(declarations: &[&str]) -> Dialogue {
    let mut dialogue = greeted(declarations);
    dialogue.set_up(&game());
    assert_eq!(dialogue.receive("readyok"), Event::Ready);
    dialogue
}

fn clocks() -> GoLimits {
    let time = Duration::from_secs(60);
    GoLimits {
        clocks: [SeatNumber::P1, SeatNumber::P2].map(|seat| SeatClock::new(seat, time, None)).into(),
        ..GoLimits::default()
    }
}

fn ask(dialogue: &mut Dialogue, limits: &GoLimits, id: Option<u64>) -> String {
    dialogue.ask(&Ask {
        start: &Start::StartPosition,
        moves: &["a1"].into_iter().collect(),
        board: "2/b1 p2 c=bw n=1",
        legal: &["a2".to_owned(), "b1".to_owned()],
        after: &[after("a2", "b1/b1 p1 c=bw n=2"), after("b1", "2/bb p1 c=bw n=2")],
        limits,
        pairs: &Pairs::new(),
        id,
    })
}

fn after(ply: &str, board: &str) -> After {
    After { ply: ply.parse().expect("a move"), board: board.to_owned(), end: None }
}

fn is_answer(event: &Event, ply: &str) -> bool {
    matches!(event, Event::Answer(answer) if answer.plies().len() == 1 && answer.plies()[0].as_str() == ply)
}

#[test]
fn a_plain_bot_is_sent_plain_words_only() {
    let mut dialogue = greeted(&["id name Old", "want legal board", "can ponder"]);
    assert_eq!(dialogue.protocol(), 0);
    assert_eq!(dialogue.after_hello(&[], "arena", "0.1.0").as_deref(), Ok(""));
    assert_eq!(dialogue.set_up(&game()), "game faust players=2 you=p1\nuginewgame\nisready\n");
    dialogue.receive("readyok");
    let limits = GoLimits { depth: Some(6), nodes: Some(1000), ponder: true, ..clocks() };
    let sent = ask(&mut dialogue, &limits, Some(17));
    assert_eq!(sent, "position startpos moves a1\ngo p1time 60000 p2time 60000 depth 6 nodes 1000\n");
    assert_eq!(dialogue.stop().as_deref(), Some("stop\n"));
    assert_eq!(dialogue.error("bad-move", &Pairs::new(), "x"), "");
    assert_eq!(dialogue.played(SeatNumber::P1, "a1", &Pairs::new()), None);
    assert_eq!(dialogue.game_over(&AnnouncedResult::Draw, "max-moves", &Pairs::new()), "");
    assert_eq!(dialogue.quit(), "quit\n");
}

#[test]
fn a_quiet_bot_is_spared_the_game_line_in_plain_ugi_only() {
    let quiet = || Profile { quiet: true, ..Profile::default() };
    assert_eq!(greeted_as(quiet(), &[]).set_up(&game()), "uginewgame\nisready\n");
    assert!(greeted_as(quiet(), &["protocol 1"]).set_up(&game()).starts_with("game faust"));
}

#[test]
fn other_dialects_differ_in_three_words() {
    let profile = Profile {
        hello: "uci".parse().expect("a family"),
        clock: ClockWords::Wb,
        position_keyword: PositionKeyword::Sfen,
        quiet: true,
    };
    let mut dialogue = greeted_as(profile, &[]);
    assert_eq!(dialogue.set_up(&game()), "ucinewgame\nisready\n");
    dialogue.receive("readyok");
    let second = Duration::from_secs(1);
    let clock = |seat| SeatClock::new(seat, second, Some(second));
    let sent = dialogue.ask(&Ask {
        start: &Start::Fen("2/2 p1 n=0".to_owned()),
        moves: &Moves::new(),
        board: "2/2 p1 n=0",
        legal: &[],
        after: &[],
        limits: &GoLimits {
            clocks: vec![clock(SeatNumber::P1), clock(SeatNumber::P2)],
            ..GoLimits::default()
        },
        pairs: &Pairs::new(),
        id: None,
    });
    assert_eq!(sent, "position sfen 2/2 p1 n=0\ngo wtime 1000 btime 1000 winc 1000 binc 1000\n");
}

#[test]
fn both_sides_speak_the_lower_version() {
    for (line, version) in
        [("protocol 0", 0), ("protocol 1", 1), ("protocol 7", 1), ("protocol 9999999999", 1)]
    {
        assert_eq!(greeted(&[line]).protocol(), version, "{line}");
    }
    assert_eq!(greeted(&[]).protocol(), 0);
}

#[test]
fn a_bot_is_sent_what_it_declared_and_nothing_else() {
    let limits = GoLimits { infinite: true, depth: Some(6), nodes: Some(1000), ..GoLimits::default() };
    let mut modest = seated(&["protocol 1"]);
    assert_eq!(ask(&mut modest, &limits, None), "position startpos moves a1\ngo\n");
    assert_eq!(modest.stop(), None);
    assert_eq!(modest.query("legal"), None);

    let mut able = seated(&["protocol 1", "can stop depth nodes infinite query", "want played board legal"]);
    let sent = ask(&mut able, &limits, Some(3));
    let expected = "position startpos moves a1\nboard 2/b1 p2 c=bw n=1\nlegal a2 b1\ngo infinite depth 6 nodes 1000 id=3\n";
    assert_eq!(sent, expected);
    assert_eq!(able.stop().as_deref(), Some("stop\n"));
    assert_eq!(able.stop(), None, "once is enough");
    assert_eq!(able.query("perft 3").as_deref(), Some("query perft 3\n"));
    assert_eq!(able.receive("response perft 12"), Event::Response("perft 12".to_owned()));
    assert_eq!(able.receive("response perft 12"), Event::Unexpected);
    let told = able.played(SeatNumber::P2, "a1", &Pairs::new().with("ms", 812));
    assert_eq!(told.as_deref(), Some("played p2 a1 ms=812\n"));
    assert!(able.identity().can(Ability::Query) && able.identity().wants(Want::Played));
}

#[test]
fn a_legal_list_over_the_limit_of_a_line_is_only_counted() {
    let mut dialogue = seated(&["protocol 1", "want legal"]);
    let legal: Vec<String> = (0..5000).map(|n| format!("a{n:0>250}")).collect();
    let limits = GoLimits { move_time: Some(Duration::from_millis(100)), ..GoLimits::default() };
    let moves = Moves::new();
    let question = |legal| Ask {
        start: &Start::StartPosition,
        moves: &moves,
        board: "2/2 p1 n=0",
        legal,
        after: &[],
        limits: &limits,
        pairs: const { &Pairs::new() },
        id: None,
    };
    assert_eq!(
        dialogue.ask(&question(&legal)),
        "position startpos\ngo movetime 100 budget=80 legal-omitted=5000\n"
    );
    dialogue.receive("bestmove a1");
    // 5 bytes for the word and 252 for each ply: 4160 of them fit.
    assert!(dialogue.ask(&question(&legal[..4160])).contains("\nlegal a"));
    dialogue.receive("bestmove a1");
    assert!(dialogue.ask(&question(&legal[..4161])).contains(" legal-omitted=4161\n"));
}

#[test]
fn a_bot_that_wants_them_is_sent_the_positions_after_all_plies() {
    let mut dialogue = seated(&["protocol 1", "want after"]);
    let lines = "position startpos moves a1\nafter a2 b1/b1 p1 c=bw n=2\nafter b1 2/bb p1 c=bw n=2\ngo\n";
    assert_eq!(ask(&mut dialogue, &GoLimits::default(), None), lines);
    assert!(dialogue.identity().wants(Want::After) && !dialogue.identity().wants(Want::Legal));
    // In plain UGI nothing can be asked for.
    let mut plain = seated(&["want after"]);
    assert_eq!(ask(&mut plain, &GoLimits::default(), None), "position startpos moves a1\ngo\n");
}

#[test]
fn a_ply_that_ends_the_game_is_told_with_the_result() {
    let end = GameEnd {
        outcome: AnnouncedResult::Win(SeatNumber::P2),
        code: "no-stones".to_owned(),
        pairs: Pairs::new(),
    };
    let winning = After { end: Some(end), ..after("b3b2+", "3/1b1/3 p1 quiet=0") };
    let line = "after b3b2+ 3/1b1/3 p1 quiet=0 gameover p2win no-stones";
    assert_eq!(winning.to_string(), line);
    assert_eq!(ArenaMessage::parse(line), Ok(ArenaMessage::After(winning)));
}

#[test]
fn positions_over_the_limit_are_only_counted() {
    let mut dialogue = seated(&["protocol 1", "want legal after"]);
    // With its line feed, each line has 1024 bytes: 1024 of them fit.
    let board = format!("{} p1", "b".repeat(1024 - "after a1  p1\n".len()));
    let lines = vec![after("a1", &board); 1025];
    assert_eq!(lines[0].to_string().len() + 1, 1024);
    let (legal, limits) = (["a1".to_owned()], GoLimits::default());
    let moves = Moves::new();
    let question = |after| Ask {
        start: &Start::StartPosition,
        moves: &moves,
        board: "2/2 p1 n=0",
        legal: &legal,
        after,
        limits: &limits,
        pairs: const { &Pairs::new() },
        id: None,
    };
    let sent = dialogue.ask(&question(&lines[..1024]));
    assert_eq!(sent.lines().filter(|line| line.starts_with("after ")).count(), 1024);
    assert!(sent.ends_with("\ngo\n"));
    dialogue.receive("bestmove a1");
    let sent = dialogue.ask(&question(&lines));
    assert_eq!(sent, "position startpos\nlegal a1\ngo after-omitted=1025\n");
}

#[test]
fn a_history_over_the_limit_of_a_line_gives_way_to_the_position() {
    let mut dialogue = seated(&["protocol 1"]);
    let moves: Moves = (0..5000).map(|n| format!("a{n:0>250}")).collect();
    let sent = dialogue.ask(&Ask {
        start: &Start::StartPosition,
        moves: &moves,
        board: "2/b1 p2 c=bw n=1",
        legal: &[],
        after: &[],
        limits: &GoLimits::default(),
        pairs: &Pairs::new(),
        id: None,
    });
    assert_eq!(sent, "position fen 2/b1 p2 c=bw n=1\ngo\n");
}

#[test]
fn further_pairs_go_along_and_may_replace_the_advice() {
    let mut dialogue = seated(&["protocol 1"]);
    let limits = clocks();
    let pairs = Pairs::new().with("delay", 200).with("budget", 7);
    let sent = dialogue.ask(&Ask {
        start: &Start::StartPosition,
        moves: &Moves::new(),
        board: "2/2 p1 n=0",
        legal: &[],
        after: &[],
        limits: &limits,
        pairs: &pairs,
        id: Some(1),
    });
    assert!(sent.ends_with("go p1time 60000 p2time 60000 delay=200 budget=7 id=1\n"), "{sent}");
}

#[test]
fn an_answer_before_the_question_is_stale() {
    let mut dialogue = seated(&["protocol 1"]);
    assert_eq!(dialogue.receive("bestmove a1"), Event::Stale);
    assert_eq!(dialogue.receive("bestmove"), Event::Stale);
    ask(&mut dialogue, &clocks(), None);
    assert!(is_answer(&dialogue.receive("bestmove a2"), "a2"));
    assert_eq!(dialogue.receive("bestmove a2"), Event::Stale, "one question has one answer");
}

#[test]
fn an_answer_with_another_id_is_stale() {
    let mut dialogue = seated(&["protocol 1"]);
    ask(&mut dialogue, &clocks(), Some(17));
    assert_eq!(dialogue.receive("bestmove a1 id=16"), Event::Stale);
    assert_eq!(dialogue.receive("bestmove ?? id=16"), Event::Stale);
    assert!(is_answer(&dialogue.receive("bestmove a2 id=17"), "a2"));
}

#[test]
fn an_expected_reply_may_stand_on_either_side_of_the_id() {
    for answer in ["bestmove a1 ponder b1 id=7", "bestmove a1 id=7 ponder b1"] {
        let mut dialogue = seated(&["protocol 1"]);
        ask(&mut dialogue, &clocks(), Some(7));
        let Event::Answer(answer) = dialogue.receive(answer) else { panic!("`{answer}` is an answer") };
        assert_eq!(answer.to_string(), "bestmove a1 ponder b1 id=7");
    }
}

#[test]
fn a_bot_need_not_echo_the_id() {
    let mut dialogue = seated(&["protocol 1"]);
    ask(&mut dialogue, &clocks(), Some(17));
    assert!(is_answer(&dialogue.receive("bestmove a2"), "a2"));
}

#[test]
fn an_id_that_was_not_asked_for_is_ignored() {
    let mut dialogue = seated(&["protocol 1"]);
    ask(&mut dialogue, &clocks(), None);
    assert!(is_answer(&dialogue.receive("bestmove a2 id=5"), "a2"));
}

#[test]
fn a_bad_answer_closes_the_question() {
    let mut dialogue = seated(&["protocol 1"]);
    ask(&mut dialogue, &clocks(), None);
    assert_eq!(dialogue.receive("bestmove"), Event::BadAnswer(AnswerError::Missing));
    assert_eq!(dialogue.state(), State::Idle);
    ask(&mut dialogue, &clocks(), None);
    let fault = AnswerError::NotAPly { found: "(none)".to_owned() };
    assert_eq!(dialogue.receive("bestmove (none)"), Event::BadAnswer(fault));
    let sent = ask(&mut dialogue, &clocks(), None);
    assert!(!sent.contains("id="), "nothing else is due: {sent}");
    assert!(matches!(dialogue.receive("bestmove resign"), Event::Answer(_)));
}

#[test]
fn everything_before_the_awaited_readyok_is_dropped() {
    let mut dialogue = seated(&["protocol 1"]);
    ask(&mut dialogue, &clocks(), None);
    assert_eq!(dialogue.ready_check(), "isready\n");
    assert_eq!(dialogue.state(), State::Resync);
    assert_eq!(dialogue.receive("info depth 3"), Event::Log);
    assert_eq!(dialogue.receive("bestmove a2"), Event::Stale);
    assert_eq!(dialogue.receive("readyok"), Event::Ready);
    assert_eq!(dialogue.receive("readyok"), Event::Stale);
    ask(&mut dialogue, &clocks(), None);
    assert!(is_answer(&dialogue.receive("bestmove b1"), "b1"));
}

#[test]
fn an_answer_that_was_given_up_may_come_after_readyok() {
    let mut dialogue = seated(&["protocol 1", "can stop"]);
    ask(&mut dialogue, &clocks(), None);
    dialogue.ready_check();
    assert_eq!(dialogue.receive("readyok"), Event::Ready);
    let sent = ask(&mut dialogue, &clocks(), None);
    assert!(sent.ends_with(" id=2\n"), "{sent}");
    assert_eq!(dialogue.receive("bestmove a2"), Event::Stale);
    assert!(is_answer(&dialogue.receive("bestmove b1"), "b1"));
}

#[test]
fn an_echoed_id_tells_the_new_answer_at_once() {
    let mut dialogue = seated(&["protocol 1", "can stop"]);
    ask(&mut dialogue, &clocks(), Some(1));
    dialogue.ready_check();
    dialogue.receive("readyok");
    let sent = ask(&mut dialogue, &clocks(), None);
    assert!(sent.ends_with(" id=2\n"), "{sent}");
    assert!(is_answer(&dialogue.receive("bestmove b1 id=2"), "b1"));
    assert_eq!(dialogue.receive("bestmove a2 id=1"), Event::Stale);
}

#[test]
fn an_old_answer_in_a_new_game_is_told_by_its_id() {
    let mut dialogue = seated(&["protocol 1", "can stop"]);
    assert!(ask(&mut dialogue, &clocks(), None).ends_with(" id=1\n"));
    dialogue.game_over(&AnnouncedResult::Win(SeatNumber::P2), "timeout", &Pairs::new());
    dialogue.set_up(&game());
    assert_eq!(dialogue.receive("readyok"), Event::Ready);
    assert!(ask(&mut dialogue, &clocks(), None).ends_with(" id=2\n"));
    assert_eq!(dialogue.receive("bestmove a2 id=1"), Event::Stale);
    assert!(is_answer(&dialogue.receive("bestmove b1 id=2"), "b1"));
    // Nor does a bot lose by not echoing it.
    assert!(ask(&mut dialogue, &clocks(), None).ends_with(" id=3\n"));
    assert!(is_answer(&dialogue.receive("bestmove a2"), "a2"));
}

#[test]
fn a_new_game_owes_nothing_to_the_last_one() {
    let mut dialogue = seated(&["protocol 1", "can stop"]);
    ask(&mut dialogue, &clocks(), None);
    dialogue.game_over(&AnnouncedResult::Win(SeatNumber::P2), "timeout", &Pairs::new());
    dialogue.set_up(&game());
    assert_eq!(dialogue.receive("readyok"), Event::Ready);
    ask(&mut dialogue, &clocks(), None);
    assert!(is_answer(&dialogue.receive("bestmove b1"), "b1"));
}

#[test]
fn a_ping_leaves_the_question_open() {
    let mut dialogue = seated(&["protocol 1", "can stop"]);
    ask(&mut dialogue, &clocks(), None);
    dialogue.ping();
    assert_eq!(dialogue.receive("readyok"), Event::Ready);
    assert_eq!(dialogue.state(), State::Thinking);
    assert!(is_answer(&dialogue.receive("bestmove b1"), "b1"));
}

#[test]
fn a_bot_may_reject_a_game_with_or_without_readyok() {
    for also_ready in [true, false] {
        let mut dialogue = greeted(&["protocol 1"]);
        dialogue.set_up(&game());
        let Event::Rejected(reject) = dialogue.receive("reject unsupported : only 8x8") else {
            panic!("a reject")
        };
        assert_eq!((reject.code.as_str(), reject.text.as_deref()), ("unsupported", Some("only 8x8")));
        assert_eq!(dialogue.receive("reject unsupported"), Event::Unexpected);
        if also_ready {
            assert_eq!(dialogue.receive("readyok"), Event::Stale);
        }
        dialogue.set_up(&game());
        assert_eq!(dialogue.receive("readyok"), Event::Ready);
    }
}

#[test]
fn declarations_count_in_the_handshake_only() {
    let mut dialogue = Dialogue::new(Profile::default());
    assert_eq!(dialogue.receive("id name Early"), Event::Unexpected);
    assert_eq!(dialogue.receive("ugiok"), Event::Unexpected);
    let mut dialogue = seated(&["protocol 1", "id name One"]);
    for line in ["id name Two", "protocol 0", "can stop", "ugiok"] {
        assert_eq!(dialogue.receive(line), Event::Unexpected, "{line}");
    }
    assert_eq!(dialogue.identity().name.as_deref(), Some("One"));
    assert_eq!(dialogue.protocol(), 1);
}

#[test]
fn what_is_kept_of_a_handshake_is_bounded() {
    let mut dialogue = Dialogue::new(Profile::default());
    dialogue.hello();
    dialogue.receive(&format!("id name {}", "x".repeat(60_000)));
    assert_eq!(dialogue.identity().name.as_ref().map(String::len), Some(protocol::MAX_IDENTITY_CHARS));
    let kept = (0..2000)
        .filter(|n| dialogue.receive(&format!("option name O{n} type button")) == Event::Declared)
        .count();
    assert_eq!(kept, protocol::MAX_HANDSHAKE_LINES - 1);
    assert_eq!(dialogue.receive("ugiok"), Event::HelloDone, "the handshake ends all the same");

    let mut dialogue = Dialogue::new(Profile::default());
    dialogue.hello();
    let long = "y".repeat(60_000);
    let kept = (0..100).filter(|_| dialogue.receive(&format!("id author {long}")) == Event::Declared).count();
    assert_eq!(kept, protocol::MAX_HANDSHAKE_BYTES / 60_010);
}

#[test]
fn what_is_declared_twice_adds_up_or_is_replaced() {
    let dialogue = greeted(&[
        "protocol 1",
        "can stop stop",
        "can depth stop",
        "want legal",
        "want board legal",
        "plays farook",
        "plays faust:size=8",
        "option name Hash type button",
        "option name Hash type spin default 1 min 1 max 2",
    ]);
    let identity = dialogue.identity();
    assert_eq!(identity.abilities, ["stop", "depth"]);
    assert_eq!(identity.wants, ["legal", "board"]);
    assert_eq!(identity.options.len(), 1);
    assert!(identity.plays("farook", &[], None));
    assert!(identity.plays("faust", &[("size".to_owned(), "8".to_owned())], None));
    assert!(identity.setting("Hash", "2").is_ok());
}

#[test]
fn a_bot_that_does_not_say_what_it_plays_plays_anything() {
    assert!(greeted(&["protocol 1"]).identity().plays("chess", &[], None));
    assert!(!greeted(&["protocol 1", "plays farook Chess"]).identity().plays("chess", &[], None));
}

#[test]
fn a_malformed_line_is_named_and_dropped() {
    let mut dialogue = Dialogue::new(Profile::default());
    dialogue.hello();
    assert!(matches!(dialogue.receive("protocol one"), Event::Malformed(_)));
    assert_eq!(dialogue.receive("ugiok"), Event::HelloDone);
    assert!(matches!(dialogue.receive("error bad-line : what"), Event::Complaint(_)));
}

#[test]
fn texts_cannot_break_a_line() {
    let mut dialogue = greeted(&["protocol 1", "can query", "want played"]);
    let pairs = Pairs::new().with("move", "a1\nquit");
    let sent = [
        dialogue.error("bad-move", &pairs, "not\na move\r\u{202e}"),
        dialogue.game_over(&AnnouncedResult::None, "aborted", &pairs),
        dialogue.query("legal\nquit").expect("the bot can be asked"),
        dialogue.played(SeatNumber::P1, "a1\nquit", &pairs).expect("the bot wants it"),
        dialogue.after_hello(&[], "my\narena", "0 1").expect("no option is set"),
    ];
    for text in sent {
        assert_eq!(text.lines().count(), 1, "{text}");
        assert!(text.ends_with('\n') && !text.contains('\u{202e}'), "{text}");
    }
}
