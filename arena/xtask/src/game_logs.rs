//! Programs for chess read our game logs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::shell::{ChoreError, need, run};

/// Reads the tags of every game, and every ply of the safe form, with python-chess.
const READ_WITH_PYTHON_CHESS: &str = r#"
import logging, sys, chess.pgn
logging.disable()
native, safe = sys.argv[1:]
with open(native) as file:
    headers = []
    while (tags := chess.pgn.read_headers(file)) is not None:
        headers.append(dict(tags))
with open(safe) as file:
    games = []
    while (game := chess.pgn.read_game(file)) is not None:
        assert not game.errors, game.errors
        plies = list(game.mainline())
        assert all("[%mv " in node.comment for node in plies), game
        assert len(plies) == int(game.headers["PlyCount"]), game.headers
        games.append(dict(game.headers))
assert headers and len(headers) == len(games), (len(headers), len(games))
for tags in headers:
    assert tags["Result"] in ("1-0", "0-1", "1/2-1/2", "*"), tags
    assert {"White", "Black", "Variant", "StartPosition", "Reason"} <= tags.keys(), tags
print(f"python-chess reads {len(games)} games")
"#;

/// Reads the safe form with pgn-extract, which may not say a word about it, and compares plies and games with what it wrote.
const READ_WITH_PGN_EXTRACT: &str = "PATH=$PATH:/usr/games; set -e; \
    pgn-extract -s -osafe-again.pgn safe.pgn > told.txt 2>&1; \
    if [ -s told.txt ]; then cat told.txt >&2; exit 1; fi; \
    for what in '^\\[Event ' '%mv'; do \
    [ $(grep -o \"$what\" safe.pgn | wc -l) = $(grep -o \"$what\" safe-again.pgn | wc -l) ] || exit 1; done; \
    echo \"pgn-extract reads $(grep -c '^\\[Event ' safe-again.pgn) games\"";

/// Plays a small tournament; python-chess and pgn-extract read its log in the safe form, and so does the arena.
pub(crate) fn check(arena: &Path, work: &Path) -> Result<(), ChoreError> {
    let arena = arena.display();
    install_python_chess(work)?;
    run(&format!("'{arena}' run --rounds 1 --bots random,greedy --out run"), work)?;
    run(&format!("'{arena}' report run --pgn safe > safe.pgn"), work)?;
    fs::write(work.join("read.py"), READ_WITH_PYTHON_CHESS)?;
    run("venv/bin/python read.py run/games.pgn safe.pgn", work)?;
    need(&["pgn-extract"], &["pgn-extract"])?;
    run(READ_WITH_PGN_EXTRACT, work)?;
    run(&format!("'{arena}' replay safe.pgn"), work)
}

/// Installs python-chess into a virtual environment in `work`, and returns the Python that has it.
pub(crate) fn install_python_chess(work: &Path) -> Result<PathBuf, ChoreError> {
    let venv = "python3 -m venv venv || { echo 'install the Debian package python3-venv' >&2; exit 1; }";
    run(venv, work)?;
    run("venv/bin/pip install --quiet --disable-pip-version-check chess==1.11.2", work)?;
    Ok(work.join("venv/bin/python"))
}
