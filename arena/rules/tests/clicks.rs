//! The laws of clicks, over games of random plies: every legal ply is one path, every path is a legal ply.

use std::collections::BTreeSet;

use rules::{Click, Dice, GAMES, Setup, clicks};

/// Checks clicks that could be made in each other's place, and all that follow them.
fn check(siblings: &[Click], is_top: bool, plies: &mut Vec<String>) {
    let mut codes = BTreeSet::new();
    let mut cells = BTreeSet::new();
    for click in siblings {
        assert!(codes.insert(&click.code), "`{}` is there twice", click.code);
        assert!(click.label.is_some() || click.cells.contains(&click.code), "{click:?}");
        for cell in &click.cells {
            assert!(cells.insert(cell), "two clicks on `{cell}`");
        }
        assert_eq!(click.ply.is_none(), !click.next.is_empty(), "{click:?}");
        plies.extend(click.ply.clone());
        check(&click.next, false, plies);
    }
    let is_idle = siblings.len() == 1 && siblings[0].label.is_some();
    assert!(is_top || !is_idle, "a choice of one: {siblings:?}");
}

fn check_games(setup: &Setup, games: u64) {
    for seed in 0..games {
        let mut dice = Dice::new(seed);
        let mut referee = setup.referee(None).expect("the start is valid");
        while referee.outcome().is_none() {
            let legal = referee.legal();
            let mut plies = Vec::new();
            check(&clicks(setup, &referee.position(), &legal), true, &mut plies);
            plies.sort_unstable();
            assert_eq!(plies, legal, "{} at {}", setup.label(), referee.position());
            referee.submit(&legal[dice.below(legal.len())]).expect("the ply is legal");
        }
        assert!(clicks(setup, &referee.position(), &referee.legal()).is_empty());
    }
}

#[test]
fn every_ply_of_every_game_is_one_path_of_clicks() {
    for game in GAMES {
        check_games(&game.setup(&[]).unwrap(), 12);
    }
}

#[test]
fn so_it_is_with_other_options() {
    for (game, options) in [
        ("farook", [("wilds", "pattern")].as_slice()),
        ("faust", &[("size", "5"), ("perimeter", "walls")]),
        ("faust", &[("size", "12"), ("max-moves", "60")]),
        ("sophia", &[("swap", "on"), ("drop", "goal")]),
        ("sophia", &[("size", "5"), ("line", "5")]),
        ("fanorona", &[("size", "5x5")]),
        ("fanorona", &[("size", "9x7")]),
        ("2-frenzy", &[("players", "3")]),
        ("2-frenzy", &[("players", "4")]),
    ] {
        check_games(&rules::find(game).unwrap().setup(options).unwrap(), 8);
    }
}
