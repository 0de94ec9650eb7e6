//! The search finds what there is to find, within its limits.

use kit::{Limits, Search, WIN};
use rules::{Farook, FarookOptions, Position};

/// The diagram of Farook's seed: White wins by one ply.
const DIAGRAM: &str = "bb1w/bwxb/wwbw/1bxw p1 stock=0,0,0 last=-,- ko=- n=20";

fn diagram() -> Farook {
    Farook::read(&FarookOptions::default(), DIAGRAM).expect("the diagram is a position")
}

#[test]
fn a_win_in_one_is_found_and_ends_the_search() {
    let mut search = Search::new(1);
    let report = search.decide(&diagram(), Limits::default(), &mut |_| {});
    assert_eq!((report.line[0].to_string().as_str(), report.score, report.depth), ("a2a1", WIN - 1, 1));
}

#[test]
fn nodes_bound_the_search_to_the_letter() {
    for nodes in [1, 10, 1000, 10_000] {
        let mut search = Search::new(1);
        let start = Farook::start(&FarookOptions::default());
        let report = search.decide(&start, Limits { nodes: Some(nodes), ..Limits::default() }, &mut |_| {});
        assert_eq!(report.nodes, nodes);
        assert!(start.is_legal(report.line[0]));
    }
}

#[test]
fn depth_bounds_the_search_and_every_iteration_is_told() {
    let mut depths = Vec::new();
    let start = Farook::start(&FarookOptions::default());
    let limits = Limits { depth: Some(3), ..Limits::default() };
    Search::new(1).decide(&start, limits, &mut |report| depths.push(report.depth));
    assert_eq!(depths, [1, 2, 3]);
}
