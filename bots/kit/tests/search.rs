//! The search finds what there is to find, within its limits.

use kit::{Search, SearchLimits, WIN};
use rules::{Fanorona, FanoronaOptions, Farook, FarookOptions, Position, TwoFrenzy, TwoFrenzyOptions};

/// The diagram of Farook's seed: White wins by one ply.
const DIAGRAM: &str = "bb1w/bwxb/wwbw/1bxw p1 stock=0,0,0 last=-,- ko=- n=20";

fn diagram() -> Farook {
    Farook::read(&FarookOptions::default(), DIAGRAM).expect("the diagram is a position")
}

#[test]
fn a_win_in_one_is_found_and_ends_the_search() {
    let mut search = Search::new(1);
    let report = search.decide(&diagram(), SearchLimits::default(), &mut |_| {});
    assert_eq!((report.line[0].to_string().as_str(), report.score, report.depth), ("a2a1", WIN - 1, 1));
}

#[test]
fn nodes_bound_the_search_to_the_letter() {
    for nodes in [1, 10, 1000, 10_000] {
        let mut search = Search::new(1);
        let start = Farook::start(&FarookOptions::default());
        let report = search.decide(
            &start,
            SearchLimits { nodes: Some(nodes), ..SearchLimits::default() },
            &mut |_| {},
        );
        assert_eq!(report.nodes, nodes);
        assert!(start.is_legal(report.line[0]));
    }
}

#[test]
fn depth_bounds_the_search_and_every_iteration_is_told() {
    let mut depths = Vec::new();
    let start = Farook::start(&FarookOptions::default());
    let limits = SearchLimits { depth: Some(3), ..SearchLimits::default() };
    Search::new(1).decide(&start, limits, &mut |report| depths.push(report.depth));
    assert_eq!(depths, [1, 2, 3]);
}

#[test]
fn an_announced_end_counts_own_turns_and_its_line_reaches_it() {
    // A turn of 2-Frenzy has several plies: halves of plies would count them wrong.
    let mut ends = 0;
    let mut position = TwoFrenzy::start(&TwoFrenzyOptions::default());
    let mut search = Search::new(1);
    while position.outcome().is_none() {
        let limits = SearchLimits { nodes: Some(3000), ..SearchLimits::default() };
        let report = search.decide(&position, limits, &mut |report| {
            let Some(mate) = report.mate else { return };
            let seat = position.seat();
            let mut next = position.clone();
            let mut turns = i64::from(!next.turn().is_fresh && next.turn().seat == seat);
            for ply in &report.line {
                assert!(next.outcome().is_none() && next.is_legal(*ply));
                turns += i64::from(next.turn().is_fresh && next.turn().seat == seat);
                next.play_unchecked(*ply);
            }
            let winner = if mate > 0 { seat } else { seat.other() };
            assert_eq!(next.outcome().and_then(|verdict| verdict.outcome.winner()), Some(winner));
            assert_eq!(mate.abs(), turns);
            ends += 1;
        });
        position.play_unchecked(report.line[0]);
    }
    assert!(ends > 0, "a game that ends by its rules has an end in sight before");
}

#[test]
fn a_line_stops_where_the_search_counts_a_repetition_as_a_draw() {
    let start = Fanorona::start(&FanoronaOptions::default());
    let mut keys = Vec::new();
    start.legal_plies(&mut |ply| {
        let mut next = start.clone();
        next.play_unchecked(ply);
        keys.extend([next.key(), next.key()]);
    });
    let lines = |past: &[u64]| {
        let mut search = Search::new(1);
        search.set_past(past.iter().copied());
        let report =
            search.decide(&start, SearchLimits { depth: Some(4), ..SearchLimits::default() }, &mut |_| {});
        (report.line.len(), report.score == 0)
    };
    assert_eq!(lines(&[]), (4, false));
    // Whatever is played stands on the board for the third time.
    assert_eq!(lines(&keys), (1, true));
}
