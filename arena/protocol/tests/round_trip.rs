//! Every message is read back as it was written, whatever it holds.

use std::num::NonZeroU8;
use std::time::Duration;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use protocol::{
    After, AnnouncedResult, ArenaData, ArenaMessage, BestMove, BotMessage, Bound, Choice, Constraint,
    ErrorNotice, GameEnd, GameSetup, GameSpec, Go, GoLimits, IdField, Info, OptionDeclaration, OptionKind,
    OutNotice, Pair, Pairs, Played, PlyToken, PositionMessage, Query, Reject, Score, ScoreValue, SeatClock,
    SeatNumber, SetOption, Start, is_ply_token, normalise,
};

const MAX_INT: u64 = 9_999_999_999_999_999_999;

fn word() -> impl Strategy<Value = String> {
    "[A-Za-z][A-Za-z0-9_.-]{0,12}"
}

fn code() -> impl Strategy<Value = String> {
    "[a-z][a-z0-9-]{0,12}"
}

/// A text of one line in its normal form, which does not look like the start of another text.
fn text() -> impl Strategy<Value = String> {
    "[ -~\u{e4}\u{2014}\u{1f41f}]{1,30}"
        .prop_map(|text| normalise(&text).into_owned())
        .prop_filter("a text has a character", |text| !text.is_empty())
}

fn int() -> impl Strategy<Value = u64> {
    prop_oneof![0..=MAX_INT, 0..100u64]
}

fn sint() -> impl Strategy<Value = i64> {
    -999_999_999_999_999_999..=999_999_999_999_999_999i64
}

fn time() -> impl Strategy<Value = Duration> {
    int().prop_map(Duration::from_millis)
}

fn seat() -> impl Strategy<Value = SeatNumber> {
    (1..=u8::MAX).prop_map(|number| SeatNumber::new(number).expect("the number is not 0"))
}

fn ply() -> impl Strategy<Value = PlyToken> {
    "pass|swap|(keep=)?[A-Za-z]{1,3}[0-9][A-Za-z0-9+=:_#-]{0,12}"
        .prop_map(|token| token.parse().expect("the pattern makes moves"))
}

fn pair() -> impl Strategy<Value = Pair> {
    ("[a-z][a-z0-9_-]{0,8}", "[!-~]{0,12}").prop_map(|(key, value)| Pair::new(&key, value))
}

fn pairs() -> impl Strategy<Value = Pairs> {
    vec(pair(), 0..4).prop_map(Pairs::from_iter)
}

fn pairs_without(keys: &'static [&'static str]) -> impl Strategy<Value = Pairs> {
    vec(pair().prop_filter("another key", move |pair| !keys.contains(&pair.key())), 0..4)
        .prop_map(Pairs::from_iter)
}

fn outcome() -> impl Strategy<Value = AnnouncedResult> {
    prop_oneof![
        seat().prop_map(AnnouncedResult::Win),
        Just(AnnouncedResult::Draw),
        Just(AnnouncedResult::None),
        vec(1..=u8::MAX, 1..9).prop_map(|places| {
            AnnouncedResult::Places(places.into_iter().filter_map(NonZeroU8::new).collect())
        }),
    ]
}

fn end() -> impl Strategy<Value = GameEnd> {
    (outcome(), code(), pairs()).prop_map(|(outcome, code, pairs)| GameEnd { outcome, code, pairs })
}

fn fen() -> impl Strategy<Value = String> {
    ("[A-Za-z0-9]{1,5}(/[A-Za-z0-9]{1,5}){0,4}", seat(), pairs())
        .prop_map(|(rows, seat, pairs)| format!("{rows} {seat}{pairs}"))
}

fn position() -> impl Strategy<Value = PositionMessage> {
    let start = prop_oneof![Just(Start::StartPosition), fen().prop_map(Start::Fen)];
    (start, vec(ply(), 0..5)).prop_map(|(start, moves)| PositionMessage { start, moves })
}

fn clocks() -> impl Strategy<Value = Vec<SeatClock>> {
    let clock =
        (of(time()), of(time())).prop_filter("a clock shows something", |(a, b)| a.is_some() || b.is_some());
    proptest::collection::btree_map(seat(), clock, 0..4).prop_map(|clocks| {
        let clock = |(seat, (remaining, increment))| SeatClock { seat, remaining, increment };
        clocks.into_iter().map(clock).collect()
    })
}

fn go() -> impl Strategy<Value = Go> {
    let numbers = (of(int()), of(time()), of(int()), of(int()));
    (any::<(bool, bool)>(), clocks(), numbers, pairs()).prop_map(
        |((ponder, infinite), clocks, (moves_to_go, move_time, depth, nodes), pairs)| Go {
            limits: GoLimits { ponder, infinite, clocks, moves_to_go, move_time, depth, nodes },
            pairs,
        },
    )
}

fn game() -> impl Strategy<Value = GameSetup> {
    let standard = &["players", "you", "tc", "movetime", "opponent", "seed", "id"];
    let value = || of("[!-~]{0,8}");
    let first = ("[a-z0-9][a-z0-9-]{0,8}", pairs_without(standard), 1..=u8::MAX, of(seat()));
    (first, value(), of(time()), value(), of(any::<u64>()), value()).prop_map(
        |((game, options, players, you), time_control, move_time, opponent, seed, id)| GameSetup {
            game,
            options,
            players,
            you,
            time_control,
            move_time,
            opponent,
            seed,
            id,
        },
    )
}

fn error() -> impl Strategy<Value = ErrorNotice> {
    (code(), pairs(), of(text())).prop_map(|(code, pairs, text)| ErrorNotice { code, pairs, text })
}

fn arena_message() -> impl Strategy<Value = ArenaMessage> {
    prop_oneof![
        Just(ArenaMessage::Hello),
        (int(), pairs_without(&["proto"]))
            .prop_map(|(protocol, pairs)| ArenaMessage::Arena(ArenaData { protocol, pairs })),
        (word(), of(text())).prop_map(|(name, value)| ArenaMessage::SetOption(SetOption { name, value })),
        Just(ArenaMessage::IsReady),
        game().prop_map(ArenaMessage::Game),
        Just(ArenaMessage::NewGame),
        position().prop_map(ArenaMessage::Position),
        fen().prop_map(ArenaMessage::Board),
        vec(ply(), 1..9).prop_map(ArenaMessage::Legal),
        (ply(), fen(), of(end())).prop_map(|(ply, board, end)| ArenaMessage::After(After {
            ply,
            board,
            end
        })),
        go().prop_map(ArenaMessage::Go),
        Just(ArenaMessage::Stop),
        Just(ArenaMessage::PonderHit),
        (word(), vec("[!-~]{1,5}", 0..3))
            .prop_map(|(what, arguments)| ArenaMessage::Query(Query { what, arguments })),
        (seat(), ply(), pairs()).prop_map(|(seat, ply, pairs)| ArenaMessage::Played(Played {
            seat,
            ply,
            pairs
        })),
        error().prop_map(ArenaMessage::Error),
        end().prop_map(ArenaMessage::GameOver),
        (seat(), code(), pairs()).prop_map(|(seat, code, pairs)| ArenaMessage::Out(OutNotice {
            seat,
            code,
            pairs
        })),
        Just(ArenaMessage::Quit),
    ]
}

fn id_field() -> impl Strategy<Value = IdField> {
    prop_oneof![Just(IdField::Name), Just(IdField::Author), Just(IdField::Version), Just(IdField::Language)]
}

fn constraint() -> impl Strategy<Value = Constraint> {
    ("[A-Za-z0-9.*-]{1,6}", vec("[A-Za-z0-9.*-]{0,5}", 0..3))
        .prop_map(|(key, values)| Constraint { key, values })
}

fn game_spec() -> impl Strategy<Value = GameSpec> {
    prop_oneof![
        Just(GameSpec { game: None, constraints: Vec::new() }),
        ("[a-z0-9][a-z0-9-]{0,8}", vec(constraint(), 0..3))
            .prop_map(|(game, constraints)| GameSpec { game: Some(game), constraints }),
    ]
}

fn option_kind() -> impl Strategy<Value = OptionKind> {
    prop_oneof![
        of(any::<bool>()).prop_map(|default| OptionKind::Check { default }),
        (sint(), sint(), sint()).prop_map(|(default, min, max)| OptionKind::Spin { default, min, max }),
        (word(), vec(word(), 1..4)).prop_map(|(default, values)| OptionKind::Combo { default, values }),
        of(text()).prop_map(|default| OptionKind::Text { default }),
        Just(OptionKind::Button),
    ]
}

fn score() -> impl Strategy<Value = Score> {
    let value = prop_oneof![sint().prop_map(ScoreValue::Centipawns), sint().prop_map(ScoreValue::Mate)];
    let bound = of(prop_oneof![Just(Bound::Lower), Just(Bound::Upper)]);
    (value, bound).prop_map(|(value, bound)| Score { value, bound })
}

fn info() -> impl Strategy<Value = Info> {
    let depths = (of(int()), of(int()), of(time()), of(int()));
    let counts = (of(int()), of(int()), of(int()), of(ply()), of(int()));
    (depths, counts, of(score()), pairs(), vec(ply(), 0..5), of(text())).prop_map(
        |((depth, selective_depth, time, nodes), counts, score, pairs, pv, text)| Info {
            depth,
            selective_depth,
            time,
            nodes,
            nodes_per_second: counts.0,
            multi_pv: counts.1,
            hash_full: counts.2,
            current_move: counts.3,
            current_move_number: counts.4,
            score,
            pairs,
            pv,
            text,
        },
    )
}

/// Pairs that cannot be taken for moves.
fn pairs_after_moves() -> impl Strategy<Value = Pairs> {
    let pair = pair().prop_filter("no move", |pair| !is_ply_token(&pair.to_string()));
    vec(pair, 0..3).prop_map(Pairs::from_iter)
}

fn best_move() -> impl Strategy<Value = BestMove> {
    let choice = prop_oneof![vec(ply(), 1..4).prop_map(Choice::Plies), Just(Choice::Resign)];
    (choice, of(ply()), pairs_after_moves()).prop_map(|(choice, ponder, pairs)| BestMove {
        choice,
        ponder,
        pairs,
    })
}

fn bot_message() -> impl Strategy<Value = BotMessage> {
    prop_oneof![
        (id_field(), text()).prop_map(|(field, text)| BotMessage::Id(field, text)),
        int().prop_map(BotMessage::Protocol),
        vec(game_spec(), 1..4).prop_map(BotMessage::Plays),
        vec(word(), 1..4).prop_map(BotMessage::Want),
        vec(word(), 1..4).prop_map(BotMessage::Can),
        (word(), option_kind()).prop_map(|(name, kind)| BotMessage::Option(OptionDeclaration { name, kind })),
        Just(BotMessage::HelloOk),
        Just(BotMessage::ReadyOk),
        info().prop_map(BotMessage::Info),
        best_move().prop_map(BotMessage::BestMove),
        text().prop_map(BotMessage::Response),
        (code(), of(text())).prop_map(|(code, text)| BotMessage::Reject(Reject { code, text })),
        error().prop_map(BotMessage::Error),
        text().prop_map(|text| BotMessage::Log(format!("# {text}"))),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lines_of_the_arena_are_read_as_they_were_written(message in arena_message()) {
        let line = message.to_string();
        prop_assert_eq!(ArenaMessage::parse(&line), Ok(message), "{}", line);
    }

    #[test]
    fn lines_of_bots_are_read_as_they_were_written(message in bot_message()) {
        let line = message.to_string();
        prop_assert_eq!(BotMessage::parse(&line), Ok(message), "{}", line);
    }

    #[test]
    fn blanks_make_no_difference(message in bot_message(), blank in "[ \t]{1,3}") {
        let line = message.to_string();
        let wide = format!("{blank}{}{blank}\r", line.replace(' ', &blank));
        prop_assert_eq!(BotMessage::parse(&wide), Ok(message), "{}", line);
    }
}
