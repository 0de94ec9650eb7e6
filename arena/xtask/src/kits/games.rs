//! The games of `arena/games` that are programs, and the kits that they are written with.

use std::path::Path;

use crate::game_logs;
use crate::shell::{ChoreError, executable, root, run};

/// How many random games of chess are compared with python-chess.
const GAMES_OF_CHESS: u32 = 200;

/// Asks the programs what nobody should ask, lets the arena check them as rules of one's own, plays Hex and holds chess to
/// python-chess. Node has to be there.
pub(crate) fn check_games(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    let root = root();
    let chess = executable("chess")?.display().to_string();
    let games = Path::new("arena/games");
    for program in ["python3 arena/games/telo/telo.py", "node arena/games/hex/hex.mjs", &format!("'{chess}'")]
    {
        run(&format!("python3 '{}' {program}", games.join("tests/hostile.py").display()), &root)?;
        run(&format!("'{}' check-game --quick -- {program}", arena.display()), &root)?;
    }
    for script in ["tests/kit_test.mjs", "tests/hex_test.mjs"] {
        run(&format!("node '{}'", games.join(script).display()), &root)?;
    }
    let python = game_logs::install_python_chess(work)?;
    let oracle = games.join("chess/tests/against_python_chess.py");
    run(&format!("'{}' '{}' '{chess}' {GAMES_OF_CHESS}", python.display(), oracle.display()), &root)
}

/// Checks the types of the kit and the games in Python, with the mypy of `work`.
pub(super) fn check_types(work: &Path) -> Result<(), ChoreError> {
    let work = work.display();
    let line = format!(
        "MYPYPATH=python:telo '{work}/venv/bin/mypy' --strict --cache-dir '{work}/mypy' python telo tests"
    );
    run(&line, &root().join("arena").join("games"))
}
