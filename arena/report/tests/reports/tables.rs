//! What the terminal shows.

use insta::assert_snapshot;
use record::Contents;
use record::GameResult::{Draw, P1Win, P2Win};
use report::{Look, RunReport, Tally, faults_text, live_table, report_text, summary_text};

use crate::sample::{Sample, cup, hostile, summary};

/// Returns what stands in a run's summary from one line to another, both left out.
fn section(contents: &Contents, from: &str, to: &str, look: &Look) -> String {
    let text = summary_text(&RunReport::of(&summary(contents)), look);
    let (_, rest) = text.split_once(&format!("\n{from}\n\n")).expect("the section is there");
    rest.split_once(&format!("\n{to}\n")).expect("the next section is there").0.to_owned()
}

const ASCII: Look = Look { width: 80, color: false, ascii: true };

/// Three bots that nobody can put on one scale, one of them with two digests, and one that has not played.
fn untied() -> Contents {
    let mut sample = Sample::new(&["a", "b", "c", "z"], &["farook"]);
    for _ in 0..3 {
        sample.pair("farook", "a", "b", [P1Win, P1Win]);
        sample.pair("farook", "c", "a", [P2Win, P1Win]).pair("farook", "c", "b", [P2Win, P1Win]);
    }
    sample.last().seats[1].digest = "0123456789".to_owned();
    sample.contents
}

#[test]
fn the_summary_is_one_page() {
    assert_snapshot!(summary_text(&RunReport::of(&summary(&cup())), &Look::plain(80)), @r"
cup
round-robin, 4 bots, 2 rulesets, 144 games played

`ada` wins the round robin with 43 of 72 points, 6.5 ahead of `bob`. The
likelihood that it is stronger than `bob` is 84.7%. It scores most in each of
the 2 games.

#  bot        Elo  games  score    W/D/L  as p1  as p2  faults  ms/ply    LOS
─────────────────────────────────────────────────────────────────────────────
1  ada   +53 ± 59     72  59.7%  39/8/25  56.9%  62.5%       -    1.10  84.7%
2  bob    +4 ± 57     72  50.7%  32/9/31  55.6%  45.8%       -    1.10  55.2%
3  dan    -2 ± 60     71  49.3%  31/8/32  52.9%  45.8%       2    1.10  83.8%
4  cleo  -54 ± 63     71  40.1%  25/7/39  44.4%  35.7%       1    1.10      -

Elo counts from the mean of all bots; ± is its 95% error from pairs of games and
shared openings.
LOS is the likelihood of being stronger than the next in rank.
Lost by faults: dan 1 timeout, 1 illegal-move; cleo 1 crash.
1 game has no result and does not count.

game               games  p1 score    p1 Elo  drawn    pairing  plies  seconds
──────────────────────────────────────────────────────────────────────────────
farook                72     45.1%  -35 ± 78   9.7%  costs 15%   11.3      1.5
fanorona size=3x3     71     59.9%  +74 ± 94  12.7%  saves 21%   11.8      1.5

Scores in each game, bots by rank

game                     1        2        3        4
─────────────────────────────────────────────────────
farook             20.5/36    20/36  16.5/36    15/36
fanorona size=3x3  22.5/36  16.5/36  18.5/35  13.5/35

Who beat whom

#  bot       1        2        3        4
─────────────────────────────────────────
1  ada       ·    14/24    13/24    16/24
2  bob   10/24        ·  12.5/24    14/24
3  dan   11/24  11.5/24        ·  12.5/23
4  cleo   8/24    10/24  10.5/23        ·

Do ratings explain the results?

No evidence against it: the results are consistent with the ratings (likelihood
ratio 0.3 with 3 degrees of freedom, p 0.961).
6.0% of the differences in strength are cyclic (HodgeRank); chance alone gives
about 66.1%.
None of the 4 triangles is significantly cyclic (p adjusted for all of them).

Games lost by faults

game  lost by  as  against  after  reason        what happened
────────────────────────────────────────────────────────────────────────────────
  48  dan      p1  cleo        13  timeout       62 ms over the clock; the marg…
  72  dan      p1  cleo        11  illegal-move  `a1\x1b[31m` is not a ply of t…
  96  cleo     p2  dan         11  crash         signal 11

The conversation before each of them: `faults/GAME.txt` in the run's directory.

Faults of each bot

bot   games  faults  refused  withdrawn from  by reason
───────────────────────────────────────────────────────────────────────
cleo     72       1        0               0  crash 1
dan      72       2        0               0  timeout 1, illegal-move 1
");
}

#[test]
fn a_narrow_terminal_shows_what_matters_most() {
    assert_snapshot!(summary_text(&RunReport::of(&summary(&cup())), &Look { width: 40, ..ASCII }), @"
cup
round-robin, 4 bots, 2 rulesets, 144
games played

`ada` wins the round robin with 43 of 72
points, 6.5 ahead of `bob`. The
likelihood that it is stronger than
`bob` is 84.7%. It scores most in each
of the 2 games.

#  bot         Elo  games  score  faults
----------------------------------------
1  ada   +53 +- 59     72  59.7%       -
2  bob    +4 +- 57     72  50.7%       -
3  dan    -2 +- 60     71  49.3%       2
4  cleo  -54 +- 63     71  40.1%       1

Elo counts from the mean of all bots; +-
is its 95% error from pairs of games and
shared openings.
Lost by faults: dan 1 timeout, 1
illegal-move; cleo 1 crash.
1 game has no result and does not count.

game               games  p1 score
----------------------------------
farook                72     45.1%
fanorona size=3x3     71     59.9%

Scores in each game, bots by rank

game                   1      2      3
--------------------------------------
farook             56.9%  55.6%  45.8%
fanorona size=3x3  62.5%  45.8%  52.9%

game                   4
------------------------
farook             41.7%
fanorona size=3x3  38.6%

Who beat whom

#  bot       1      2      3      4
-----------------------------------
1  ada       .  58.3%  54.2%  66.7%
2  bob   41.7%      .  52.1%  58.3%
3  dan   45.8%  47.9%      .  54.3%
4  cleo  33.3%  41.7%  45.7%      .

Do ratings explain the results?

No evidence against it: the results are
consistent with the ratings (likelihood
ratio 0.3 with 3 degrees of freedom, p
0.961).
6.0% of the differences in strength are
cyclic (HodgeRank); chance alone gives
about 66.1%.
None of the 4 triangles is significantly
cyclic (p adjusted for all of them).

Games lost by faults

game  lost by  reason
---------------------------
  48  dan      timeout
  72  dan      illegal-move
  96  cleo     crash

The conversation before each of them:
`faults/GAME.txt` in the run's
directory.

Faults of each bot

bot   faults  by reason
---------------------------------------
cleo       1  crash 1
dan        2  timeout 1, illegal-move 1
");
}

#[test]
fn figures_that_do_not_follow_from_the_games_are_marked() {
    let text = summary_text(&RunReport::of(&summary(&untied())), &ASCII);
    let table = text.find("#  bot").expect("the standings");
    assert_snapshot!(&text[table..], @"
#  bot                   Elo  bound  games  score   W/D/L   as p1  as p2  ms/ply
--------------------------------------------------------------------------------
1  b            ~+157 +- 184      -     12  75.0%  9/0/ 3  100.0%  50.0%    1.10
2  a            ~+153 +- 190      -     12  75.0%  9/0/ 3  100.0%  50.0%    1.10
3  c ?@0123456   ~-26 +- 315      -      1   0.0%  0/0/ 1       -   0.0%    1.14
4  c ?@0000000  ~-283 +- 226  < -46     11   0.0%  0/0/11    0.0%   0.0%    1.09
-  z                       -      -      0      -       -       -      -       -

Elo counts from the mean of all bots; +- is its 95% error from the model.
~ marks figures held by a prior of 200 Elo around the mean: the results do not
tell strength from the advantage of the first seat. `bound` is what the games
alone say (95%).
The first seat scored 66.7%: an advantage of ~+176 +- 207 Elo. Drawn: 0.0%.
`c` is 2 contestants, each with a row of its own: its digest (executable, files,
options, time control) has changed.

game    games  p1 score        p1 Elo  drawn     pairing  plies  seconds
------------------------------------------------------------------------
farook     18     66.7%  ~+176 +- 207   0.0%  saves 100%   11.7      1.5

Who beat whom

#  bot            1    2    3    4  5
-------------------------------------
1  b              .  3/6  1/1  5/5  -
2  a            3/6    .    -  6/6  -
3  c ?@0123456  0/1    -    .    -  -
4  c ?@0000000  0/5  0/6    -    .  -
5  z              -    -    -    -  .

Games lost by faults

No game was lost by a fault.
");
}

#[test]
fn every_game_has_its_table() {
    let text = report_text(&RunReport::of(&summary(&cup())), &Look::plain(80));
    let text = text.split("Who beat whom").next().expect("the standings come first");
    let titles: Vec<_> =
        text.lines().filter(|line| ["all games", "farook", "fanorona size=3x3"].contains(line)).collect();
    assert_eq!(titles, ["farook", "fanorona size=3x3"]);
}

#[test]
fn the_crosstable_says_who_beat_whom() {
    let mut contents = cup();
    contents.games.retain(|game| game.label == "farook");
    assert_snapshot!(section(&contents, "Who beat whom", "Games lost by faults", &Look::plain(80)), @r"
#  bot        1     2       3     4
───────────────────────────────────
1  ada        ·  6/12  6.5/12  8/12
2  bob     6/12     ·    7/12  7/12
3  dan   5.5/12  5/12       ·  6/12
4  cleo    4/12  5/12    6/12     ·

Do ratings explain the results?

No evidence against it: the results are consistent with the ratings (likelihood
ratio 0.3 with 3 degrees of freedom, p 0.966).
14.9% of the differences in strength are cyclic (HodgeRank); chance alone gives
about 100.0%.
None of the 4 triangles is significantly cyclic (p adjusted for all of them).
");
    assert_snapshot!(section(&contents, "Who beat whom", "Games lost by faults", &Look::plain(30)), @r"
#  bot       1      2      3
────────────────────────────
1  ada       ·  50.0%  54.2%
2  bob   50.0%      ·  58.3%
3  dan   45.8%  41.7%      ·
4  cleo  33.3%  41.7%  50.0%

#  bot       4
──────────────
1  ada   66.7%
2  bob   58.3%
3  dan   50.0%
4  cleo      ·

Do ratings explain the results?

No evidence against it: the
results are consistent with
the ratings (likelihood ratio
0.3 with 3 degrees of freedom,
p 0.966).
14.9% of the differences in
strength are cyclic
(HodgeRank); chance alone
gives about 100.0%.
None of the 4 triangles is
significantly cyclic (p
adjusted for all of them).
");
}

#[test]
fn every_forfeit_is_listed() {
    assert_snapshot!(faults_text(&RunReport::of(&summary(&cup())), &Look::plain(80)), @r"
game  lost by  as  against  after  reason        what happened
────────────────────────────────────────────────────────────────────────────────
  48  dan      p1  cleo        13  timeout       62 ms over the clock; the marg…
  72  dan      p1  cleo        11  illegal-move  `a1\x1b[31m` is not a ply of t…
  96  cleo     p2  dan         11  crash         signal 11

The conversation before each of them: `faults/GAME.txt` in the run's directory.
");
}

#[test]
fn hostile_names_are_shown_escaped() {
    assert_snapshot!(summary_text(&RunReport::of(&summary(&hostile())), &Look::plain(110)), @r#"
cup
round-robin, 3 bots, 1 ruleset, 6 games played

`=cmd|'/C calc'!A0` wins the round robin with 2.5 of 4 points, 0.5 ahead of `x","\x0a]"[1-0`. The likelihood
that it is stronger than `x","\x0a]"[1-0` is 61.2%.

#  bot                         Elo  games  score  W/D/L   as p1  as p2  faults  ms/ply    LOS
─────────────────────────────────────────────────────────────────────────────────────────────
1  =cmd|'/C calc'!A0    +122 ± 530      4  62.5%  2/1/1  100.0%  25.0%       -    1.10  61.2%
2  x","\x0a]"[1-0         +0 ± 464      4  50.0%  1/2/1   75.0%  25.0%       -    1.09  61.2%
3  \x1b[2J\u{202e}evil  -122 ± 530      4  37.5%  1/1/2   75.0%   0.0%       1    1.10      -

Elo counts from the mean of all bots; ± is its 95% error from pairs of games and shared openings.
LOS is the likelihood of being stronger than the next in rank.
The first seat scored 83.3%: an advantage of +334 ± 323 Elo. Drawn: 33.3%.
Lost by faults: \x1b[2J\u{202e}evil 1 bad-move.

game    games  p1 score      p1 Elo  drawn  pairing  plies  seconds
───────────────────────────────────────────────────────────────────
farook      6     83.3%  +334 ± 323  33.3%        -   12.5      1.5

Who beat whom

#  bot                      1      2      3
───────────────────────────────────────────
1  =cmd|'/C calc'!A0        ·  1.5/2    1/2
2  x","\x0a]"[1-0       0.5/2      ·  1.5/2
3  \x1b[2J\u{202e}evil    1/2  0.5/2      ·

Games lost by faults

game  lost by              as  against            after  reason    what happened
──────────────────────────────────────────────────────────────────────────────────────────────
   6  \x1b[2J\u{202e}evil  p2  =cmd|'/C calc'!A0     13  bad-move  @SUM(1) } 1-0 {\x0d\x0a\x07

The conversation before each of them: `faults/GAME.txt` in the run's directory.

Faults of each bot

bot                  games  faults  refused  withdrawn from  by reason
───────────────────────────────────────────────────────────────────────
\x1b[2J\u{202e}evil      4       1        0               0  bad-move 1
"#);
}

#[test]
fn an_empty_journal_says_so() {
    let empty = Contents::default();
    for text in [summary_text, report_text] {
        assert_eq!(text(&RunReport::of(&summary(&empty)), &ASCII), "The journal is empty.\n");
    }
    assert_eq!(faults_text(&RunReport::of(&summary(&empty)), &ASCII), "No game was lost by a fault.\n");
}

#[test]
fn a_run_that_has_not_begun_shows_its_bots() {
    let contents = Sample::new(&["a", "b"], &["farook"]).contents;
    assert_snapshot!(summary_text(&RunReport::of(&summary(&contents)), &ASCII), @r"
cup
round-robin, 2 bots, 1 ruleset, 0 games played

No game has been played yet.

#  bot  Elo  games  score  any time  W/D/L  as p1  as p2  faults  ms/ply
------------------------------------------------------------------------
-  a      -      0      -         -      -      -      -       -       -
-  b      -      0      -         -      -      -      -       -       -
");
}

#[test]
fn a_live_table_is_the_table_of_the_games_so_far() {
    let mut contents = cup();
    contents.runs[0].config.rounds = 1000;
    let mut run = summary(&contents);
    let in_order: Vec<_> = run.games.iter().map(record::GameSummary::into_owned).collect();
    run.games = in_order.into_iter().rev().collect();
    let tally = Tally::of(&run);
    let live = live_table(&tally, &ASCII);
    let (header, table) = live.split_once('\n').expect("a header");
    assert_eq!(header, "`any time`: 95% interval of the score that holds however often one looks");
    assert!(summary_text(&RunReport::of(&summary(&contents)), &ASCII).contains(table), "{live}");
    assert_eq!(tally.standings(Some("farook")).games, 72);
    assert_eq!(tally.standings(Some("no such game")).games, 0);
}

#[test]
fn copies_are_counted() {
    let mut sample = Sample::new(&["a", "b"], &["farook"]);
    for _ in 0..3 {
        sample.pair("farook", "a", "b", [P1Win, Draw]);
    }
    let mut contents = sample.contents;
    for i in [2, 3] {
        contents.games[i].plies = contents.games[i - 2].plies.clone();
    }
    let text = summary_text(&RunReport::of(&summary(&contents)), &ASCII);
    assert!(text.contains("Duplicates: 1 of 3 pairs repeat an earlier pair ply for ply"), "{text}");
    // The third pair repeats one game of the first, which makes no copy of a pair.
    contents.games[4].plies = contents.games[0].plies.clone();
    contents.games[2].plies.pop();
    let text = summary_text(&RunReport::of(&summary(&contents)), &ASCII);
    assert!(text.contains("Duplicates: 2 of 6 games repeat an earlier game"), "{text}");
}

/// Returns the ratings with their errors, to the last bit, as of a run that is over.
fn ratings(contents: &Contents) -> Vec<(String, Option<u64>, Option<u64>)> {
    let mut contents = contents.clone();
    contents.runs[0].config.rounds = 0;
    let summary = summary(&contents);
    let standings = Tally::of(&summary).standings(None).clone();
    let bits = |figure: Option<f64>| figure.map(f64::to_bits);
    standings.rows.into_iter().map(|row| (row.label, bits(row.elo), bits(row.error95))).collect()
}

#[test]
fn pairs_that_lie_apart_are_pairs() {
    let in_order = cup();
    let mut apart = in_order.clone();
    // The second games of all pairs come after all first ones.
    apart.games.sort_by_key(|game| game.leg);
    for (number, game) in (1..).zip(&mut apart.games) {
        game.number = number;
    }
    assert_eq!(ratings(&apart), ratings(&in_order));
    let (summary, count) = (summary(&apart), apart.games.len() as u64);
    let course = report::course(&Tally::of(&summary), None, 3);
    assert!(course.points.last().is_some_and(|(games, _)| (count - 2..=count).contains(games)), "{course:?}");
}

#[test]
fn pairs_of_other_labels_and_players_may_have_the_same_number() {
    let mut sample = Sample::new(&["a", "b", "c"], &["farook", "sophia"]);
    sample.pair("farook", "a", "b", [P1Win, Draw]).pair("sophia", "a", "b", [P1Win, Draw]);
    sample.pair("farook", "a", "c", [P1Win, Draw]).pair("farook", "a", "b", [P2Win, Draw]);
    let numbered = |numbers: [u64; 4]| {
        let mut contents = sample.contents.clone();
        let pairs = contents.games.chunks_mut(2).zip(numbers);
        pairs.for_each(|(pair, number)| pair.iter_mut().for_each(|game| game.pair = number));
        contents
    };
    let apart = ratings(&numbered([1, 2, 3, 4]));
    assert_eq!(ratings(&numbered([1, 1, 1, 2])), apart);
    // Two pairs of the same bots under one number are four games without partners.
    assert_ne!(ratings(&numbered([1, 2, 3, 1])), apart);
    let mut copied = numbered([1, 1, 1, 2]);
    for place in [2, 3, 6, 7] {
        copied.games[place].plies = copied.games[place % 2].plies.clone();
        copied.games[place].result = copied.games[place % 2].result;
    }
    let text = summary_text(&RunReport::of(&summary(&copied)), &ASCII);
    // The last pair is the first one again; the pair of the other game has the same plies and is none.
    assert!(text.contains("Duplicates: 1 of 4 pairs repeat an earlier pair ply for ply"), "{text}");
}

#[test]
fn versions_of_a_bot_have_rows_of_their_own() {
    let mut sample = Sample::new(&["a", "b"], &["farook"]);
    sample.pair("farook", "a", "b", [P1Win, P1Win]).pair("farook", "a", "b", [P1Win, Draw]);
    for game in &mut sample.contents.games {
        let version = if game.pair == 1 { "1.0" } else { "1.1" };
        for seat in game.seats.iter_mut().filter(|seat| seat.bot == "a") {
            seat.version = version.to_owned();
            seat.digest.push_str(version);
        }
    }
    let standings = Tally::of(&summary(&sample.contents)).standings(None).clone();
    let rows: Vec<_> = standings.rows.iter().map(|row| (row.label.as_str(), row.games())).collect();
    // The configuration names a third executable of `a`, which has not played and has not said its version.
    assert_eq!(rows, [("a 1.1", 2), ("a 1.0", 2), ("b", 4), ("a", 0)]);
}

#[test]
fn a_bot_that_failed_before_it_said_its_version_has_one_row() {
    let mut sample = Sample::new(&["a", "b"], &["farook"]);
    sample.pair("farook", "a", "b", [P1Win, P1Win]).pair("farook", "a", "b", [P1Win, Draw]);
    for game in &mut sample.contents.games {
        let version = if game.pair == 1 { "" } else { "1.1" };
        for seat in game.seats.iter_mut().filter(|seat| seat.bot == "a") {
            seat.version = version.to_owned();
        }
    }
    let standings = Tally::of(&summary(&sample.contents)).standings(None).clone();
    let rows: Vec<_> = standings.rows.iter().map(|row| (row.label.as_str(), row.games())).collect();
    assert_eq!(rows, [("a", 4), ("b", 4)]);
}

#[test]
fn colour_adds_nothing_but_colour() {
    let rich = Look { color: true, ..Look::plain(100) };
    for text in [summary_text, report_text, faults_text] {
        let mut plain = String::new();
        let colored = text(&RunReport::of(&summary(&cup())), &rich);
        for (i, piece) in colored.split('\u{1b}').enumerate() {
            let rest = piece.split_once('m').map_or("", |(_, rest)| rest);
            plain.push_str(if i == 0 { piece } else { rest });
        }
        assert!(colored.contains('\u{1b}'));
        assert_eq!(plain, text(&RunReport::of(&summary(&cup())), &Look::plain(100)));
    }
}
