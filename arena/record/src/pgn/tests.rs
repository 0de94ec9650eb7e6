use std::collections::BTreeMap;

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use rules::{Catalogue, PerSeat, Reason};

use super::*;
use crate::{InfoRecord, LoggedGame, RunConfig, SeatRecord, Termination};

fn seat_record(bot: &str, version: &str, tc: &str) -> SeatRecord {
    SeatRecord {
        bot: bot.to_owned(),
        version: version.to_owned(),
        digest: String::new(),
        tc: tc.to_owned().into(),
        seed: 0,
        overruns: 0,
        retries: 0,
        warnings: Vec::new(),
        exit: None,
        cpu_ms: None,
        peak_kib: None,
        out: None,
    }
}

fn ply(ply: &str, seat: u8, turn: u32) -> PlyRecord {
    PlyRecord {
        ply: ply.to_owned(),
        san: None,
        seat,
        turn,
        of: None,
        us: None,
        used: None,
        clock: None,
        info: None,
        fallback: false,
    }
}

fn timed(token: &str, seat: u8, turn: u32, us: u64, clock: u64) -> PlyRecord {
    PlyRecord { us: Some(us), clock: Some(clock), ..ply(token, seat, turn) }
}

/// A game with an opening ply, clocks and an evaluation.
fn game() -> GameRecord {
    let info = InfoRecord { depth: Some(9), cp: Some(35), mate: None, nodes: Some(1), text: None };
    let mut plies = vec![
        ply("c2b2+", 1, 1),
        timed("a3a2+", 2, 2, 1234, 60_499),
        timed("b2a1-", 1, 3, 400, 60_999),
        timed("b3b2+c3-c2+", 2, 4, 89_000_000, 3_600_999),
    ];
    plies[2].info = Some(info);
    GameRecord {
        number: 7,
        pair: 4,
        leg: 2,
        round: 1,
        game: "fanorona".to_owned(),
        options: BTreeMap::from([("size".to_owned(), "3x3".to_owned())]),
        label: "fanorona size=3x3".to_owned(),
        start: Some("bbb/b1w/www p1 quiet=0".to_owned()),
        seats: [seat_record("PyRandom", "", "60+0.5"), seat_record("PyGreedy", "1.2", "60+0.5")].into(),
        opening: 1,
        plies,
        result: GameResult::P2Win,
        reason: Termination::Rules(Reason::NoStones),
        detail: None,
        failed: None,
        started: "2026-11-21T09:30:05.123Z".to_owned(),
        seconds: 1.5,
        gathered: None,
        worker: None,
    }
}

fn run() -> RunRecord {
    RunRecord {
        format: 1,
        arena: "0.1.0".to_owned(),
        rules: String::new(),
        written: String::new(),
        from_pair: None,
        config: RunConfig {
            name: "local match".to_owned(),
            format: settings::Format::RoundRobin.into(),
            sprt: None,
            schedule: None,
            pairing: None,
            rounds: 1,
            seed: 1,
            games: Vec::new(),
            bots: Vec::new(),
            adjudicate: settings::Adjudication::default(),
            settings: settings::Conditions::default(),
        },
    }
}

fn log_of(game: &GameRecord, form: PgnForm) -> String {
    PgnGame::from_record(game, Some(&run()), &Catalogue::default()).write(form)
}

fn movetext(game: &GameRecord, form: PgnForm) -> String {
    let log = log_of(game, form);
    log.split_once("\n\n").expect("an empty line after the tags").1.to_owned()
}

#[test]
fn a_game_is_written_as_the_specification_shows_it() {
    let specification = include_str!("../../../../protocol-spec/results.md");
    let example = specification.split_once("```pgn\n").and_then(|(_, rest)| rest.split_once("```"));
    let (example, _) = example.expect("the specification shows a game");
    assert_eq!(log_of(&game(), PgnForm::Native), format!("{example}\n"));
}

#[test]
fn the_safe_form_hides_plies_behind_moves_of_chess() {
    let expected = "1. Nf3 {[%mv c2b2+] [%opening]} 1... Nf6 {[%mv a3a2+] [%emt 0:00:00.001]\n\
                    [%clk 0:01:00.499]} 2. Ng1";
    let text = movetext(&game(), PgnForm::Safe);
    assert!(text.starts_with(expected), "{text}");
    let log = log_of(&game(), PgnForm::Safe);
    assert!(log.contains("[ArenaVariant \"fanorona\"]\n") && !log.contains("[Variant "), "{log}");
    let [native, safe] = [PgnForm::Native, PgnForm::Safe]
        .map(|form| PgnReader::new(&log_of(&game(), form)).next().expect("a game").expect("a good game"));
    assert_eq!(native, safe);
}

#[test]
fn what_a_bot_said_stands_beside_its_ply() {
    let mut game = game();
    game.plies[2].info.as_mut().expect("it spoke").text =
        Some("book {[%mv a1]} 100% sure \u{1b}[2J".to_owned());
    game.detail = Some("it ended".to_owned());
    let expected = "[%clk 0:01:00.999] [%said] book\n\\x7b[\\x25mv a1]\\x7d 100% sure \\x1b[2J} 2... b3b2";
    for form in [PgnForm::Native, PgnForm::Safe] {
        let log = log_of(&game, form);
        let read = PgnReader::new(&log).next().expect("a game").expect("a good game");
        let texts: Vec<_> = read.plies.iter().map(|ply| ply.text.as_deref()).collect();
        assert_eq!(texts, [None, None, Some("book \\x7b[\\x25mv a1]\\x7d 100% sure \\x1b[2J"), None]);
        assert_eq!(read.comment.as_deref(), Some("it ended"));
        assert!(form == PgnForm::Safe || log.contains(expected), "{log}");
    }
}

/// An earlier version wrote this form.
#[test]
fn null_moves_with_plies_are_read_too() {
    let safe = log_of(&game(), PgnForm::Safe);
    let old =
        ["Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "].iter().fold(safe.clone(), |log, knight| log.replace(knight, "-- "));
    let old = old.replace("[ArenaVariant ", "[Variant ");
    assert!(old.contains("1. -- {[%mv c2b2+]"), "{old}");
    let read = |log: &str| PgnReader::new(log).next().expect("a game").expect("a good game");
    assert_eq!(read(&old), read(&safe));
}

#[test]
fn turns_of_several_plies_and_decisions_in_anothers_turn_are_told_apart() {
    let plies = vec![
        ply("Sd4", 1, 1),
        ply("Se6", 1, 1),
        ply("c2c1", 2, 2),
        PlyRecord { of: Some(2), ..ply("keep=a3", 1, 2) },
        ply("d4c4", 1, 3),
    ];
    let game = GameRecord { plies, opening: 0, ..game() };
    assert_eq!(movetext(&game, PgnForm::Native), "1. Sd4 Se6 1... c2c1 {[%p 1]} keep=a3 2. d4c4 0-1\n\n");
    let read = PgnReader::new(&log_of(&game, PgnForm::Native)).next().expect("a game").expect("a good game");
    let turns: Vec<_> = read.plies.iter().map(|ply| (ply.turn, ply.seat, ply.owner)).collect();
    let (p1, p2) = (Seat::P1, Seat::P2);
    assert_eq!(turns, [(1, p1, p1), (1, p1, p1), (2, p2, p2), (2, p1, p2), (3, p1, p1)]);
}

#[test]
fn a_game_that_p2_begins_starts_with_three_dots() {
    let game = GameRecord { plies: vec![ply("a1a2", 2, 1), ply("b1b2", 1, 2)], opening: 0, ..game() };
    assert_eq!(movetext(&game, PgnForm::Native), "1... a1a2 2. b1b2 0-1\n\n");
}

#[test]
fn a_game_without_plies_is_its_result() {
    let game = GameRecord { plies: Vec::new(), result: GameResult::None, ..game() };
    assert_eq!(movetext(&game, PgnForm::Native), "*\n\n");
}

#[test]
fn time_controls_that_pgn_cannot_say_stand_in_tags_of_their_own() {
    let seats = [seat_record("a", "", "40/60:30+1, nodes 1000"), seat_record("b", "", "movetime 100ms")];
    let log = log_of(&GameRecord { seats: seats.into(), ..game() }, PgnForm::Native);
    let expected = "[WhiteTimeControl \"40/60:30+1\"]\n[BlackTimeControl \"-\"]\n\
                    [WhiteLimits \"nodes 1000\"]\n[BlackLimits \"movetime 100ms\"]\n";
    assert!(log.contains(expected), "{log}");
}

#[test]
fn hostile_text_stays_inside_its_tag_and_its_comment() {
    let seats = [seat_record("x\"]\n[Result \"1-0\"]\\", "", ""), seat_record("\u{1b}[2J\u{202e}", "", "")];
    let detail = Some("} 1-0 {[%mv a1]\n% 100% \u{7}".to_owned());
    let game = GameRecord { seats: seats.into(), detail, plies: Vec::new(), ..game() };
    let log = log_of(&game, PgnForm::Native);
    assert!(log.contains(r#"[White "x\"]\\x0a[Result \"1-0\"]\\"]"#), "{log}");
    assert!(log.contains(r#"[Black "\\x1b[2J\\u{202e}"]"#), "{log}");
    assert!(log.ends_with("\n{\\x7d 1-0 \\x7b[\\x25mv a1] \\x25 100% \\x07} 0-1\n\n"), "{log}");
}

#[test]
fn everything_that_is_not_a_ply_is_skipped() {
    let text = "; a log\n% an escape\n[Variant \"faust\"]\n\n1. a1! $3 (1. b2 (1. c3) {x}) ; fine\n1... b2 {[%csl Ga1]}\n% more\n*\n";
    let game = PgnReader::new(text).next().expect("a game").expect("a good game");
    assert_eq!(game.plies.iter().map(|ply| ply.ply.as_str()).collect::<Vec<_>>(), ["a1", "b2"]);
    assert_eq!(game.comment.as_deref(), Some("fine"));
}

#[test]
fn every_error_names_its_line() {
    let check = |text: &str, expected: &str| {
        let mut reader = PgnReader::new(text);
        let error = reader.by_ref().find_map(Result::err).expect("an error");
        assert_eq!(error.to_string(), expected);
        assert!(reader.next().is_none());
    };
    check("[A \"b\"]\n\n1. a1\n", "line 4: the game ends without a result");
    check("1. a1 {oh", "line 1: a comment that is never closed");
    check("\n[A \"b\n\"]", "line 2: a string that is not closed on its line");
    check("[A \"\\n\"]", "line 1: a backslash that escapes neither a quote nor a backslash");
    check("[A b]", "line 1: the tag `A` has no value in quotes");
    check("[\"A\"]", "line 1: a tag without a name");
    check("[A \"b\" *", "line 1: the tag `A` is not closed");
    check("* 1. a1\n[A \"b\"]", "line 2: a tag before the result of the game above");
    check("1. a1 ) *", "line 1: a `)` without its `(`");
    check("1. ü *", "line 1: unexpected `\\u{fc}`");
    check("a1 *", "line 1: the ply `a1` before the number of its turn");
    check("99999999999. a1 *", "line 1: `99999999999` is too large for the number of a turn");
    check("1. 2-0 *", "line 1: `2-0` is neither a ply nor a result");
    check("1. --\n1... a1 *", "line 2: a null move without its ply in `%mv`");
    check("1. a1 {[%clk 1:60:00]} *", "line 1: `1:60:00` is not a value of `%clk`");
    check("1. a1 {[%eval}] *", "line 1: a command that is not closed by `]`");
    check("1. {[%opening]} a1 *", "line 1: `[%opening]` before the first ply");
    check("[Result \"1-0\"]\n\n1. a1 0-1", "line 3: the result is `0-1` here and `1-0` in the tags");
}

/// Text of any kind, often with PGN's special characters.
fn hostile() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        "[a-z]{1,8}",
        Just("[%mv a1]".to_owned()),
        "[{}\"\\\\;%\\[\\]()*$.\n\t -]{1,4}",
        "[a-z]{70,90}",
        any::<String>()
    ];
    vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

fn any_ply() -> impl Strategy<Value = PlyRecord> {
    let info = option::of((
        option::of(any::<u64>()),
        option::of(any::<i64>()),
        option::of(any::<i64>()),
        option::of(hostile()),
    ));
    let token = prop_oneof!["[a-zA-Z][0-9][a-z0-9+=:_#-]{0,12}", hostile()];
    (
        token,
        option::of(prop_oneof!["[KQRBN]?[a-h][1-8][+#]?".prop_map(String::from), hostile()]),
        0..3_u8,
        0..4_u32,
        option::of(0..3_u8),
        option::of(any::<u64>()),
        option::of(any::<u64>()),
        info,
        any::<bool>(),
    )
        .prop_map(|(ply, san, seat, turn, of, us, clock, info, fallback)| PlyRecord {
            ply,
            san,
            seat,
            turn,
            of,
            us,
            used: None,
            clock,
            info: info.map(|(depth, cp, mate, text)| InfoRecord { depth, cp, mate, nodes: None, text }),
            fallback,
        })
}

fn any_game() -> impl Strategy<Value = GameRecord> {
    let result = prop_oneof![
        Just(GameResult::P1Win),
        Just(GameResult::P2Win),
        Just(GameResult::Draw),
        Just(GameResult::None)
    ];
    (vec(hostile(), 6), vec(any_ply(), 0..20), result, option::of(hostile()), 0..4_u32).prop_map(
        |(names, plies, result, detail, opening)| GameRecord {
            game: names[0].clone(),
            start: Some(names[1].clone()),
            seats: [
                seat_record(&names[2], &names[3], &names[4]),
                seat_record(&names[3], &names[5], &names[0]),
            ]
            .into(),
            options: BTreeMap::from([(names[4].clone(), names[5].clone())]),
            started: names[5].clone(),
            plies,
            result,
            detail,
            opening,
            ..game()
        },
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(games in vec(any_game(), 0..3)) {
        let games: Vec<_> = games.iter().map(|game| PgnGame::from_record(game, None, &Catalogue::default())).collect();
        for form in [PgnForm::Native, PgnForm::Safe] {
            let log: String = games.iter().map(|game| game.write(form)).collect();
            let read: Vec<_> = PgnReader::new(&log).collect::<Result<_, _>>().expect("a good log");
            let mut expected = games.clone();
            if form == PgnForm::Safe {
                // There is room for the ply alone.
                expected.iter_mut().flat_map(|game| &mut game.plies).for_each(|ply| ply.san = None);
            }
            prop_assert_eq!(&read, &expected);
            for line in log.lines().filter(|line| !line.starts_with('[')) {
                // Only a ply longer than a line produces one.
                let is_one_word = !line.trim_start_matches("{[%mv ").trim_start_matches("{[%ply ").contains(' ');
                prop_assert!(line.chars().count() < 80 || is_one_word, "{}", line);
            }
        }
    }

    #[test]
    fn a_writer_of_records_writes_what_a_game_of_each_writes(games in vec(any_game(), 0..4)) {
        let (run, catalogue) = (run(), Catalogue::default());
        for (form, run) in [(PgnForm::Native, None), (PgnForm::Safe, None), (PgnForm::Native, Some(&run))] {
            let mut writer = PgnWriter::new(run, &catalogue, form);
            let (mut log, mut expected) = (Vec::new(), String::new());
            for game in &games {
                writer.write(game, &mut log);
                expected += &PgnGame::from_record(game, run, &catalogue).write(form);
            }
            prop_assert_eq!(str::from_utf8(&log), Ok(expected.as_str()));
        }
    }

    #[test]
    fn no_text_makes_the_reader_panic(text in hostile(), cut in 0..400_usize) {
        for game in PgnReader::new(&text).flatten() {
            let _ = game.write(PgnForm::Native);
        }
        let log = log_of(&game(), PgnForm::Native);
        let cut: String = log.chars().take(cut).chain(text.chars()).collect();
        let _ = PgnReader::new(&cut).count();
    }
}

/// A game of plies chosen by a small generator, as the match loop records it.
fn played(setup: &rules::Setup) -> GameRecord {
    let mut referee = setup.referee(None).expect("the start");
    let mut plies = Vec::new();
    let mut turn = 0;
    let mut random = 7_u64;
    while plies.len() < 80 && referee.outcome().is_none() {
        let legal = referee.legal();
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let token = &legal[(random >> 33) as usize % legal.len()];
        let (seat, owner) = (referee.seat(), referee.turn());
        turn += u32::from(owner.is_fresh);
        let of = (owner.seat != seat).then_some(owner.seat.index() as u8 + 1);
        plies.push(PlyRecord { of, ..ply(token, seat.index() as u8 + 1, turn) });
        referee.submit(token).expect("a legal ply");
    }
    let options = setup.options().iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    GameRecord { game: setup.game().id.to_owned(), options, start: None, plies, ..game() }
}

#[test]
fn games_of_every_kind_can_be_replayed_from_their_logs() {
    for kind in rules::GAMES {
        let record = played(&kind.setup(&[]).expect("the defaults"));
        let log = log_of(&record, PgnForm::Native);
        let game = PgnReader::new(&log).next().expect("a game").expect("a good game");
        let id = game.tag("Variant").expect("the game's id");
        let setup = rules::find(id).expect("a game").setup(&game.options()).expect("its options");
        let mut referee = setup.referee(game.tag("StartPosition")).expect("the start");
        for (ply, recorded) in game.plies.iter().zip(&record.plies) {
            assert_eq!((ply.seat, ply.owner), (referee.seat(), referee.turn().seat), "{id}");
            assert_eq!(ply.turn, recorded.turn, "{id}");
            referee.submit(&ply.ply).expect("a legal ply");
        }
        assert_eq!(game.plies.len(), record.plies.len(), "{id}");
    }
}

/// Returns a game of chess, the configuration of its run, and the text of its log.
fn chess(start: Option<&str>, form: PgnForm) -> (GameRecord, String) {
    let mut run = run();
    let rules = serde_json::json!({"digest": "d", "game": "chess", "command": ["./chess"], "pgn": "chess"});
    let config = serde_json::json!({"game": "my-chess", "options": {}, "label": "my-chess", "tc": "nodes 1",
        "openings": {}, "rules": rules});
    run.config.games = vec![serde_json::from_value(config).expect("the configuration of a game")];
    let spelled = |token: &str, san: &str, seat, turn| PlyRecord {
        san: Some(san.to_owned()),
        ..ply(token, seat, turn)
    };
    let plies = vec![
        spelled("e2e4", "e4", 1, 1),
        spelled("g8f6", "Nf6", 2, 2),
        PlyRecord { us: Some(1500), ..spelled("e1e2", "Ke2", 1, 3) },
    ];
    let (start, options) = (start.map(str::to_owned), BTreeMap::new());
    let record = GameRecord { game: "my-chess".to_owned(), options, start, plies, detail: None, ..game() };
    let mut log = Vec::new();
    PgnWriter::new(Some(&run), &Catalogue::default(), form).write(&record, &mut log);
    (record, String::from_utf8(log).expect("text"))
}

#[test]
fn a_log_of_chess_is_what_chess_programs_read() {
    let fen = "4k1n1/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let (record, log) = chess(Some(fen), PgnForm::Native);
    assert_eq!(chess(Some(fen), PgnForm::Safe).1, log, "the moves of chess are safe as they are");
    assert!(
        log.contains(&format!(
            "[ArenaVariant \"my-chess\"]\n[GameOptions \"-\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n"
        )),
        "{log}"
    );
    assert!(!log.contains("[Variant ") && !log.contains("[StartPosition "), "{log}");
    let moves = "1. e4 {[%ply e2e4] [%opening]} 1... Nf6 {[%ply g8f6]} 2. Ke2 {[%ply e1e2]\n[%emt 0:00:00.002]} 0-1\n\n";
    assert!(log.ends_with(moves), "{log}");
    let read = PgnReader::new(&log).next().expect("a game").expect("a good game");
    assert_eq!((read.tag("Variant"), read.tag("FEN")), (Some("my-chess"), Some(fen)));
    let plies: Vec<_> = read.plies.iter().map(|ply| (ply.ply.as_str(), ply.san.as_deref())).collect();
    assert_eq!(plies, [("e2e4", Some("e4")), ("g8f6", Some("Nf6")), ("e1e2", Some("Ke2"))]);
    assert_eq!(read.write(PgnForm::Native), log);
    // A game from the usual start has no start tag.
    let (_, log) = chess(None, PgnForm::Native);
    assert!(!log.contains("[FEN ") && !log.contains("[SetUp "), "{log}");
    assert_eq!(record.plies.len(), read.plies.len());
}

/// A game of three seats, in which a turn has two plies and a seat decides during another seat's turn.
fn table() -> GameRecord {
    let seats = ["a", "b", "c"].map(|bot| seat_record(bot, "", "60+0.5"));
    let decided = PlyRecord { of: Some(2), ..ply("keep=c3", 3, 2) };
    let plies =
        vec![ply("a1", 1, 1), ply("b2", 2, 2), decided, ply("c3", 3, 3), ply("d4", 3, 3), ply("e5", 2, 4)];
    GameRecord {
        seats: PerSeat::try_from(Vec::from(seats)).expect("three seats"),
        plies,
        opening: 0,
        result: GameResult::Places("2,1,3".parse().expect("places")),
        ..game()
    }
}

#[test]
fn a_table_of_three_is_read_back_as_it_was_written() {
    let written = PgnGame::from_record(&table(), None, &Catalogue::default());
    let text = written.write(PgnForm::Native);
    for line in ["[Player1 \"a\"]", "[Player3 \"c\"]", "[Result \"*\"]", "[Places \"2,1,3\"]"] {
        assert!(text.contains(line), "{text}");
    }
    let moves = "1. a1 2. {[%turn 2]} b2 {[%p 3]} keep=c3 3. {[%turn 3]} c3 d4 4. {[%turn 2]} e5\n*";
    assert!(text.contains(moves), "{text}");
    let read = PgnReader::new(&text).next().expect("a game").expect("a log");
    assert_eq!((read.result, &read.plies), (table().result, &written.plies));
    let mut seen = Vec::new();
    let mut note = |game: &LoggedGame<'_>| {
        seen.push((game.seats.len(), game.seats[2].name.to_string(), game.result, game.pair.is_some()));
    };
    PgnScanner::new(text.as_bytes()).visit(&mut note).expect("a log");
    assert_eq!(seen, [(3, "c".to_owned(), table().result, true)]);
}

#[test]
fn a_table_has_no_safe_form() {
    let (catalogue, mut out) = (Catalogue::default(), Vec::new());
    assert!(!PgnWriter::new(None, &catalogue, PgnForm::Safe).write(&table(), &mut out));
    assert!(out.is_empty());
    assert!(PgnWriter::new(None, &catalogue, PgnForm::Native).write(&table(), &mut out));
    assert!(!out.is_empty());
}
