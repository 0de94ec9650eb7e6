//! Ending games that their rules have not ended: by the bots' scores, or by a count at a limit on plies.
//!
//! It depends on the record of the game alone, so anyone with the record can repeat the judgement.

use record::{GameResult, PlyRecord, Termination};
use rules::{Places, Referee, Seat};
use settings::{Adjudication, DrawRule, ResignRule};

use crate::game::conclusion::Conclusion;

/// A bot's score of a position, from its own point of view.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Score {
    /// Hundredths of the game's unit.
    Centipawns(i64),
    /// A win in some turns.
    Win,
    /// A loss in some turns.
    Loss,
}

impl Score {
    fn of(ply: &PlyRecord) -> Option<Self> {
        let info = ply.info.as_ref()?;
        match (info.mate, info.cp) {
            (Some(1..), _) => Some(Self::Win),
            (Some(_), _) => Some(Self::Loss),
            (None, cp) => cp.map(Self::Centipawns),
        }
    }

    /// Returns whether the score is `least` or better.
    fn is_at_least(self, least: i64) -> bool {
        match self {
            Self::Centipawns(cp) => cp >= least,
            Self::Win => true,
            Self::Loss => false,
        }
    }

    /// Returns whether the score is `most` or worse.
    fn is_at_most(self, most: i64) -> bool {
        match self {
            Self::Centipawns(cp) => cp <= most,
            Self::Win => false,
            Self::Loss => true,
        }
    }

    fn is_level(self, distance: u32) -> bool {
        matches!(self, Self::Centipawns(cp) if cp.unsigned_abs() <= u64::from(distance))
    }
}

/// The count of each seat at the limit on plies. More is better.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Count {
    /// The game has no count, so no seat is ahead.
    None,
    /// The counts of both seats.
    Two([u32; 2]),
    /// The count of every seat at a larger table, and below them the places of the seats that are out.
    Table(Vec<SeatCount>),
}

/// The rank of a seat at a table of more than two seats. A seat that is in always comes before one that is out. A seat that is
/// out has its place instead of a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum SeatCount {
    /// Out, with this many seats below it or sharing its place.
    Out(u8),
    /// In, with this count.
    In(u32),
}

impl Count {
    /// Returns the counts of a game's seats.
    pub(crate) fn of(referee: &dyn Referee) -> Self {
        let (seats, count) = (referee.seats(), referee.count());
        match (count.as_deref(), seats) {
            (None, 2) => Self::None,
            (Some(&[first, second]), 2) => Self::Two([first, second]),
            (count, _) => {
                let out = referee.out();
                let of = |seat: Seat| match out.iter().find(|out| out.seat == seat) {
                    Some(out) => SeatCount::Out(Seat::MOST as u8 - out.place),
                    None => {
                        SeatCount::In(count.and_then(|count| count.get(seat.index()).copied()).unwrap_or(0))
                    }
                };
                Self::Table(Seat::all(seats).map(of).collect())
            }
        }
    }
}

/// Judges a game at the end of a turn from its plies so far, of which the first `opening` are the opening. `count` is the count
/// of each seat. Scores of bots end games of two seats only.
pub(crate) fn adjudicate(
    rules: &Adjudication,
    plies: &[PlyRecord],
    opening: usize,
    count: &Count,
) -> Option<Conclusion> {
    if matches!(count, Count::Table(_)) {
        return rules.plies.and_then(|limit| limited(limit, plies.len(), count));
    }
    let played = plies.get(opening..).unwrap_or_default();
    rules
        .resign
        .and_then(|rule| resigned(rule, played))
        .or_else(|| rules.draw.and_then(|rule| drawn(rule, played)))
        .or_else(|| rules.plies.and_then(|limit| limited(limit, plies.len(), count)))
}

fn resigned(rule: ResignRule, played: &[PlyRecord]) -> Option<Conclusion> {
    let (score, turns) = (i64::from(rule.score), rule.turns);
    let seat = Seat::BOTH.into_iter().find(|seat| {
        holds(played, *seat, turns, |said| said.is_at_most(-score))
            && (!rule.both || holds(played, seat.other(), turns, |said| said.is_at_least(score)))
    })?;
    let who = if rule.both { ", and its opponent agreed" } else { "" };
    let detail = format!("{seat} said {} or worse in {}{who}", -score, own_turns(turns));
    Some(end(GameResult::win(seat.other()), Termination::AdjudicatedWin, detail))
}

fn drawn(rule: DrawRule, played: &[PlyRecord]) -> Option<Conclusion> {
    let is_late_enough = played.last().is_some_and(|ply| ply.turn >= rule.after);
    let is_level = |seat: &Seat| holds(played, *seat, rule.turns, |said| said.is_level(rule.score));
    if !is_late_enough || !Seat::BOTH.iter().all(is_level) {
        return None;
    }
    let detail = format!("both said {} or nearer to zero in {}", rule.score, own_turns(rule.turns));
    Some(end(GameResult::Draw, Termination::AdjudicatedDraw, detail))
}

fn limited(limit: u32, plies: usize, count: &Count) -> Option<Conclusion> {
    if plies < limit as usize {
        return None;
    }
    let (result, words) = match count {
        Count::None => (GameResult::Draw, "this game has no count".to_owned()),
        Count::Two([first, second]) if first == second => (GameResult::Draw, format!("{first} each")),
        Count::Two([first, second]) => {
            let seat = if first > second { Seat::P1 } else { Seat::P2 };
            (GameResult::win(seat), format!("p1 has {first}, p2 has {second}"))
        }
        Count::Table(seats) => {
            let words = Seat::all(seats.len()).zip(seats).map(|(seat, count)| match count {
                SeatCount::In(count) => format!("{seat} has {count}"),
                SeatCount::Out(_) => format!("{seat} is out"),
            });
            let places = Places::by_score(seats).map_or(GameResult::None, GameResult::Places);
            (places, words.collect::<Vec<_>>().join(", "))
        }
    };
    Some(end(result, Termination::PlyLimit, format!("the limit of {limit} plies: {words}")))
}

/// Returns whether the seat's score in each of its last turns satisfies `is_such`, and there were `turns` of them.
fn holds(played: &[PlyRecord], seat: Seat, turns: u32, is_such: impl Fn(Score) -> bool) -> bool {
    let mut found = 0;
    for turn in played.chunk_by(|one, next| one.turn == next.turn).rev() {
        let number = seat.index() as u8 + 1;
        if found == turns || turn[0].of.unwrap_or(turn[0].seat) != number {
            continue;
        }
        let own = || turn.iter().filter(|ply| ply.seat == number);
        match own().rev().find_map(Score::of) {
            Some(score) if is_such(score) => found += 1,
            // A forced pass, for which the bot was not asked.
            None if own().all(|ply| ply.us.is_none() && !ply.fallback) => {}
            Some(_) | None => return false,
        }
    }
    found == turns
}

fn own_turns(turns: u32) -> String {
    if turns == 1 { "its last own turn".to_owned() } else { format!("its last {turns} own turns") }
}

fn end(result: GameResult, reason: Termination, detail: String) -> Conclusion {
    Conclusion {
        result,
        reason,
        detail: Some(detail),
        fault: None,
        loser: None,
        exit: None,
        is_doubtful: false,
    }
}

#[cfg(test)]
mod tests {
    use record::InfoRecord;

    use super::*;

    const RESIGN: ResignRule = ResignRule { score: 500, turns: 2, both: true };
    const DRAW: DrawRule = DrawRule { score: 10, turns: 2, after: 6 };

    fn ply(turn: u32, said: Option<i64>) -> PlyRecord {
        PlyRecord {
            ply: "a1".to_owned(),
            san: None,
            seat: if turn % 2 == 1 { 1 } else { 2 },
            turn,
            of: None,
            us: Some(1),
            used: None,
            clock: None,
            info: said.map(|cp| InfoRecord { cp: Some(cp), ..InfoRecord::default() }),
            fallback: false,
        }
    }

    /// Returns a game of turns of one ply each, with these scores.
    fn game(said: &[Option<i64>]) -> Vec<PlyRecord> {
        (1..).zip(said).map(|(turn, said)| ply(turn, *said)).collect()
    }

    fn judge(rules: &Adjudication, plies: &[PlyRecord]) -> Option<(GameResult, Termination)> {
        adjudicate(rules, plies, 0, &Count::None).map(|end| (end.result, end.reason))
    }

    fn check(rules: &Adjudication, said: &[Option<i64>], expected: Option<(GameResult, Termination)>) {
        assert_eq!(judge(rules, &game(said)), expected, "{said:?}");
    }

    #[test]
    fn a_bot_that_says_it_loses_has_lost_when_the_other_agrees() {
        let both = Adjudication { resign: Some(RESIGN), ..Adjudication::default() };
        let won = Some((GameResult::P2Win, Termination::AdjudicatedWin));
        let (good, bad) = (Some(500), Some(-500));
        check(&both, &[bad, good, bad, good], won);
        check(&both, &[bad, good, bad], None);
        check(&both, &[bad, good, bad, Some(499)], None);
        check(&both, &[bad, good, Some(-499), good], None);
        check(&both, &[bad, good, None, good], None);
        let one = Adjudication { resign: Some(ResignRule { both: false, ..RESIGN }), ..both };
        check(&one, &[bad, None, bad], won);
        check(&one, &[good, None, good], None);
        check(&one, &[None, bad, None, bad], Some((GameResult::P1Win, Termination::AdjudicatedWin)));
    }

    #[test]
    fn an_announced_loss_is_a_loss_and_no_draw() {
        let rules = Adjudication { resign: Some(RESIGN), draw: Some(DRAW), plies: None };
        let mut plies = game(&[Some(0); 6]);
        assert_eq!(judge(&rules, &plies), Some((GameResult::Draw, Termination::AdjudicatedDraw)));
        for (i, ply) in plies.iter_mut().enumerate().skip(2) {
            let mate = if i % 2 == 0 { -3 } else { 3 };
            ply.info = Some(InfoRecord { mate: Some(mate), ..InfoRecord::default() });
        }
        assert_eq!(judge(&rules, &plies), Some((GameResult::P2Win, Termination::AdjudicatedWin)));
    }

    #[test]
    fn a_draw_needs_both_and_waits() {
        let rules = Adjudication { draw: Some(DRAW), ..Adjudication::default() };
        let drawn = Some((GameResult::Draw, Termination::AdjudicatedDraw));
        check(&rules, &[Some(-10); 6], drawn);
        check(&rules, &[Some(10); 5], None);
        check(&rules, &[Some(0), Some(0), Some(0), Some(11), Some(0), Some(0)], None);
        check(&rules, &[Some(99), Some(99), Some(0), Some(1), Some(2), Some(3)], drawn);
    }

    #[test]
    fn forced_passes_and_the_opening_say_nothing() {
        let rules =
            Adjudication { resign: Some(ResignRule { both: false, ..RESIGN }), ..Adjudication::default() };
        let mut plies = game(&[Some(-900), Some(0), None, Some(0), Some(-900)]);
        assert_eq!(judge(&rules, &plies), None);
        plies[2].us = None;
        assert!(judge(&rules, &plies).is_some(), "the pass is passed over");
        assert!(adjudicate(&rules, &plies, 1, &Count::None).is_none(), "the first of them is the opening");
        plies[2].fallback = true;
        assert_eq!(judge(&rules, &plies), None, "the bot was asked and did not say");
    }

    #[test]
    fn what_is_said_in_the_turn_of_the_other_one_does_not_count() {
        let rules = Adjudication {
            resign: Some(ResignRule { both: false, turns: 1, score: 1 }),
            ..Adjudication::default()
        };
        let mut plies = vec![ply(1, Some(5)), ply(2, Some(7)), ply(1, Some(-900))];
        (plies[2].turn, plies[2].of) = (2, Some(2));
        assert_eq!(judge(&rules, &plies), None);
        // Within one turn the later score counts.
        let plies = vec![ply(1, Some(5)), ply(1, Some(-900))];
        assert!(judge(&rules, &plies).is_some());
    }

    #[test]
    fn at_the_limit_the_greater_count_wins() {
        let rules = Adjudication { plies: Some(4), ..Adjudication::default() };
        let plies = game(&[None; 4]);
        let end = |plies: &[PlyRecord], count| adjudicate(&rules, plies, 2, &count).map(|end| end.result);
        assert_eq!(end(&plies[..3], Count::Two([5, 1])), None);
        assert_eq!(end(&plies, Count::Two([5, 1])), Some(GameResult::P1Win));
        assert_eq!(end(&plies, Count::Two([5, 6])), Some(GameResult::P2Win));
        assert_eq!(end(&plies, Count::Two([5, 5])), Some(GameResult::Draw));
        assert_eq!(end(&plies, Count::None), Some(GameResult::Draw));
    }

    #[test]
    fn at_a_table_those_who_are_out_come_last_and_what_bots_say_counts_for_nothing() {
        let rules = Adjudication { resign: Some(RESIGN), plies: Some(4), ..Adjudication::default() };
        let table =
            Count::Table(vec![SeatCount::In(2), SeatCount::Out(4), SeatCount::In(7), SeatCount::Out(5)]);
        let plies = game(&[Some(-900), Some(900), Some(-900), Some(900)]);
        assert_eq!(adjudicate(&rules, &plies[..3], 0, &table), None);
        let end = adjudicate(&rules, &plies, 0, &table).expect("the limit is reached");
        assert_eq!(end.result.to_string(), "places=2,4,1,3");
        let words = "the limit of 4 plies: p1 has 2, p2 is out, p3 has 7, p4 is out";
        assert_eq!(end.detail.as_deref(), Some(words));
    }
}
