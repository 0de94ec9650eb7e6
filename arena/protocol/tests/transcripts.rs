//! The conversations of the specification, held by a `Dialogue` and a `Session`.

use protocol::{
    ArenaMessage, Ask, Dialogue, Event, Go, Outcome, Pairs, PositionMessage, Profile, Request, SeatNumber,
    Session,
};

/// The lines of a transcript: who speaks, and what.
fn lines(transcript: &str) -> impl Iterator<Item = (char, &str)> {
    transcript.lines().map(|line| (line.chars().next().unwrap_or('#'), line.get(2..).unwrap_or_default()))
}

/// Returns a dialogue with a bot that wants these lines.
fn greeted(wants: &str) -> Dialogue {
    let mut dialogue = Dialogue::new(Profile::default());
    dialogue.hello();
    for line in ["id name Test", "protocol 1", "plays *", wants] {
        dialogue.receive(line);
    }
    assert_eq!(dialogue.receive("ugiok"), Event::HelloDone);
    dialogue
}

/// Puts the question that these lines are, and checks that the dialogue and the bot's session agree.
fn check_question(dialogue: &mut Dialogue, session: &mut Session, expected: &[&str]) {
    let mut last = None;
    for line in expected {
        last = session.receive(line).expect("the transcript is valid");
    }
    let Some(Request::Go(question)) = last else { panic!("a question ends in `go`: {expected:?}") };
    let PositionMessage { start, moves } = question.position.expect("a question has a position");
    let moves: Vec<String> = moves.iter().map(ToString::to_string).collect();
    let legal: Vec<String> = question.legal.iter().flatten().map(ToString::to_string).collect();
    let text = dialogue.ask(&Ask {
        start: &start,
        moves: &moves,
        board: question.board.as_deref().unwrap_or("1 p1"),
        legal: &legal,
        after: &question.after,
        limits: &question.limits,
        pairs: &Pairs::new(),
        id: None,
    });
    assert_eq!(text.lines().collect::<Vec<_>>(), expected);
}

fn check_answer(dialogue: &mut Dialogue, line: &str) {
    match dialogue.receive(line) {
        Event::Answer(answer) => assert_eq!(answer.to_string(), line),
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn the_handshake_is_held_as_written() {
    let mut dialogue = Dialogue::new(Profile::default());
    let mut sent = dialogue.hello();
    for (speaker, line) in lines(include_str!("data/handshake.abp")) {
        match speaker {
            '>' => {
                if sent.is_empty() {
                    let options = [("Hash".to_owned(), "64".to_owned())];
                    sent = dialogue.after_hello(&options, "arena", "0.1.0").expect("the option is declared");
                }
                sent = sent.strip_prefix(&format!("{line}\n")).expect(line).to_owned();
            }
            '<' => {
                let expected = if line == "ugiok" { Event::HelloDone } else { Event::Declared };
                assert_eq!(dialogue.receive(line), expected);
            }
            _ => {}
        }
    }
    let identity = dialogue.identity();
    assert_eq!(identity.name.as_deref(), Some("Piranha 0.3"));
    let size = |size: &str| [("size".to_owned(), size.to_owned())];
    assert!(identity.plays("fanorona", &size("3x3")));
    assert!(!identity.plays("fanorona", &size("7x5")));
    assert!(!identity.plays("sophia", &[]));
}

#[test]
fn the_set_up_is_held_as_written() {
    let transcript = include_str!("data/set-up.abp");
    let mut dialogue = greeted("want legal");
    let (_, game) = lines(transcript).find(|(speaker, _)| *speaker == '>').expect("a first line");
    let Ok(ArenaMessage::Game(game)) = ArenaMessage::parse(game) else { panic!("a game") };
    let expected: Vec<&str> =
        lines(transcript).filter(|(speaker, _)| *speaker == '>').map(|(_, line)| line).collect();
    assert_eq!(dialogue.set_up(&game).lines().collect::<Vec<_>>(), expected);
    assert_eq!(dialogue.receive("readyok"), Event::Ready);
}

#[test]
fn the_turn_is_held_as_written() {
    let mut dialogue = greeted("want board legal");
    let mut game = protocol::GameSetup::new("fanorona");
    game.you = Some(SeatNumber::P1);
    dialogue.set_up(&game);
    dialogue.receive("readyok");
    let transcript = include_str!("data/turn.abp");
    let asked: Vec<&str> =
        lines(transcript).filter(|(speaker, _)| *speaker == '>').map(|(_, line)| line).collect();
    check_question(&mut dialogue, &mut Session::new(), &asked);
    for (_, line) in lines(transcript).filter(|(speaker, _)| *speaker == '<') {
        match dialogue.receive(line) {
            Event::Info(info) => assert_eq!(info.to_string(), line),
            Event::Answer(answer) => assert_eq!(answer.to_string(), line),
            other => panic!("{line}: {other:?}"),
        }
    }
}

#[test]
fn the_positions_after_all_plies_are_told_as_written() {
    let mut dialogue = greeted("want after");
    let mut session = Session::new();
    let mut game = protocol::GameSetup::new("fanorona");
    game.you = Some(SeatNumber::P2);
    dialogue.set_up(&game);
    dialogue.receive("readyok");
    let transcript = include_str!("data/after.abp");
    let asked: Vec<&str> =
        lines(transcript).filter(|(speaker, _)| *speaker == '>').map(|(_, line)| line).collect();
    check_question(&mut dialogue, &mut session, &asked);
    for (_, line) in lines(transcript).filter(|(speaker, _)| *speaker == '<') {
        check_answer(&mut dialogue, line);
    }
    let Ok(Some(Request::Go(question))) = session.receive("go") else { panic!("a question") };
    let winning = question.after.iter().filter(|after| after.end.is_some());
    assert_eq!(winning.map(|after| after.ply.as_str()).collect::<Vec<_>>(), ["b3b2+c3-c2+"]);
}

#[test]
fn errors_and_the_end_are_told_as_written() {
    let mut dialogue = greeted("want legal");
    let pairs = Pairs::new().with("move", "a2a4").with("ply", 17).with("try", "1/3");
    let mut sent = dialogue.error("illegal-move", &pairs, "a wild stone cannot jump");
    sent +=
        &dialogue.game_over(Outcome::Win(SeatNumber::P2), "illegal-move", &Pairs::new().with("plies", 17));
    let expected: Vec<&str> = lines(include_str!("data/errors.abp"))
        .filter(|(speaker, _)| *speaker == '>')
        .map(|(_, line)| line)
        .collect();
    assert_eq!(sent.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn the_game_of_fanorona_is_held_as_written() {
    let transcript = include_str!("data/fanorona.abp");
    let mut one = Dialogue::new(Profile::default());
    let mut two = greeted("want board legal");
    let mut game = protocol::GameSetup::new("fanorona");
    game.you = Some(SeatNumber::P2);
    two.set_up(&game);
    two.receive("readyok");
    let mut sessions = [Session::new(), Session::new()];

    let mut is_two = false;
    let mut expected: Vec<&str> = Vec::new();
    let mut answers = 0;
    for (speaker, line) in lines(transcript) {
        let (dialogue, session) =
            if is_two { (&mut two, &mut sessions[1]) } else { (&mut one, &mut sessions[0]) };
        match (speaker, line) {
            ('#', _) => is_two = line.contains("to p2"),
            ('>', _) => expected.push(line),
            ('<', "readyok") => {
                let Ok(ArenaMessage::Game(game)) = ArenaMessage::parse(expected[1]) else { panic!("a game") };
                let introduction = dialogue.after_hello(&[], "mini", "").expect("no option is set");
                let sent = introduction + &dialogue.set_up(&game);
                assert_eq!(sent.lines().collect::<Vec<_>>(), expected);
                assert_eq!(dialogue.receive(line), Event::Ready);
                expected.clear();
            }
            ('<', _) if line.starts_with("bestmove") => {
                check_question(dialogue, session, &expected);
                check_answer(dialogue, line);
                expected.clear();
                answers += 1;
            }
            ('<', _) => {
                if expected == ["ugi"] {
                    assert_eq!(dialogue.hello(), "ugi\n");
                    expected.clear();
                }
                dialogue.receive(line);
            }
            _ => panic!("{line}"),
        }
    }
    assert_eq!(answers, 4);
    let end = two.game_over(Outcome::Win(SeatNumber::P2), "no-stones", &Pairs::new().with("plies", 4))
        + &two.quit();
    assert_eq!(end.lines().collect::<Vec<_>>(), expected);
}

#[test]
fn turns_of_several_plies_are_held_as_written() {
    let mut answers = Vec::new();
    let mut asked: Vec<&str> = Vec::new();
    let mut you = SeatNumber::P1;
    for (speaker, line) in lines(include_str!("data/turns.abp")) {
        match speaker {
            '>' => match ArenaMessage::parse(line) {
                Ok(ArenaMessage::Game(game)) => {
                    you = game.you.expect("the transcript says who reads");
                    let mut dialogue = greeted("want legal");
                    assert_eq!(dialogue.set_up(&game), format!("{line}\nuginewgame\nisready\n"));
                }
                _ => asked.push(line),
            },
            '<' => {
                let has_board = asked.iter().any(|line| line.starts_with("board"));
                let mut dialogue = greeted(if has_board { "want board legal" } else { "want legal" });
                let mut game = protocol::GameSetup::new("any");
                game.you = Some(you);
                dialogue.set_up(&game);
                dialogue.receive("readyok");
                check_question(&mut dialogue, &mut Session::new(), &asked);
                asked.clear();
                match dialogue.receive(line) {
                    Event::Answer(answer) => answers.push(answer.plies().len()),
                    other => panic!("{line}: {other:?}"),
                }
            }
            _ => {}
        }
    }
    assert_eq!(answers, [2, 1, 1, 1]);
}

#[test]
fn the_advice_in_every_question_is_that_of_the_specification() {
    let transcripts =
        [include_str!("data/turn.abp"), include_str!("data/fanorona.abp"), include_str!("data/turns.abp")];
    let mut count = 0;
    for (_, line) in transcripts.iter().flat_map(|transcript| lines(transcript)) {
        if let Ok(ArenaMessage::Go(Go { limits, pairs })) = ArenaMessage::parse(line) {
            let budget = pairs.get("budget").expect("every question gives advice");
            let fits = [SeatNumber::P1, SeatNumber::P2].map(|seat| protocol::advise_limits(&limits, seat));
            assert!(fits.iter().flatten().any(|advice| advice.as_millis().to_string() == budget), "{line}");
            count += 1;
        }
    }
    assert_eq!(count, 9);
}
