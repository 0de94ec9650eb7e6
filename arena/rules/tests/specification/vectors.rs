//! `protocol-spec/vectors/positions/GAME.txt`: one script for every game in the list.

use rules::GAMES;

use crate::script::{Script, run};
use crate::{read, specification};

#[test]
fn the_vectors_of_every_game_hold() {
    let mut faults = Vec::new();
    for game in GAMES {
        let path = specification(&format!("vectors/positions/{}.txt", game.id));
        let text = read(&path);
        assert!(text.lines().any(|line| line.starts_with("position ")), "{} checks nothing", path.display());
        run(&mut Script::new(game), &path, (1..).zip(text.lines()), &mut faults);
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
